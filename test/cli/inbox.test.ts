import { afterAll, beforeAll, expect, test } from "vitest";
import { ended, openQuestion, PASSPHRASE, setUpAna } from "./person.ts";
import { asking, leeway, machine } from "./program.ts";
import { type Screen, screen } from "./screen.ts";

const on = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

const inbox = (size: { columns?: number; rows?: number } = {}): Screen =>
  screen(on, ["inbox", "--as", "ana"], { rows: 24, ...size });
const ask = (...words: string[]) => asking(on, ["run", "--agent", "coder", "--", ...words]);

test("an empty inbox says so and what to do", async () => {
  const shown = inbox();
  const text = await shown.shows("Nothing is waiting for you.");
  expect(text).toContain("leeway inbox · 0 questions · ana");
  shown.type("q");
  expect((await ended(shown)).code).toBe(0);
});

test("keys that are pressed very fast never show anything except the inbox", async () => {
  const shown = inbox();
  await shown.shows("Nothing is waiting for you.");
  for (let pressed = 0; pressed < 30; pressed++) {
    shown.type("j");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  shown.type("q");
  expect((await ended(shown)).code).toBe(0);
  expect(shown.raw()).not.toContain("Warning");
});

test("a question appears by itself, is read and approved with the passphrase, and disappears; the passphrase is asked for once", async () => {
  const shown = inbox();
  await shown.shows("0 questions");
  const first = ask("echo", "one");
  await shown.shows(/▸ {2}coder +echo one/);
  shown.type("\r");
  const card = await shown.shows("a approve · d deny");
  expect(card).toContain("coder (ana's agent) asks to use exec");
  expect(card).toContain("echo one");
  shown.type("a");
  const asking = await shown.shows("passphrase of ana, to approve this:");
  expect(asking).not.toContain(PASSPHRASE);
  shown.type(`${PASSPHRASE}`);
  await shown.shows(`> ${"•".repeat(PASSPHRASE.length)}`);
  shown.type("\r");
  await shown.shows("approved: echo one");
  expect(await first.ended).toMatchObject({ code: 0, stdout: "one\n" });

  const second = ask("echo", "two");
  await shown.shows(/coder +echo two/);
  shown.type("a");
  await shown.shows("a approve · d deny");
  shown.type("a");
  await shown.shows("approved: echo two");
  expect(await second.ended).toMatchObject({ code: 0, stdout: "two\n" });
  shown.type("q");
  expect((await ended(shown)).code).toBe(0);
});

test("a wrong passphrase changes nothing and is asked for again, and the note of a denial is given to the agent", async () => {
  const asked = ask("echo", "three");
  const id = await asked.asked;
  const shown = inbox();
  await shown.shows(/coder +echo three/);
  shown.type("\rd");
  await shown.shows("why do you deny it? the agent will read this:");
  shown.type("not now\r");
  await shown.shows("passphrase of ana, to deny this:");
  shown.type("wrong\r");
  const again = await shown.shows("wrong passphrase, try again (1 of 3)");
  expect(again).toContain("passphrase of ana, to deny this:");
  expect((await openQuestion(on)).id).toBe(id);
  shown.type(`${PASSPHRASE}\r`);
  await shown.shows("denied: echo three");
  shown.type("q");
  expect(await asked.ended).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("ana denied this call: not now"),
  });
  await ended(shown);
});

test("a card that does not fit the screen must be read to its end before it can be approved", async () => {
  const asked = ask("echo", ...Array.from({ length: 120 }, (_, at) => `word-${at}`));
  await asked.asked;
  const shown = inbox({ rows: 16 });
  await shown.shows("1 question");
  shown.type("\ra");
  await shown.shows(/\d+ more lines: press space to see them before approving/);
  shown.type(" ".repeat(30));
  shown.type("a");
  await shown.shows("passphrase of ana, to approve this:");
  shown.type("\x1b");
  await shown.shows("cancelled, nothing was changed");
  shown.type("\rd");
  await shown.shows("why do you deny it?");
  shown.type("too long\r");
  await shown.shows("passphrase of ana");
  shown.type(`${PASSPHRASE}\r`);
  await shown.shows("0 questions");
  shown.type("\x03");
  await ended(shown);
  expect((await asked.ended).code).toBe(5);
});

test("the inbox fits a narrow terminal, and one key shows the help", async () => {
  const shown = inbox({ columns: 40, rows: 20 });
  await shown.shows("0 questions");
  shown.type("?");
  const text = await shown.shows("any key: back");
  expect(text).toContain("a            approve");
  expect(text.split("\n").every((line) => line.length <= 40)).toBe(true);
  shown.type("qq");
  expect((await ended(shown)).code).toBe(0);
});

test("without a terminal the inbox is a list, and for programs a list in JSON", async () => {
  // The calls approved above have run, and their owner is told how they ended.
  expect(await leeway(on, ["inbox"])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Nothing is waiting for you\.\nnew: 2 notices since [^\n]+\n$/),
    stderr: "",
  });
  const asked = ask("echo", "four");
  const question = await openQuestion(on);
  expect(question).toMatchObject({
    id: expect.stringMatching(/^apr_/),
    agent: "coder",
    title: "echo four",
    does: "runs echo four, which changes nothing",
    quorum: 1,
  });
  expect((await leeway(on, ["inbox"])).stdout).toMatch(
    /^ID +AGENT +ANSWER BY +WHAT\napr_\w+ +coder +in \S+ .* echo four/,
  );
  const shown = screen(on, ["deny", question.id, "--note", "no", "--as", "ana"]);
  await shown.shows("passphrase of ana");
  shown.type(`${PASSPHRASE}\r`);
  await ended(shown);
  await asked.ended;
});
