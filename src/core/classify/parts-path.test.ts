import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import type { Effect } from "../effect.ts";
import type { JsonObject } from "../values/json.ts";
import { classify, namedPaths, namedSettings } from "./classify.ts";
import { NOTHING_DECLARED } from "./known-tool.ts";
import { normalise, spellOut } from "./path.ts";
import { readCall } from "./reading.ts";
import { plainSettings } from "./settings.ts";

/** A machine without links, where every path that the call names was resolved. */
function effect(tool: string, args: JsonObject, cwd = "/home/ana/code/project"): Effect {
  const call: ToolCall = {
    workspace: "default",
    agent: "coder",
    tool,
    args,
    cwd,
    callId: "c1",
    traceId: "trace_1",
    chain: [],
    claims: {},
  };
  const real: Record<string, string> = {};
  for (const path of [cwd, ...namedPaths(readCall(call))]) {
    const spelled = spellOut(path, { base: cwd, home: "/home/ana" });
    if (!spelled.ok) continue;
    real[normalise(spelled.raw)] = normalise(spelled.raw);
    real[spelled.raw] = normalise(spelled.raw);
  }
  const facts = {
    real,
    home: "/home/ana",
    foldsCase: false,
    settings: plainSettings(namedSettings(readCall(call), cwd)),
    own: ["/srv/gate/state"],
  };
  return classify(readCall(call), { declared: NOTHING_DECLARED, project: cwd, facts, own: [`${cwd}/leeway.yaml`] });
}

const gravest = (tool: string, args: JsonObject) => effect(tool, args).parts[0].class;
const deepPaths = (of: Effect) =>
  of.parts.flatMap(({ targets }) =>
    targets.flatMap((target) => (target.kind === "path" && target.recursive ? [target.path] : [])),
  );

test("ordinary work in the project gets ordinary classes", () => {
  const ordinary: [string, JsonObject, string][] = [
    ["write_file", { path: "src/a.ts", content: "leeway.yaml" }, "fs.write"],
    ["Read", { file_path: "README.md" }, "fs.read"],
    ["Read", { file_path: "app/[id]/page.tsx" }, "fs.read"],
    ["Grep", { pattern: "x", path: "." }, "fs.read"],
    ["Grep", { pattern: "x", path: "/home/ana/code/project/src", glob: "*.{ts,tsx}" }, "fs.read"],
    ["Glob", { pattern: "**/*.{ts,tsx}" }, "fs.read"],
    ["Glob", { pattern: "{src,test}/**/*.json" }, "fs.read"],
    ["read_many_files", { paths: ["src/**/*.ts"], include: ["*.md"] }, "fs.read"],
    ["copy_file", { source: "src/a.ts", destination: "src/b.ts" }, "fs.copy"],
    ["move_file", { source: "src/hooks", destination: "src/uses" }, "fs.move"],
    ["write_file", { path: "src/a.ts", cwd: "/home/ana/code/project" }, "fs.write"],
    ["apply_patch", { input: "--- a/src/a.ts\n+++ b/src/a.ts\n@@\n-x\n+y\n" }, "fs.write"],
    ["mcp__git__git_diff", { repo_path: ".", target: "main" }, "fs.read"],
    ["browser_take_screenshot", {}, "browser.read"],
  ];
  expect(ordinary.map(([tool, args]) => [tool, args, gravest(tool, args), effect(tool, args).understood])).toEqual(
    ordinary.map((line) => [...line, "fully"]),
  );
});

test("searching a folder that contains secrets, or a folder above it, counts as reading secrets", () => {
  const calls: [string, JsonObject][] = [
    ["Grep", { pattern: "x", path: "~" }],
    ["Grep", { pattern: "x", path: "/" }],
    ["Grep", { pattern: "x", path: "/home" }],
    ["Grep", { pattern: "x", path: "/root" }],
    ["Grep", { pattern: "x", path: "/srv" }],
    ["Grep", { pattern: "x", path: "~/.config" }],
    ["Grep", { pattern: "x", path: "/proc" }],
    ["Grep", { pattern: "x", path: "~", glob: ".ssh/*" }],
    ["Grep", { pattern: "x", glob: ".env*" }],
    ["Grep", { pattern: "x", cwd: "~" }],
    ["Glob", { pattern: "../**/.ssh/*" }],
    ["Glob", { pattern: "../../**" }],
    ["Glob", { pattern: "{src,../..}/**" }],
    ["Glob", { pattern: "{src,.aws}/*" }],
    ["read_many_files", { paths: ["~/.s*/id_r??"] }],
    ["read_many_files", { paths: [".en?"] }],
    ["copy_file", { source: "~", destination: "out" }],
    ["copy_file", { source: "/srv/gate", destination: "out" }],
  ];
  expect(calls.map(([tool, args]) => [tool, args, gravest(tool, args)])).toEqual(
    calls.map(([tool, args]) => [tool, args, "secrets.read"]),
  );
});

test("a pattern, and a folder that is copied or moved, reach everything below the folder where they start", () => {
  const project = "/home/ana/code/project";
  expect(deepPaths(effect("read_many_files", { paths: ["src"], include: ["secrets/**"] }))).toContain(
    `${project}/secrets`,
  );
  expect(deepPaths(effect("read_many_files", { paths: ["s*/x"] }))).toContain(project);
  expect(deepPaths(effect("read_files", { paths: ["secret?/x"] }))).toContain(project);
  expect(deepPaths(effect("delete_files", { paths: ["src/s*"] }))).toContain(`${project}/src`);
  expect(deepPaths(effect("copy_file", { source: ".", destination: "/tmp/zz" }))).toContain(project);
  expect(deepPaths(effect("move_file", { source: "a", destination: "/tmp/zz" }))).toContain(`${project}/a`);
});

test("a protected file is found in every argument that names it", () => {
  const calls: [string, JsonObject][] = [
    ["write_file", { path: "hooks/pre-commit", cwd: ".git" }],
    ["write_file", { path: "config", workdir: ".git" }],
    ["write_file", { path: "config", directory: ".git" }],
    ["write_file", { path: "a.txt", cwd: "/srv/gate/state" }],
    ["apply_patch", { input: '--- a/a\n+++ "b/leeway.yaml"\n@@\n+x\n' }],
    ["apply_patch", { input: '--- a/a\n+++ "b/\\154eeway.yaml"\n@@\n+x\n' }],
    ["apply_patch", { input: "*** Update File: src/a.ts\n*** Move to:leeway.yaml\n" }],
    ["apply_patch", { input: "*** Update File: src/a.ts\n", diff: "*** Add File: leeway.yaml\n" }],
    ["apply_patch", { input: "*** Update File: src/a.ts\n", more: [{ text: "*** Add File: leeway.yaml\n" }] }],
    ["apply_diff", { path: "src/a.ts", diff: "+++ b/leeway.yaml\n" }],
    ["patch", { patch_text: "diff --git a/a b/a\nrename from a\nrename to leeway.yaml\n" }],
    ["patch", { patch_text: "diff --git a/leeway.yaml b/leeway.yaml\nold mode 100644\n" }],
    ["editFiles", { files: [{ path: "src/a.ts" }, { uri: "file:///home/ana/code/project/leeway.yaml" }] }],
    ["edit_file", { path: "src/a.ts", changes: [{ path: "leeway.yaml" }] }],
    ["write_workspace_files", { files: [{ path: "src/a.ts" }, { name: "leeway.yaml" }] }],
    ["browser_take_screenshot", { filename: "leeway.yaml" }],
  ];
  expect(calls.map(([tool, args]) => [tool, args, gravest(tool, args)])).toEqual(
    calls.map(([tool, args]) => [tool, args, "permissions.change"]),
  );
});

test("a tool that also saves a file writes that file", () => {
  const found = effect("browser_take_screenshot", { filename: "shot.png" });
  expect(found.parts.map((part) => part.class)).toEqual(["fs.write", "browser.read"]);
});

test("a relative path is resolved from the tool's own folder and from the call's folder", () => {
  const found = effect("write_file", { path: "a.ts", cwd: "src" });
  const paths = found.parts[0].targets.map((target) => (target.kind === "path" ? target.path : target.kind));
  expect(paths).toEqual(["/home/ana/code/project/a.ts", "/home/ana/code/project/src/a.ts"]);
  // Both places were resolved, and both count.
  expect(found.understood).toBe("fully");
  expect(effect("read_file", { path: "a.ts", cwd: "src" }).understood).toBe("fully");
  expect(effect("read_file", { path: "a.ts", cwd: "~ben" }).understood).toBe("partly");
});

test("a word that git would read as an option leaves the call only partly understood", () => {
  expect(effect("mcp__git__git_diff", { repo_path: ".", target: "--output=leeway.yaml" }).understood).toBe("partly");
  expect(effect("mcp__git__git_checkout", { repo_path: ".", branch_name: "-f" }).understood).toBe("partly");
  expect(effect("mcp__git__git_commit", { repo_path: ".", message: "- tidy" }).understood).toBe("fully");
});
