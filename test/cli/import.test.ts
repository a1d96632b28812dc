import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { leeway, machine } from "./program.ts";

const on = machine();
afterAll(() => on.remove());

test("the policy of another system is converted into one that loads", async () => {
  writeFileSync(
    join(on.project, "harn.json"),
    JSON.stringify({ autonomy_tier: "act_with_approval", action_tiers: { "fs.write": "suggest" } }),
  );
  const ran = await leeway(on, ["import", "harn", "harn.json"]);
  expect(ran.code).toBe(0);
  writeFileSync(join(on.project, "imported.yaml"), ran.stdout);
  expect(await leeway(on, ["policy", "check", "imported.yaml"])).toEqual({
    code: 0,
    stdout: "imported.yaml: fine\n",
    stderr: "",
  });
  const check = await leeway(on, [
    "check",
    "--policy",
    "imported.yaml",
    "--tool",
    "write_file",
    "--args",
    '{"path":"a","text":""}',
    "--json",
  ]);
  expect(JSON.parse(check.stdout).tier).toBe("suggest");
});

test("for programs the output lists what could not be converted", async () => {
  const { stdout } = await leeway(on, ["import", "harn", "harn.json", "--json"]);
  expect(JSON.parse(stdout)).toEqual({ source: "harn", yaml: expect.any(String), notCarriedOver: expect.any(Array) });
});

test("a word that the other system does not have refuses the whole file, with its position", async () => {
  writeFileSync(join(on.project, "odd.json"), '{"autonomy_tier": "act_somehow"}');
  const ran = await leeway(on, ["import", "harn", "odd.json"]);
  expect(ran).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toMatch(/^leeway: odd\.json:1:\d+: /);
});
