import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leeway, machine, program } from "./program.ts";

// Code that nobody reads, which tries to change more than a box lets it change without a question. The preset is `standard`.

/** A project with two commits, a branch, a tag, and work that no commit has. */
function repository() {
  const on = machine();
  const at = (name: string) => join(on.project, name);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: on.project, env: on.env, encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("config", "user.email", "a@example.com");
  git("config", "user.name", "a");
  writeFileSync(at("a.txt"), "1\n");
  writeFileSync(at("dirty.txt"), "committed\n");
  git("add", ".");
  git("commit", "-qm", "first");
  writeFileSync(at("a.txt"), "2\n");
  git("commit", "-qam", "second");
  git("tag", "v1");
  writeFileSync(at("dirty.txt"), "work\n");
  const program = (name: string, text: string) => {
    writeFileSync(at(name), `#!/bin/sh\n${text}\n`);
    chmodSync(at(name), 0o755);
  };
  const run = async (line: string, ...options: string[]) =>
    (await leeway(on, ["run", "--wait", "1s", ...options, "--", "sh", "-c", line])).code;
  const policy = (text: string) => {
    writeFileSync(join(on.home, "policy.yaml"), `version: 1\npreset: standard\n${text}`);
    return ["--policy", join(on.home, "policy.yaml")];
  };
  return { on, at, git, program, run, policy, [Symbol.dispose]: on.remove };
}

test("a program in place of one that only reads is rehearsed: it destroys no work without a question", async () => {
  using here = repository();
  here.program("ls", "rm dirty.txt");
  const code = await here.run("PATH=.:$PATH ls");
  expect([code, readFileSync(here.at("dirty.txt"), "utf8")]).toEqual([3, "work\n"]);
});

test("a box does not let code run that a policy denies, if the code has the name of a program that only reads", async () => {
  using here = repository();
  here.program("ls", "touch ran");
  const code = await here.run("PATH=.:$PATH ls", ...here.policy("tiers: { process.exec: deny }\n"));
  expect([code, existsSync(here.at("ran"))]).toEqual([5, false]);
});

test("code beside a commit takes nothing from the history without a question, and the commit alone needs none", async () => {
  using here = repository();
  const before = here.git("rev-parse", "main", "v1");
  const attempts = [
    "git update-ref -d refs/tags/v1",
    "git update-ref refs/heads/main HEAD~1",
    "git update-ref refs/heads/main $(git commit-tree -m x HEAD^{tree})",
    "git replace HEAD HEAD~1",
    "rm -rf .git/objects/??",
    'for file in .git/objects/??/*; do chmod +w "$file"; echo x > "$file"; done',
  ];
  for (const attempt of attempts) {
    here.program("code", `${attempt}; echo new > new.txt`);
    const code = await here.run("./code; git add a.txt; true");
    const after = here.git("rev-parse", "main", "v1");
    expect([attempt, code, after, here.git("replace", "-l")]).toEqual([attempt, 5, before, ""]);
  }
  expect(here.git("fsck")).toBe("");
  here.program("code", "echo new > new.txt");
  const code = await here.run("./code && git add new.txt && git commit -qm third");
  expect([code, here.git("log", "--format=%s")]).toEqual([0, "third\nsecond\nfirst\n"]);
});

test("a repository outside of the project is closed to code, and open to git alone", async () => {
  using here = repository();
  const worktree = join(here.on.home, "worktree");
  here.git("worktree", "add", "-q", worktree);
  const run = async (line: string) =>
    (await leeway(here.on, ["run", "--wait", "1s", "--", "sh", "-c", line], { cwd: worktree })).code;
  writeFileSync(join(worktree, "code.sh"), "git update-ref -d refs/tags/v1\n");
  await run("sh code.sh; git add .");
  expect(here.git("tag")).toBe("v1\n");
  expect(await run("git add . && git commit -qm third")).toBe(0);
  expect(here.git("log", "-1", "--format=%s", "worktree")).toBe("third\n");
});

test("a rule about removing files applies to files that code removed", async () => {
  using here = repository();
  here.program("code", "rm a.txt");
  const code = await here.run("./code", ...here.policy("tiers: { fs.delete: deny }\n"));
  expect([code, existsSync(here.at("a.txt"))]).toEqual([5, true]);
  expect([await here.run("./code"), existsSync(here.at("a.txt"))]).toEqual([0, false]);
});

test("the index of git is not believed about which work a commit has", async () => {
  using here = repository();
  here.git("update-index", "--assume-unchanged", "dirty.txt");
  expect([await here.run("rm dirty.txt"), existsSync(here.at("dirty.txt"))]).toEqual([3, true]);
});

test("git that throws work away, by a short or an abbreviated option, is asked about", async () => {
  using here = repository();
  for (const line of ["git restore --staged -W .", "git mv --forc a.txt dirty.txt"]) {
    expect([line, await here.run(line)]).toEqual([line, 5]);
  }
  expect(readFileSync(here.at("dirty.txt"), "utf8")).toBe("work\n");
});

test("git that puts a file back is asked about only if nothing has what was in the file", async () => {
  using here = repository();
  const text = (name: string) => readFileSync(here.at(name), "utf8");
  for (const line of ["git checkout -- dirty.txt", "git restore dirty.txt", "true && git restore -- dirty.txt"])
    expect([line, await here.run(line), text("dirty.txt")]).toEqual([line, 3, "work\n"]);
  // A command in a box wrote it, so it is no work of a person.
  expect(await here.run("echo 3 > a.txt")).toBe(0);
  expect([await here.run("git checkout -- a.txt"), text("a.txt")]).toEqual([0, "2\n"]);
  // The index has it, or a stash keeps it.
  here.git("add", "dirty.txt");
  expect([await here.run("git restore dirty.txt"), text("dirty.txt")]).toEqual([0, "work\n"]);
  here.git("reset", "-q");
  expect([await here.run("git stash push -q dirty.txt"), text("dirty.txt")]).toEqual([0, "committed\n"]);
});

test("files that git does not know are work: their removal is asked about, unless git ignores them or a command in a box made them", async () => {
  using here = repository();
  const removal = async (name: string) => [name, await here.run(`rm ${name}`), existsSync(here.at(name))];
  writeFileSync(here.at(".gitignore"), "*.out\n");
  for (const name of ["notes.txt", "a.out", "app.log"]) writeFileSync(here.at(name), "text\n");
  here.program("code", "echo made > made.txt; echo made > edited.txt");
  expect(await here.run("./code")).toBe(0);
  writeFileSync(here.at("edited.txt"), "edited by a person\n");
  expect([
    await removal("notes.txt"),
    await removal("edited.txt"),
    await removal("made.txt"),
    await removal("a.out"),
    await removal("app.log"),
  ]).toEqual([
    ["notes.txt", 3, true],
    ["edited.txt", 3, true],
    ["made.txt", 0, false],
    ["a.out", 0, false],
    ["app.log", 0, false],
  ]);
});

test("work in a repository inside of the project is looked for in that repository, and its removal is asked about", async () => {
  using here = repository();
  for (const inner of ["nest", "worktree"]) {
    if (inner === "nest") here.git("init", "-q", "nest");
    else here.git("worktree", "add", "-q", "worktree", "-b", "other");
    writeFileSync(here.at(`${inner}/kept.txt`), "1\n");
    const git = (...args: string[]) =>
      here.git("-C", inner, "-c", "user.name=a", "-c", "user.email=a@example.com", ...args);
    git("add", "kept.txt");
    git("commit", "-qm", "inner");
    writeFileSync(here.at(`${inner}/new.txt`), "work\n");
    const removal = async (line: string, name: string) => [
      line,
      (await here.run(line)) === 0,
      existsSync(here.at(name)),
    ];
    expect([
      await removal(`rm ${inner}/new.txt`, `${inner}/new.txt`),
      await removal(`rm -r ${inner}`, `${inner}/.git`),
      await removal(`rm ${inner}/kept.txt`, `${inner}/kept.txt`),
    ]).toEqual([
      [`rm ${inner}/new.txt`, false, true],
      [`rm -r ${inner}`, false, true],
      [`rm ${inner}/kept.txt`, true, false],
    ]);
  }
}, 120_000);

test("compiled code that tools keep beside sources is not applied, but removed", async () => {
  using here = repository();
  here.program(
    "code",
    "mkdir -p __pycache__ d; echo x > __pycache__/a.pyc; echo x > new.txt; ln -s ../evil d/__pycache__",
  );
  expect(await here.run("./code")).toBe(0);
  const names = ["__pycache__", "d/__pycache__", "d", "new.txt"];
  expect(names.map((name) => existsSync(here.at(name)))).toEqual([false, false, true, true]);
  mkdirSync(here.at("__pycache__"));
  writeFileSync(here.at("__pycache__/a.pyc"), "old");
  expect([await here.run("rm -rf __pycache__"), existsSync(here.at("__pycache__"))]).toEqual([0, false]);
});

test("hooks of a repository outside of the project are asked about, because they cannot be rehearsed", async () => {
  using here = repository();
  const worktree = join(here.on.home, "worktree");
  here.git("worktree", "add", "-q", worktree);
  const commit = ["run", "--wait", "1s", "--", "git", "commit", "-q", "--allow-empty", "-m", "third"];
  expect((await leeway(here.on, commit, { cwd: worktree })).code).toBe(0);
  here.program(".git/hooks/pre-commit", "git update-ref -d refs/tags/v1");
  expect((await leeway(here.on, commit, { cwd: worktree })).code).toBe(5);
  expect(here.git("tag")).toBe("v1\n");
});

test("a branch or tag that git has packed is not moved by code without a question", async () => {
  using here = repository();
  here.git("pack-refs", "--all");
  const before = here.git("rev-parse", "main", "v1");
  for (const attempt of ["git update-ref refs/heads/main HEAD~1", "git update-ref refs/tags/v1 HEAD~1"]) {
    here.program("code", `${attempt}; echo new > new.txt`);
    const code = await here.run("./code; git add a.txt; true");
    expect([attempt, code, here.git("rev-parse", "main", "v1")]).toEqual([attempt, 5, before]);
  }
  here.program("code", "echo new > new.txt");
  expect(await here.run("./code && git add new.txt && git commit -qm third")).toBe(0);
});

test("a protected file that code puts into a commit, and not into the folder, is asked about", async () => {
  using here = repository();
  const before = here.git("rev-parse", "main");
  const staged = "git update-index --add --cacheinfo 100644,$(echo on: push | git hash-object -w --stdin)";
  here.program("code", `${staged},.github/workflows/evil.yml; git commit -qm "fix typo"`);
  expect([await here.run("./code; git add a.txt; true"), here.git("rev-parse", "main")]).toEqual([3, before]);
  // A protected file that is in the folder may be committed: somebody was asked when it was written.
  mkdirSync(here.at(".github/workflows"), { recursive: true });
  writeFileSync(here.at(".github/workflows/ci.yml"), "on: push\n");
  here.program("code", "true");
  expect(await here.run("./code && git add .github && git commit -qm ci")).toBe(0);
});

test("a commit that only a tag names, or that is too large to be read, is looked into or asked about", async () => {
  using here = repository();
  const before = here.git("for-each-ref");
  const staged = "git update-index --add --cacheinfo 100644,$(echo on: push | git hash-object -w --stdin)";
  const commit = `${staged},.github/workflows/evil.yml; commit=$(git commit-tree -m x -p HEAD $(git write-tree)); git reset -q`;
  const huge = "head -c 5000000 /dev/zero | tr '\\0' x > message";
  for (const attempt of [
    `${commit}; git tag -a -m x evil $commit`,
    `${commit}; git tag evil $commit`,
    `${huge}; ${staged},.github/workflows/evil.yml; git commit -q -F message; rm message; git reset -q HEAD .`,
  ]) {
    here.program("code", attempt);
    const code = await here.run("./code; git add a.txt; true");
    expect([attempt, [3, 5].includes(code ?? 0), here.git("for-each-ref")]).toEqual([attempt, true, before]);
  }
});

test("a protected file that code puts into the index, and not into the folder, is asked about", async () => {
  using here = repository();
  const staged = (path: string) =>
    `git update-index --add --cacheinfo 100644,$(echo evil | git hash-object -w --stdin),${path}`;
  for (const version of ["2", "4"]) {
    here.git("update-index", "--index-version", version);
    for (const path of [".github/workflows/evil.yml", "a/b/.vscode/tasks.json", "a/b/c/server.pem"]) {
      here.program("code", staged(path));
      const code = await here.run("./code; git add a.txt; true");
      expect([path, code === 0, here.git("diff", "--cached", "--name-only")]).toEqual([path, false, ""]);
    }
  }
  here.program("code", "git update-index --split-index");
  expect(await here.run("./code; git add a.txt; true")).not.toBe(0);
  // What is in the folder may be added, and so may what is not protected.
  mkdirSync(here.at("a/b/c"), { recursive: true });
  writeFileSync(here.at("a/b/c/Makefile"), "all:\n");
  here.program("code", staged("a/plain.txt"));
  expect(await here.run("./code; git add a; true")).toBe(0);
  expect(here.git("diff", "--cached", "--name-only")).toBe("a/b/c/Makefile\n");
});

test("a file with credentials, which a box shows empty, is not committed without its content and without a question", async () => {
  using here = repository();
  for (const path of [".env", "services/api/.env"]) {
    mkdirSync(here.at("services/api"), { recursive: true });
    writeFileSync(here.at(path), "PORT=80\n");
    here.git("add", path);
    here.git("commit", "-qm", path, path);
    const before = here.git("rev-parse", "main");
    here.program("code", "echo more >> a.txt");
    const code = await here.run("./code && git commit -qam more");
    expect([path, code === 0, here.git("rev-parse", "main")]).toEqual([path, false, before]);
    expect(await here.run("./code && git add a.txt && git commit -qm more")).toBe(0);
  }
  expect(here.git("diff", "HEAD", "--name-only")).toBe("dirty.txt\n");
});

test("packages that a command installs into a protected folder are named, and asked about", async () => {
  using here = repository();
  writeFileSync(here.at("package.json"), "{}");
  mkdirSync(here.at(".github/actions/x/node_modules"), { recursive: true });
  writeFileSync(here.at(".github/actions/x/node_modules/y.js"), "good");
  here.program("code", "echo evil > .github/actions/x/node_modules/y.js");
  const code = await here.run("npm prune; ./code");
  expect([code === 0, readFileSync(here.at(".github/actions/x/node_modules/y.js"), "utf8")]).toEqual([false, "good"]);
});

test("hooks of git change no temporary files that the command does not name", async () => {
  using here = repository();
  const canary = join(here.on.home, "..", `canary-${process.pid}`);
  writeFileSync(canary, "as it was");
  writeFileSync(here.at(".git/hooks/pre-commit"), `#!/bin/sh\necho changed > ${canary}\ntrue\n`);
  chmodSync(here.at(".git/hooks/pre-commit"), 0o755);
  await here.run(`git commit -qam x; echo x > ${canary}-named`);
  expect(readFileSync(canary, "utf8")).toBe("as it was");
  rmSync(canary);
  rmSync(`${canary}-named`, { force: true });
});

test("work that no commit has is not lost by way of a temporary folder without a question", async () => {
  using here = repository();
  const moved = join(here.on.home, "..", `moved-${process.pid}`);
  await here.run(`mv dirty.txt ${moved} && rm ${moved}`);
  expect(readFileSync(here.at("dirty.txt"), "utf8")).toBe("work\n");
});

test("in a folder that cannot be rehearsed nothing is run, and the message says what to do", async () => {
  using here = repository();
  const folder = realpathSync(here.on.home);
  const ran = await leeway(here.on, ["run", "--", "make"], { cwd: folder });
  const said = `leeway: the box could not be made, so nothing was run: ${folder} cannot be rehearsed: the state folder of Leeway is inside of it
  hint: start it in the folder of a project, or put LEEWAY_BOX=off before the command, and a person is asked\n`;
  expect(ran).toEqual({ code: 5, stdout: "", stderr: said });
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "a program in a box that does not end, or has stopped itself, is killed five seconds after %s",
  async (signal) => {
    using here = repository();
    const code = `
import os, signal
for one in (signal.SIGINT, signal.SIGTERM): signal.signal(one, signal.SIG_IGN)
print("ready", flush=True)
os.kill(os.getpid(), signal.SIGSTOP)
signal.pause()`;
    const child = spawn(process.execPath, [program(), "run", "--", "python3", "-c", code], {
      cwd: here.on.project,
      env: here.on.env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    await once(child.stdout, "data");
    const ended = once(child, "exit");
    const sentMs = performance.now();
    child.kill(signal);
    expect(await ended).toEqual([137, null]);
    expect(Math.round((performance.now() - sentMs) / 1_000)).toBeLessThan(15);
  },
  60_000,
);

test("under autonomous, what removes work or throws it away is changed in a copy first, and leeway undo puts it back", async () => {
  using here = repository();
  const policy = ["--policy", join(here.on.home, "policy.yaml")];
  writeFileSync(join(here.on.home, "policy.yaml"), "version: 1\npreset: autonomous\n");
  const newest = async (): Promise<string> => {
    const lines = (await leeway(here.on, ["log", "--json"])).stdout.trim().split("\n");
    const entries = lines.map((line) => JSON.parse(line));
    return entries.findLast((one) => one.kind === "call.decided" && one.subject.tool === "exec").subject.call;
  };
  const texts = () =>
    ["notes.txt", "dirty.txt"].map((name) => existsSync(here.at(name)) && readFileSync(here.at(name), "utf8"));
  writeFileSync(here.at("notes.txt"), "ten hours\n");
  const before = texts();
  for (const line of ["find . -name notes.txt -delete", "truncate -s 0 notes.txt", "git clean -fdx"]) {
    await here.run(line, ...policy);
    expect([line, texts()]).not.toEqual([line, before]);
    const undone = await leeway(here.on, ["undo", await newest(), ...policy]);
    expect([line, undone.code, texts()]).toEqual([line, 0, before]);
  }
  // Where git changed its own files too, a person is asked before they are put back.
  for (const line of ["git checkout .", "git reset --hard"]) {
    writeFileSync(here.at("dirty.txt"), "work\n");
    const code = await here.run(line, ...policy);
    const why = JSON.parse((await leeway(here.on, ["why", await newest(), "--json"])).stdout);
    expect([line, code, readFileSync(here.at("dirty.txt"), "utf8"), why.changes.state, why.changes.undo]).toEqual([
      line,
      0,
      "committed\n",
      "applied",
      expect.stringContaining("leeway undo"),
    ]);
  }
  // Protected files would be removed with the others, so nothing is.
  await here.run(`rm -rf ${here.on.project}`, ...policy);
  expect([existsSync(here.at("notes.txt")), existsSync(here.at(".git/HEAD"))]).toEqual([true, true]);
}, 120_000);
