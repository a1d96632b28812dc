import type { Clock } from "../../ports.ts";

/**
 * Wakes one who waits. A ring is a hint that may be lost on its way; the time is what can be relied upon. One that comes
 * while nobody waits is kept for whoever waits next.
 */
type Bell = { ring(): void; next(withinMs: number): Promise<void> };

export function bellOf(sleep: Clock["sleep"]): Bell {
  let isRung = false;
  let wake = (): void => undefined;
  return {
    ring: () => {
      isRung = true;
      wake();
    },
    next: async (withinMs) => {
      if (!isRung) {
        // A signal for each wait: on one that all share, those who left would keep listening.
        const enough = new AbortController();
        wake = () => enough.abort();
        await sleep(withinMs, enough.signal);
      }
      isRung = false;
    },
  };
}
