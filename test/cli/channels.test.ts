import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Hook, hook } from "../channels/hook.ts";
import { asAna, ended, setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";
import { screen } from "./screen.ts";
import { endAll, type Up, up } from "./servers.ts";

const on = machine();
let endpoint: Hook;
let server: Up;
/** The same gate through its server, with a token of ana. */
let away: Machine;

beforeAll(async () => {
  endpoint = await hook();
  Object.assign(on.env, endpoint.env);
  const channels = { webhook: endpoint.settings, slack: { botToken: "env:SLACK_BOT_TOKEN" } };
  await setUpAna(on, `version: 1\ntier: ask\nchannels: ${JSON.stringify(channels)}\n`);
  const passphrase = ["--password-file", join(on.home, "passphrase.txt")];
  const token = await leeway(on, [
    "tokens",
    "add",
    "--person",
    "ana",
    "--can",
    "approve",
    "--as",
    "ana",
    ...passphrase,
  ]);
  server = await up(on);
  away = { ...on, env: { ...on.env, LEEWAY_URL: server.url, LEEWAY_TOKEN: token.stdout.trim() } };
}, 180_000);
afterAll(async () => {
  await server.stop();
  endAll();
  await endpoint.close();
  on.remove();
});

test("the list says whether secrets are found, on this machine and on its server", async () => {
  for (const where of [on, away]) {
    const { code, stdout } = await leeway(where, ["channels", "list", "--json"]);
    const found = JSON.parse(stdout).map(({ kind, secrets }: { kind: string; secrets: unknown }) => [kind, secrets]);
    expect([code, found]).toEqual([
      0,
      [
        ["slack", [{ key: "botToken", at: "env:SLACK_BOT_TOKEN", found: false }]],
        ["webhook", [{ key: "secret", at: "env:WEBHOOK_SECRET", found: true }]],
      ],
    ]);
  }
  expect((await leeway(on, ["channels", "list"])).stdout).toContain("botToken (env:SLACK_BOT_TOKEN) not found");
});

test("a test sends a message or says what is wrong, and its exit code differs", async () => {
  const before = endpoint.got.length;
  const here = await asAna(on, ["channels", "test", "webhook"]);
  expect([here.code, here.text]).toEqual([0, expect.stringContaining("webhook: it works; a test message was sent")]);
  const there = await leeway(away, ["channels", "test", "webhook", "--json"]);
  expect([there.code, JSON.parse(there.stdout)]).toEqual([0, { kind: "webhook", ok: true, told: "chat" }]);
  expect(endpoint.got.length).toBe(before + 4);
  const failed = await leeway(away, ["channels", "test", "slack"]);
  expect([failed.code, failed.stdout]).toEqual([
    1,
    expect.stringContaining("slack: failed (secrets): `botToken`: the variable SLACK_BOT_TOKEN is not set"),
  ]);
  const unknown = await leeway(on, ["channels", "test", "slak"]);
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    "leeway: unknown kind of channel `slak`\n  hint: did you mean `slack`?\n",
  ]);
});

test("add writes a channel into the user's policy file from its options, and remove removes it again", async () => {
  const file = join(on.home, "config", "leeway", "leeway.yaml");
  const args = ["channels", "add", "email", "--from", "leeway@example.com", "--smtp", "smtps://mail.example.com"];
  const asked = await leeway(on, args);
  expect([asked.code, asked.stderr.includes("must confirm the change")]).toEqual([5, true]);
  const added = await leeway(on, [...args, "--password", "env:SMTP_PASSWORD", "--yes", "--json"]);
  expect([added.code, JSON.parse(added.stdout)]).toEqual([
    0,
    { file, kind: "email", added: true, next: ["leeway policy accept", "leeway channels test email"] },
  ]);
  expect(added.stderr).toContain("+ channels:\n+   email:\n");
  expect(readFileSync(file, "utf8")).toBe(
    "version: 1\nchannels:\n  email:\n    from: leeway@example.com\n    smtp: smtps://mail.example.com\n    password: env:SMTP_PASSWORD\n",
  );
  expect((await leeway(on, [...args, "--yes"])).code).toBe(1);
  expect((await leeway(on, ["channels", "remove", "email", "--yes"])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("version: 1\n");
});

test("a secret given instead of its place is refused, not repeated, and not written", async () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const file = join(on.project, "other.yaml");
  writeFileSync(file, "version: 1\n");
  const args = ["channels", "add", "webhook", "--url", "https://example.com", "--secret", secret, "--file", file];
  const ran = await leeway(on, [...args, "--yes"]);
  expect([ran.code, `${ran.stdout}${ran.stderr}`.includes(secret), readFileSync(file, "utf8")]).toEqual([
    2,
    false,
    "version: 1\n",
  ]);
  const missing = await leeway(on, ["channels", "add", "webhook", "--url", "https://example.com", "--yes"]);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    "leeway: --secret is missing\n  hint: write, for example, --secret env:WEBHOOK_SECRET\n",
  ]);
});

test("at a terminal, add asks for every key and for the place of each secret, and keeps the comments of the file", async () => {
  mkdirSync(join(on.project, "sub"), { recursive: true });
  const file = join(on.project, "sub", "asked.yaml");
  writeFileSync(file, "# ours\nversion: 1 # the only one\n");
  const shown = screen(on, ["channels", "add", "slack", "--file", file], { columns: 120 });
  await shown.shows("botToken: Bot token");
  shown.type("hunter2\r");
  await shown.shows("this is not env:NAME or file:PATH");
  shown.type(`${"\u007f".repeat(7)}env:SLACK_BOT_TOKEN\r`);
  await shown.shows("signingSecret:");
  shown.type("\r");
  await shown.shows("appToken:");
  shown.type("\r");
  await shown.shows("chat:");
  shown.type("C042\r");
  await shown.shows("api:");
  shown.type("\r");
  await shown.shows("language:");
  shown.type("\r");
  await shown.shows("write this?");
  shown.type("y");
  const { code, text } = await ended(shown);
  expect([code, text.includes("leeway channels test slack")]).toEqual([0, true]);
  expect(readFileSync(file, "utf8")).toBe(
    "# ours\nversion: 1 # the only one\nchannels:\n  slack:\n    botToken: env:SLACK_BOT_TOKEN\n    chat: C042\n",
  );
});

test("link prints a code and what to send, and needs the person", async () => {
  const { code, text } = await asAna(on, ["channels", "link", "slack"]);
  expect([code, text]).toEqual([0, expect.stringMatching(/send it this message: link [A-Z2-9]{8}/)]);
  expect((await leeway(away, ["channels", "link", "slack"])).code).toBe(5);
});

test("given-up notices are listed and sent again, on this machine and on its server", async () => {
  endpoint.answers(410);
  await leeway(on, ["run", "--agent", "coder", "--wait", "1s", "--", "git", "push"]);
  const dead = async (where: Machine) => {
    const notices = JSON.parse((await leeway(where, ["notices", "dead", "--json"])).stdout);
    return notices.find(({ channel }: { channel: string }) => channel === "webhook");
  };
  let found = await dead(away);
  for (let tries = 0; tries < 100 && found === undefined; tries++) found = await dead(away);
  expect(found).toMatchObject({ kind: "pending", why: "the receiver wants no more messages (410)" });
  expect(await dead(on)).toEqual(found);
  expect((await leeway(on, ["notices", "dead"])).stdout).toContain("given up");
  endpoint.answers(204);
  const { code, stdout } = await leeway(away, ["notices", "retry", found.id, "--json"]);
  expect([code, JSON.parse(stdout)]).toEqual([0, { id: found.id, state: "waiting" }]);
});

test("doctor says whether the secrets of channels are found and whether their settings work", async () => {
  const { stdout } = await leeway(on, ["doctor", "--json"]);
  const said = JSON.parse(stdout).findings.filter(({ what }: { what: string }) => what === "channel");
  expect(said).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        state: "warn",
        says: "slack: not found from this terminal: botToken (env:SLACK_BOT_TOKEN)",
      }),
      { what: "channel", state: "ok", says: "webhook: its secrets are found and its settings work" },
    ]),
  );
});
