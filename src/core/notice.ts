import type { Digest } from "./call.ts";
import type { NoticeId, WorkspaceId } from "./ids.ts";
import type { Message } from "./messages/message.ts";
import type { InEnglish } from "./messages/text.ts";
import type { Sealed } from "./secret.ts";

export const NOTICE_KINDS = [
  "pending",
  "reminder",
  "escalated",
  "resolved",
  "ran",
  "unknown",
  "void",
  "limit",
  "paused",
  "access",
  "update",
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Messages to people that need no answer; questions have their own list. */
export const TOLD_KINDS: readonly NoticeKind[] = ["ran", "unknown", "void", "limit", "paused", "access"];

/**
 * One message to be delivered. As a row it only refers, and never contains arguments, results, links or tokens. Rows from before messages
 * were data have texts in English.
 */
export type Notice = {
  id: NoticeId;
  workspace: WorkspaceId;
  kind: NoticeKind;
  /** A person, `group:name`, `admins`, or `place:…` for a chat or an endpoint that everybody there reads. */
  to: string;
  title: Message | string;
  text: Message | string;
  /** What it is about: an approval, a call, an execution. */
  ref: string;
  channel: string;
  /** The account that it is sent to, if it is none that the person has now: one that was replaced. */
  account?: string;
  createdMs: number;
  attempts: number;
  dueMs: number;
  readMs?: number;
  /** When a person asked to send it again after it was given up. */
  retriedMs?: number;
} & (
  | { state: "waiting" }
  | { state: "delivered"; atMs: number; sent?: SentMessage }
  | { state: "dead"; atMs: number; why: Message | string }
);

/** A notice as somebody reads it. */
export type NoticeText = InEnglish<Notice>;

/** A message in a channel, as far as the gate must know it again. */
export type SentMessage = {
  /** The channel's own id of the message, and the chat that it is in. With these it can be changed. */
  message?: string;
  chat?: string;
  /** What the buttons of this message prove, and the digest that it showed. Without a lock it has no buttons. */
  lock?: Sealed;
  digest?: Digest;
};

/** Kinds of notices that show a question. */
export const ASKING_KINDS: readonly NoticeKind[] = ["pending", "reminder", "escalated"];

/** Several events in one message, sent when their time window ends: such rows have a name instead of a random id. */
export function isDigest({ id }: Pick<Notice, "id">): boolean {
  return /^ntc_[a-z]+_\d/.test(id);
}
