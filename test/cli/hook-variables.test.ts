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
});
afterAll(() => on.remove());

const hostile = () => ({ ...on.env, NODE_OPTIONS: `--require ${code}` });
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
])("code that NODE_OPTIONS names does not run in the installed hook of %s", async (host, file, event, more) => {
  expect((await leeway(on, ["init", host, "--yes"])).code).toBe(0);
  const found = installedHook(host, readFileSync(join(on.project, file), "utf8"));
  if (found === undefined) throw new Error("there is no hook");
  const words = "words" in found.start ? found.start.words : ["/bin/sh", "-c", found.start.line];
  const input = call({ hook_event_name: event, ...more });
  const [program = "", ...args] = words;
  const ran = spawnSync(program, args, { input, env: hostile(), cwd: on.project, encoding: "utf8" });
  expect(existsSync(mark)).toBe(false);
  expect(`${ran.stdout}${ran.stderr}`).toContain("trees are not an agent's business");
  // It would run in a program that is started without this care.
  spawnSync(process.execPath, ["-e", "0"], { env: hostile() });
  expect(existsSync(mark)).toBe(true);
  rmSync(mark);
});

test("code that NODE_OPTIONS names does not run in the hook that the plugin of opencode starts", async () => {
  expect((await leeway(on, ["init", "opencode", "--yes"])).code).toBe(0);
  const plugin = pathToFileURL(join(on.project, ".opencode", "plugin", "leeway.js")).href;
  const before = `(await Leeway({ client: {}, directory: ${JSON.stringify(on.project)} }))["tool.execute.before"]`;
  const script = `process.env.NODE_OPTIONS = ${JSON.stringify(`--require ${code}`)};
const { Leeway } = await import(${JSON.stringify(plugin)});
await ${before}({ tool: "bash", sessionID: "s", callID: "c" }, { args: { command: "rm -rf /srv" } }).catch(({ message }) => console.log(message));`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", script], { env: on.env, encoding: "utf8" });
  expect([existsSync(mark), ran.stdout]).toEqual([false, expect.stringContaining("trees are not an agent's business")]);
});
