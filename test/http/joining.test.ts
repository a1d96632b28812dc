import { afterAll, beforeAll, expect, test } from "vitest";
import { checkPassphrase } from "../../src/gate/people/people.ts";
import { addToken } from "../../src/gate/people/tokens.ts";
import { type Served, served } from "./served.ts";

// How new people get access: by an invitation, and by the link that `leeway up` prints.

let on: Served;
beforeAll(async () => {
  on = await served();
});
afterAll(() => on.remove());

async function posted(path: string, fields: Record<string, string>, cookie = "") {
  const body = new URLSearchParams(fields);
  const headers = { origin: on.url, ...(cookie === "" ? {} : { cookie }) };
  const answer = await fetch(on.url + path, { method: "POST", body, headers, redirect: "manual" });
  const { status, headers: came } = answer;
  const cookieSet = came.get("set-cookie")?.split(";")[0];
  return { status, text: await answer.text(), cookie: cookieSet, location: came.get("location") ?? "/" };
}

test("an admin adds a person without a passphrase and gets a link; whoever opens it chooses a passphrase once and is signed in", async () => {
  const ana = await on.signIn();
  const added = await posted("/people", { name: "dora", role: "reviewer" }, ana);
  const shown = await on.ask("GET", added.location, { cookie: ana });
  const [, path = ""] = /(\/join\/lwy_[0-9a-z_]+)/.exec(shown.text) ?? [];
  const opened = await on.ask("GET", path);
  expect([opened.status, opened.text.includes("Welcome, dora")]).toEqual([200, true]);
  await posted(path, { passphrase: "short" });
  expect((await on.ask("GET", path)).status).toBe(200);
  const joined = await posted(path, { passphrase: "chosen by dora" });
  expect(joined.status).toBe(303);
  const me = await on.ask("GET", "/v1/me", { cookie: joined.cookie ?? "" });
  expect(me.body).toMatchObject({ name: "dora" });
  expect(me.body.passphraseBy).toBe(undefined);
  await posted(path, { passphrase: "chosen by eve" });
  expect(await checkPassphrase(on.deps, "dora", "chosen by dora", { to: "look" })).toMatchObject({ ok: true });
  const dead = await on.ask("GET", path);
  expect([dead.status, dead.text.includes("already used, or is too old")]).toEqual([403, true]);
});

test("through the API an admin can make an invitation, but not for a person who can already sign in", async () => {
  const cookie = await on.signIn();
  await on.ask("POST", "/v1/people", { cookie, body: { name: "emil" } });
  const made = await on.ask("POST", "/v1/people/emil/invitation", { cookie, body: {} });
  expect(made.body).toMatchObject({ name: "emil", link: expect.stringMatching(/\/join\/lwy_/) });
  expect((await on.ask("POST", "/v1/people/ana/invitation", { cookie, body: {} })).body).toMatchObject({
    error: { code: "LEEWAY_FORBIDDEN" },
  });
  const reply = await on.ask("GET", "/v1/me", { token: made.body.link.split("/").at(-1) });
  expect(reply.status).toBe(401);
});

test("signing in by a link is not a fresh proof: it cannot add people or set a passphrase until the passphrase is given", async () => {
  const holder = { person: "ana", can: "sign-in" } as const;
  const made = await addToken(on.deps, holder, { by: "ana", assurance: "tty", forMs: 60_000 });
  if (!made.ok) throw new Error(made.reason.say);
  const { cookie = "" } = await posted(`/sign-in/link/${made.value.text}`, {});
  expect((await on.ask("GET", "/v1/me", { cookie })).body).toMatchObject({ name: "ana" });
  const stale = { error: { code: "LEEWAY_STALE_SIGN_IN" } };
  const body = { name: "mallory", admin: true, passphrase: "long enough" };
  expect((await on.ask("POST", "/v1/people", { cookie, body })).body).toMatchObject(stale);
  const passphrase = { passphrase: "long enough" };
  expect((await on.ask("PUT", "/v1/people/ana/passphrase", { cookie, body: passphrase })).body).toMatchObject(stale);
  expect((await on.ask("POST", "/v1/passkeys/options", { cookie, body: {} })).body).toMatchObject(stale);
  const proved = await posted("/sign-in", { name: "ana", passphrase: "correct horse" }, cookie);
  const fresh = { cookie: proved.cookie ?? "", body: { name: "fay" } };
  expect((await on.ask("POST", "/v1/people", fresh)).status).toBe(201);
});
