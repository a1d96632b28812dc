import { expect, test } from "vitest";
import type { Approval } from "../../src/core/approval.ts";
import type { Decision } from "../../src/core/decision.ts";
import { type Execution, isReady, LEASE_MS } from "../../src/core/execution.ts";
import type { Mint } from "../../src/core/ids.ts";
import { cancel, expire } from "../../src/core/steps/closing.ts";
import type { Circle } from "../../src/core/steps/quorum.ts";
import { type Approved, askedNow, missingFor, reopen } from "../../src/core/steps/reopening.ts";
import { review } from "../../src/core/steps/reviewing.ts";
import { claim, lapse, settle, voidIt } from "../../src/core/steps/running.ts";
import { person, question } from "../fixtures/rows.ts";

// P1: every interleaving of two reviewers, two workers, expiry, policies that deny or need one more person, a withdrawal
// and crashes, over the real transitions. Two workers hold what they read before either writes, so every race of versions is included.

const HOUR_MS = 3_600_000;
const mint: Mint = { next: (kind) => `${kind}_1` as const, salt: () => "00" };
const CIRCLE: Circle = { people: [person("ana"), person("ben")], pausedReviewers: [], channels: [] };

/** Coarse time: open; the question has expired; the lease has expired; the permit has expired; everything reopened has expired. */
const TIMES = [0, HOUR_MS, HOUR_MS + LEASE_MS, 3 * HOUR_MS, 9 * HOUR_MS] as const;

type Worker = { is: "idle" } | { is: "read"; version: number } | { is: "acting" } | { is: "acted" } | { is: "gone" };
type World = {
  approval: Approval;
  version: number;
  execution?: Execution;
  executionVersion: number;
  time: number;
  denies: boolean;
  /** The policy in force needs two people instead of one. */
  strict: boolean;
  workers: readonly [Worker, Worker];
  starts: number;
  /** How many approvals the started call had, and how many the policy required then. */
  startedWith?: { yeses: number; wanted: number };
};

const START: World = {
  approval: question("1", { openedMs: 0, answerByMs: HOUR_MS, permitMs: 2 * HOUR_MS, quorum: 1 }),
  version: 1,
  executionVersion: 0,
  time: 0,
  denies: false,
  strict: false,
  workers: [{ is: "idle" }, { is: "idle" }],
  starts: 0,
};

test("P1: in every interleaving the effect starts at most once, only with the approvals that the policy then requires, and never after it was void", () => {
  const seen = new Map<string, World>([[keyOf(START), START]]);
  const queue = [START];
  for (let world = queue.shift(); world !== undefined; world = queue.shift()) {
    for (const next of steps(world)) {
      check(next);
      const key = keyOf(next);
      if (seen.has(key)) continue;
      seen.set(key, next);
      queue.push(next);
    }
  }
  const ends = [...seen.values()].filter((world) => steps(world).length === 0);
  expect(seen.size).toBeGreaterThan(200);
  expect(new Set(ends.map((world) => world.approval.state))).toEqual(
    new Set(["approved", "denied", "expired", "cancelled"]),
  );
  expect(new Set(ends.flatMap((world) => world.execution?.state ?? []))).toEqual(
    new Set(["succeeded", "unknown", "void"]),
  );
});

function check(world: World): void {
  expect(world.starts).toBeLessThanOrEqual(1);
  if (world.starts > 0) expect(world.approval.state).toBe("approved");
  if (world.startedWith !== undefined) {
    expect(world.startedWith.yeses).toBeGreaterThanOrEqual(world.startedWith.wanted);
  }
  if (world.execution?.state === "void") expect(world.starts).toBe(0);
  if (world.execution?.state === "succeeded" || world.execution?.state === "unknown")
    expect(world.execution.attempts).toBe(1);
}

function steps(world: World): World[] {
  const found: World[] = [];
  for (const by of ["ana", "ben"]) {
    for (const verdict of ["approve", "deny"] as const) found.push(...answered(world, by, verdict));
  }
  found.push(...withdrawn(world), ...timePassed(world), ...swept(world), ...worked(world, 0), ...worked(world, 1));
  if (!world.denies) found.push({ ...world, denies: true });
  if (!world.strict) found.push({ ...world, strict: true });
  return found;
}

function answered(world: World, by: string, verdict: "approve" | "deny"): World[] {
  const answer = { by, verdict, digest: world.approval.digest, note: "", assurance: "tty", bulk: false } as const;
  const step = review({ row: world.approval, version: world.version }, answer, CIRCLE, mint, nowOf(world));
  if (!step.ok) return [];
  const executionVersion = world.executionVersion + 1;
  const made = step.execution === undefined ? {} : { execution: step.execution, executionVersion };
  return [{ ...world, approval: step.approval, version: world.version + 1, ...made }];
}

function withdrawn(world: World): World[] {
  const held = { row: world.approval, version: world.version };
  const step = cancel(held, { name: "ana", actor: "person:ana" }, CIRCLE, mint, nowOf(world));
  if (step.ok) return [{ ...world, approval: step.approval, version: world.version + 1 }];
  return world.execution === undefined ? [] : voided(world, world.execution, "cancelled");
}

function voided(world: World, row: Execution, why: string): World[] {
  const step = voidIt({ row, version: world.executionVersion }, { why, actor: "leeway" }, mint, nowOf(world));
  return step.ok ? [{ ...world, execution: step.execution, executionVersion: world.executionVersion + 1 }] : [];
}

function timePassed(world: World): World[] {
  return world.time === TIMES.length - 1 ? [] : [{ ...world, time: world.time + 1 }];
}

function swept(world: World): World[] {
  const found: World[] = [];
  const closed = expire({ row: world.approval, version: world.version }, CIRCLE, mint, nowOf(world));
  if (closed.ok) found.push({ ...world, approval: closed.approval, version: world.version + 1 });
  if (world.execution === undefined) return found;
  const lapsed = lapse({ row: world.execution, version: world.executionVersion }, CIRCLE, mint, nowOf(world));
  if (lapsed.ok) found.push({ ...world, execution: lapsed.execution, executionVersion: world.executionVersion + 1 });
  if (world.execution.state === "ready" && nowOf(world) >= world.execution.runUntilMs) {
    found.push(...voided(world, world.execution, "not run in time"));
  }
  return found;
}

/** Reads, claims what it read, runs, settles; and may be killed after any of these. */
function worked(world: World, at: 0 | 1): World[] {
  const worker = world.workers[at];
  const turn = (next: Worker, more: Partial<World> = {}): World => {
    const workers: [Worker, Worker] = at === 0 ? [next, world.workers[1]] : [world.workers[0], next];
    return { ...world, ...more, workers };
  };
  const row = world.execution;
  switch (worker.is) {
    case "gone":
    case "acted":
      return [];
    case "idle":
      return row === undefined ? [] : [turn({ is: "read", version: world.executionVersion })];
    case "read":
      return [turn({ is: "gone" }), ...claimed(world, worker.version, turn)];
    case "acting": {
      if (row === undefined || !("attempt" in row)) return [turn({ is: "gone" })];
      const held = { row, version: world.executionVersion };
      const step = settle(held, { attempt: row.attempt, ending: { ok: true }, by: "caller" }, mint, nowOf(world));
      const done = step.ok
        ? [turn({ is: "acted" }, { execution: step.execution, executionVersion: held.version + 1 })]
        : [];
      return [turn({ is: "gone" }), ...done];
    }
  }
}

function claimed(world: World, read: number, turn: (next: Worker, more?: Partial<World>) => World): World[] {
  const row = world.execution;
  // What was read has changed: the Change is stale and has no effect.
  if (row === undefined || read !== world.executionVersion) return [turn({ is: "idle" })];
  if (world.denies) return voided(world, row, "the policy now says deny");
  const again = reopened(world, row);
  if (again.length > 0) return again;
  const by = { owner: "w", side: "caller", actor: "agent:coder", handed: false } as const;
  const reservation = { needs: [], writes: [], reserved: [] };
  const step = claim({ row, version: read }, { ...by, reservation }, mint, nowOf(world));
  if (!step.ok) return [turn({ is: "gone" })];
  const executionVersion = read + 1;
  const yeses = new Set(world.approval.reviews.map((given) => given.by)).size;
  const startedWith = { yeses, wanted: world.strict ? 2 : 1 };
  const starts = world.starts + 1;
  return [turn({ is: "acting" }, { execution: step.execution, executionVersion, starts, startedWith })];
}

/** What the policy in force requires, as far as an answered question depends on it. */
function decisionIn({ strict, approval }: World): Decision {
  const { tier, needsHuman, policyVersion, permitMs, reviewers, selfReview, assurance } = approval;
  const asking = { quorum: strict ? 2 : 1, expiresMs: HOUR_MS, permitMs, reviewers, selfReview, assurance };
  return { tier, outcome: "run", needsHuman, policyVersion, asking, causes: [], considered: [], limits: [] };
}

/** An approval that is not enough under the policy in force becomes a question again. */
function reopened(world: World, row: Execution): World[] {
  if (!isReady(row, nowOf(world)) || world.approval.state !== "approved") return [];
  const question = askedNow(world.approval as Approved, decisionIn(world), nowOf(world));
  const why = missingFor(question, CIRCLE);
  if (why === undefined) return [];
  const asked = { row: world.approval, version: world.version };
  const held = { row, version: world.executionVersion };
  const piece = reopen(asked, held, { question, why, circle: CIRCLE }, mint, nowOf(world));
  expect(piece?.entries?.map(({ kind }) => kind)).toEqual(["execution.void", "approval.reopened"]);
  const execution: Execution = { ...row, state: "void", atMs: nowOf(world), why } as Execution;
  const versions = { version: asked.version + 1, executionVersion: held.version + 1 };
  return [{ ...world, approval: question, execution, ...versions }];
}

function nowOf(world: World): number {
  return TIMES[world.time] ?? 0;
}

/** Versions only matter in relation to what a worker has read. */
function keyOf(world: World): string {
  const { approval, execution, time, denies, strict, workers, starts, startedWith, executionVersion } = world;
  const reviews = approval.reviews.map((given) => `${given.by}${given.verdict}`).sort();
  const held = workers.map((one) => (one.is === "read" ? one.version - executionVersion : one.is)).sort();
  const lease = execution?.state === "claimed" ? execution.leaseUntilMs : 0;
  return JSON.stringify([
    approval.state,
    reviews,
    execution?.state,
    execution?.runUntilMs,
    lease,
    time,
    denies,
    strict,
    startedWith,
    approval.answerByMs,
    approval.quorum,
    held,
    starts,
  ]);
}
