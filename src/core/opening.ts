import type { Approval, Pending } from "./approval.ts";
import { type Piece, put, unchanged, type Write } from "./change.ts";
import { draft, subjectOfExecution } from "./draft.ts";
import { type Execution, type ExecutionIn, LEASE_MS, type Right } from "./execution.ts";
import { grantCounter } from "./grant.ts";
import type { ApprovalId, AttemptId, CallId, Mint } from "./ids.ts";
import { noticeOf, recipientsOf } from "./notices.ts";
import { type CallRow, liveKey } from "./rows.ts";
import type { Submission, Undecided } from "./submission.ts";

/** Over this many open questions the agent is told to wait: a flood must not bury the one that matters. */
export const PENDING_PER_AGENT_MAX = 20;

/** Opens the question about this call. What will judge it is frozen into it now. */
export function openApproval(s: Submission, recalled: Undecided, call: CallId, mint: Mint, nowMs: number) {
  const row = questionOf(s, recalled.round, call, mint, nowMs);
  const recipients = recipientsOf(row, s.owner);
  const piece: Piece = {
    needs: [{ is: "unique", table: "approvals", key: liveKey(row.agent, row.digest) }],
    writes: [
      put("approvals", row),
      ...recipients.map(
        (to): Write => ({
          do: "notice",
          notice: noticeOf(mint, { kind: "pending", to, ref: row.id, workspace: row.workspace, nowMs, about: row }),
        }),
      ),
    ],
    entries: [
      draft(mint, {
        kind: "approval.opened",
        actor: "leeway",
        subject: {
          agent: row.agent,
          tool: row.tool,
          class: row.class,
          tier: row.tier,
          call,
          approval: row.id,
          trace: row.traceId,
        },
        body: {
          action: row.action,
          quorum: row.quorum,
          answerByMs: row.answerByMs,
          round: row.round,
          runBy: row.runBy,
        },
      }),
    ],
  };
  return { row, piece };
}

function questionOf(s: Submission, round: number, callId: CallId, mint: Mint, nowMs: number): Pending {
  const { call, decision } = s;
  const { asking } = decision;
  return {
    id: mint.next("apr"),
    workspace: call.workspace,
    call: callId,
    agent: call.agent,
    ...(call.session === undefined ? {} : { session: call.session }),
    tool: call.tool,
    class: s.class,
    action: decision.needsHuman ? `${s.class}#needs-human` : s.class,
    tier: decision.tier,
    digest: s.digest,
    round,
    needsHuman: decision.needsHuman,
    openedMs: nowMs,
    answerByMs: nowMs + asking.expiresMs,
    permitMs: asking.permitMs,
    quorum: asking.quorum,
    reviewers: asking.reviewers,
    ...(asking.escalate === undefined
      ? {}
      : { escalate: { atMs: nowMs + asking.escalate.afterMs, to: asking.escalate.to, done: false } }),
    selfReview: asking.selfReview,
    assurance: asking.assurance,
    policyVersion: decision.policyVersion,
    runBy: s.runBy,
    idempotent: s.idempotent,
    capabilities: [...new Set(s.effect.parts.map((part) => part.capability))],
    ...(call.requestedBy === undefined ? {} : { requestedBy: call.requestedBy }),
    evidence: [],
    ...(call.run === undefined ? {} : { run: call.run }),
    traceId: call.traceId,
    ...(call.says === undefined ? {} : { says: call.says }),
    reviews: [],
    insisted: 0,
    state: "pending",
  };
}

/** A call that may run now is born claimed by its caller, or uses up the permit it came with. */
export function startExecution(s: Submission, recalled: Undecided, call: CallId, mint: Mint, nowMs: number) {
  const { permit } = recalled;
  if (permit !== undefined && s.decision.permit === permit.row.id) {
    const row = begin(permit.row, s, mint, nowMs);
    return {
      row,
      piece: {
        needs: [unchanged("executions", row.id, permit.version)],
        writes: [put("executions", row)],
        entries: [
          draft(mint, {
            kind: "execution.claimed",
            actor: `agent:${row.agent}`,
            subject: subjectOfExecution(row),
            body: { attempt: attemptOf(row) },
          }),
        ],
      } satisfies Piece,
    };
  }
  const right = rightOf(s, call, mint, nowMs);
  const row: Execution =
    s.runBy === "leeway" ? { ...right, state: "ready", readyMs: nowMs } : begin(right, s, mint, nowMs);
  const told: Write[] =
    s.decision.tier === "notify" && s.owner !== undefined
      ? [
          {
            do: "notice",
            notice: noticeOf(mint, {
              kind: "ran",
              to: s.owner,
              ref: call,
              workspace: row.workspace,
              nowMs,
              about: row,
            }),
          },
        ]
      : [];
  return { row, piece: { writes: [put("executions", row), ...told] } satisfies Piece };
}

function rightOf(s: Submission, call: CallId, mint: Mint, nowMs: number): Right {
  return {
    id: mint.next("exe"),
    workspace: s.call.workspace,
    call,
    approvedInBulk: false,
    agent: s.call.agent,
    ...(s.call.session === undefined ? {} : { session: s.call.session }),
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
}

function begin(right: Right, s: Submission, mint: Mint, nowMs: number): ExecutionIn<"claimed"> | ExecutionIn<"handed"> {
  const attempt = mint.next("att");
  const started = { ...bare(right), attempts: right.attempts + 1 };
  return s.handed
    ? { ...started, state: "handed", attempt, handedMs: nowMs }
    : { ...started, state: "claimed", attempt, owner: s.claimer, claimedMs: nowMs, leaseUntilMs: nowMs + LEASE_MS };
}

/** The right alone, without what belonged to the state it was in. */
export function bare(execution: Right): Right {
  const { id, workspace, call, approvedInBulk, agent, tool, needsHuman, approvers, traceId, digest } = execution;
  const { approval, session, runBy, idempotent, attempts, runUntilMs } = execution;
  return {
    id,
    workspace,
    call,
    ...(approval === undefined ? {} : { approval }),
    approvedInBulk,
    agent,
    ...(session === undefined ? {} : { session }),
    tool,
    class: execution.class,
    tier: execution.tier,
    needsHuman,
    approvers,
    traceId,
    digest,
    runBy,
    idempotent,
    attempts,
    runUntilMs,
  };
}

export function attemptOf(execution: Execution): AttemptId {
  if ("attempt" in execution) return execution.attempt;
  throw new Error(`a ${execution.state} execution has no attempt (this is a bug)`);
}

/** Other arguments under the same call id: the old question or right gives way in the same Change. */
export function supersedePiece(recalled: Undecided, mint: Mint, nowMs: number, to?: ApprovalId): Piece {
  const { approval, execution } = recalled.supersedes ?? {};
  const piece = {
    needs: [] as Piece["needs"] & unknown[],
    writes: [] as Write[],
    entries: [] as ReturnType<typeof draft>[],
  };
  if (approval !== undefined) {
    const row: Approval = {
      ...approval.row,
      state: "superseded",
      atMs: nowMs,
      ...(to === undefined ? {} : { to }),
    } as Approval;
    piece.needs.push(unchanged("approvals", row.id, approval.version));
    piece.writes.push(put("approvals", row));
    piece.entries.push(
      draft(mint, {
        kind: "approval.superseded",
        actor: "leeway",
        subject: { agent: row.agent, approval: row.id, call: row.call },
        body: to === undefined ? {} : { to },
      }),
    );
  }
  if (execution !== undefined) {
    const row: Execution = {
      ...bare(execution.row),
      state: "void",
      atMs: nowMs,
      why: "superseded by other arguments under the same call id",
    };
    piece.needs.push(unchanged("executions", row.id, execution.version));
    piece.writes.push(put("executions", row));
    piece.entries.push(
      draft(mint, {
        kind: "execution.void",
        actor: "leeway",
        subject: subjectOfExecution(row),
        body: { why: row.why },
      }),
    );
  }
  return piece;
}

/** Limits and the uses of a grant are reserved in the Change that rests on them. */
export function usesPiece(s: Submission, mint: Mint, row: CallRow): Piece {
  if (s.decision.outcome !== "run") return {};
  const needs: Piece["needs"] & unknown[] = [];
  const writes: Write[] = [];
  const entries = [];
  for (const limit of s.decision.limits) {
    if (limit.then !== "ask" || s.decision.permit === undefined) {
      needs.push({ is: "room", counters: limit.counters, add: limit.addMicros, max: limit.maxMicros });
    }
    writes.push({ do: "add", counter: limit.current, by: limit.addMicros, untilMs: limit.untilMs });
  }
  const { grant } = s.decision;
  if (grant !== undefined) {
    const counter = grantCounter(grant);
    if (s.grantUsesMax !== undefined) needs.push({ is: "room", counters: [counter], add: 1, max: s.grantUsesMax });
    writes.push({ do: "add", counter, by: 1, untilMs: Number.MAX_SAFE_INTEGER });
    entries.push(
      draft(mint, {
        kind: "grant.used",
        actor: `agent:${row.agent}`,
        subject: { agent: row.agent, grant, call: row.id },
      }),
    );
  }
  return { needs, writes, entries };
}
