import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { PASSPHRASE, setUpAna } from "./person.ts";
import { leeway, type Machine, machine, program, type Ran } from "./program.ts";
import { screen } from "./screen.ts";

// Programs in the background change files where they are, while the agent that started them goes on. These tests need a machine that can
// make boxes.

const UPSTREAM = fileURLToPath(new URL("../mcp/upstream.mjs", import.meta.url));
const POLICY = `version: 1
preset: standard
human: { not: [permissions.change] }
tools: { "mcp:files/echo": { class: fs.read } }
`;

const on: Machine = machine();
beforeAll(() => setUpAna(on, POLICY));
afterEach(() => stopAll());
afterAll(() => on.remove());

const stopAll = async () => {
  for (const { call } of await list()) await leeway(on, ["box", "stop", call]);
};
const list = async () => JSON.parse((await leeway(on, ["box", "list", "--json"])).stdout) as { call: string }[];

async function started(script: string): Promise<string> {
  writeFileSync(join(on.project, "beside.sh"), script);
  const ran = await leeway(on, ["run", "--json", "--background", "--", "bash", "beside.sh"]);
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  return JSON.parse(ran.stdout).call;
}

let calls = 0;
const told = (event: string, tool: string, args: object, id: string) => ({
  ...{ session_id: "s1", cwd: on.project, hook_event_name: event, tool_name: tool, tool_input: args, tool_use_id: id },
});

async function hook(host: string, input: object): Promise<Ran> {
  return leeway(on, ["hook", host, "--timeout", "600"], { stdin: JSON.stringify(input) });
}

async function before(
  tool: string,
  args: object,
  host = "claude-code",
): Promise<{ id: string; says: string; why: string }> {
  const id = `toolu_${++calls}`;
  const ran = await hook(host, told("PreToolUse", tool, args, id));
  if (ran.stdout === "") return { id, says: `exit ${ran.code}`, why: ran.stderr };
  const { permissionDecision, permissionDecisionReason = "" } = JSON.parse(ran.stdout).hookSpecificOutput;
  return { id, says: permissionDecision, why: permissionDecisionReason };
}

const after = (tool: string, args: object, id: string) =>
  hook("claude-code", { ...told("PostToolUse", tool, args, id), tool_response: "read" });

const removed = () => {
  const folder = join(on.home, "state", "leeway", "box", "removed");
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
};

/** How far the program has counted. */
const count = () => Number(readFileSync(join(on.project, "count"), "utf8"));
const COUNTING = "n=0; while :; do n=$((n+1)); echo $n >next; mv next count; sleep 0.01; done\n";
const isCounting = async (): Promise<boolean> => {
  const from = count();
  await new Promise((resolve) => setTimeout(resolve, 300));
  return count() !== from;
};

test("while a program in the background changes files, a command without walls that opens files asks, by hook and by run", async () => {
  mkdirSync(join(on.project, "e1"), { recursive: true });
  writeFileSync(join(on.project, "e1", "f.txt"), "a");
  const bare = ["ps >/dev/null; cat e1/f.txt; git -C e1 status", "docker ps; cat e1/f.txt", "ps; git -C e1 status"];
  const tierOf = async (command: string) => {
    const ran = await leeway(on, ["run", "--json", "--wait", "1s", "--", "bash", "-c", command]);
    return JSON.parse(ran.stdout.split("\n")[0] ?? "{}").outcome;
  };
  expect((await before("Bash", { command: bare[0] })).says).toBe("allow");
  await started(COUNTING);
  await expect.poll(() => existsSync(join(on.project, "count"))).toBe(true);
  for (const command of bare) expect((await before("Bash", { command })).says).not.toBe("allow");
  expect(await tierOf(bare[0] ?? "")).toBe("pending");
  expect((await before("Bash", { command: "ps" })).says).toBe("allow");
  expect((await before("Bash", { command: "cat e1/f.txt" })).says).toBe("allow");
});

test("a program in the background stands still until the host says that the call of its file tool has ended, also for calls at once", async () => {
  await started(COUNTING);
  await expect.poll(() => existsSync(join(on.project, "count"))).toBe(true);
  const args = { file_path: join(on.project, "beside.sh") };
  const [one, other] = await Promise.all([before("Read", args), before("Read", args)]);
  expect([one.says, other.says, await isCounting()]).toEqual(["allow", "allow", false]);
  await after("Read", args, one.id);
  expect(await isCounting()).toBe(false);
  await after("Read", args, other.id);
  expect(await isCounting()).toBe(true);
  const command = await before("Bash", { command: "cat beside.sh" });
  expect([command.says, await isCounting()]).toEqual(["allow", true]);
});

test("a file that a program in the background swaps for a link is never opened at another place than was decided about", async () => {
  for (const folder of [join(on.project, "a/real"), join(on.home, ".aws")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(on.project, "a/real/config"), "plain");
  writeFileSync(join(on.home, ".aws/config"), "SECRET");
  await started(
    `cd a; while :; do mv real kept; ln -s ../../.aws real; rm real; mv kept real; touch ../swapping; done\n`,
  );
  await expect.poll(() => existsSync(join(on.project, "swapping"))).toBe(true);
  const args = { file_path: join(on.project, "a/real/config") };
  const seen = new Set<string>();
  const said = new Set<string>();
  for (let tries = 0; tries < 12; tries++) {
    const { id, says } = await before("Read", args);
    said.add(says);
    // What the host would read now.
    if (says === "allow") seen.add(existsSync(args.file_path) ? readFileSync(args.file_path, "utf8") : "nothing");
    await after("Read", args, id);
  }
  expect([seen.has("SECRET"), said.has("allow")]).toEqual([false, true]);
});

test("where a host does not say when a call has ended, people are asked about files while a program in the background runs", async () => {
  await started(COUNTING);
  await expect.poll(() => existsSync(join(on.project, "count"))).toBe(true);
  const { says, why } = await before("Read", { file_path: join(on.project, "beside.sh") }, "vscode");
  expect([says, why]).toEqual([
    "ask",
    expect.stringContaining("could put a link in the place of a file that this call opens"),
  ]);
  expect(await isCounting()).toBe(true);
});

test("what a program in the background leaves for others to run is put aside before the next call is decided, and a person is told", async () => {
  mkdirSync(join(on.project, "x/y/z"), { recursive: true });
  mkdirSync(join(on.project, "x/y/old/.vscode"), { recursive: true });
  writeFileSync(join(on.project, "x/y/old/.vscode/tasks.json"), "{}");
  symlinkSync("old", join(on.project, "x/y/.idea"));
  const places = [
    "x/y/.idea",
    "x/y/z/.git",
    "x/y/.vscode",
    "x/y/.envrc",
    "x/y/z/CLAUDE.md",
    "x/y/.npmrc",
    "x/y/bare/HEAD",
  ];
  const call = await started(`cd x/y; git init -q z; git -C z config core.fsmonitor ./evil; mkdir .vscode
echo '{}' >.vscode/tasks.json; echo >.envrc; echo >z/CLAUDE.md; echo >.npmrc; git init -q --bare bare; mkdir dist; echo '{}' >dist/package.json
rm .idea; mkdir .idea
echo evil >old/.vscode/tasks.json; echo done >../../planted; sleep 1000\n`);
  await expect.poll(() => existsSync(join(on.project, "planted"))).toBe(true);
  const { says, why } = await before("Bash", { command: "git status" });
  expect([says, why]).toEqual(["ask", expect.stringContaining("a program in the background left files")]);
  expect(places.filter((path) => existsSync(join(on.project, path)))).toEqual([]);
  expect(existsSync(join(on.project, "x/y/dist/package.json"))).toBe(true);
  expect(readFileSync(join(on.project, "x/y/old/.vscode/tasks.json"), "utf8")).toBe("{}");
  expect(removed().filter((path) => path.endsWith("x/y/z/.git/config"))).toHaveLength(1);
  expect((await before("Bash", { command: "git status" })).says).toBe("allow");
  await leeway(on, ["box", "stop", call]);
  expect((await leeway(on, ["why", call])).stdout).toContain("x/y/z/.git");
  rmSync(join(on.project, "x"), { recursive: true });
});

test("if a program in the background ended and nobody looked at what it left, the next call is asked about", async () => {
  const call = await started("touch lost.txt; sleep 1000\n");
  await expect.poll(() => existsSync(join(on.project, "lost.txt"))).toBe(true);
  const file = join(on.home, "state", "leeway", "box", "kept", call, "box.json");
  process.kill(JSON.parse(readFileSync(file, "utf8")).keeper.pid, "SIGKILL");
  await expect.poll(async () => (await list()).length).toBe(0);
  const { says, why } = await before("Read", { file_path: join(on.project, "beside.sh") });
  expect([says, why]).toEqual(["ask", expect.stringContaining("nobody has looked at what it left")]);
  expect((await before("Read", { file_path: join(on.project, "beside.sh") })).says).toBe("allow");
});

test("a file that people follow stays if the agent program wrote it after its user was asked", async () => {
  await started(COUNTING);
  await expect.poll(() => existsSync(join(on.project, "count"))).toBe(true);
  mkdirSync(join(on.project, "p/q"), { recursive: true });
  const args = { file_path: join(on.project, "p/q/CLAUDE.md"), content: "a" };
  const { id, says } = await before("Write", args);
  writeFileSync(args.file_path, "a");
  await after("Write", args, id);
  const read = { file_path: join(on.project, "beside.sh") };
  expect([says, (await before("Read", read)).says, existsSync(args.file_path)]).toEqual(["ask", "allow", true]);
});

/** What a client of the gateway is answered when it calls the tool. */
async function asClient(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program(), ...args], { cwd: on.project, env: on.env });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const clientInfo = { name: "tester", version: "1" };
  const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const call = { name: "echo", arguments: { text: "hi" } };
  let said = "";
  for (const [id, [method, params]] of [["initialize", hello] as const, ["tools/call", call] as const].entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    said = (await lines.next()).value ?? "";
  }
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdin.end();
  await ended;
  return said;
}

test("a tool of an MCP server that opens files is asked about while a program in the background runs", async () => {
  const words = ["--name", "files", "--", process.execPath, UPSTREAM, join(on.home, "journal.jsonl")];
  const pin = screen(on, ["mcp", "pin", "--as", "ana", ...words], { columns: 120 });
  await pin.shows("Accept all");
  pin.type("y");
  await pin.shows("passphrase of ana");
  pin.type(`${PASSPHRASE}\r`);
  expect(await pin.ended).toBe(0);
  await started(COUNTING);
  await expect.poll(() => existsSync(join(on.project, "count"))).toBe(true);
  const answer = () => asClient(["mcp", "--hold", "1", ...words]);
  expect(await answer()).toContain("LEEWAY_PENDING");
  await stopAll();
  expect(await answer()).toContain('"text":"hi"');
});
