import { expect, test } from "vitest";
import type { PlanInput, PlanReceipt } from "../../src/index.ts";
import { entriesOf, opened, refusalFrom, type TestGate } from "./gates.ts";

const HOUR_MS = 3_600_000;

const pay = (to: string, amount: number) => ({ tool: "pay", args: { to, amount } });
const TWO_PAYMENTS: PlanInput = { agent: "clerk", title: "Pay two bills", calls: [pay("ben", 5), pay("cleo", 7)] };

/** Sends the plan, and ana answers. */
async function answered({ gate }: TestGate, plan: PlanInput, verdict: "approve" | "deny" = "approve") {
  const { steps, receipt } = await gate.submitPlan(plan);
  const { approvalId = "", digest = "", outcome } = receipt ?? {};
  expect(outcome).toBe("pending");
  await gate.review(approvalId, { by: "ana", verdict, digest, ...(verdict === "deny" ? { note: "one first" } : {}) });
  return { steps, approvalId, told: await gate.wait(approvalId) };
}

function statesOf({ steps }: Pick<PlanReceipt, "steps">) {
  return steps.map(({ is, decision }) => `${is} ${decision.tier}`);
}

test("an approved plan lets each of its calls run once, in any order, and the same call a second time asks", async () => {
  const at = await opened();
  const { told } = await answered(at, TWO_PAYMENTS);
  expect(told).toMatchObject({ outcome: "run", result: { approved: true } });
  const outcomes = [];
  for (const call of [pay("cleo", 7), pay("ben", 5), pay("ben", 5), pay("cleo", 7)]) {
    outcomes.push((await at.gate.submit({ agent: "clerk", ...call })).outcome);
  }
  expect(outcomes).toEqual(["run", "run", "pending", "pending"]);
});

test("a call that is in the plan twice runs twice", async () => {
  const at = await opened();
  await answered(at, { ...TWO_PAYMENTS, calls: [pay("ben", 5), pay("ben", 5)] });
  const outcomes = [];
  for (let n = 0; n < 3; n++) outcomes.push((await at.gate.submit({ agent: "clerk", ...pay("ben", 5) })).outcome);
  expect(outcomes).toEqual(["run", "run", "pending"]);
});

test("a changed call, the call of another agent, of a sub-agent, or of another session asks", async () => {
  const at = await opened();
  await answered(at, { ...TWO_PAYMENTS, session: "s1" });
  const others = {
    changed: { agent: "clerk", session: "s1", ...pay("ben", 6) },
    folder: { agent: "clerk", session: "s1", ...pay("ben", 5), cwd: "/elsewhere" },
    agent: { agent: "intern", session: "s1", ...pay("ben", 5) },
    session: { agent: "clerk", session: "s2", ...pay("ben", 5) },
    none: { agent: "clerk", ...pay("ben", 5) },
  };
  for (const [which, call] of Object.entries(others)) {
    expect([which, (await at.gate.submit(call)).outcome]).toEqual([which, "pending"]);
  }
  const under = at.gate.as({ agent: "clerk", session: "s1" }, () =>
    at.gate.submit({ agent: "intern", ...pay("ben", 5) }),
  );
  expect((await under).outcome).toBe("pending");
  expect((await at.gate.submit({ agent: "clerk", session: "s1", ...pay("ben", 5) })).outcome).toBe("run");
});

test("the approval of a plan is valid until its permit ends, and until its session ends", async () => {
  const at = await opened();
  await answered(at, TWO_PAYMENTS);
  at.clock.advance(HOUR_MS - 1000);
  expect((await at.gate.submit({ agent: "clerk", ...pay("ben", 5) })).outcome).toBe("run");
  at.clock.advance(1000);
  expect((await at.gate.submit({ agent: "clerk", ...pay("cleo", 7) })).outcome).toBe("pending");
  await answered(at, { ...TWO_PAYMENTS, session: "s1" });
  await at.gate.endSession("s1");
  expect((await at.gate.submit({ agent: "clerk", session: "s1", ...pay("ben", 5) })).outcome).toBe("pending");
});

test("a plan says what becomes of every call, makes none of them looser, and records the grants that it gives", async () => {
  const at = await opened();
  const tools = ["look", "tell", "pay", "propose", "dream", "nuke", "grantme", "unheard_of"];
  const { steps, approvalId } = await answered(at, {
    agent: "clerk",
    title: "One of each",
    calls: tools.map((tool) => ({ tool })),
  });
  const states = ["runs", "runs", "covered", "proposed", "proposed", "denied", "human", "covered"];
  expect(steps.map(({ is }) => is)).toEqual(states);
  const grants = (await at.gate.grants.list()).map(({ grant }) => grant);
  expect(grants).toHaveLength(2);
  for (const grant of grants) {
    expect(grant).toMatchObject({
      subject: { agent: "clerk" },
      covers: { exact: { digest: expect.stringMatching(/^sha256:/) }, targets: [] },
      grantedBy: { person: "ana" },
      fromApproval: approvalId,
      usesMax: 1,
      untilMs: at.clock.nowMs() + HOUR_MS,
      state: "live",
    });
  }
  const after = [];
  for (const tool of tools) after.push((await at.gate.submit({ agent: "clerk", tool })).outcome);
  expect(after).toEqual(["run", "run", "run", "not_executed", "not_executed", "denied", "denied", "run"]);
  expect((await entriesOf(at.deps)).filter((kind) => kind === "grant.created")).toHaveLength(2);
  expect(await at.gate.ledger.verify()).toMatchObject({ ok: true });
});

test("a rule that denies a call after the plan was approved denies it, and a firm rule asks", async () => {
  const at = await opened();
  await answered(at, TWO_PAYMENTS);
  const rule = { name: "stop", match: { tool: "pay" }, because: "the account is closed" };
  const within = (layer: { tier: "ask" | "deny"; firm?: true }) =>
    at.gate.withPolicy({ version: 1, rules: [{ ...rule, ...layer }] }, () =>
      at.gate.submit({ agent: "clerk", ...pay("ben", 5) }),
    );
  expect(await within({ tier: "deny" })).toMatchObject({ outcome: "denied", code: "LEEWAY_DENIED" });
  expect((await within({ tier: "ask", firm: true })).outcome).toBe("pending");
});

test("after a denied plan its calls are asked about one by one, and the agent is told so", async () => {
  const at = await opened();
  const { told } = await answered(at, TWO_PAYMENTS, "deny");
  const reason =
    "ana denied the plan: one first; each of its calls is decided on its own when it is made, as if there were no plan";
  expect(told).toMatchObject({ outcome: "denied", code: "LEEWAY_REVIEW_DENIED", reason });
  expect(await at.gate.submit({ agent: "clerk", ...pay("ben", 5) })).toMatchObject({ outcome: "pending" });
  const again = await at.gate.submitPlan(TWO_PAYMENTS);
  expect(again.receipt).toMatchObject({ outcome: "denied", code: "LEEWAY_REVIEW_DENIED", reason });
  expect(await at.gate.grants.list()).toEqual([]);
});

test("nobody is asked about a plan in which nothing would be asked about", async () => {
  const at = await opened();
  const plan = await at.gate.submitPlan({ title: "Look", calls: [{ tool: "look" }, { tool: "nuke" }] });
  expect([statesOf(plan), plan.receipt]).toEqual([["runs auto", "denied deny"], undefined]);
  expect(await at.gate.approvals.list()).toEqual([]);
});

test("a plan of no calls, of 51 calls, without a title, or with a width that no card would offer is refused", async () => {
  const at = await opened();
  const many = (count: number) => Array.from({ length: count }, (_, n) => pay("ben", n));
  const wrong = [
    { ...TWO_PAYMENTS, calls: [] },
    { ...TWO_PAYMENTS, calls: many(51) },
    { ...TWO_PAYMENTS, title: "" },
    { ...TWO_PAYMENTS, calls: [pay("ben", 5), { tool: "unheard_of", width: "wide" as const }] },
  ];
  const said = [];
  for (const plan of wrong) said.push((await refusalFrom(at.gate.submitPlan(plan))).message);
  expect(said).toEqual([
    "calls: the list is empty; give at least 1",
    "calls: there are too many: 51; send at most 50",
    "title: the text is empty; give 1 to 200 characters",
    "calls/1/width: for this call there is no safe grant of the width `wide`; choose a narrower width, or leave `width` out so that exactly this call is approved",
  ]);
  expect((await at.gate.submitPlan({ ...TWO_PAYMENTS, calls: many(50) })).receipt?.outcome).toBe("pending");
});
