import { spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asAna, setUpAna } from "./person.ts";
import { leeway, type Machine, machine, program, type Ran } from "./program.ts";
import { up } from "./servers.ts";

const on: Machine = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

type Told = Record<string, unknown>;

let calls = 0;
/** What Claude Code sends before a tool call; each call has an id of its own. */
function before(tool: string, args: Told, more: Told = {}): Told {
  calls += 1;
  return {
    session_id: "s1",
    transcript_path: "/tmp/t.jsonl",
    cwd: on.project,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: args,
    tool_use_id: `toolu_${calls}`,
    ...more,
  };
}

function hook(host: string, input: Told | string): Promise<Ran> {
  return leeway(on, ["hook", host], { stdin: typeof input === "string" ? input : JSON.stringify(input) });
}

function decision(ran: Ran): Told {
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  return JSON.parse(ran.stdout).hookSpecificOutput;
}

async function entriesOf(kind: string): Promise<readonly { subject: Told }[]> {
  const ran = await leeway(on, ["log", "--kind", kind, "--json"]);
  return ran.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

/** The open question whose title is this command. */
async function questionAbout(title: string): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    const { questions } = JSON.parse((await leeway(on, ["inbox", "--json"])).stdout);
    const found = questions.find((one: Told) => one["title"] === title);
    if (found !== undefined) return found.id;
  }
  throw new Error(`nobody was asked about ${title}`);
}

test("a call that only reads is allowed, handed to the host, and settled by the hook after it", async () => {
  const call = before("Read", { file_path: `${on.project}/a.txt` });
  expect(decision(await hook("claude-code", call))).toEqual({
    hookEventName: "PreToolUse",
    permissionDecision: "allow",
  });
  const after = { ...call, hook_event_name: "PostToolUse", tool_response: { content: "hello" } };
  expect(await hook("claude-code", after)).toEqual({ code: 0, stdout: "", stderr: "" });
  const [handed] = await entriesOf("execution.succeeded");
  expect(handed?.subject).toMatchObject({ agent: "claude-code", tool: "Read" });
});

test("the error of a failed call is shown with its lines as lines", async () => {
  const call = before("Read", { file_path: `${on.project}/gone.txt` });
  await hook("claude-code", call);
  await hook("claude-code", { ...call, hook_event_name: "PostToolUseFailure", error: "Exit code 1\nno such file" });
  const [failed] = await entriesOf("execution.failed");
  const why = await leeway(on, ["why", String(failed?.subject["call"])]);
  expect(why.stdout).toMatch(/\nerror +Exit code 1\n +no such file\n/);
});

test("a call that a rule forbids is denied, and the model is told not to retry", async () => {
  const said = decision(await hook("claude-code", before("Bash", { command: "rm -rf /srv" })));
  expect(said["permissionDecision"]).toBe("deny");
  expect(said["permissionDecisionReason"]).toMatch(/trees are not an agent's business/);
  expect(said["permissionDecisionReason"]).toMatch(/Do not retry/);
});

test("a call that needs a person is denied with its class, and the reviewers are asked", async () => {
  const other = machine();
  try {
    await setUpAna(other, "version: 1\nhuman: { tools: [refund] }\ntools: { refund: { class: payments.move } }\n");
    const stdin = JSON.stringify({ ...before("refund", { amount: 5 }), cwd: other.project });
    const said = decision(await leeway(other, ["hook", "claude-code"], { stdin }));
    expect(said["permissionDecision"]).toBe("deny");
    expect(said["permissionDecisionReason"]).toMatch(/call of refund by agent claude-code \(payments\.move,.*apr_/);
  } finally {
    other.remove();
  }
});

test("a call that runs and is told says so to the person at the host", async () => {
  const ran = await hook("claude-code", before("Write", { file_path: `${on.project}/b.txt`, content: "x" }));
  expect(JSON.parse(ran.stdout)).toMatchObject({
    hookSpecificOutput: { permissionDecision: "allow" },
    systemMessage: expect.stringMatching(/^Leeway: /),
  });
});

test("without a server, a question goes to the host's own prompt", async () => {
  const said = decision(await hook("claude-code", before("Bash", { command: "npm publish" })));
  expect(said).toMatchObject({ permissionDecision: "ask", permissionDecisionReason: expect.stringMatching(/ask/) });
  expect((await entriesOf("call.delegated")).length).toBe(1);
});

test("the result of a call that was left to the host's user is recorded once, and none is recorded if the user said no", async () => {
  const ids = async () => (await entriesOf("call.reported")).map(({ subject }) => subject["call"]);
  const call = before("Bash", { command: "npm publish --tag left" });
  expect(decision(await hook("claude-code", call))["permissionDecision"]).toBe("ask");
  expect(await ids()).toEqual([]);
  const after = { ...call, hook_event_name: "PostToolUse", tool_response: "published" };
  for (let twice = 0; twice < 2; twice++) expect((await hook("claude-code", after)).code).toBe(0);
  const [left] = await ids();
  expect([await ids(), typeof left]).toEqual([[left], "string"]);
  const copilot = { sessionId: "s8", cwd: on.project, toolName: "bash", toolArgs: { command: "npm publish" } };
  expect(JSON.parse((await hook("copilot", copilot)).stdout)).toMatchObject({ permissionDecision: "ask" });
  await hook("copilot", { ...copilot, error: { message: "no network" } });
  expect((await ids()).length).toBe(2);
  expect((await leeway(on, ["verify", "--json"])).code).toBe(0);
});

test("the host's prompt tells its user why in the words of the record, not in words for the model", async () => {
  const other = machine();
  try {
    await setUpAna(other, "version: 1\npreset: standard\n");
    const stdin = JSON.stringify({ ...before("Bash", { command: "npm publish" }), cwd: other.project });
    const said = decision(await leeway(other, ["hook", "claude-code"], { stdin }));
    expect(said["permissionDecisionReason"]).toMatch(
      /^Leeway: preset standard asks before deploy\.write by "npm publish" .*\. No inbox of Leeway is open, so you decide here\./,
    );
    expect(said["permissionDecisionReason"]).not.toMatch(/retry/);
  } finally {
    other.remove();
  }
});

test.each([
  ["claude-code", { ...before("Bash", {}), hook_event_name: "PostToolUse", tool_input: "ls" }],
  ["gemini", { ...before("Bash", {}), hook_event_name: "AfterTool", tool_input: "ls" }],
  ["copilot", { sessionId: "s1", cwd: "/", toolName: "x", toolArgs: 7, toolResult: {} }],
])("what %s reports after a call and cannot be read is not said to have stopped the call", async (host, input) => {
  const ran = await hook(host, input);
  expect(ran.stdout + ran.stderr).toMatch(/could not record what .* This stopped no call/);
  expect(ran.stdout + ran.stderr).not.toMatch(/not run/);
});

test("the same call asked about again before it was settled is not run twice", async () => {
  const call = before("Write", { file_path: `${on.project}/once.txt`, content: "x" });
  expect(decision(await hook("claude-code", call))["permissionDecision"]).toBe("allow");
  const again = decision(await hook("claude-code", call));
  expect(again["permissionDecision"]).toBe("deny");
});

test("a sub-agent is known by its own name with the host above it", async () => {
  await hook("claude-code", before("Read", { file_path: "x.txt" }, { agent_id: "a1", agent_type: "Explore" }));
  const ran = await leeway(on, ["agents", "list", "--json"]);
  expect(JSON.parse(ran.stdout).map((agent: Told) => agent["name"])).toContain("Explore");
});

test("Codex hears nothing about a call that may run, and a reason about one that may not", async () => {
  const fine = await hook("codex", before("exec_command", { cmd: "cat a.txt" }, { turn_id: "t", model: "m" }));
  expect(fine).toEqual({ code: 0, stdout: "", stderr: "" });
  // Codex takes an answer that does not arrive for a yes, so the denial does not depend on stdout.
  const asked = await hook("codex", before("exec_command", { cmd: "npm publish" }, { turn_id: "t" }));
  expect(asked).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(/\w/) });
});

test("Gemini is answered in its own words", async () => {
  const input = { ...before("run_shell_command", { command: "cat a.txt" }), hook_event_name: "BeforeTool" };
  expect(JSON.parse((await hook("gemini", input)).stdout)).toEqual({ decision: "allow" });
});

test.each([
  ["no JSON", "{"],
  ["nothing", ""],
  ["a list", "[]"],
  ["a tool that is a number", JSON.stringify({ ...before("x", {}), tool_name: 7 })],
  ["arguments that are no object", JSON.stringify({ ...before("x", {}), tool_input: "ls" })],
  ["an event that nobody knows", JSON.stringify({ ...before("x", {}), hook_event_name: "BeforeEverything" })],
  ["a session that is a number", JSON.stringify({ ...before("x", {}), session_id: 7 })],
])("input that cannot be read blocks the call: %s", async (_, input) => {
  for (const host of ["claude-code", "codex", "gemini"]) {
    const ran = await hook(host, input);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toMatch(/not run/i);
  }
});

test("the end of a session without calls is no error", async () => {
  const ended = { session_id: "never-heard-of", cwd: on.project, hook_event_name: "SessionEnd", reason: "other" };
  for (const host of ["claude-code", "codex", "gemini"])
    expect(await hook(host, JSON.stringify(ended))).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("a hook that is asked for its help has not answered the call", async () => {
  expect((await leeway(on, ["hook", "claude-code", "--help"])).code).toBe(2);
  expect((await leeway(on, ["hook", "--help"])).code).toBe(0);
});

test("only Claude Code's own hook takes the project from CLAUDE_PROJECT_DIR", async () => {
  // A folder without a policy: by the preset alone, the command would not be denied with the words of the rule.
  const elsewhere = join(on.home, "elsewhere");
  mkdirSync(elsewhere);
  const told = async (host: string, more: Told) => {
    const stdin = JSON.stringify(before("Bash", { command: "rm -rf /srv" }, more));
    const ran = await leeway(on, ["hook", host], { stdin, env: { CLAUDE_PROJECT_DIR: elsewhere } });
    return ran.stdout + ran.stderr;
  };
  const rule = /trees are not an agent's business/;
  expect(await told("claude-code", {})).not.toMatch(rule);
  expect(await told("codex", {})).toMatch(rule);
  expect(await told("gemini", { hook_event_name: "BeforeTool" })).toMatch(rule);
});

test("the folder that a model chooses for a command of Codex is not the project, and chooses no policy", async () => {
  const elsewhere = join(on.home, "chosen");
  mkdirSync(elsewhere, { recursive: true });
  const ran = await hook("codex", before("Bash", { command: "rm -rf /srv" }, { cwd: elsewhere }));
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("trees are not an agent's business")]);
  const other = machine();
  try {
    await setUpAna(other, "version: 1\npreset: standard\n");
    const stdin = JSON.stringify(before("Bash", { command: "touch made" }, { cwd: "/usr/local" }));
    const made = await leeway(other, ["hook", "codex"], { stdin });
    expect([made.code, made.stdout, made.stderr]).toEqual([2, "", expect.stringContaining("LEEWAY_PENDING")]);
  } finally {
    other.remove();
  }
});

test("a call is not run if its folder or its project does not exist", async () => {
  const missing = join(on.home, "missing");
  const file = join(on.project, "leeway.yaml");
  const call = { command: "cat a.txt" };
  for (const [host, event] of [
    ["claude-code", "PreToolUse"],
    ["codex", "PreToolUse"],
    ["gemini", "BeforeTool"],
  ] as const)
    for (const cwd of [missing, file]) {
      const ran = await hook(host, before("Bash", call, { cwd, hook_event_name: event }));
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, "", expect.stringContaining(`${cwd} does not exist`)]);
    }
  const env = { CLAUDE_PROJECT_DIR: missing };
  const ran = await leeway(on, ["hook", "claude-code"], { stdin: JSON.stringify(before("Bash", call)), env });
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, "", expect.stringContaining(`${missing} does not exist`)]);
});

/** Runs the hook with an output that nobody can read: a full disk, or a pipe whose reader has gone. */
function unread(input: Told, stdout: "gone" | "full"): Promise<Omit<Ran, "stdout">> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program(), "hook", "claude-code"], {
      cwd: on.project,
      env: on.env,
      stdio: ["pipe", stdout === "gone" ? "pipe" : openSync("/dev/full", "w"), "pipe"],
    });
    let stderr = "";
    child.stdout?.destroy();
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    child.on("error", reject).on("close", (code) => resolve({ code: code ?? -1, stderr }));
    child.stdin?.end(JSON.stringify(input));
  });
}

test("an answer that the host cannot read blocks the call", async () => {
  const denied = before("Bash", { command: "rm -rf /srv" });
  const blocked = {
    code: 2,
    stderr: expect.stringMatching(/^Leeway could not write its answer, so the call was not run/),
  };
  expect([await unread(denied, "gone"), await unread(denied, "full")]).toEqual([blocked, blocked]);
});

test("an event that needs no answer gets none", async () => {
  const ran = await hook("claude-code", { session_id: "s1", hook_event_name: "Stop", cwd: on.project });
  expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
});

test("an unknown host is refused with the nearest name and all names", async () => {
  const all = "use one of: claude-code, codex, gemini, opencode, copilot, vscode";
  for (const [name, hint] of [
    ["claude-cod", `did you mean claude-code? ${all}`],
    ["nohost", all],
  ] as const) {
    const ran = await leeway(on, ["hook", name], { stdin: "{}" });
    expect([ran.code, ran.stderr]).toEqual([2, `leeway: unknown host \`${name}\`\n  hint: ${hint}\n`]);
  }
});

test("with a server, the hook waits until a person answers", async () => {
  const server = await up(on);
  try {
    const waiting = hook("claude-code", before("Bash", { command: "npm publish --tag next" }));
    const id = await questionAbout("npm publish --tag next");
    expect((await asAna(on, ["approve", id])).code).toBe(0);
    expect(decision(await waiting)["permissionDecision"]).toBe("allow");
  } finally {
    await server.stop();
  }
}, 180_000);

test("an approval that comes after the host has ended stays for the agent's next try", async () => {
  const server = await up(on);
  try {
    const gone = unread(before("Bash", { command: "npm publish --tag later" }), "gone");
    expect((await asAna(on, ["approve", await questionAbout("npm publish --tag later")])).code).toBe(0);
    expect((await gone).code).toBe(2);
    const again = await hook("claude-code", before("Bash", { command: "npm publish --tag later" }));
    expect(decision(again)["permissionDecision"]).toBe("allow");
  } finally {
    await server.stop();
  }
}, 180_000);

test("a call that was approved is settled by the hook after it, also if a reviewer was asked", async () => {
  const server = await up(on);
  try {
    const call = before("Bash", { command: "npm publish --tag settled" });
    const waiting = hook("claude-code", call);
    expect((await asAna(on, ["approve", await questionAbout("npm publish --tag settled")])).code).toBe(0);
    expect(decision(await waiting)["permissionDecision"]).toBe("allow");
    const count = (await entriesOf("execution.succeeded")).length;
    await hook("claude-code", { ...call, hook_event_name: "PostToolUse", tool_response: "published" });
    expect((await entriesOf("execution.succeeded")).length).toBe(count + 1);
  } finally {
    await server.stop();
  }
}, 180_000);

test.each([
  ["claude-code", "PermissionRequest"],
  ["codex", "PermissionRequest"],
])("%s is not made to ask its user about a call that the gate let run, and is about any other", async (host, event) => {
  const args = { file_path: `${on.project}/for-${host}.txt`, content: "x" };
  const call = before("Write", args, { turn_id: "t", model: "m" });
  const prompt = { ...call, hook_event_name: event, tool_use_id: undefined };
  expect(await hook(host, prompt)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect((await hook(host, call)).code).toBe(0);
  expect(JSON.parse((await hook(host, prompt)).stdout)).toEqual({
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
  });
});

test("a result of a host that gives calls no id belongs to the call with the same content", async () => {
  const call = { sessionId: "s9", cwd: on.project, toolName: "create", toolArgs: { path: "c.txt", file_text: "x" } };
  expect(JSON.parse((await hook("copilot", call)).stdout)).toEqual({ permissionDecision: "allow" });
  const count = (await entriesOf("execution.succeeded")).length;
  await hook("copilot", { ...call, toolResult: { resultType: "success", textResultForLlm: "created" } });
  expect((await entriesOf("execution.succeeded")).length).toBe(count + 1);
});

test.each([
  ["claude-code", { tool_name: "mcp__github__create_issue" }],
  ["gemini", { tool_name: "mcp_github_create_issue" }],
  ["copilot", { toolName: "github-create_issue", toolArgs: {}, sessionId: "s1" }],
  ["copilot", { toolName: "github-mcp-server-create_issue", toolArgs: {}, sessionId: "s1" }],
  [
    "gemini",
    { tool_name: "mcp_github_create_issue", mcp_context: { server_name: "github", tool_name: "create_issue" } },
  ],
])("a rule for a tool of an MCP server applies to the name that %s gives it: %j", async (host, named) => {
  const other = machine();
  try {
    const rule = "{ name: no-issues, match: { tool: github/create_issue }, tier: deny, because: no issues }";
    await setUpAna(other, `version: 1\ntier: notify\nrules:\n  - ${rule}\n`);
    const event = host === "gemini" ? "BeforeTool" : "PreToolUse";
    const input = { ...before("x", { title: "a" }), ...named, cwd: other.project, hook_event_name: event };
    const ran = await leeway(other, ["hook", host], { stdin: JSON.stringify(input) });
    expect(ran.stdout).toMatch(/no issues/);
  } finally {
    other.remove();
  }
});

test("an installed hook uses the gate of its own variables, whatever the host's variables say", async () => {
  const call = before("Bash", { command: "curl -X POST https://example.com -d a=1" });
  const other = join(on.home, "other");
  mkdirSync(join(other, "leeway"), { recursive: true, mode: 0o700 });
  const loose = join(on.home, "loose.yaml");
  writeFileSync(loose, "version: 1\ntier: auto\n");
  const env = { XDG_STATE_HOME: other, LEEWAY_POLICY: loose, HOME: other, LEEWAY_DB: join(other, "x.db") };
  const own = ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"].flatMap((name) => ["--env", `${name}=${on.env[name]}`]);
  const ran = await leeway(on, ["hook", "claude-code", ...own], { stdin: JSON.stringify(call), env });
  expect(decision(ran)["permissionDecision"]).toBe("ask");
  expect(existsSync(join(other, "x.db"))).toBe(false);
});

test("a hook does not use a policy that only a variable names", async () => {
  const loose = join(on.home, "loose.yaml");
  writeFileSync(loose, "version: 1\ntier: auto\n");
  const ran = await leeway(on, ["hook", "claude-code"], {
    stdin: JSON.stringify(before("Read", { file_path: `${on.project}/a.txt` })),
    env: { LEEWAY_POLICY: loose },
  });
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, "", expect.stringContaining("LEEWAY_POLICY is set")]);
});

test("init puts the hook into the settings of Claude Code, once, and undo restores them byte for byte", async () => {
  const file = join(on.project, ".claude", "settings.local.json");
  const mine = '{\n\t// mine\n\t"model": "opus"\n}\n';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, mine);
  const shown = await leeway(on, ["init", "claude-code", "--dry-run", "--json"]);
  expect([shown.code, readFileSync(file, "utf8")]).toEqual([0, mine]);
  expect(shown.stderr).toContain("PreToolUse");
  const first = await leeway(on, ["init", "claude-code", "--yes", "--json"]);
  expect(JSON.parse(first.stdout)).toEqual({ hosts: [{ host: "claude-code", file, changed: true, dangers: [] }] });
  const text = readFileSync(file, "utf8");
  expect(text).toContain("// mine");
  const second = await leeway(on, ["init", "claude-code", "--yes", "--json"]);
  expect([JSON.parse(second.stdout).hosts[0].changed, readFileSync(file, "utf8")]).toEqual([false, text]);
  const undone = await leeway(on, ["init", "claude-code", "--undo", "--yes", "--json"]);
  expect([undone.code, readFileSync(file, "utf8")]).toEqual([0, mine]);
});

test("the command that init installs answers as the hook", async () => {
  const file = join(on.project, ".claude", "settings.local.json");
  await leeway(on, ["init", "claude-code", "--yes"]);
  const { hooks } = JSON.parse(readFileSync(file, "utf8").replaceAll(/\/\/ .*/g, ""));
  const [{ command, args }] = hooks.PreToolUse[0].hooks;
  const [node, entry, ...words] = args.slice(args.indexOf("leeway") + 1);
  expect([command, node, existsSync(entry), words]).toEqual([
    "/usr/bin/env",
    process.execPath,
    true,
    [
      ...[
        "hook",
        "claude-code",
        "--env",
        `HOME=${on.env["HOME"]}`,
        "--env",
        `XDG_STATE_HOME=${on.env["XDG_STATE_HOME"]}`,
      ],
      ...["--env", `XDG_CONFIG_HOME=${on.env["XDG_CONFIG_HOME"]}`, "--env", "LEEWAY_RESIDENT=off", "--timeout", "600"],
    ],
  ]);
  await leeway(on, ["init", "claude-code", "--undo", "--yes"]);
});

test("for all projects of the user, Gemini CLI also gets a policy file, so that it does not ask again; undoing deletes it", async () => {
  const file = join(on.home, ".gemini", "policies", "leeway.toml");
  const init = (...more: string[]) => leeway(on, ["init", "gemini", "--user", "--yes", ...more]);
  await init("--dry-run");
  expect(existsSync(file)).toBe(false);
  await init();
  const text = readFileSync(file, "utf8");
  expect(text).toContain('decision = "allow"');
  await init();
  expect(readFileSync(file, "utf8")).toBe(text);
  await init("--undo");
  expect([existsSync(file), existsSync(join(on.home, ".gemini", "settings.json"))]).toEqual([false, false]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "# mine\n");
  expect((await init()).stderr).toContain("somebody else wrote it");
  expect(readFileSync(file, "utf8")).toBe("# mine\n");
  rmSync(file);
});

test("without a terminal and without --yes, init changes no settings", async () => {
  const file = join(on.project, ".gemini", "settings.json");
  const ran = await leeway(on, ["init", "gemini"]);
  expect([ran.code, existsSync(file)]).toEqual([5, false]);
});
