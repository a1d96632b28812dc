import type { NoticeId, WorkspaceId } from "./ids.ts";
import type { InEnglish } from "./messages/in-english.ts";
import type { Message } from "./messages/message.ts";

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
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Messages to people that need no answer; questions have their own list. */
export const TOLD_KINDS: readonly NoticeKind[] = ["ran", "unknown", "void", "limit", "paused", "access"];

/**
 * One message waiting to be delivered. It refers; it never carries arguments, links or tokens. Rows that were written before
 * messages were data have texts in English.
 */
export type Notice = {
  id: NoticeId;
  workspace: WorkspaceId;
  kind: NoticeKind;
  /** A person, `group:name`, or `admins`. */
  to: string;
  title: Message | string;
  text: Message | string;
  /** What it is about: an approval, a call, an execution. */
  ref: string;
  channel: string;
  createdMs: number;
  attempts: number;
  dueMs: number;
  readMs?: number;
} & (
  | { state: "waiting" }
  | { state: "delivered"; atMs: number }
  | { state: "dead"; atMs: number; why: Message | string }
);

/** A notice as somebody reads it. */
export type NoticeText = InEnglish<Notice>;
