import { expect, test } from "vitest";
import { LEASE_MS } from "../../src/core/execution.ts";
import { inEnglish } from "../../src/core/messages/text.ts";
import { review } from "../../src/gate/approvals/review.ts";
import { claim, settle } from "../../src/gate/calls/claim.ts";
import { reconcile } from "../../src/gate/calls/reconcile.ts";
import { wait } from "../../src/gate/calls/wait.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { StoreUnavailable } from "../../src/ports.ts";
import { functionRunner } from "../../src/runners/function.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { DAY_MS, type Office, office } from "../verbs/kit.ts";

// What Clawith's tests fix, in Leeway's terms: L3 is `ask`, a runtime scope is run and call id, a resume is the receipt of
// the waiting caller, a row of the execution ledger is the Execution. Each test has the number of its row.

const L3 =
  "version: 1\ntiers: { fs.delete: L3, payments.move: L3 }\nhuman: { not: [payments.move] }\ntools: { create_approval: { class: payments.move } }\napprovals: { assurance: any }\n";
const DELETE = { path: "/project/old.txt" };
const SCOPE = { run: "run-1", callId: "call-delete", cwd: "/project", session: "chat-7" };

function ask(o: Office) {
  return o.submit("delete_file", DELETE, SCOPE);
}

async function approved(o: Office): Promise<string> {
  const { approvalId } = await ask(o);
  const done = await o.approve(approvalId);
  return done.ok && done.value.state === "approved" ? done.value.executionId : "";
}

test("C1: an L3 deletion in a run asks: there is one pending request that knows its run and its call", async () => {
  const o = await office(L3);
  const receipt = await ask(o);
  expect([receipt.outcome, receipt.decision.tier]).toEqual(["pending", "ask"]);
  expect(await o.approval(receipt.approvalId)).toMatchObject({ state: "pending", run: "run-1", call: receipt.id });
  expect((await o.notices("pending")).map(({ to }) => to).sort()).toEqual(["ana", "ben", "cleo", "dan"]);
  expect((await ask(o)).approvalId).toBe(receipt.approvalId);
});

test("C2: the same call after its approval is allowed, under the same approval and without a second request", async () => {
  const o = await office(L3);
  const { approvalId, id } = await ask(o);
  await o.approve(approvalId);
  const again = await ask(o);
  expect([again.outcome, again.id]).toEqual(["run", id]);
  expect((await o.execution(again.executionId)).approval).toBe(approvalId);
  expect((await o.notices("pending")).map(({ to }) => to).sort()).toEqual(["ana", "ben", "cleo", "dan"]);
});

test("C3: an answer resumes the run exactly once with the person's name, runs nothing by itself, and tells the owner", async () => {
  for (const verdict of ["approve", "deny"] as const) {
    const o = await office(L3);
    const ran: unknown[] = [];
    o.deps.runners.set(
      "delete_file",
      functionRunner("delete_file", (args) => ran.push(args)),
    );
    const { approvalId = "", digest } = await ask(o);
    const waiting = wait(o.deps, approvalId, { timeoutMs: DAY_MS / 48 });
    const answer = { by: "ana", verdict, digest, note: "", assurance: "tty" as const, bulk: false };
    await review(o.deps, approvalId, answer);
    const resumed = await waiting;
    expect(resumed.outcome).toBe(verdict === "approve" ? "run" : "denied");
    expect((await o.approval(approvalId)).reviews.map((given) => given.by)).toEqual(["ana"]);
    await tick(o.deps);
    expect(ran).toEqual([]);
    expect(await review(o.deps, approvalId, answer)).toMatchObject({ code: "LEEWAY_ALREADY_RESOLVED" });
  }
  const o = await office(L3.replace("approvals:", "agents: { coder: { owner: dan } }\napprovals:"));
  const { approvalId } = await ask(o);
  await o.approve(approvalId, "ana");
  expect(inEnglish((await o.notices("resolved")).map(({ to, text }) => [to, text]))).toEqual([
    ["dan", "approved by ana"],
  ]);
});

test("C4: while the question is pending, nothing is reserved and nothing runs", async () => {
  const o = await office(L3);
  const { approvalId } = await ask(o);
  expect(await ask(o)).toMatchObject({ outcome: "pending", approvalId });
  expect(await o.rows("executions")).toEqual([]);
  expect((await o.callRow((await ask(o)).id)).outcome).toBe("pending");
});

test("C5: after an approval there is one claim and one run with the original arguments, and the result is returned", async () => {
  const o = await office(L3);
  const executionId = await approved(o);
  const claims = await Promise.all([1, 2, 3].map(() => claim(o.deps, executionId, "caller")));
  const won = claims.filter((one) => one.ok);
  expect(won).toHaveLength(1);
  expect(won[0]).toMatchObject({ value: { args: DELETE } });
  const attempt = won[0]?.ok && "attempt" in won[0].value.execution ? won[0].value.execution.attempt : "att_";
  await settle(o.deps, executionId, { attempt, by: "caller", ending: { ok: true, result: "deleted" } });
  expect(await ask(o)).toMatchObject({ outcome: "run", result: "deleted" });
});

test("C6: after a denial the executor is never called, and the refusal has a type", async () => {
  const o = await office(L3);
  const { approvalId } = await ask(o);
  await o.deny(approvalId, "ana", "keep it");
  expect(await ask(o)).toMatchObject({ outcome: "denied", code: "LEEWAY_REVIEW_DENIED" });
  expect(await o.rows("executions")).toEqual([]);
});

test("C7: the question contains who asked and the normalised path, roots are doubtful, and the approval of another agent is not valid", async () => {
  const o = await office(L3.replace("approvals:", "reviewers: [ana]\napprovals:"));
  const receipt = await o.submit("delete_file", { path: "tmp/../old.txt" }, { ...SCOPE, requestedBy: "dan" });
  expect((await o.approval(receipt.approvalId)).requestedBy).toBe("dan");
  const { effect } = await o.callRow(receipt.id);
  expect(effect.parts.flatMap((part) => part.targets)).toMatchObject([{ kind: "path", path: "/project/old.txt" }]);
  await o.approve(receipt.approvalId);
  const other = await o.submit("delete_file", { path: "tmp/../old.txt" }, { ...SCOPE, agent: "other" });
  expect([other.outcome, other.approvalId === receipt.approvalId]).toEqual(["pending", false]);
  const root = await o.submit("delete_file", { path: "" }, { cwd: "/project" });
  expect((await o.callRow(root.id)).effect.understood).not.toBe("fully");
});

test("C8: an approved call that Leeway runs reaches its runner once, with all its stored data", async () => {
  const o = await office(L3);
  const ran: unknown[] = [];
  const runner = functionRunner("delete_file", (args, { call }) => {
    ran.push([args, call.agent, call.session, call.cwd]);
    return "gone";
  });
  o.deps.runners.set("delete_file", runner);
  const { approvalId } = await o.submit("delete_file", DELETE, SCOPE, { runBy: "leeway" });
  await o.approve(approvalId);
  await Promise.all([tick(o.deps), tick(o.deps)]);
  await tick(o.deps);
  expect(ran).toEqual([[DELETE, "coder", "chat-7", "/project"]]);
  expect(await ask(o)).toMatchObject({ outcome: "run", result: "gone" });
});

test("C9: if the effect happened and settling failed, the call must be reconciled and never runs again", async () => {
  const store = memoryStore();
  let broken = false;
  const failing: typeof store = {
    ...store,
    commit: (change) => (broken ? Promise.reject(new StoreUnavailable("disk full")) : store.commit(change)),
  };
  const o = await office(L3, { store: failing });
  let effects = 0;
  const runner = functionRunner("delete_file", () => {
    effects += 1;
    broken = true;
    return "gone";
  });
  o.deps.runners.set("delete_file", runner);
  const { approvalId } = await o.submit("delete_file", DELETE, SCOPE, { runBy: "leeway" });
  const done = await o.approve(approvalId);
  const executionId = done.ok && done.value.state === "approved" ? done.value.executionId : "";
  await expect(tick(o.deps)).rejects.toThrow(StoreUnavailable);
  broken = false;
  expect((await o.execution(executionId)).state).toBe("claimed");
  o.clock.advance(LEASE_MS);
  for (let n = 0; n < 3; n++) await tick(o.deps);
  expect((await o.execution(executionId)).state).toBe("unknown");
  expect((await ask(o)).code).toBe("LEEWAY_OUTCOME_UNKNOWN");
  expect(
    (await reconcile(o.deps, executionId, { by: "ana", ok: true, note: "the file is gone", assurance: "tty" })).ok,
  ).toBe(true);
  expect(effects).toBe(1);
});

test("C10: only the exact word about the exact digest is consent", async () => {
  const o = await office(L3);
  const { approvalId = "", digest } = await o.submit("create_approval", { amount: 700 });
  const answer = { by: "ana", note: "", assurance: "tty" as const, bulk: false };
  const hex = digest.slice("sha256:".length);
  const wrong: [string, string][] = [
    ["approve", "sha256:"],
    ["approve", `sha256:${"0".repeat(64)}`],
    ["approve", `sha256:${hex.toUpperCase()}`],
    ["approve", `${digest}.`],
    ["approve", ` ${digest}`],
    ["Approve", digest],
    ["approve!", digest],
    ["yes", digest],
    ["delete the other one instead", digest],
  ];
  for (const [verdict, about] of wrong) {
    const given = { ...answer, verdict: verdict as "approve", digest: about as `sha256:${string}` };
    expect((await review(o.deps, approvalId, given)).ok).toBe(false);
    expect((await o.approval(approvalId)).state).toBe("pending");
  }
  expect(await o.rows("executions")).toEqual([]);
  expect((await review(o.deps, approvalId, { ...answer, verdict: "approve", digest })).ok).toBe(true);
  const refusal = await o.submit("create_approval", { amount: 800 });
  await o.deny(refusal.approvalId);
  expect((await o.approval(refusal.approvalId)).state).toBe("denied");
  expect(await o.rows("executions")).toHaveLength(1);
});

test("C11: consent by another person, or to a changed amount, does not match", async () => {
  // Whose consent counts is said by the policy; without that, everybody whose role it is may give it.
  const o = await office(`${L3}reviewers: [ana]\n`);
  const { approvalId } = await o.submit("create_approval", { amount: 700 });
  const other = await o.submit("create_approval", { amount: 701 });
  expect(await o.approve(approvalId, "dan")).toMatchObject({ code: "LEEWAY_NOT_A_REVIEWER" });
  expect(await o.approve(approvalId, "ana", { digest: other.digest })).toMatchObject({
    code: "LEEWAY_DIGEST_MISMATCH",
  });
  await o.approve(approvalId);
  expect((await o.submit("create_approval", { amount: 701 }, { callId: "new" })).outcome).toBe("pending");
});

test("C12: if nobody can answer, a request for consent is refused immediately", async () => {
  const o = await office(`${L3}headless: deny\n`);
  const receipt = await o.submit("create_approval", { amount: 700 }, {}, { waits: false });
  expect(receipt).toMatchObject({ outcome: "denied", code: "LEEWAY_HEADLESS" });
  expect(await o.rows("approvals")).toEqual([]);
});

test("C13: messages about a question refer to it and never contain the amount", async () => {
  const o = await office(L3);
  const { approvalId, digest } = await o.submit("create_approval", { amount: 31337 });
  const [notice] = await o.notices("pending");
  expect(notice?.ref).toBe(approvalId);
  expect(JSON.stringify(notice)).not.toContain("31337");
  const question = await o.approval(approvalId);
  expect(question.digest).toBe(digest);
  expect(JSON.stringify(question)).not.toContain("31337");
});
