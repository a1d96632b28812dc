import { expect, test } from "vitest";
import { person, question } from "../../../test/fixtures/rows.ts";
import type { Approval } from "../approval.ts";
import { INBOX } from "../channel.ts";
import type { Mint } from "../ids.ts";
import { cancel, expire, nudge, supersede } from "./closing.ts";
import type { Circle } from "./quorum.ts";
import { review } from "./reviewing.ts";

const NOW = 1_000_000;
const mint: Mint = { next: (kind) => `${kind}_new` as const, salt: () => "00" };
const CIRCLE: Circle = { people: [person("ana")], pausedReviewers: [], channels: [INBOX] };

const PENDING = question("1", {
  openedMs: NOW,
  answerByMs: NOW + 1000,
  escalate: { atMs: NOW + 100, to: ["ben"], done: false },
  remind: { atMs: NOW + 500, done: false },
});
const STATES: readonly Approval[] = [
  PENDING,
  { ...PENDING, state: "approved", atMs: NOW, executionId: "exe_1" },
  { ...PENDING, state: "denied", atMs: NOW, by: "ana", note: "" },
  { ...PENDING, state: "expired", atMs: NOW },
  { ...PENDING, state: "cancelled", atMs: NOW, by: "ana" },
  { ...PENDING, state: "superseded", atMs: NOW },
];

const answer = { by: "ana", digest: PENDING.digest, note: "", assurance: "tty", bulk: false } as const;
type Step = (row: Approval, nowMs: number) => { ok: boolean; approval?: Approval };
const STEPS: Record<string, Step> = {
  approve: (row, nowMs) => review({ row, version: 1 }, { ...answer, verdict: "approve" }, CIRCLE, mint, nowMs),
  deny: (row, nowMs) => review({ row, version: 1 }, { ...answer, verdict: "deny" }, CIRCLE, mint, nowMs),
  cancel: (row, nowMs) => cancel({ row, version: 1 }, { name: "ana", actor: "person:ana" }, CIRCLE, mint, nowMs),
  expire: (row, nowMs) => expire({ row, version: 1 }, CIRCLE, mint, nowMs),
  nudge: (row, nowMs) => nudge({ row, version: 1 }, CIRCLE, mint, nowMs),
};

/** In time, and after the deadline: what a pending question becomes; other states never change. */
const TABLE: Record<string, [string, string]> = {
  approve: ["approved", "refused"],
  deny: ["denied", "refused"],
  cancel: ["cancelled", "refused"],
  expire: ["refused", "expired"],
  nudge: ["refused", "refused"],
};

for (const [name, step] of Object.entries(STEPS)) {
  test(`${name} changes a pending question as the table says, and is refused for every other state`, () => {
    for (const [late, nowMs] of [
      [0, NOW],
      [1, NOW + 1000],
    ] as const) {
      const reached = STATES.map((row) => {
        const done = step(row, nowMs);
        return done.ok ? done.approval?.state : "refused";
      });
      expect(reached).toEqual([TABLE[name]?.[late], ...Array(5).fill("refused")]);
    }
  });
}

test("when its time comes, a pending question is escalated once, and then its reviewers are reminded once", () => {
  const widened = nudge({ row: PENDING, version: 1 }, CIRCLE, mint, NOW + 500);
  expect(widened).toMatchObject({ ok: true, approval: { escalate: { done: true }, remind: { done: false } } });
  const reminded = widened.ok ? nudge({ row: widened.approval, version: 2 }, CIRCLE, mint, NOW + 500) : widened;
  expect(reminded).toMatchObject({ ok: true, approval: { escalate: { done: true }, remind: { done: true } } });
  expect(reminded.ok && nudge({ row: reminded.approval, version: 3 }, CIRCLE, mint, NOW + 500).ok).toBe(false);
});

test("a superseded question names the question that replaces it", () => {
  const piece = supersede({ row: PENDING, version: 7 }, "apr_2", { actor: "leeway", circle: CIRCLE }, mint, NOW);
  expect(piece.needs).toEqual([{ is: "version", ref: { table: "approvals", id: "apr_1" }, version: 7 }]);
  expect(piece.writes).toMatchObject([
    { row: { state: "superseded", to: "apr_2" } },
    { do: "add", counter: "pending:coder", by: -1 },
  ]);
});

test("the execution of an approval says who approved, for which digest, and until when", () => {
  const done = review({ row: PENDING, version: 1 }, { ...answer, verdict: "approve" }, CIRCLE, mint, NOW);
  expect(done).toMatchObject({
    execution: { state: "ready", approvers: ["ana"], digest: PENDING.digest, runUntilMs: NOW + 1000, attempts: 0 },
  });
});
