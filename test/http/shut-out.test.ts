import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { revokeToken } from "../../src/gate/people/tokens.ts";
import { cookieOf } from "./cast.ts";
import { type LoopbackIssuer, loopbackIssuer } from "./issuer.ts";
import { type Asking, type Served, served, type TurnedClock, turnedClock } from "./served.ts";

// A person who may no longer listen gets no further events; an unknown account is told what to do, and nothing else.

let on: Served;
let clock: TurnedClock;
let issuer: LoopbackIssuer;
beforeAll(async () => {
  issuer = await loopbackIssuer("leeway");
  clock = turnedClock();
  on = await served({ clock, issuer: { issuer: issuer.url, clientId: "leeway", clientSecret: "secret" } });
});
afterAll(async () => {
  await on.remove();
  await issuer.close();
});

/** Everything that is received until the stream ends. */
async function heard(headers: Record<string, string>): Promise<{ text(): string; over: Promise<void> }> {
  const answer = await fetch(`${on.url}/v1/events`, { headers });
  expect(answer.status).toBe(200);
  let text = "";
  const read = async () => {
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  };
  return { text: () => text, over: read() };
}

const admin = async (): Promise<Asking> => ({ cookie: await cookieOf(on, "ana") });

test("a stream ends when its listener is removed, without an event about it", async () => {
  await on.ask("POST", "/v1/people", { ...(await admin()), body: { name: "dan" } });
  const dan = await heard({ cookie: await cookieOf(on, "dan") });
  const ben = await heard({ cookie: await cookieOf(on, "ben") });
  expect((await on.ask("DELETE", "/v1/people/dan", await admin())).status).toBe(200);
  await dan.over;
  expect(dan.text()).not.toContain("person.removed");
  await expect.poll(ben.text).toContain("event: person.removed");
  await on.ask("POST", "/sign-out", await admin());
});

test("a stream ends when its listener signs out, when their token is revoked, and when their sign-in expires", async () => {
  const cookie = await cookieOf(on, "ben");
  const out = await heard({ cookie });
  await on.ask("POST", "/sign-out", { cookie });
  await out.over;
  const token = await on.token({ person: "ana", can: "read" });
  const revoked = await heard({ authorization: `Bearer ${token}` });
  await revokeToken(on.deps, `tok_${token.split("_")[1]}`, { by: "ana" });
  await revoked.over;
  const long = await heard({ cookie: await cookieOf(on, "ben") });
  clock.advance(13 * 3_600_000);
  await long.over;
});

/** To the issuer and back: what the page says for an account that is not linked. */
async function strange(): Promise<{ status: number; text: string; cookie: string }> {
  const begun = await fetch(`${on.url}/sign-in/account`, { redirect: "manual" });
  const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
  const there = await fetch(begun.headers.get("location") ?? "", { redirect: "manual" });
  const back = await fetch(there.headers.get("location") ?? "", { headers: { cookie }, redirect: "manual" });
  return { status: back.status, text: await back.text(), cookie };
}

const NAMED: Record<string, string> = { quot: '"', lt: "<", gt: ">", amp: "&" };
const unescaped = (html: string) =>
  html.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code, name) => NAMED[name] ?? String.fromCharCode(Number(code)));

test.each(["4711", "x'; touch pwned; echo '", "$(touch pwned)", 'a\\b `id` "c" & d'])(
  "the command that links an unknown account quotes it as one word for a shell: %j",
  async (subject) => {
    issuer.says.subject = subject;
    const { status, text } = await strange();
    const [, command = ""] = /<code>(leeway people link[^<]*)<\/code>/.exec(text) ?? [];
    const words = execFileSync("sh", ["-c", `leeway() { printf '%s\\n' "$@"; }; ${unescaped(command)}`], {
      encoding: "utf8",
    });
    expect([status, words.trimEnd().split("\n")]).toEqual([
      403,
      ["people", "link", "NAME", "--issuer", issuer.url, "--subject", subject],
    ]);
  },
);

test("the state of a sign-in with an external account is kept for this server only, not for another on the same machine", async () => {
  expect((await strange()).cookie).toMatch(new RegExp(`^leeway-${on.port}-account=`));
});
