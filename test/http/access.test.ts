import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addPasskey, linkAccount } from "../../src/gate/people/credentials.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { addToken } from "../../src/gate/people/tokens.ts";
import { cookieOf } from "./cast.ts";
import { PASSPHRASE, POLICY, type Served, served, turnedClock } from "./served.ts";

// What lets people in, tested over HTTP: what ends it, and whose act it counts as.

const TWO = `${POLICY.replace("selfReview: true", "selfReview: true, quorum: 2")}reviewers: [ana, ben, dan]\n`;
const ANA = { by: "ana", assurance: "tty" } as const;
const clock = turnedClock();
let on: Served;
let coder: string;
let calls = 0;

beforeAll(async () => {
  on = await served({ policy: TWO, clock });
  coder = await on.token({ agent: "coder" });
});
afterAll(() => on.remove());

async function asked(): Promise<{ approvalId: string; digest: string }> {
  calls += 1;
  const body = { tool: "shell", args: { command: `git push origin b${calls}` }, callId: `c${calls}` };
  return (await on.ask("POST", "/v1/calls", { token: coder, body })).body;
}
const yes = async (to: { approvalId: string; digest: string }, as: { cookie?: string; token?: string }) => {
  const body = { verdict: "approve", digest: to.digest };
  const { body: said } = await on.ask("POST", `/v1/approvals/${to.approvalId}/reviews`, { ...as, body });
  return said.error?.code ?? said.state;
};
const isIn = async (as: { cookie?: string; token?: string }) => (await on.ask("GET", "/v1/me", as)).status === 200;

test("after a name is given to a new person, the cookies, tokens and links of the old one do not work", async () => {
  const ana = await cookieOf(on, "ana");
  await on.ask("POST", "/v1/people", { cookie: ana, body: { name: "dan", passphrase: PASSPHRASE } });
  const [cookie, token] = [await cookieOf(on, "dan"), await on.token({ person: "dan", can: "approve" })];
  const link = await addToken(on.deps, { person: "dan", can: "sign-in" }, ANA);
  if (!link.ok) throw new Error(link.reason.say);
  expect(await Promise.all([isIn({ cookie }), isIn({ token })])).toEqual([true, true]);
  expect((await on.ask("DELETE", "/v1/people/dan", { cookie: ana })).status).toBe(200);
  const again = { name: "dan", admin: true, passphrase: "somebody else's" };
  expect((await on.ask("POST", "/v1/people", { cookie: ana, body: again })).status).toBe(201);
  expect(await Promise.all([isIn({ cookie }), isIn({ token })])).toEqual([false, false]);
  const followed = await on.ask("POST", `/sign-in/link/${link.value.text}`, { headers: { origin: on.url } });
  expect([followed.status, followed.headers.get("set-cookie")]).toEqual([303, null]);
  expect(followed.headers.get("location")).toMatch(/^\/shown\//);
  await on.ask("DELETE", "/v1/people/dan", { cookie: ana });
});

test("a new passphrase ends the person's other sign-ins and says so, and the current browser stays signed in", async () => {
  const [here, there] = [await cookieOf(on, "ben"), await cookieOf(on, "ben")];
  const body = new URLSearchParams({ passphrase: PASSPHRASE, again: PASSPHRASE });
  const set = await fetch(`${on.url}/settings/passphrase`, {
    method: "POST",
    body,
    headers: { cookie: here, origin: on.url },
    redirect: "manual",
  });
  const page = await on.ask("GET", set.headers.get("location") ?? "", { cookie: here });
  expect(page.text).toContain("All other sign-ins of this person have ended.");
  expect([await isIn({ cookie: here }), await isIn({ cookie: there })]).toEqual([true, false]);
});

test("signing in again changes the cookie, and a copy of the old one is refused", async () => {
  const stolen = await cookieOf(on, "ana");
  clock.advance(6 * 60_000);
  expect((await on.ask("POST", "/v1/tokens", { cookie: stolen, body: { agent: "x" } })).status).toBe(403);
  const proved = await fetch(`${on.url}/sign-in`, {
    method: "POST",
    body: new URLSearchParams({ name: "ana", passphrase: PASSPHRASE }),
    headers: { origin: on.url, cookie: stolen },
    redirect: "manual",
  });
  const fresh = proved.headers.get("set-cookie")?.split(";")[0] ?? "";
  expect(fresh.split(".")[0]).toBe(stolen.split(".")[0]);
  expect((await on.ask("POST", "/v1/tokens", { cookie: stolen, body: { agent: "x" } })).status).toBe(401);
  expect((await on.ask("POST", "/v1/tokens", { cookie: fresh, body: { agent: "x" } })).status).toBe(201);
});

test("an admin cannot fill a quorum alone with a token or a passphrase that they made for another person, who is told", async () => {
  const ana = await cookieOf(on, "ana");
  const made = await on.ask("POST", "/v1/tokens", { cookie: ana, body: { person: "ben", can: "approve" } });
  const one = await asked();
  expect(await yes(one, { cookie: ana })).toBe("pending");
  expect(await yes(one, { token: made.body.text })).toBe("LEEWAY_ALREADY_REVIEWED");
  await on.ask("PUT", "/v1/people/ben/passphrase", { cookie: ana, body: { passphrase: PASSPHRASE } });
  const taken = await on.signIn("ben");
  expect(await yes(one, { cookie: taken })).toBe("LEEWAY_ALREADY_REVIEWED");
  const { notices } = (await on.ask("GET", "/v1/notices", { cookie: taken })).body;
  const titles = notices.map(({ title }: { title: string }) => title);
  expect(titles).toEqual(
    expect.arrayContaining([
      "ana made a token that can approve as ben",
      "ana set the passphrase of ben",
      "ben signed in",
    ]),
  );
  const own = await on.ask("PUT", "/v1/people/ben/passphrase", {
    cookie: taken,
    body: { passphrase: "ben's own one" },
  });
  expect(own.status).toBe(200);
  // Whoever knows the passphrase that ana made could have set this one: it counts as ana's too, until ben has his own means to sign in.
  expect(await yes(one, { cookie: taken })).toBe("LEEWAY_ALREADY_REVIEWED");
});

test("a reviewer can be paused only by an admin with a fresh sign-in, not with a token and not by a reviewer", async () => {
  const to = await asked();
  const pause = { of: "reviewer", name: "ben", because: "away" };
  const token = await on.token({ person: "ana", can: "approve" });
  const tried = await on.ask("POST", "/v1/pauses", { token, body: pause });
  expect([tried.status, tried.body.error.code]).toEqual([403, "LEEWAY_STALE_SIGN_IN"]);
  const bens = await on.ask("POST", "/v1/pauses", { cookie: await cookieOf(on, "ben"), body: pause });
  expect([bens.status, bens.body.error.code]).toEqual([403, "LEEWAY_FORBIDDEN"]);
  const set = await on.ask("POST", "/v1/pauses", { cookie: await cookieOf(on, "ana"), body: pause });
  expect(set.status).toBe(201);
  const no = { verdict: "deny", digest: to.digest, note: "no" };
  const denied = await on.ask("POST", `/v1/approvals/${to.approvalId}/reviews`, {
    cookie: await cookieOf(on, "ben"),
    body: no,
  });
  expect(denied.body).toMatchObject({ state: "denied", by: "ben" });
  await on.ask("DELETE", `/v1/pauses/${set.body.id}`, { cookie: await cookieOf(on, "ana") });
});

test("nobody can read the names of another person's passkeys and accounts", async () => {
  const added = await addPerson(on.deps, { name: "eve", ...ANA });
  if (!added.ok) throw new Error(added.reason.say);
  const key = { id: "eves-key", publicKey: "pk", counter: 0, name: "phone", addedMs: 0 };
  await addPasskey(on.deps, "eve", key, { by: "eve", assurance: "password" });
  await linkAccount(on.deps, "eve", { issuer: "https://id.example", subject: "eves-account" }, ANA);
  for (const name of ["ben", "ana", "cleo"]) {
    const { text } = await on.ask("GET", "/v1/people", { cookie: await cookieOf(on, name) });
    expect(text).toContain("eve");
    expect(text).not.toMatch(/eves-key|eves-account/);
  }
  const { text } = await on.ask("GET", "/v1/me", { cookie: await cookieOf(on, "eve") });
  expect(text).toContain("eves-key");
});

test("a policy is accepted only if the request contains the hash of the text that was shown", async () => {
  const cookie = await cookieOf(on, "ana");
  const path = join(on.project, "leeway.yaml");
  const put = async (more: object) => {
    const { status, body } = await on.ask("PUT", "/v1/policy", { cookie, body: { path, ...more } });
    return [status, body.error?.code];
  };
  const { layers } = (await on.ask("GET", "/v1/policy", { cookie })).body;
  expect(await put({})).toEqual([400, "LEEWAY_BAD_INPUT"]);
  expect(await put({ version: "sha256:other" })).toEqual([409, "LEEWAY_DIGEST_MISMATCH"]);
  expect(await put({ version: layers[0].version })).toEqual([200, undefined]);
});
