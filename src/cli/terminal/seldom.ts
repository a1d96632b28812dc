// What fails in the background fails again with every try. It is told at once, and then more and more seldom.

const FIRST_MS = 60_000;
const MOST_MS = 3_600_000;

/** `times`: how often it failed since it was told last. */
type Told = { text: string; times: number };
type Known = { toldMs: number; heardMs: number; waitMs: number; times: number };

/** Tells each text once, again after a minute if it still goes on, then after two, four, and at last every hour. */
export function seldom(tell: (told: Told) => void, upMs = () => performance.now()): (error: unknown) => void {
  const known = new Map<string, Known>();
  return (error) => {
    const text = error instanceof Error ? error.message : String(error);
    const nowMs = upMs();
    // What was not heard for so long is over; if it comes back, it is news.
    for (const [over, { heardMs }] of known) if (nowMs - heardMs > FIRST_MS) known.delete(over);
    // The same failure often has other numbers: of a port, of an entry, of seconds.
    const kind = text.replace(/\d+/g, "0");
    const before = known.get(kind);
    if (before === undefined) {
      known.set(kind, { toldMs: nowMs, heardMs: nowMs, waitMs: FIRST_MS, times: 0 });
      tell({ text, times: 1 });
      return;
    }
    before.heardMs = nowMs;
    before.times += 1;
    if (nowMs - before.toldMs < before.waitMs) return;
    tell({ text, times: before.times });
    Object.assign(before, { toldMs: nowMs, waitMs: Math.min(before.waitMs * 2, MOST_MS), times: 0 });
  };
}
