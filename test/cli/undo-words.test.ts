import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asAna, openQuestion, setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";

let on: Machine;
beforeEach(() => {
  on = machine();
  const git =
    "git init -q -b main && git add . && git config user.name a && git config user.email a@example.com && git commit -qm first";
  mkdirSync(join(on.project, "src"));
  write("src/a.txt", "one\n");
  write("b.txt", "two\n");
  expect(spawnSync("sh", ["-c", git], { cwd: on.project }).status).toBe(0);
});
afterEach(() => on.remove());

const write = (name: string, text: string) => writeFileSync(join(on.project, name), text);
const read = (name: string) => readFileSync(join(on.project, name), "utf8");
const said = (script: string) =>
  spawnSync("sh", ["-c", `export GIT_OPTIONAL_LOCKS=0; ${script}`], { cwd: on.project, encoding: "utf8" }).stdout;

/** The end of a command, and the id of its call. */
async function ran(words: readonly string[], more: readonly string[] = []) {
  const receipt = join(on.home, "receipt.json");
  const end = await leeway(on, ["run", "--wait", "1s", "--receipt", receipt, ...more, "--", ...words]);
  return { ...end, id: String(JSON.parse(readFileSync(receipt, "utf8")).id) };
}

test("a copy of a whole folder is undone, and the files that it replaced come back", async () => {
  mkdirSync(join(on.project, "old", "src"), { recursive: true });
  write("old/src/a.txt", "work that no commit has\n");
  const copied = await ran(["cp", "-r", "src", "old"]);
  expect([copied.code, read("old/src/a.txt")]).toEqual([0, "one\n"]);
  const first = await leeway(on, ["undo", copied.id]);
  expect([first.code, read("old/src/a.txt")]).toEqual([0, "work that no commit has\n"]);
  const added = await ran(["cp", "-a", "src", "new"]);
  expect([added.code, readdirSync(join(on.project, "new"))]).toEqual([0, ["a.txt"]]);
  expect([(await leeway(on, ["undo", added.id])).code, existsSync(join(on.project, "new"))]).toEqual([0, false]);
});

test("an undo of git that only changed its index, its branches and files asks nobody", async () => {
  for (const [words, after] of [
    [["git", "mv", "b.txt", "c.txt"], "R  b.txt -> c.txt\nmain\n"],
    [["git", "rm", "-q", "b.txt"], "D  b.txt\nmain\n"],
    [["git", "switch", "-q", "-c", "other"], "other\n"],
  ] as const) {
    const changed = await ran(words);
    const state = "git status --short; git branch --show-current";
    expect([words, changed.code, said(state)]).toEqual([words, 0, after]);
    const undone = await leeway(on, ["undo", "--wait", "1s", changed.id]);
    expect([words, undone.code, said(state)]).toEqual([words, 0, "main\n"]);
  }
  expect(said("git branch --list other; git fsck 2>&1")).toBe("");
}, 60_000);

test("git checkout of everything, where nobody is asked, is undone without a question", async () => {
  const policy = join(on.home, "autonomous.yaml");
  writeFileSync(policy, "version: 1\npreset: autonomous\n");
  write("b.txt", "work that no commit has\n");
  const thrown = await ran(["git", "checkout", "."], ["--policy", policy]);
  expect([thrown.code, read("b.txt")]).toEqual([0, "two\n"]);
  const undone = await leeway(on, ["undo", "--policy", policy, "--wait", "1s", thrown.id]);
  expect([undone.code, read("b.txt")]).toEqual([0, "work that no commit has\n"]);
});

test("an undo that would remove a commit is asked about, and the message says where", async () => {
  write("b.txt", "three\n");
  const committed = await ran(["git", "commit", "-qam", "second"]);
  expect([committed.code, said("git log --format=%s")]).toEqual([0, "second\nfirst\n"]);
  const undone = await leeway(on, ["undo", "--wait", "1s", committed.id]);
  expect([undone.code, said("git log --format=%s")]).toEqual([5, "second\nfirst\n"]);
  expect(undone.stderr).toMatch(/hint: approve apr_\w+ in .*; then `leeway up` undoes it/);
});

test("hundreds of files in a new folder, and beside each other in the project, are applied without a question", async () => {
  write("many.py", "import os\nos.mkdir('out')\nfor i in range(300): open(f'out/{i}.txt', 'w').write('x')\n");
  const built = await ran(["python3", "many.py"]);
  expect([built.stderr, built.code, readdirSync(join(on.project, "out")).length]).toEqual(["", 0, 300]);
});

test("an archive that is made where a file with credentials is hidden is named", async () => {
  write("src/.env", "TOKEN=abc\n");
  const packed = await ran(["tar", "czf", "all.tar.gz", "src", "b.txt"]);
  expect([packed.code, packed.stderr]).toEqual([
    0,
    expect.stringContaining("Hidden in the box, so the copy is empty: src/.env in all.tar.gz."),
  ]);
  const harmless = await ran(["tar", "cf", "b.tar", "b.txt"]);
  expect([harmless.code, harmless.stderr]).toEqual([0, ""]);
  const zipped = await ran([
    "python3",
    "-c",
    "import shutil; shutil.make_archive('/tmp/x', 'zip', '.'); shutil.move('/tmp/x.zip', 'x.zip')",
  ]);
  expect(zipped.stderr).toContain("src/.env in x.zip");
});

test("a folder that cannot be renamed in a copy of the project is named, with what to do", async () => {
  const moved = await ran(["git", "mv", "src", "lib"]);
  expect([moved.code, moved.stderr]).toEqual([
    128,
    expect.stringContaining("src (it cannot be renamed in a box; `mv` moves it by copying)"),
  ]);
});

test("a link out of the project that code makes is applied when a person approves it", async () => {
  await setUpAna(on, "version: 1\npreset: standard\napprovals: { selfReview: true }\n");
  write("link.py", "import os\nos.symlink('/tmp/leeway-not-there', 'z-far')\n");
  const asked = leeway(on, ["run", "--", "python3", "link.py"]);
  const { id } = await openQuestion(on);
  expect((await asAna(on, ["approve", id])).code).toBe(0);
  expect([(await asked).code, readlinkSync(join(on.project, "z-far"))]).toEqual([0, "/tmp/leeway-not-there"]);
}, 60_000);
