import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addToken } from "../../src/gate/people/tokens.ts";
import { apiRoutes } from "../../src/http/api.ts";
import { serve } from "../../src/serve.ts";
import { WEB_ROUTES } from "../../src/web/pages.ts";
import { cookieOf } from "./cast.ts";
import { dial } from "./raw.ts";
import { SEEDED } from "./secrets.ts";
import { type Served, served } from "./served.ts";

let on: Served;
let agent: string;
let cookie: string;
const shown: string[] = [];
const tokens: string[] = [];
const approvals: { id: string; approvalId: string; executionId?: string }[] = [];
const NOTED = SEEDED.map(
  ({ args, secret }) => `it holds ${"command" in args ? args["command"] : `password="${secret}"`}`,
);

beforeAll(async () => {
  on = await served({
    policy: `version: 1
preset: standard
approvals: { selfReview: true }
tiers: { shell: ask, save: ask }
tools: { save: { class: store.write } }
`,
  });
  const sealed: string[] = [];
  for (let n = 0; n < 20; n++) sealed.push(await on.token({ agent: `coder${n}` }));
  agent = sealed[0] ?? "";
  cookie = await cookieOf(on, "ana");
  tokens.push(...sealed, await on.token({ person: "ana", can: "approve" }), cookie.split("=")[1] ?? "");
  const line = await dial(on.port);
  line.send(`GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:${on.port}\r\nCookie: ${cookie}\r\nLast-Event-ID: 0\r\n\r\n`);
  for (const [at, { args }] of SEEDED.entries()) await lived(sealed[at % 20] ?? "", at, args);
  const { index } = await on.deps.store.read({ ask: "head", workspace: "default" });
  while (!line.received().includes(`id: ${index}\n`)) await new Promise((resolve) => setTimeout(resolve, 20));
  shown.push(line.received());
  line.socket.destroy();
}, 120_000);
afterAll(() => on.remove());

/** One call from its question to its result, with the secret in every place where somebody could write one. */
async function lived(token: string, at: number, args: Record<string, unknown>): Promise<void> {
  const tool = "command" in args ? "shell" : "save";
  const body = { tool, args, says: NOTED[at], callId: `c${at}` };
  const { id, approvalId, digest } = (await on.ask("POST", "/v1/calls", { token, body })).body;
  if (approvalId === undefined) throw new Error(`${SEEDED[at]?.kind} was not asked about`);
  const verdict = at % 4 === 3 ? "deny" : "approve";
  const review = { verdict, digest, note: NOTED[at] };
  if (at % 4 !== 2) {
    shown.push((await on.ask("POST", `/v1/approvals/${approvalId}/reviews`, { cookie, body: review })).text);
  }
  approvals.push({ id, approvalId });
  if (at % 4 > 1) return;
  const claimed = (await on.ask("POST", `/v1/calls/${id}/claim`, { token, body: {} })).body;
  expect(claimed.args).toEqual(args);
  const ending = at % 4 === 0 ? { ok: true, result: args } : { ok: false, error: NOTED[at] };
  await on.ask("POST", `/v1/calls/${id}/settle`, { token, body: { attempt: claimed.attempt, ...ending } });
}

/** The words of a command are in the ledger unmasked, so that the decision can be repeated. */
const isCommand = (kind: string) => SEEDED.some((one) => one.kind === kind && "command" in one.args);

const found = (texts: readonly string[]) => {
  const all = texts.join("\n");
  return SEEDED.filter(({ secret }) => all.includes(secret)).map(({ kind }) => kind);
};
const kinds = (texts: readonly string[]) => [...new Set(found(texts))];

test("the test has two hundred and thirty different secrets", () => {
  expect(new Set(SEEDED.map(({ secret }) => secret)).size).toBe(230);
});

test("reviewers and listeners of events are shown no secret", () => {
  expect(shown.length).toBeGreaterThan(100);
  expect(kinds(shown)).toEqual([]);
});

test("no answer of the API to a person contains a secret", async () => {
  const texts: string[] = [];
  for (const { path, method, for: access } of apiRoutes("0")) {
    if (
      method !== "GET" ||
      path.includes(":") ||
      ["/v1/events", "/v1/ledger/export"].includes(path) ||
      access.includes("agent")
    )
      continue;
    texts.push((await on.ask("GET", path, { cookie })).text);
  }
  for (const path of ["/v1/approvals?limit=500", "/v1/ledger?limit=500", "/v1/notices?limit=500"]) {
    texts.push((await on.ask("GET", path, { cookie })).text);
  }
  for (const { id, approvalId } of approvals) {
    texts.push((await on.ask("GET", `/v1/approvals/${approvalId}`, { cookie })).text);
    texts.push((await on.ask("GET", `/v1/calls/${id}`, { cookie })).text);
  }
  expect(texts.length).toBeGreaterThan(400);
  expect(kinds(texts)).toEqual([]);
});

test("the export, which is unchanged so that hashes match, contains no secret except in the words of commands", async () => {
  const { text } = await on.ask("GET", "/v1/ledger/export", { cookie });
  expect(text.split("\n").length).toBeGreaterThan(200);
  expect(kinds([text]).filter((kind) => !isCommand(kind))).toEqual([]);
});

test("no page contains a secret", async () => {
  const texts: string[] = [];
  for (const { path, method } of WEB_ROUTES) {
    if (method === "GET" && !path.includes(":")) texts.push((await on.ask("GET", path, { cookie })).text);
  }
  for (const { id, approvalId } of approvals) {
    texts.push((await on.ask("GET", `/approvals/${approvalId}`, { cookie })).text);
    texts.push((await on.ask("GET", `/calls/${id}`, { cookie })).text);
  }
  const { index } = await on.deps.store.read({ ask: "head", workspace: "default" });
  for (let at = 1; at <= index; at += 7) texts.push((await on.ask("GET", `/activity/${at}`, { cookie })).text);
  expect(kinds(texts)).toEqual([]);
});

test("no log line and no warning contains a secret or a token", () => {
  const texts = [JSON.stringify(on.logged), JSON.stringify(on.warned.map(String))];
  expect(kinds(texts)).toEqual([]);
  expect(tokens.filter((token) => texts.join("").includes(token))).toEqual([]);
});

test("an agent gets its own result back completely", async () => {
  const { id } = approvals[0] ?? { id: "" };
  expect((await on.ask("GET", `/v1/calls/${id}`, { token: agent })).body.result).toEqual(SEEDED[0]?.args);
});

test("the bytes of the database contain no argument except the words of commands, and no result, note, token or cookie", async () => {
  const link = await addToken(on.deps, { person: "ana", can: "sign-in" }, { by: "ana", assurance: "tty" });
  if (link.ok) tokens.push(link.value.text);
  const files = readdirSync(on.state).filter((name) => name.startsWith("leeway.db"));
  expect(files.length).toBeGreaterThan(0);
  // These do not look like secrets, but they are arguments. Sent before the search begins, which takes so long that the
  // server in this process would disconnect.
  const plain = { to: "Plainly Written", iban: "DE00 1234 5678", note: "for the plain invoice" };
  await on.ask("POST", "/v1/calls", { token: agent, body: { tool: "refund", args: plain, callId: "plain" } });
  const bytes = files.map((name) => readFileSync(join(on.state, name), "latin1"));
  expect(kinds(bytes).filter((kind) => !isCommand(kind))).toEqual([]);
  const now = bytes.join("");
  expect(Object.values(plain).filter((text) => now.includes(text))).toEqual([]);
  const secrets = tokens.map((token) => token.split(/[_.]/).at(-1) ?? token);
  expect(secrets.filter((secret) => secret.length < 32 || bytes.some((text) => text.includes(secret)))).toEqual([]);
});

test("a copy of the database without its key reveals nothing: no argument, no token, no sign-in", async () => {
  const folder = mkdtempSync(join(tmpdir(), "leeway-copy-"));
  const state = join(folder, "state", "leeway");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(on.state).filter((one) => one.startsWith("leeway.db"))) {
    copyFileSync(join(on.state, name), join(state, name));
  }
  const env = { HOME: folder, XDG_STATE_HOME: join(folder, "state"), LEEWAY_KEY: "" };
  const options = { host: "127.0.0.1", port: 0, log: () => undefined, warn: () => undefined };
  await expect(serve({ env, cwd: folder }, options)).rejects.toThrow(/is missing, and what .* holds is sealed with it/);
  // With another key they can open the file, but nothing in it.
  const own = { ...env, LEEWAY_KEY: Buffer.alloc(32, 7).toString("base64") };
  const copy = await serve({ env: own, cwd: folder }, options);
  for (const token of tokens.slice(0, 21)) {
    const answer = await fetch(`${copy.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.ok).toBe(false);
  }
  const answer = await fetch(`${copy.url}/v1/me`, {
    headers: { cookie: `leeway-${copy.port}=${cookie.split("=")[1]}` },
  });
  expect(answer.ok).toBe(false);
  await copy.close();
  expect(existsSync(join(state, "leeway.db"))).toBe(true);
  rmSync(folder, { recursive: true, force: true });
});
