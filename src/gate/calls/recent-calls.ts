import type { Execution } from "../../core/execution.ts";
import type { AgentName } from "../../core/ids.ts";
import type { Agent } from "../../core/people.ts";
import type { Seen, Versioned } from "../../core/rows.ts";

// What this process has seen or done itself, so that most calls need no look at the store: an agent that had nothing
// waiting, and the rights of calls that it started. Nothing is decided by it alone: the Change that rests on it names it
// as a need, and where that fails the store is asked.

export type Remembered = {
  /** What a look at a new call of this agent would find, as far as is known; proved by the need `quiet`. */
  seenOf(agent: AgentName, epoch: number): Seen | undefined;
  /** Keeps what a look found, where nothing waited for the agent. */
  saw(seen: Seen): void;
  forget(agent: AgentName): void;
  started(right: Execution): void;
  right(id: string): Versioned<"executions"> | undefined;
  /** Each is good for one try: whoever was faster makes it look. */
  takeRight(id: string): Versioned<"executions"> | undefined;
};

const AGENTS_MAX = 10_000;
/** A caller that never settles leaves one behind. */
const RIGHTS_MAX = 10_000;

export function remembering(): Remembered {
  const agents = recentOnly<{ agent: Agent; epoch: number }>(AGENTS_MAX);
  const rights = recentOnly<Execution>(RIGHTS_MAX);
  const right = (id: string): Versioned<"executions"> | undefined => {
    const row = rights.get(id);
    return row === undefined ? undefined : { row, version: BORN_VERSION };
  };
  return {
    seenOf: (name, epoch) => {
      const known = agents.get(name);
      if (known === undefined || known.epoch !== epoch) return undefined;
      return { epoch, agent: known.agent, permits: NONE, approvedOfAgent: NONE, counters: NONE, remembered: true };
    },
    saw: ({ agent, epoch, permits, undelivered, approvedOfAgent }) => {
      if (agent === undefined) return;
      const waits = permits.length > 0 || approvedOfAgent.length > 0 || undelivered !== undefined;
      if (waits) agents.delete(agent.name);
      else agents.set(agent.name, { agent, epoch });
    },
    forget: (agent) => agents.delete(agent),
    started: (row) => rights.set(row.id, row),
    right,
    takeRight: (id) => {
      const found = right(id);
      rights.delete(id);
      return found;
    },
  };
}

/** A right is at its first version until somebody ends it. */
const BORN_VERSION = 1;
const NONE: readonly never[] = [];

/** At least the last `max` that were set, at most twice as many. */
function recentOnly<V>(max: number) {
  let recent = new Map<string, V>();
  let before = new Map<string, V>();
  return {
    get: (key: string): V | undefined => recent.get(key) ?? before.get(key),
    set: (key: string, value: V): void => {
      recent.set(key, value);
      if (recent.size < max) return;
      before = recent;
      recent = new Map();
    },
    delete: (key: string): void => {
      recent.delete(key);
      before.delete(key);
    },
  };
}
