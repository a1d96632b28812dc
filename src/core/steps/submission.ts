import type { RunBy } from "../approval.ts";
import type { Digest, ToolCall } from "../call.ts";
import { type Change, changeOf, type Piece, put, unchanged } from "../change.ts";
import type { Decision } from "../decision.ts";
import type { Effect, EffectClass } from "../effect.ts";
import { attemptOf, type ExecutionIn } from "../execution.ts";
import type { Grant } from "../grant.ts";
import type { Mint } from "../ids.ts";
import type { Agent } from "../people.ts";
import { type Receipt, receiptOf } from "../receipt.ts";
import type { PolicyRow, Sealed, Seen } from "../rows.ts";
import type { JsonObject } from "../values/json.ts";
import { supersede } from "./closing.ts";
import { delegated, turnedDown } from "./denial.ts";
import { insistPiece } from "./insisting.ts";
import { limitPiece } from "./limiting.ts";
import { openingPiece, PENDING_PER_AGENT_MAX, questionOf } from "./opening.ts";
import { type Circle, canBeMet } from "./quorum.ts";
import type { Undecided } from "./recall.ts";
import { callRow, decidedEntries, firstsPiece } from "./recording.ts";
import { deliver, voidIt } from "./running.ts";
import { type Started, startFresh, usePermit } from "./starting.ts";

/** A call that has been classified and decided, on its way to one Change. */
export type Submission = {
  call: ToolCall;
  digest: Digest;
  key: string;
  effect: Effect;
  decision: Decision;
  /** What the decision was made of, for making it again; absent where nothing was weighed. */
  inputs?: JsonObject;
  args: Sealed;
  /** The arguments as the ledger may keep them: secrets masked. */
  preview: JsonObject;
  runBy: RunBy;
  idempotent: boolean;
  /** Who holds the claim of a call that runs now. */
  claimer: string;
  /** True for a host that carries the call out itself and may never tell. */
  handed: boolean;
  /** True for a host that asks its own user where the policy asks. */
  delegates: boolean;
  /** The door can carry out other arguments than the ones it sent. */
  editable: boolean;
  /** The most sensitive class among the parts: what the question is about. */
  class: EffectClass;
  /** Who would be asked and told. */
  circle: Circle;
  /** How often the grant that the decision rests on may be used, where that is bounded. */
  grantUsesMax?: number;
  /** Rows that this call is the first to need. */
  firsts: { agent?: Agent; policy?: PolicyRow; grant?: Grant };
};

export type Planned = { change: Change; receipt: Receipt; ran?: ExecutionIn<"succeeded" | "failed"> };

/** The whole step of one submission: what to check, what to write, what to record, whom to tell. */
export function planSubmission(sent: Submission, seen: Seen, recalled: Undecided, mint: Mint, nowMs: number): Planned {
  const id = seen.call?.row.id ?? mint.next("call");
  const given = sent.delegates ? { ...sent, decision: delegated(sent.decision) } : sent;
  const question = opens(given.decision) ? questionOf(given, recalled.round, id, mint, nowMs) : undefined;
  const s = { ...given, decision: insisted(given.decision, recalled) ?? askable(given, recalled, seen, question) };
  const asks = question !== undefined && opens(s.decision);
  const opened = asks && recalled.live === undefined ? question : undefined;
  const started = runs(s.decision) ? start(s, recalled, id, mint, nowMs) : undefined;
  const ran = runs(s.decision) ? recalled.ran : undefined;
  const approvalId = asks ? (opened ?? recalled.live?.row)?.id : recalled.denied?.row.id;
  const executionId = started?.row.id ?? ran?.row.id;
  const row = callRow(s, {
    id,
    nowMs,
    ...(approvalId === undefined ? {} : { approvalId }),
    ...(executionId === undefined ? {} : { executionId }),
  });
  const attempt = started === undefined || started.row.state === "ready" ? undefined : attemptOf(started.row);
  const pieces: Piece[] = [
    { needs: [{ is: "epoch", epoch: seen.epoch }] },
    firstsPiece(s, mint),
    seen.call === undefined
      ? { needs: [{ is: "unique", table: "calls", key: s.key }] }
      : { needs: [unchanged("calls", id, seen.call.version)] },
    { writes: [put("calls", row)], entries: decidedEntries(s, row, mint) },
    ...supersedePieces(recalled, mint, nowMs, opened?.id),
    ...unusedPermit(s, recalled, asks, mint, nowMs),
    opened === undefined ? {} : openingPiece(opened, s, mint, nowMs),
    ...(started?.pieces ?? []),
    ran === undefined ? {} : deliver(ran),
    limitPiece(s, id, mint, nowMs),
    s.decision.code === "LEEWAY_REVIEW_DENIED" && recalled.denied !== undefined
      ? insistPiece(recalled.denied, s, mint, nowMs)
      : {},
  ];
  return {
    change: changeOf(mint, { workspace: s.call.workspace, nowMs }, pieces),
    receipt: { ...receiptOf(row, attempt), ...handledByLeeway(started), ...meanwhile(seen, approvalId) },
    ...(ran === undefined ? {} : { ran: ran.row as ExecutionIn<"succeeded" | "failed"> }),
  };
}

/** It may run, but not by this caller: the result is what to wait for. */
function handledByLeeway(started: Started | undefined): Partial<Receipt> {
  return started?.row.state === "ready" ? { outcome: "pending", code: "LEEWAY_CALL_RUNNING" } : {};
}

function meanwhile(seen: Seen, own: string | undefined): Pick<Receipt, "approvedMeanwhile"> {
  const waiting = seen.approvedOfAgent.filter((id) => id !== own && id !== seen.approval?.row.id);
  return waiting.length === 0 ? {} : { approvedMeanwhile: waiting };
}

function opens(decision: Decision): boolean {
  if (decision.outcome === "pending") return true;
  if (decision.outcome === "not_executed") return decision.tier === "suggest" || decision.code === "LEEWAY_HEADLESS";
  return decision.code === "LEEWAY_NEEDS_HUMAN";
}

function runs(decision: Decision): boolean {
  return decision.outcome === "run";
}

/** A person said no to this very call; only what the policy refuses anyway is refused for the policy's reason. */
function insisted(decision: Decision, { denied }: Undecided): Decision | undefined {
  if (denied === undefined || denied.row.state !== "denied") return undefined;
  if (decision.outcome === "denied" && decision.code !== "LEEWAY_NEEDS_HUMAN") return undefined;
  const note = denied.row.note === "" ? "" : `: ${denied.row.note}`;
  return turnedDown(
    decision,
    "LEEWAY_REVIEW_DENIED",
    `${denied.row.by} denied this call${note}; do not retry, do something else`,
  );
}

/** Nobody is asked what nobody could answer, nor one thing too many. */
function askable(s: Submission, recalled: Undecided, seen: Seen, question: Parameters<typeof canBeMet>[0] | undefined) {
  if (question === undefined || recalled.live !== undefined) return s.decision;
  if (!canBeMet(question, s.circle)) {
    return turnedDown(
      s.decision,
      "LEEWAY_NO_REVIEWER",
      `this call needs ${question.quorum} of ${question.reviewers.flat().join(", ") || "the owner and the admins"}, and there are not that many`,
    );
  }
  if (seen.pendingOfAgent >= PENDING_PER_AGENT_MAX) {
    return turnedDown(
      s.decision,
      "LEEWAY_BACKPRESSURE",
      `${seen.pendingOfAgent} calls of ${s.call.agent} wait for people already; wait until some are answered`,
    );
  }
  return s.decision;
}

/** What was approved or run already is used up first, even where the policy would let the call run by itself now. */
function start(
  s: Submission,
  recalled: Undecided,
  id: `call_${string}`,
  mint: Mint,
  nowMs: number,
): Started | undefined {
  const { permit, ran } = recalled;
  if (permit !== undefined) return usePermit(s, permit, mint, nowMs);
  if (ran !== undefined) return undefined;
  if (s.decision.permit !== undefined)
    throw new Error("the decision rests on a permit that nobody had (this is a bug)");
  return startFresh(s, id, mint, nowMs);
}

/** Other arguments under the same call id: the old question or right gives way in the same Change. */
function supersedePieces(recalled: Undecided, mint: Mint, nowMs: number, to?: `apr_${string}`): Piece[] {
  const { approval, execution, why } = recalled.supersedes ?? { why: "" };
  const pieces: Piece[] = [];
  if (approval !== undefined) pieces.push(supersede(approval, to, "leeway", mint, nowMs));
  if (execution !== undefined) {
    const step = voidIt(execution, { why, actor: "leeway" }, mint, nowMs);
    if (step.ok) pieces.push(step.piece);
  }
  return pieces;
}

/** A permit that no longer lets the call run is void; a pause alone leaves it ready. */
function unusedPermit(s: Submission, { permit }: Undecided, asks: boolean, mint: Mint, nowMs: number): Piece[] {
  if (permit === undefined || runs(s.decision)) return [];
  const strict = s.decision.tier === "deny" || s.decision.tier === "shadow";
  if (s.decision.code === "LEEWAY_PAUSED" || (!strict && !asks)) return [];
  const why = asks ? "it needs a review of its own now" : `the policy says ${s.decision.tier} now`;
  const step = voidIt(permit, { why, actor: "leeway", circle: s.circle }, mint, nowMs);
  return step.ok ? [step.piece] : [];
}
