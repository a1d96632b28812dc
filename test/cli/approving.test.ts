import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asAna, ended, openQuestion, PASSPHRASE, setUpAna } from "./person.ts";
import { asking, leeway, type Machine, machine } from "./program.ts";
import { screen } from "./screen.ts";

const on: Machine = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

/** A different call for every test: the same call would get the earlier answer. */
const make = (file: string) => [
  ...["run", "--agent", "coder", "--receipt", "receipt.json", "--"],
  ...["node", "-e", `require("node:fs").writeFileSync("${file}", "")`],
];
const isDone = () => JSON.parse(readFileSync(join(on.project, "receipt.json"), "utf8"));

test("a command waits for a person, and runs once they approve with their passphrase", async () => {
  const running = asking(on, make("approved.txt"));
  const id = await running.asked;
  const approved = await asAna(on, ["approve", id.slice(0, 20)]);
  expect(approved.text).toContain("coder");
  expect(approved.text).toContain("approved.txt");
  expect(approved.text).toContain(`approved ${id}`);
  expect(approved.code).toBe(0);
  expect((await running.ended).code).toBe(0);
  expect(readFileSync(join(on.project, "approved.txt"), "utf8")).toBe("");
  expect(isDone()).toMatchObject({ outcome: "run", approvalId: id, exitCode: 0 });
});

test("a denied command does not run, and its caller is told why", async () => {
  const running = asking(on, make("denied.txt"));
  const id = await running.asked;
  expect((await asAna(on, ["deny", id, "--note", "not today"])).code).toBe(0);
  const ran = await running.ended;
  expect(ran.code).toBe(5);
  expect(ran.stderr).toContain("ana denied this call: not today");
  expect(ran.stderr).toContain("LEEWAY_REVIEW_DENIED");
  // The question is closed: nobody can approve it any more, so the hint must not suggest that.
  expect(ran.stderr).toMatch(/\n {2}hint: `leeway why call_\w+` explains the decision; do not retry\n$/);
  expect(() => readFileSync(join(on.project, "denied.txt"))).toThrow("ENOENT");
});

test("a question that was already answered cannot be answered again", async () => {
  const denied = await leeway(on, ["log", "--kind", "approval.denied", "--limit", "1", "--json"]);
  const id: string = JSON.parse(denied.stdout).subject.approval;
  const shown = screen(on, ["approve", id, "--as", "ana"], { columns: 120 });
  expect(await ended(shown)).toMatchObject({ code: 1, text: expect.stringContaining(`${id} is denied already`) });
});

test("an agent that runs approve itself, without a terminal, changes nothing", async () => {
  const running = asking(on, make("self.txt"));
  const id = await running.asked;
  const tried = await leeway(on, ["approve", id, "--as", "ana"], { stdin: `${PASSPHRASE}\n` });
  expect(tried).toEqual({
    code: 5,
    stdout: "",
    stderr:
      "leeway: a person at a terminal is needed to approve a call, and this is not a terminal\n  hint: run the command yourself in a terminal; nothing was changed\n",
  });
  expect((await openQuestion(on)).id).toBe(id);
  await asAna(on, ["deny", id, "--note", "no"]);
  expect((await running.ended).code).toBe(5);
});

test("an agent with a pseudo-terminal but without the passphrase changes nothing", async () => {
  const running = asking(on, make("guessed.txt"));
  const id = await running.asked;
  const shown = screen(on, ["approve", id, "--as", "ana"], { columns: 120 });
  for (let tries = 0; tries < 3; tries++) {
    await shown.shows(new RegExp(`(passphrase of ana[\\s\\S]*){${tries + 1}}`));
    shown.type("guess\r");
  }
  const { code, text } = await ended(shown);
  expect(code).toBe(5);
  expect(text).toContain("3 wrong passphrases");
  expect((await openQuestion(on)).id).toBe(id);
  // The guesses also make the right person wait for a few seconds.
  await new Promise((resolve) => setTimeout(resolve, 6_000));
  await asAna(on, ["deny", id, "--note", "no"]);
  await running.ended;
});

test("the passphrase is never shown on the screen", async () => {
  const running = asking(on, make("hidden.txt"));
  const id = await running.asked;
  const { text } = await asAna(on, ["approve", id]);
  expect(text).not.toContain(PASSPHRASE);
  expect(text).toContain("•");
  await running.ended;
});

test("an answer about another digest is refused", async () => {
  const running = asking(on, make("digest.txt"));
  const id = await running.asked;
  const { code, text } = await asAna(on, ["approve", id, "--digest", `sha256:${"0".repeat(64)}`]);
  expect(code).toBe(1);
  expect(text).toContain("LEEWAY_DIGEST_MISMATCH");
  await asAna(on, ["deny", id, "--note", "no"]);
  await running.ended;
});

test("a command that was interrupted while it waited runs once after it was approved", async () => {
  const shown = screen(on, make("later.txt"), { columns: 100 });
  await shown.shows("waiting for a person: apr_");
  shown.type("\x03");
  expect((await ended(shown)).code).toBe(3);
  const { id } = await openQuestion(on);
  await asAna(on, ["approve", id]);
  expect((await leeway(on, make("later.txt"))).code).toBe(0);
  writeFileSync(join(on.project, "receipt.json"), "{}");
  const again = asking(on, make("later.txt"));
  expect(await again.asked).not.toBe(id);
  await asAna(on, ["deny", await again.asked, "--note", "once is enough"]);
  expect((await again.ended).code).toBe(5);
});

test("the command's own exit code is returned, and the receipt distinguishes it from a refusal", async () => {
  const running = asking(on, ["run", "--receipt", "receipt.json", "--", "sh", "-c", "echo out; echo err >&2; exit 5"]);
  const id = await running.asked;
  await asAna(on, ["approve", id]);
  expect(await running.ended).toMatchObject({ code: 5, stdout: "out\n", stderr: expect.stringContaining("err\n") });
  expect(isDone()).toMatchObject({ outcome: "run", exitCode: 5 });
  expect(JSON.parse((await leeway(on, ["trust", "cli", "--json"])).stdout).total.outcomes).toMatchObject({
    failure: 1,
  });
});

test("signals are passed on to the command", async () => {
  // The command is on the screen as soon as it is asked about, so it must not contain the words that it prints.
  const command = "trap 'echo cau\\ght; exit 7' INT; echo rea\\dy; sleep 30 & wait";
  const shown = screen(on, ["run", "--", "sh", "-c", command]);
  const { id } = await openQuestion(on);
  await asAna(on, ["approve", id]);
  await shown.shows("ready");
  shown.type("\x03");
  const { code, text } = await ended(shown);
  expect({ code, caught: text.includes("caught") }).toEqual({ code: 7, caught: true });
});
