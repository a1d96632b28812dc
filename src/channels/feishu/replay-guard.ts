// Feishu sends an event again if it got no answer in time, and somebody could send a recorded one again. Each event
// counts once, as long as this process remembers it; the gate itself counts no button twice, whatever happens here.

/** Feishu's last attempt comes about seven hours after the first. */
const KEPT_MS = 8 * 60 * 60_000;
const KEPT_MAX = 10_000;

export type ReplayGuard = {
  /** Does the work for the first request with this id. A repeat waits until the first is done and gets nothing. */
  once<T>(id: string, nowMs: number, work: () => Promise<T>): Promise<T | undefined>;
};

export function replayGuard(): ReplayGuard {
  const known = new Map<string, { untilMs: number; done: Promise<boolean> }>();
  const forgetOld = (nowMs: number) => {
    for (const [id, { untilMs }] of known) {
      if (untilMs > nowMs && known.size < KEPT_MAX) return;
      known.delete(id);
    }
  };
  return {
    once: async (id, nowMs, work) => {
      // If the first one failed, a repeat takes its place.
      if (await known.get(id)?.done) return undefined;
      forgetOld(nowMs);
      const going = work();
      // What came of it is not kept: a card is large.
      const done = going.then(
        () => true,
        () => false,
      );
      known.set(id, { untilMs: nowMs + KEPT_MS, done });
      try {
        return await going;
      } catch (error) {
        known.delete(id);
        throw error;
      }
    },
  };
}
