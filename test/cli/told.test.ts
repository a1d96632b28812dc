import { afterAll, beforeAll, expect, test } from "vitest";
import { callOf } from "../../src/cli/calls.ts";
import { openDeps } from "../../src/compose.ts";
import { DEFAULT_CALLER } from "../../src/gate/calls/judging.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { ended, setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";
import { screen } from "./screen.ts";

const on = machine();
const json = async (...args: string[]) => JSON.parse((await leeway(on, [...args, "--json"])).stdout);

/** An agent that writes under notify, by the library. */
async function write(...paths: string[]): Promise<void> {
  const deps = await openDeps({ env: on.env, cwd: on.project });
  try {
    for (const path of paths) {
      const call = callOf(deps, { agent: "coder", tool: "write_file", args: { path, content: "x" }, cwd: on.project });
      expect((await submit(deps, call, DEFAULT_CALLER)).outcome).toBe("run");
    }
  } finally {
    await deps.close();
  }
}

beforeAll(async () => {
  await setUpAna(on);
  await write("a.txt", "b.txt");
});
afterAll(() => on.remove());

test("the owner is told about calls under notify: in the inbox, in status, and as JSON", async () => {
  expect((await leeway(on, ["inbox"])).stdout).toMatch(
    /^Nothing is waiting for you.\nnew: 2 calls ran under notify since \d{4}-\d{2}-\d{2} \d{2}:\d{2}\n$/,
  );
  expect((await json("inbox")).notices).toMatchObject([{ kind: "ran", to: "ana", title: "2 calls ran under notify" }]);
  expect((await json("status")).unreadNotices).toBe(1);
  expect((await leeway(on, ["status"])).stdout).toMatch(/\nnotices +1 unread: see `leeway inbox`\n/);
});

test("opening a notice in the inbox marks it as read, and it stays in the list", async () => {
  const shown = screen(on, ["inbox", "--as", "ana"], { rows: 20 });
  await shown.shows("new: 2 calls ran under notify since");
  shown.type("n");
  await shown.shows(/\d{2}-\d{2} \d{2}:\d{2} {2}2 calls ran under notify/);
  shown.type("q");
  const list = await shown.shows("Nothing is waiting for you.");
  expect(list).not.toContain("new: ");
  shown.type("q");
  expect((await ended(shown)).code).toBe(0);
  expect((await json("status")).unreadNotices).toBe(0);
  expect((await json("inbox")).notices).toMatchObject([{ readMs: expect.any(Number) }]);
});
