import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine, program, type Ran } from "./program.ts";

// Commands of hosts that run in a box: the hook answers with another command, and that command is started here as the host
// would. These tests need a machine that can make boxes.

const on: Machine = machine();
const box = join(on.home, "state", "leeway", "box");
beforeAll(async () => {
  await setUpAna(on, "version: 1\npreset: standard\napprovals: { selfReview: true }\n");
  mkdirSync(join(on.project, "sub"));
});
afterAll(() => on.remove());

type Told = Record<string, unknown>;

let calls = 0;
function before(command: string, more: Told = {}, args: Told = {}): Told {
  calls += 1;
  return {
    session_id: "s1",
    transcript_path: "/tmp/t.jsonl",
    cwd: on.project,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command, ...args },
    tool_use_id: `toolu_${calls}`,
    ...more,
  };
}

const hook = (input: Told, host = "claude-code") => leeway(on, ["hook", host], { stdin: JSON.stringify(input) });

function answerOf(ran: Ran): Told {
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  return JSON.parse(ran.stdout).hookSpecificOutput;
}

/** The arguments with which the host has to run the call instead. */
async function changed(input: Told, host = "claude-code"): Promise<Told & { command: string }> {
  const { permissionDecision, updatedInput } = answerOf(await hook(input, host));
  expect(permissionDecision).toBe("allow");
  return updatedInput as Told & { command: string };
}

/** The reason of a question of a hook that runs where no namespaces can be made, as in many containers. */
async function whyIn(env: Record<string, string>, args: readonly string[], input: string): Promise<string> {
  const walled = ["--bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-user", "--disable-userns"];
  const child = spawn("bwrap", [...walled, process.execPath, program(), ...args], { cwd: on.project, env });
  child.stdin.end(input);
  return JSON.parse(await text(child.stdout)).hookSpecificOutput.permissionDecisionReason;
}

type Started = { ended: Promise<Ran>; pid: number };

/** Starts a text as hosts do: by a shell, in the folder of the call. */
function start(text: string, cwd = on.project): Started {
  const child = spawn("/bin/bash", ["-c", text], {
    cwd,
    env: on.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const ended = new Promise<Ran>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code: code ?? (signal === null ? -1 : 128), stdout, stderr }));
  });
  return { ended, pid: child.pid ?? 0 };
}

function script(name: string, ...lines: string[]): void {
  writeFileSync(join(on.project, name), `${lines.join("\n")}\n`);
}

/** The kinds of entries about the call that a command starts. */
async function kinds(command: string): Promise<string[]> {
  const id = /--call (call_\w+)/.exec(command)?.[1];
  const { stdout } = await leeway(on, ["log", "--json"]);
  const lines = stdout.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line)).flatMap(({ kind, subject }) => (subject.call === id ? [kind] : []));
}

test("an unread script runs in a box without a question, its changes are applied, and its exit code arrives", async () => {
  script("unread.py", "import sys", 'open("made.txt", "w").write("made")', 'print("said")', "sys.exit(7)");
  const input = before("python3 unread.py", {}, { description: "a test", timeout: 1000 });
  const args = await changed(input);
  expect(args).toEqual({ command: expect.stringContaining(" box --call call_"), description: "a test", timeout: 1000 });
  expect(await start(args.command).ended).toEqual({ code: 7, stdout: "said\n", stderr: "" });
  expect(readFileSync(join(on.project, "made.txt"), "utf8")).toBe("made");
  const recorded = ["call.decided", "execution.claimed", "execution.failed"];
  expect(await kinds(args.command)).toEqual(recorded);
  // What the host tells afterwards changes nothing, whichever arguments it names.
  for (const tool_input of [args, input["tool_input"]])
    for (const hook_event_name of ["PostToolUse", "PostToolUseFailure"])
      expect(await hook({ ...input, hook_event_name, tool_input, tool_response: "said", error: "7" })).toEqual({
        code: 0,
        stdout: "",
        stderr: "",
      });
  expect(await kinds(args.command)).toEqual(recorded);
  const again = await start(args.command).ended;
  expect([again.code, again.stderr]).toEqual([5, expect.stringMatching(/nothing was run: .*LEEWAY_ALREADY_CLAIMED/)]);
  expect((await leeway(on, ["verify", "--json"])).code).toBe(0);
});

test("what the walls refuse fails in the box, and the agent is told in one line", async () => {
  script(
    "reaches.py",
    "import os, socket",
    "open(os.path.expanduser('~/out.txt'), 'w')",
    "try: socket.create_connection(('192.0.2.1', 80), 5)",
    "except OSError as error: print(error.strerror)",
    "open('/usr/out.txt', 'w')",
  );
  const { command } = await changed(before("python3 reaches.py"));
  const ran = await start(command).ended;
  expect([ran.code, ran.stdout]).toEqual([1, "Network is unreachable\n"]);
  expect(ran.stderr).toMatch(/^leeway: This box does not let the program write there: \/usr\/out\.txt/m);
  // The home folder is a copy while a command is rehearsed, and what was written there is dropped.
  expect([existsSync(join(on.home, "out.txt")), existsSync("/usr/out.txt")]).toEqual([false, false]);
});

test("a command with a way to the network tells where it ended, as every other does, and writes nothing of its own", async () => {
  const { command } = await changed(before("cd sub && curl -s --max-time 5 http://name.invalid; true"));
  const ran = await start(`${command}\necho $? $(realpath --relative-to ${on.project} .)`).ended;
  expect(ran.stdout.split("\n").at(-2)).toBe("0 sub");
  expect(ran.stderr).not.toContain("descriptor");
});

test("the host's shell goes where the command went, if that folder is there, and keeps its exit code", async () => {
  const texts: [string, string][] = [
    ["cd sub", "0 sub\n"],
    ["cd sub && exit 3", "3 sub\n"],
    ["(cd sub); false", "1 .\n"],
    ["mkdir new && cd new && echo it", "it\n0 new\n"],
    ["cd $(mktemp -d)", "0 .\n"],
  ];
  for (const [text, end] of texts) {
    const { command } = await changed(before(text));
    const ran = await start(`${command}\necho $? $(realpath --relative-to ${on.project} .)`).ended;
    expect([text, ran.stdout, ran.stderr]).toEqual([text, end, ""]);
  }
}, 120_000);

test("programs that a command leaves in the background end with it, and agent and record are told their names", async () => {
  const untilStarted = 'until [ "$(cat /proc/$!/comm)" = tail ]; do :; done';
  script("late.sh", "tail -f /dev/null > late.txt &", untilStarted, "echo started");
  const { command: text } = await changed(before("bash late.sh; false"));
  expect(await start(text).ended).toEqual({
    code: 1,
    stdout: "started\n",
    stderr: `leeway: programs still ran in the background when the command ended, and the box ended them: tail
  hint: what they had not written yet is lost; wait for them in the same command, or start them as a background command of their own\n`,
  });
  const [call = ""] = /call_[0-9a-f]+/.exec(text) ?? [];
  const { came } = JSON.parse((await leeway(on, ["show", call, "--json"])).stdout);
  expect(JSON.parse(came.output)).toEqual({ left: ["tail"] });
});

test("a command that waits for its programs, or has none, is told nothing", async () => {
  for (const command of ["sleep 0.1 & wait; echo done", "bash -c 'echo done'", "echo done | cat"]) {
    const { command: text } = await changed(before(command));
    expect(await start(text).ended).toEqual({ code: 0, stdout: "done\n", stderr: "" });
  }
});

test("what the hook has answered is allowed when the host shows it, and nothing that only looks like it", async () => {
  const input = before("cat unread.py");
  const args = await changed(input);
  const prompt = (tool_input: Told) =>
    hook({ ...input, hook_event_name: "PermissionRequest", tool_use_id: undefined, tool_input });
  expect(JSON.parse((await prompt(args)).stdout).hookSpecificOutput.decision).toEqual({ behavior: "allow" });
  for (const command of [
    `${args.command}; rm -r sub`,
    args.command.replace("box --call", "box  --call"),
    "cat unread.py",
  ])
    expect((await prompt({ ...args, command })).stdout).toBe("");
  // A second hook of the same host sees the changed arguments.
  expect(answerOf(await hook({ ...input, tool_input: args }))["permissionDecision"]).toBe("allow");
  const own = [args.command, /(?<=\$\().* --tell-folder/.exec(args.command)?.[0] ?? "", "leeway box --call call_x"];
  for (const command of own)
    expect([command, answerOf(await hook(before(command)))["permissionDecision"]]).toEqual([command, "deny"]);
  expect((await start(args.command).ended).code).toBe(0);
  expect((await prompt(args)).stdout).toBe("");
}, 120_000);

test("a call whose hook was asked again gets the same answer, and every other call its own", async () => {
  const input = before("echo once >> counted.txt");
  const first = await changed(input);
  // The host was ended after the answer, and asks again when it is started again.
  expect(await changed(input)).toEqual(first);
  const other = await changed(before("echo once >> counted.txt"));
  expect(other).not.toEqual(first);
  const twice = await Promise.all([first, first].map(({ command }) => start(command).ended));
  expect(twice.map(({ code }) => code).sort()).toEqual([0, 5]);
  expect(readFileSync(join(on.project, "counted.txt"), "utf8")).toBe("once\n");
  // It was decided when the file was not there yet.
  const late = await start(other.command).ended;
  expect([late.code, late.stderr]).toEqual([5, expect.stringContaining("is not what it was when it was approved")]);
  const { command } = await changed(before("echo once >> counted.txt"));
  expect((await start(command).ended).code).toBe(0);
  expect(readFileSync(join(on.project, "counted.txt"), "utf8")).toBe("once\nonce\n");
});

test("if the box is killed, nothing is applied, and nobody says that the command went well", async () => {
  script(
    "slow.py",
    "import time",
    'open("early.txt", "w").write("x")',
    'print("started", flush=True)',
    "time.sleep(60)",
  );
  const input = before("python3 slow.py");
  const { command } = await changed(input);
  const { ended, pid } = start(`${command}`);
  for (let tries = 0; !(await kinds(command)).includes("execution.claimed"); tries++) expect(tries).toBeLessThan(200);
  process.kill(-pid, "SIGKILL");
  expect((await ended).code).not.toBe(0);
  expect(await hook({ ...input, hook_event_name: "PostToolUse", tool_response: "x" })).toMatchObject({ code: 0 });
  expect(await kinds(command)).toEqual(["call.decided", "execution.claimed"]);
  expect((await start(command).ended).code).toBe(5);
  expect(existsSync(join(on.project, "early.txt"))).toBe(false);
}, 120_000);

test("if the box cannot be made, nothing runs", async () => {
  const { command } = await changed(before("echo ran > unmade.txt"));
  rmSync(join(box, "empty"));
  mkdirSync(join(box, "empty"));
  try {
    const ran = await start(command).ended;
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([
      5,
      "",
      expect.stringMatching(/box could not be made, so nothing/),
    ]);
  } finally {
    rmSync(join(box, "empty"), { recursive: true });
  }
  expect(existsSync(join(on.project, "unmade.txt"))).toBe(false);
});

test("a machine that could not make boxes is tried again after a minute, and not by every hook", async () => {
  expect(await changed(before("python3 unread.py"))).toEqual({ command: expect.stringContaining(" box --call call_") });
  const file = join(box, "ability.json");
  const yes = readFileSync(file, "utf8");
  const no = JSON.stringify({ facts: JSON.parse(yes).facts, why: "a wall did not hold", hint: "report this" });
  writeFileSync(file, no);
  try {
    expect(answerOf(await hook(before("python3 unread.py")))).toMatchObject({ permissionDecision: "ask" });
    expect(answerOf(await hook(before("cat unread.py")))).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
    });
    expect(readFileSync(file, "utf8")).toBe(no);
    const minuteAgo = Date.now() / 1000 - 61;
    utimesSync(file, minuteAgo, minuteAgo);
    expect(await changed(before("python3 unread.py"))).toEqual({
      command: expect.stringContaining(" box --call call_"),
    });
  } finally {
    writeFileSync(file, yes);
  }
});

test("the person at the host is told once why no box can be made", async () => {
  const env = { ...on.env, XDG_STATE_HOME: join(on.home, "walled") };
  const asked = () => whyIn(env, ["hook", "claude-code"], JSON.stringify(before("python3 unread.py")));
  expect(await asked()).toMatch(/no box can be made here \(a box was tried and did not start \(bwrap: .*\)\)/);
  expect(await asked()).not.toMatch(/no box/);
});

test("a command in the background runs in a live box, is listed while it runs, and ends with what the host ends", async () => {
  script("server.py", "import time", 'open("seen.txt", "w").write("1")', "time.sleep(600)");
  const args = await changed(before("python3 server.py", {}, { run_in_background: true }));
  expect(args).toEqual({ command: expect.stringContaining(" box --call call_"), run_in_background: true });
  const running = start(args.command);
  await expect.poll(() => existsSync(join(on.project, "seen.txt"))).toBe(true);
  const listed = JSON.parse((await leeway(on, ["box", "list", "--json"])).stdout) as Told[];
  expect(listed.map(({ command, agent, state }) => [command, agent, state])).toEqual([
    ["python3 server.py", "claude-code", "running"],
  ]);
  process.kill(-running.pid, "SIGTERM");
  expect((await running.ended).code).toBe(143);
  expect((await leeway(on, ["box", "list", "--json"])).stdout).toBe("[]\n");
});

test("a command with an argument that nobody knows is not started in a box", async () => {
  for (const args of [{ dangerouslyDisableSandbox: true }, { shell: "/bin/zsh" }])
    expect(answerOf(await hook(before("python3 unread.py", {}, args)))).toMatchObject({ permissionDecision: "ask" });
  const gemini = { hook_event_name: "BeforeTool", tool_name: "run_shell_command" };
  const { stdout } = await hook(before("python3 unread.py", gemini), "gemini");
  expect(JSON.parse(stdout)).toMatchObject({ decision: "deny" });
});

test("Codex and VS Code are told the words alone, and VS Code only about commands that stay in their folder", async () => {
  const codex = await changed(before("python3 unread.py", { turn_id: "t", model: "m" }), "codex");
  expect(codex.command).toMatch(
    /^\/usr\/bin\/env (-u \w+ )+\/bin\/sh -c '[^']+' leeway \S+ \S+ box --call \w+ --settings \S+$/,
  );
  expect((await start(codex.command).ended).code).toBe(7);
  const terminal = { tool_name: "run_in_terminal" };
  const args = { explanation: "a test", isBackground: false };
  const vscode = await changed(before("python3 unread.py", terminal, args), "vscode");
  expect(vscode).toEqual({
    command: expect.stringMatching(
      /^\/usr\/bin\/env (-u \w+ )+\/bin\/sh -c '[^']+' leeway \S+ \S+ box --call \w+ --settings \S+$/,
    ),
    ...args,
  });
  const moving = answerOf(await hook(before("cd sub && python3 ../unread.py", terminal, args), "vscode"));
  expect(moving).toMatchObject({ permissionDecision: "ask" });
});

test("the call is judged by what the hook saw, and by files as they are when it starts", async () => {
  const { command } = await changed(before("python3 unread.py"));
  script("unread.py", 'open("other.txt", "w")');
  const ran = await start(
    `PATH=/nowhere:$PATH XDG_STATE_HOME=/nowhere ${command.includes("{") ? "true;" : ""} ${command}`,
  ).ended;
  expect([ran.code, ran.stderr]).toEqual([5, expect.stringMatching(/nothing was run: .*unread\.py/)]);
  const shellOwn = await changed(before("cat unread.py"));
  const elsewhere = `export PATH=$HOME/bin:$PATH SHELL=/bin/other XDG_STATE_HOME=/nowhere LEEWAY_POLICY=x.yaml; ${shellOwn.command}`;
  expect(await start(elsewhere).ended).toEqual({ code: 0, stdout: 'open("other.txt", "w")\n', stderr: "" });
});

test("a command that the host starts in another folder than it told the hook does not run", async () => {
  const { command } = await changed(before("cat unread.py"));
  const ran = await start(command, join(on.project, "sub")).ended;
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([5, "", expect.stringMatching(/project\/sub, but was judged in/)]);
  expect((await start(command).ended).code).toBe(0);
});

test("settings that another program wrote are not used", async () => {
  const { command } = await changed(before("cat unread.py"));
  const file = /--settings (\S+)/.exec(command)?.[1] ?? "";
  const copy = join(on.home, `${createHash("sha256").update(file).digest("hex")}.json`);
  writeFileSync(copy, readFileSync(file), { mode: 0o644 });
  const ran = await start(command.replace(file, copy)).ended;
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([5, "", expect.stringMatching(/settings .* cannot be used/)]);
});

test("a command that is started in a folder outside of the project is told that files there are not kept", async () => {
  const input = before("python3 -c \"open('x1', 'w').write('x')\"", { cwd: on.home });
  const env = { CLAUDE_PROJECT_DIR: on.project };
  const answer = answerOf(await leeway(on, ["hook", "claude-code"], { stdin: JSON.stringify(input), env }));
  const { command } = answer["updatedInput"] as { command: string };
  const { code, stderr } = await start(command, on.home).ended;
  const said = `leeway: Left out, because it cannot be applied: ${on.home}/x1 (what is written in the home folder is thrown away). All other changes count.
  hint: to ask a person to let it run without a box, put LEEWAY_BOX=off before the command
leeway: ${on.home} is not in the project ${on.project}: files that were written there are not kept
  hint: run the command in the project, or put LEEWAY_BOX=off before it, and a person is asked\n`;
  expect([code, stderr, existsSync(join(on.home, "x1"))]).toEqual([0, said, false]);
});
