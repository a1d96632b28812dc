/** Remembers for a while what was heard, because Slack sends some things again and others may try to. */
export type Repeats = {
  /** Whether any of these was heard before; afterwards all of them were. */
  heardBefore(keys: readonly string[], nowMs: number): boolean;
  /** Nothing came of it: it counts when it comes again. */
  forget(keys: readonly string[]): void;
};

/** Longer than Slack repeats an event, and than a signature counts. */
const KEPT_MS = 15 * 60_000;
const KEPT_MAX = 20_000;

export function repeats(): Repeats {
  // In the order of their times: those at the front are the first to be forgotten.
  const untilMs = new Map<string, number>();
  const prune = (nowMs: number) => {
    for (const [key, until] of untilMs) {
      if (until > nowMs && untilMs.size <= KEPT_MAX) return;
      untilMs.delete(key);
    }
  };
  return {
    heardBefore: (keys, nowMs) => {
      prune(nowMs);
      const known = keys.some((key) => untilMs.has(key));
      for (const key of keys) if (!untilMs.has(key)) untilMs.set(key, nowMs + KEPT_MS);
      return known;
    },
    forget: (keys) => {
      for (const key of keys) untilMs.delete(key);
    },
  };
}
