import { say } from "../../core/messages/message.ts";
import { parseDuration } from "../../core/values/duration.ts";
import { badInput } from "../refusal.ts";
import { kindOf, maybe, object, oneOf, reason, type Shape, shapeOf, type TypeOf, text, whole } from "../shape.ts";
import { cover } from "./covers.ts";

/** A duration from now, or a time in milliseconds. */
const time: Shape<string | number> = shapeOf({ type: ["string", "integer"] }, (value, path) => {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  if (typeof value === "string" && parseDuration(value) !== undefined) return value;
  const found = typeof value === "string" && value !== "" ? value : kindOf(value);
  throw badInput(path, say("refusal.no_time", { text: found }), say("hint.duration_or_ms"));
});

/** The input of a new grant. Without `until` and `uses` it is valid for 24 hours. */
export const GRANT_INPUT = object({
  subject: object({ agent: maybe(text), session: maybe(text), run: maybe(text), person: maybe(text) }),
  covers: cover,
  tier: maybe(oneOf(["notify", "auto"])),
  because: reason,
  by: text,
  /** A duration from now (`90s`, `30m`, `24h`, `7d`) or a time in milliseconds. */
  until: maybe(time),
  uses: maybe(whole(1)),
});
export type GrantInput = TypeOf<typeof GRANT_INPUT>;
