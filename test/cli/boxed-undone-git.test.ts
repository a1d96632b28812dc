import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leeway, machine } from "./program.ts";

// What git changes in its repository runs without a question where `leeway undo` puts it back: branches, stashes and the index.

function project() {
  const on = machine();
  const at = (name: string) => join(on.project, name);
  // A look must not refresh the index: after another command of git changed it, nothing is put back.
  const env = { ...on.env, GIT_OPTIONAL_LOCKS: "0" };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: on.project, env, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("config", "user.email", "a@example.com");
  git("config", "user.name", "a");
  writeFileSync(at("a.txt"), "1\n");
  git("add", ".");
  git("commit", "-qm", "first");
  const run = (line: string) => leeway(on, ["run", "--wait", "1s", "--", "sh", "-c", line]);
  /** What git knows and what is in the folder. */
  const state = () => ({
    refs: git("for-each-ref"),
    head: git("symbolic-ref", "HEAD"),
    stash: git("stash", "list"),
    status: git("status", "--porcelain"),
    staged: git("diff", "--cached"),
    text: readFileSync(at("a.txt"), "utf8"),
  });
  /** Undoes the newest command. */
  const undo = async () => {
    const entries = (await leeway(on, ["log", "--json"])).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const isCommand = (one: (typeof entries)[number]) => one.kind === "call.decided" && one.subject.tool === "exec";
    return leeway(on, ["undo", entries.findLast(isCommand).subject.call]);
  };
  return { at, git, run, undo, state, [Symbol.dispose]: on.remove };
}

type Project = ReturnType<typeof project>;

/** A commit of another branch. */
function commitOther({ git, at }: Project): void {
  git("checkout", "-qb", "other");
  writeFileSync(at("a.txt"), "other\n");
  git("commit", "-qam", "other");
  git("checkout", "-q", "main");
}

const CASES: readonly { line: string; begin: (here: Project) => void }[] = [
  {
    line: "git branch -D other",
    begin: commitOther,
  },
  {
    line: "git stash drop",
    begin: ({ git, at }) => {
      writeFileSync(at("a.txt"), "one\n");
      git("stash", "-q");
      writeFileSync(at("a.txt"), "two\n");
      git("stash", "-q");
    },
  },
  {
    line: "git reset a.txt",
    begin: ({ git, at }) => {
      writeFileSync(at("a.txt"), "staged\n");
      git("add", "a.txt");
    },
  },
];

for (const { line, begin } of CASES)
  test(`leeway undo puts back what \`${line}\` changed, and nobody is asked about either`, async () => {
    using here = project();
    begin(here);
    const before = here.state();
    const ran = await here.run(line);
    expect({ code: ran.code, said: ran.code === 0 ? "" : ran.stderr }).toEqual({ code: 0, said: "" });
    expect(here.state()).not.toEqual(before);
    const undone = await here.undo();
    expect({ code: undone.code, said: undone.code === 0 ? "" : undone.stderr }).toEqual({ code: 0, said: "" });
    expect(here.state()).toEqual(before);
  }, 120_000);

test("a picked commit runs without a question, and a person is asked before an undo removes it", async () => {
  using here = project();
  commitOther(here);
  const before = here.state();
  expect((await here.run("git cherry-pick other")).code).toBe(0);
  const picked = here.state();
  expect([picked.text, picked.refs === before.refs]).toEqual(["other\n", false]);
  const undone = await here.undo();
  expect([undone.code, /needs a person/.test(undone.stderr), here.state()]).toEqual([5, true, picked]);
}, 120_000);
