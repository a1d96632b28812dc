import type { Approval } from "../core/approval.ts";
import { say } from "../core/messages/message.ts";
import { parseDuration } from "../core/values/duration.ts";
import { edit } from "../gate/approvals/edit.ts";
import type { Remember } from "../gate/approvals/remember.ts";
import { review } from "../gate/approvals/review.ts";
import type { Deps } from "../gate/deps.ts";
import type { Assured } from "../gate/people/acting.ts";
import { VOUCHED } from "./people.ts";
import { badInput, orThrow } from "./refusal.ts";
import { parse, textOf } from "./shape.ts";
import { REVIEW, type ReadRemember, type ReadReview, type ReviewInput } from "./shapes/review.ts";

/** One person's answer, given through this program. */
export async function reviewFor(deps: Deps, approvalId: string, input: ReviewInput): Promise<Approval> {
  textOf(approvalId, "approvalId");
  return reviewBy(deps, approvalId, parse(REVIEW, input), VOUCHED);
}

/** An answer that was checked, by a person who proved who they are. */
export async function reviewBy(deps: Deps, approvalId: string, answer: ReadReview, sure: Assured): Promise<Approval> {
  const { by, verdict, digest, note: said = "", edits, remember } = answer;
  const given = { by, verdict, digest, note: said, bulk: false, ...sure };
  if (edits !== undefined) {
    if (verdict === "deny")
      throw badInput("edits", say("refusal.denial_changes_nothing"), say("hint.leave_out_or_approve"));
    if (remember !== undefined) throw badInput("remember", say("refusal.edit_for_one"), say("hint.remember_as_asked"));
    return orThrow(await edit(deps, approvalId, { ...given, args: edits }));
  }
  const lasting = remember === undefined ? {} : { remember: rememberOf(remember, deps.clock.nowMs()) };
  return orThrow(await review(deps, approvalId, { ...given, ...lasting }));
}

function rememberOf({ uses, until, covers, session, also }: ReadRemember, nowMs: number): Remember {
  const forMs = until === undefined ? undefined : parseDuration(until);
  return {
    ...(uses === undefined ? {} : { usesMax: uses }),
    ...(forMs === undefined ? {} : { untilMs: nowMs + forMs }),
    ...(covers === undefined ? {} : { covers }),
    ...(session === undefined ? {} : { session }),
    ...(also === undefined ? {} : { also }),
  };
}
