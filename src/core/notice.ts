import type { NoticeId, WorkspaceId } from "./ids.ts";

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

/** What people are told besides being asked: questions have a list of their own. */
export const TOLD_KINDS: readonly NoticeKind[] = ["ran", "unknown", "void", "limit", "paused", "access"];

/** One message waiting to be delivered. It refers; it never carries arguments, links or tokens. */
export type Notice = {
  id: NoticeId;
  workspace: WorkspaceId;
  kind: NoticeKind;
  /** A person, `group:name`, or `admins`. */
  to: string;
  title: string;
  text: string;
  /** What it is about: an approval, a call, an execution. */
  ref: string;
  channel: string;
  createdMs: number;
  attempts: number;
  dueMs: number;
  readMs?: number;
} & ({ state: "waiting" } | { state: "delivered"; atMs: number } | { state: "dead"; atMs: number; why: string });
