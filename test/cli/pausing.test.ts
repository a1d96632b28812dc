import { afterAll, beforeAll, expect, test } from "vitest";
import { openDeps } from "../../src/compose.ts";
import { setPause } from "../../src/gate/standing/pause.ts";
import { asAna, setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";

const on = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

test("a pause of a tool in one session is shown completely, and ends when both are named", async () => {
  const deps = await openDeps({ env: on.env, cwd: on.project });
  await setPause(deps, { scope: { of: "tool", name: "refund", session: "s 1" }, because: "it insists", by: "ana" });
  await deps.close();

  expect((await leeway(on, ["status"])).stdout).toMatch(/paused +tool refund of session "s 1": it insists/);
  const wide = await leeway(on, ["resume", "--tool", "refund"]);
  expect([wide.code, wide.stderr]).toEqual([
    1,
    'leeway: tool refund is not paused\n  hint: tool refund of session "s 1" is paused; to resume it: `leeway resume --tool refund --session "s 1"`\n',
  ]);
  const lifted = await asAna(on, ["resume", "--tool", "refund", "--session", "s 1"]);
  expect([lifted.code, lifted.text]).toEqual([
    0,
    expect.stringContaining('tool refund of session "s 1" is no longer paused'),
  ]);
  expect((await leeway(on, ["status"])).stdout).not.toContain("paused");
});

test("a tool is paused for one agent only, and the output says how to resume it", async () => {
  const paused = await asAna(on, ["pause", "--tool", "shell", "--agent", "coder", "--because", "it loops"]);
  expect(paused.text).toContain(
    "tool shell of agent coder is paused; to resume: `leeway resume --tool shell --agent coder`",
  );
  const outcome = async (agent: string) =>
    JSON.parse((await leeway(on, ["check", "--agent", agent, "--command", "ls", "--json"])).stdout).outcome;
  expect([await outcome("coder"), await outcome("other")]).toEqual(["denied", "run"]);
});

test("an agent that was never seen can be paused, and the output suggests the name that was probably meant", async () => {
  expect((await leeway(on, ["run", "--agent", "coder", "--", "ls"])).code).toBe(0);
  const paused = await asAna(on, ["pause", "--agent", "codr"]);
  expect([paused.code, paused.text.replaceAll(/\s+/g, " ")]).toEqual([
    0,
    expect.stringContaining(
      "agent codr is paused; to resume: `leeway resume --agent codr` no agent named codr has made a call here; did you mean coder?",
    ),
  ]);
  const refused = await leeway(on, ["run", "--agent", "codr", "--", "ls"]);
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringMatching(/LEEWAY_PAUSED.*\n.*may run later/) });
});
