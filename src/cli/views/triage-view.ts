import { type Approval, handedMessage, snoozedUntilMs } from "../../core/approval.ts";
import { nameText } from "../../core/letters/name-text.ts";
import { textOf } from "../../core/messages/text.ts";
import { clockText, inOrAgo } from "../../core/show/when.ts";
import { visible } from "../../core/values/text.ts";

type Triaged = Pick<Approval, "replies" | "handed">;

/** Who should answer a question, and what was written to the agent about it; below the card, a line each. */
export function triageLines({ replies = [], handed = [] }: Triaged, nowMs: number): readonly string[] {
  return [
    ...handed.slice(-1).map((one) => `${textOf(handedMessage(one), "en")} (${inOrAgo(one.atMs, nowMs)})`),
    ...replies.map(({ by, text, atMs }) => `${nameText(by)} wrote to the agent (${inOrAgo(atMs, nowMs)}): ${text}`),
  ].map(visible);
}

export function snoozedText(approval: Approval, by: string, nowMs: number): string {
  const untilMs = snoozedUntilMs(approval, by, nowMs);
  if (untilMs === undefined) return `${approval.id} is in your list again`;
  return `${approval.id} is put aside for you until ${clockText(untilMs)}; then you get a reminder`;
}
