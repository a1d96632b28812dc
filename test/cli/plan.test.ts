import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asAna, setUpAna } from "./person.ts";
import { asking, leeway, type Machine, machine } from "./program.ts";

const on: Machine = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

/** The words of a command that makes a folder, and the line of a plan for it. */
const words = (folder: string) => ["mkdir", folder];
const line = (folder: string) => JSON.stringify({ argv: words(folder) });

function written(name: string, lines: readonly string[]): string {
  writeFileSync(join(on.project, name), `${lines.join("\n")}\n`);
  return name;
}

test("a plan is shown with every step, approved once, and then its commands run without a question", async () => {
  const denied = JSON.stringify({ argv: ["rm", "-rf", "dist"] });
  const file = written("release.jsonl", [line("one"), line("two"), denied]);
  const planning = asking(on, ["plan", file, "--title", "Two folders", "--agent", "coder"]);
  const id = await planning.asked;
  const shown = await leeway(on, ["show", id]);
  expect(shown.stdout).toContain("plan: Two folders");
  expect(shown.stdout).toContain("allows 2 of the 3 calls of this plan, once each; nothing runs now");
  for (const name of ["1. ", "2. ", "3. ", "one", "two", "rm -rf dist"]) expect(shown.stdout).toContain(name);
  const approved = await asAna(on, ["approve", id]);
  expect(approved.text).toContain("each call that the plan covers may run once, until");
  const planned = await planning.ended;
  expect(planned.code).toBe(0);
  expect(planned.stdout.split("\n").map((row) => row.replace(/ +/g, " ").slice(0, 40))).toEqual([
    expect.stringContaining("becomes tier call"),
    expect.stringMatching(/^1 allowed once if approved ask/),
    expect.stringMatching(/^2 allowed once if approved ask/),
    expect.stringMatching(/^3 denied deny rm -rf dist/),
    "",
  ]);
  for (const name of ["two", "one"]) {
    expect(await leeway(on, ["run", "--agent", "coder", "--", ...words(name)])).toMatchObject({ code: 0 });
    expect(statSync(join(on.project, name)).isDirectory()).toBe(true);
  }
  const again = await leeway(on, ["run", "--agent", "coder", "--wait", "1s", "--", ...words("one")]);
  expect(again.code).toBe(3);
  const refused = await leeway(on, ["run", "--agent", "coder", "--", "rm", "-rf", "dist"]);
  expect(refused.code).toBe(5);
});

test("a denied plan ends with 5 and says that its calls are asked about one by one", async () => {
  const planning = asking(on, ["plan", written("denied.jsonl", [line("three")])]);
  expect((await asAna(on, ["deny", await planning.asked, "--note", "in two parts"])).code).toBe(0);
  const ended = await planning.ended;
  expect(ended.code).toBe(5);
  expect(ended.stderr).toContain("the plan was not approved: ana denied the plan: in two parts; each of its calls");
});

test("a plan that nobody answers in time ends with 3, and one in which nothing is asked about ends with 0", async () => {
  const late = await leeway(on, ["plan", "-", "--wait", "1s", "--json"], { stdin: line("four") });
  expect(late.code).toBe(3);
  expect(JSON.parse(late.stdout)).toMatchObject({ steps: [{ is: "covered" }], receipt: { outcome: "pending" } });
  const calm = await leeway(on, ["plan", "-"], { stdin: '{"tool":"read_file","args":{"path":"leeway.yaml"}}\n' });
  expect(calm).toMatchObject({ code: 0, stderr: expect.stringContaining("so nobody was asked") });
});

test("a plan with a line that is no call, with 51 calls, or with none is refused, and nobody is asked", async () => {
  const wrong = { "not json": "line 2 is not a call", '{"argv":[]}': "line 2 is not a call: argv: the list is empty" };
  for (const [bad, said] of Object.entries(wrong)) {
    const ran = await leeway(on, ["plan", "-"], { stdin: `${line("a")}\n${bad}\n` });
    expect(ran).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(said) });
  }
  const many = Array.from({ length: 51 }, (_, n) => line(`${n}`)).join("\n");
  const long = await leeway(on, ["plan", "-"], { stdin: many });
  expect(long).toMatchObject({ code: 2, stderr: expect.stringContaining("calls: there are too many: 51") });
  const none = await leeway(on, ["plan", "-"], { stdin: "\n" });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("calls: the list is empty") });
});
