import { expect, test } from "vitest";
import { INBOX } from "../channel.ts";
import { type Execution, type ExecutionState, LEASE_MS, type Right } from "../execution.ts";
import type { Mint } from "../ids.ts";
import { say } from "../messages/message.ts";
import type { Circle } from "./quorum.ts";
import {
  claim,
  lapse,
  prompted,
  reconcile,
  release,
  renew,
  type Stepped,
  settle,
  takeBack,
  voidIt,
} from "./running.ts";

const NOW = 1_000_000;
const CIRCLE: Circle = { people: [], pausedReviewers: [], channels: [INBOX] };
const NONE = { needs: [], writes: [], reserved: [] };
const mint: Mint = { next: (kind) => `${kind}_new` as const, salt: () => "00" };

const RIGHT: Right = {
  id: "exe_1",
  workspace: "w",
  call: "call_1",
  approval: "apr_1",
  approvedInBulk: false,
  agent: "coder",
  tool: "refund",
  class: "db.write",
  tier: "ask",
  needsHuman: false,
  approvers: ["ana"],
  traceId: "trace_1",
  digest: "sha256:d",
  runBy: "caller",
  idempotent: false,
  attempts: 0,
  runUntilMs: NOW + 60_000,
};
const SETTLED = { attempt: "att_1", settledMs: NOW, settledBy: "caller", delivered: true } as const;

const STATES: Record<ExecutionState, Execution> = {
  ready: { ...RIGHT, state: "ready", readyMs: NOW },
  claimed: {
    ...RIGHT,
    attempts: 1,
    state: "claimed",
    attempt: "att_1",
    owner: "p1",
    claimedMs: NOW,
    leaseUntilMs: NOW + LEASE_MS,
  },
  handed: { ...RIGHT, attempts: 1, state: "handed", attempt: "att_1", handedMs: NOW },
  succeeded: { ...RIGHT, attempts: 1, state: "succeeded", ...SETTLED },
  failed: { ...RIGHT, attempts: 1, state: "failed", error: "no", ...SETTLED },
  unknown: { ...RIGHT, attempts: 1, state: "unknown", attempt: "att_1", sinceMs: NOW },
  void: { ...RIGHT, state: "void", atMs: NOW, why: "expired" },
};

const by = { owner: "p1", side: "caller", actor: "agent:coder", reservation: NONE } as const;
const STEPS: Record<string, (row: Execution) => Stepped> = {
  claim: (row) => claim({ row, version: 1 }, { ...by, handed: false }, mint, NOW),
  hand: (row) => claim({ row, version: 1 }, { ...by, handed: true }, mint, NOW),
  prompt: (row) => prompted({ row, version: 1 }, mint),
  renew: (row) => renew({ row, version: 1 }, "att_1", NOW),
  succeed: (row) => settle({ row, version: 1 }, { attempt: "att_1", ending: { ok: true }, by: "caller" }, mint, NOW),
  fail: (row) =>
    settle({ row, version: 1 }, { attempt: "att_1", ending: { ok: false, error: "no" }, by: "caller" }, mint, NOW),
  release: (row) => release({ row, version: 1 }, "att_1", "no network", mint, NOW),
  takeBack: (row) => takeBack({ row, version: 1 }, "att_1", say("reason.start_refused"), mint, NOW),
  lapse: (row) => lapse({ row, version: 1 }, CIRCLE, mint, NOW + LEASE_MS),
  reconcile: (row) => reconcile({ row, version: 1 }, { by: "ana", ok: true, note: "seen" }, mint, NOW),
  void: (row) => voidIt({ row, version: 1 }, { why: "gone", actor: "leeway" }, mint, NOW),
};

/** Every step from every state: the next state, or undefined if it is refused. */
const TABLE: Record<keyof typeof STEPS, Partial<Record<ExecutionState, ExecutionState>>> = {
  claim: { ready: "claimed" },
  hand: { ready: "handed" },
  prompt: { handed: "handed" },
  renew: { claimed: "claimed" },
  succeed: { claimed: "succeeded", handed: "succeeded", unknown: "succeeded" },
  fail: { claimed: "failed", handed: "failed", unknown: "failed" },
  release: { claimed: "ready" },
  takeBack: { claimed: "ready", handed: "ready" },
  lapse: { claimed: "unknown" },
  reconcile: { unknown: "succeeded" },
  void: { ready: "void" },
};

for (const [name, step] of Object.entries(STEPS)) {
  test(`${name} leads from every state to the one in the table, and is refused in all other states`, () => {
    const reached = Object.entries(STATES).map(([state, row]) => {
      const done = step(row);
      return [state, done.ok ? done.execution.state : undefined];
    });
    const wanted = Object.keys(STATES).map((state) => [state, TABLE[name]?.[state as ExecutionState]]);
    expect(reached).toEqual(wanted);
  });
}

test("every step requires that the version it read is still the current one", () => {
  for (const [name, step] of Object.entries(STEPS)) {
    for (const row of Object.values(STATES)) {
      const done = step(row);
      if (!done.ok) continue;
      const [write] = (done.piece.writes ?? []).filter((one) => one.do === "step");
      expect([name, write]).toEqual([name, { do: "step", right: done.execution, from: 1 }]);
    }
  }
});

test("only the attempt that holds the execution can renew, settle or release it", () => {
  const held = { row: STATES.claimed, version: 1 };
  expect(renew(held, "att_2", NOW).ok).toBe(false);
  expect(release(held, "att_2", "", mint, NOW).ok).toBe(false);
  expect(settle(held, { attempt: "att_2", ending: { ok: true }, by: "caller" }, mint, NOW).ok).toBe(false);
});

test("an expired lease cannot be renewed, even before its expiry is recorded", () => {
  expect(renew({ row: STATES.claimed, version: 1 }, "att_1", NOW + LEASE_MS).ok).toBe(false);
});

test("only an idempotent tool is tried again after its lease expired, a limited number of times and for a limited time", () => {
  const claimed = STATES.claimed as Extract<Execution, { state: "claimed" }>;
  const late = { ...claimed, runUntilMs: NOW + 10 * 60_000 };
  const after = (row: Execution) => {
    const done = lapse({ row, version: 1 }, CIRCLE, mint, NOW + LEASE_MS);
    return done.ok ? done.execution.state : "refused";
  };
  expect(after({ ...late, idempotent: true })).toBe("ready");
  expect(after({ ...late, idempotent: true, attempts: 5 })).toBe("unknown");
  expect(after({ ...late, idempotent: true, runUntilMs: NOW + LEASE_MS })).toBe("unknown");
  expect(after(late)).toBe("unknown");
});

test("a reservation is given back if the call certainly did not start, and kept if nobody knows", () => {
  const reserved = [{ counter: "limit:a", by: 5, untilMs: 9 }];
  const claimed: Execution = { ...STATES.claimed, reserved } as Execution;
  const back = { do: "add", counter: "limit:a", by: -5, untilMs: 9 };
  const released = release({ row: claimed, version: 1 }, "att_1", "", mint, NOW);
  expect(released.ok && released.piece.writes).toContainEqual(back);
  const voided = voidIt(
    { row: { ...STATES.ready, reserved } as Execution, version: 1 },
    { why: "", actor: "leeway" },
    mint,
    NOW,
  );
  expect(voided.ok && voided.piece.writes).toContainEqual(back);
  const lapsed = lapse({ row: claimed, version: 1 }, CIRCLE, mint, NOW + LEASE_MS);
  expect(lapsed.ok && lapsed.piece.writes).not.toContainEqual(back);
});
