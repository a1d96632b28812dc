import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { PASSPHRASE } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";
import { endAll, up } from "./servers.ts";

// What an agent gives to a tool is encrypted in the record, wherever it stands in the arguments. The exceptions are documented: paths that a
// known tool names, the words of commands, and the hosts of addresses.

const on: Machine = machine();
afterAll(() => {
  endAll();
  on.remove();
});

/** Where an argument can contain a secret. */
const PLACES: readonly ((secret: string) => Record<string, unknown>)[] = [
  (secret) => ({ user: "bob", password: secret }),
  (secret) => ({ key: "db", value: secret }),
  (secret) => ({ value: `${secret}.x` }),
  (secret) => ({ value: `a/${secret}` }),
  (secret) => ({ value: `/etc/${secret}/b` }),
  (secret) => ({ input: `~/${secret}` }),
  (secret) => ({ note: `remember ${secret}, please` }),
  (secret) => ({ a: [{ b: [{ c: secret }] }] }),
  (secret) => ({ [secret]: 1 }),
  (secret) => ({ site: `https://bob:${secret}@example.com/a` }),
  (secret) => ({ site: `https://example.com/${secret}?k=${secret}#${secret}` }),
  (secret) => ({ site: `${secret}.example.com` }),
  (secret) => ({ dsn: `postgres://bob:${secret}@127.0.0.1/shop` }),
  (secret) => ({ text: `curl -u bob:${secret} https://example.com` }),
  (secret) => ({ script: `login(${JSON.stringify(secret)})` }),
  (secret) => ({ args: ["login", `--pass=${secret}`, secret] }),
  (secret) => ({ sql: `update users set password = '${secret}'` }),
  (secret) => ({ tool: secret, server: secret }),
  (secret) => ({ env: { TOKEN: secret }, headers: { Authorization: `Bearer ${secret}` } }),
  (secret) => ({ patch: `--- a/x\n+++ b/x\n+${secret}\n` }),
];
const UNKNOWN = ["login", "vault/put", "mcp__bank__sign_in", "mcp__vault__save", "send_thing", "get_thing"];
/** Known tools, with arguments that are content and neither a path nor a command nor a host. */
const KNOWN: readonly ((secret: string) => [tool: string, args: Record<string, unknown>])[] = [
  (secret) => ["Write", { file_path: "a.txt", content: secret }],
  (secret) => ["Write", { file_path: "a.txt", content: `/x/${secret}` }],
  (secret) => ["mcp__slack__post_message", { channel: "C1", text: `/x/${secret}` }],
  (secret) => ["WebFetch", { url: "https://example.com/", prompt: `~/${secret}` }],
  (secret) => ["WebSearch", { query: `/x/${secret}` }],
  (secret) => ["mcp__playwright__browser_type", { element: "field", ref: "e1", text: `/x/${secret}` }],
  (secret) => ["Edit", { file_path: "a.txt", old_string: secret, new_string: `${secret}2` }],
  (secret) => ["Grep", { pattern: secret, path: "." }],
  (secret) => ["WebFetch", { url: `https://example.com/${secret}?k=${secret}`, prompt: secret }],
  (secret) => ["WebSearch", { query: secret }],
  (secret) => ["Task", { description: "x", prompt: secret, subagent_type: "coder" }],
  (secret) => ["Read", { file_path: "a.txt", password: secret }],
  (secret) => ["Bash", { command: "true", password: secret }],
  (secret) => ["mcp__playwright__browser_type", { element: "field", ref: "e1", text: secret }],
  (secret) => ["mcp__slack__post_message", { channel: "C1", text: secret }],
  (secret) => ["mcp__postgres__query", { sql: `select '${secret}'` }],
  (secret) => ["send_feishu_message", { to: "ana", content: secret }],
];

test("no secret that an agent gives to a tool is in the database, an export, a backup, a notice, a log, a metric or an output", async () => {
  const server = await up(on);
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const proof = ["--as", "ana", "--password-file", join(on.home, "pw")];
  expect((await leeway(on, ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")])).code).toBe(0);
  const coder = (await leeway(on, ["tokens", "add", "--agent", "coder"])).stdout.trim();
  const ana = (await leeway(on, ["tokens", "add", "--person", "ana", "--can", "approve", ...proof])).stdout.trim();
  const other = (await leeway(on, ["tokens", "add", "--agent", "tester", ...proof])).stdout.trim();
  const ask = async (path: string, token: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
    const answered = await fetch(server.url + path, sent);
    return { status: answered.status, text: await answered.text() };
  };
  const planted = new Map<string, string>();
  const plant = (where: string) => {
    const secret = `Qx${planted.size}Zr0ub4dorW`;
    planted.set(secret, where);
    return secret;
  };
  const calls: [string, Record<string, unknown>][] = [
    ...UNKNOWN.flatMap((tool) =>
      PLACES.map((place, i): [string, Record<string, unknown>] => [tool, place(plant(`${tool} ${i}`))]),
    ),
    ...KNOWN.map((made, i) => made(plant(`known ${i}`))),
  ];
  const statuses = new Set<number>();
  for (const [at, [tool, args]] of calls.entries()) {
    const call = { tool, args, cwd: on.project, callId: `c${at}` };
    const sent = await ask("/v1/calls", coder, call);
    statuses.add(sent.status);
    const { approvalId: id, digest } = JSON.parse(sent.text);
    if (at % 7 === 0 && id !== undefined) await ask(`/v1/approvals/${id}/reviews`, ana, { verdict: "deny", digest });
  }
  expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  const failing = { tool: "login", args: { password: plant("an error") }, callId: "failing", cwd: on.project };
  const asked = JSON.parse((await ask("/v1/calls", other, failing)).text);
  await ask(`/v1/approvals/${asked.approvalId}/reviews`, ana, { verdict: "approve", digest: asked.digest });
  const run = JSON.parse((await ask("/v1/calls", other, failing)).text);
  expect(run).toMatchObject({ outcome: "run" });
  const error = `nobody has the password ${failing.args.password}`;
  const settled = await ask(`/v1/calls/${run.id}/settle`, other, { attempt: run.attempt, ok: false, error });
  expect(settled.status, settled.text).toBe(200);
  const texts = new Map<string, string>();
  for (const path of ["/v1/ledger?limit=500", "/metrics", "/v1/notices"]) {
    const { status, text } = await ask(path, ana);
    expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
    texts.set(path, text);
  }
  texts.set("the log of the server", (await server.stop()).stderr);
  const hooked = { tool_name: "mcp__bank__login", tool_input: { password: plant("hook") }, cwd: on.project };
  const event = { hook_event_name: "PreToolUse", session_id: "s1", tool_use_id: "t1", ...hooked };
  await leeway(on, ["hook", "claude-code"], { stdin: JSON.stringify(event) });
  for (const args of [
    ["export"],
    ["export", "--format", "opentrustgraph"],
    ["log", "--json", "--limit", "1000"],
    ["notices"],
  ])
    texts.set(args.join(" "), JSON.stringify(await leeway(on, args)));
  const backed = await leeway(on, ["backup", join(on.home, "backup")]);
  expect([backed.code, backed.stderr]).toEqual([0, ""]);
  for (const path of filesBelow(on.home)) texts.set(path, readFileSync(path, "latin1"));
  const found = [...texts].flatMap(([name, text]) =>
    [...planted].flatMap(([secret, where]) =>
      text.toLowerCase().includes(secret.toLowerCase()) ? [`${where} in ${name}`] : [],
    ),
  );
  expect(found).toEqual([]);
  expect(await leeway(on, ["verify"])).toMatchObject({ code: 0 });
}, 120_000);

function filesBelow(folder: string): readonly string[] {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return all.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
}
