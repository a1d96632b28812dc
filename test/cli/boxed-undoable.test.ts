import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leeway, machine } from "./program.ts";

// What can be put back runs without a question.

function project() {
  const on = machine();
  const at = (name: string) => join(on.project, name);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: on.project, env: on.env, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("config", "user.email", "a@example.com");
  git("config", "user.name", "a");
  writeFileSync(at("a.txt"), "1\n");
  writeFileSync(at(".gitignore"), "node_modules\n");
  git("add", ".");
  git("commit", "-qm", "first");
  const run = (line: string) => leeway(on, ["run", "--wait", "1s", "--", "sh", "-c", line]);
  return { at, git, run, [Symbol.dispose]: on.remove };
}

test("a merge that is given up asks nobody", async () => {
  using here = project();
  here.git("checkout", "-qb", "other");
  writeFileSync(here.at("a.txt"), "other\n");
  here.git("commit", "-qam", "other");
  here.git("checkout", "-q", "main");
  writeFileSync(here.at("a.txt"), "mine\n");
  here.git("commit", "-qam", "mine");
  expect((await here.run("git merge other")).code).toBe(1);
  expect(readFileSync(here.at("a.txt"), "utf8")).toContain("<<<<<<<");
  expect((await here.run("git merge --abort")).code).toBe(0);
  expect(readFileSync(here.at("a.txt"), "utf8")).toBe("mine\n");
}, 120_000);

test("a folder of packages is removed without a question, however many files it has", async () => {
  using here = project();
  mkdirSync(here.at("node_modules/left"), { recursive: true });
  for (let i = 0; i < 80; i++) writeFileSync(here.at(`node_modules/left/${i}.js`), `${i}\n`);
  const { code } = await here.run("rm -rf node_modules");
  expect([code, existsSync(here.at("node_modules"))]).toEqual([0, false]);
}, 120_000);
