import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installedHook } from "../../src/hooks/install/installed-hook.ts";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";

// Variables that a host takes from files of a project and gives to its hooks.

const on: Machine = machine();
const mark = join(on.home, "ran");
const code = join(on.home, "code.cjs");
beforeAll(async () => {
  await setUpAna(on);
  writeFileSync(code, `require("node:fs").writeFileSync(${JSON.stringify(mark)}, ""); process.exit(0);`);
  writeFileSync(shellCode, `touch ${mark}\n`);
  writeFileSync(broken, "nodejs_conf = no\n[no\n");
});
afterAll(() => on.remove());

const broken = join(on.home, "broken.cnf");
const written = ["coverage", "compiled"].map((name) => join(on.home, name));
/** Each of them runs code, writes files or ends Node before a program begins. Older versions of Node do not know all of them. */
const hostile = () => ({
  ...on.env,
  NODE_OPTIONS: `--require ${code}`,
  NODE_V8_COVERAGE: written[0],
  NODE_COMPILE_CACHE: written[1],
  OPENSSL_CONF: broken,
  BASH_ENV: shellCode,
  ENV: shellCode,
  SHELLOPTS: "xtrace",
  PS4: `$(touch ${mark})`,
});
const shellCode = join(on.home, "code.sh");
/** What the variables did. */
const done = () => [mark, ...written].filter((path) => existsSync(path));
const call = (more: object) =>
  JSON.stringify({
    session_id: "s",
    cwd: on.project,
    tool_name: "Bash",
    tool_input: { command: "rm -rf /srv" },
    ...more,
  });

test.each([
  ["claude-code", ".claude/settings.local.json", "PreToolUse", {}],
  ["codex", ".codex/hooks.json", "PreToolUse", {}],
  ["gemini", ".gemini/settings.json", "BeforeTool", { tool_name: "run_shell_command" }],
  [
    "copilot",
    ".github/copilot/settings.local.json",
    "",
    { sessionId: "s", toolName: "bash", toolArgs: { command: "rm -rf /srv" } },
  ],
  ["vscode", ".github/hooks/leeway-vscode.json", "PreToolUse", { tool_name: "run_in_terminal" }],
])("code that variables of the host name does not run in the installed hook of %s", async (host, file, event, more) => {
  expect((await leeway(on, ["init", host, "--yes"])).code).toBe(0);
  const found = installedHook(host, readFileSync(join(on.project, file), "utf8"));
  if (found === undefined) throw new Error("there is no hook");
  const words = "words" in found.start ? found.start.words : ["/bin/sh", "-c", found.start.line];
  const input = call({ hook_event_name: event, ...more });
  const [program = "", ...args] = words;
  const ran = spawnSync(program, args, { input, env: hostile(), cwd: on.project, encoding: "utf8" });
  expect(done()).toEqual([]);
  expect(`${ran.stdout}${ran.stderr}`).toContain("trees are not an agent's business");
});

test("the same variables do harm in a program that is started without this care", () => {
  const { OPENSSL_CONF, ...others } = hostile();
  spawnSync(process.execPath, ["-e", "0"], { env: others });
  expect(done()).toContain(mark);
  expect(spawnSync(process.execPath, ["-e", "0"], { env: { ...on.env, OPENSSL_CONF } }).status).not.toBe(0);
  for (const path of done()) rmSync(path, { recursive: true });
});

test("a variable whose text has a line that looks like another variable gets no answer but no", async () => {
  expect((await leeway(on, ["init", "claude-code", "--yes"])).code).toBe(0);
  const found = installedHook("claude-code", readFileSync(join(on.project, ".claude/settings.local.json"), "utf8"));
  if (found === undefined || !("words" in found.start)) throw new Error("there is no hook");
  const [program = "", ...args] = found.start.words;
  const env = { ...on.env, NOTE: `a\nPATH=${on.project}` };
  const ran = spawnSync(program, args, { input: "{}", env, cwd: on.project, encoding: "utf8" });
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([
    2,
    "",
    "leeway: the variables of the host have PATH twice: start the host without a variable that has this name in its text\n",
  ]);
});

test("doctor says that a hook of an earlier version starts with the variables of its host", async () => {
  expect((await leeway(on, ["init", "codex", "--yes"])).code).toBe(0);
  const file = join(on.project, ".codex", "hooks.json");
  const text = readFileSync(file, "utf8");
  const old = JSON.parse(text);
  for (const [hook] of Object.values<{ hooks: { command: string }[] }[]>(old.hooks).map(
    ([entry]) => entry?.hooks ?? [],
  ))
    if (hook !== undefined) hook.command = `NODE_OPTIONS= ${hook.command.replace(/^.*?' leeway /, "")}`;
  writeFileSync(file, JSON.stringify(old));
  const said = (await leeway(on, ["doctor", "--json"])).stdout;
  writeFileSync(file, text);
  const sentence =
    "codex: the hook starts with the variables of codex, by which files of a project can have code answer in its place";
  expect([said.includes(sentence), (await leeway(on, ["doctor", "--json"])).stdout.includes(sentence)]).toEqual([
    true,
    false,
  ]);
});

test("code that variables name does not run in the hook that the plugin of opencode starts", async () => {
  expect((await leeway(on, ["init", "opencode", "--yes"])).code).toBe(0);
  const plugin = pathToFileURL(join(on.project, ".opencode", "plugin", "leeway.js")).href;
  const before = `(await Leeway({ client: {}, directory: ${JSON.stringify(on.project)} }))["tool.execute.before"]`;
  // Node, in which the plugin runs here, hands this one over to what it starts.
  const { NODE_V8_COVERAGE: _, ...others } = hostile();
  const script = `Object.assign(process.env, ${JSON.stringify({ ...others, LD_PRELOAD: "/nowhere.so" })});
const { Leeway } = await import(${JSON.stringify(plugin)});
await ${before}({ tool: "bash", sessionID: "s", callID: "c" }, { args: { command: "rm -rf /srv" } }).catch(({ message }) => console.log(message));`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], { env: on.env, encoding: "utf8" });
  expect([done(), ran.stderr, ran.stdout]).toEqual([
    [],
    "",
    expect.stringContaining("trees are not an agent's business"),
  ]);
});
