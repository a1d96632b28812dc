import type { Digest } from "../../core/call.ts";
import type { ApprovalId } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import { parseDuration } from "../../core/values/duration.ts";
import { badInput } from "../refusal.ts";
import {
  jsonObject,
  kindOf,
  listOf,
  maybe,
  nameOf,
  note,
  object,
  oneOf,
  type Shape,
  shapeOf,
  type TypeOf,
  text,
  whole,
} from "../shape.ts";
import { cover } from "./covers.ts";

/** How long from now. */
const span: Shape<string> = shapeOf({ type: "string" }, (value, path) => {
  if (typeof value === "string" && parseDuration(value) !== undefined) return value;
  const found = typeof value === "string" && value !== "" ? value : kindOf(value);
  throw badInput(path, say("refusal.not_a_span", { text: found }), say("hint.duration"));
});

const only: Shape<true> = shapeOf({ const: true }, (value, path) => {
  if (value === true) return value;
  throw badInput(path, say("refusal.not_true", { kind: kindOf(value) }), say("hint.true_or_leave_out"));
});

/** A question, and what was seen of it. */
export const SEEN = object({ id: nameOf<ApprovalId>(), digest: nameOf<Digest>() });

/** Approve and go on approving: makes a grant in the same step. Neither `uses` nor `until`: 24 hours. */
const REMEMBER = object({
  uses: maybe(whole(1)),
  /** How long from now: `90s`, `30m`, `24h`, `7d`. */
  until: maybe(span),
  /** What the grant covers; left out, the narrowest that would cover this call. */
  covers: maybe(cover),
  /** For this session of the agent only. */
  session: maybe(only),
  /** Other open questions of the agent that the grant covers and that this yes answers too, each with what was seen. */
  also: maybe(listOf(SEEN)),
});
export type ReadRemember = TypeOf<typeof REMEMBER>;
/** The same as a program writes it. */
export type RememberInput = Omit<ReadRemember, "also"> & {
  /** Other open questions of the agent that the grant covers and that this yes answers too, each with what was seen. */
  also?: readonly { id: string; digest: string }[];
};

/** One person's answer. A typo in the verdict is an error, not a denial. */
export const REVIEW = object({
  by: text,
  verdict: oneOf(["approve", "deny"]),
  /** What the person saw; an answer about other bytes is refused. */
  digest: nameOf<Digest>(),
  note: maybe(note),
  remember: maybe(REMEMBER),
  /** Other arguments in place of the ones asked about; they are judged again. */
  edits: maybe(jsonObject),
});
export type ReadReview = TypeOf<typeof REVIEW>;
/** One person's answer, by a program that vouches for who gave it: recorded with assurance `process`. */
export type ReviewInput = Omit<ReadReview, "digest" | "remember" | "edits"> & {
  /** What the person saw; an answer about other bytes is refused. */
  digest: string;
  remember?: RememberInput;
  /** Other arguments in place of the ones asked about; they are judged again. */
  edits?: unknown;
};

/** What a person at this program may say; what they were shown is known. */
const { digest: _, edits: __, ...SAID } = REVIEW.keys;
export const PERSON_ANSWER = object(SAID);

/** The same without who says it, where that is proved. */
const { by: ___, ...ANSWERED } = REVIEW.keys;
export const ANSWER = object(ANSWERED);
