import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolCall } from "../core/call.ts";
import { classify, namedPaths } from "../core/classify/classify.ts";
import { NOTHING_DECLARED } from "../core/classify/declared.ts";
import { linksMeeting } from "./links-met.ts";
import { pathFacts } from "./path-facts.ts";

let root = "";

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "leeway-met-")));
  for (const folder of ["project/docs/deep", "project/src", "project/out", "project/.git/hooks", "home/.ssh", "far"])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "project/.env"), "KEY=1");
  writeFileSync(join(root, "project/src/a.ts"), "a");
  writeFileSync(join(root, "project/src/b.ts"), "b");
  writeFileSync(join(root, "far/notes.txt"), "far");
  writeFileSync(join(root, "home/.ssh/id_rsa"), "key");
  symlinkSync("../../.env", join(root, "project/docs/deep/guide.md"));
  symlinkSync(join(root, "home/.ssh"), join(root, "project/docs/keys"));
  symlinkSync("../.git/hooks", join(root, "project/out/report"));
  symlinkSync("a.ts", join(root, "project/src/same.ts"));
  symlinkSync(join(root, "far"), join(root, "project/src/far"));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function met(pattern: string): readonly string[] {
  return linksMeeting()(join(root, "project", pattern)).places.map((place) => place.replace(root, ""));
}

test("a pattern finds matching links at every level, and what is behind them", () => {
  expect(met("docs/*")).toEqual(["/home/.ssh"]);
  expect(met("docs/*/id_rsa")).toEqual(["/home/.ssh/id_rsa"]);
  expect(met("*/deep/g*")).toEqual(["/project/.env"]);
  expect(met("docs/deep/[f-h]uide.md")).toEqual(["/project/.env"]);
  expect(met("*/*/guide.md")).toEqual(["/project/.env"]);
  expect(met("src/b*")).toEqual([]);
});

test("two stars find every link below, and follow none", () => {
  expect(met("docs/**")).toEqual(["/home/.ssh", "/project/.env"]);
  expect(met("**/*.md")).toEqual(["/project/.env"]);
});

test("if there is more than the limit, this is reported", () => {
  const many = join(root, "many");
  for (let i = 0; i < 60; i++) mkdirSync(join(many, `a${i}`), { recursive: true });
  expect(linksMeeting()(`${many}/*/*`).unfinished).toBe(false);
  const meeting = linksMeeting();
  expect(meeting(`${many}/**/../*/../**`).unfinished).toBe(true);
  expect(meeting(`${many}/*`).unfinished).toBe(false);
});

function classesOf(command: string): readonly string[] {
  return classesOfCall("Bash", { command });
}

function classesOfCall(tool: string, args: ToolCall["args"]): readonly string[] {
  const project = join(root, "project");
  const call: ToolCall = {
    workspace: "default",
    agent: "coder",
    tool,
    args,
    cwd: project,
    callId: "c",
    traceId: "t",
    chain: [],
    claims: {},
  };
  const facts = pathFacts(join(root, "home")).about([project, ...namedPaths(call)], project);
  const effect = classify(call, { declared: NOTHING_DECLARED, project, facts });
  return [...new Set(effect.parts.map((part) => part.class))].sort();
}

test.each([
  "cat docs/*/*",
  "cat < docs/deep/*",
  "cd docs/deep && cat *.md",
  "for f in docs/deep/*; do cat $f; done",
  "grep -R KEY docs",
  "grep -x -nR KEY docs/deep",
  "rg -L KEY docs",
  "find docs -name '*.md' -exec cat {} +",
  "find docs | xargs cat",
  "git ls-files docs | xargs cat",
  "diff -r docs src",
])("a link found by a pattern or a search does not hide a secret: %s", (command) => {
  expect(classesOf(command)).toContain("secrets.read");
});

test.each(["tar chf a.tar docs", "zip -r a.zip docs", "zip -9qr a.zip docs", "7z a a.7z docs", "cp docs/deep/* src"])(
  "a packed or copied link does not hide a secret: %s",
  (command) => {
    expect(classesOf(command)).toContain("secrets.read");
  },
);

test("tools that read what patterns find read through links too", () => {
  for (const args of [{ include: ["docs/**"] }, { paths: ["docs/deep/*"] }, { paths: ["docs/deep"] }])
    expect(classesOfCall("read_many_files", args), JSON.stringify(args)).toContain("secrets.read");
  expect(classesOfCall("read_many_files", { paths: ["src/*"] })).toEqual(["fs.read"]);
});

test("a pattern that is written through links changes what these lead to", () => {
  expect(classesOf("find -L out -type f -exec sed -i s/a/b/ {} +")).toContain("permissions.change");
  expect(classesOf("tee out/* < src/a.ts")).toContain("permissions.change");
});

test("links that are not followed, or stay among ordinary files, change nothing", () => {
  for (const command of ["grep -r KEY docs", "cat src/*.ts", "grep -R a src", "wc -l src/*", "cat src/*/notes.txt"])
    expect(classesOf(command), command).toEqual(["fs.read"]);
  expect(classesOf("rm docs/deep/*.md")).toEqual(["fs.delete"]);
});

test("a link to a secret that has a second name is still a link to it", () => {
  linkSync(join(root, "project/.env"), join(root, "second"));
  symlinkSync(".env", join(root, "project/settings"));
  const found = classesOf("cat settings");
  rmSync(join(root, "second"));
  rmSync(join(root, "project/settings"));
  expect(found).toContain("secrets.read");
});

test("a pattern finds files with a special meaning, of each kind, and none that a shell would skip", () => {
  const folder = join(root, "project/kept");
  for (const name of ["a.key", "b.key", "conftest.py", "c.ts", ".env", "deep/.env", "deep/node_modules/x.key"]) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), "x");
  }
  const files = (pattern: string) =>
    linksMeeting()(join(folder, pattern)).files.map((file) => file.replace(folder, ""));
  expect(files("*")).toEqual(["/a.key", "/conftest.py"]);
  expect(files("[ac].*")).toEqual(["/a.key"]);
  expect(files(".*")).toEqual(["/.env"]);
  expect(files("*/.e*")).toEqual(["/deep/.env"]);
  expect(files("*.ts")).toEqual([]);
  expect(files("deep/**")).toEqual(["/deep/.env"]);
});

test.each([
  ["cat kept/*", "secrets.read"],
  ["cat kept/a.???", "secrets.read"],
  ["for f in kept/*; do cat $f; done", "secrets.read"],
  ["cp kept/a.* out", "secrets.read"],
  ["grep '' kept/*", "secrets.read"],
  ["grep -r '' kept", "secrets.read"],
  ["find kept -type f -exec cat {} +", "secrets.read"],
  ["find kept -type f | xargs cat", "secrets.read"],
  ["sed -i s/a/b/ kept/*", "deploy.write"],
  ["sed -i s/a/b/ kept/[c]onftest.py", "deploy.write"],
  ["touch kept/*.py", "deploy.write"],
])("what a pattern matches counts as if it were named: %s", (command, kind) => {
  expect(classesOf(command)).toContain(kind);
});

test("a command that does not show a secret, searches for something specific in it, or skips it, does not ask", () => {
  for (const command of [
    "wc -l kept/*",
    "ls kept/*",
    "cat kept/*.ts",
    "grep -n something kept/*",
    "grep -r something kept",
  ])
    expect(classesOf(command), command).toEqual(["fs.read"]);
  expect(classesOfCall("Glob", { pattern: "kept/*" })).toEqual(["fs.read"]);
});

test("a tool that shows all of a folder shows its secrets", () => {
  expect(classesOfCall("read_many_files", { paths: ["kept/*"] })).toContain("secrets.read");
  expect(classesOfCall("Grep", { pattern: ".", path: "kept", output_mode: "content" })).toContain("secrets.read");
  expect(classesOfCall("Grep", { pattern: "something", path: "kept", output_mode: "content" })).toEqual(["fs.read"]);
});

test("links that are copied as links, and folders that are searched for anything, count for what they lead to and hold", () => {
  for (const command of ["cp -P out/report a", "cp -d out/report a", "rsync -l out/report a"])
    expect(classesOf(command), command).toContain("permissions.change");
  expect(classesOf("cp -a src/same.ts a")).toEqual(["fs.copy"]);
  for (const command of ["rg . kept", "fd . kept -x cat", "git diff --no-index kept src", "cmp -l kept/*"])
    expect(classesOf(command), command).toContain("secrets.read");
  for (const command of ["rg . src", "rg something kept", "git log --oneline -- kept/*"])
    expect(classesOf(command), command).toEqual(["fs.read"]);
});
