import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieOf } from "./cast.ts";
import { softDevice } from "./device.ts";
import { type Served, served } from "./served.ts";

// A passkey device signs for the page that asked it. The server must know which pages are its own.

let on: Served;
let url: string;
const device = softDevice("localhost");
const ELSEWHERE = "http://localhost:3000";

beforeAll(async () => {
  on = await served();
  url = `http://localhost:${on.port}`;
  const cookie = await cookieOf(on, "ana");
  const asked = await sent("/v1/passkeys/options", {}, { cookie, origin: url });
  const response = device.made(asked.body.options.challenge, url);
  const added = await sent(
    "/v1/passkeys",
    { state: asked.body.state, response, name: "a key" },
    { cookie, origin: url },
  );
  if (added.status !== 201) throw new Error(JSON.stringify(added));
});
afterAll(() => on.remove());

async function sent(path: string, body: unknown, headers: Record<string, string>) {
  const answer = await fetch(url + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  const told = (await answer.json()) as any;
  return { status: answer.status, body: told, cookie: answer.headers.get("set-cookie") };
}

/** The response that the device signed for a page of `from`, sent here with these headers. */
async function signedIn(from: string, headers: Record<string, string>) {
  const { body } = await sent("/v1/sign-in/passkey/options", {}, { origin: url });
  const response = device.signed(body.options.challenge, from);
  const { status, body: told, cookie } = await sent("/v1/sign-in/passkey", { state: body.state, response }, headers);
  return [status, told.error?.code, cookie === null];
}

const AGENTS = "the token of an agent";
const bearer = async (token: string) => `Bearer ${token === AGENTS ? await on.token({ agent: "coder" }) : token}`;

test("a passkey response for a page of this server signs in", async () => {
  expect(await signedIn(url, { origin: url })).toEqual([200, undefined, false]);
});

test("a passkey response for a page of another server on this machine signs nobody in", async () => {
  expect(await signedIn(ELSEWHERE, { origin: url })).toEqual([403, "LEEWAY_FORBIDDEN", true]);
  expect(await signedIn(ELSEWHERE, { origin: ELSEWHERE })).toEqual([403, "LEEWAY_CROSS_SITE", true]);
});

test.each(["x", AGENTS])(
  "a passkey response for another page signs nobody in, even together with the token %j",
  async (token) => {
    const authorization = await bearer(token);
    const refused = [403, "LEEWAY_CROSS_SITE", true];
    expect(await signedIn(ELSEWHERE, { origin: ELSEWHERE, authorization })).toEqual(refused);
    expect(await signedIn("", { authorization })).toEqual(refused);
  },
);

test("a request that does not name its page gets no options and signs nobody in", async () => {
  expect(await signedIn("", {})).toEqual([403, "LEEWAY_CROSS_SITE", true]);
  expect((await sent("/v1/sign-in/passkey/options", {}, {})).status).toBe(403);
});

test("a passkey response for a page under another host name of this server is refused", async () => {
  expect(await signedIn(on.url, { origin: on.url })).toEqual([403, "LEEWAY_CROSS_SITE", true]);
});
