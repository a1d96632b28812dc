import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { linkBrowser, linkCode, linkContact, unlinkContact } from "../../src/gate/people/contacts.ts";
import { type Hook, hook } from "../channels/hook.ts";
import { until } from "../channels/suite.ts";
import { browserOf } from "./forms.ts";
import { type Served, served, turnedClock } from "./served.ts";

let on: Served;
let endpoint: Hook;
let admin: { cookie: string };
const clock = turnedClock();
const SECRET = "xoxb-1234567890-abcdefghijklmnopqrstuvwx";

beforeAll(async () => {
  endpoint = await hook();
  const channels = {
    slack: { botToken: "env:SLACK_BOT_TOKEN", signingSecret: "file:/nowhere/slack-signing", chat: "C042" },
    webhook: endpoint.settings,
  };
  on = await served({
    clock,
    env: endpoint.env,
    policy: `version: 1\npreset: standard\nchannels: ${JSON.stringify(channels)}\napprovals: { selfReview: true }\n`,
  });
  admin = { cookie: await on.signIn() };
});
afterAll(async () => {
  await on.remove();
  await endpoint.close();
});

const channelAt = async (kind: string) => {
  const { body } = await on.ask("GET", "/v1/channels", admin);
  return body.channels.find((one: { kind: string }) => one.kind === kind);
};
const tested = async (kind: string, body: object = {}, who: object = admin) => {
  const reply = await on.ask("POST", `/v1/channels/${kind}/test`, { ...who, body });
  return [reply.status, reply.body];
};

test("channels are listed with where their secrets should be and whether they are found, never with the secrets", async () => {
  const { text } = await on.ask("GET", "/v1/channels", admin);
  expect(await channelAt("slack")).toMatchObject({
    kind: "slack",
    secrets: [
      { key: "botToken", at: "env:SLACK_BOT_TOKEN", found: false },
      { key: "signingSecret", at: "file:/nowhere/slack-signing", found: false },
    ],
    waiting: 0,
  });
  expect((await channelAt("webhook")).secrets).toEqual([{ key: "secret", at: "env:WEBHOOK_SECRET", found: true }]);
  expect(text).not.toContain(endpoint.env["WEBHOOK_SECRET"]);
});

test("a test of a channel that works sends a message, and the list says that the last delivery worked", async () => {
  const before = endpoint.got.length;
  expect(await tested("webhook")).toEqual([200, { kind: "webhook", ok: true, told: "chat" }]);
  const titles = endpoint.got.slice(before).map(({ type, data }) => [type, data.title]);
  expect(titles).toEqual([
    ["leeway.test", undefined],
    ["leeway.access", "Test message from Leeway"],
  ]);
  expect((await channelAt("webhook")).last).toMatchObject({ ok: true });
});

test("a test says exactly what is wrong and what to do", async () => {
  expect(await tested("slack")).toEqual([
    200,
    {
      kind: "slack",
      ok: false,
      at: "secrets",
      why: "`botToken`: the variable SLACK_BOT_TOKEN is not set for the process that sends",
      remedy: "set the variable where the server is started, and start the server again",
    },
  ]);
  endpoint.answers(410);
  expect(await tested("webhook")).toEqual([
    200,
    {
      kind: "webhook",
      ok: false,
      at: "service",
      why: "the receiver wants no more messages (410)",
      remedy: "compare the settings with docs/channels.md, correct them in the policy, and test again",
    },
  ]);
  endpoint.answers(204);
  expect((await channelAt("webhook")).last).toMatchObject({
    ok: false,
    failure: "the receiver wants no more messages (410)",
  });
  expect((await tested("mail"))[0]).toBe(404);
  expect((await tested("email"))[0]).toBe(404);
});

test("settings that no policy has yet are tried after a fresh sign-in, and a typed secret is refused and not repeated", async () => {
  const token = { token: await on.token({ person: "ana", can: "approve" }) };
  expect((await tested("slack", { settings: { botToken: "env:SLACK_OTHER" } }, token))[0]).toBe(403);
  const reply = await on.ask("POST", "/v1/channels/slack/test", { ...admin, body: { settings: { botToken: SECRET } } });
  expect([reply.status, reply.body.error.message]).toEqual([
    400,
    "the value of `botToken` is not the name of a variable or a file; it is not repeated here, because it may be a secret",
  ]);
  expect(reply.text).not.toContain(SECRET);
  const chat = await on.ask("POST", "/v1/channels/slack/test", {
    ...admin,
    body: { settings: { botToken: "env:SLACK_BOT_TOKEN", chat: SECRET } },
  });
  expect([chat.status, chat.text.includes(SECRET)]).toEqual([400, false]);
  expect((await tested("slack", { settings: { botTokn: "env:X" } }))[0]).toBe(400);
  expect((await tested("email", { settings: { from: "a@b.c", smtp: "ftp://x" } }))[0]).toBe(400);
});

test("settings that nobody accepted cannot make the server send its secrets or reach its own network", async () => {
  const email = { from: "a@example.com", smtp: "smtps://mail.example.com", password: "env:LEEWAY_KEY" };
  expect((await tested("email", { settings: email }))[1]).toMatchObject({ ok: false, at: "secrets" });
  expect((await tested("email", { settings: { ...email, password: "file:/home/ana/.ssh/id_rsa" } }))[1]).toMatchObject({
    ok: false,
    at: "secrets",
  });
  expect((await tested("webhook", { settings: endpoint.settings }))[1]).toMatchObject({ ok: false, at: "settings" });
  const api = { botToken: "env:SLACK_BOT_TOKEN", api: "http://127.0.0.1:1" };
  expect((await tested("slack", { settings: api }))[1]).toMatchObject({ ok: false, at: "settings" });
});

/** A mail server that greets its client; `got` is what it received. */
async function mailServerSeen(): Promise<{ smtp: string; got: string[] }> {
  const got: string[] = [];
  const server = createServer((socket) => {
    socket.write("220 prod-mail-1 internal banner\r\n");
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      const line = bytes.toString().trim();
      got.push(line);
      if (line.startsWith("EHLO")) socket.write("250-prod-mail-1\r\n250 AUTH PLAIN\r\n");
      else socket.write("554 prod-mail-1 wants nothing\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { smtp: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

test("settings that nobody accepted send a secret only to the address that the accepted policy has", async () => {
  const [accepted, chosen] = [await mailServerSeen(), await mailServerSeen()];
  const settings = { from: "a@example.com", smtp: accepted.smtp, user: "leeway", password: "env:SMTP_PASSWORD" };
  const mailing = await served({
    env: { SMTP_PASSWORD: "the-real-password" },
    policy: `version: 1\npreset: standard\nchannels: ${JSON.stringify({ email: settings })}\n`,
  });
  onTestFinished(() => mailing.remove());
  const cookie = await mailing.signIn();
  const tried = async (kind: string, draft: object) =>
    (await mailing.ask("POST", `/v1/channels/${kind}/test`, { cookie, body: { settings: draft } })).body;
  expect(await tried("email", { ...settings, smtp: chosen.smtp })).toEqual({
    kind: "email",
    ok: false,
    at: "secrets",
    why: "`password` is sent to `smtp` only after the policy with this address is accepted, so these settings were not tried",
    remedy: "write the lines into the policy, accept it, then test the channel",
  });
  const hook = { url: "https://hook.example.com/", secret: "env:HOOK_SECRET" };
  expect(await tried("webhook", hook)).toMatchObject({
    ok: false,
    at: "secrets",
    why: expect.stringContaining("`url`"),
  });
  expect(chosen.got).toEqual([]);
  const same = await tried("email", { ...settings, from: "b@example.com" });
  expect(same).toMatchObject({ ok: false, at: "service", why: expect.stringContaining("check `user` and `password`") });
  expect(accepted.got.some((line) => line.startsWith("AUTH"))).toBe(true);
  expect(JSON.stringify(same)).not.toContain("prod-mail-1");
});

test("settings that nobody accepted cannot reach a mail server in the server's own network, or show its answers", async () => {
  const { smtp, got } = await mailServerSeen();
  for (const address of [smtp, smtp.replace("127.0.0.1", "localhost"), smtp.replace("127.0.0.1", "2130706433")]) {
    const reply = await on.ask("POST", "/v1/channels/email/test", {
      ...admin,
      body: { settings: { from: "a@example.com", smtp: address } },
    });
    expect(reply.body).toMatchObject({ ok: false, at: "service", why: expect.stringContaining("was not allowed") });
    expect(reply.text).not.toContain("prod-mail-1");
  }
  expect(got).toEqual([]);
});

test("a notice that was given up is listed with the reason, and is sent again when an admin says so", async () => {
  endpoint.answers(410);
  const token = await on.token({ agent: "coder" });
  await on.ask("POST", "/v1/calls", { token, body: { tool: "publish", args: {} } });
  const dead = async () => {
    const { body } = await on.ask("GET", "/v1/notices/dead", admin);
    return body.notices.find((one: { channel: string }) => one.channel === "webhook");
  };
  const notice = await until(dead, (found) => found !== undefined);
  expect(notice).toMatchObject({
    kind: "pending",
    to: "place:endpoint",
    title: "coder asks to use publish",
    why: "the receiver wants no more messages (410)",
    attempts: 1,
  });
  expect((await channelAt("webhook")).dead).toBe(1);
  endpoint.answers(204);
  const count = endpoint.got.length;
  const retried = await on.ask("POST", `/v1/notices/${notice.id}/retry`, { ...admin, body: {} });
  expect([retried.status, retried.body.state]).toEqual([200, "waiting"]);
  await until(
    () => endpoint.got.length,
    (found) => found > count,
  );
  expect(endpoint.got.at(-1)?.data.id).toBe(notice.id);
  const again = await on.ask("POST", `/v1/notices/${notice.id}/retry`, { ...admin, body: {} });
  expect([again.status, again.body.error.code]).toEqual([400, "LEEWAY_BAD_INPUT"]);
  expect((await channelAt("webhook")).dead).toBe(0);
  const { body } = await on.ask("GET", "/v1/ledger?kinds=notice.retried", admin);
  expect(body.entries).toMatchObject([{ actor: "person:ana", kind: "notice.retried" }]);
});

test("a person chooses channels, quiet hours and language, and a value that makes no sense is refused clearly", async () => {
  const put = async (body: object) => {
    const reply = await on.ask("PUT", "/v1/people/me/reach", { ...admin, body });
    return reply.status === 200 ? reply.body.reach : [reply.status, reply.body.error.message];
  };
  const chosen = { off: ["slack"], quiet: { from: "22:00", to: "07:30", zone: "Europe/Berlin" }, language: "zh" };
  expect(await put(chosen)).toEqual(chosen);
  expect((await on.ask("GET", "/v1/people/me/reach", admin)).body).toEqual({
    channels: [{ kind: "slack", linkedBy: "code", off: true }],
    contacts: [],
    reach: chosen,
  });
  const quiet = { from: "22:00", to: "07:00", zone: "UTC" };
  expect(await put({ quiet: { ...quiet, from: "25:00" } })).toEqual([400, "quiet/from: this is not a time of day"]);
  expect(await put({ quiet: { ...quiet, zone: "Mars/Olympus" } })).toEqual([
    400,
    "quiet/zone: this is not the name of a time zone",
  ]);
  expect(await put({ quiet: { ...quiet, to: "22:00" } })).toEqual([
    400,
    "quiet/to: the quiet hours begin and end at the same time",
  ]);
  expect(await put({ off: ["slak"] })).toEqual([400, "off/0: slak is not an allowed value"]);
  expect(await put({})).toEqual({});
});

test("an account is linked by a code from the settings page and removed again, and others do not see it", async () => {
  const made = await on.ask("POST", "/v1/people/me/contacts/slack/code", { ...admin, body: {} });
  expect(made.body).toMatchObject({ code: expect.stringMatching(/^[A-Z2-9]{8}$/), untilMs: expect.any(Number) });
  expect(made.body.send).toContain(`link ${made.body.code}`);
  const none = await on.ask("POST", "/v1/people/me/contacts/webhook/code", { ...admin, body: {} });
  expect([none.status, none.body.error.code]).toEqual([400, "LEEWAY_BAD_INPUT"]);
  const token = { token: await on.token({ person: "ana", can: "approve" }) };
  const stale = await on.ask("POST", "/v1/people/me/contacts/slack/code", { ...token, body: {} });
  expect(stale.body.error.code).toBe("LEEWAY_STALE_SIGN_IN");
  const contact = { channel: "slack", account: "U1", label: "Ana" } as const;
  await linkBrowser(on.deps, contact, { by: "ana", assurance: "password" });
  const mine = await on.ask("GET", "/v1/people/me/reach", admin);
  expect(mine.body.contacts).toEqual([{ ...contact, linkedMs: expect.any(Number) }]);
  expect((await on.ask("GET", "/v1/people", { cookie: await on.signIn("ben") })).text).not.toContain("U1");
  const body = { channel: "slack", account: "U1" };
  expect((await on.ask("DELETE", "/v1/people/me/contacts", { ...admin, body })).body.contacts).toEqual([]);
});

test("every link and every unlink of an account ends all codes that were shown before it", async () => {
  const acting = { by: "ana", assurance: "password" } as const;
  const codeOf = async () => {
    const made = await linkCode(on.deps, "slack", acting);
    if (!made.ok) throw new Error(made.reason.say);
    return made.value;
  };
  const linked = async (code: string) => (await linkContact(on.deps, "slack", { account: "U9", label: "X", code })).ok;
  const unlink = () => unlinkContact(on.deps, "ana", { channel: "slack", account: "U9" }, acting);
  const first = await codeOf();
  expect(await linked(first)).toBe(true);
  const second = await codeOf();
  await unlink();
  expect([await linked(first), await linked(second)]).toEqual([false, false]);
  expect(await linked(await codeOf())).toBe(true);
  await unlink();
  const other = await codeOf();
  await linkBrowser(on.deps, { channel: "email", account: "ana@example.com", label: "ana" }, acting);
  expect(await linked(other)).toBe(false);
  await unlinkContact(on.deps, "ana", { channel: "email", account: "ana@example.com" }, acting);
  expect((await on.ask("GET", "/v1/people/me", admin)).text).not.toContain("contactsMs");
  expect((await on.ask("GET", "/v1/people", admin)).text).not.toContain("contactsMs");
});

test("the page refuses a typed secret without showing it again, and keeps the rest of the form", async () => {
  const ana = await browserOf(on, "ana");
  const typed = { botToken: SECRET, chat: "C777", signingSecret: "env:SLACK_SIGNING" };
  const { html, status } = await ana.press("/channels/slack/set-up", typed, "/channels");
  expect([
    status,
    html.includes(SECRET),
    html.includes('value="C777"'),
    html.includes('value="env:SLACK_SIGNING"'),
  ]).toEqual([400, false, true, true]);
});

test("the page makes the lines for the policy file, and says why the settings do not work yet", async () => {
  const ana = await browserOf(on, "ana");
  const { html } = await ana.press("/channels/slack/set-up", { botToken: "env:SLACK_BOT_TOKEN", chat: "C1" });
  expect(html).toContain("channels:\n  slack:\n    botToken: env:SLACK_BOT_TOKEN\n    chat: C1\n");
  expect(html).toContain("the variable SLACK_BOT_TOKEN is not set");
});

test("without JavaScript a person saves where they want to get notices, and sees what was refused", async () => {
  const ana = await browserOf(on, "ana");
  const saved = await ana.press("/settings/reach", {
    on: ["slack"],
    from: "22:00",
    to: "06:00",
    zone: "Asia/Shanghai",
  });
  expect(saved.location).toBe("/settings?told=reachSaved");
  expect((await on.ask("GET", "/v1/people/me/reach", admin)).body.reach).toEqual({
    quiet: { from: "22:00", to: "06:00", zone: "Asia/Shanghai" },
  });
  await ana.press("/settings/reach", { from: "", to: "", zone: "Asia/Shanghai", language: "en" });
  expect((await on.ask("GET", "/v1/people/me/reach", admin)).body.reach).toEqual({ off: ["slack"], language: "en" });
  const wrong = await ana.press("/settings/reach", { on: ["slack"], from: "22:00", to: "", zone: "x" }, "/settings");
  expect([wrong.status, wrong.html.includes("LEEWAY_BAD_INPUT")]).toEqual([400, true]);
});
