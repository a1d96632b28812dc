import { isOpen } from "../../core/approval.ts";
import { ARGS_BYTES_MAX, callKeyOf, digestOf, rootOf, type ToolCall, tooLarge } from "../../core/call.ts";
import { changeOf, type Piece } from "../../core/change.ts";
import { changedSince } from "../../core/classify/facts.ts";
import { refused } from "../../core/codes.ts";
import { withNotes } from "../../core/decide/receipt-of.ts";
import type { Decision } from "../../core/decision.ts";
import type { Effect } from "../../core/effect.ts";
import type { PersonName } from "../../core/ids.ts";
import { redactText } from "../../core/masking/redact.ts";
import { type Message, say } from "../../core/messages/message.ts";
import { recordedOwner } from "../../core/people.ts";
import type { Receipt } from "../../core/receipt.ts";
import { inputsOf } from "../../core/record/replay.ts";
import type { Seen, Versioned } from "../../core/rows.ts";
import { expire, join } from "../../core/steps/closing.ts";
import { outright } from "../../core/steps/denial.ts";
import { askedCounter, openCounter } from "../../core/steps/pending.ts";
import { recall, type Undecided } from "../../core/steps/recall.ts";
import { opens, planSubmission } from "../../core/steps/submission.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { StoreUnavailable } from "../../ports.ts";
import { notEnough } from "../approvals/reopening.ts";
import { type Again, againAfter, busy, commitAgain, patience } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { circleFor, ownerOf } from "../standing/owner.ts";
import type { InForce } from "../standing/standing.ts";
import { clockNotes, timeKnown, timeNow } from "../time/clock.ts";
import { type Counted, countersFor, effectOf, judge, replyFor } from "./judging.ts";
import { MANNER, type Manner } from "./manner.ts";
import { answerRecalled, settledReceipt, unrecorded } from "./recalled-answer.ts";
import { type Sent, submissionOf } from "./submission-of.ts";
import { unvouchedCall, unvouchedRight } from "./vouched.ts";

export { MANNER, type Manner };

/** Decides one call and records it. On the deciding path only this function catches, and what it catches denies. */
export async function submit(deps: Deps, call: ToolCall, manner: Manner = MANNER): Promise<Receipt> {
  try {
    if (call.agent === "" || call.tool === "" || call.callId === "") {
      return unrecorded(deps, call, refused("LEEWAY_BAD_CALL", say("refusal.empty_names"), say("hint.name_them")));
    }
    const named = secretName(call);
    if (named !== undefined) return calledLikeSecret(deps, call, named);
    const large = tooLarge(call);
    const text = canonical(call.args);
    const sent: Sent = {
      call,
      manner,
      digest: digestOf(call, text),
      key: callKeyOf(call),
      argsText: large ? "{}" : text,
      tooLarge: large,
    };
    const isOver = patience();
    for (;;) {
      const receipt = await attempt(deps, sent);
      if (typeof receipt !== "string") return withNotes(receipt, clockNotes(deps));
      if (!isOver(receipt)) continue;
      return unrecorded(deps, call, busy());
    }
  } catch (error) {
    deps.standing.forget();
    const why = error instanceof Error ? error.message : String(error);
    const told = error instanceof StoreUnavailable ? error.refused : undefined;
    if (told !== undefined) return unrecorded(deps, call, told);
    const no =
      error instanceof StoreUnavailable
        ? refused("LEEWAY_AUDIT_UNAVAILABLE", say("refusal.not_recorded", { why }), say("hint.free_disk"))
        : refused("LEEWAY_INTERNAL", say("refusal.check_broke_because", { why }), say("hint.report_nothing_ran"));
    return unrecorded(deps, call, no);
  }
}

const plainNames = new Set<string>();
const PLAIN_NAMES_MAX = 1_000;

/** Names are what rows and entries are found by, so they cannot be masked. */
function secretName(call: ToolCall): Message | undefined {
  if (isSecretName(call.agent)) return say("name.agent");
  if (isSecretName(call.tool)) return say("name.tool");
  if (isSecretName(call.session)) return say("name.session");
  if (isSecretName(call.run)) return say("name.run");
  if (isSecretName(call.cwd)) return say("name.working_folder");
  if (isSecretName(call.requestedBy)) return say("name.requester");
  if (call.chain.some(isSecretName)) return say("name.agent_above");
  // Each is new with each call, so that it is not worth remembering.
  if (redactText(call.callId) !== call.callId) return say("name.call_id");
  if (redactText(call.traceId) !== call.traceId) return say("name.trace");
  return call.replayOf !== undefined && redactText(call.replayOf) !== call.replayOf ? say("name.repeats") : undefined;
}

/** The same few come with every call. */
function isSecretName(name: string | undefined): boolean {
  if (name === undefined || plainNames.has(name)) return false;
  if (redactText(name) !== name) return true;
  if (plainNames.size >= PLAIN_NAMES_MAX) plainNames.clear();
  plainNames.add(name);
  return false;
}

/** Where a file lies is kept as it is too, to be compared at the start. The words of a command are kept in any case. */
function hasSecretPath({ parts }: Effect): boolean {
  let isFound = false;
  for (const { targets } of parts) {
    for (const one of targets) {
      if (one.kind === "command") return false;
      isFound ||= one.kind === "path" && redactText(one.path) !== one.path;
    }
  }
  return isFound;
}

function calledLikeSecret(deps: Deps, call: ToolCall, what: Message): Receipt {
  const why = say("refusal.name_is_secret", { what });
  return unrecorded(deps, call, refused("LEEWAY_BAD_CALL", why, say("hint.call_otherwise")));
}

/** One read, one decision, one Change; or why it has to be decided again, where somebody else was faster. */
async function attempt(deps: Deps, sent: Sent): Promise<Receipt | Again> {
  const { call, digest } = sent;
  // What is known already is not waited for: to wait costs a call more than to decide it.
  const nowMs = timeKnown(deps) ?? (await timeNow(deps));
  const inForce = deps.standing.known() ?? (await deps.standing.current());
  const effect = effectOf(deps, call, inForce);
  if (hasSecretPath(effect)) return calledLikeSecret(deps, call, say("name.file"));
  const counted = countersFor(call, effect, inForce, sent.manner.scopes, nowMs);
  const known = sent.looks ? undefined : rememberedSeen(deps, call, inForce, counted);
  sent.looks = true;
  const seen = known ?? (await seenOf(deps, sent, counted, nowMs));
  if (seen.epoch !== inForce.rows.epoch) {
    await deps.standing.current();
    return "turned";
  }
  if (isRightGone(seen)) throw new StoreUnavailable(RIGHT_GONE);
  if (hasLapsed(seen.live, nowMs) && (await wroteExpiry(deps, seen.live, inForce, nowMs))) return "stale";
  const found = recall(seen, digest, nowMs);
  if (found.is === "pending" && (await wroteJoining(deps, call, found.approval, nowMs))) return "stale";
  if (found.is !== "undecided") return (await answerRecalled(deps, call, seen, found, nowMs)) ?? "stale";
  const recalled = found.permit === undefined ? found : await whereItLed(deps, found, found.permit, seen, effect);
  const looked = { effect, inForce, counted, seen, recalled, nowMs };
  if (deps.callback !== undefined && !sent.tooLarge && sent.reply === undefined) {
    const reply = await replyFor(deps, call, effect, judgedBy(sent, looked), nowMs);
    if (reply !== undefined) sent.reply = reply;
  }
  const made = decided(deps, sent, looked);
  if (
    recalled.permit !== undefined &&
    (await wroteReopening(deps, sent, { permit: recalled.permit, ...made, inForce, nowMs }))
  ) {
    return "stale";
  }
  const open = opens(made.decision) ? await openOf(deps, call, nowMs) : NOTHING_OPEN;
  const owner = call.chain.length === 0 ? ownOwner(call, inForce, seen) : await ownerOf(deps, inForce, rootOf(call));
  const isNew = seen.agent === undefined;
  const submission = submissionOf(deps, sent, { effect, inForce, counted, owner, isNew, open, made, nowMs });
  const { change, receipt, ran, born } = planSubmission(submission, seen, recalled, deps.mint, nowMs);
  const committed = await commitAgain(deps.store, change);
  if (!committed.ok) {
    deps.remembered.forget(call.agent);
    return againAfter(committed.stale);
  }
  if (born !== undefined) deps.remembered.started(born);
  receipt.ledgerIndex = committed.firstIndex + change.entries.findIndex((entry) => entry.kind === "call.decided");
  return ran === undefined ? receipt : settledReceipt(receipt, ran);
}

/** The first try of a call whose agent had nothing waiting: what there would be to read is proved by the Change. */
function rememberedSeen({ remembered }: Deps, call: ToolCall, inForce: InForce, counted: Counted): Seen | undefined {
  return counted.names.length === 0 ? remembered.seenOf(call.agent, inForce.rows.epoch) : undefined;
}

async function seenOf(deps: Deps, { call, digest, key }: Sent, counted: Counted, nowMs: number): Promise<Seen> {
  const seen = await deps.store.read({
    ask: "submission",
    workspace: deps.workspace,
    callKey: key,
    agent: call.agent,
    digest,
    counters: counted.names,
    nowMs,
  });
  deps.remembered.saw(seen);
  return seen;
}

const NOTHING_OPEN = { openAlready: 0, askedLately: 0 };

/** Who owns an agent that asks by itself is known from the look at the call. */
function ownOwner({ agent }: ToolCall, inForce: InForce, seen: Seen): PersonName | undefined {
  return inForce.owners.get(agent) ?? recordedOwner(seen.agent, inForce.rows.people);
}

/** How many questions are open of the agent that stands for this call, its sub-agents' included. */
async function openOf({ store, workspace }: Deps, call: ToolCall, nowMs: number) {
  const asker = { agent: rootOf(call) };
  const counters = [openCounter(asker), askedCounter(asker, nowMs)];
  const [openAlready = 0, askedLately = 0] = await store.read({ ask: "counters", workspace, counters, nowMs });
  return { openAlready, askedLately };
}

/** A call that was let run has its right for good; without it the same call would run once more. */
function isRightGone({ call, execution }: Seen): boolean {
  return call?.row.executionId !== undefined && execution === undefined;
}

const RIGHT_GONE = refused("LEEWAY_TAMPERED", say("refusal.right_gone"), say("hint.verify_or_new_id"));

type Question = Versioned<"approvals">;

/** A question that the clock has closed still holds its place until that is written down. */
function hasLapsed(live: Question | undefined, nowMs: number): live is Question {
  return live !== undefined && !isOpen(live.row, nowMs);
}

async function wroteExpiry(deps: Deps, live: Question, inForce: InForce, nowMs: number): Promise<boolean> {
  const circle = await circleFor(deps, inForce, live.row);
  const step = expire(live, circle, deps.mint, nowMs);
  if (!step.ok) return false;
  // If somebody else was faster it is written down all the same.
  await commitAgain(deps.store, changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [step.piece]));
  return true;
}

/** Sent again under the same id, for somebody else: they ask for it too. */
async function wroteJoining(deps: Deps, call: ToolCall, asked: Question, nowMs: number): Promise<boolean> {
  const piece = join(asked, call.requestedBy, call.agent, deps.mint);
  if (piece.writes === undefined) return false;
  await commitAgain(deps.store, changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [piece]));
  return true;
}

/** An approval that is not enough any more is taken back first; then the call is looked at again. */
async function wroteReopening(
  deps: Deps,
  { call }: Sent,
  now: { permit: Versioned<"executions">; decision: Decision; inForce: InForce; nowMs: number },
): Promise<boolean> {
  const { permit, decision, inForce, nowMs } = now;
  if (decision.tier === "deny" || decision.tier === "shadow") return false;
  const lacking = await notEnough(deps, permit, decision, inForce, nowMs, call.requestedBy);
  if (lacking === undefined) return false;
  const still: Piece = { needs: [{ is: "epoch", epoch: inForce.rows.epoch }] };
  await commitAgain(deps.store, changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [still, lacking.piece]));
  return true;
}

type Known = {
  effect: Effect;
  inForce: InForce;
  counted: Counted;
  seen: Seen;
  recalled: Undecided;
  nowMs: number;
};

function decided(deps: Deps, sent: Sent, known: Known): { decision: Decision; inputs?: JsonObject } {
  const { effect, inForce, nowMs } = known;
  if (sent.tooLarge) {
    const because = say("reason.too_large", { bytes: ARGS_BYTES_MAX });
    return { decision: outright("LEEWAY_TOO_LARGE", because, inForce.layers.version) };
  }
  const { decision, standing } = judge(deps, sent.call, effect, judgedBy(sent, known), nowMs);
  return { decision, inputs: inputsOf(sent.call, standing, decision, nowMs) };
}

function judgedBy(sent: Sent, { inForce, counted, seen, recalled }: Known) {
  const right = (recalled.permit ?? recalled.ran)?.row;
  return {
    inForce,
    manner: sent.manner,
    counted,
    sums: seen.counters,
    reply: sent.reply?.given,
    permit: right && { executionId: right.id, approvedInBulk: right.approvedInBulk },
  };
}

const GONE = say("reason.call_gone");

/** A permit is for what the reviewer saw: if a path or a file is another now, it is void and the call is asked anew. */
async function whereItLed(
  deps: Deps,
  recalled: Undecided,
  permit: Versioned<"executions">,
  seen: Seen,
  effect: Effect,
): Promise<Undecided> {
  const approved =
    permit.row.call === seen.call?.row.id
      ? seen.call
      : await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: permit.row.call });
  const unvouched = (await unvouchedRight(deps, permit.row)) ?? (approved && (await unvouchedCall(deps, approved.row)));
  if (unvouched !== undefined) throw new StoreUnavailable(unvouched);
  const why = approved === undefined ? GONE : changedSince(approved.row.effect, effect);
  if (why === undefined) return recalled;
  const { permit: _, ...rest } = recalled;
  return { ...rest, supersedes: { ...rest.supersedes, execution: permit, why } };
}
