import { afterAll, beforeAll, expect, test } from "vitest";
import { asAna, setUpAna } from "./person.ts";
import { asking, leeway, type Machine, machine } from "./program.ts";

// Writing to the agent, handing over and putting aside on the command line.

const on: Machine = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

const make = (file: string) => ["run", "--agent", "coder", "--", "node", "-e", `console.log("${file}")`];
const listed = async (...options: string[]): Promise<readonly string[]> => {
  const { stdout } = await leeway(on, ["inbox", "--json", "--as", "ana", ...options]);
  return JSON.parse(stdout).questions.map(({ id }: { id: string }) => id);
};

test("a command that waits prints what a reviewer writes, and goes on waiting", async () => {
  const running = asking(on, make("replied"));
  const id = await running.asked;
  const sent = await asAna(on, ["reply", id, "which", "customer", "is this for?"]);
  expect([sent.code, sent.text.includes(`sent: the agent reads it with ${id}`)]).toEqual([0, true]);
  const shown = await leeway(on, ["show", id]);
  expect(shown.stdout).toMatch(/ana wrote to the agent \(.*\): which customer is this for\?/);
  await asAna(on, ["approve", id]);
  const ended = await running.ended;
  expect([ended.code, ended.stdout]).toEqual([0, "replied\n"]);
  expect(ended.stderr).toContain("leeway: ana wrote: which customer is this for?\n");
});

test("a question that is put aside is not in the list, and can be taken back", async () => {
  const running = asking(on, make("aside"));
  const id = await running.asked;
  const put = await asAna(on, ["snooze", id, "5m"]);
  expect([put.code, put.text.includes(`${id} is put aside for you until`)]).toEqual([0, true]);
  expect([await listed(), await listed("--snoozed")]).toEqual([[], [id]]);
  const back = await asAna(on, ["snooze", id, "now"]);
  expect(back.text).toContain(`${id} is in your list again`);
  expect([await listed(), await listed("--snoozed")]).toEqual([[id], []]);
  await asAna(on, ["deny", id, "--note", "not today"]);
  await running.ended;
});

test("a question cannot be handed to somebody who may not answer it, and the refusal says who may", async () => {
  const running = asking(on, make("handed"));
  const id = await running.asked;
  const handed = await asAna(on, ["handover", id, "--to", "ben"]);
  expect(handed.code).toBe(5);
  expect(handed.text).toContain(`ben may not review ${id}`);
  expect(handed.text).toContain("nobody else may answer it");
  await asAna(on, ["deny", id, "--note", "not today"]);
  await running.ended;
});

test("a wrong time is reported before anybody is asked for a passphrase", async () => {
  const tried = await leeway(on, ["snooze", "apr_019a8b3c4d5e", "whenever"]);
  expect([tried.code, tried.stderr]).toEqual([
    2,
    "leeway: `whenever` is not a time\n  hint: write 30m, 2h, 17:30, tomorrow 9:00, 2026-01-31T09:00Z, or now\n",
  ]);
});
