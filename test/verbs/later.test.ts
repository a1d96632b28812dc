import { expect, test } from "vitest";
import { claim } from "../../src/gate/calls/claim.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { HOUR_MS, office } from "./kit.ts";

// A call with a box is started by another program than the one that submits it. Until then its execution is ready.

const LATER = { hands: true, boxes: { rehearses: false }, starts: "later" } as const;

const policy = "version: 1\npreset: standard\napprovals: { assurance: any }\n";
const bash = { command: "cat a.txt" };

test("a call with a box is ready until it is claimed in its box, once, and a call without a box is handed over", async () => {
  const { deps, submit, execution } = await office(policy);
  const { outcome, executionId = "", attempt, decision } = await submit("Bash", bash, {}, LATER);
  expect([outcome, attempt, decision.box?.because]).toEqual(["run", undefined, "enforced"]);
  expect((await execution(executionId)).state).toBe("ready");
  expect(await claim(deps, executionId, "caller", { handed: true })).toMatchObject({
    ok: false,
    code: "LEEWAY_NO_BOX",
  });
  const boxed = { handed: false, boxed: true };
  const both = await Promise.all([0, 1].map(() => claim(deps, executionId, "caller", boxed)));
  expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
  const read = await submit("Read", { file_path: "/tmp/a.txt" }, {}, LATER);
  expect([read.decision.box, (await execution(read.executionId)).state]).toEqual([undefined, "handed"]);
});

test("the same call sent again gets the same execution, and another one never uses it", async () => {
  const { submit } = await office(policy);
  const first = await submit("Bash", bash, { callId: "one" }, LATER);
  expect(await submit("Bash", bash, { callId: "one" }, LATER)).toMatchObject({
    outcome: "run",
    executionId: first.executionId,
    decision: { box: first.decision.box },
  });
  const other = await submit("Bash", bash, { callId: "two" }, LATER);
  expect([other.outcome, other.executionId === first.executionId]).toEqual(["run", false]);
  // A caller that makes no boxes has a decision of its own.
  const unboxed = await submit("Bash", bash, { callId: "three" }, { hands: true });
  expect([unboxed.decision.box, unboxed.attempt]).toEqual([undefined, expect.any(String)]);
});

test("an execution that nobody claims expires, and nobody is told", async () => {
  const { deps, clock, submit, execution, notices } = await office(policy);
  const { executionId } = await submit("Bash", bash, {}, LATER);
  clock.advance(2 * HOUR_MS);
  await tick(deps);
  expect((await execution(executionId)).state).toBe("void");
  expect(await notices("void")).toEqual([]);
});

test("a call that a person approved stays ready for its box, also when it is sent again", async () => {
  const asking = `${policy}rules:\n  - { name: look, match: { command: "cat *" }, tier: ask, because: look first }\n`;
  const { deps, submit, approve, execution } = await office(asking);
  const { approvalId } = await submit("Bash", bash, { callId: "one" }, LATER);
  expect((await approve(approvalId)).ok).toBe(true);
  const again = await submit("Bash", bash, { callId: "two" }, LATER);
  expect([again.outcome, again.attempt, again.decision.box?.because]).toEqual(["run", undefined, "enforced"]);
  expect((await execution(again.executionId)).state).toBe("ready");
  const claimed = await claim(deps, again.executionId ?? "", "caller", { handed: false, boxed: true });
  expect(claimed).toMatchObject({ ok: true, value: { box: { because: "enforced" } } });
});
