import type { Question } from "./approval.ts";
import type { Mint, WorkspaceId } from "./ids.ts";
import type { Notice, NoticeKind } from "./notice.ts";

/** Who is told about a question: the reviewers it names, else the agent's owner and the admins. */
export function recipientsOf(question: Question, owner?: string): readonly string[] {
  const named = question.reviewers.flat();
  return [...new Set(named.length > 0 ? named : owner === undefined ? ["admins"] : [owner, "admins"])];
}

const TITLES: Record<NoticeKind, (agent: string, tool: string) => string> = {
  pending: (agent, tool) => `${agent} asks to use ${tool}`,
  reminder: (agent, tool) => `${agent} still waits to use ${tool}`,
  escalated: (agent, tool) => `nobody answered yet: ${agent} asks to use ${tool}`,
  resolved: (agent, tool) => `decided: ${agent} and ${tool}`,
  ran: (agent, tool) => `${agent} used ${tool}`,
  unknown: (agent, tool) => `nobody knows how ${tool} of ${agent} ended`,
  void: (agent, tool) => `approved but not run in time: ${tool} of ${agent}`,
  limit: (agent, tool) => `${agent} reached a limit with ${tool}`,
  paused: (agent, tool) => `${agent} is paused for ${tool}`,
};

/** A notice refers to its subject; what it is about is rendered when it is sent, for whoever may see it. */
export function noticeOf(
  mint: Mint,
  n: {
    kind: NoticeKind;
    to: string;
    ref: string;
    workspace: WorkspaceId;
    nowMs: number;
    about: { agent: string; tool: string; class: string };
    text?: string;
  },
): Notice {
  return {
    id: mint.next("ntc"),
    workspace: n.workspace,
    kind: n.kind,
    to: n.to,
    title: TITLES[n.kind](n.about.agent, n.about.tool),
    text: n.text ?? n.about.class,
    ref: n.ref,
    channel: "inbox",
    createdMs: n.nowMs,
    attempts: 0,
    dueMs: n.nowMs,
    state: "waiting",
  };
}
