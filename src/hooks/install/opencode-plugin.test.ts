import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { opencodePlugin } from "./opencode-plugin.ts";

test("opencode's plugin takes the longest name of a server that a tool's name begins with", async () => {
  const folder = mkdtempSync(join(tmpdir(), "leeway-plugin-"));
  try {
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
    const mcp = { git: {}, git_hub: {}, "my.files": {} };
    const client = { config: { get: async () => ({ data: { mcp } }) } };
    const hooks = await Leeway({ client, directory: folder });
    const told = (tool: string): Promise<string> =>
      hooks["tool.execute.before"]({ tool, sessionID: "s", callID: "c" }, { args: {} }).then(
        () => "run",
        (error: Error) => error.message,
      );
    const tools = ["git_hub_create", "git_log", "my_files_read", "bash"];
    expect(await Promise.all(tools.map(told))).toEqual([
      "mcp__git_hub__create",
      "mcp__git__log",
      "mcp__my.files__read",
      "bash",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
