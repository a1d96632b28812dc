import { expect, test } from "vitest";
import { PLAN_TOOL, planArgs, planIn } from "../../src/core/standing/plan.ts";
import { edit } from "../../src/gate/approvals/edit.ts";
import { review, reviewAll } from "../../src/gate/approvals/review.ts";
import { openArgs } from "../../src/gate/calls/args.ts";
import { DEFAULT_CALLER } from "../../src/gate/calls/judging.ts";
import { submitPlan } from "../../src/gate/calls/plan.ts";
import { suggestGrants } from "../../src/gate/standing/grants.ts";
import { type Office, office } from "./kit.ts";

const LEADS = `
version: 1
tier: ask
tools: { refund: { class: db.write }, ship: { class: db.write }, note: { class: db.write } }
approvals: { expires: 2h, permit: 30m, assurance: any }
reviewers: [ana, dan, "group:leads"]
rules:
  - { name: refunds, match: { tool: refund }, tier: ask, because: money, quorum: 2, expires: 1h }
  - { name: shipping, match: { tool: ship }, tier: ask, because: goods, reviewers: ["group:leads"] }
`;

async function planned(at: Office, tools: readonly string[]) {
  const { tool: _, args: __, ...asks } = at.call(PLAN_TOOL);
  const steps = tools.map((tool) => ({ call: at.call(tool, { of: tool }) }));
  const done = await submitPlan(at.deps, { asks, title: "All of it", steps }, DEFAULT_CALLER);
  if (!done.ok) throw new Error(done.reason.say);
  return { ...done.value, approvalId: done.value.receipt?.approvalId };
}

test("the question about a plan needs everything that the questions about its steps would need", async () => {
  const at = await office(LEADS);
  const { approvalId, receipt } = await planned(at, ["note", "refund", "ship"]);
  expect(receipt?.decision.because).toEqual([
    "the policy-wide tier is ask (leeway.yaml:3)",
    "a person approves a plan as a whole",
  ]);
  const { quorum, reviewers, answerByMs, openedMs, permitMs, needsHuman, plan } = await at.approval(approvalId);
  expect({ quorum, reviewers, answerMs: answerByMs - openedMs, permitMs, needsHuman, plan }).toEqual({
    quorum: 2,
    reviewers: [["ana", "dan", "group:leads"], ["group:leads"]],
    answerMs: 3_600_000,
    permitMs: 1_800_000,
    needsHuman: false,
    plan: "exact",
  });
  await at.approve(approvalId, "ana");
  expect(await at.approve(approvalId, "dan")).toMatchObject({ ok: true, value: { state: "pending" } });
  expect(await at.rows("grants")).toEqual([]);
  expect(await at.approve(approvalId, "ben")).toMatchObject({ ok: true, value: { state: "approved" } });
  expect((await at.rows("grants")).map(({ grantedBy, usesMax }) => [grantedBy, usesMax])).toEqual(
    Array(3).fill([{ person: "ben" }, 1]),
  );
});

test("the grants of a plan are given in the Change of the deciding review, and its question ends there", async () => {
  const at = await office(LEADS);
  const { approvalId } = await planned(at, ["note"]);
  const before = (await at.kinds()).length;
  const done = await at.approve(approvalId);
  expect((await at.kinds()).slice(before)).toEqual([
    "approval.reviewed",
    "approval.approved",
    "grant.created",
    "execution.claimed",
    "execution.succeeded",
  ]);
  const heads = await at.deps.store.read({
    ask: "entries",
    workspace: at.deps.workspace,
    where: {},
    limit: 100,
    order: "oldest",
  });
  const of = (kind: string) => heads.find((entry) => entry.kind === kind);
  expect(of("grant.created")?.atMs).toBe(of("approval.approved")?.atMs);
  expect(done.ok && done.value.state).toBe("approved");
});

test("a call of leeway.plan that an agent makes up gives no grant, even with the arguments of a real plan", async () => {
  const at = await office(LEADS);
  const { approvalId } = await planned(at, ["note"]);
  const real = await at.approval(approvalId);
  const opened = openArgs(await at.callRow(real.call));
  if (!opened.ok) throw new Error(opened.why.say);
  const { steps } = planIn(opened.args);
  const forged = await at.submit(PLAN_TOOL, planArgs({ title: "All of it, really", steps }));
  expect(await at.approval(forged.approvalId)).not.toHaveProperty("plan");
  expect(await at.approve(forged.approvalId)).toMatchObject({ ok: true });
  expect(await at.rows("grants")).toEqual([]);
});

test("a plan is answered alone and as it is: not together with others, not with edits, and nothing of it is remembered", async () => {
  const at = await office(LEADS);
  const { approvalId = "" } = await planned(at, ["note"]);
  const other = await at.submit("note", { of: "else" });
  const { digest } = await at.approval(approvalId);
  const answer = { by: "ana", verdict: "approve", note: "", assurance: "tty" } as const;
  const both = [
    { id: approvalId, digest },
    { id: other.approvalId ?? "", digest: other.digest },
  ];
  expect(await reviewAll(at.deps, both, answer)).toMatchObject([
    { ok: false, code: "LEEWAY_BAD_INPUT", reason: { say: "refusal.plan_in_bulk" } },
    { ok: true },
  ]);
  const alone = { ...answer, digest, bulk: false };
  expect(await edit(at.deps, approvalId, { ...alone, args: { title: "x", steps: "[]" } })).toMatchObject({ ok: false });
  expect(await review(at.deps, approvalId, { ...alone, remember: {} })).toMatchObject({
    ok: false,
    reason: { say: "refusal.plan_remembered" },
  });
  expect(await suggestGrants(at.deps, approvalId)).toMatchObject({ ok: true, value: { offers: [] } });
  expect(await reviewAll(at.deps, both.slice(0, 1), answer)).toMatchObject([{ ok: true }]);
  expect(await at.rows("grants")).toHaveLength(1);
});

test("a step may state a width; then it allows one call of that width, and approving it needs a recent sign-in", async () => {
  const at = await office("version: 1\ntier: ask\napprovals: { assurance: any }\n");
  const { tool: _, args: __, ...asks } = at.call(PLAN_TOOL);
  const commit = (words: string) => at.call("Bash", { command: `git commit -m ${words}` }, { cwd: "/project" });
  const steps = [{ call: commit("one"), width: "near" as const }, { call: commit("two") }];
  const done = await submitPlan(at.deps, { asks, title: "Commit", steps }, DEFAULT_CALLER);
  const approvalId = done.ok ? done.value.receipt?.approvalId : undefined;
  expect(await at.approve(approvalId, "ana", { stale: true })).toMatchObject({ code: "LEEWAY_STALE_SIGN_IN" });
  expect(await at.approve(approvalId)).toMatchObject({ ok: true });
  const outcomes = [];
  // The grant for exactly this call is used first, so that the wider one is left for another call.
  for (const words of ["two", "three", "four"]) {
    outcomes.push((await at.submit("Bash", { command: `git commit -m ${words}` }, { cwd: "/project" })).outcome);
  }
  expect(outcomes).toEqual(["run", "run", "pending"]);
});
