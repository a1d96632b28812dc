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
import { cover, only } from "./covers.ts";

/** A duration from now. */
const span: Shape<string> = shapeOf({ type: "string" }, (value, path) => {
  if (typeof value === "string" && parseDuration(value) !== undefined) return value;
  const found = typeof value === "string" && value !== "" ? value : kindOf(value);
  throw badInput(path, say("refusal.not_a_span", { text: found }), say("hint.duration"));
});

/** A question, and the digest that the person saw. */
export const SEEN = object({ id: nameOf<ApprovalId>(), digest: nameOf<Digest>() });

/** Approves, and gives a grant in the same step. Without `uses` and `until` it is valid for 24 hours. */
const REMEMBER = object({
  uses: maybe(whole(1)),
  /** A duration from now: `90s`, `30m`, `24h`, `7d`. */
  until: maybe(span),
  /** What the grant covers; if left out, the narrowest cover for this call. */
  covers: maybe(cover),
  /** For this session of the agent only. */
  session: maybe(only),
  /** Other open questions of the agent that the grant covers and this approval answers too, each with its digest. */
  also: maybe(listOf(SEEN)),
});
export type ReadRemember = TypeOf<typeof REMEMBER>;
/** The same as a program writes it. */
export type RememberInput = Omit<ReadRemember, "also"> & {
  /** Other open questions of the agent that the grant covers and this approval answers too, each with its digest. */
  also?: readonly { id: string; digest: string }[];
};

/** One person's answer. A mistyped verdict is an error, not a denial. */
export const REVIEW = object({
  by: text,
  verdict: oneOf(["approve", "deny"]),
  /** The digest that the person saw. An answer to another content is refused. */
  digest: nameOf<Digest>(),
  note: maybe(note),
  remember: maybe(REMEMBER),
  /** Changed arguments; the edited call is decided again. */
  edits: maybe(jsonObject),
});
export type ReadReview = TypeOf<typeof REVIEW>;
/** One person's answer through a program that says who it is: recorded with the assurance `process`. */
export type ReviewInput = Omit<ReadReview, "digest" | "remember" | "edits"> & {
  /** The digest that the person saw. An answer to another content is refused. */
  digest: string;
  remember?: RememberInput;
  /** Changed arguments; the edited call is decided again. */
  edits?: unknown;
};

/** The answer of a person at this program. What they saw is known. */
const { digest: _, edits: __, ...SAID } = REVIEW.keys;
export const PERSON_ANSWER = object(SAID);

/** The same without the person, for doors that know who it is. */
const { by: ___, ...ANSWERED } = REVIEW.keys;
export const ANSWER = object(ANSWERED);
