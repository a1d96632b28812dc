import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asAna, openQuestion, setUpAna } from "./person.ts";
import { leeway, type Machine, machine, program } from "./program.ts";

let on: Machine;
beforeEach(() => {
  on = machine();
});
afterEach(() => on.remove());

const FIX = `
import os
open('a.txt', 'a').write('two\\n')
open('new.txt', 'w').write('hello\\n')
try:
    open('/etc/leeway-was-here', 'w')
except OSError as error:
    import sys
    print(error, file=sys.stderr)
    sys.exit(3)
`;

/** A repository in which \`b.txt\` has work that no commit has. */
function repository(): void {
  const write = (name: string, text: string) => writeFileSync(join(on.project, name), text);
  write("a.txt", "one\n");
  write("b.txt", "first\n");
  write("fix.py", FIX);
  write("clean.py", "import os\nos.remove('b.txt')\nopen('a.txt', 'w').write('only\\n')\n");
  const git = "git init -q && git add . && git -c user.name=a -c user.email=a@example.com commit -qm first";
  expect(spawnSync("sh", ["-c", git], { cwd: on.project }).status).toBe(0);
  write("b.txt", "first\nsecond\n");
}

const read = (name: string) => readFileSync(join(on.project, name), "utf8");

/** The id of the newest call of this tool. */
async function newest(tool: string): Promise<string> {
  const lines = (await leeway(on, ["log", "--json"])).stdout.trim().split("\n");
  const entries = lines.map((line) => JSON.parse(line));
  const found = entries.findLast(({ kind, subject }) => kind === "call.decided" && subject.tool === tool);
  return found.subject.call;
}

test("a command that ran in a box says what its walls refused and what it changed, and undo puts the files back", async () => {
  repository();
  const ran = await leeway(on, ["run", "--", "python3", "fix.py"]);
  expect({ code: ran.code, a: read("a.txt"), made: read("new.txt") }).toEqual({
    code: 3,
    a: "one\ntwo\n",
    made: "hello\n",
  });
  const call = await newest("exec");
  const why = JSON.parse((await leeway(on, ["why", call, "--json"])).stdout);
  const applied = await newest("leeway.apply");
  expect({ boxed: why.boxed, changes: why.changes, came: why.came }).toEqual({
    boxed: {
      is: "ran",
      because: "enough",
      rehearsed: true,
      walls: ["can change the project folder", "no network", "no credentials"],
      refused: ["a write to /etc/leeway-was-here"],
    },
    changes: {
      call: applied,
      files: 2,
      state: "applied",
      said: "2 files were changed",
      undo: `leeway undo ${applied}`,
    },
    came: expect.objectContaining({ state: "failed", exitCode: 3 }),
  });
  // The exit code is said once.
  expect((await leeway(on, ["why", call])).stdout).toMatch(/^ended {12}failed, exit code 3, took \d+ m?s$/m);
  const said = (await leeway(on, ["show", call])).stdout;
  expect(said).toContain("ran in a box: can change the project folder; no network; no credentials");
  expect(said).toContain("a write to /etc/leeway-was-here");
  const status = (await leeway(on, ["status"])).stdout;
  expect(status).toContain("of the newest call: 0 asked about, 1 in a box (the walls refused something in 1)");
  const { notices } = JSON.parse((await leeway(on, ["inbox", "--json"])).stdout);
  expect(notices.map(({ title, text }: { title: string; text: string }) => [title, text])).toEqual([
    ["1 call ran under notify", "cli: python3 fix.py"],
  ]);
  // The record has both calls; people read about one.
  const { stdout: log, stderr } = await leeway(on, ["log"]);
  expect(log).toMatch(/exec in a box: python3? .* notify/);
  expect(log).not.toContain("leeway.apply");
  expect(stderr.replaceAll("\n", " ")).toContain(
    "3 entries are not shown: they only say that what a command changed was applied. `leeway log --tool leeway.apply` shows such entries.",
  );
  expect((await leeway(on, ["log", "--json"])).stderr).toBe("");
  expect((await leeway(on, ["log", "--tool", "leeway.apply"])).stdout).toContain("leeway.apply");

  writeFileSync(join(on.project, "a.txt"), "one\ntwo\nmine\n");
  const refused = await leeway(on, ["undo", call]);
  expect({ code: refused.code, a: read("a.txt"), made: read("new.txt") }).toEqual({
    code: 1,
    a: "one\ntwo\nmine\n",
    made: "hello\n",
  });
  expect(refused.stderr).toContain("nothing was undone, because files changed meanwhile: a.txt");

  writeFileSync(join(on.project, "a.txt"), "one\ntwo\n");
  const undone = await leeway(on, ["undo", call.slice(0, 22), "--json"]);
  expect({ code: undone.code, ...JSON.parse(undone.stdout) }).toEqual({
    code: 0,
    call: applied,
    files: 2,
    undone: "now",
    by: await newest("leeway.undo"),
  });
  expect(spawnSync("git", ["status", "--short"], { cwd: on.project, encoding: "utf8" }).stdout).toBe(" M b.txt\n");
  const again = await leeway(on, ["undo", applied]);
  expect({ code: again.code, stdout: again.stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("was undone before"),
  });
  const undo = await newest("leeway.undo");
  const none = await leeway(on, ["undo", undo]);
  expect({ code: none.code, stderr: none.stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("changed no files that Leeway can put back"),
  });
});

test("work that no commit has is lost only if a person approves the card with its content; then the change can be undone", async () => {
  repository();
  await setUpAna(on, "version: 1\npreset: standard\napprovals: { selfReview: true }\n");
  const running = leeway(on, ["run", "--", "python3", "clean.py"]);
  const { id } = await openQuestion(on);
  const early = await leeway(on, ["undo", await newest("leeway.apply")]);
  expect([early.code, early.stderr]).toEqual([
    1,
    `leeway: the question about these changes still waits, so nothing was applied: ${await newest("leeway.apply")} (LEEWAY_NOT_FOUND)
  hint: deny the question in the inbox, and the changes are dropped\n`,
  ]);
  const card = (await leeway(on, ["show", id])).stdout;
  for (const line of [
    "`python3 clean.py` would change 1 file and remove 1",
    "`⟦b.txt⟧` - removed, 13 B; no commit has this content",
    "`a.txt` - changed, 1 line added, 1 removed",
    "- 2 | second",
    "+ 1 | only",
    "the command: python3 clean.py",
  ])
    expect(card).toContain(line);
  expect(read("b.txt")).toBe("first\nsecond\n");
  expect((await asAna(on, ["approve", id])).code).toBe(0);
  expect((await running).code).toBe(0);
  expect(read("a.txt")).toBe("only\n");
  const { notices } = JSON.parse((await leeway(on, ["inbox", "--json"])).stdout);
  expect(notices.map(({ title }: { title: string }) => title)).toContain(
    "what cli changed with `python3 clean.py` was applied",
  );
  expect((await leeway(on, ["undo", await newest("exec")])).code).toBe(0);
  expect({ a: read("a.txt"), b: read("b.txt") }).toEqual({ a: "one\n", b: "first\nsecond\n" });
});

test("changes cannot be approved after somebody changed one of the files", async () => {
  repository();
  await setUpAna(on, "version: 1\npreset: standard\napprovals: { selfReview: true }\n");
  expect((await leeway(on, ["run", "--wait", "1s", "--", "python3", "clean.py"])).code).toBe(3);
  const { id } = await openQuestion(on);
  writeFileSync(join(on.project, "a.txt"), "somebody was here\n");
  const tried = await asAna(on, ["approve", id]);
  expect(tried.code).not.toBe(0);
  expect(tried.text.replace(/\s+/g, " ")).toContain("nothing can be applied: a.txt");
  expect({ a: read("a.txt"), b: read("b.txt") }).toEqual({ a: "somebody was here\n", b: "first\nsecond\n" });
});

test("after a kill in the middle, what the next command completed counts as changed and can be undone; what it put back does not", async () => {
  spawnSync("git", ["init", "-q"], { cwd: on.project });
  const isApplying = () => readdirSync(on.project).some((name) => name.startsWith(".leeway-"));
  const code = "import os; os.makedirs('new'); [open(f'new/{i}.txt', 'w').write(str(i)) for i in range(3000)]";
  const child = spawn(process.execPath, [program(), "run", "--", "python3", "-c", code], {
    cwd: on.project,
    env: on.env,
  });
  const ended = once(child, "exit");
  while (!isApplying() && child.exitCode === null) await new Promise((done) => setTimeout(done, 1));
  child.kill("SIGKILL");
  await ended;
  const call = await newest("exec");
  expect((await leeway(on, ["run", "--", "python3", "-c", "0"])).code).toBe(0);
  const made = existsSync(join(on.project, "new")) ? readdirSync(join(on.project, "new")).length : 0;
  const { changes } = JSON.parse((await leeway(on, ["why", call, "--json"])).stdout);
  const said = {
    0: "3000 files will change as soon as a program of Leeway applies it",
    3000: "3000 files were changed",
  }[made];
  expect({ made, said: changes.said }).toEqual({ made, said });
  if (made === 0) return;
  expect((await leeway(on, ["undo", call])).code).toBe(0);
  expect(existsSync(join(on.project, "new"))).toBe(false);
});

test("an agent that runs leeway undo is denied", async () => {
  const checked = await leeway(on, ["check", "--command", "leeway undo call_1", "--json"]);
  expect(JSON.parse(checked.stdout)).toMatchObject({
    outcome: "denied",
    classes: ["permissions.change"],
  });
});

test("what removes work by its words under preset autonomous, where nobody is asked, comes back by undo", async () => {
  repository();
  const policy = join(on.home, "autonomous.yaml");
  writeFileSync(policy, "version: 1\npreset: autonomous\n");
  const work = "first\nsecond\n";
  for (const words of [
    ["find", ".", "-name", "b.txt", "-delete"],
    ["truncate", "-s", "0", "b.txt"],
    ["rm", "-rf", on.project],
  ]) {
    const before = existsSync(join(on.project, "b.txt")) ? read("b.txt") : "none";
    const ran = await leeway(on, ["run", "--policy", policy, "--wait", "1s", "--", ...words]);
    const isChanged = !existsSync(join(on.project, "b.txt")) || read("b.txt") !== work;
    // Somebody was asked, or it can be undone.
    if (isChanged) expect([words, (await leeway(on, ["undo", await newest("exec")])).code]).toEqual([words, 0]);
    expect([words, ran.code === 0 || !isChanged || words[0] === "rm", before, read("b.txt")]).toEqual([
      words,
      true,
      work,
      work,
    ]);
  }
}, 120_000);
