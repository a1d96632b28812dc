import { type Change, changeOf } from "../../core/change.ts";
import { draft } from "../../core/steps/draft.ts";
import { formatDuration } from "../../core/values/duration.ts";
import type { Clock } from "../../ports.ts";
import type { Deps, GateClock } from "../deps.ts";

// The ledger never goes back in time, and neither does the gate: where the clock is behind the last entry, the gate
// goes on from there, at the clock's pace, and says so. What was used up or over stays so, whatever the clock says.

/** Behind by less is how clocks are put right every day; the gate waits for them. */
const CLOCK_SLACK_MS = 60_000;
/** How long what was read of the ledger's time is good for. */
const LOOK_AGAIN_MS = 1000;
/** Kept as a counter: by how much the gate's time is ahead of the clock. */
const AHEAD = "clock:ahead";
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

export function gateClock(clock: Clock): GateClock {
  let lookedMs = Number.POSITIVE_INFINITY;
  let floorMs = 0;
  let recordedMs = 0;
  let aheadMs = 0;
  let latestMs = 0;
  return {
    nowMs: () => Math.max(clock.nowMs() + aheadMs, floorMs),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    wallMs: () => clock.nowMs(),
    aheadMs: () => aheadMs,
    isDue: () => {
      const wallMs = clock.nowMs();
      latestMs = Math.max(latestMs, wallMs + aheadMs);
      return wallMs < lookedMs || wallMs - lookedMs >= LOOK_AGAIN_MS;
    },
    learn: (ledger) => {
      const wallMs = clock.nowMs();
      // What this process has lived through is over, whether or not anything was recorded since.
      const headMs = Math.max(ledger.headMs, latestMs);
      aheadMs = aheadAt(wallMs, { ...ledger, headMs });
      recordedMs = ledger.aheadMs;
      floorMs = headMs;
      lookedMs = wallMs;
    },
    unrecordedMs: () => aheadMs - recordedMs,
  };
}

/** None where the clock is right; as before while that still leads past the last entry; else just enough to reach it. */
function aheadAt(wallMs: number, { headMs, aheadMs }: { headMs: number; aheadMs: number }): number {
  if (wallMs >= headMs) return 0;
  return wallMs + aheadMs >= headMs - CLOCK_SLACK_MS ? aheadMs : headMs - wallMs;
}

/** What time it is for the gate, where nobody has to look at the ledger first. */
export function timeKnown({ clock }: Pick<Deps, "clock">): number | undefined {
  return clock.isDue() || clock.unrecordedMs() !== 0 ? undefined : clock.nowMs();
}

/** What time it is for the gate, for whoever is about to record something. */
export async function timeNow(deps: Deps): Promise<number> {
  if (deps.clock.isDue()) await lookAtLedger(deps);
  if (deps.clock.unrecordedMs() !== 0) {
    // Somebody else may be faster; what is on record then is read again.
    await deps.store.commit(clockChange(deps));
    await lookAtLedger(deps);
  }
  return deps.clock.nowMs();
}

/** What time it is for the gate, for whoever only looks whether something is over. */
export async function timeToRead(deps: Deps): Promise<number> {
  if (deps.clock.isDue()) await lookAtLedger(deps);
  return deps.clock.nowMs();
}

/** Reads where the ledger stands in time, and writes nothing. */
export async function lookAtLedger(deps: Deps): Promise<void> {
  const { store, workspace, clock, seals } = deps;
  const head = await store.read({ ask: "head", workspace });
  const [aheadMs = 0] = await store.read({ ask: "counters", workspace, counters: [AHEAD], nowMs: 0 });
  const latestMs = (await seals?.latestMs(clock.nowMs())) ?? 0;
  clock.learn({ headMs: Math.max(head.atMs, latestMs), aheadMs });
}

function clockChange(deps: Deps): Change {
  const { clock, mint, workspace } = deps;
  const [by, aheadMs] = [clock.unrecordedMs(), clock.aheadMs()];
  const entry = {
    kind: aheadMs === 0 ? ("clock.right" as const) : ("clock.behind" as const),
    actor: "leeway" as const,
    subject: {},
    body: { clockMs: clock.wallMs(), aheadMs },
  };
  return changeOf(mint, { workspace, nowMs: clock.nowMs() }, [
    {
      // Of two that found it at once, one adds.
      needs: [{ is: "room", counters: [AHEAD], add: by, max: aheadMs }],
      writes: [{ do: "add", counter: AHEAD, by, untilMs: FOREVER_MS }],
      entries: [draft(mint, entry)],
    },
  ]);
}

/** What whoever gets an answer should know about the time it was given at. */
export function clockNotes({ clock }: Pick<Deps, "clock">): readonly string[] {
  if (clock.aheadMs() <= CLOCK_SLACK_MS) return [];
  const behind = roundly(clock.aheadMs());
  return [`the clock is ${behind} behind the ledger; the gate goes by the ledger's time, which never goes back`];
}

const HOUR_MS = 3_600_000;

/** In minutes, in hours from two on, in days from two on. */
function roundly(ms: number): string {
  const unitMs = [24 * HOUR_MS, HOUR_MS].find((unit) => ms >= 2 * unit) ?? 60_000;
  return formatDuration(Math.round(ms / unitMs) * unitMs);
}
