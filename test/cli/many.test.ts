import { afterAll, beforeAll, expect, test } from "vitest";
import { callOf } from "../../src/cli/calls.ts";
import { start, withMore } from "../../src/cli/inbox/model.ts";
import { view } from "../../src/cli/inbox/view.ts";
import { coloursFor } from "../../src/cli/io.ts";
import { openDeps } from "../../src/compose.ts";
import { MANNER, submit } from "../../src/gate/calls/submit.ts";
import { setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";

const on = machine();
beforeAll(async () => {
  await setUpAna(on);
  const deps = await openDeps({ env: on.env, cwd: on.project });
  for (let at = 0; at < 203; at++) {
    const args = { command: `git push origin b${at}` };
    const call = callOf(deps, { agent: `a${at % 20}`, tool: "shell", args, cwd: on.project });
    expect((await submit(deps, call, MANNER)).outcome).toBe("pending");
  }
  await deps.close();
});
afterAll(() => on.remove());

test("a list that ends before everything is told says how many more there are", async () => {
  const { stdout } = await leeway(on, ["inbox"]);
  expect(stdout.split("\n").filter((line) => line.startsWith("apr_")).length).toBe(200);
  expect(stdout).toContain("\nand 3 more, shown after you answer these\n");
  const told = JSON.parse((await leeway(on, ["inbox", "--json"])).stdout);
  expect([told.questions.length, told.more]).toEqual([200, 3]);
});

test("so does the list that is answered in", () => {
  const colours = coloursFor({ isTTY: false } as never, {});
  const [title] = view(withMore(start(24), 3), { columns: 80, colours, nowMs: 0, person: "ana" });
  expect(title).toBe("leeway inbox · 0 questions, 3 more after these · ana");
});
