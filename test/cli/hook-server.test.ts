import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ASKING, PASSPHRASE } from "./person.ts";
import { leeway, type Machine, machine, program, type Ran } from "./program.ts";
import { endAll, type Up, up } from "./servers.ts";

// The hook of an agent program on one machine, and the server that decides on another.

const [home, away] = [machine(), machine()];
let server: Up;
let token: string;
let ana: Machine;

beforeAll(async () => {
  writeFileSync(join(home.project, "leeway.yaml"), ASKING);
  writeFileSync(join(home.home, "pw"), `${PASSPHRASE}\n`);
  const passphrase = ["--password-file", join(home.home, "pw")];
  await leeway(home, ["init", "--yes", "--name", "ana", ...passphrase]);
  const made = async (...args: string[]) => (await leeway(home, ["tokens", "add", ...args])).stdout.trim();
  token = await made("--agent", "laptop");
  const hers = await made("--person", "ana", "--can", "approve", ...passphrase);
  server = await up(home);
  ana = { ...home, env: { ...home.env, LEEWAY_URL: server.url, LEEWAY_TOKEN: hers } };
});
afterAll(async () => {
  await server.stop();
  endAll();
  for (const on of [home, away]) on.remove();
});

type Told = Record<string, unknown>;
const HOSTS = ["claude-code", "codex", "gemini", "opencode", "copilot", "vscode"] as const;
type HostName = (typeof HOSTS)[number];

let calls = 0;
function before(host: HostName, tool: string, args: Told, more: Told = {}): Told {
  calls += 1;
  if (host === "copilot") return { sessionId: "s1", cwd: away.project, toolName: tool, toolArgs: args, ...more };
  const event = host === "gemini" ? "BeforeTool" : "PreToolUse";
  const call = { tool_name: tool, tool_input: args, tool_use_id: `c${calls}` };
  return { session_id: "s1", cwd: away.project, hook_event_name: event, ...call, ...more };
}

function hook(host: HostName, input: Told, env: Record<string, string> = {}, args: readonly string[] = []) {
  const named = { LEEWAY_URL: server.url, LEEWAY_TOKEN: token, ...env };
  return leeway(away, ["hook", host, ...args], { stdin: JSON.stringify(input), env: named });
}

/** Whether the host would run the call, by the rules of that host. */
function runs(host: HostName, { code, stdout }: Ran): boolean {
  if (code !== 0) return false;
  if (stdout.trim() === "") return true;
  const said = JSON.parse(stdout);
  const decision = said.hookSpecificOutput?.permissionDecision ?? said.permissionDecision ?? said.decision;
  if (host === "codex") return decision !== "deny";
  return decision === "allow" || decision === "run";
}

const json = async (on: Machine, ...args: string[]) => JSON.parse((await leeway(on, [...args, "--json"])).stdout);

async function entries(kind: string): Promise<readonly { subject: Told; body: { json: Told } }[]> {
  const { stdout } = await leeway(home, ["log", "--kind", kind, "--json"]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

async function questionAbout(command: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const { questions } = await json(ana, "inbox");
    const found = questions.find((one: { title: string }) => one.title === command);
    if (found !== undefined) return found.id;
  }
  throw new Error(`nobody was asked about ${command}`);
}

const FILE = () => ({ file_path: join(away.project, "b.txt"), path: join(away.project, "b.txt"), content: "x" });

test.each(HOSTS)("a call that may run is run by %s, and the server records how it ended", async (host) => {
  const call = before(host, "write_file", FILE(), { [host === "copilot" ? "sessionId" : "session_id"]: host });
  expect(runs(host, await hook(host, call))).toBe(true);
  const event = host === "gemini" ? "AfterTool" : "PostToolUse";
  const after =
    host === "copilot"
      ? { ...call, toolResult: { text: "x".repeat(300_000) } }
      : { ...call, hook_event_name: event, tool_response: "x".repeat(300_000) };
  expect(await hook(host, after)).toEqual({ code: 0, stdout: "", stderr: "" });
  const ended = (await entries("execution.succeeded")).find(({ subject }) => subject["session"] === host);
  expect(ended?.subject).toMatchObject({ agent: "laptop", tool: "write_file" });
});

test("a question is answered at the server while the hook waits, and the call runs once", async () => {
  const call = before("claude-code", "Bash", { command: "npm publish" });
  const waiting = hook("claude-code", call);
  const id = await questionAbout("npm publish");
  expect((await leeway(ana, ["approve", id, "--note", "go on"])).code).toBe(0);
  expect(runs("claude-code", await waiting)).toBe(true);
  expect(runs("claude-code", await hook("claude-code", call))).toBe(false);
  const prompt = { ...call, hook_event_name: "PermissionRequest" };
  expect(JSON.parse((await hook("codex", prompt)).stdout).hookSpecificOutput.decision).toEqual({ behavior: "allow" });
  const failed = { ...call, hook_event_name: "PostToolUseFailure", error: "no network" };
  expect((await hook("claude-code", failed)).code).toBe(0);
  const kinds = (await leeway(home, ["log", "--approval", id, "--json"])).stdout.trim().split("\n");
  expect(kinds.map((line) => JSON.parse(line).kind)).toEqual([
    "call.decided",
    "approval.opened",
    "approval.reviewed",
    "approval.approved",
    "execution.handed",
    "call.refused",
    "execution.prompted",
    "execution.failed",
  ]);
  expect(await hook("codex", prompt)).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("a denial of a rule and of a person reach the model, and a sub-agent is one of the token's agent", async () => {
  const forbidden = await hook("codex", before("codex", "exec_command", { cmd: "rm -rf /srv" }));
  expect([forbidden.code, forbidden.stderr]).toEqual([2, expect.stringMatching(/trees are not an agent's business/)]);
  const waiting = hook(
    "codex",
    before("codex", "exec_command", { cmd: "npm publish --tag x" }, { agent_type: "tester" }),
  );
  const id = await questionAbout("npm publish --tag x");
  expect((await json(ana, "show", id)).agent).toBe("tester");
  expect((await leeway(ana, ["deny", id, "--note", "not today"])).code).toBe(0);
  expect(await waiting).toMatchObject({ code: 2, stderr: expect.stringMatching(/not today/) });
  const [decided] = (await entries("call.decided")).filter(({ subject }) => subject["agent"] === "tester");
  expect(decided?.body.json["chain"]).toEqual(["laptop"]);
});

test("without an answer in time the call is denied, the question stays, and an approval is for the next try", async () => {
  const call = () => before("claude-code", "Bash", { command: "npm publish --tag late" });
  const late = await hook("claude-code", call(), {}, ["--timeout", "6"]);
  expect(runs("claude-code", late)).toBe(false);
  const id = await questionAbout("npm publish --tag late");
  expect((await leeway(ana, ["approve", id])).code).toBe(0);
  expect(runs("claude-code", await hook("claude-code", call()))).toBe(true);
});

test("a link on this machine makes a call ask that the server's policy would let run, whatever was granted", async () => {
  const outside = join(away.home, "elsewhere");
  mkdirSync(outside);
  symlinkSync(outside, join(away.project, "sub"));
  const call = before("claude-code", "Write", { file_path: join(away.project, "sub", "c.txt"), content: "x" });
  const waiting = hook("claude-code", call);
  const id = await questionAbout(`Write ${join(away.project, "sub", "c.txt")}`);
  const { because } = await json(ana, "why", id);
  expect(because.join()).toContain("On the agent's machine this call does more than its words say");
  expect(because.join()).toContain(join(outside, "c.txt"));
  expect((await leeway(ana, ["deny", id, "--note", "no"])).code).toBe(0);
  expect(runs("claude-code", await waiting)).toBe(false);
});

test("a file that changes while somebody is asked voids the answer", async () => {
  const script = join(away.project, "build.sh");
  writeFileSync(script, "echo one\n", { mode: 0o755 });
  const waiting = hook("claude-code", before("claude-code", "Bash", { command: "bash ./build.sh" }));
  const id = await questionAbout("bash ./build.sh");
  writeFileSync(script, "echo two\n");
  await leeway(ana, ["approve", id]);
  const ran = await waiting;
  expect([runs("claude-code", ran), ran.stdout]).toEqual([false, expect.stringMatching(/is not what it was when it/)]);
});

test("the end of a session at the host ends it at the server; one without calls is no error", async () => {
  const call = before("claude-code", "Bash", { command: "npm publish --tag end" }, { session_id: "ending" });
  await hook("claude-code", call, {}, ["--timeout", "3"]);
  const ended = { cwd: away.project, hook_event_name: "SessionEnd", reason: "other" };
  for (const session_id of ["ending", "never-heard-of"])
    expect(await hook("claude-code", { ...ended, session_id })).toEqual({ code: 0, stdout: "", stderr: "" });
  const cancelled = (await entries("approval.cancelled")).map(({ subject }) => subject["session"]);
  expect(cancelled).toEqual(["ending"]);
});

// Whatever the server does, no host may take the answer for a yes.

async function fake(answer: RequestListener): Promise<{ url: string; close(): void }> {
  const one: Server = createServer(answer);
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  const close = () => {
    one.closeAllConnections();
    one.close();
  };
  return { url: `http://127.0.0.1:${(one.address() as AddressInfo).port}`, close };
}

async function allRefuse(env: Record<string, string>, args: readonly string[] = []): Promise<readonly Ran[]> {
  const ran = await Promise.all(HOSTS.map((host) => hook(host, before(host, "write_file", FILE()), env, args)));
  expect(HOSTS.map((host, i) => runs(host, ran[i] as Ran))).toEqual(HOSTS.map(() => false));
  return ran;
}

test("a server that is down, a wrong token, a person's token and half of the settings let nothing run", async () => {
  const down = await fake(() => undefined);
  down.close();
  await allRefuse({ LEEWAY_URL: down.url });
  await allRefuse({ LEEWAY_TOKEN: "lwy_wrong_token" });
  await allRefuse({ LEEWAY_TOKEN: ana.env["LEEWAY_TOKEN"] ?? "" });
  await allRefuse({ LEEWAY_TOKEN: "" });
  await allRefuse({ LEEWAY_TOKEN_FILE: join(away.home, "token") });
});

test("a server that answers later than the host waits lets nothing run, and the hook ends before", async () => {
  const slow = await fake((_, response) => setTimeout(() => response.end("{}"), 60_000).unref());
  const ran = await allRefuse({ LEEWAY_URL: slow.url }, ["--timeout", "3"]);
  expect(ran.map(({ stderr }) => /before the time limit of/.test(stderr))).toEqual(HOSTS.map(() => true));
  slow.close();
});

const DECISION = { tier: "auto", outcome: "run", because: ["x"], rules: [], policyVersion: "1" };
const RUN = { id: "call_1", callId: "?", outcome: "run", decision: DECISION, executionId: "exe_1", attempt: "att_1" };

test("an answer of another program, a redirect and a receipt that is not one let nothing run", async () => {
  let say: RequestListener = () => undefined;
  const other = await fake((request, response) => say(request, response));
  const env = { LEEWAY_URL: other.url };
  const bodies = ["", "{", "null", "[]", "true", '"run"', '{"outcome":"run"}', JSON.stringify(RUN)];
  for (const body of bodies) {
    say = (_, response) => response.end(body);
    expect([body, runs("codex", await hook("codex", before("codex", "Read", FILE()), env))]).toEqual([body, false]);
  }
  say = (_, response) => response.writeHead(307, { location: `${server.url}/v1/calls` }).end();
  await allRefuse(env);
  for (const status of [500, 401, 403, 204]) {
    say = (_, response) => response.writeHead(status).end(status === 204 ? undefined : JSON.stringify(RUN));
    expect([status, runs("codex", await hook("codex", before("codex", "Read", FILE()), env))]).toEqual([status, false]);
  }
  other.close();
});

test("a receipt for this call is no permission if its parts are not what they should be", async () => {
  let change: (receipt: Told) => unknown = () => undefined;
  let claimed: unknown = {};
  const other = await fake((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      if (request.url !== "/v1/calls") return void response.end(JSON.stringify(claimed));
      response.end(JSON.stringify(change({ ...RUN, callId: JSON.parse(text).callId })));
    });
  });
  const run = () => hook("codex", before("codex", "Read", FILE()), { LEEWAY_URL: other.url });
  change = (receipt) => receipt;
  expect(runs("codex", await run())).toBe(true);
  const parts: Told[] = [
    { edited: {} },
    { edited: { args: "x" } },
    { edited: null },
    { decision: null },
    { decision: {} },
    { executionId: undefined },
    { outcome: "RUN" },
    { outcome: "delegated" },
    { callId: "c0" },
  ];
  for (const part of parts) {
    change = (receipt) => ({ ...receipt, ...part });
    expect([part, runs("codex", await run())]).toEqual([part, false]);
  }
  change = (receipt) => ({ ...receipt, attempt: undefined });
  for (claimed of [{}, null, { executionId: "exe_2", args: {} }, { executionId: "exe_1" }, []])
    expect([claimed, runs("codex", await run())]).toEqual([claimed, false]);
  other.close();
});

test("a server that is killed while somebody is asked lets nothing run", async () => {
  const own = machine();
  writeFileSync(join(own.project, "leeway.yaml"), ASKING);
  writeFileSync(join(own.home, "pw"), `${PASSPHRASE}\n`);
  await leeway(own, ["init", "--yes", "--name", "ana", "--password-file", join(own.home, "pw")]);
  const agent = (await leeway(own, ["tokens", "add", "--agent", "laptop"])).stdout.trim();
  const killed = await up(own);
  try {
    const call = before("codex", "exec_command", { cmd: "npm publish" });
    const waiting = hook("codex", call, { LEEWAY_URL: killed.url, LEEWAY_TOKEN: agent }, ["--timeout", "12"]);
    for (let open = 0; open === 0; ) open = (await json(own, "inbox")).questions.length;
    await killed.stop("SIGKILL");
    expect(runs("codex", await waiting)).toBe(false);
  } finally {
    own.remove();
  }
});

test("a variable that weakens the connection is refused: a project may have set it", async () => {
  const env = { LEEWAY_URL: server.url.replace("http:", "https:"), NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const [ran] = await allRefuse(env);
  expect(ran?.stderr).toContain("NODE_TLS_REJECT_UNAUTHORIZED");
  await allRefuse({ NODE_USE_ENV_PROXY: "1", http_proxy: "http://127.0.0.1:9" });
});

test("the installed hook carries the server and the place of its token, and nothing of the host's variables", async () => {
  const on = { ...away, env: { ...away.env, LEEWAY_URL: server.url, LEEWAY_TOKEN: token } };
  const file = join(away.project, ".claude", "settings.local.json");
  const made = await leeway(on, ["init", "claude-code", "--yes"]);
  expect([made.code, made.stdout]).toEqual([
    0,
    expect.stringContaining(`${server.url} decides, and people answer there`),
  ]);
  const text = readFileSync(file, "utf8");
  expect([text.includes(token), text.includes(`LEEWAY_URL=${server.url}`)]).toEqual([false, true]);
  const [, kept = ""] = /LEEWAY_TOKEN_FILE=([^"]+)"/.exec(text) ?? [];
  expect([readFileSync(kept, "utf8").trim(), statSync(kept).mode & 0o777]).toEqual([token, 0o600]);
  const words = JSON.parse(text).hooks.PreToolUse[0].hooks[0].args;
  // After the name for the shell come Node and the program.
  const args = words.slice(words.indexOf("leeway") + 3);
  const liar = await fake((_, response) => response.end(JSON.stringify(RUN)));
  const env = { LEEWAY_URL: liar.url, LEEWAY_TOKEN: "lwy_x", LEEWAY_TOKEN_FILE: "/dev/null" };
  const denied = before("claude-code", "Bash", { command: "rm -rf /srv" });
  const ran = await leeway(away, args, { stdin: JSON.stringify(denied), env, program: program() });
  expect([runs("claude-code", ran), ran.stdout]).toEqual([false, expect.stringContaining("trees are not an agent")]);
  liar.close();
  for (const place of [on, away]) {
    const { findings } = await json(place, "doctor");
    const [found] = findings.filter((one: Told) => one["what"] === "host");
    expect(found).toEqual({ what: "host", state: "ok", says: expect.stringContaining(`${server.url} recorded`) });
  }
  expect((await leeway(away, ["init", "claude-code", "--undo", "--yes"])).code).toBe(0);
  expect(statSync(kept, { throwIfNoEntry: false })).toBeUndefined();
});

test("init and doctor say what is wrong with a server or its token before anything is written", async () => {
  const told = async (args: readonly string[], env: Record<string, string>) =>
    leeway(away, args, { env: { LEEWAY_URL: server.url, LEEWAY_TOKEN: token, ...env } });
  const down = await told(["init", "codex", "--yes"], { LEEWAY_URL: "http://127.0.0.1:9" });
  expect([down.code, down.stderr]).toEqual([1, expect.stringContaining("http://127.0.0.1:9")]);
  const hers = await told(["init", "codex", "--yes"], { LEEWAY_TOKEN: ana.env["LEEWAY_TOKEN"] ?? "" });
  expect([hers.code, hers.stderr]).toEqual([1, expect.stringContaining("the token is not the token of an agent")]);
  expect(statSync(join(away.project, ".codex"), { throwIfNoEntry: false })).toBeUndefined();
  const ill = JSON.parse((await told(["doctor", "--json"], { LEEWAY_TOKEN: "lwy_x" })).stdout);
  const [found] = ill.findings.filter((one: Told) => one["what"] === "token");
  expect([ill.ok, found.state]).toEqual([false, "bad"]);
  const boxes = ill.findings.filter((one: Told) => one["what"] === "box");
  expect(boxes.map(({ state, says }: Told) => [state, says])).toEqual([
    ["warn", "where a server decides, commands do not run in boxes, so people are asked more often"],
  ]);
  const far = JSON.parse((await told(["doctor", "--json"], { LEEWAY_URL: "http://192.0.2.1:1" })).stdout);
  expect(far.findings.map(({ says }: { says: string }) => says).join()).toContain("without encryption");
});
