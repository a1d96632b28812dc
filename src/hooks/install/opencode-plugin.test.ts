import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { opencodePlugin } from "./opencode-plugin.ts";

const folder = mkdtempSync(join(tmpdir(), "leeway-plugin-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the plugin says to calls of tools, if opencode answers like this when it is asked for its settings. */
async function told(get: () => Promise<unknown>, tools: readonly string[]): Promise<readonly string[]> {
  // In place of the hook: it denies every call, and gives the name of the tool as its reason.
  const hook = join(folder, "hook.mjs");
  writeFileSync(
    hook,
    `let text = "";
process.stdin.on("data", (chunk) => (text += chunk));
process.stdin.on("end", () => console.log(JSON.stringify({ decision: "deny", reason: JSON.parse(text).tool_name })));`,
  );
  const plugin = join(folder, "plugin.mjs");
  writeFileSync(plugin, opencodePlugin({ program: process.execPath, args: [hook] }));
  const { Leeway } = await import(pathToFileURL(plugin).href);
  const hooks = await Leeway({ client: { config: { get } }, directory: folder });
  const one = (tool: string): Promise<string> =>
    hooks["tool.execute.before"]({ tool, sessionID: "s", callID: "c" }, { args: {} }).then(
      () => "run",
      (error: Error) => error.message,
    );
  return Promise.all(tools.map(one));
}

test("opencode's plugin takes the longest name of a server that a tool's name begins with", async () => {
  const mcp = { git: {}, git_hub: {}, "my.files": {} };
  const tools = ["git_hub_create", "git_log", "my_files_read", "bash", "own_tool"];
  expect(await told(async () => ({ data: { mcp } }), tools)).toEqual([
    "mcp__git_hub__create",
    "mcp__git__log",
    "mcp__my.files__read",
    "bash",
    "own_tool",
  ]);
});

test.each([
  ["connection refused", () => Promise.reject(new Error("connection refused"))],
  ["no settings were given", async () => ({ error: { name: "Unknown" } })],
  ["no settings were given", async () => ({ data: { mcp: "none" } })],
])(
  "where opencode does not say which MCP servers it has (%s), no call is passed on under a wrong name",
  async (why, get) => {
    expect(await told(get, ["git_hub_create", "bash"])).toEqual([
      `Leeway could not read which MCP servers opencode has (${why}), so it cannot tell whose tool git_hub_create is, ` +
        "and the call was not run. Do not retry it; tell the user to restart opencode.",
      "bash",
    ]);
  },
);
