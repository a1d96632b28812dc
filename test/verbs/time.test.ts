import { expect, test } from "vitest";
import { inEnglish } from "../../src/core/messages/text.ts";
import type { Notice } from "../../src/core/notice.ts";
import { cancel } from "../../src/gate/approvals/cancel.ts";
import { edit } from "../../src/gate/approvals/edit.ts";
import { claim, settle } from "../../src/gate/calls/claim.ts";
import { wait } from "../../src/gate/calls/wait.ts";
import { NOTICE_ATTEMPTS_MAX } from "../../src/gate/notices/dispatch.ts";
import { startTicking, tick } from "../../src/gate/time/tick.ts";
import { systemClock } from "../../src/system.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, office } from "./kit.ts";

const ESCALATING = `
version: 1
tier: ask
tools: { refund: { class: db.write } }
reviewers: [ana]
approvals: { expires: 4h, assurance: any, escalate: { after: 1h, to: ["group:leads"] } }
`;

test("escalation adds reviewers and notifies them", async () => {
  const { submit, approve, notices, clock, deps, kinds } = await office(ESCALATING);
  const { approvalId } = await submit("refund");
  expect(await approve(approvalId, "ben")).toMatchObject({ code: "LEEWAY_NOT_A_REVIEWER" });
  clock.advance(HOUR_MS);
  expect((await tick(deps)).escalated).toBe(1);
  expect((await notices("escalated")).map((notice) => notice.to).sort()).toEqual(["ben", "cleo"]);
  expect(await kinds()).toContain("approval.escalated");
  expect((await approve(approvalId, "ben")).ok).toBe(true);
});

test("reviewers who have not answered are reminded once, after half the time", async () => {
  const { submit, notices, clock, deps } = await office(ESCALATING);
  await submit("refund");
  clock.advance(2 * HOUR_MS);
  const did = [await tick(deps), await tick(deps), await tick(deps)];
  clock.advance(MINUTE_MS);
  did.push(await tick(deps));
  expect(did.reduce((sum, one) => sum + (one.reminded ?? 0), 0)).toBe(1);
  expect((await notices("reminder")).map((notice) => notice.to)).toEqual(["ana"]);
});

test("the sweeper records an expiry once, and people are told", async () => {
  const { submit, approval, notices, clock, deps, kinds } = await office(ESCALATING);
  const { approvalId } = await submit("refund");
  clock.advance(DAY_MS);
  await tick(deps);
  await tick(deps);
  expect(await approval(approvalId)).toMatchObject({ state: "expired" });
  expect((await kinds()).filter((kind) => kind === "approval.expired")).toHaveLength(1);
  expect(inEnglish((await notices("resolved")).map((notice) => notice.text))).toEqual(["expired"]);
});

test("a broken channel blocks nothing: its notices are retried, then recorded as undeliverable", async () => {
  const sent: Notice[] = [];
  const channels = new Map([
    ["pager", { name: "pager", deliver: async () => Promise.reject(new Error("no route")) }],
    ["chat", { name: "chat", deliver: async (notice: Notice) => void sent.push(notice) }],
  ]);
  const { submit, approve, approval, notices, clock, deps, kinds } = await office(undefined, { channels });
  const { approvalId, outcome } = await submit("refund");
  expect(outcome).toBe("pending");
  expect((await submit("save")).outcome).toBe("run");
  for (let n = 0; n < NOTICE_ATTEMPTS_MAX; n++) {
    await tick(deps);
    clock.advance(3 * MINUTE_MS);
  }
  expect(sent.filter((notice) => notice.ref === approvalId && notice.to === "ana")).toHaveLength(1);
  const paged = (await notices("pending")).filter((notice) => notice.channel === "pager" && notice.to === "ana");
  expect(paged).toMatchObject([{ state: "dead", attempts: NOTICE_ATTEMPTS_MAX, why: "no route" }]);
  expect((await kinds()).filter((kind) => kind === "notice.dead").length).toBeGreaterThan(0);
  expect((await approve(approvalId)).ok).toBe(true);
  expect((await approval(approvalId)).state).toBe("approved");
});

test("a combined notice says how many calls ran", async () => {
  const sent: Notice[] = [];
  const channels = new Map([["chat", { name: "chat", deliver: async (notice: Notice) => void sent.push(notice) }]]);
  const { submit, clock, deps } = await office(undefined, { channels });
  for (let n = 0; n < 7; n++) await submit("save", { n });
  await tick(deps);
  expect(sent).toEqual([]);
  clock.advance(10 * MINUTE_MS);
  await tick(deps);
  const digests = sent.filter((notice) => notice.kind === "ran");
  expect(digests.map((notice) => notice.title)).toEqual(["7 calls ran under notify"]);
});

test("an expired grant is recorded as expired", async () => {
  const { submit, approve, rows, clock, deps } = await office();
  const { approvalId } = await submit("refund", { amount: 1 });
  const covers = { tool: { name: "refund" }, targets: [], level: "admin" as const };
  await approve(approvalId, "ana", { remember: { covers } } as never);
  expect((await submit("refund", { amount: 2 })).outcome).toBe("run");
  clock.advance(DAY_MS);
  expect((await submit("refund", { amount: 3 })).outcome).toBe("pending");
  expect((await tick(deps)).grantExpired).toBe(1);
  expect(await rows("grants")).toMatchObject([{ state: "expired" }]);
});

test("waiting ends with the answer, which is a permit if the caller runs the call", async () => {
  const { submit, approve, deps } = await office();
  const { approvalId = "" } = await submit("refund");
  const waiting = wait(deps, approvalId, { timeoutMs: HOUR_MS });
  await approve(approvalId);
  const receipt = await waiting;
  expect([receipt.outcome, receipt.approvalId, receipt.executionId === undefined]).toEqual(["run", approvalId, false]);
});

test("waiting for a call that Leeway runs ends with the result, never with a permit", async () => {
  const { submit, approve, deps } = await office();
  deps.runners.set("mail", { name: "mail", idempotent: false, run: async () => ({ ok: true, result: "sent" }) });
  const { approvalId = "" } = await submit("mail");
  const waiting = wait(deps, approvalId, { timeoutMs: HOUR_MS });
  await approve(approvalId);
  await tick(deps);
  expect(await waiting).toMatchObject({ outcome: "run", result: "sent" });
});

test("every other end of a question is returned as a refusal with a code", async () => {
  const { submit, deny, deps, clock } = await office();
  const denied = await submit("refund", { n: 1 });
  await deny(denied.approvalId, "ana", "no");
  const cancelled = await submit("refund", { n: 2 });
  await cancel(deps, cancelled.approvalId ?? "", { by: "ana", assurance: "tty" });
  const superseded = await submit("refund", { n: 3 }, { callId: "c1" });
  await submit("refund", { n: 4 }, { callId: "c1" });
  const expired = await submit("refund", { n: 5 });
  const codes = async () =>
    Promise.all(
      [denied, cancelled, superseded, expired].map(async ({ approvalId = "" }) => {
        const { outcome, code } = await wait(deps, approvalId, { timeoutMs: 0 });
        return [outcome, code];
      }),
    );
  expect(await codes()).toEqual([
    ["denied", "LEEWAY_REVIEW_DENIED"],
    ["denied", "LEEWAY_CANCELLED"],
    ["denied", "LEEWAY_SUPERSEDED"],
    ["pending", "LEEWAY_PENDING"],
  ]);
  clock.advance(HOUR_MS);
  expect((await codes())[3]).toEqual(["denied", "LEEWAY_EXPIRED"]);
});

test("a waiting caller is told if an approval becomes void", async () => {
  const { submit, approve, deps, clock } = await office();
  const { approvalId = "" } = await submit("refund");
  await approve(approvalId);
  clock.advance(HOUR_MS);
  await tick(deps);
  expect(await wait(deps, approvalId, { timeoutMs: 0 })).toMatchObject({ outcome: "denied", code: "LEEWAY_VOID" });
});

test("waiting continues after an edit and says what changed", async () => {
  const { submit, deps } = await office();
  const first = await submit("refund", { amount: 500 });
  const answer = {
    by: "ana",
    verdict: "approve",
    digest: first.digest,
    note: "",
    assurance: "tty",
    bulk: false,
  } as const;
  const edited = await edit(deps, first.approvalId ?? "", { ...answer, args: { amount: 50 } });
  const receipt = await wait(deps, first.approvalId ?? "", { timeoutMs: 0 });
  expect(receipt).toMatchObject({ outcome: "run", edited: { from: first.digest, args: { amount: 50 } } });
  expect(receipt.approvalId).toBe(edited.ok ? edited.value.id : "");
});

test("waiting ends when its time is over, or immediately when it is cancelled, and the question stays open", async () => {
  const { submit, approval, deps } = await office(undefined, { clock: systemClock });
  const { approvalId = "" } = await submit("refund");
  expect((await wait(deps, approvalId, { timeoutMs: 5 })).outcome).toBe("pending");
  const enough = new AbortController();
  const waiting = wait(deps, approvalId, { timeoutMs: HOUR_MS, signal: enough.signal });
  enough.abort();
  expect((await waiting).outcome).toBe("pending");
  expect((await approval(approvalId)).state).toBe("pending");
});

test("a restarted caller finds its call again and gets the result", async () => {
  const { submit, approve, deps } = await office();
  const call = { callId: "c1", session: "s1" };
  const { approvalId } = await submit("refund", { amount: 5 }, call);
  await approve(approvalId);
  const again = await submit("refund", { amount: 5 }, call);
  const { executionId = "", attempt = "att_" } = again;
  expect((await claim(deps, executionId, "caller")).ok).toBe(false);
  expect((await submit("refund", { amount: 5 }, call)).code).toBe("LEEWAY_CALL_RUNNING");
  await settle(deps, executionId, { attempt, by: "caller", ending: { ok: true, result: "paid" } });
  expect(await submit("refund", { amount: 5 }, call)).toMatchObject({ outcome: "run", result: "paid" });
});

test("the timer keeps running until it is stopped, and wakes up when something changes", async () => {
  const { submit, approve, execution, deps } = await office(undefined, { clock: systemClock });
  deps.runners.set("mail", { name: "mail", idempotent: false, run: async () => ({ ok: true, result: 1 }) });
  const stop = startTicking(deps, { everyMs: HOUR_MS });
  const { approvalId = "" } = await submit("mail");
  const done = await approve(approvalId);
  const waited = await wait(deps, approvalId, { timeoutMs: 30_000 });
  await stop();
  expect(waited).toMatchObject({ outcome: "run", result: 1 });
  const id = done.ok && done.value.state === "approved" ? done.value.executionId : "";
  expect((await execution(id)).state).toBe("succeeded");
});

test("waiting for an unknown question is refused", async () => {
  const { deps } = await office();
  expect(await wait(deps, "apr_none", { timeoutMs: HOUR_MS })).toMatchObject({
    outcome: "denied",
    code: "LEEWAY_NOT_FOUND",
  });
});

test("a call that may run now and that Leeway runs can be waited for by its own id", async () => {
  const { submit, deps } = await office();
  deps.runners.set("lookup", { name: "lookup", idempotent: false, run: async () => ({ ok: true, result: "found" }) });
  const receipt = await submit("lookup", {}, {}, { runBy: "leeway" });
  expect(receipt).toMatchObject({ outcome: "pending", code: "LEEWAY_CALL_RUNNING", decision: { outcome: "run" } });
  const waiting = wait(deps, receipt.id, { timeoutMs: HOUR_MS / 4 });
  expect((await tick(deps)).succeeded).toBe(1);
  expect(await waiting).toMatchObject({ id: receipt.id, outcome: "run", result: "found" });
});

test("two calls that share a question can each wait for it under their own id", async () => {
  const { submit, approve, deps } = await office();
  const first = await submit("refund", { n: 1 }, { callId: "c1" });
  const other = await submit("refund", { n: 1 }, { callId: "c2" });
  await approve(first.approvalId);
  for (const { id } of [first, other]) {
    expect(await wait(deps, id, { timeoutMs: 0 })).toMatchObject({ id, outcome: "run", approvalId: first.approvalId });
  }
});
