import type { Pending } from "../approval.ts";
import { rootOf } from "../call.ts";
import { type Change, changeOf, type Need, type Piece, type Write } from "../change.ts";
import type { Code } from "../codes.ts";
import { receiptOf } from "../decide/explain.ts";
import type { Decision } from "../decision.ts";
import { attemptOf, type Execution, type ExecutionIn } from "../execution.ts";
import type { ApprovalId, CallId, Mint } from "../ids.ts";
import { type Message, say } from "../messages/message.ts";
import { APPROVAL_DEFAULTS } from "../policy.ts";
import type { Receipt } from "../receipt.ts";
import type { CallRow, Seen, Versioned } from "../rows/rows.ts";
import type { Hash } from "../values/hash.ts";
import { join, supersede } from "./closing.ts";
import { insistPiece } from "./insisting.ts";
import { openingPiece, questionOf } from "./opening.ts";
import { ANNOUNCED_MAX, PENDING_PER_AGENT_MAX, roomToAsk } from "./pending.ts";
import { canBeMet, isForAdmins } from "./quorum.ts";
import type { Undecided } from "./recall.ts";
import { callRow, decidedEntries, firstsPiece } from "./recording.ts";
import { deliver, voidIt } from "./running.ts";
import { limitPiece, type Started, spentPiece, startFresh, usePermit } from "./starting.ts";
import type { Submission } from "./submission-input.ts";

type Planned = {
  change: Change;
  receipt: Receipt;
  ran?: ExecutionIn<"succeeded" | "failed">;
  /** The execution created with the call, held by its caller: at version 1 until somebody ends it. */
  born?: Execution;
};

/** The whole step of one submission: what to check, what to write, what to record, whom to tell. */
export function planSubmission(sent: Submission, seen: Seen, recalled: Undecided, mint: Mint, nowMs: number): Planned {
  const at: At = { id: seen.call?.row.id ?? mint.next("call"), seen, recalled, mint, nowMs };
  const { submission, question } = decidedForGood(sent, at);
  const led = leadsTo(submission, question, at);
  const executionId = (led.started ?? led.ran)?.row.id;
  const row = callRow(submission, { id: at.id, nowMs, approvalId: led.approvalId, executionId });
  const pieces = piecesOf(submission, row, led, at);
  const planned: Planned = {
    change: changeOf(mint, { workspace: row.workspace, nowMs }, pieces),
    receipt: receiptFor(row, led, at),
  };
  if (led.ran !== undefined) planned.ran = led.ran.row as ExecutionIn<"succeeded" | "failed">;
  if (led.started?.born === true) planned.born = led.started.row;
  return planned;
}

/** Where and when a submission is planned, and what is known about the call from before. */
type At = { id: CallId; seen: Seen; recalled: Undecided; mint: Mint; nowMs: number };

/** The decision, with other obstacles: the host's own prompt, an earlier denial, nobody to ask, too many questions. */
function decidedForGood(sent: Submission, at: At): { submission: Submission; question: Pending | undefined } {
  const { recalled, id, mint, nowMs } = at;
  const given = sent.delegates ? { ...sent, decision: delegated(sent.decision) } : sent;
  const question = opens(given.decision) ? questionOf(given, recalled.round, id, mint, nowMs) : undefined;
  const asked = question === undefined || recalled.live !== undefined ? given.decision : askable(given, question, at);
  const decision = (recalled.denied === undefined ? undefined : insisted(given.decision, recalled)) ?? asked;
  return { submission: decision === given.decision ? given : { ...given, decision }, question };
}

/** The result of a decision: a new or existing question, a started execution, a returned result, or nothing. */
type Led = {
  asks: boolean;
  opened?: Pending;
  /** The question that the call depends on, or the one that was denied. */
  approvalId?: ApprovalId;
  started?: Started;
  ran?: Versioned<"executions">;
};

function leadsTo(s: Submission, question: Pending | undefined, at: At): Led {
  const { live, denied, ran } = at.recalled;
  if (question !== undefined && opens(s.decision)) {
    return live === undefined
      ? { asks: true, opened: question, approvalId: question.id }
      : { asks: true, approvalId: live.row.id };
  }
  const led: Led = { asks: false };
  if (denied !== undefined) led.approvalId = denied.row.id;
  if (s.decision.outcome !== "run") return led;
  const started = start(s, at);
  if (started !== undefined) led.started = started;
  if (ran !== undefined) led.ran = ran;
  return led;
}

function piecesOf(s: Submission, row: CallRow, led: Led, at: At): readonly Piece[] {
  const { seen, recalled, mint, nowMs } = at;
  const { agent, policy, grant } = s.firsts;
  const pieces: Piece[] = [{ needs: needsOf(s, seen) }];
  if (agent !== undefined || policy !== undefined || grant !== undefined) pieces.push(firstsPiece(s, mint));
  pieces.push(startPiece(s, row, led, at));
  if (recalled.supersedes !== undefined) pieces.push(...supersedePieces(s, at, led.opened?.id));
  // The same call with another id joins the open question about it.
  if (led.asks && led.opened === undefined && recalled.live !== undefined)
    pieces.push(join(recalled.live, s.call.requestedBy, s.call.agent, mint));
  if (recalled.permit !== undefined) pieces.push(...unusedPermit(s, led, at));
  if (led.opened !== undefined) {
    pieces.push(capPiece(led.opened, recalled), openingPiece(led.opened, s, mint, nowMs, isQuiet(s, at)));
  }
  if (led.started !== undefined) pieces.push(...led.started.pieces);
  if (led.ran !== undefined) pieces.push(deliver(led.ran));
  if (s.decision.limits.length > 0) {
    pieces.push(limitPiece(s, row.id, mint, nowMs), spentPiece(s.decision.limits));
  }
  if (s.decision.code === "LEEWAY_REVIEW_DENIED" && recalled.denied !== undefined) {
    pieces.push(insistPiece(recalled.denied, s, mint, nowMs));
  }
  return pieces;
}

/** What was read must still be true when the Change is applied; what was remembered instead is proved now. */
function needsOf(s: Submission, seen: Seen): readonly Need[] {
  const epoch: Need = { is: "epoch", epoch: seen.epoch };
  return seen.remembered === true ? [epoch, { is: "quiet", agent: s.call.agent, digest: s.digest }] : [epoch];
}

function startPiece(s: Submission, row: CallRow, { started }: Led, { seen, recalled, mint }: At): Piece {
  const start: Write = { do: "start", call: row, from: seen.call?.version ?? 0 };
  if (started?.born === true) start.right = started.row;
  const made = recalled.permit === undefined ? started?.row : undefined;
  return { writes: [start], entries: decidedEntries(s, row, mint, made) };
}

/**
 * An agent that asks, withdraws and asks again causes no new notice; neither does the twenty-first question in ten
 * minutes.
 */
function isQuiet({ askedLately }: Submission, { seen: { latest } }: At): boolean {
  const isAgain = latest?.row.state === "cancelled" && latest.row.by === latest.row.agent;
  return isAgain || askedLately >= ANNOUNCED_MAX;
}

/** A question that replaces another is not counted as one more. */
function capPiece(opened: Pending, { supersedes }: Undecided): Piece {
  return supersedes?.approval === undefined ? { needs: [roomToAsk(opened)] } : {};
}

function receiptFor(row: CallRow, { started, approvalId }: Led, at: At): Receipt {
  const attempt = started === undefined || started.row.state === "ready" ? undefined : attemptOf(started.row);
  const receipt = receiptOf(row, attempt);
  if (started?.row.state === "ready" && started.row.runBy === "leeway") {
    // The call may run, but not by this caller, who has to wait for the result.
    receipt.outcome = "pending";
    receipt.code = "LEEWAY_CALL_RUNNING";
  }
  const waiting = at.seen.approvedOfAgent.length === 0 ? [] : meanwhile(at, approvalId);
  if (waiting.length > 0) receipt.approvedMeanwhile = waiting;
  const asked = at.recalled.live?.row;
  if (asked?.replies !== undefined && asked.id === approvalId) receipt.replies = asked.replies;
  return receipt;
}

/** Other approved calls that wait for this agent. */
function meanwhile({ seen, recalled }: At, own: string | undefined): readonly ApprovalId[] {
  const used = [own, seen.approval?.row.id, recalled.permit?.row.approval];
  return seen.approvedOfAgent.filter((id) => !used.includes(id));
}

export function opens(decision: Decision): boolean {
  if (decision.outcome === "pending") return true;
  if (decision.outcome === "not_executed") return decision.tier === "suggest" || decision.code === "LEEWAY_HEADLESS";
  return decision.code === "LEEWAY_NEEDS_HUMAN";
}

/** A person denied exactly this call. If the policy refuses it too, the policy's reason is used. */
function insisted(decision: Decision, { denied }: Undecided): Decision | undefined {
  if (denied === undefined || denied.row.state !== "denied") return undefined;
  if (decision.outcome === "denied" && decision.code !== "LEEWAY_NEEDS_HUMAN") return undefined;
  const { by: person, note } = denied.row;
  if (denied.row.plan !== undefined) {
    const said = note === "" ? say("reason.plan_denied", { person }) : say("reason.plan_denied_note", { person, note });
    return turnedDown(decision, "LEEWAY_REVIEW_DENIED", said);
  }
  const said = note === "" ? say("reason.denied_again", { person }) : say("reason.denied_again_note", { person, note });
  return turnedDown(decision, "LEEWAY_REVIEW_DENIED", said);
}

/** No question is opened if nobody could answer it, or if there are too many. */
function askable(s: Submission, question: Pending, { recalled }: At): Decision {
  if (!canBeMet(question, s.circle)) {
    return turnedDown(
      s.decision,
      "LEEWAY_NO_REVIEWER",
      say("reason.too_few_reviewers", { quorum: question.quorum, names: namedIn(question) }),
    );
  }
  if (s.openAlready >= PENDING_PER_AGENT_MAX && recalled.supersedes?.approval === undefined) {
    return turnedDown(
      s.decision,
      "LEEWAY_BACKPRESSURE",
      say("reason.too_many_waiting", { count: s.openAlready, agent: rootOf(s.call) }),
    );
  }
  return s.decision;
}

function namedIn(pending: Pending): readonly string[] | Message {
  const named = pending.reviewers.flat();
  if (named.length > 0) return named;
  return isForAdmins(pending) ? say("reason.owner_and_admins") : say("reason.all_reviewers");
}

/** An earlier approval or result is used first, even if the policy would let the call run by itself now. */
function start(s: Submission, { recalled, seen, id, mint, nowMs }: At): Started | undefined {
  const { permit, ran } = recalled;
  if (permit !== undefined) return usePermit(s, permit, mint, nowMs);
  if (ran !== undefined) return undefined;
  if (s.decision.permit !== undefined)
    throw new Error("the decision depends on a permit that does not exist (this is a bug)");
  return startFresh(s, id, seen.call === undefined, mint, nowMs);
}

/** Other arguments with the same call id: the old question or permission is replaced in the same Change. */
function supersedePieces(s: Submission, { recalled, mint, nowMs }: At, to: ApprovalId | undefined): Piece[] {
  const { approval, execution, why = "" } = recalled.supersedes ?? {};
  const pieces: Piece[] = [];
  if (approval !== undefined) pieces.push(supersede(approval, to, { actor: "leeway", circle: s.circle }, mint, nowMs));
  if (execution !== undefined) {
    const step = voidIt(execution, { why, actor: "leeway" }, mint, nowMs);
    if (step.ok) pieces.push(step.piece);
  }
  return pieces;
}

/** A permit that no longer allows the call becomes void; after a pause it stays ready. */
function unusedPermit(s: Submission, { asks }: Led, { recalled: { permit }, mint, nowMs }: At): Piece[] {
  if (permit === undefined || s.decision.outcome === "run") return [];
  const strict = s.decision.tier === "deny" || s.decision.tier === "shadow";
  if (s.decision.code === "LEEWAY_PAUSED" || (!strict && !asks)) return [];
  const why = asks ? say("reason.needs_own_review") : say("reason.policy_says", { tier: s.decision.tier });
  const step = voidIt(permit, { why, actor: "leeway", circle: s.circle }, mint, nowMs);
  return step.ok ? [step.piece] : [];
}

/** A refusal without a policy: the call could not even be examined. */
export function outright(code: Code, because: Message, policyVersion: Hash): Decision {
  return {
    tier: "deny",
    outcome: "denied",
    code,
    needsHuman: false,
    causes: [{ by: "code", code, because }],
    considered: [],
    limits: [],
    asking: { ...APPROVAL_DEFAULTS, reviewers: [] },
    policyVersion,
  };
}

/** The policy would have asked or run it, but something else prevents it. */
function turnedDown(decision: Decision, code: Code, because: Message): Decision {
  const { permit: _permit, grant: _grant, ...rest } = decision;
  return { ...rest, outcome: "denied", code, causes: [...decision.causes, { by: "code", code, because }] };
}

/**
 * Left to the prompt of the agent's program, which cannot tell who answers. Never for a call that needs more than one
 * person or a named person; a call that needs a human is refused earlier.
 */
function delegated(decision: Decision): Decision {
  if (decision.outcome !== "pending") return decision;
  const { quorum, reviewers } = decision.asking;
  // The agent's program runs it as it is.
  const { box: _, ...unboxed } = decision;
  if (quorum === 1 && reviewers.length === 0) return { ...unboxed, outcome: "delegated" };
  const because = say("reason.host_prompt");
  return turnedDown(decision, "LEEWAY_NO_REVIEWER", because);
}
