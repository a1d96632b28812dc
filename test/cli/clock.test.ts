import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDeps } from "../../src/compose.ts";
import { createGate } from "../../src/library/create-gate.ts";
import { systemClock } from "../../src/system.ts";
import { asAna, setUpAna } from "./person.ts";
import { leeway, machine } from "./program.ts";

const on = machine();
beforeAll(() => setUpAna(on));
afterAll(() => on.remove());

const AHEAD_MS = 3 * 3_600_000;
const NOTE = /the clock is 3h behind the ledger; the gate uses the ledger's time, which never goes back/;

/** The clock was three hours ahead for one call, and was then corrected. */
beforeAll(async () => {
  const clock = { ...systemClock, nowMs: () => Date.now() + AHEAD_MS };
  const deps = await openDeps({ env: on.env, cwd: on.project, clock });
  await createGate(deps).submit({ agent: "coder", tool: "memo", args: {} });
  await deps.close();
  writeFileSync(join(on.project, "go.sh"), "#!/bin/sh\n", { mode: 0o755 });
});

test("status, doctor and receipts say that the clock is behind the ledger, and the gate still works", async () => {
  expect((await leeway(on, ["status"])).stdout).toMatch(NOTE);
  const { clock } = JSON.parse((await leeway(on, ["status", "--json"])).stdout);
  expect([Math.round(clock.behindMs / 3_600_000), clock.notes.length]).toEqual([3, 1]);
  const doctor = await leeway(on, ["doctor", "--json"]);
  const found = JSON.parse(doctor.stdout).findings.find(({ what }: { what: string }) => what === "clock");
  expect(found).toMatchObject({ state: "warn", says: expect.stringMatching(NOTE) });
  const asked = await leeway(on, ["run", "--wait", "1s", "--json", "--", "./go.sh"]);
  const receipt = JSON.parse(asked.stdout);
  expect(receipt.notes).toEqual([expect.stringMatching(NOTE)]);
  expect((await asAna(on, ["approve", receipt.approvalId])).code).toBe(0);
  expect((await leeway(on, ["run", "--wait", "1s", "--", "./go.sh"])).code).toBe(0);
});

test("a grant added while the clock is behind lasts its full time", async () => {
  const added = await asAna(
    on,
    "grants add --agent coder --class fs.delete --path src/** --level admin --for 1h".split(" "),
  );
  expect(added.code).toBe(0);
  const args = ["--agent", "coder", "--tool", "delete_file", "--args", '{"path":"src/a.ts"}', "--json"];
  expect(JSON.parse((await leeway(on, ["check", ...args])).stdout).tier).toBe("auto");
});
