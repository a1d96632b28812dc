import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { linkAccount } from "../../src/gate/people/credentials.ts";
import { type LoopbackIssuer, loopbackIssuer } from "./issuer.ts";
import { type Served, served } from "./served.ts";

// Sign-in with an external account: the issuer's statement counts only if it is complete and signed with the issuer's key.

let on: Served;
let issuer: LoopbackIssuer;
beforeAll(async () => {
  issuer = await loopbackIssuer("leeway");
  on = await served({ issuer: { issuer: issuer.url, clientId: "leeway", clientSecret: "secret" } });
  const account = { issuer: issuer.url, subject: "4711" };
  await linkAccount(on.deps, "ana", account, { by: "ana", assurance: "tty" });
});
afterAll(async () => {
  await on.remove();
  await issuer.close();
});

/** From the button to the final response. */
async function tried(says: Partial<LoopbackIssuer["says"]>): Promise<{ status: number; signedIn: boolean }> {
  const { says: now } = issuer;
  for (const name of Object.keys(now)) delete now[name as keyof typeof now];
  Object.assign(now, { subject: "4711", audience: "leeway" }, says);
  const begun = await fetch(`${on.url}/sign-in/account`, { redirect: "manual" });
  const kept = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
  const away = await fetch(begun.headers.get("location") ?? "", { redirect: "manual" });
  const back = await fetch(away.headers.get("location") ?? "", { headers: { cookie: kept }, redirect: "manual" });
  const cookie = back.headers.get("set-cookie")?.split(";")[0] ?? "";
  const me = await on.ask("GET", "/v1/me", { cookie });
  return { status: back.status, signedIn: me.status === 200 };
}

test("an account that the issuer confirms signs in its person", async () => {
  expect(await tried({})).toEqual({ status: 303, signedIn: true });
});

const LIES: readonly [what: string, Partial<LoopbackIssuer["says"]>][] = [
  ["a key that is not the issuer's, under the same name", { signedBy: "foreign" }],
  ["no signature", { signedBy: "none" }],
  ["a signature with the issuer's public key as a shared secret", { signedBy: "shared" }],
  ["a signature with one changed bit", { signedBy: "broken" }],
  ["another audience", { audience: "somebody-else" }],
  ["another issuer", { issuer: "https://id.example" }],
  ["another nonce", { nonce: "of another sign-in" }],
  ["an expired token", { lastsSeconds: -120 }],
  ["a sign-in long ago", { authTimeMs: Date.now() - 3_600_000 }],
];

test.each(LIES)("%s does not sign in", async (_, says) => {
  expect(await tried(says)).toEqual({ status: 403, signedIn: false });
});

test("a new key of the issuer is fetched, and a withdrawn key is no longer accepted", async () => {
  expect(await tried({})).toEqual({ status: 303, signedIn: true });
  issuer.rotate();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 6 * 60_000 });
  try {
    expect(await tried({})).toEqual({ status: 303, signedIn: true });
    expect(await tried({ signedBy: "withdrawn" })).toEqual({ status: 403, signedIn: false });
  } finally {
    vi.useRealTimers();
  }
});
