import { rootOf } from "../call.ts";
import { type Piece, put, unchanged } from "../change.ts";
import {
  attemptOf,
  bare,
  type Execution,
  type ExecutionIn,
  LEASE_MS,
  type Reserved,
  type Right,
} from "../execution.ts";
import type { CallId, Mint } from "../ids.ts";
import { usedRow } from "../record/row-hash.ts";
import type { Versioned } from "../rows.ts";
import { draft, subjectOfExecution } from "./draft.ts";
import { tellRan } from "./notices.ts";
import { reserveLimits, useGrant } from "./reserving.ts";
import type { Submission } from "./submission.ts";

export type Started = { row: Execution; pieces: readonly Piece[] };

/** Uses up the permit that the call came with. */
export function usePermit(s: Submission, permit: Versioned<"executions">, mint: Mint, nowMs: number): Started {
  const { needs, writes, reserved } = reserveLimits(s.decision.limits, true);
  const row = begin(keeping(bare(permit.row), reserved), s, mint, nowMs);
  const entry = draft(mint, {
    kind: s.handed ? "execution.handed" : "execution.claimed",
    actor: `agent:${row.agent}`,
    subject: subjectOfExecution(row),
    body: { attempt: attemptOf(row) },
    rows: [usedRow("executions", permit.row)],
  });
  return {
    row,
    pieces: [
      { needs: [unchanged("executions", row.id, permit.version)], writes: [put("executions", row)], entries: [entry] },
      { needs, writes },
    ],
  };
}

/** A call that may run now is born claimed by its caller, or ready where Leeway carries it out. */
export function startFresh(s: Submission, call: CallId, mint: Mint, nowMs: number): Started {
  const limits = reserveLimits(s.decision.limits, false);
  const grant = useGrant(s.decision, s.grantUsesMax, { agent: s.call.agent, call }, mint);
  const right = keeping(rightOf(s, call, mint, nowMs), [...limits.reserved, ...grant.reserved]);
  const row: Execution =
    s.runBy === "leeway" ? { state: "ready", readyMs: nowMs, ...right } : begin(right, s, mint, nowMs);
  const told =
    s.decision.tier === "notify"
      ? tellRan(s.circle, { to: s.circle.owner, ref: call, workspace: row.workspace, nowMs, about: row })
      : [];
  const { reserved: _, ...grantPiece } = grant;
  return {
    row,
    pieces: [{ writes: [put("executions", row), ...told] }, { needs: limits.needs, writes: limits.writes }, grantPiece],
  };
}

function keeping(right: Right, reserved: readonly Reserved[]): Right {
  return reserved.length === 0 ? right : { ...right, reserved };
}

function rightOf(s: Submission, call: CallId, mint: Mint, nowMs: number): Right {
  return {
    id: mint.next("exe"),
    workspace: s.call.workspace,
    call,
    approvedInBulk: false,
    agent: s.call.agent,
    ...(s.call.chain.length === 0 ? {} : { root: rootOf(s.call) }),
    ...(s.call.session === undefined ? {} : { session: s.call.session }),
    tool: s.call.tool,
    class: s.class,
    tier: s.decision.tier,
    needsHuman: false,
    approvers: [],
    ...(s.call.requestedBy === undefined ? {} : { requestedBy: s.call.requestedBy }),
    traceId: s.call.traceId,
    digest: s.digest,
    runBy: s.runBy,
    idempotent: s.idempotent,
    attempts: 0,
    runUntilMs: nowMs + s.decision.asking.permitMs,
  };
}

function begin(right: Right, s: Submission, mint: Mint, nowMs: number): ExecutionIn<"claimed"> | ExecutionIn<"handed"> {
  const attempt = mint.next("att");
  const attempts = right.attempts + 1;
  // What is new comes before what is copied: behind it every name costs a microsecond, more than deciding does.
  if (s.handed) return { state: "handed", attempt, handedMs: nowMs, ...right, attempts };
  const leaseUntilMs = nowMs + LEASE_MS;
  return { state: "claimed", attempt, owner: s.claimer, claimedMs: nowMs, leaseUntilMs, ...right, attempts };
}
