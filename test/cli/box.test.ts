import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";
import { screen } from "./screen.ts";

// `leeway box -- COMMAND`, by hand. These tests need a machine that can make boxes.

const on: Machine = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

const box = (...args: string[]) => leeway(on, ["box", ...args]);
const text = (name: string) => readFileSync(join(on.project, name), "utf8");

test("a command in a box changes the project and nothing else, ends with its own code, and is not recorded", async () => {
  const before = (await leeway(on, ["log", "--json"])).stdout;
  const ran = await box("--", "sh", "-c", "echo in > in.txt; echo out > ../out.txt || exit 9");
  expect([ran.code, text("in.txt"), existsSync(join(on.home, "out.txt"))]).toEqual([9, "in\n", false]);
  expect(ran.stderr).toMatch(
    /^leeway: This box does not let the program write there: .*out\.txt.*\n {2}hint: --write/m,
  );
  expect((await leeway(on, ["log", "--json"])).stdout).toBe(before);
});

test("--write, --read-only and --network say where the walls are", async () => {
  mkdirSync(join(on.home, "other"));
  const ran = await box("--write", "../other", "--", "sh", "-c", "echo x > ../other/a; echo x > refused.txt");
  expect([
    ran.code === 0,
    existsSync(join(on.home, "other", "a")),
    existsSync(join(on.project, "refused.txt")),
  ]).toEqual([false, true, false]);
  expect((await box("--read-only", "--", "touch", "no.txt")).code).toBe(1);
  const open = await box("--network", "example.test", "--", "sh", "-c", 'echo "$HTTPS_PROXY"');
  expect(open).toEqual({ code: 0, stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/), stderr: "" });
  expect(existsSync(join(on.project, "no.txt"))).toBe(false);
});

test("--rehearse shows the changed files, and applies them only after a yes", async () => {
  writeFileSync(join(on.project, "old.txt"), "old");
  const change = ["box", "--rehearse", "--", "sh", "-c", "rm old.txt; echo new > new.txt; exit 4"];
  const ran = await leeway(on, change);
  expect(ran).toEqual({ code: 4, stdout: "", stderr: "added  new.txt\nremoved  old.txt\nnothing was applied\n" });
  expect(text("old.txt")).toBe("old");
  const json = await box("--rehearse", "--json", "--", "sh", "-c", "echo said; echo new > new.txt");
  expect([json.code, JSON.parse(json.stdout), json.stderr]).toEqual([
    0,
    { exitCode: 0, refused: [], changes: [expect.objectContaining({ path: "new.txt", was: null })], applied: false },
    "said\n",
  ]);
  const kept = screen(on, change, { columns: 100 });
  await kept.shows("apply these changes?");
  kept.type("\r");
  expect([await kept.ended, existsSync(join(on.project, "new.txt")), text("old.txt")]).toEqual([4, false, "old"]);
  const shown = screen(on, change, { columns: 100 });
  await shown.shows("apply these changes?");
  shown.type("y\r");
  expect(await shown.ended).toBe(4);
  expect([text("new.txt"), existsSync(join(on.project, "old.txt"))]).toEqual(["new\n", false]);
});

test.each([
  [["box"], /no command is given/],
  [["box", "--call", "call_x", "--", "ls"], /--call takes no command/],
  [["box", "--call", "call_x"], /there is no call call_x/],
  [["box", "--write", "nowhere", "--", "ls"], /nowhere does not exist/],
  [["box", "--network", "https://a.example", "--", "ls"], /https:\/\/a\.example is not a domain/],
  [["box", "--read-only", "--write", ".", "--", "ls"], /--read-only and --write contradict/],
])("wrong usage is refused: leeway %s", async (args, why) => {
  const ran = await leeway(on, args);
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, "", expect.stringMatching(why)]);
});
