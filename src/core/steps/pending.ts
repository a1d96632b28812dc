import type { Need, Write } from "../change.ts";
import type { AgentName } from "../ids.ts";

// How many questions of an agent are open, counted by the Changes that open and close them: a number that was only read
// is old by the time it is used, and calls that come together would all be asked.

/** Over this many open questions the agent is told to wait: a flood must not bury the one that matters. */
export const PENDING_PER_AGENT_MAX = 20;

const FOR_EVER_MS = Number.MAX_SAFE_INTEGER;

export function roomToAsk(agent: AgentName): Need {
  return { is: "room", counters: [counterOf(agent)], add: 1, max: PENDING_PER_AGENT_MAX };
}

export function oneMoreOpen(agent: AgentName): Write {
  return { do: "add", counter: counterOf(agent), by: 1, untilMs: FOR_EVER_MS };
}

export function oneLessOpen(agent: AgentName): Write {
  return { do: "add", counter: counterOf(agent), by: -1, untilMs: FOR_EVER_MS };
}

function counterOf(agent: AgentName): string {
  return `pending:${agent}`;
}
