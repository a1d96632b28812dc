import { expect, test } from "vitest";
import type { ProtectedRow } from "../tables/protected/row.ts";
import { protectedRows } from "../tables/protected.ts";
import { type Act, type Around, mayMeanProtected, protectionOf } from "./protect.ts";

const classOf = (path: string, act: Act, around: Around = {}) => protectionOf(path, act, around)?.class;

const exampleOf = ({ path, example }: ProtectedRow) =>
  example ?? `/home/ana/${path.replace(/\*\*$/, "a").replaceAll("*", "a")}`;

test("every line of the table protects its example", () => {
  const wrong = protectedRows().filter(
    (row) =>
      (row.write !== undefined && classOf(exampleOf(row), "write") === undefined) ||
      (row.read !== undefined && classOf(exampleOf(row), "read") !== row.read),
  );
  expect(wrong.map((row) => row.path)).toEqual([]);
});

test("thirty protected files are protected under every spelling that a file system may accept", () => {
  const files = protectedRows()
    .filter((row) => row.write !== undefined)
    .map(exampleOf);
  const spellings = (path: string) => [
    path.toUpperCase(),
    path.replaceAll("o", "O"),
    `${path}.`,
    `${path} `,
    `${path}::$DATA`,
    path.replace("a", "a\u200b"),
    path.normalize("NFD"),
  ];
  const missed = files.flatMap((path) =>
    spellings(path).filter((spelling) => classOf(spelling, "write") === undefined),
  );
  expect(files.length).toBeGreaterThanOrEqual(30);
  expect(missed).toEqual([]);
});

test("ordinary files are not protected", () => {
  const files = [
    "/project/src/a.ts",
    "/project/README.md",
    "/project/leeway.yaml.md",
    "/project/src/key.ts",
    "/project/.env.example",
    "/project/.gitignore",
    "/project/.github/README.md",
    "/project/docs/ssh/config.md",
    "/project/.claude/notes.md",
    "/project/tests/etc/hosts.test.ts",
    "/project/myleeway.db.ts",
  ];
  expect(files.map((path) => [path, classOf(path, "read"), classOf(path, "write")])).toEqual(
    files.map((path) => [path, undefined, undefined]),
  );
});

test("reading settings is an ordinary read, and reading keys counts as reading secrets", () => {
  expect(classOf("/home/ana/.bashrc", "read")).toBeUndefined();
  expect(classOf("/project/leeway.yaml", "read")).toBeUndefined();
  expect(classOf("/home/ana/.ssh/known_hosts", "read")).toBeUndefined();
  expect(classOf("/home/ana/.ssh/id_rsa", "read")).toBe("secrets.read");
  expect(classOf("/project/.env", "read")).toBe("secrets.read");
});

test("replacing a folder counts as replacing the protected files in it", () => {
  expect(["/project/.git", "/project/.github", "/home/ana/.claude"].map((path) => classOf(path, "replace"))).toEqual([
    "permissions.change",
    "permissions.change",
    "permissions.change",
  ]);
  expect(classOf("/project/.github", "write")).toBeUndefined();
  expect(classOf("/project/src", "replace")).toBeUndefined();
});

test("the gate's own files are protected in every location", () => {
  const own = { policies: ["/srv/rules/policy.yaml"], state: ["/srv/state"] };
  expect(classOf("/srv/rules/policy.yaml", "write", own)).toBe("permissions.change");
  expect(classOf("/srv/state/leeway.db", "write", own)).toBe("permissions.change");
  expect(classOf("/srv", "replace", own)).toBe("permissions.change");
  expect(classOf("/srv/rules/other.yaml", "write", own)).toBeUndefined();
  expect(classOf("/srv/rules/policy.yaml", "read", own)).toBeUndefined();
  expect(classOf("/srv/state/leeway.db", "read", own)).toBe("secrets.read");
  expect(classOf("/srv", "read", own)).toBeUndefined();
  expect(classOf("/srv", "read", { ...own, deep: true })).toBe("secrets.read");
});

test("an unknown use of a path counts as its most dangerous use", () => {
  expect(classOf("/project/.env", "any")).toBe("secrets.read");
  expect(classOf("/home/ana/.ssh/id_rsa", "any")).toBe("permissions.change");
});

test("the gate's files and the environment of processes are secrets in every location", () => {
  const files = ["leeway.db", "leeway.db-wal", "leeway.sign", "leeway.key"].map((name) => `/data/${name}`);
  const inside = ["/proc/1/environ", "/proc/self/task/7/environ"];
  expect([...files, ...inside].map((path) => classOf(path, "read"))).toEqual(
    [...files, ...inside].map(() => "secrets.read"),
  );
});

test("every file that git runs or follows by itself is protected", () => {
  const files = [
    "/project/.git",
    "/project/sub/.git",
    "/project/.git/HEAD",
    "/project/.git/commondir",
    "/project/.git/worktrees/a/config.worktree",
    "/data/bare.git/hooks/post-receive",
    "/project/lefthook.yaml",
    "/home/ana/.cshrc",
    "/home/ana/.tcshrc",
    "/project/.claude/commands/a.md",
  ];
  expect(files.map((path) => [path, classOf(path, "write")])).toEqual(
    files.map((path) => [path, "permissions.change"]),
  );
  expect(classOf("/project/.git/objects/ab/cd", "write")).toBe("permissions.change");
  expect(classOf("/project/src/hooks/use-a.ts", "write")).toBeUndefined();
  expect(classOf("/project/src/hooks", "replace")).toBeUndefined();
  expect(classOf("/project/.git/HEAD", "read")).toBeUndefined();
});

test("reading a whole home folder or a folder with keys is reading secrets, but reading a project next to homes is not", () => {
  const deep = { deep: true, home: "/home/ana", project: "/home/project" };
  const folders = ["/", "/home", "/home/ana", "/home/ben", "/root", "/Users/ben", "c:/", "/data/.config", "/proc"];
  expect(folders.map((path) => [path, classOf(path, "read", deep)])).toEqual(
    folders.map((path) => [path, "secrets.read"]),
  );
  expect(["/home/project", "/project", "/home/ana/work"].map((path) => classOf(path, "read", deep))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("a name with wildcards is protected if it may match a protected name", () => {
  const names = ["/project/.en?", "/data/.s*/id_r??", "/data/id_rs[a]", "/project/**/.aws/*", "/project/**/*.pem"];
  expect(names.map((path) => classOf(path, "read"))).toEqual(names.map(() => "secrets.read"));
  const plain = ["/project/src/*.ts", "/project/**/*.json", "/project/app/[id]/page.tsx", "/project/s*/x"];
  expect(plain.map((path) => classOf(path, "read"))).toEqual(plain.map(() => undefined));
});

test("patterns that may match a protected name are found, and other patterns are not", () => {
  const patterns = ["*", "**", "*.yaml", "?akefile", "[m]akefile", "[z-a]akefile", "pack*.json", ".git*", "*a*b*c*d*"];
  expect(patterns.filter((pattern) => !mayMeanProtected(pattern))).toEqual([]);
  expect(["*.png", "*.ts", "a(b*", "a[", "\\*", ".qq*", "*akefil"].filter(mayMeanProtected)).toEqual([]);
});
