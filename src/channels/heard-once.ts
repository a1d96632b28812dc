// A service sends a callback again if it got no answer in time, and somebody could send a recorded one again. Each counts
// once, as long as this process remembers it; the gate itself counts no button twice, whatever happens here.

export type HeardOnce = {
  /**
   * Does the work for the first callback with any of these keys. A repeat waits until the first is done and gets nothing; if
   * the first failed, the repeat takes its place.
   */
  once<T>(keys: readonly string[], nowMs: number, work: () => Promise<T>): Promise<T | undefined>;
};

/** At most `keptMax` keys are remembered, and each at most for `keptMs`. */
export function heardOnce({ keptMs, keptMax }: { keptMs: number; keptMax: number }): HeardOnce {
  // In the order of their times: those at the front are the first to be forgotten.
  const known = new Map<string, { untilMs: number; done: Promise<boolean> }>();
  const forgetOld = (nowMs: number) => {
    for (const [key, { untilMs }] of known) {
      if (untilMs > nowMs && known.size < keptMax) return;
      known.delete(key);
    }
  };
  const heardBefore = async (keys: readonly string[]) => {
    for (;;) {
      const first = keys.map((key) => known.get(key)).find((one) => one !== undefined);
      if (first === undefined || (await first.done)) return first !== undefined;
    }
  };
  return {
    once: async (keys, nowMs, work) => {
      if (await heardBefore(keys)) return undefined;
      forgetOld(nowMs);
      const going = work();
      // Only whether it was done is kept: what came of it may be large.
      const done = going.then(
        () => true,
        () => {
          for (const key of keys) known.delete(key);
          return false;
        },
      );
      for (const key of keys) known.set(key, { untilMs: nowMs + keptMs, done });
      return going;
    },
  };
}
