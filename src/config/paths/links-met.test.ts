import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolCall } from "../../core/call.ts";
import { classify, namedPaths } from "../../core/classify/classify.ts";
import { NOTHING_DECLARED } from "../../core/classify/known-tool.ts";
import { readCall } from "../../core/classify/reading.ts";
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

test("a pattern finds matching symbolic links at every level, and the files behind them", () => {
  expect(met("docs/*")).toEqual(["/home/.ssh"]);
  expect(met("docs/*/id_rsa")).toEqual(["/home/.ssh/id_rsa"]);
  expect(met("*/deep/g*")).toEqual(["/project/.env"]);
  expect(met("docs/deep/[f-h]uide.md")).toEqual(["/project/.env"]);
  expect(met("*/*/guide.md")).toEqual(["/project/.env"]);
  expect(met("src/b*")).toEqual([]);
});

test("two stars find every link below a folder, and follow none", () => {
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
  const facts = pathFacts(join(root, "home")).about([project, ...namedPaths(readCall(call))], project);
  const effect = classify(readCall(call), { declared: NOTHING_DECLARED, project, facts });
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

test("tools that read the files that a pattern matches also read through links", () => {
  for (const args of [{ include: ["docs/**"] }, { paths: ["docs/deep/*"] }, { paths: ["docs/deep"] }])
    expect(classesOfCall("read_many_files", args), JSON.stringify(args)).toContain("secrets.read");
  expect(classesOfCall("read_many_files", { paths: ["src/*"] })).toEqual(["fs.read"]);
});

test("a write through the links that a pattern matches counts as a change of what the links lead to", () => {
  expect(classesOf("find -L out -type f -exec sed -i s/a/b/ {} +")).toContain("permissions.change");
  expect(classesOf("tee out/* < src/a.ts")).toContain("permissions.change");
});

test("links that are not followed, or that lead to ordinary files, do not change the class", () => {
  for (const command of ["grep -r KEY docs", "cat src/*.ts", "grep -R a src", "wc -l src/*", "cat src/*/notes.txt"])
    expect(classesOf(command), command).toEqual(["fs.read"]);
  expect(classesOf("rm docs/deep/*.md")).toEqual(["fs.delete"]);
});

test("a link to a secret is still found if the secret has a second name", () => {
  linkSync(join(root, "project/.env"), join(root, "second"));
  symlinkSync(".env", join(root, "project/settings"));
  const found = classesOf("cat settings");
  rmSync(join(root, "second"));
  rmSync(join(root, "project/settings"));
  expect(found).toContain("secrets.read");
});

test("a pattern finds each kind of special file, but not the files that a shell would skip", () => {
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
])("a file that a pattern matches counts as if it were named: %s", (command, kind) => {
  expect(classesOf(command)).toContain(kind);
});

test("nobody is asked about a command that lists, counts or skips secrets, or searches for a specific word", () => {
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

test("a tool that shows a whole folder also shows the secrets in it", () => {
  expect(classesOfCall("read_many_files", { paths: ["kept/*"] })).toContain("secrets.read");
  expect(classesOfCall("Grep", { pattern: ".", path: "kept", output_mode: "content" })).toContain("secrets.read");
  expect(classesOfCall("Grep", { pattern: "something", path: "kept", output_mode: "content" })).toEqual(["fs.read"]);
});

test("links copied as links count as what they lead to, and searching a folder for any text counts as reading its secrets", () => {
  for (const command of ["cp -P out/report a", "cp -d out/report a", "rsync -l out/report a"])
    expect(classesOf(command), command).toContain("permissions.change");
  expect(classesOf("cp -a src/same.ts a")).toEqual(["fs.copy"]);
  for (const command of ["rg . kept", "fd . kept -x cat", "git diff --no-index kept src", "cmp -l kept/*"])
    expect(classesOf(command), command).toContain("secrets.read");
  for (const command of ["rg . src", "rg something kept", "git log --oneline -- kept/*"])
    expect(classesOf(command), command).toEqual(["fs.read"]);
});
