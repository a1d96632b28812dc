import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine, program, type Ran } from "./program.ts";

// A hook under fault: whatever is broken, no host may take the answer for a yes.

const on: Machine = machine();
const state = join(on.home, "state", "leeway");
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

type Told = Record<string, unknown>;
const HOSTS = ["claude-code", "codex", "gemini", "opencode", "copilot", "vscode"] as const;
type HostName = (typeof HOSTS)[number];

let calls = 0;
/** What a host sends before it writes a file, which the policy would let run. */
function before(host: HostName, cwd = on.project): Told {
  calls += 1;
  const args = { file_path: join(on.project, "b.txt"), path: join(on.project, "b.txt"), content: "x" };
  if (host === "copilot") return { sessionId: "s1", cwd, toolName: "write_file", toolArgs: args };
  const event = host === "gemini" ? "BeforeTool" : "PreToolUse";
  const call = { tool_name: "write_file", tool_input: args, tool_use_id: `c${calls}` };
  return { session_id: "s1", cwd, hook_event_name: event, ...call };
}

function hook(host: HostName, input: Told | string, env: Record<string, string> = {}, args: readonly string[] = []) {
  const stdin = typeof input === "string" ? input : JSON.stringify(input);
  return leeway(on, ["hook", host, ...args], { stdin, env });
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

test.each(HOSTS)("a call that may run is run by %s, if nothing is broken", async (host) => {
  expect(runs(host, await hook(host, before(host)))).toBe(true);
});

test.each(HOSTS)("malformed, empty and huge input lets %s run nothing", async (host) => {
  const huge = JSON.stringify({ ...before(host), more: "x".repeat(17 * 1024 * 1024) });
  const large = JSON.stringify({
    ...before(host),
    [host === "copilot" ? "toolArgs" : "tool_input"]: { x: "y".repeat(2_000_000) },
  });
  for (const input of ["", "{", "null", "[]", "\u0000", huge, large])
    expect(runs(host, await hook(host, input))).toBe(false);
});

test("input that is too long says how long it may be, and a report that is too long is not said to have stopped the call", async () => {
  const call = { ...before("claude-code"), more: "x".repeat(18 * 1024 * 1024) };
  const told = await hook("claude-code", JSON.stringify(call));
  expect([told.code, told.stderr]).toEqual([
    2,
    "What claude-code sent about this call is longer than 16 MB, the most that Leeway reads, so the call was not run. " +
      "Do not retry it as it is; split it into smaller calls, or tell the user.\n",
  ]);
  const report = await hook("claude-code", JSON.stringify({ ...call, hook_event_name: "PostToolUse" }));
  expect(report.stderr).toBe(
    "Leeway could not record what claude-code reported: it is longer than 16 MB, the most that Leeway reads. " +
      "This stopped no call, but the record lacks the report.\n",
  );
});

test.each(HOSTS)("input that is not valid UTF-8 lets %s run nothing", async (host) => {
  const [start = "", end = ""] = JSON.stringify({ ...before(host), more: "|" }).split("|");
  const input = Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(end)]);
  expect(runs(host, await leeway(on, ["hook", host], { stdin: input }))).toBe(false);
});

test("a result or error of null does not make Copilot's event before a call one after it", async () => {
  const denied = { ...before("copilot"), toolName: "bash", toolArgs: { command: "rm -rf /srv" } };
  for (const more of [{ error: null }, { toolResult: null }])
    expect([more, runs("copilot", await hook("copilot", { ...denied, ...more }))]).toEqual([more, false]);
  for (const more of [{ error: "x" }, { toolResult: {} }, { toolResult: null }])
    expect([more, runs("copilot", await hook("copilot", { ...denied, ...more }, {}, ["--timeout", "600"]))]).toEqual([
      more,
      false,
    ]);
});

test.each(HOSTS)("a call without a tool, arguments or a session lets %s run nothing", async (host) => {
  const call = before(host);
  const names =
    host === "copilot"
      ? ["toolName", "toolArgs", "sessionId", "cwd"]
      : ["tool_name", "tool_input", "session_id", "cwd"];
  for (const name of names) {
    const { [name]: _, ...input } = call;
    expect([name, runs(host, await hook(host, input))]).toEqual([name, false]);
  }
});

test.each(HOSTS)("a database that cannot be opened, or that is no database, lets %s run nothing", async (host) => {
  const [missing, broken] = [join(on.home, "missing", "folder", "leeway.db"), join(on.home, "broken.db")];
  mkdirSync(join(on.home, "missing"), { recursive: true });
  chmodSync(join(on.home, "missing"), 0o500);
  writeFileSync(broken, "this is not a database".repeat(1000), { mode: 0o600 });
  expect(runs(host, await hook(host, before(host), { LEEWAY_DB: broken }))).toBe(false);
  expect(runs(host, await hook(host, before(host), { LEEWAY_DB: `/proc/${missing}` }))).toBe(false);
});

test.each(HOSTS)("a policy that does not load lets %s run nothing", async (host) => {
  const policy = join(on.home, "broken.yaml");
  writeFileSync(policy, "version: 1\ntiers: [");
  expect(runs(host, await hook(host, before(host), { LEEWAY_POLICY: policy }))).toBe(false);
});

test("a database that another program has locked lets no host run a call, and the hook ends before the host's limit", async () => {
  const locking = new DatabaseSync(join(state, "leeway.db"));
  try {
    locking.exec("begin exclusive");
    const startedMs = Date.now();
    const ran = await Promise.all(HOSTS.map((host) => hook(host, before(host), {}, ["--timeout", "30"])));
    expect(HOSTS.map((host, i) => runs(host, ran[i] as Ran))).toEqual(HOSTS.map(() => false));
    expect(Date.now() - startedMs).toBeLessThan(30_000);
  } finally {
    locking.exec("rollback");
    locking.close();
  }
});

test("a server that the environment names and that does not answer lets nothing run", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const env = { LEEWAY_URL: url, LEEWAY_TOKEN: "lwy_x" };
  try {
    const ran = await hook("claude-code", before("claude-code"), env, ["--timeout", "10"]);
    expect(runs("claude-code", ran)).toBe(false);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
});

test("an answer that comes too late is a no, before the host's limit", async () => {
  // The input never ends, as from a host that hangs.
  const child = spawn(process.execPath, [program(), "hook", "codex", "--timeout", "3"], {
    cwd: on.project,
    env: on.env,
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/before the time limit of codex, so the call was not run/)]);
});

test.each(["0", "-1", "x", "1e3", ""])(
  "a time limit that is no number of seconds lets nothing run: %j",
  async (limit) => {
    const ran = await hook("claude-code", before("claude-code"), {}, ["--timeout", limit]);
    expect(runs("claude-code", ran)).toBe(false);
  },
);

test("two hooks at once each decide their own call, and one call is run once", async () => {
  const [one, two] = [before("claude-code"), before("claude-code")];
  const ran = await Promise.all([one, two, one, two].map((input) => hook("claude-code", input)));
  const allowed = ran.map((each) => runs("claude-code", each));
  expect([[allowed[0], allowed[2]].filter(Boolean).length, [allowed[1], allowed[3]].filter(Boolean).length]).toEqual([
    1, 1,
  ]);
});

test("a hook that is killed while it decides leaves no answer, and the database whole", async () => {
  const child = spawn(process.execPath, [program(), "hook", "claude-code"], { cwd: on.project, env: on.env });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stdin.write(JSON.stringify(before("claude-code")).slice(0, -1));
  setTimeout(() => child.kill("SIGKILL"), 100);
  await new Promise((resolve) => child.on("close", resolve));
  expect(stdout).toBe("");
  expect((await leeway(on, ["verify", "--json"])).code).toBe(0);
  expect(readFileSync(join(state, "leeway.db")).length).toBeGreaterThan(0);
});
