import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leeway, machine } from "./program.ts";

// What commands write that only the box shows: the files of an archive, a commit of a package manager, a file with credentials.

function project() {
  const on = machine();
  const at = (name: string) => join(on.project, name);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: on.project, env: on.env, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("config", "user.email", "a@example.com");
  git("config", "user.name", "a");
  mkdirSync(at("src"));
  writeFileSync(at("src/a.txt"), "1\n");
  writeFileSync(at("package.json"), '{ "name": "a", "version": "1.0.0" }\n');
  writeFileSync(at(".env.example"), "KEY=\n");
  writeFileSync(at(".gitignore"), ".env\n");
  git("add", ".");
  git("commit", "-qm", "first");
  const run = (...words: string[]) => leeway(on, ["run", "--wait", "1s", "--", ...words]);
  /** The policy that `leeway init` writes. */
  const begin = async () => {
    writeFileSync(join(on.home, "passphrase"), "three quiet horses\n");
    const answers = ["--yes", "--name", "ana", "--password-file", join(on.home, "passphrase")];
    expect((await leeway(on, ["init", ...answers])).code).toBe(0);
  };
  /** The id of the newest command. */
  const newest = async (): Promise<string> => {
    const entries = (await leeway(on, ["log", "--json"])).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const isCommand = (one: (typeof entries)[number]) => one.kind === "call.decided" && one.subject.tool === "exec";
    return entries.findLast(isCommand).subject.call;
  };
  return { on, at, git, run, begin, newest, [Symbol.dispose]: on.remove };
}

test("with the starter policy an archive is unpacked without a question, and an unpacked .env is asked about", async () => {
  using here = project();
  await here.begin();
  mkdirSync(here.at("t"));
  writeFileSync(here.at("t/.env"), "KEY=1\n");
  writeFileSync(here.at("t/y"), "2\n");
  const tar = (...words: string[]) => execFileSync("tar", words, { cwd: here.on.project });
  tar("cf", "plain.tar", "-C", "t", "y");
  tar("cf", "keys.tar", "-C", "t", ".env");
  execFileSync("rm", ["-r", here.at("t")]);
  expect((await here.run("tar", "xf", "plain.tar")).code).toBe(0);
  expect(readFileSync(here.at("y"), "utf8")).toBe("2\n");
  const asked = await here.run("tar", "xf", "keys.tar");
  expect([asked.code, /rule keep-env-files/.test(asked.stderr), existsSync(here.at(".env"))]).toEqual([3, true, false]);
}, 120_000);

test("with the starter policy a link is made, and a folder is packed, without a question", async () => {
  using here = project();
  await here.begin();
  expect((await here.run("ln", "-s", "src", "lib")).code).toBe(0);
  expect(readlinkSync(here.at("lib"))).toBe("src");
  const checked = await leeway(here.on, ["check", "--json", "--command", "zip -r a.zip src"]);
  expect(JSON.parse(checked.stdout).outcome).toBe("run");
}, 120_000);

test("a new version by npm asks nobody, unless its scripts change what git follows or take something away", async () => {
  using here = project();
  expect((await here.run("npm", "version", "patch")).code).toBe(0);
  expect([here.git("tag"), here.git("log", "--format=%s"), here.git("status", "--short")]).toEqual([
    "v1.0.1\n",
    "1.0.1\nfirst\n",
    "",
  ]);
  here.git("checkout", "-qb", "other");
  here.git("commit", "-q", "--allow-empty", "-m", "only here");
  here.git("checkout", "-q", "main");
  for (const script of ["printf x > .git/hooks/pre-commit", "git branch -D other", "git tag -d v1.0.1"]) {
    writeFileSync(
      here.at("package.json"),
      JSON.stringify({ name: "a", version: "1.0.1", scripts: { version: script } }),
    );
    here.git("commit", "-qam", script);
    expect([script, (await here.run("npm", "version", "minor")).code]).toEqual([script, 5]);
    expect([here.git("tag"), here.git("branch").includes("other")]).toEqual(["v1.0.1\n", true]);
  }
}, 180_000);

test("a file with credentials is replaced in the copy of the project, and leeway undo puts its content back", async () => {
  using here = project();
  const old = "KEY=old\n";
  for (const [line, now] of [
    ["cp .env.example .env", "KEY=\n"],
    ["cat .env.example > .env", "KEY=\n"],
    ["echo B=1 >> .env", `${old}B=1\n`],
  ] as const) {
    writeFileSync(here.at(".env"), old);
    const { code } = await here.run("sh", "-c", line);
    expect([line, code, readFileSync(here.at(".env"), "utf8")]).toEqual([line, 0, now]);
    const undone = await leeway(here.on, ["undo", await here.newest()]);
    expect([line, undone.code, readFileSync(here.at(".env"), "utf8")]).toEqual([line, 0, old]);
  }
}, 120_000);

test("a file with credentials that a command may read, or keep a copy of, stays hidden and as it was", async () => {
  using here = project();
  for (const line of [
    "cp -b -S x .env.example .env",
    "cp .env.example .env; grep -r KEY .",
    "grep -rh KEY . > out; echo B=1 >> .env",
    "mv .env out.txt",
  ]) {
    writeFileSync(here.at(".env"), "KEY=old\n");
    const { stdout, stderr } = await here.run("sh", "-c", line);
    const found = execFileSync("sh", ["-c", "grep -rl KEY=old . --exclude-dir=.git || true"], { cwd: here.on.project });
    expect([line, /KEY=old/.test(stdout + stderr), String(found)]).toEqual([line, false, "./.env\n"]);
  }
}, 120_000);
