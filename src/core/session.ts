import type { AgentName } from "./ids.ts";

/**
 * A session of an agent as people look at it: does somebody have to answer, does it go on, or has it ended? A session
 * that waits looks like one that has ended to whoever has thirty of them, if nobody tells them apart.
 */
export type SessionSummary = {
  session: string;
  /** The agent at the top of the session; its sub-agents belong to it. */
  agent: AgentName;
  state: "waiting" | "active" | "finished";
  /** How many questions are open. */
  questions: number;
  /** How many of the recent calls belong to it. */
  calls: number;
  lastMs: number;
  lastTool?: string;
  /** The id of the last call. */
  lastCall?: string;
  /** The folder of the last call. */
  cwd?: string;
};

/** A call or an open question of a session, with the agent at the top. */
type Made = { session?: string; agent: AgentName; root?: AgentName };
export type SeenCall = Made & { tool: string; atMs: number; call?: string; cwd?: string };
type SeenQuestion = Made & { openedMs: number };

export type SeenSessions = {
  /** The newest first. */
  calls: readonly SeenCall[];
  questions: readonly SeenQuestion[];
  ended: readonly { session?: string; atMs: number }[];
};

/** Sessions of the test calls of `leeway doctor` begin with this. They are not listed once they have ended. */
export const DOCTOR_SESSION = "leeway-doctor-";

const ORDER = { waiting: 0, active: 1, finished: 2 } as const;

/** The sessions that wait for somebody come first, then the newest. */
export function sessionsOf({ calls, questions, ended }: SeenSessions): readonly SessionSummary[] {
  const found = new Map<string, SessionSummary>();
  const at = (made: Made & { session: string }, atMs: number): SessionSummary => {
    const known = found.get(made.session);
    if (known !== undefined) return known;
    const agent = made.root ?? made.agent;
    const fresh = { session: made.session, agent, state: "active" as const, questions: 0, calls: 0, lastMs: atMs };
    found.set(made.session, fresh);
    return fresh;
  };
  for (const call of calls) {
    if (!inSession(call)) continue;
    const held = at(call, call.atMs);
    held.calls += 1;
    if (held.lastTool !== undefined) continue;
    held.lastTool = call.tool;
    if (call.call !== undefined) held.lastCall = call.call;
    if (call.cwd !== undefined) held.cwd = call.cwd;
  }
  for (const question of questions) {
    if (!inSession(question)) continue;
    const held = at(question, question.openedMs);
    held.questions += 1;
    held.state = "waiting";
  }
  for (const { session = "", atMs } of ended) {
    const held = found.get(session);
    if (held?.state === "active" && atMs >= held.lastMs) held.state = "finished";
  }
  const listed = [...found.values()].filter((one) => one.state !== "finished" || !isDoctors(one));
  return listed.sort((a, b) => ORDER[a.state] - ORDER[b.state] || b.lastMs - a.lastMs);
}

function isDoctors({ session }: SessionSummary): boolean {
  return session.startsWith(DOCTOR_SESSION);
}

function inSession<M extends Made>(made: M): made is M & { session: string } {
  return made.session !== undefined;
}
