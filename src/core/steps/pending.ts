import type { Need, Write } from "../change.ts";
import type { AgentName } from "../ids.ts";

// Counts the open questions of an agent and its sub-agents, in the Changes that open and close them. A number that
// was only read could be out of date, and simultaneous calls would all be asked.

/** With more open questions than this, the agent is told to wait, so that a flood does not hide the important one. */
export const PENDING_PER_AGENT_MAX = 20;

const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

/** The agent, or for a sub-agent the agent above it, because names of sub-agents are easy to invent. */
export type Asker = { agent: AgentName; root?: AgentName };

export function roomToAsk(asker: Asker): Need {
  return { is: "room", counters: [openCounter(asker)], add: 1, max: PENDING_PER_AGENT_MAX };
}

export function oneMoreOpen(asker: Asker): Write {
  return { do: "add", counter: openCounter(asker), by: 1, untilMs: FOR_EVER_MS };
}

export function oneLessOpen(asker: Asker): Write {
  return { do: "add", counter: openCounter(asker), by: -1, untilMs: FOR_EVER_MS };
}

/** This many questions of one agent are announced separately in a time window; further ones share a notice. */
export const ANNOUNCED_MAX = PENDING_PER_AGENT_MAX;
const WINDOW_MS = 10 * 60_000;

/** How many questions an agent and its sub-agents opened in this window, including withdrawn ones. */
export function askedCounter({ agent, root = agent }: Asker, nowMs: number): string {
  return `asked:${root}:${Math.floor(nowMs / WINDOW_MS)}`;
}

export function oneMoreAsked(asker: Asker, nowMs: number): Write {
  return { do: "add", counter: askedCounter(asker, nowMs), by: 1, untilMs: nowMs + WINDOW_MS };
}

export function openCounter({ agent, root = agent }: Asker): string {
  return `pending:${root}`;
}
