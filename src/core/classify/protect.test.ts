import { expect, test } from "vitest";
import { PROTECTED_ROWS } from "../tables/protected.ts";
import { type Act, protectionOf } from "./protect.ts";

const classOf = (path: string, act: Act, own: readonly string[] = []) => protectionOf(path, act, own)?.class;

test("every line of the table protects its example", () => {
  const wrong = PROTECTED_ROWS.filter(
    (row) =>
      (row.write !== undefined && classOf(row.example, "write") === undefined) ||
      (row.read !== undefined && classOf(row.example, "read") !== row.read),
  );
  expect(wrong.map((row) => row.path)).toEqual([]);
});

test("thirty protected files stay protected under every spelling a file system may take for theirs", () => {
  const files = PROTECTED_ROWS.filter((row) => row.write !== undefined).map((row) => row.example);
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

test("ordinary files are ordinary", () => {
  const files = [
    "/project/src/a.ts",
    "/project/README.md",
    "/project/leeway.yaml.md",
    "/project/src/key.ts",
    "/project/.env.example",
    "/project/.gitignore",
    "/project/.github/README.md",
    "/project/docs/ssh/config.md",
    "/project/.claude/CLAUDE.md",
    "/project/tests/etc/hosts.test.ts",
    "/project/myleeway.db.ts",
  ];
  expect(files.map((path) => [path, classOf(path, "read"), classOf(path, "write")])).toEqual(
    files.map((path) => [path, undefined, undefined]),
  );
});

test("reading settings is reading; reading keys is reading secrets", () => {
  expect(classOf("/home/ana/.bashrc", "read")).toBeUndefined();
  expect(classOf("/project/leeway.yaml", "read")).toBeUndefined();
  expect(classOf("/home/ana/.ssh/known_hosts", "read")).toBeUndefined();
  expect(classOf("/home/ana/.ssh/id_rsa", "read")).toBe("secrets.read");
  expect(classOf("/project/.env", "read")).toBe("secrets.read");
});

test("replacing a folder replaces what is in it", () => {
  expect(["/project/.git", "/project/.github", "/home/ana/.claude"].map((path) => classOf(path, "replace"))).toEqual([
    "permissions.change",
    "permissions.change",
    "permissions.change",
  ]);
  expect(classOf("/project/.github", "write")).toBeUndefined();
  expect(classOf("/project/src", "replace")).toBeUndefined();
});

test("the gate's own files are protected wherever they lie", () => {
  const own = ["/srv/rules/policy.yaml", "/srv/state"];
  expect(classOf("/srv/rules/policy.yaml", "write", own)).toBe("permissions.change");
  expect(classOf("/srv/state/leeway.db", "write", own)).toBe("permissions.change");
  expect(classOf("/srv", "replace", own)).toBe("permissions.change");
  expect(classOf("/srv/rules/other.yaml", "write", own)).toBeUndefined();
});

test("what nobody knows the use of counts as the gravest use", () => {
  expect(classOf("/project/.env", "any")).toBe("secrets.read");
  expect(classOf("/home/ana/.ssh/id_rsa", "any")).toBe("permissions.change");
});
