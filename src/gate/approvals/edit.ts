import { type Approval, isOpen, type Pending } from "../../core/approval.ts";
import { callKeyOf, digestOf, rootOf, type ToolCall } from "../../core/call.ts";
import { unchanged } from "../../core/change.ts";
import { asShown } from "../../core/classify/facts.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { causesMessage } from "../../core/decide/explain.ts";
import type { Effect } from "../../core/effect.ts";
import { messageOf, say } from "../../core/messages/message.ts";
import { inputsOf } from "../../core/record/replay.ts";
import { liveKey, type Versioned } from "../../core/rows/rows.ts";
import { supersede } from "../../core/steps/closing.ts";
import { openingPiece, questionOf } from "../../core/steps/opening.ts";
import { callRow, decidedEntries } from "../../core/steps/recording.ts";
import { alreadyResolved, type GivenReview, refusal, review as reviewStep } from "../../core/steps/reviewing.ts";
import type { Submission } from "../../core/steps/submission-input.ts";
import { isStricter } from "../../core/tier.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { callOf, openArgs } from "../calls/args.ts";
import { countersOf, DEFAULT_CALLER, effectOf, judge } from "../calls/judging.ts";
import { submissionOf } from "../calls/submit.ts";
import { unvouchedQuestion } from "../calls/vouched.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { actStep } from "../people/acting.ts";
import { effectIn } from "../record/guesses.ts";
import { circleFor, ownerOf } from "../standing/owner.ts";
import type { InForce } from "../standing/standing.ts";
import { approvalAt, noApproval } from "./approval-at.ts";
import { noteRefusedReview } from "./refusal-entries.ts";

/**
 * Approves other arguments than the ones in the question. The edited call is decided again and gets its own question, with
 * the editor's approval as its first answer. The old question refers to the new one.
 */
export async function edit(deps: Deps, id: string, given: Edit): Promise<Edited> {
  const done = await edited(deps, id, given);
  return done.ok ? done : noteRefusedReview(deps, id, given, done);
}

type Edit = GivenReview & { args: JsonObject };
type Edited = { ok: true; value: Approval } | Refused;

function edited(deps: Deps, id: string, given: Edit): Promise<Edited> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Approval>> => {
    const asked = await approvalAt(deps, id);
    if (asked === undefined) return noApproval(id);
    const unvouched = await unvouchedQuestion(deps, asked.row);
    if (unvouched !== undefined) return unvouched;
    const circle = await circleFor(deps, inForce, asked.row);
    const { args, ...answer } = given;
    const no = refusal(asked.row, answer, circle, nowMs) ?? uneditable(asked.row, answer);
    if (no !== undefined) return no;
    if (!isOpen(asked.row, nowMs)) return alreadyResolved(asked.row, asked.row.state);
    const old = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: asked.row.call });
    if (old === undefined) throw new Error(`the call of ${id} is gone (this is a bug)`);
    const opened = openArgs(old.row);
    if (!opened.ok) return refused("LEEWAY_INTERNAL", opened.why, say("hint.database_and_key"));
    if (hasMask(args) && !hasMask(opened.args))
      return refused("LEEWAY_BAD_INPUT", say("refusal.edit_masked"), say("hint.answer_as_is"));
    const call = { ...callOf(old.row, args), callId: `${old.row.callId}#${deps.mint.next("apr")}` };
    const shown = asShown(effectIn(deps, old.row), effectOf(deps, call, inForce));
    if (!shown.ok) return refused("LEEWAY_VOID", messageOf(shown.why), say("hint.deny_and_ask_again"));
    const submission = await editedSubmission(deps, { call, effect: shown.effect }, asked.row, inForce, nowMs);
    if (!submission.ok) return submission;
    const live = await deps.store.read({
      ask: "rows",
      workspace: deps.workspace,
      table: "approvals",
      where: { key: liveKey(call.agent, submission.value.digest) },
      limit: 1,
      order: "newest",
    });
    if (live[0] !== undefined) {
      return refused(
        "LEEWAY_BAD_INPUT",
        say("refusal.edited_asked_already"),
        say("hint.answer_instead", { id: live[0].row.id }),
      );
    }
    return plan(deps, { asked, open: asked.row, old, submission: submission.value, answer, circle, nowMs });
  });
}

/** What a page shows in place of a secret. Sent back, it would be the value that the tool gets. */
function hasMask(args: JsonObject): boolean {
  return MASKED.test(canonical(args));
}

const MASKED = /\[masked(, \d+ characters)?\]/;

function uneditable(approval: Approval, answer: GivenReview): Refused | undefined {
  if (answer.verdict !== "approve") {
    return refused("LEEWAY_BAD_INPUT", say("refusal.edit_denies"), say("hint.deny_without_edit"));
  }
  if (approval.editable === true) return undefined;
  return refused("LEEWAY_BAD_INPUT", say("refusal.edit_not_run"), say("hint.answer_as_is"));
}

/** The edited call, decided like any other. If its tier is stricter than `ask`, it cannot be approved by editing. */
async function editedSubmission(
  deps: Deps,
  { call, effect }: { call: ToolCall; effect: Effect },
  approval: Pending,
  inForce: InForce,
  nowMs: number,
): Promise<{ ok: true; value: Submission } | Refused> {
  const read = await countersOf(deps, call, effect, { inForce, caller: DEFAULT_CALLER, nowMs });
  const { decision, standing } = judge(deps, call, effect, { inForce, caller: DEFAULT_CALLER, ...read }, nowMs);
  const floor = isStricter(approval.tier, "ask") ? approval.tier : "ask";
  if (isStricter(decision.tier, floor) || (decision.outcome === "denied" && decision.code !== "LEEWAY_NEEDS_HUMAN")) {
    const why = causesMessage(decision.causes);
    return refused(
      "LEEWAY_DENIED",
      say("refusal.edited_would_be", { tier: decision.tier, why }),
      say("hint.edit_or_deny"),
    );
  }
  const digest = digestOf(call);
  if (digest === approval.digest) {
    return refused("LEEWAY_BAD_INPUT", say("refusal.edit_empty"), say("hint.approve_as_is"));
  }
  const argsText = canonical(call.args);
  const decided = { call, caller: DEFAULT_CALLER, digest, key: callKeyOf(call), argsText, tooLarge: false };
  const inputs = inputsOf(call, standing, decision, nowMs);
  const owner = await ownerOf(deps, inForce, rootOf(call));
  const open = { openAlready: 0, askedLately: 0 };
  const known = {
    effect,
    inForce,
    counted: read.counted,
    owner,
    isNew: false,
    open,
    made: { decision, inputs },
    nowMs,
  };
  const made = submissionOf(deps, decided, known);
  return { ok: true, value: { ...made, runBy: approval.runBy, idempotent: approval.idempotent } };
}

type Editing = {
  asked: Versioned<"approvals">;
  open: Pending;
  old: Versioned<"calls">;
  submission: Submission;
  answer: GivenReview;
  circle: Submission["circle"];
  nowMs: number;
};

function plan(deps: Deps, e: Editing): Step<Approval> {
  const { asked, open, old, submission, answer, circle, nowMs } = e;
  const { mint } = deps;
  const callId = mint.next("call");
  const question = asStrictAs(questionOf(submission, open.round + 1, callId, mint, nowMs), open);
  const step = reviewStep({ row: question, version: 0 }, { ...answer, digest: question.digest }, circle, mint, nowMs);
  if (!step.ok) return step;
  const row = callRow(submission, { id: callId, nowMs, approvalId: question.id });
  const opening = openingPiece(question, submission, mint, nowMs);
  return {
    ok: true,
    value: step.approval,
    pieces: [
      { needs: [unchanged("calls", old.row.id, old.version)] },
      supersede(asked, question.id, { actor: `person:${answer.by}`, circle }, mint, nowMs),
      {
        writes: [
          { do: "start", call: row, from: 0 },
          { do: "lead", call: old.row.id, to: question.id },
        ],
      },
      { entries: decidedEntries(submission, row, mint) },
      // Only the answered question is written, so that there is one row with one version.
      { needs: opening.needs ?? [], writes: (opening.writes ?? []).slice(1), entries: opening.entries ?? [] },
      step.piece,
    ],
  };
}

/** An edited call needs at least as many people as the original. Earlier answers do not count, because the arguments differ. */
function asStrictAs(question: Pending, old: Pending): Pending {
  return {
    ...question,
    from: old.id,
    editedFrom: old.editedFrom ?? old.digest,
    quorum: Math.max(question.quorum, old.quorum),
    reviewers: [...new Set([...old.reviewers, ...question.reviewers].map((list) => JSON.stringify(list)))].map((list) =>
      JSON.parse(list),
    ),
    answerByMs: Math.min(question.answerByMs, old.answerByMs),
    needsHuman: question.needsHuman || old.needsHuman,
    action: question.needsHuman || old.needsHuman ? `${question.class}#needs-human` : question.class,
    selfReview: question.selfReview && old.selfReview,
    assurance: question.assurance === "person" || old.assurance === "person" ? "person" : "any",
    ...(old.requestedBy === undefined ? {} : { requestedBy: old.requestedBy }),
    ...(old.joinedBy === undefined ? {} : { joinedBy: old.joinedBy }),
    ...(old.says === undefined ? {} : { says: old.says }),
    ...(old.replies === undefined ? {} : { replies: old.replies }),
    ...(old.repliesTold === undefined ? {} : { repliesTold: old.repliesTold }),
  };
}
