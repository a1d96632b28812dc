import { expect, test } from "vitest";
import { answer, carryOut, policyOf, send, worldOf } from "../../../test/ledger/world.ts";
import { settle } from "../calls/claim.ts";
import type { Deps } from "../deps.ts";
import { tick } from "../time/tick.ts";
import { trackOf, trustExport, trustOf } from "./trust.ts";

const write = (deps: Deps, agent: string) => send(deps, "write_file", { path: "src/a.ts", text: "x" }, { agent });

test("the record on a card counts an agent's calls in one class since its first call", async () => {
  const { deps, clock } = await worldOf(policyOf({ "fs.write": "auto" }));
  expect(await trackOf(deps, "coder", "fs.write")).toBeUndefined();
  const { executionId = "", attempt = "att_" } = await write(deps, "coder");
  await write(deps, "other");
  await write(deps, "coder");
  expect((await trackOf(deps, "coder", "fs.write"))?.calls).toBe(2);
  clock.advance(24 * 3_600_000);
  await tick(deps);
  await settle(deps, executionId, { attempt, by: "caller", ending: { ok: true, result: null } });
  expect(await trackOf(deps, "coder", "fs.write")).toMatchObject({ calls: 2, outcomes: { success: 1 } });
  const { class: _, ...whole } = (await trustOf(deps, "coder")).classes[0] ?? { class: "" };
  expect(await trackOf(deps, "coder", "fs.write")).toEqual(whole);
  expect(await trackOf(deps, "nobody", "fs.write")).toBeUndefined();
});

test("a failure of a call decided before the time window of suggestions still starts the count again", async () => {
  const { deps, clock } = await worldOf(policyOf({ "fs.write": "ask" }));
  const old = await send(deps, "write_file", { path: "src/old.ts", text: "x" });
  await answer(deps, old, "approve");
  await send(deps, "write_file", { path: "src/old.ts", text: "x" });
  clock.advance(31 * 24 * 3_600_000);
  for (let i = 0; i < 40; i++)
    await answer(deps, await send(deps, "write_file", { path: `src/${i}.ts`, text: "x" }), "approve");
  expect((await trustOf(deps, "coder")).suggestions).toHaveLength(1);
  await tick(deps);
  const unknown = (await trustOf(deps, "coder")).total.unknowns;
  expect([unknown, (await trustOf(deps, "coder")).suggestions]).toEqual([1, []]);
});

const HUMAN = { human: { all: false, tools: ["wire"], classes: [], agents: [], not: [] } };

test("after an approval, the record of a needs-human call says so, and names its tool and the call that it repeats", async () => {
  const { deps } = await worldOf(policyOf({}, HUMAN));
  const first = await send(deps, "wire", { cents: 5 }, { replayOf: "call_before" });
  expect(first).toMatchObject({ outcome: "denied", code: "LEEWAY_NEEDS_HUMAN" });
  await answer(deps, first, "approve");
  await carryOut(deps, first);
  const second = await send(deps, "wire", { cents: 6 });
  await answer(deps, second, "approve");
  // The execution of the second call is used by a call under another id.
  await carryOut(deps, await send(deps, "wire", { cents: 6 }, { replayOf: "call_between" }));
  const ended = (await trustExport(deps)).records.filter(({ outcome }) => outcome === "success");
  const metadata = { requires_human: true, autonomy_class: "needs-human", builtin: "wire" };
  expect(ended).toMatchObject([
    { approver: "ana", metadata: { ...metadata, replay_of_event_id: "call_before" } },
    { approver: "ana", metadata: { ...metadata, replay_of_event_id: "call_between" } },
  ]);
});
