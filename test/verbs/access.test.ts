import { expect, test } from "vitest";
import { changeOf, put } from "../../src/core/change.ts";
import type { Refused } from "../../src/core/codes.ts";
import { inEnglish } from "../../src/core/messages/text.ts";
import type { Token } from "../../src/core/people.ts";
import { listNotices } from "../../src/gate/notices/notices.ts";
import { addPasskey, personWithPasskey } from "../../src/gate/people/credentials.ts";
import { hashPassphrase } from "../../src/gate/people/passphrase.ts";
import { addPerson, changePerson, checkPassphrase, removePerson, setPassphrase } from "../../src/gate/people/people.ts";
import { listSignIns, proveAgain, signInOf, startSignIn } from "../../src/gate/people/sign-in.ts";
import { addToken, makerOfToken, tokenOf } from "../../src/gate/people/tokens.ts";
import { addGrant } from "../../src/gate/standing/grants.ts";
import { liftPause, setPause } from "../../src/gate/standing/pause.ts";
import { MINUTE_MS, type Office, office, POLICY } from "./kit.ts";

// What lets somebody in, who made it, and what ends it.

const ANA = { by: "ana", assurance: "tty" } as const;
const BEN = { by: "ben", assurance: "tty" } as const;
const PROOF = { assurance: "password", browser: "Firefox" } as const;
const TWO = `${POLICY.replace("approvals: {", "approvals: { quorum: 2,")}reviewers: [ana, ben, cleo]\n`;

test("a new passphrase ends every other sign-in and every unused link of that person, and of nobody else", async () => {
  const { deps } = await office();
  const here = must(await startSignIn(deps, "ben", PROOF));
  const there = must(await startSignIn(deps, "ben", PROOF));
  const anas = must(await startSignIn(deps, "ana", PROOF));
  const link = must(await addToken(deps, { person: "ben", can: "sign-in" }, BEN));
  const program = must(await addToken(deps, { person: "ben", can: "read" }, BEN));
  must(await setPassphrase(deps, "ben", { ...BEN, passphrase: "a new one", here: here.signIn.id }));
  expect(await signInOf(deps, here.text)).toMatchObject({ state: "live" });
  expect(await signInOf(deps, there.text)).toBe(undefined);
  expect(await tokenOf(deps, link.text)).toBe(undefined);
  expect(await tokenOf(deps, program.text)).toMatchObject({ state: "live" });
  expect(await signInOf(deps, anas.text)).toMatchObject({ state: "live" });
  must(await setPassphrase(deps, "ben", { ...ANA, passphrase: "an admin's" }));
  expect(await listSignIns(deps, "ben")).toEqual([]);
});

test("an admin who sets another person's passphrase cannot keep one of that person's sign-ins by naming it", async () => {
  const { deps } = await office();
  const bens = must(await startSignIn(deps, "ben", PROOF));
  must(await setPassphrase(deps, "ben", { ...ANA, passphrase: "an admin's", here: bens.signIn.id }));
  expect(await signInOf(deps, bens.text)).toBe(undefined);
});

test("proving again gives a new secret, and a copy of the old one is refused", async () => {
  const { deps, clock } = await office();
  const first = must(await startSignIn(deps, "ben", PROOF));
  clock.advance(6 * MINUTE_MS);
  const again = must(await proveAgain(deps, first.signIn.id));
  expect(again.text).not.toBe(first.text);
  expect(await signInOf(deps, first.text)).toBe(undefined);
  expect(await signInOf(deps, again.text)).toMatchObject({
    id: first.signIn.id,
    startedMs: first.signIn.startedMs,
    provedMs: first.signIn.provedMs + 6 * MINUTE_MS,
  });
});

test("an approval with a token that somebody else made counts as theirs, before or after their own approval", async () => {
  const at = await office(TWO);
  const bens = must(await addToken(at.deps, { person: "ben", can: "approve" }, ANA));
  const cleos = must(await addToken(at.deps, { person: "cleo", can: "approve" }, ANA));
  const own = must(await addToken(at.deps, { person: "ben", can: "approve" }, BEN));
  const { approvalId: one } = await at.submit("refund", { n: 1 });
  must(await at.approve(one, "ana"));
  expect(await withToken(at, one, bens.token)).toMatchObject({ ok: false, code: "LEEWAY_ALREADY_REVIEWED" });
  expect(await withToken(at, one, own.token)).toMatchObject({ ok: true, value: { state: "approved" } });
  const { approvalId: two } = await at.submit("refund", { n: 2 });
  expect(await withToken(at, two, bens.token)).toMatchObject({ ok: true, value: { state: "pending" } });
  expect((await at.approval(two)).reviews[0]).toMatchObject({ by: "ben", madeBy: "ana" });
  expect(await withToken(at, two, cleos.token)).toMatchObject({ ok: false, code: "LEEWAY_ALREADY_REVIEWED" });
  expect(await at.approve(two, "ana")).toMatchObject({ ok: false, code: "LEEWAY_ALREADY_REVIEWED" });
  expect(await at.approve(two, "cleo")).toMatchObject({ ok: true, value: { state: "approved" } });
});

test("an approval with a passphrase that an admin set counts as the admin's, also after it was changed with that passphrase", async () => {
  const at = await office(TWO);
  must(await setPassphrase(at.deps, "ben", { ...ANA, passphrase: "an admin's" }));
  must(await addPerson(at.deps, { ...ANA, name: "fay", passphrase: "an admin's" }));
  const { approvalId } = await at.submit("refund");
  must(await at.approve(approvalId, "ana"));
  const asBen = { assurance: "password" } as const;
  expect(inEnglish(await at.approve(approvalId, "ben", asBen))).toMatchObject({
    code: "LEEWAY_ALREADY_REVIEWED",
    reason: expect.stringContaining("ana made this passphrase of ben"),
  });
  must(await setPassphrase(at.deps, "ben", { ...BEN, passphrase: "one of his own" }));
  expect(await at.approve(approvalId, "ben", asBen)).toMatchObject({ code: "LEEWAY_ALREADY_REVIEWED" });
  const people = await at.rows("people");
  expect(people.map(({ name, passphraseBy }) => [name, passphraseBy])).toContainEqual(["fay", "ana"]);
  expect(people.map(({ name, passphraseBy }) => [name, passphraseBy])).toContainEqual(["ben", "ana"]);
});

test("a token or passphrase made in a sign-in through somebody else's link counts as theirs too", async () => {
  const { deps } = await office();
  const byLink = { by: "ben", assurance: "token", madeBy: "ana" } as const;
  const { signIn, text } = must(await startSignIn(deps, "ben", { assurance: "token", browser: "b", madeBy: "ana" }));
  expect(await signInOf(deps, text)).toMatchObject({ id: signIn.id, madeBy: "ana" });
  const { token } = must(await addToken(deps, { person: "ben", can: "approve" }, byLink));
  expect(makerOfToken(token)).toBe("ana");
  expect(await setPassphrase(deps, "ben", { ...byLink, passphrase: "long enough" })).toMatchObject({
    value: { passphraseBy: "ana" },
  });
  const key = { id: "key", publicKey: "pk", counter: 0, name: "phone", addedMs: 0 };
  expect(await addPasskey(deps, "ben", key, byLink)).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
});

test("a person is told about a new sign-in, token or passphrase that others made for them, but not about their own", async () => {
  const { deps } = await office();
  must(await addToken(deps, { person: "ben", can: "approve" }, ANA));
  must(await addToken(deps, { person: "ben", can: "read" }, BEN));
  must(await addToken(deps, { agent: "bot" }, ANA));
  must(await setPassphrase(deps, "ben", { ...ANA, passphrase: "an admin's" }));
  must(await setPassphrase(deps, "ben", { ...BEN, passphrase: "one of his own" }));
  must(await startSignIn(deps, "ben", PROOF));
  const told = await listNotices(deps, { to: "ben" });
  expect(inEnglish(told.map(({ kind, title }) => [kind, title])).sort()).toEqual([
    ["access", "ana made a token that can approve as ben"],
    ["access", "ana set the passphrase of ben"],
    ["access", "ben signed in"],
  ]);
  expect(await listNotices(deps, { to: "ana" })).toEqual([]);
});

test("a reviewer can be paused only by an admin with a fresh proof", async () => {
  const { deps } = await office();
  const dan = { scope: { of: "reviewer", name: "dan" }, because: "away" } as const;
  expect(await setPause(deps, { ...dan, ...BEN })).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect(await setPause(deps, { ...dan, ...ANA, stale: true })).toMatchObject({ code: "LEEWAY_STALE_SIGN_IN" });
  expect((await setPause(deps, { ...dan, ...ANA })).ok).toBe(true);
  expect((await setPause(deps, { scope: { of: "agent", name: "coder" }, because: "loops", by: "ben" })).ok).toBe(true);
});

test("if a program's statement is not enough proof, a program cannot pause a reviewer either", async () => {
  const { deps } = await office(POLICY.replace("assurance: any", "assurance: person"));
  const dan = { scope: { of: "reviewer", name: "dan" }, because: "away", by: "ana" } as const;
  expect(await setPause(deps, dan)).toMatchObject({ code: "LEEWAY_ASSURANCE" });
  expect((await setPause(deps, { ...dan, assurance: "tty" })).ok).toBe(true);
});

test("approvals of a paused reviewer do not count but their denials do, and they cannot lift pauses or add grants", async () => {
  const { deps, submit, approve, deny } = await office(TWO);
  must(await addPerson(deps, { ...ANA, name: "eve", admin: true }));
  const pause = must(await setPause(deps, { ...ANA, scope: { of: "reviewer", name: "ben" }, because: "away" }));
  const eves = must(await setPause(deps, { ...ANA, scope: { of: "reviewer", name: "eve" }, because: "away" }));
  const { approvalId } = await submit("refund");
  expect(await approve(approvalId, "ben")).toMatchObject({ code: "LEEWAY_NOT_A_REVIEWER" });
  expect(await deny(approvalId, "dan")).toMatchObject({ code: "LEEWAY_NOT_A_REVIEWER" });
  expect(await deny(approvalId, "ben", "no")).toMatchObject({ ok: true, value: { state: "denied", by: "ben" } });
  const eve = { by: "eve", assurance: "tty" } as const;
  for (const id of [pause.id, eves.id]) {
    expect(await liftPause(deps, id, eve)).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  }
  const covers = { tool: { name: "refund" }, targets: [], level: "admin" } as const;
  expect(await addGrant(deps, { ...eve, subject: {}, covers, because: "x" })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
  expect((await liftPause(deps, eves.id, ANA)).ok).toBe(true);
  expect((await liftPause(deps, pause.id, eve)).ok).toBe(true);
});

test("somebody is always left who can lift a pause: the last active admin can be neither paused nor removed", async () => {
  const { deps } = await office();
  const anas = { scope: { of: "reviewer", name: "ana" }, because: "away" } as const;
  expect(await setPause(deps, { ...anas, ...ANA })).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  must(await addPerson(deps, { ...ANA, name: "eve", admin: true }));
  must(await setPause(deps, { ...anas, by: "eve", assurance: "tty" }));
  const eve = { by: "eve", assurance: "tty" } as const;
  expect(await setPause(deps, { ...eve, scope: { of: "reviewer", name: "eve" }, because: "x" })).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
  expect(await removePerson(deps, "eve", ANA)).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect(await changePerson(deps, "eve", { ...ANA, admin: false })).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect((await removePerson(deps, "ana", eve)).ok).toBe(true);
});

test("a passkey belongs to one person: another person can neither register its id nor sign in with it", async () => {
  const { deps } = await office();
  const key = { id: "key", publicKey: "bens", counter: 0, name: "phone", addedMs: 0 };
  must(await addPasskey(deps, "ben", key, BEN));
  const ana = await addPasskey(deps, "ana", { ...key, publicKey: "anas" }, ANA);
  expect(ana).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
  expect(JSON.stringify(ana)).not.toContain("ben");
  expect(await personWithPasskey(deps, "key")).toMatchObject({
    person: { name: "ben" },
    passkey: { publicKey: "bens" },
  });
});

test("the hash of a passphrase is sealed with the key, and an unsealed hash is not accepted", async () => {
  const { deps, rows } = await office();
  const row = must(await setPassphrase(deps, "ben", { ...BEN, passphrase: "one of his own" }));
  expect(row.passphrase).toMatch(/^sealed:/);
  expect((await checkPassphrase(deps, "ben", "one of his own", { to: "look" })).ok).toBe(true);
  expect((await checkPassphrase(deps, "ben", "not his", { to: "look" })).ok).toBe(false);
  // Another person's sealed hash is not accepted under this name.
  const at = { workspace: deps.workspace, nowMs: deps.clock.nowMs() };
  const dan = (await rows("people")).find(({ name }) => name === "dan");
  if (dan === undefined || row.passphrase === undefined) throw new Error("nobody is there");
  const moved = [put("people", { ...dan, passphrase: row.passphrase }), { do: "turn" as const }];
  await deps.store.commit(changeOf(deps.mint, at, [{ writes: moved }]));
  expect((await checkPassphrase(deps, "dan", "one of his own", { to: "look" })).ok).toBe(false);
  const kept = [put("people", { ...dan, passphrase: await hashPassphrase("as it was") }), { do: "turn" as const }];
  await deps.store.commit(changeOf(deps.mint, at, [{ writes: kept }]));
  expect((await checkPassphrase(deps, "dan", "as it was", { to: "look" })).ok).toBe(false);
});

/** As the door does it: the token names its maker. */
function withToken(at: Office, id: string | undefined, token: Token) {
  if ("agent" in token.holder) throw new Error("an agent answers nothing");
  const madeBy = makerOfToken(token);
  return at.approve(id, token.holder.person, { assurance: "token", ...(madeBy === undefined ? {} : { madeBy }) });
}

function must<T>(done: { ok: true; value: T } | Refused): T {
  if (!done.ok) throw new Error(done.reason.say);
  return done.value;
}
