import { expect, test } from "vitest";
import type { Digest } from "../../src/core/call.ts";
import { inEnglish } from "../../src/core/messages/text.ts";
import { cancel } from "../../src/gate/approvals/cancel.ts";
import { edit } from "../../src/gate/approvals/edit.ts";
import { review, reviewAll } from "../../src/gate/approvals/review.ts";
import { endSession } from "../../src/gate/calls/sessions.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { HOUR_MS, MINUTE_MS, type Office, office } from "./kit.ts";

// Refusals are recorded too: who tried to answer without the right to, and which call id was used for another call.

const SMALL = { assurance: "tty", bulk: false, note: "" } as const;

async function refusals({ deps }: Office, kind: "review.refused" | "call.refused") {
  const { workspace } = deps;
  const where = { kinds: [kind] };
  const entries = await deps.store.read({ ask: "entries", workspace, where, limit: 1000, order: "oldest" });
  return entries.map(({ actor, subject, body }) => ({ actor, subject, body: body?.json }));
}

const codesOf = async (at: Office) =>
  (await refusals(at, "review.refused")).map(({ subject, body }) => [subject.person, body?.["code"]]);

test("a review that does not count is recorded: by whom, about what, and why it was refused", async () => {
  const at = await office();
  const { approvalId, digest } = await at.submit("refund", {}, { requestedBy: "ben" });
  await at.approve(approvalId, "audrey");
  expect(inEnglish(await refusals(at, "review.refused"))).toEqual([
    {
      actor: "leeway",
      subject: {
        agent: "coder",
        approval: approvalId,
        call: (await at.approval(approvalId)).call,
        class: "db.write",
        person: "audrey",
        tier: "ask",
        tool: "refund",
        trace: "trace_1",
      },
      body: {
        assurance: "tty",
        bulk: false,
        code: "LEEWAY_NOT_A_REVIEWER",
        digest,
        reason: `audrey may not review ${approvalId}`,
        verdict: "approve",
      },
    },
  ]);
});

test("the record distinguishes every reason for which an answer can be refused", async () => {
  const at = await office(
    `
version: 1
tier: ask
tools: { refund: { class: db.write } }
human: { tools: [wire] }
approvals: { quorum: 2, expires: 1h, assurance: person, reviewers: [ana, ben, dan] }
`
      .replace(", reviewers: [ana, ben, dan]", "")
      .replace("tier: ask", "tier: ask\nreviewers: [ana, ben, dan]"),
  );
  const { approvalId = "" } = await at.submit("refund", {}, { requestedBy: "ben" });
  const { approvalId: wire = "", digest: wired } = await at.submit("wire");
  await at.approve(approvalId, "nobody");
  await at.approve(approvalId, "");
  await at.approve(approvalId, "audrey");
  await at.approve(approvalId, "coder");
  await at.approve(approvalId, "ben");
  await at.approve(approvalId, "ana", { digest: "sha256:old" as Digest });
  await at.approve(approvalId, "ana", { assurance: "process" });
  await at.approve(approvalId, "ana");
  await at.approve(approvalId, "ana");
  await reviewAll(
    at.deps,
    [
      { id: wire, digest: wired },
      { id: "apr_none", digest: wired },
    ],
    { by: "ana", verdict: "approve", note: "", assurance: "tty" },
  );
  at.clock.advance(HOUR_MS);
  await at.approve(approvalId, "dan");
  expect(await codesOf(at)).toEqual([
    ["nobody", "LEEWAY_NOT_A_REVIEWER"],
    [undefined, "LEEWAY_NOT_A_REVIEWER"],
    ["audrey", "LEEWAY_NOT_A_REVIEWER"],
    ["coder", "LEEWAY_NOT_A_REVIEWER"],
    ["ben", "LEEWAY_SELF_REVIEW"],
    ["ana", "LEEWAY_DIGEST_MISMATCH"],
    ["ana", "LEEWAY_ASSURANCE"],
    ["ana", "LEEWAY_ALREADY_REVIEWED"],
    ["ana", "LEEWAY_NEEDS_HUMAN"],
    ["dan", "LEEWAY_ALREADY_RESOLVED"],
  ]);
});

test("a refused edit and a refused approval with remember are recorded too", async () => {
  const at = await office();
  const { approvalId = "", digest } = await at.submit("refund", { amount: 1 });
  await edit(at.deps, approvalId, { ...SMALL, by: "audrey", verdict: "approve", digest, args: { amount: 2 } });
  await review(at.deps, approvalId, { ...SMALL, by: "eve", verdict: "approve", digest, remember: { usesMax: 2 } });
  expect(await codesOf(at)).toEqual([
    ["audrey", "LEEWAY_NOT_A_REVIEWER"],
    ["eve", "LEEWAY_NOT_A_REVIEWER"],
  ]);
});

test("repeated refused answers are recorded once a minute for each person and reason", async () => {
  const at = await office();
  const { approvalId } = await at.submit("refund");
  for (let i = 0; i < 50; i++) await at.approve(approvalId, "audrey");
  for (let i = 0; i < 50; i++) await at.approve(approvalId, "audrey", { digest: "sha256:old" as Digest });
  expect(await codesOf(at)).toEqual([
    ["audrey", "LEEWAY_NOT_A_REVIEWER"],
    ["audrey", "LEEWAY_DIGEST_MISMATCH"],
  ]);
  at.clock.advance(MINUTE_MS);
  for (let i = 0; i < 50; i++) await at.approve(approvalId, "audrey");
  expect(await codesOf(at)).toHaveLength(3);
});

test("repeated refused answers under ever new names are recorded at most twenty times a minute for one question", async () => {
  const at = await office();
  const { approvalId } = await at.submit("refund");
  for (let i = 0; i < 60; i++) await at.approve(approvalId, `nobody-${i}${"x".repeat(100_000)}`);
  const found = await refusals(at, "review.refused");
  expect(found).toHaveLength(20);
  expect(JSON.stringify(found).length).toBeLessThan(50_000);
  expect((await at.approve(approvalId, "ana")).ok).toBe(true);
});

test("a call id that is used for another call, or whose outcome is unknown, is recorded once a minute", async () => {
  const at = await office();
  await at.submit("lookup", { id: 1 }, { callId: "c1" });
  for (let i = 0; i < 5; i++) await at.submit("lookup", { id: 2 }, { callId: "c1" });
  at.clock.advance(HOUR_MS);
  for (let i = 0; i < 5; i++) await at.submit("lookup", { id: 1 }, { callId: "c1" });
  const refused = await refusals(at, "call.refused");
  const { id, traceId } = (await at.rows("calls"))[0] ?? {};
  expect(refused.map(({ body }) => body?.["code"])).toEqual(["LEEWAY_CALL_RUNNING", "LEEWAY_OUTCOME_UNKNOWN"]);
  expect(inEnglish(refused[0])).toEqual({
    actor: "agent:coder",
    subject: {
      agent: "coder",
      call: id,
      execution: expect.stringMatching(/^exe_/),
      tool: "lookup",
      trace: traceId,
    },
    body: {
      callId: "c1",
      code: "LEEWAY_CALL_RUNNING",
      digest: expect.stringMatching(/^sha256:/),
      reason: "a call with this id is already running with other arguments",
    },
  });
});

test("the receipt of a refused call has its index in the ledger if an entry was written", async () => {
  const at = await office();
  await at.submit("lookup", { id: 1 }, { callId: "c1" });
  const first = await at.submit("lookup", { id: 2 }, { callId: "c1" });
  const again = await at.submit("lookup", { id: 2 }, { callId: "c1" });
  const head = await at.deps.store.read({ ask: "head", workspace: "default" });
  expect([first.code, first.ledgerIndex, again.code, again.ledgerIndex]).toEqual([
    "LEEWAY_CALL_RUNNING",
    head.index,
    "LEEWAY_CALL_RUNNING",
    undefined,
  ]);
});

test("an agent never has more than twenty open questions, however many calls arrive at the same time", async () => {
  const at = await office();
  const ask = (first: number) =>
    Promise.all(Array.from({ length: 45 }, (_, i) => at.submit("refund", { n: first + i })));
  const pending = async () => (await at.rows("approvals")).filter((row) => row.state === "pending");
  const first = await ask(0);
  expect(countBy(first.map(({ code, outcome }) => code ?? outcome))).toEqual({ pending: 20, LEEWAY_BACKPRESSURE: 25 });
  const open = await pending();
  expect(open).toHaveLength(20);
  const [one, two, three, four, five] = open.map((row) => row.id);
  await at.approve(one);
  await at.deny(two);
  await cancel(at.deps, three ?? "", { by: "ana", assurance: "tty" });
  await edit(at.deps, four ?? "", {
    ...SMALL,
    by: "ana",
    verdict: "approve",
    digest: (await at.approval(four)).digest,
    args: { n: -1 },
  });
  await at.submit("refund", { n: -2 }, { callId: (await at.callRow((await at.approval(five)).call)).callId });
  expect(countBy((await ask(100)).map(({ code, outcome }) => code ?? outcome))).toEqual({
    pending: 4,
    LEEWAY_BACKPRESSURE: 41,
  });
  at.clock.advance(HOUR_MS);
  await tick(at.deps);
  expect(await pending()).toEqual([]);
  expect(countBy((await ask(200)).map(({ code, outcome }) => code ?? outcome))).toEqual({
    pending: 20,
    LEEWAY_BACKPRESSURE: 25,
  });
});

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

test("a session can be ended only by its own agent or by a known person", async () => {
  const at = await office();
  await at.submit("refund", {}, { session: "s1" });
  const end = (by: string, agent?: string) =>
    endSession(at.deps, { session: "s1", by, ...(agent === undefined ? {} : { agent }) });
  for (const by of ["nobody", "audrey", "shop"]) expect(await end(by)).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect(await end("nobody", "coder")).toMatchObject({ code: "LEEWAY_FORBIDDEN" });
  expect(inEnglish(await end("shop", "shop"))).toMatchObject({
    code: "LEEWAY_NOT_FOUND",
    reason: "shop has no session s1",
  });
  expect(await end("coder", "coder")).toMatchObject({ ok: true, value: { approvals: 1 } });
  expect(await end("ben")).toMatchObject({ ok: true });
});
