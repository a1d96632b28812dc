import { expect, test } from "vitest";
import { changeOf, put } from "../../src/core/change.ts";
import type { Refused } from "../../src/core/codes.ts";
import type { SignIn, Token } from "../../src/core/people.ts";
import { addPasskey, linkAccount, personWithAccount, personWithPasskey } from "../../src/gate/people/credentials.ts";
import { addPerson, checkPassphrase, removePerson } from "../../src/gate/people/people.ts";
import { listSignIns, signInOf, startSignIn } from "../../src/gate/people/sign-in.ts";
import { addToken, listTokens, tokenOf, useUp } from "../../src/gate/people/tokens.ts";
import { listEntries, verifyLedger } from "../../src/gate/record/ledger.ts";
import { setOwner } from "../../src/gate/standing/agents.ts";
import { addGrant, listGrants } from "../../src/gate/standing/grants.ts";
import { liftPause, setPause } from "../../src/gate/standing/pause.ts";
import { MINUTE_MS, type Office, office, POLICY } from "./kit.ts";

// A removed person loses everything that acted for them. A person who is added under the same name is somebody else.

const ANA = { by: "ana", assurance: "tty" } as const;
const BEN = { by: "ben", assurance: "tty" } as const;
const KEY = { id: "key", publicKey: "pk", counter: 0, name: "phone", addedMs: 0 };
const ACCOUNT = { issuer: "https://id.example", subject: "1" };
const REFUNDS = { tool: { name: "refund" }, targets: [], level: "admin" } as const;
const PROOF = { assurance: "password", browser: "b" } as const;

test("a removed person has no sign-in, token, link, passkey, account or passphrase, and the record says so", async () => {
  const { deps } = await office();
  const { text } = must(await startSignIn(deps, "ben", PROOF));
  const token = must(await addToken(deps, { person: "ben", can: "approve" }, ANA));
  const link = must(await addToken(deps, { person: "ben", can: "sign-in" }, ANA));
  must(await addPasskey(deps, "ben", KEY, BEN));
  must(await linkAccount(deps, "ben", ACCOUNT, ANA));
  must(await removePerson(deps, "ben", ANA));
  expect(await signInOf(deps, text)).toBe(undefined);
  expect(await listSignIns(deps, "ben")).toEqual([]);
  expect((await listTokens(deps)).map(({ state }) => state)).toEqual(["revoked", "revoked"]);
  expect(await tokenOf(deps, token.text)).toBe(undefined);
  expect(await tokenOf(deps, link.text)).toBe(undefined);
  expect(await personWithPasskey(deps, "key")).toBe(undefined);
  expect(await personWithAccount(deps, ACCOUNT)).toBe(undefined);
  const entries = await listEntries(deps, {}, { limit: 4, order: "newest" });
  expect(entries.map(({ kind, actor }) => `${kind} ${actor}`).sort()).toEqual([
    "person.removed person:ana",
    "signin.ended person:ana",
    "token.revoked person:ana",
    "token.revoked person:ana",
  ]);
  expect(await verifyLedger(deps)).toMatchObject({ ok: true });
});

test("a new person with the same name gets nothing of the removed one: no sign-in, token, link or proof", async () => {
  const { deps, clock } = await office();
  const { text, signIn } = must(await startSignIn(deps, "ben", PROOF));
  const token = must(await addToken(deps, { person: "ben", can: "approve" }, ANA));
  const link = must(await addToken(deps, { person: "ben", can: "sign-in" }, ANA));
  must(await addPasskey(deps, "ben", KEY, BEN));
  must(await removePerson(deps, "ben", ANA));
  // As an older version left them behind.
  for (const row of [token.token, link.token]) await revived(deps, "tokens", row);
  await revived(deps, "signins", signIn);
  must(await addPerson(deps, { name: "ben", admin: true, passphrase: "another one", ...ANA }));
  expect(await signInOf(deps, text)).toBe(undefined);
  expect(await tokenOf(deps, token.text)).toBe(undefined);
  expect(await tokenOf(deps, link.text)).toBe(undefined);
  expect((await useUp(deps, link.token)).ok).toBe(false);
  expect(await listSignIns(deps, "ben")).toEqual([]);
  expect(await personWithPasskey(deps, "key")).toBe(undefined);
  clock.advance(1);
  const own = must(await startSignIn(deps, "ben", PROOF));
  expect(await signInOf(deps, own.text)).toMatchObject({ person: "ben" });
  expect((await checkPassphrase(deps, "ben", "another one", { to: "look" })).ok).toBe(true);
});

test("an approval of a removed person does not count, even if a new person has the same name, who may give their own", async () => {
  const { deps, clock, submit, approve, approval } = await office(
    `${POLICY.replace("approvals: {", "approvals: { quorum: 2,")}reviewers: [ana, ben, cleo]\n`,
  );
  const { approvalId } = await submit("refund");
  must(await approve(approvalId, "ben"));
  must(await removePerson(deps, "ben", ANA));
  must(await addPerson(deps, { name: "ben", ...ANA }));
  clock.advance(MINUTE_MS);
  expect(await approve(approvalId, "ana")).toMatchObject({ ok: true, value: { state: "pending" } });
  const decided = must(await approve(approvalId, "ben"));
  expect(decided.state).toBe("approved");
  expect((await approval(approvalId)).reviews.map(({ by }) => by)).toEqual(["ben", "ana", "ben"]);
});

test("the record names exactly the people whose approvals counted", async () => {
  const policy = `${POLICY.replace("approvals: {", "approvals: { quorum: 2,")}reviewers: [ana, ben, cleo]\n`;
  const { deps, submit, approve, approval, execution } = await office(policy);
  const { approvalId } = await submit("refund");
  must(await approve(approvalId, "ben"));
  must(await removePerson(deps, "ben", ANA));
  must(await approve(approvalId, "ana"));
  must(await approve(approvalId, "cleo"));
  const decided = await approval(approvalId);
  expect(await execution(decided.state === "approved" ? decided.executionId : "")).toMatchObject({
    approvers: ["ana", "cleo"],
  });
});

test("when a person is removed, their grants are revoked, and no others", async () => {
  const { deps, submit } = await office();
  must(await addPerson(deps, { name: "eve", admin: true, ...ANA }));
  const eves = must(
    await addGrant(deps, { by: "eve", assurance: "tty", subject: {}, covers: REFUNDS, because: "trusted" }),
  );
  const anas = must(await addGrant(deps, { ...ANA, subject: { agent: "other" }, covers: REFUNDS, because: "trusted" }));
  expect((await submit("refund")).outcome).toBe("run");
  must(await removePerson(deps, "eve", ANA));
  expect((await submit("refund", { again: true })).outcome).toBe("pending");
  const states = (await listGrants(deps)).map(({ grant }) => [grant.id, grant.state]);
  expect(states.sort()).toEqual(
    [
      [eves.id, "revoked"],
      [anas.id, "live"],
    ].sort(),
  );
});

test("a new person with the name of a removed one gets neither their agents nor their pauses", async () => {
  const { deps, clock, submit, approve } = await office();
  await submit("lookup");
  must(await setOwner(deps, { agent: "coder", owner: "ben", ...ANA }));
  const pause = must(await setPause(deps, { scope: { of: "tool", name: "ship" }, because: "broken", by: "ben" }));
  must(await removePerson(deps, "ben", ANA));
  clock.advance(MINUTE_MS);
  must(await addPerson(deps, { name: "ben", ...ANA }));
  clock.advance(MINUTE_MS);
  expect(await liftPause(deps, pause.id, BEN)).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  must(await setOwner(deps, { agent: "coder", owner: "ben", ...ANA }));
  const { approvalId } = await submit("refund");
  expect((await approve(approvalId, "ben")).ok).toBe(true);
});

async function revived(deps: Office["deps"], table: "tokens" | "signins", row: Token | SignIn): Promise<void> {
  const at = { workspace: deps.workspace, nowMs: deps.clock.nowMs() };
  const writes = [put(table, row as never), { do: "turn" as const }];
  expect((await deps.store.commit(changeOf(deps.mint, at, [{ writes }]))).ok).toBe(true);
}

function must<T>(done: { ok: true; value: T } | Refused): T {
  if (!done.ok) throw new Error(done.reason.say);
  return done.value;
}
