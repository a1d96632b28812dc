import type { RunBy } from "./approval.ts";
import type { Digest, ToolCall } from "./call.ts";
import { type Change, changeOf, type Piece, put, unchanged } from "./change.ts";
import type { Decision } from "./decision.ts";
import { draft } from "./draft.ts";
import type { Effect, EffectClass } from "./effect.ts";
import type { ApprovalId, AttemptId, CallId, ExecutionId, Mint } from "./ids.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Subject } from "./ledger.ts";
import { attemptOf, openApproval, startExecution, supersedePiece, usesPiece } from "./opening.ts";
import type { Agent } from "./people.ts";
import type { Recalled } from "./recall.ts";
import { decisionView, type Receipt } from "./receipt.ts";
import type { CallRow, PolicyRow, Sealed, Seen } from "./rows.ts";

/** A call that has been classified and decided, on its way to one Change. */
export type Submission = {
  call: ToolCall;
  digest: Digest;
  key: string;
  effect: Effect;
  decision: Decision;
  args: Sealed;
  /** The arguments as the ledger may keep them: secrets masked. */
  preview: JsonObject;
  runBy: RunBy;
  idempotent: boolean;
  /** Who holds the claim of a call that runs now. */
  claimer: string;
  /** True for a host that carries the call out itself and may never tell. */
  handed: boolean;
  /** The most sensitive class among the parts: what the question is about. */
  class: EffectClass;
  owner?: string;
  /** How often the grant that the decision rests on may be used, where that is bounded. */
  grantUsesMax?: number;
  /** Rows that this call is the first to need. */
  firsts: { agent?: Agent; policy?: PolicyRow };
};

export type Undecided = Extract<Recalled, { is: "undecided" }>;
export type Planned = { change: Change; receipt: Receipt };

/** The whole step of one submission: what to check, what to write, what to record, whom to tell. */
export function planSubmission(s: Submission, seen: Seen, recalled: Undecided, mint: Mint, nowMs: number): Planned {
  const id = seen.call?.row.id ?? mint.next("call");
  const opened = opens(s) ? openApproval(s, recalled, id, mint, nowMs) : undefined;
  const running = runs(s) ? startExecution(s, recalled, id, mint, nowMs) : undefined;
  const row = callRow(s, { id, nowMs, ...pick(opened?.row.id, running?.row.id) });
  const attempt = running === undefined || running.row.state === "ready" ? undefined : attemptOf(running.row);
  const pieces: Piece[] = [
    { needs: [{ is: "epoch", epoch: seen.epoch }] },
    firstsPiece(s, mint),
    seen.call === undefined
      ? { needs: [{ is: "unique", table: "calls", key: s.key }] }
      : { needs: [unchanged("calls", id, seen.call.version)] },
    { writes: [put("calls", row)], entries: [decidedEntry(s, row, mint)] },
    supersedePiece(recalled, mint, nowMs, opened?.row.id),
    opened?.piece ?? {},
    running?.piece ?? {},
    usesPiece(s, mint, row),
  ];
  return {
    change: changeOf(mint, { workspace: s.call.workspace, nowMs }, pieces),
    receipt: receiptOf(row, attempt),
  };
}

/** The receipt of a call row; its place in the ledger is known once the Change is committed. */
export function receiptOf(row: CallRow, attempt?: AttemptId): Receipt {
  return {
    id: row.id,
    callId: row.callId,
    decision: decisionView(row.decision),
    outcome: row.outcome,
    ...(row.decision.code === undefined ? {} : { code: row.decision.code }),
    digest: row.digest,
    ...pick(row.approvalId, row.executionId),
    ...(attempt === undefined ? {} : { attempt }),
  };
}

function opens(s: Submission): boolean {
  if (s.decision.outcome === "pending" || s.decision.tier === "suggest")
    return s.decision.code === undefined || s.decision.code === "LEEWAY_HEADLESS";
  return s.decision.code === "LEEWAY_NEEDS_HUMAN";
}

function runs(s: Submission): boolean {
  return s.decision.outcome === "run";
}

function pick(approvalId?: ApprovalId, executionId?: ExecutionId) {
  return {
    ...(approvalId === undefined ? {} : { approvalId }),
    ...(executionId === undefined ? {} : { executionId }),
  };
}

function callRow(
  s: Submission,
  at: { id: CallId; nowMs: number; approvalId?: ApprovalId; executionId?: ExecutionId },
): CallRow {
  const { call } = s;
  return {
    id: at.id,
    workspace: call.workspace,
    key: s.key,
    agent: call.agent,
    ...(call.session === undefined ? {} : { session: call.session }),
    ...(call.run === undefined ? {} : { run: call.run }),
    callId: call.callId,
    tool: call.tool,
    ...(call.definition === undefined ? {} : { definition: call.definition }),
    digest: s.digest,
    ...(call.cwd === undefined ? {} : { cwd: call.cwd }),
    args: s.args,
    traceId: call.traceId,
    chain: call.chain,
    claims: call.claims,
    effect: s.effect,
    decision: s.decision,
    outcome: s.decision.outcome,
    ...pick(at.approvalId, at.executionId),
    atMs: at.nowMs,
  };
}

function subjectOf(s: Submission, row: CallRow): Subject {
  return {
    agent: row.agent,
    tool: row.tool,
    class: s.class,
    tier: s.decision.tier,
    outcome: s.decision.outcome,
    call: row.id,
    trace: row.traceId,
    ...(row.approvalId === undefined ? {} : { approval: row.approvalId }),
    ...(row.executionId === undefined ? {} : { execution: row.executionId }),
    ...(row.session === undefined ? {} : { session: row.session }),
    ...(row.run === undefined ? {} : { run: row.run }),
  };
}

function decidedEntry(s: Submission, row: CallRow, mint: Mint) {
  return draft(mint, {
    kind: "call.decided",
    actor: `agent:${row.agent}`,
    subject: subjectOf(s, row),
    body: {
      callId: row.callId,
      args: s.preview,
      ...(row.cwd === undefined ? {} : { cwd: row.cwd }),
      chain: row.chain,
      digest: s.digest,
      effect: s.effect as unknown as Json,
      decision: s.decision as unknown as Json,
      autonomyClass: s.decision.needsHuman ? "needs-human" : s.decision.tier,
      requiresHuman: s.decision.needsHuman,
      ...enforcementOf(s.decision),
    },
  });
}

/** The label under which the decision enters the track record; a call that runs gets its own when it settles. */
function enforcementOf(decision: Decision): JsonObject {
  if (decision.code === "LEEWAY_NEEDS_HUMAN") return { enforcement: "needs_human_denied", denyCode: decision.code };
  if (decision.tier === "shadow") return { enforcement: "shadow_noop" };
  if (decision.tier === "suggest") return { enforcement: "suggest_approval_request" };
  if (decision.outcome === "denied")
    return { enforcement: "policy_denied", denyCode: decision.code ?? "LEEWAY_DENIED" };
  return {};
}

function firstsPiece(s: Submission, mint: Mint): Piece {
  const { agent, policy } = s.firsts;
  const pieces: Piece[] = [];
  if (agent !== undefined) {
    pieces.push({
      needs: [unchanged("agents", agent.name, 0)],
      writes: [put("agents", agent), { do: "turn" }],
      entries: [
        draft(mint, {
          kind: "agent.registered",
          actor: "leeway",
          subject: { agent: agent.name },
          body: agent.owner === undefined ? {} : { owner: agent.owner },
        }),
      ],
    });
  }
  if (policy !== undefined) {
    pieces.push({
      writes: [put("policies", policy), { do: "turn" }],
      entries: [
        draft(mint, {
          kind: "policy.loaded",
          actor: "leeway",
          subject: {},
          body: { version: policy.version, path: policy.path },
        }),
      ],
    });
  }
  return {
    needs: pieces.flatMap((piece) => piece.needs ?? []),
    writes: pieces.flatMap((piece) => piece.writes ?? []),
    entries: pieces.flatMap((piece) => piece.entries ?? []),
  };
}
