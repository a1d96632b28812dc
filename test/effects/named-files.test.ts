import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { pathFacts } from "../../src/config/paths/path-facts.ts";
import { classify, namedPaths, namedSettings } from "../../src/core/classify/classify.ts";
import { NOTHING_DECLARED } from "../../src/core/classify/known-tool.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { compilePolicy } from "../../src/core/decide/compile.ts";
import { decide } from "../../src/core/decide/decide.ts";
import { bareStanding } from "../../src/core/decide/standing.ts";
import { emptyPolicy } from "../../src/core/policy.ts";
import { sha256 } from "../../src/core/values/hash.ts";
import { tryingCall } from "../cases/trying.ts";

// Real folders with files and links that lead a program to files which no word of the command names.

let root: string;
let project: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "leeway-named-")));
  project = join(root, "project");
  execFileSync("git", ["init", "-q", project], { stdio: "pipe" });
  put(".env", "SECRET=hunter2\n");
  put("../outside/a", "mine\n");
  return () => rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function link(path: string, to: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  symlinkSync(to, join(project, path));
}

const version = sha256("standard");
const preset = { name: "standard", at: { file: "leeway.yaml", line: 1, column: 1 } } as const;
const standing = bareStanding([compilePolicy({ ...emptyPolicy("leeway.yaml", version), preset })], version);

/** Whether preset standard asks a person before the command runs in the project, with the real disk. */
function asks(command: string): boolean {
  const call = { ...tryingCall("Bash", { command }), cwd: project };
  const door = pathFacts("/home/ana");
  const reading = readCall(call);
  const facts = door.about([project, ...namedPaths(reading)], project);
  const settings = door.settings(namedSettings(reading, project), project);
  const effect = classify(reading, { declared: NOTHING_DECLARED, project, facts: { ...facts, settings } });
  const { tier, code } = decide(call, effect, standing, 0);
  return code === "LEEWAY_NEEDS_HUMAN" || (tier !== "auto" && tier !== "notify");
}

/** A file that names nothing, the content with which it would lead elsewhere, and commands that read it. */
const TEXTS: readonly (readonly [path: string, plain: string, leading: string, commands: readonly string[]])[] = [
  [
    "a.xml",
    "<a/>\n",
    '<!DOCTYPE a [<!ENTITY e SYSTEM ".env">]><a>&e;</a>\n',
    [
      "xmllint --c14n a.xml",
      "xmlstarlet fo a.xml",
      "xmlstarlet sel -t -c / a.xml",
      "cd /; cd - ; xmllint --c14n a.xml",
    ],
  ],
  ["a.xml", "<a/>\n", '\ufeff<?xml version="1.0" encoding="UTF-7"?><a/>\n', ["xmllint --c14n a.xml"]],
  [
    "a.xsd",
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>\n',
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:include schemaLocation=".env"/></xs:schema>\n',
    ["xmllint --noout --schema a.xsd a.xsd", "xmllint --relaxng a.xsd a.xsd"],
  ],
  ["t.html", "$body$\n", "$if(a)$ $.env()$ $endif$\n", ["pandoc --template t.html a.md"]],
  ["a.md", "---\ntitle: a\n---\n", "---\ncsl: .env\n---\n", ["pandoc --citeproc a.md", "pandoc -C a.md"]],
  [
    "a.sh",
    'source "$D/lib.sh"\n. ./lib.sh\n',
    "# shellcheck source=.env\n. x\n",
    ["shellcheck -x a.sh", "shellcheck -x *.sh"],
  ],
  ["a.sh", "# shellcheck source=/dev/null\n. $X\n", ". .e'n'v\n", ["shellcheck -a a.sh"]],
  [
    "src/a.rs",
    '#[path = "b.rs"]\nmod b;\n',
    '#[path = "../.env"]\nmod b;\n',
    ["rustfmt --check src/a.rs", "rustfmt src/a.rs"],
  ],
  [
    "src/a.rs",
    "mod b;\n",
    '#[cfg_attr(all(), path = "../../outside/a")]\nmod b;\n',
    ["cargo fmt", "cargo fmt --check"],
  ],
  ["a.go", 'package a\nimport "fmt"\n', 'package a\n// #include ".env"\nimport "C"\n', ["go vet .", "go vet ./..."]],
  [
    "main.tf",
    'variable "a" {}\n',
    'locals { a = tonumber(file(".env")) }\n',
    ["terraform validate", "terraform providers"],
  ],
  ["a.a", "!<arch>\n", "!<thin>\n", ["ar p a.a"]],
  ["ruff.toml", 'extend = "base.toml"\n', 'extend = ".env"\n', ["ruff check .", "ruff format --check ."]],
  [
    "a.db-journal",
    "",
    "a journal\n",
    ["sqlite3 -safe a.db 'select 1'", "sqlite3 a.db .tables", "sqlite3 file:a.db .dump"],
  ],
];

test.each(TEXTS)(
  "the content of %s is checked, because a program follows the files that it names",
  (path, plain, leading, commands) => {
    put("a.md", "text\n");
    put("lib.sh", "true\n");
    put("base.toml", "line-length = 100\n");
    put(path, plain);
    const sure = commands.filter((command) => !command.includes("cd - "));
    expect(sure.filter(asks)).toEqual([]);
    put(path, leading);
    expect(commands.filter((command) => !asks(command))).toEqual([]);
  },
);

test("a database with a journal is opened without a question only in read-only mode", () => {
  put("a.db-journal", "a journal\n");
  expect(["sqlite3 -readonly a.db .tables", "sqlite3 'file:a.db?mode=ro' .tables"].filter(asks)).toEqual([]);
});

/** Settings of git that name files, each with a value that stays in the repository and one that does not. */
const SETTINGS: readonly (readonly [name: string, stays: string, leaves: string, command: string])[] = [
  ["format.signatureFile", "signature.txt", ".env", "git format-patch -1 --stdout"],
  ["format.outputDirectory", "patches", "../outside", "git format-patch -1"],
  ["format.suffix", ".txt", "/../../outside/a", "git format-patch -1"],
  ["fsck.skipList", "skipped", ".env", "git fsck"],
  ["blame.ignoreRevsFile", ".git-blame-ignore-revs", ".env", "git blame a"],
  ["core.attributesFile", "attributes", "/etc/passwd", "git check-attr -a a"],
  ["core.excludesFile", "ignored", "~/.netrc", "git status"],
  ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*", "+refs/*:refs/*", "git fetch"],
  ["remote.origin.fetch", "+refs/tags/*:refs/tags/*", "+refs/heads/*:refs/heads/*", "git fetch"],
];

test.each(SETTINGS)(
  "git may use %s without a question if it is %s, but not if it is %s",
  (name, stays, leaves, command) => {
    execFileSync("git", ["config", name, stays], { cwd: project });
    expect(asks(command)).toBe(false);
    execFileSync("git", ["config", name, leaves], { cwd: project });
    expect(asks(command)).toBe(true);
  },
);

test.each([
  ["FETCH_HEAD", "../../outside/new"],
  ["logs/refs/remotes/origin/a", "../../../../../../outside/a"],
  ["refs/remotes/origin", "../../../../outside"],
  ["packed-refs", "../.env"],
  ["objects/ab", "../../../outside"],
])("a link in .git named %s is asked about if it leads out of .git", (path, to) => {
  expect(["git log", "git fetch", "git status"].filter(asks)).toEqual([]);
  link(`.git/${path}`, to);
  expect(["git log", "git fetch", "git status"].filter((command) => !asks(command))).toEqual([]);
});

test("a link that stays within .git causes no question", () => {
  link(".git/refs/heads/other", "main");
  expect(asks("git log")).toBe(false);
});

/** Names that programs open by themselves, with commands that show lines of such a file or write it. */
const OPENED: readonly (readonly [path: string, commands: readonly string[]])[] = [
  ["Cargo.toml", ["cargo tree", "cargo metadata --no-deps --format-version 1"]],
  ["Cargo.lock", ["cargo tree", "cargo tree --manifest-path Cargo.toml"]],
  ["go.mod", ["go list", "go mod graph", "go vet ./..."]],
  ["go.work", ["go list"]],
  ["package.json", ["npm pkg get name", "npm run"]],
  ["main.tf", ["terraform validate", "terraform providers", "terraform fmt -check -diff"]],
  [".clang-format", ["clang-format a.c", "clang-format -i sub/*.c"]],
  ["pyproject.toml", ["ruff check .", "black --check ."]],
];

test.each(OPENED)(
  "%s is asked about if it is a link to a secret or to a file outside the project",
  (path, commands) => {
    put("a.c", "int a;\n");
    put("sub/b.c", "int b;\n");
    put("real", "");
    if (path === "Cargo.lock") put("Cargo.toml", "");
    link(path, "real");
    expect(commands.filter(asks)).toEqual([]);
    for (const to of [".env", "../outside/new"]) {
      rmSync(join(project, path));
      link(path, to);
      // A formatter of a missing file has nothing to show.
      expect(commands.filter((command) => !asks(command) && !/fmt -check/.test(command))).toEqual([]);
    }
  },
);

test("a formatter of a folder is asked about if a link with a matching file name leads out of the project", () => {
  const writing = ["gofmt -w sub", "terraform fmt sub", "ruff format sub", "black ."];
  put("sub/deeper/a.go", "package a\n");
  link("sub/python", "/usr/bin/env");
  expect(writing.filter(asks)).toEqual([]);
  for (const name of ["a.go", "a.tf", "a.py"]) link(`sub/${name}`, "../../outside/a");
  expect(writing.filter((command) => !asks(command))).toEqual([]);
});
