import fc from "fast-check";
import { expect, test } from "vitest";
import type { Approval } from "../../src/core/approval.ts";
import type { Refused } from "../../src/core/codes.ts";
import { textOf } from "../../src/core/messages/text.ts";
import { HANDOVERS_MAX, REPLIES_MAX } from "../../src/core/steps/triage.ts";
import { edit } from "../../src/gate/approvals/edit.ts";
import { handOver, reply, snooze } from "../../src/gate/approvals/triage.ts";
import { wait } from "../../src/gate/calls/wait.ts";
import { countWaiting } from "../../src/gate/counts.ts";
import { verifyLedger } from "../../src/gate/record/ledger.ts";
import { setPause } from "../../src/gate/standing/pause.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { HOUR_MS, MINUTE_MS, type Office, office, POLICY } from "./kit.ts";

// What somebody who may answer a question can do with it instead of answering.

const LEADS = `${POLICY}\nagents: { coder: { reviewers: [group:leads] } }`;
const sure = { assurance: "tty" } as const;

async function asked(text = LEADS): Promise<Office & { id: string }> {
  const o = await office(text);
  const { approvalId = "" } = await o.submit("refund", { amount: 5 });
  return { ...o, id: approvalId };
}

function said(done: { ok: true } | Refused): string {
  return done.ok ? "ok" : `${done.code}: ${textOf(done.reason, "en")}; ${textOf(done.hint, "en")}`;
}

const words = (o: Office & { id: string }, by: string, text: string) => reply(o.deps, o.id, { by, ...sure, text });
const hand = (o: Office & { id: string }, by: string, to: string, note = "") =>
  handOver(o.deps, o.id, { by, ...sure, to, note });
const aside = (o: Office & { id: string }, by: string, until: string) => snooze(o.deps, o.id, { by, ...sure, until });

test("a reviewer writes to the agent; the question stays open, and the words are on it and in the record", async () => {
  const o = await asked();
  expect(said(await words(o, "ben", "  which customer?  "))).toBe("ok");
  const row = await o.approval(o.id);
  expect([row.state, row.reviews, row.replies]).toEqual([
    "pending",
    [],
    [{ by: "ben", text: "which customer?", atMs: o.clock.nowMs() }],
  ]);
  expect((await o.kinds()).at(-1)).toBe("approval.replied");
  expect((await o.approve(o.id, "ben")).ok).toBe(true);
});

test("a secret in the words is masked before they are kept", async () => {
  const o = await asked();
  await words(o, "ben", "use ghp_0123456789abcdefghijklmnopqrstuvwxyz");
  expect(JSON.stringify(await o.rows("approvals"))).not.toContain("ghp_0123456789");
});

test("a person who may not answer may not write, hand over or put aside either, and is told who may", async () => {
  const o = await asked();
  const no = `LEEWAY_NOT_A_REVIEWER: dan may not review ${o.id}; it is for group:leads`;
  expect(said(await words(o, "dan", "let me"))).toBe(no);
  expect(said(await hand(o, "dan", "ben"))).toBe(no);
  expect(said(await aside(o, "dan", "5m"))).toBe(no);
  const row = await o.approval(o.id);
  expect([row.replies, row.handed, row.snoozed]).toEqual([undefined, undefined, undefined]);
  expect((await o.kinds()).filter((kind) => kind === "review.refused")).toHaveLength(1);
});

test("a paused reviewer, who can only deny, can still write", async () => {
  const o = await asked();
  await setPause(o.deps, { scope: { of: "reviewer", name: "ben" }, because: "away", by: "ana", ...sure });
  expect(said(await words(o, "ben", "wait for cleo"))).toBe("ok");
});

test("a reply has 1 to 2,000 characters, the same words count once, and the number of replies is limited", async () => {
  const o = await asked();
  const empty = "LEEWAY_BAD_INPUT: a reply has 1 to 2,000 characters; write what the agent should know";
  expect(said(await words(o, "ben", "   "))).toBe(empty);
  expect(said(await words(o, "ben", "x".repeat(2001)))).toBe(empty);
  for (let n = 0; n < REPLIES_MAX; n++) {
    await words(o, "ben", `words ${n}`);
    await words(o, "ben", `words ${n}`);
  }
  expect((await o.approval(o.id)).replies).toHaveLength(REPLIES_MAX);
  expect(said(await words(o, "ben", "one more"))).toBe(
    `LEEWAY_BAD_INPUT: there are already ${REPLIES_MAX} replies to the agent about this question; approve or deny it`,
  );
});

test("nobody can write to the agent about a closed question", async () => {
  const o = await asked();
  await o.deny(o.id, "ben", "no");
  expect(said(await words(o, "cleo", "but why?"))).toMatch(/^LEEWAY_ALREADY_RESOLVED: .*denied by ben/);
});

test("a wait ends once for every reply, and each receipt contains all replies", async () => {
  const o = await asked();
  const waiting = wait(o.deps, o.id, { timeoutMs: 10 * MINUTE_MS });
  await words(o, "ben", "which customer?");
  const first = await waiting;
  const one = { by: "ben", text: "which customer?", atMs: o.clock.nowMs() };
  expect([first.outcome, first.replies, first.newReplies]).toEqual(["pending", [one], 1]);
  // This reply is written while nobody waits: the next wait ends at once, the one after it does not.
  await words(o, "cleo", "and why today?");
  const second = await wait(o.deps, o.id, { timeoutMs: 10 * MINUTE_MS });
  expect([second.replies?.map(({ text }) => text), second.newReplies]).toEqual([
    ["which customer?", "and why today?"],
    1,
  ]);
  const stop = new AbortController();
  const third = wait(o.deps, o.id, { timeoutMs: 10 * MINUTE_MS, signal: stop.signal });
  stop.abort();
  expect([(await third).replies?.length, (await third).newReplies]).toEqual([2, undefined]);
});

test("everybody who waits when a reply comes gets it, except a caller that only watches", async () => {
  const o = await asked();
  const how = { timeoutMs: 10 * MINUTE_MS };
  const stop = new AbortController();
  const looking = wait(o.deps, o.id, { ...how, signal: stop.signal, looksOn: true });
  const waiting = [wait(o.deps, o.id, how), wait(o.deps, o.id, how)];
  await words(o, "ben", "which customer?");
  expect((await Promise.all(waiting)).map(({ newReplies }) => newReplies)).toEqual([1, 1]);
  stop.abort();
  expect((await looking).newReplies).toBeUndefined();
});

test("the same call, sent again, gets the replies with its receipt", async () => {
  const o = await asked();
  await words(o, "ben", "which customer?");
  const again = await o.submit("refund", { amount: 5 });
  expect([again.outcome, again.approvalId, again.replies?.map(({ text }) => text)]).toEqual([
    "pending",
    o.id,
    ["which customer?"],
  ]);
});

test("a person to whom a question is handed gets a notice that says who asks and why, and the question shows it", async () => {
  const o = await asked();
  expect(said(await hand(o, "ben", "cleo", "you know them"))).toBe("ok");
  expect((await o.approval(o.id)).handed).toEqual([
    { by: "ben", to: "cleo", note: "you know them", atMs: o.clock.nowMs() },
  ]);
  const told = (await o.notices("pending")).filter(({ text }) => typeof text !== "string");
  expect(told.map(({ to, text, ref }) => [to, textOf(text, "en"), ref])).toEqual([
    ["cleo", "ben asks you to answer it: you know them", o.id],
  ]);
  expect((await o.kinds()).at(-1)).toBe("approval.handed");
});

test("a question cannot be handed to somebody who may not answer it, and the refusal names who may", async () => {
  const o = await asked();
  expect(said(await hand(o, "ben", "dan"))).toBe(
    `LEEWAY_NOT_A_REVIEWER: dan may not review ${o.id}; it can be handed to: cleo`,
  );
  expect(said(await hand(o, "ben", "audrey"))).toContain("it can be handed to: cleo");
  expect(said(await hand(o, "ben", "ben"))).toContain("it can be handed to: cleo");
  const none = await asked(`${POLICY}\nagents: { coder: { reviewers: [ben] } }`);
  expect(said(await hand(none, "ben", "cleo"))).toContain("nobody else may answer it");
});

test("the number of handovers of a question is limited", async () => {
  const o = await asked();
  for (let n = 0; n < HANDOVERS_MAX; n++) await hand(o, n % 2 === 0 ? "ben" : "cleo", n % 2 === 0 ? "cleo" : "ben");
  expect(said(await hand(o, "ben", "cleo", "again"))).toMatch(
    /^LEEWAY_BAD_INPUT: this question was already handed over/,
  );
});

test("a question that a person puts aside is not in their count until then, and then only they are reminded", async () => {
  const o = await asked();
  expect(said(await aside(o, "ben", "10m"))).toBe("ok");
  expect([await countWaiting(o.deps, "ben"), await countWaiting(o.deps, "cleo")]).toEqual([0, 1]);
  const entries = (await o.kinds()).length;
  await o.clock.advance(10 * MINUTE_MS);
  expect(await tick(o.deps)).toMatchObject({ reminded: 1 });
  expect([await countWaiting(o.deps, "ben"), await countWaiting(o.deps, "cleo")]).toEqual([1, 1]);
  const told = await o.notices("reminder");
  expect(told.map(({ to, text }) => [to, typeof text === "string" ? text : textOf(text, "en")])).toEqual([
    ["ben", "you put this aside until now"],
  ]);
  expect((await o.approval(o.id)).snoozed).toBeUndefined();
  // No entry records it.
  expect((await o.kinds()).length).toBe(entries);
});

test("a person who put the question aside gets no general reminder, but one at the time they chose", async () => {
  const o = await asked();
  await aside(o, "ben", "45m");
  await o.clock.advance(31 * MINUTE_MS);
  await tick(o.deps);
  expect((await o.notices("reminder")).map(({ to }) => to)).toEqual(["cleo"]);
  await o.clock.advance(15 * MINUTE_MS);
  await tick(o.deps);
  expect((await o.notices("reminder")).map(({ to }) => to)).toEqual(["cleo", "ben"]);
});

test("a question cannot be put aside past its deadline, nor until a time that is over", async () => {
  const o = await asked();
  const { answerByMs } = await o.approval(o.id);
  const until = new Date(answerByMs).toISOString().slice(0, 16).replace("T", " ");
  const late = `LEEWAY_BAD_INPUT: the question must be answered before ${until} UTC; choose a time before that, or answer it`;
  expect(said(await aside(o, "ben", "1h"))).toBe(late);
  expect(said(await aside(o, "ben", "2d"))).toBe(late);
  const past = new Date(o.clock.nowMs() - 1000).toISOString();
  expect(said(await aside(o, "ben", past))).toBe(
    "LEEWAY_BAD_INPUT: this time is already over; give a time in the future",
  );
  expect(said(await aside(o, "ben", "later"))).toMatch(/^LEEWAY_BAD_INPUT: `later` is not a time/);
});

test("a question can be taken back earlier, and comes back when it is handed to the person who put it aside", async () => {
  const o = await asked();
  await aside(o, "ben", "30m");
  await aside(o, "ben", "20m");
  expect((await o.approval(o.id)).snoozed).toHaveLength(1);
  await aside(o, "ben", "now");
  expect(await countWaiting(o.deps, "ben")).toBe(1);
  await aside(o, "ben", "30m");
  await hand(o, "cleo", "ben");
  expect(await countWaiting(o.deps, "ben")).toBe(1);
});

test("nobody is reminded of an answered question, even if they had put it aside", async () => {
  const o = await asked();
  await aside(o, "ben", "10m");
  await o.approve(o.id, "cleo");
  await o.clock.advance(20 * MINUTE_MS);
  await tick(o.deps);
  expect(await o.notices("reminder")).toEqual([]);
});

test("an edit that leaves the question open keeps what was written to the agent", async () => {
  const o = await office(LEADS.replace("expires: 1h", "expires: 1h, quorum: 2"));
  const { approvalId: id = "" } = await o.submit("refund", { amount: 5 }, {}, { waits: true });
  const q = { ...o, id };
  await words(q, "ben", "half of it");
  const { digest } = await o.approval(id);
  const given = { by: "ben", verdict: "approve", digest, note: "", bulk: false, ...sure, args: { amount: 2 } } as const;
  const edited = await edit(o.deps, id, given);
  if (!edited.ok) throw new Error(said(edited));
  expect([edited.value.state, edited.value.replies?.map(({ text }) => text)]).toEqual(["pending", ["half of it"]]);
});

/** What no reply, handover or snooze may change. */
function ruleOf(row: Approval) {
  const { quorum, reviewers, digest, answerByMs, escalate, selfReview, assurance, needsHuman, reviews, state } = row;
  return { quorum, reviewers, digest, answerByMs, escalate, selfReview, assurance, needsHuman, reviews, state };
}

const person = fc.constantFrom("ana", "ben", "cleo", "dan", "audrey", "nobody");
const act = fc.oneof(
  fc.record({ do: fc.constant("reply" as const), by: person, text: fc.string({ maxLength: 40 }) }),
  fc.record({ do: fc.constant("hand" as const), by: person, to: person, note: fc.string({ maxLength: 10 }) }),
  fc.record({ do: fc.constant("aside" as const), by: person, until: fc.constantFrom("1m", "20m", "2h", "now", "x") }),
  fc.record({ do: fc.constant("time" as const), by: person, ms: fc.integer({ min: 1, max: 12 * MINUTE_MS }) }),
);

test("whatever is written, handed over and put aside, who may answer, the quorum, the digest and the deadline stay, and the rows verify", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const o = await asked();
      const rule = ruleOf(await o.approval(o.id));
      const startMs = o.clock.nowMs();
      for (const one of acts) {
        if (one.do === "reply") await words(o, one.by, one.text);
        if (one.do === "hand") await hand(o, one.by, one.to, one.note);
        if (one.do === "aside") await aside(o, one.by, one.until);
        if (one.do === "time" && o.clock.nowMs() + one.ms < startMs + HOUR_MS) await o.clock.advance(one.ms);
        await tick(o.deps);
        expect(ruleOf(await o.approval(o.id))).toEqual(rule);
      }
      expect(await verifyLedger(o.deps)).toMatchObject({ ok: true });
      expect((await o.approve(o.id, "dan")).ok).toBe(false);
      expect((await o.approve(o.id, "cleo")).ok).toBe(true);
    }),
    { numRuns: 60 },
  );
});
