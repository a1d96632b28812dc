import { afterAll, expect, test } from "vitest";
import { ended } from "./person.ts";
import { leeway, machine } from "./program.ts";
import { screen } from "./screen.ts";

const on = machine();
afterAll(() => on.remove());

const TIERS = ["auto", "notify", "ask", "suggest", "shadow", "deny", "human"];

test("without a terminal a scripted reviewer answers, the output says so, and every tier is shown", async () => {
  const { code, stdout, stderr } = await leeway(on, ["demo"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("a scripted reviewer answers");
  for (const tier of TIERS) expect(stdout).toMatch(new RegExp(`^ {4}${tier} +\\S`, "m"));
  expect(stdout).toMatch(/✓ \d+ entries, all hashes correct/);
  expect(stdout).toContain("leeway init");
  expect(stdout).not.toContain("partly understood");
  expect(stdout.split("\n").filter((line) => [...line].length > 80)).toEqual([]);
});

test("for programs the output is JSON lines: one for each call, and one for the verification of the record", async () => {
  const lines = (await leeway(on, ["demo", "--json"])).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ tool, tier, outcome, code }) => [tool, tier, outcome, code])).toEqual([
    ["read_file", "auto", "run", null],
    ["write_file", "notify", "run", null],
    ["shell", "ask", "run", null],
    ["send_external_message", "ask", "run", null],
    ["delete_file", "ask", "denied", "LEEWAY_REVIEW_DENIED"],
    ["delete_file", "ask", "denied", "LEEWAY_REVIEW_DENIED"],
    ["git.push", "suggest", "not_executed", "LEEWAY_SUGGESTED"],
    ["deploy", "shadow", "not_executed", "LEEWAY_SHADOWED"],
    ["shell", "deny", "denied", "LEEWAY_DENIED"],
    ["refund", "ask", "denied", "LEEWAY_NEEDS_HUMAN"],
    ["refund", "ask", "run", null],
    ["git.push", "suggest", "run", null],
    [undefined, undefined, undefined, undefined],
  ]);
  expect(lines.at(-1)).toMatchObject({ ok: true });
});

test("the person at the terminal really answers, with one key each and without a passphrase", async () => {
  const shown = screen(on, ["demo"], { columns: 80, rows: 50 });
  await shown.shows(/You are\s+ana,\s+its owner and reviewer/);
  await shown.shows(/3 {2}shell node --test[\s\S]*a approve · d deny · q leave/);
  shown.type("d");
  await shown.shows("you, as ana, denied");
  await shown.shows(/4 {2}send_external_message[\s\S]*a approve · d deny/);
  shown.type("xa");
  await shown.shows(/4 {2}send_external_message[\s\S]*you, as ana, approved\n {4}→ it ran, exactly as approved, once/);
  await shown.shows(/5 {2}delete_file[\s\S]*a approve · d deny/);
  shown.type("a");
  await shown.shows(/7 {2}git.push[\s\S]*a approve · d deny/);
  shown.type("a");
  await shown.shows(/10 {2}refund[\s\S]*a approve · d deny/);
  shown.type("d");
  const text = await shown.shows("What to do next:");
  expect(text).toMatch(/11 {2}refund[\s\S]*refused: ana denied this call/);
  expect(text).toMatch(/12 {2}git.push[\s\S]*it ran, exactly as approved, once/);
  expect(text).toMatch(/✓ \d+ entries, all hashes correct/);
  expect((await ended(shown)).code).toBe(0);
});

test("leaving the demo early restores the terminal", async () => {
  const shown = screen(on, ["demo"]);
  await shown.shows("a approve · d deny");
  shown.type("\x03");
  const { code, text } = await ended(shown);
  expect(code).toBe(0);
  expect(text).toMatch(/You left early; nothing was kept\.\n\nWhat to do next:\n {2}leeway init/);
});
