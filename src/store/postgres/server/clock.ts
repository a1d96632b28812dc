import { say } from "../../../core/messages/message.ts";
import { StoreUnavailable } from "../../../ports.ts";
import type { Session } from "./session.ts";

/** Machines with NTP differ by milliseconds. A question that is open for minutes is still judged rightly within this. */
const DIFFERENCE_MAX_MS = 60_000;
/** After so long the database is asked again, because its own clock may have been set. */
const KNOWN_MS = 600_000;

const NOW = "select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms";

/** How far this process was ahead of the database (negative: behind), and what the two clocks of the process showed then. */
type Compared = { aheadMs: number; wallMs: number; upMs: number };

/**
 * Compares the clock of this process with the one of the database, which is the same for all processes, and refuses if they differ too
 * much: what a machine with a wrong clock records expires the questions of all others, and its time stays in the record.
 *
 * The database is asked once. After that a wall clock that was set shows beside the clock that only counts up. A machine that slept
 * shows the same, so the database is asked again before anything is refused.
 */
export function clockBeside(use: <T>(act: (session: Session) => Promise<T>) => Promise<T>): () => Promise<void> {
  let known: Compared | undefined;
  let asking: Promise<Compared> | undefined;
  // Callers who come meanwhile share the answer.
  const ask = () => {
    asking ??= use(compare).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return async () => {
    if (known !== undefined && isNear(aheadNow(known)) && performance.now() - known.upMs < KNOWN_MS) return;
    known = await ask();
    if (!isNear(known.aheadMs)) throw new StoreUnavailable(differs(known.aheadMs), { hint: say("hint.set_clock") });
  };
}

async function compare(session: Session): Promise<Compared> {
  const before = Date.now();
  const [row] = await session.run(NOW, []);
  const [after, there] = [Date.now(), Number(row?.["now_ms"])];
  // Within the time that the answer took, nothing is known about the difference.
  const aheadMs = there < before ? before - there : Math.min(0, after - there);
  return { aheadMs, wallMs: after, upMs: performance.now() };
}

function aheadNow({ aheadMs, wallMs, upMs }: Compared): number {
  return aheadMs + (Date.now() - wallMs) - (performance.now() - upMs);
}

function isNear(aheadMs: number): boolean {
  return Math.abs(aheadMs) <= DIFFERENCE_MAX_MS;
}

function differs(aheadMs: number): string {
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  const by = minutes === 1 ? "1 minute" : `${minutes} minutes`;
  return `the clock of this machine is ${by} ${aheadMs > 0 ? "ahead of" : "behind"} the one of PostgreSQL`;
}
