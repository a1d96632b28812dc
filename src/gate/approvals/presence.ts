import type { ApprovalId } from "../../core/ids.ts";
import { StoreUnavailable } from "../../ports.ts";
import { commitStep } from "../commit.ts";
import type { Deps } from "../deps.ts";

// Whether a caller still waits for an answer, in this process or another, so that a card can say what an approval will do. It
// is a hint for people; nothing is decided by it.

const BEAT_MS = 10_000;
/** Two intervals, because one report may be late. */
const HEARD_MS = 25_000;

/**
 * Reports every few seconds that a caller waits for this question, however often it is called. `givesUpMs`: when the caller
 * stops for good, if it knows.
 */
export function presenceOf(deps: Deps, givesUpMs?: number): (id: ApprovalId | undefined) => Promise<void> {
  let nextMs = 0;
  return async (id) => {
    const nowMs = deps.clock.nowMs();
    if (id === undefined || nowMs < nextMs) return;
    nextMs = nowMs + BEAT_MS;
    const untilMs = nowMs + HEARD_MS;
    const present = { do: "add", counter: waitersOf(id), by: 1, untilMs } as const;
    try {
      await commitStep(deps, async () => {
        // Who waits without an end, or for longer than anybody would, has none to tell.
        if (givesUpMs === undefined || !(givesUpMs < nowMs + LONGEST_MS))
          return { ok: true, pieces: [{ writes: [present] }], value: undefined };
        // A counter can only be added to: the difference makes it the latest end of all who wait.
        const [knownMs = 0] = await readCounters(deps, [endOf(id)]);
        const by = Math.max(0, givesUpMs - knownMs);
        const end = { do: "add", counter: endOf(id), by, untilMs } as const;
        return { ok: true, pieces: [{ writes: [present, end] }], value: undefined };
      });
    } catch (error) {
      // If this report fails, the caller still waits.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  };
}

/** A caller waits for the answer now. `untilMs`: when it stops for good, if that is known. */
export type Awaited = { untilMs?: number };

/** Which of these questions a caller waits for. */
export async function awaitedOf(deps: Deps, ids: readonly ApprovalId[]): Promise<ReadonlyMap<ApprovalId, Awaited>> {
  const found = await readCounters(deps, [...ids.map(waitersOf), ...ids.map(endOf)]);
  const nowMs = deps.clock.nowMs();
  return new Map(
    ids.flatMap((id, at): [ApprovalId, Awaited][] => {
      const [beats = 0, untilMs = 0] = [found[at], found[at + ids.length]];
      if (beats === 0) return [];
      return [[id, untilMs > nowMs && untilMs < nowMs + LONGEST_MS ? { untilMs } : {}]];
    }),
  );
}

/** Two callers that report in the same moment could add up to a time that means nothing. */
const LONGEST_MS = 7 * 24 * 60 * 60 * 1000;

function readCounters(deps: Deps, counters: readonly string[]): Promise<readonly number[]> {
  const { store, workspace, clock } = deps;
  return store.read({ ask: "counters", workspace, counters, nowMs: clock.nowMs() });
}

function waitersOf(id: ApprovalId): string {
  return `waiting:${id}`;
}

function endOf(id: ApprovalId): string {
  return `waiting-until:${id}`;
}
