import { expect, test } from "vitest";
import type { Refused } from "../../src/core/codes.ts";
import { inEnglish } from "../../src/core/messages/text.ts";
import { addPasskey, linkAccount, personWithAccount } from "../../src/gate/people/credentials.ts";
import { acceptInvitation, INVITATION_MS, invite } from "../../src/gate/people/invitations.ts";
import { addPerson, checkPassphrase, listPeople, removePerson, setPassphrase } from "../../src/gate/people/people.ts";
import { isFresh, signInOf, startSignIn } from "../../src/gate/people/sign-in.ts";
import { addToken, makerOfToken, tokenOf } from "../../src/gate/people/tokens.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import { type Office, office, POLICY } from "./kit.ts";

// If one person made the passphrase or token of another, they could use it too. So acts with it count as acts of its
// maker, for the quorum and for the maker's own requests.

const ANA = { by: "ana", assurance: "tty" } as const;
const TWO = `${POLICY.replace("approvals: {", "approvals: { quorum: 2,")}reviewers: [ana, ben, cleo]\n`;
const KEY = { id: "key", publicKey: "pk", counter: 0, name: "phone", addedMs: 0 };
const ACCOUNT = { issuer: "https://id.example", subject: "1" };
const asBen = (over: object = {}) => ({ by: "ben", assurance: "password", ...over }) as const;

/** Ways in which ana alone tries to act as a second person. Each ends with an answer in ben's name. */
const ALONE: readonly [how: string, (at: Office) => Promise<object>][] = [
  [
    "a passphrase that she set",
    async ({ deps }) => {
      must(await setPassphrase(deps, "ben", { ...ANA, passphrase: "an admin's" }));
      return { assurance: "password" };
    },
  ],
  [
    "a passphrase that she set and then changed in his name",
    async ({ deps }) => {
      must(await setPassphrase(deps, "ben", { ...ANA, passphrase: "an admin's" }));
      must(await setPassphrase(deps, "ben", { ...asBen(), passphrase: "as if his own" }));
      must(await setPassphrase(deps, "ben", { ...asBen({ assurance: "tty" }), passphrase: "once more" }));
      return { assurance: "tty" };
    },
  ],
  [
    "a token made in a sign-in with her passphrase",
    async ({ deps }) => {
      must(await setPassphrase(deps, "ben", { ...ANA, passphrase: "an admin's" }));
      const made = must(await addToken(deps, { person: "ben", can: "approve" }, asBen()));
      return { assurance: "token", madeBy: makerOfToken(made.token) };
    },
  ],
  [
    "her own account that she links to him",
    async ({ deps }) => {
      must(await linkAccount(deps, "ben", ACCOUNT, ANA));
      const found = await personWithAccount(deps, ACCOUNT);
      return { assurance: "oidc", madeBy: found?.by };
    },
  ],
];

test.each(ALONE)("an admin counts as one person in a quorum of two, also with %s", async (_, become) => {
  const at = await office(TWO);
  const { approvalId } = await at.submit("refund");
  must(await at.approve(approvalId, "ana"));
  expect(await at.approve(approvalId, "ben", await become(at))).toMatchObject({ code: "LEEWAY_ALREADY_REVIEWED" });
  expect(await at.approval(approvalId)).toMatchObject({ state: "pending" });
});

test.each(ALONE)("an admin cannot answer her own request, also with %s", async (_, become) => {
  const at = await office(`${POLICY}reviewers: [ana, ben]\n`);
  const { approvalId } = await at.submit("refund", {}, { requestedBy: "ana" });
  expect(await at.approve(approvalId, "ben", await become(at))).toMatchObject({ code: "LEEWAY_SELF_REVIEW" });
});

test("a person cannot add a passkey while signed in by means that somebody else made, because it would stay valid after those end", async () => {
  const { deps } = await office();
  must(await setPassphrase(deps, "ben", { ...ANA, passphrase: "an admin's" }));
  for (const acting of [asBen(), asBen({ assurance: "tty" }), asBen({ assurance: "oidc", madeBy: "ana" })]) {
    expect(inEnglish(await addPasskey(deps, "ben", KEY, acting))).toMatchObject({
      code: "LEEWAY_FORBIDDEN",
      reason: "ana made what you signed in with",
    });
  }
});

test("a person who signs in by their own means can replace what others made for them", async () => {
  const { deps } = await office();
  must(await addPasskey(deps, "ben", KEY, asBen({ assurance: "passkey" })));
  must(await setPassphrase(deps, "ben", { ...ANA, passphrase: "an admin's" }));
  must(await linkAccount(deps, "ben", ACCOUNT, ANA));
  must(await setPassphrase(deps, "ben", { ...asBen({ assurance: "passkey" }), passphrase: "his own now" }));
  must(await linkAccount(deps, "ben", ACCOUNT, asBen({ assurance: "passkey" })));
  const ben = (await listPeople(deps)).find(({ name }) => name === "ben");
  expect(ben).toMatchObject({ accounts: [ACCOUNT], passkeys: [KEY] });
  expect(ben?.passphraseBy).toBe(undefined);
  const other = { ...ACCOUNT, subject: "2" };
  expect(await linkAccount(deps, "ben", other, asBen({ assurance: "passkey" }))).toMatchObject({
    code: "LEEWAY_FORBIDDEN",
  });
});

test("an invited person chooses their own passphrase; the invitation works once, and ends what others made for them", async () => {
  const at = await office(TWO);
  const { deps } = at;
  must(await setPassphrase(deps, "ben", { ...ANA, passphrase: "an admin's" }));
  const { text: cookie } = must(await startSignIn(deps, "ben", { assurance: "password", browser: "b", madeBy: "ana" }));
  const token = must(await addToken(deps, { person: "ben", can: "approve" }, ANA));
  const { token: invitation, text } = must(await invite(deps, "ben", ANA));
  expect(invitation.untilMs).toBe(invitation.createdMs + INVITATION_MS);
  expect(await acceptInvitation(deps, invitation, "short")).toMatchObject({ code: "LEEWAY_BAD_INPUT" });
  must(await acceptInvitation(deps, invitation, "chosen by ben"));
  expect((await checkPassphrase(deps, "ben", "chosen by ben", { to: "look" })).ok).toBe(true);
  expect((await checkPassphrase(deps, "ben", "an admin's", { to: "look" })).ok).toBe(false);
  expect(await signInOf(deps, cookie)).toBe(undefined);
  expect(await tokenOf(deps, token.text)).toBe(undefined);
  expect(await tokenOf(deps, text)).toBe(undefined);
  expect(await acceptInvitation(deps, invitation, "chosen by eve")).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  const { approvalId } = await at.submit("refund");
  must(await at.approve(approvalId, "ana"));
  expect(await at.approve(approvalId, "ben", { assurance: "password" })).toMatchObject({
    value: { state: "approved" },
  });
  expect(await verifyLedger(deps)).toMatchObject({ ok: true });
});

test("a person who had their own means to sign in cannot be invited, even after an admin replaced those means", async () => {
  const { deps } = await office();
  const no = { code: "LEEWAY_FORBIDDEN", reason: "ben already has a way to sign in" };
  must(await setPassphrase(deps, "ben", { ...asBen(), passphrase: "his own one" }));
  expect(inEnglish(await invite(deps, "ben", ANA))).toMatchObject(no);
  must(await setPassphrase(deps, "ben", { ...ANA, passphrase: "an admin's" }));
  expect(inEnglish(await invite(deps, "ben", ANA))).toMatchObject(no);
  must(await removePerson(deps, "ben", ANA));
  must(await addPerson(deps, { name: "ben", ...ANA }));
  expect((await invite(deps, "ben", ANA)).ok).toBe(true);
});

test("an invitation ends with time, with a newer one, with the person, and when they have their own means to sign in", async () => {
  const { deps, clock } = await office();
  const first = must(await invite(deps, "ben", ANA));
  const second = must(await invite(deps, "ben", ANA));
  expect(await tokenOf(deps, first.text)).toBe(undefined);
  must(await setPassphrase(deps, "ben", { ...asBen(), passphrase: "his own one" }));
  expect(await acceptInvitation(deps, second.token, "chosen by eve")).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  const dans = must(await invite(deps, "dan", ANA));
  must(await removePerson(deps, "dan", ANA));
  must(await addPerson(deps, { name: "dan", ...ANA }));
  expect(await acceptInvitation(deps, dans.token, "chosen by eve")).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  const cleos = must(await invite(deps, "cleo", ANA));
  clock.advance(INVITATION_MS);
  expect(await acceptInvitation(deps, cleos.token, "chosen by eve")).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect(await invite(deps, "cleo", { by: "ben", assurance: "tty" })).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect(await invite(deps, "nobody", ANA)).toMatchObject({ code: "LEEWAY_NOT_FOUND" });
});

test("a sign-in by a link is never fresh, because the link may have been forwarded", async () => {
  const { deps, clock } = await office();
  const { signIn } = must(await startSignIn(deps, "ana", { assurance: "token", browser: "b" }));
  expect(isFresh(signIn, clock.nowMs())).toBe(false);
  const own = must(await startSignIn(deps, "ana", { assurance: "password", browser: "b" }));
  expect(isFresh(own.signIn, clock.nowMs())).toBe(true);
});

test("everybody who asks for the same call is its requester: none of them may answer it, and their earlier approval is removed", async () => {
  const at = await office(`${POLICY}reviewers: [ana, ben, cleo]\n`);
  const { approvalId } = await at.submit("refund", { n: 1 }, { requestedBy: "ana" });
  expect((await at.submit("refund", { n: 1 }, { requestedBy: "ben" })).approvalId).toBe(approvalId);
  expect(await at.approval(approvalId)).toMatchObject({ requestedBy: "ana", joinedBy: ["ben"] });
  for (const name of ["ana", "ben"])
    expect(await at.approve(approvalId, name)).toMatchObject({ code: "LEEWAY_SELF_REVIEW" });
  expect(await at.approve(approvalId, "cleo")).toMatchObject({ ok: true, value: { state: "approved" } });
  expect(await verifyLedger(at.deps)).toMatchObject({ ok: true });
  const two = await office(TWO);
  const asked = await two.submit("refund", { n: 2 }, { requestedBy: "ana", callId: "c1" });
  must(await two.approve(asked.approvalId, "ben"));
  await two.submit("refund", { n: 2 }, { requestedBy: "ben", callId: "c1" });
  expect(await two.approve(asked.approvalId, "cleo")).toMatchObject({ ok: true, value: { state: "pending" } });
  expect(await verifyLedger(two.deps)).toMatchObject({ ok: true });
});

test("a person who approved a call of somebody else cannot use that approval for their own request", async () => {
  const at = await office(`${POLICY}reviewers: [ana, ben]\n`);
  const { approvalId } = await at.submit("refund", { n: 1 }, { requestedBy: "ana" });
  must(await at.approve(approvalId, "ben"));
  const mine = await at.submit("refund", { n: 1 }, { requestedBy: "ben" });
  expect(mine.outcome).toBe("pending");
  expect(await at.approve(mine.approvalId, "ben")).toMatchObject({ code: "LEEWAY_SELF_REVIEW" });
  const other = await office(`${POLICY}reviewers: [ana, ben, cleo]\n`);
  const asked = await other.submit("refund", { n: 1 }, { requestedBy: "ana" });
  must(await other.approve(asked.approvalId, "ben"));
  const own = await other.submit("refund", { n: 1 }, { requestedBy: "ben" });
  expect(own).toMatchObject({ outcome: "pending", approvalId: asked.approvalId });
  must(await other.approve(asked.approvalId, "cleo"));
  expect(await other.submit("refund", { n: 1 }, { requestedBy: "ben" })).toMatchObject({ outcome: "run" });
});

function must<T>(done: { ok: true; value: T } | Refused): T {
  if (!done.ok) throw new Error(done.reason.say);
  return done.value;
}
