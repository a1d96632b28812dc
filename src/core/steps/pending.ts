import type { Need, Write } from "../change.ts";
import type { AgentName } from "../ids.ts";

// How many questions of an agent and its sub-agents are open, counted by the Changes that open and close them: a number that was only read
// is old by the time it is used, and calls that come together would all be asked.

/** Over this many open questions the agent is told to wait: a flood must not bury the one that matters. */
export const PENDING_PER_AGENT_MAX = 20;

const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

/** Whoever asks by itself, or the agent it is a sub-agent of: names are easily made up. */
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

/** So many questions of one agent are announced one by one in a window; further ones share a notice. */
export const ANNOUNCED_MAX = PENDING_PER_AGENT_MAX;
const WINDOW_MS = 10 * 60_000;

/** How many questions an agent and its sub-agents opened in this window, whatever became of them: asking and withdrawing counts. */
export function askedCounter({ agent, root = agent }: Asker, nowMs: number): string {
  return `asked:${root}:${Math.floor(nowMs / WINDOW_MS)}`;
}

export function oneMoreAsked(asker: Asker, nowMs: number): Write {
  return { do: "add", counter: askedCounter(asker, nowMs), by: 1, untilMs: nowMs + WINDOW_MS };
}

export function openCounter({ agent, root = agent }: Asker): string {
  return `pending:${root}`;
}
