import type { Approval } from "../core/approval.ts";
import type { Digest } from "../core/call.ts";
import type { GrantCover } from "../core/grant.ts";
import { parseDuration } from "../core/values/duration.ts";
import { edit } from "../gate/approvals/edit.ts";
import type { Remember } from "../gate/approvals/remember.ts";
import { review } from "../gate/approvals/review.ts";
import type { Deps } from "../gate/deps.ts";
import type { Sure } from "../gate/people/acting.ts";
import { cover } from "./covers.ts";
import { objectOf } from "./input.ts";
import { VOUCHED } from "./people.ts";
import { badInput, orThrow } from "./refusal.ts";
import {
  type Check,
  checked,
  kindOf,
  listOf,
  maybe,
  note,
  objectLike,
  oneOf,
  type Shape,
  text,
  textOf,
  whole,
} from "./shape.ts";

/** One person's answer, by a program that vouches for who gave it: recorded with assurance `process`. */
export type ReviewInput = {
  by: string;
  verdict: "approve" | "deny";
  /** What the person saw; an answer about other bytes is refused. */
  digest: string;
  note?: string;
  remember?: RememberInput;
  /** Other arguments in place of the ones asked about; they are judged again. */
  edits?: unknown;
};

/** Approve and go on approving: makes a grant in the same step. Neither `uses` nor `until`: 24 hours. */
export type RememberInput = {
  uses?: number;
  /** How long from now: `90s`, `30m`, `24h`, `7d`. */
  until?: string;
  /** What the grant covers; left out, the narrowest that would cover this call. */
  covers?: GrantCover;
  /** For this session of the agent only. */
  session?: true;
  /** Other open questions of the agent that the grant covers and that this yes answers too, each with what was seen. */
  also?: readonly { id: string; digest: string }[];
};

/** How long from now. */
const span: Check = (value, path) => {
  if (typeof value === "string" && parseDuration(value) !== undefined) return;
  const found = typeof value === "string" && value !== "" ? value : kindOf(value);
  throw badInput(path, `${found} is not a span of time`, "write 90s, 30m, 24h or 7d");
};

const only: Check = (value, path) => {
  if (value !== true) throw badInput(path, `${kindOf(value)} is not true`, "say true, or leave it out");
};

const REMEMBER: Shape<RememberInput> = {
  uses: maybe(whole(1)),
  until: maybe(span),
  covers: maybe(cover),
  session: maybe(only),
  also: maybe(listOf(objectLike({ id: text, digest: text }))),
};

/** A typo in the verdict is an error, not a denial. */
export const REVIEW: Shape<ReviewInput> = {
  by: text,
  verdict: oneOf(["approve", "deny"]),
  digest: text,
  note: maybe(note),
  remember: maybe(objectLike(REMEMBER)),
  edits: maybe((value, path) => void objectOf(value, path)),
};

/** What a person at this program may say; what they were shown is known. */
export const PERSON_ANSWER: Shape<Omit<ReviewInput, "digest" | "edits">> = {
  by: REVIEW.by,
  verdict: REVIEW.verdict,
  note: REVIEW.note,
  remember: REVIEW.remember,
};

/** Puts one person's review before the gate; unless the door is surer, vouched for by this program. */
export async function reviewFor(
  deps: Deps,
  approvalId: string,
  input: ReviewInput,
  sure: Sure = VOUCHED,
): Promise<Approval> {
  textOf(approvalId, "approvalId");
  const { by, verdict, digest, note: said = "", edits, remember } = checked(input, REVIEW);
  const given = { by, verdict, digest: digest as Digest, note: said, bulk: false, ...sure };
  if (edits !== undefined) {
    if (verdict === "deny") throw badInput("edits", "a denial changes nothing", "leave them out, or approve");
    if (remember !== undefined)
      throw badInput("remember", "an edit is for one call", "approve and remember a call as it was asked");
    return orThrow(await edit(deps, approvalId, { ...given, args: objectOf(edits, "edits") }));
  }
  const lasting = remember === undefined ? {} : { remember: rememberOf(remember, deps.clock.nowMs()) };
  return orThrow(await review(deps, approvalId, { ...given, ...lasting }));
}

function rememberOf({ uses, until, covers, session, also }: RememberInput, nowMs: number): Remember {
  const forMs = until === undefined ? undefined : parseDuration(until);
  return {
    ...(uses === undefined ? {} : { usesMax: uses }),
    ...(forMs === undefined ? {} : { untilMs: nowMs + forMs }),
    ...(covers === undefined ? {} : { covers }),
    ...(session === undefined ? {} : { session }),
    ...(also === undefined ? {} : { also: also as NonNullable<Remember["also"]> }),
  };
}
