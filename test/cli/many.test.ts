import { afterAll, beforeAll, expect, test } from "vitest";
import { callOf } from "../../src/cli/calls.ts";
import { start, withMore } from "../../src/cli/inbox/model.ts";
import { view } from "../../src/cli/inbox/view.ts";
import { coloursFor } from "../../src/cli/terminal/io.ts";
import { openDeps } from "../../src/compose.ts";
import { DEFAULT_CALLER } from "../../src/gate/calls/judging.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";

const on = machine();
beforeAll(async () => {
  await setUpAna(on);
  const deps = await openDeps({ env: on.env, cwd: on.project });
  for (let at = 0; at < 203; at++) {
    const args = { command: `git push origin b${at}` };
    const call = callOf(deps, { agent: `a${at % 20}`, tool: "shell", args, cwd: on.project });
    expect((await submit(deps, call, DEFAULT_CALLER)).outcome).toBe("pending");
  }
  await deps.close();
});
afterAll(() => on.remove());

test("a list that does not contain everything says how many more there are", async () => {
  const { stdout } = await leeway(on, ["inbox"]);
  expect(stdout.split("\n").filter((line) => line.startsWith("apr_")).length).toBe(200);
  expect(stdout).toContain("\nand 3 more, shown after you answer these\n");
  const told = JSON.parse((await leeway(on, ["inbox", "--json"])).stdout);
  expect([told.questions.length, told.more]).toEqual([200, 3]);
});

test("the interactive inbox also says how many more questions there are", () => {
  const colours = coloursFor({ isTTY: false } as never, {});
  const [title] = view(withMore(start(24), 3), { columns: 80, colours, nowMs: 0, person: "ana" });
  expect(title).toBe("leeway inbox · 0 questions, 3 more after these · ana");
});
