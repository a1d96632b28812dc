import { rootOf } from "../call.ts";
import type { Need, Piece, Write } from "../change.ts";
import type { LimitUse } from "../decision.ts";
import {
  attemptOf,
  bare,
  type Execution,
  type ExecutionIn,
  LEASE_MS,
  type Reserved,
  type Right,
} from "../execution.ts";
import type { AgentName, AttemptId, CallId, ExecutionId, GrantId, Mint } from "../ids.ts";
import { usedRow } from "../rows/row-hash.ts";
import type { Versioned } from "../rows/rows.ts";
import { bornNames, staysWithCall } from "../rows/stored-call.ts";
import { grantCounter } from "../standing/grant.ts";
import { isStricter } from "../tier.ts";
import { draft, subjectOfExecution } from "./draft.ts";
import { tellOnce, tellRan } from "./notices.ts";
import type { Submission } from "./submission-input.ts";

/** `born`: the execution is created with the call and stored with it. */
export type Started = { row: Execution; born: boolean; pieces: readonly Piece[] };

/** Uses the permit that the call came with. */
export function usePermit(s: Submission, permit: Versioned<"executions">, mint: Mint, nowMs: number): Started {
  // The permit stays as it is for the program that will start the call.
  if (s.startsLater) return { row: permit.row, born: false, pieces: [] };
  const { needs, writes, reserved } = reserveLimits(s.decision.limits, true);
  const right = bare(permit.row);
  if (reserved.length > 0) right.reserved = reserved;
  const row = begin(right, s, mint.next("att"), nowMs);
  const entry = draft(mint, {
    kind: s.handed ? "execution.handed" : "execution.claimed",
    actor: `agent:${row.agent}`,
    subject: subjectOfExecution(row),
    body: { attempt: attemptOf(row) },
    rows: [usedRow("executions", permit.row)],
  });
  const step = { do: "step" as const, right: row, from: permit.version };
  return {
    row,
    born: false,
    pieces: [
      { writes: [step], entries: [entry] },
      { needs, writes },
    ],
  };
}

/**
 * A call that may run now is created as claimed by its caller, or as ready if Leeway runs it or it starts later. `isNew`: the call has
 * no execution yet, so this one can be named after the call.
 */
export function startFresh(s: Submission, call: CallId, isNew: boolean, mint: Mint, nowMs: number): Started {
  const { decision } = s;
  const limits = decision.limits.length === 0 ? NOTHING_RESERVED : reserveLimits(decision.limits, false);
  const used = decision.grant;
  const grant =
    used === undefined ? NOTHING_RESERVED : useGrant(used, s.grantUsesMax, { agent: s.call.agent, call }, mint);
  const names = isNew ? bornNames(call) : { execution: mint.next("exe"), attempt: mint.next("att") };
  const reserved = grant.reserved.length === 0 ? limits.reserved : [...limits.reserved, ...grant.reserved];
  const right = rightOf(s, call, names.execution, nowMs);
  if (reserved.length > 0) right.reserved = reserved;
  const isReady = s.runBy === "leeway" || s.startsLater;
  const row: Execution = isReady ? { state: "ready", readyMs: nowMs, ...right } : begin(right, s, names.attempt, nowMs);
  const pieces: Piece[] = [];
  const born = isNew && staysWithCall(row);
  if (!born) pieces.push({ writes: [{ do: "step", right: row, from: 0 }] });
  if (decision.tier === "notify" && s.isTold !== true) {
    const told = { to: s.circle.owner, ref: call, workspace: row.workspace, nowMs, about: row };
    pieces.push({ writes: tellRan(s.circle, told) });
  }
  if (decision.limits.length > 0) pieces.push({ needs: limits.needs, writes: limits.writes });
  if (used !== undefined) {
    const { reserved: _, ...grantPiece } = grant;
    pieces.push(grantPiece);
  }
  return { row, born, pieces };
}

function rightOf(s: Submission, call: CallId, id: ExecutionId, nowMs: number): Right {
  const right: Right = {
    id,
    workspace: s.call.workspace,
    call,
    approvedInBulk: false,
    agent: s.call.agent,
    tool: s.call.tool,
    class: s.class,
    tier: s.decision.tier,
    needsHuman: false,
    approvers: [],
    traceId: s.call.traceId,
    digest: s.digest,
    runBy: s.runBy,
    idempotent: s.idempotent,
    attempts: 0,
    runUntilMs: nowMs + s.decision.asking.permitMs,
  };
  if (s.call.chain.length > 0) right.root = rootOf(s.call);
  if (s.call.session !== undefined) right.session = s.call.session;
  if (s.call.requestedBy !== undefined) right.requestedBy = s.call.requestedBy;
  return right;
}

function begin(
  right: Right,
  s: Submission,
  attempt: AttemptId,
  nowMs: number,
): ExecutionIn<"claimed"> | ExecutionIn<"handed"> {
  // The execution was created for this start and is not shared, so its state is added in place instead of copying.
  right.attempts += 1;
  if (s.handed) return Object.assign(right, { state: "handed" as const, attempt, handedMs: nowMs });
  const leaseUntilMs = nowMs + LEASE_MS;
  return Object.assign(right, { state: "claimed" as const, attempt, owner: s.claimer, claimedMs: nowMs, leaseUntilMs });
}

/** What a start uses of limits and grants, checked and counted in the same Change. */
export type Reservation = { needs: readonly Need[]; writes: readonly Write[]; reserved: readonly Reserved[] };

const NOTHING_RESERVED: Reservation = { needs: [], writes: [], reserved: [] };

/**
 * A review is enough for a limit that asks; a limit that refuses must have room. A call that runs despite a full
 * limit counts too.
 */
export function reserveLimits(limits: readonly LimitUse[], reviewed: boolean): Reservation {
  const binding = limits.filter((limit) => (reviewed ? isStricter(limit.then, "suggest") : !limit.reached));
  // What is spent was counted when the call was decided, and is never given back.
  const reserved = limits.filter(({ spent }) => spent !== true).map(countedIn);
  const addOf = ({ spent, addMicros }: LimitUse) => (spent === true && reviewed ? 0 : addMicros);
  return {
    needs: binding.map(
      (limit): Need => ({ is: "room", counters: limit.counters, add: addOf(limit), max: limit.maxMicros }),
    ),
    writes: reserved.map((one): Write => ({ do: "add", ...one })),
    reserved,
  };
}

function countedIn({ current, addMicros, untilMs }: LimitUse): Reserved {
  return { counter: current, by: addMicros, untilMs };
}

/** Counts what the host's model has used, whatever was decided about the call. */
export function spentPiece(limits: readonly LimitUse[]): Piece {
  const spent = limits.filter((limit) => limit.spent === true && limit.addMicros > 0);
  return { writes: spent.map((limit): Write => ({ do: "add", ...countedIn(limit) })) };
}

const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

/** One use of the grant that the decision depends on. */
function useGrant(
  grant: GrantId,
  usesMax: number | undefined,
  by: { agent: AgentName; call: CallId },
  mint: Mint,
): Piece & { reserved: readonly Reserved[] } {
  const counter = grantCounter(grant);
  return {
    needs: usesMax === undefined ? [] : [{ is: "room", counters: [counter], add: 1, max: usesMax }],
    writes: [{ do: "add", counter, by: 1, untilMs: FOR_EVER_MS }],
    entries: [draft(mint, { kind: "grant.used", actor: `agent:${by.agent}`, subject: { ...by, grant } })],
    reserved: [{ counter, by: 1, untilMs: FOR_EVER_MS }],
  };
}

/** The call certainly did not start, so what it reserved is given back. */
export function giveBack(reserved: readonly Reserved[] | undefined): Write[] {
  return (reserved ?? []).map((one) => ({ do: "add", counter: one.counter, by: -one.by, untilMs: one.untilMs }));
}

/** Reaching a limit is recorded each time, and the owner is told once per window. */
export function limitPiece(s: Submission, call: CallId, mint: Mint, nowMs: number): Piece {
  const reached = s.decision.limits.filter((limit) => limit.reached);
  if (reached.length === 0) return {};
  const { agent, tool, workspace } = s.call;
  const about = { agent, tool, class: s.class };
  return {
    entries: reached.map(({ name, then }) =>
      draft(mint, {
        kind: "limit.reached",
        actor: "leeway",
        subject: { agent, tool, class: s.class, call },
        body: { limit: name, then },
      }),
    ),
    writes: reached.flatMap(({ name }) =>
      tellOnce(s.circle, {
        kind: "limit",
        key: name,
        to: s.circle.owner,
        ref: call,
        workspace,
        nowMs,
        about,
        text: name,
      }),
    ),
  };
}
