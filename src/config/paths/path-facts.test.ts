import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolCall } from "../../core/call.ts";
import { classify, namedPaths } from "../../core/classify/classify.ts";
import { NOTHING_DECLARED } from "../../core/classify/known-tool.ts";
import { readCall } from "../../core/classify/reading.ts";
import { pathFacts } from "./path-facts.ts";

let root = "";

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "leeway-paths-")));
  mkdirSync(join(root, "project/src"), { recursive: true });
  mkdirSync(join(root, "project/.git/hooks"), { recursive: true });
  mkdirSync(join(root, "home/.ssh"), { recursive: true });
  writeFileSync(join(root, "project/leeway.yaml"), "version: 1\n");
  writeFileSync(join(root, "project/src/a.ts"), "a");
  writeFileSync(join(root, "home/.ssh/id_rsa"), "key");
  symlinkSync("../.git/hooks", join(root, "project/src/tools"));
  symlinkSync(join(root, "home/.ssh/id_rsa"), join(root, "project/notes.txt"));
  symlinkSync("../home/.bashrc", join(root, "project/dangling"));
  symlinkSync("loop", join(root, "project/loop"));
  symlinkSync(join(root, "project"), join(root, "way"));
  linkSync(join(root, "project/leeway.yaml"), join(root, "project/src/innocent.txt"));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function real(path: string): string | undefined {
  const facts = pathFacts(join(root, "home")).about([path], join(root, "project"));
  return Object.values(facts.real)[0]?.replace(root, "");
}

test("links are followed at every level, also to files that do not exist yet", () => {
  expect(real("src/a.ts")).toBe("/project/src/a.ts");
  expect(real("src/tools/pre-commit")).toBe("/project/.git/hooks/pre-commit");
  expect(real("src/new/deep/b.ts")).toBe("/project/src/new/deep/b.ts");
  expect(real("dangling")).toBe("/home/.bashrc");
  expect(real("~/.ssh/id_rsa")).toBe("/home/.ssh/id_rsa");
});

test("`..` after a link means the folder above the one that the link leads to", () => {
  const facts = pathFacts(join(root, "home")).about(["src/tools/../config"], join(root, "project"));
  expect(facts.real[`${root}/project/src/tools/../config`]).toBe(`${root}/project/.git/config`);
  expect(facts.real[`${root}/project/src/config`]).toBe(`${root}/project/src/config`);
});

test("a cycle of links and a file with several names are not resolved, so a person is asked before a write", () => {
  expect(real("loop/a")).toBeUndefined();
  expect(real("src/innocent.txt")).toBeUndefined();
});

test("the folder for programs in the home folder counts as one that is searched for programs", () => {
  const { also } = pathFacts(join(root, "home")).about(["~/bin/ls", "~/binary"], join(root, "project"));
  expect(also).toEqual({ [`${root}/home/bin/ls`]: [`${root}/home/.local/bin/ls`] });
});

function classesOf(tool: string, path: string, cwd = join(root, "project")) {
  const call: ToolCall = {
    workspace: "default",
    agent: "coder",
    tool,
    args: { path },
    cwd,
    callId: "c",
    traceId: "t",
    chain: [],
    claims: {},
  };
  const project = join(root, "project");
  const facts = pathFacts(join(root, "home")).about([project, ...namedPaths(readCall(call))], cwd);
  const effect = classify(readCall(call), { declared: NOTHING_DECLARED, project, facts });
  return [effect.parts.map((part) => part.class).join(), effect.understood];
}

test("a protected path is recognised through links, other case, dots and second names", () => {
  expect(classesOf("write_file", "src/tools/pre-commit")).toEqual(["permissions.change", "fully"]);
  expect(classesOf("write_file", "src/tools/../config")).toEqual(["permissions.change", "fully"]);
  expect(classesOf("write_file", "dangling")).toEqual(["permissions.change", "fully"]);
  expect(classesOf("read_file", "notes.txt")).toEqual(["secrets.read", "fully"]);
  expect(classesOf("write_file", "./src/.././LEEWAY.yaml")).toEqual(["permissions.change", "fully"]);
  expect(classesOf("write_file", "src/innocent.txt")).toEqual(["fs.write", "partly"]);
  expect(classesOf("write_file", "src/a.ts")).toEqual(["fs.write", "fully"]);
});

test("the gate's state is protected under every name, with the files that the database keeps beside it", () => {
  const project = join(root, "project");
  const source = pathFacts(join(root, "home"), [join(root, "way/src/state"), join(root, "project/src/gate.sqlite")]);
  const classOf = (path: string) => {
    const call: ToolCall = {
      workspace: "default",
      agent: "coder",
      tool: "write_file",
      args: { path },
      cwd: project,
      callId: "c",
      traceId: "t",
      chain: [],
      claims: {},
    };
    const facts = source.about([project, ...namedPaths(readCall(call))], project);
    return classify(readCall(call), { declared: NOTHING_DECLARED, project, facts }).parts[0].class;
  };
  const paths = ["src/state/seals/1", "src/gate.sqlite", "src/gate.sqlite-wal", "src/gate.ts"];
  expect(paths.map(classOf)).toEqual(["permissions.change", "permissions.change", "permissions.change", "fs.write"]);
});

test("a project entered through a link is the same project", () => {
  const call: ToolCall = {
    workspace: "default",
    agent: "coder",
    tool: "write_file",
    args: { path: "src/a.ts" },
    cwd: join(root, "way"),
    callId: "c",
    traceId: "t",
    chain: [],
    claims: {},
  };
  const project = join(root, "way");
  const facts = pathFacts(join(root, "home")).about([project, ...namedPaths(readCall(call))], project);
  const [part] = classify(readCall(call), { declared: NOTHING_DECLARED, project, facts }).parts;
  expect([part.reach, part.targets.map((target) => target.kind === "path" && target.path)]).toEqual([
    "project",
    [`${root}/way/src/a.ts`],
  ]);
});

test("a folder that cannot be read is not resolved", () => {
  mkdirSync(join(root, "closed"));
  symlinkSync("/etc", join(root, "closed/inner"));
  chmodSync(join(root, "closed"), 0o000);
  // Root can read every folder; then the link is followed, which is equally safe.
  const found = real(join(root, "closed/inner/motd"));
  chmodSync(join(root, "closed"), 0o700);
  expect([undefined, "/etc/motd"]).toContain(found);
});

test("whether names differ by upper and lower case is checked on the disk", () => {
  const facts = pathFacts(join(root, "home")).about([], join(root, "project"));
  let twin = true;
  try {
    realpathSync(join(root, "PROJECT"));
  } catch {
    twin = false;
  }
  expect(facts.foldsCase).toBe(twin);
});

test("the search for parent folders stops at the root of a drive", () => {
  expect(pathFacts(join(root, "home")).about([], "C:\\work\\project")).toMatchObject({ foldsCase: false });
});

const shellCall = {
  workspace: "default",
  agent: "coder",
  tool: "Bash",
  callId: "c",
  traceId: "t",
  chain: [],
  claims: {},
} as const;

function classesRun(command: string): readonly string[] {
  const call: ToolCall = { ...shellCall, args: { command }, cwd: join(root, "project") };
  const facts = pathFacts(join(root, "home")).about(namedPaths(readCall(call)), join(root, "project"));
  const effect = classify(readCall(call), { declared: NOTHING_DECLARED, project: join(root, "project"), facts });
  return [...new Set(effect.parts.map((part) => part.class))].sort();
}

test("reading a database that does not exist counts as creating it", () => {
  writeFileSync(join(root, "project/app.db"), "");
  expect(classesRun("sqlite3 app.db .tables")).toEqual(["db.read", "fs.read"]);
  expect(classesRun("sqlite3 new.db .tables")).toEqual(["db.read", "fs.read", "fs.write"]);
  expect(classesRun("sqlite3 'file:src/new.db' .tables")).toEqual(["db.read", "fs.read", "fs.write"]);
  expect(classesRun("sqlite3 .git/hooks/post-commit .tables")).toContain("permissions.change");
  expect(classesRun("sqlite3 'file:.git/hooks/%70re-push?mode=rwc' .tables")).toContain("permissions.change");
  expect(classesRun("sqlite3 conftest.py 'select * from sqlite_master'")).toContain("deploy.write");
  expect(classesRun("duckdb new.db -c 'select 1'")).toEqual(["db.read", "fs.read", "fs.write", "process.exec"]);
});

test("a database that is only read, or that is in memory, counts as creating no file", () => {
  expect(classesRun("sqlite3 -readonly new.db .tables")).toEqual(["db.read", "fs.read"]);
  expect(classesRun("sqlite3 'file:new.db?mode=ro' .tables")).toEqual(["db.read", "fs.read"]);
  expect(classesRun("sqlite3 'file:new.db?mode=ro&mode=rwc' .tables")).toEqual(["db.read", "fs.read", "fs.write"]);
  expect(classesRun("sqlite3 :memory: 'select 1'")).toEqual(["db.read"]);
});
