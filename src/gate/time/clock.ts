import { type Change, changeOf } from "../../core/change.ts";
import { draft } from "../../core/steps/draft.ts";
import { formatDuration } from "../../core/values/duration.ts";
import type { Clock } from "../../ports.ts";
import type { Deps, GateClock } from "../deps.ts";

// The ledger never goes back in time, and neither does the gate. If the clock is behind the last entry, the gate continues
// from the time of that entry, at the speed of the clock, and says so. What has expired stays expired, whatever the clock says.

/** Clocks are often corrected by less than this; then the gate waits until the clock has caught up. */
const CLOCK_SLACK_MS = 60_000;
/** How long the time that was read from the ledger may be used. */
const LOOK_AGAIN_MS = 1000;
/** The counter that stores how far the gate's time is ahead of the clock. */
const AHEAD = "clock:ahead";
const FOREVER_MS = Number.MAX_SAFE_INTEGER;

export function gateClock(clock: Clock): GateClock {
  let lookedMs = Number.POSITIVE_INFINITY;
  let floorMs = 0;
  let recordedMs = 0;
  let aheadMs = 0;
  let latestMs = 0;
  let looking: Promise<void> | undefined;
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
      // Time that this process has seen is in the past, also if nothing was recorded since.
      const headMs = Math.max(ledger.headMs, latestMs);
      aheadMs = aheadAt(wallMs, { ...ledger, headMs });
      recordedMs = ledger.aheadMs;
      floorMs = headMs;
      lookedMs = wallMs;
    },
    unrecordedMs: () => aheadMs - recordedMs,
    together: (look) => {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}

/** Zero if the clock is right; unchanged if that still leads past the last entry; otherwise just enough to reach it. */
function aheadAt(wallMs: number, { headMs, aheadMs }: { headMs: number; aheadMs: number }): number {
  if (wallMs >= headMs) return 0;
  return wallMs + aheadMs >= headMs - CLOCK_SLACK_MS ? aheadMs : headMs - wallMs;
}

/** The gate's time, if it is known without reading the ledger. */
export function timeKnown({ clock }: Pick<Deps, "clock">): number | undefined {
  return clock.isDue() || clock.unrecordedMs() !== 0 ? undefined : clock.nowMs();
}

/** The gate's time for a step that will record something. */
export async function timeNow(deps: Deps): Promise<number> {
  await lookIfDue(deps);
  if (deps.clock.unrecordedMs() !== 0) {
    // If another process was faster, its record is read.
    await deps.store.commit(clockChange(deps));
    await lookAtLedger(deps);
  }
  return deps.clock.nowMs();
}

/** The gate's time for checking whether something has expired. */
export async function timeToRead(deps: Deps): Promise<number> {
  await lookIfDue(deps);
  return deps.clock.nowMs();
}

/** All callers notice at the same moment that it is time to look, so one of them looks for all. */
async function lookIfDue(deps: Deps): Promise<void> {
  if (deps.clock.isDue()) await deps.clock.together(() => lookAtLedger(deps));
}

/** Reads the time of the ledger. Writes nothing. The last entry says it: the head has it too, but nothing protects that one. */
export async function lookAtLedger(deps: Deps): Promise<void> {
  const { store, workspace, clock, seals } = deps;
  const head = await store.read({ ask: "head", workspace });
  const [last] = await store.read({ ask: "links", workspace, afterIndex: head.index - 1, limit: 1 });
  const [aheadMs = 0] = await store.read({ ask: "counters", workspace, counters: [AHEAD], nowMs: 0 });
  const latestMs = (await seals?.latestMs(clock.nowMs())) ?? 0;
  clock.learn({ headMs: Math.max(last?.atMs ?? 0, latestMs), aheadMs });
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
      // Two processes may notice this at the same time; only one of them writes the entry.
      needs: [{ is: "room", counters: [AHEAD], add: by, max: aheadMs }],
      writes: [{ do: "add", counter: AHEAD, by, untilMs: FOREVER_MS }],
      entries: [draft(mint, entry)],
    },
  ]);
}

/** A note for the caller if the clock is behind the ledger. */
export function clockNotes({ clock }: Pick<Deps, "clock">): readonly string[] {
  if (clock.aheadMs() <= CLOCK_SLACK_MS) return [];
  const behind = roundly(clock.aheadMs());
  return [`the clock is ${behind} behind the ledger; the gate uses the ledger's time, which never goes back`];
}

const HOUR_MS = 3_600_000;

/** In minutes; from two hours on in hours; from two days on in days. */
function roundly(ms: number): string {
  const unitMs = [24 * HOUR_MS, HOUR_MS].find((unit) => ms >= 2 * unit) ?? 60_000;
  return formatDuration(Math.round(ms / unitMs) * unitMs);
}
