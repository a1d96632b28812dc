import { expect, test } from "vitest";
import { rowFor } from "./classify/known-tool.ts";
import { EFFECT_CLASSES } from "./effect.ts";
import { paragraphsOf } from "./tables/facts.ts";
import { TOOL_TABLES, toolFrom } from "./tables/tools.ts";
import { canonicalTool, toolName } from "./tool-name.ts";

const TOOL_ROWS = TOOL_TABLES.flatMap(paragraphsOf).map(toolFrom);

test("all spellings of a tool name give the same name", () => {
  const spellings = [
    "write_file",
    "Write.File",
    "WRITE-FILE",
    "writeFile",
    "write\u200b_file",
    "`write_file`",
    "functions.write_file",
  ];
  expect(new Set(spellings.map(canonicalTool))).toEqual(new Set(["writefile"]));
});

test("a tool of one server is never taken for a tool of another server or of no server", () => {
  const tools = ["search", "mcp__docs__search", "mcp__github__search", "mcp:Docs/search", "docs/search"];
  expect(tools.map(canonicalTool)).toEqual(["search", "docs/search", "github/search", "docs/search", "docs/search"]);
});

test("a server is recognised with and without words such as `mcp` and `server` in its name", () => {
  const names = ["github", "GitHub", "github-mcp-server", "mcp-server-github", "server_github"];
  expect(names.map((name) => toolName(`mcp__${name}__x`).server)).toEqual(names.map(() => "github"));
  expect(toolName("mcp__mcp__x").server).toBe("mcp");
});

test("letters of another script make a different name", () => {
  expect(canonicalTool("re\u0430d_file") === canonicalTool("read_file")).toBe(false);
  expect(rowFor("re\u0430d_file")).toBeUndefined();
  expect(rowFor("ｒead_file")).toBeUndefined();
});

test("if two tools have the same canonical name, the more serious line applies, with the arguments of both", () => {
  const gravest = new Map<string, number>();
  for (const row of TOOL_ROWS) {
    for (const name of row.tools.split(" ")) {
      const key = canonicalTool(name);
      gravest.set(key, Math.max(gravest.get(key) ?? 0, EFFECT_CLASSES.indexOf(row.class)));
    }
  }
  const wrong = TOOL_ROWS.flatMap((row) => row.tools.split(" ")).filter((name) => {
    const found = rowFor(name.replace("*", "something"));
    return found === undefined || EFFECT_CLASSES.indexOf(found.row.class) !== gravest.get(canonicalTool(name));
  });
  expect(wrong).toEqual([]);
  // Claude Code's tool takes an address, Gemini's a prompt that contains one.
  expect(rowFor("WebFetch")?.row.urls?.split(" ")).toEqual(expect.arrayContaining(["url", "prompt"]));
});

test("invented tool names do not fill the memory, and real names are still found afterwards", () => {
  const before = rowFor("read_file");
  for (let i = 0; i < 10_000; i++) rowFor(`made_up_${i}`);
  expect(rowFor("read_file")).toEqual(before);
});
