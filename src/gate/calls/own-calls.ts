import { type Execution, LEASE_MS } from "../../core/execution.ts";
import type { AgentName, AttemptId } from "../../core/ids.ts";
import type { Agent } from "../../core/people.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { Seen, Versioned } from "../../core/rows/rows.ts";

// What this process knows about its own calls, and how it holds them while they run.
//
// It remembers the agents that had nothing waiting, and the executions that it started, so that most calls need no read
// of the store. This is never the only proof: the Change that uses it has a matching need, and if that need fails, the
// store is read.

export type Remembered = {
  /** What the store would return about a new call of this agent, if it is known. The need `quiet` proves it. */
  seenOf(agent: AgentName, epoch: number): Seen | undefined;
  /** Keeps what was read, if nothing waits for the agent. */
  saw(seen: Seen): void;
  forget(agent: AgentName): void;
  started(right: Execution): void;
  right(id: string): Versioned<"executions"> | undefined;
  /** The caller was refused although this start may be recorded: certainly nobody started it. */
  refusedStart(receipt: Pick<Receipt, "outcome" | "executionId" | "attempt">): void;
  /** The attempt that was refused. */
  refusedAttempt(id: string): AttemptId | undefined;
  /** Returns a remembered execution once: if another process was faster, the next try reads the store. */
  takeRight(id: string): Versioned<"executions"> | undefined;
};

const AGENTS_MAX = 10_000;
/** A call that is never settled stays in this list. */
const RIGHTS_MAX = 10_000;

export function remembering(): Remembered {
  const agents = recentOnly<{ agent: Agent; epoch: number }>(AGENTS_MAX);
  const rights = recentOnly<Execution>(RIGHTS_MAX);
  const refused = recentOnly<AttemptId>(RIGHTS_MAX);
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
    refusedStart: ({ outcome, executionId, attempt }) => {
      if (outcome === "run" && executionId !== undefined && attempt !== undefined) refused.set(executionId, attempt);
    },
    refusedAttempt: (id) => refused.get(id),
    takeRight: (id) => {
      const found = right(id);
      rights.delete(id);
      return found;
    },
  };
}

/** An execution has its first version until it is changed for the first time. */
const BORN_VERSION = 1;
const NONE: readonly never[] = [];

/** Keeps at least the last `max` values that were set, and at most twice as many. */
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

/** The signal aborts if the claim is lost while the tool runs. */
type Lease = { signal: AbortSignal; stop(): void };

type Keeping = {
  /** Returns why the claim is lost, if it is. Throws if this is not known at the moment. */
  renew(): Promise<{ lost: unknown } | undefined>;
  nowMs(): number;
};

/**
 * Renews a claim while its tool runs. The interval is real time, also if the gate has a test's clock, because the tool
 * runs in real time.
 */
export function keepLease({ renew, nowMs }: Keeping): Lease {
  const gone = new AbortController();
  let renewedMs = nowMs();
  const beat = async () => {
    try {
      const refused = await renew();
      if (refused === undefined) renewedMs = nowMs();
      else gone.abort(refused.lost);
    } catch (error) {
      // A renewal that failed is tried again. The tool is told only when the lease must be over.
      if (nowMs() - renewedMs >= LEASE_MS) gone.abort(error);
    }
  };
  const timer = setInterval(beat, LEASE_MS / 3);
  timer.unref();
  return { signal: gone.signal, stop: () => clearInterval(timer) };
}

const RECORD_TRIES_MAX = 5;
const RECORD_PAUSE_MS = 100;

/** The tool ran, so its result is known. If the store is not available for a moment, recording the result is tried again. */
export async function recorded<T>(
  record: () => Promise<T>,
  how: { sleep(ms: number): Promise<void>; isFinal(error: unknown): boolean },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await record();
    } catch (error) {
      if (how.isFinal(error) || tries === RECORD_TRIES_MAX) throw error;
      await how.sleep(RECORD_PAUSE_MS * 2 ** tries);
    }
  }
}
