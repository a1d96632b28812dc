import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { leeway, machine } from "./program.ts";

// Everyday commands that run in a box without a question, and their dangerous neighbours. The preset is `standard`.

function project(files: { [path: string]: string }) {
  const on = machine();
  const at = (name: string) => join(on.project, name);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: on.project, env: on.env, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("config", "user.email", "a@example.com");
  git("config", "user.name", "a");
  for (const [path, text] of Object.entries(files)) write(path, text);
  git("add", ".");
  git("commit", "-qm", "first");
  const run = async (line: string) => (await leeway(on, ["run", "--wait", "1s", "--", "sh", "-c", line])).code;
  return { on, at, git, write, run, [Symbol.dispose]: on.remove };
}

test("a command that starts in a folder of a project in /tmp changes files there, in a copy and where they are", async () => {
  using here = project({ "src/a.txt": "1\n", "src/run.sh": "echo code > c.txt\n" });
  const cwd = here.at("src");
  for (const line of ["echo words > b.txt", "sh run.sh", "sed -i 's/c.txt/d.txt/' run.sh", "./run.sh"]) {
    execFileSync("chmod", ["+x", here.at("src/run.sh")]);
    expect([line, (await leeway(here.on, ["run", "--wait", "1s", "--", "sh", "-c", line], { cwd })).code]).toEqual([
      line,
      0,
    ]);
  }
  expect((await leeway(here.on, ["box", "--", "sh", "-c", "echo box > e.txt; mv run.sh f.sh"], { cwd })).code).toBe(0);
  expect(readdirSync(cwd)).toEqual(["a.txt", "b.txt", "c.txt", "d.txt", "e.txt", "f.sh"]);
}, 120_000);

test("only a value that switches boxes off, or that nobody knows, takes the box away", async () => {
  using here = project({ "run.sh": "true\n" });
  const boxed = async (line: string, env: Record<string, string> = {}) => {
    const ran = await leeway(here.on, ["check", "--json", "--command", line], { env });
    return JSON.parse(ran.stdout).box !== null;
  };
  for (const value of ["on", "1", "true", "yes", "''"])
    expect([value, await boxed(`LEEWAY_BOX=${value} sh run.sh`)]).toEqual([value, true]);
  for (const value of ["off", "0", "no", "$X", "on LEEWAY_BOX=off"])
    expect([value, await boxed(`LEEWAY_BOX=${value} sh run.sh`)]).toEqual([value, false]);
  const run = async (value: string) =>
    (await leeway(here.on, ["run", "--wait", "1s", "--", "sh", "run.sh"], { env: { LEEWAY_BOX: value } })).code;
  expect([await run("on"), await run(""), await run("off")]).toEqual([0, 0, 5]);
}, 120_000);

test("the last commit is made again without a question while nobody else has it, and its log keeps the former one", async () => {
  using here = project({ "a.txt": "1\n" });
  here.write("a.txt", "2\n");
  const former = here.git("rev-parse", "HEAD");
  expect(await here.run("git commit -qa --amend --no-edit")).toBe(0);
  expect([here.git("rev-parse", "HEAD@{1}"), here.git("log", "--format=%s")]).toEqual([former, "first\n"]);
  here.write("a.txt", "3\n");
  here.git("commit", "-qam", "second");
  // Git has packed the branch, so that it has no file.
  here.git("pack-refs", "--all");
  expect(await here.run("git commit -q --amend -m third")).toBe(0);
  expect(here.git("log", "--format=%s")).toBe("third\nfirst\n");
}, 120_000);

test("a stash that is put back completely is taken away without a question, and one that would lose something is not", async () => {
  using here = project({ "a.txt": "1\n", "b.txt": "1\n", "run.sh": "true\n" });
  const stashes = () => here.git("stash", "list").split("\n").length - 1;
  const pops = async (line = "git stash pop -q") => [await here.run(line), stashes()];
  here.write("a.txt", "older\n");
  here.git("stash", "-q");
  here.write("a.txt", "2\n");
  here.write("new.txt", "new\n");
  execFileSync("chmod", ["+x", here.at("run.sh")]);
  rmSync(here.at("b.txt"));
  here.git("stash", "-q", "-u");
  expect(await pops()).toEqual([0, 1]);
  const status = here.git("status", "--short").split("\n").sort();
  expect(status).toEqual(["", " D b.txt", " M a.txt", " M run.sh", "?? new.txt"]);
  here.git("add", "-A");
  here.git("commit", "-qm", "second");
  // The older one conflicts, so git keeps it.
  expect((await pops())[1]).toBe(1);
  here.git("reset", "-q", "--hard");
  here.git("stash", "drop", "-q");
  // What was only in the index would be lost.
  here.write("a.txt", "staged\n");
  here.git("add", "a.txt");
  here.write("a.txt", "3\n");
  here.git("stash", "-q");
  expect((await pops())[1]).toBe(1);
  here.git("stash", "drop", "-q");
  for (const line of [
    "git stash pop -q && git checkout -q -- a.txt",
    "git stash pop -q; sh -c 'echo 9 > a.txt'",
    "git stash pop -q; git stash clear",
  ]) {
    here.git("reset", "-q", "--hard");
    here.write("a.txt", "4\n");
    here.git("stash", "-q");
    expect([line, ...(await pops(line)).slice(1)]).toEqual([line, 1]);
    here.git("stash", "drop", "-q");
  }
}, 180_000);

test("a commit that ends a merge or follows a restored stash asks nobody; code that throws a merge away asks", async () => {
  using here = project({ "a.txt": "1\n" });
  here.write("a.txt", "2\n");
  expect(await here.run("git stash -q")).toBe(0);
  expect([await here.run("git stash apply -q"), existsSync(here.at(".git/AUTO_MERGE"))]).toEqual([0, true]);
  expect([await here.run("git commit -qam second"), here.git("status", "--short")]).toEqual([0, ""]);
  here.git("checkout", "-q", "-b", "other", "HEAD~1");
  here.write("a.txt", "3\n");
  here.git("commit", "-qam", "third");
  const merge = () =>
    expect(() => execFileSync("git", ["merge", "-q", "main"], { cwd: here.on.project, stdio: "pipe" })).toThrow();
  merge();
  for (const line of ["rm .git/MERGE_HEAD; git commit -qam none", "echo HEAD >> .git/MERGE_HEAD; git commit -qam more"])
    expect([line, (await here.run(line)) !== 0, here.git("log", "-1", "--format=%s")]).toEqual([line, true, "third\n"]);
  expect(existsSync(here.at(".git/MERGE_HEAD"))).toBe(true);
  here.write("a.txt", "both\n");
  expect(await here.run("git add a.txt && git commit -qm merged")).toBe(0);
  expect(here.git("log", "-1", "--format=%s %P").trim().split(" ")).toHaveLength(3);
  expect([here.git("status", "--short"), existsSync(here.at(".git/MERGE_HEAD"))]).toEqual(["", false]);
  expect(() => here.git("cherry-pick", "main")).toThrow();
  here.write("a.txt", "picked\n");
  expect([await here.run("git commit -qam picked"), existsSync(here.at(".git/CHERRY_PICK_HEAD"))]).toEqual([0, false]);
}, 180_000);

test("files at the top of a project are removed by a pattern without a question; work, the policy and folders are not", async () => {
  using here = project({ "a.txt": "1\n", "b.txt": "2\n", "src/c.txt": "3\n", "leeway.yaml": "version: 1\n" });
  expect([await here.run("rm -f *.txt"), readdirSync(here.on.project).sort()]).toEqual([
    0,
    [".git", "leeway.yaml", "src"],
  ]);
  here.git("checkout", "-q", ".");
  here.write("work.txt", "work");
  const all = readdirSync(here.on.project);
  for (const line of ["rm -f *.txt", "rm -f leew*", "rm -f .g*/HEAD", "rm -rf s*", "rm -f ../*.txt"])
    expect([line, (await here.run(line)) !== 0, readdirSync(here.on.project)]).toEqual([line, true, all]);
}, 120_000);

test("a commit that a remote or a tag has is not made again without a question, and neither is one without a log", async () => {
  using here = project({ "a.txt": "1\n" });
  const former = here.git("rev-parse", "HEAD");
  const amend = "git commit -q --amend -m other";
  const isAsked = async (line: string) => {
    expect([line, (await here.run(line)) !== 0, here.git("rev-parse", "HEAD")]).toEqual([line, true, former]);
  };
  here.git("update-ref", "refs/remotes/origin/main", "HEAD");
  await isAsked(amend);
  here.git("update-ref", "-d", "refs/remotes/origin/main");
  here.git("tag", "v1");
  await isAsked(amend);
  here.git("tag", "-d", "v1");
  await isAsked(`${amend} && git reflog expire --expire=now --all`);
  await isAsked(`${amend}; rm -f .git/logs/HEAD`);
  await isAsked(`${amend}; git reset --hard HEAD`);
  await isAsked(`${amend} && git push --force`);
  // Several commits become one.
  here.git("checkout", "-q", "-b", "more");
  here.write("a.txt", "2\n");
  here.git("commit", "-qam", "second");
  const [tip, code] = [here.git("rev-parse", "HEAD"), await here.run("git reset -q --soft main && git commit -qm all")];
  expect([code !== 0, here.git("rev-parse", "HEAD")]).toEqual([true, tip]);
  here.git("checkout", "-q", "main");
  here.git("config", "core.logAllRefUpdates", "false");
  rmSync(here.at(".git/logs"), { recursive: true });
  await isAsked(amend);
}, 180_000);

test("files that builds and tests run are removed without a question, and CI, hooks, the policy and work are not", async () => {
  using here = project({ "tests/conftest.py": "1\n", ".github/workflows/a.yml": "1\n" });
  here.write("notes/Makefile", "work");
  expect([await here.run("rm -f tests/conftest.py"), existsSync(here.at("tests/conftest.py"))]).toEqual([0, false]);
  const kept = ["notes/Makefile", ".github/workflows/a.yml", ".git/config"];
  const lines = [
    ...kept.map((path) => `rm -f ${path}`),
    "rm -rf notes",
    "rm -f leeway.yaml",
    "rm -f Makefile /srv/other.txt",
    "rm -rf .",
    "rm -rf ./**",
    "find . -name Makefile -exec rm -rf {} +",
    "find . -not -not -name notes -exec rm -rf {} +",
  ];
  for (const line of lines) expect([line, (await here.run(line)) !== 0]).toEqual([line, true]);
  for (const path of kept) expect([path, existsSync(here.at(path))]).toEqual([path, true]);
}, 180_000);

test("npm changes the scripts of the project without a question, and its own settings only with one", async () => {
  using here = project({ "package.json": '{ "name": "x", "version": "1.0.0" }\n' });
  expect(await here.run("npm pkg set scripts.lint='eslint .'")).toBe(0);
  expect(JSON.parse(readFileSync(here.at("package.json"), "utf8")).scripts).toEqual({ lint: "eslint ." });
  for (const line of [
    "npm config set script-shell ./x",
    "npm config set --location=project registry https://a.example",
  ])
    expect([line, await here.run(line)]).toEqual([line, 5]);
}, 120_000);

test("files that builds and tests run are written by words without a question, and the former ones are kept for undo", async () => {
  using here = project({ "package.json": '{"version":"1.0.0"}\n', Makefile: "all:\n", "src/a.ts": "1\n" });
  const found = () => [readFileSync(here.at("package.json"), "utf8"), readFileSync(here.at("Makefile"), "utf8")];
  here.write("Makefile", "all:\n\techo work that no commit has\n");
  expect(await here.run("sed -i s/1.0.0/1.0.1/ package.json && cp src/a.ts Makefile && echo '# end' >> Makefile")).toBe(
    0,
  );
  expect(found()).toEqual(['{"version":"1.0.1"}\n', "1\n# end\n"]);
  const log = (await leeway(here.on, ["log", "--json"])).stdout.trim().split("\n");
  const newest = log.map((line) => JSON.parse(line)).findLast(({ subject }) => subject?.tool === "exec").subject.call;
  const why = JSON.parse((await leeway(here.on, ["why", newest, "--json"])).stdout);
  expect([why.changes.state, why.changes.undo]).toEqual(["applied", expect.stringContaining("leeway undo")]);
}, 120_000);

test("switching to another branch asks nobody; work that would be lost, and a protected file, are asked about", async () => {
  using here = project({ "a.txt": "1\n", "src/b.txt": "1\n", ".gitignore": "local.cfg\n" });
  here.git("checkout", "-qb", "other");
  here.write("a.txt", "2\n");
  here.write("local.cfg", "tracked\n");
  here.git("add", "-f", "local.cfg");
  here.git("commit", "-qam", "second");
  here.git("checkout", "-qb", "ci", "main");
  here.write(".github/workflows/ci.yml", "on: push\n");
  here.git("add", ".");
  here.git("commit", "-qm", "ci");
  here.git("checkout", "-q", "main");
  const runs = async (lines: readonly string[]) => {
    const ended: [string, number][] = [];
    for (const line of lines) ended.push([line, await here.run(line)]);
    return ended;
  };
  const moving = ["git switch other", "git switch -", "git checkout -q other", "git checkout main"];
  expect(await runs(moving)).toEqual(moving.map((line) => [line, 0]));
  here.write("src/b.txt", "work\n");
  expect(await runs(["git switch other", "git switch main"])).toEqual([
    ["git switch other", 0],
    ["git switch main", 0],
  ]);
  here.write("local.cfg", "precious\n");
  const losing = ["git checkout src/b.txt", "git checkout src", "git switch other", "git switch ci"];
  expect(await runs(losing)).toEqual(losing.map((line) => [line, 3]));
  for (const line of ["git switch -f other", "git checkout --orphan x", "git checkout ."])
    expect([line, (await here.run(line)) !== 0]).toEqual([line, true]);
  expect([here.git("status", "--short", "-b"), readFileSync(here.at("local.cfg"), "utf8")]).toEqual([
    "## main\n M src/b.txt\n",
    "precious\n",
  ]);
}, 180_000);

test("a view that starts a program runs without a question only in walls, and what only describes a database has walls too", async () => {
  using here = project({ ".env": "TOKEN=1\n" });
  const outside = join(tmpdir(), `outside-${process.pid}`);
  const sql = `create view v as select edit('x', 'cp .env ${outside}; cp .env seen; :') as a; create table t(a)`;
  execFileSync("sqlite3", [here.at("a.db"), sql]);
  const checked = async (line: string) => {
    const { tier, box } = JSON.parse((await leeway(here.on, ["check", "--json", "--command", line])).stdout);
    return [tier, box !== null];
  };
  expect(await checked("sqlite3 a.db 'select * from v'")).toEqual(["notify", true]);
  expect(await checked("sqlite3 -safe a.db 'select * from v'")).toEqual(["auto", true]);
  expect(await checked("sqlite3 a.db .tables")).toEqual(["auto", true]);
  await here.run("sqlite3 a.db 'select * from v'");
  expect([existsSync(outside), readFileSync(here.at(".env"), "utf8")]).toEqual([false, "TOKEN=1\n"]);
  expect(existsSync(here.at("seen")) ? readFileSync(here.at("seen"), "utf8") : "").not.toContain("TOKEN");
  expect(await here.run("sqlite3 -safe a.db 'select * from v'")).not.toBe(0);
  expect(existsSync(outside)).toBe(false);
}, 120_000);
