import type { Clock } from "../../ports.ts";

/**
 * Wakes a waiting loop. A ring is only a hint and may be lost, so every wait also has a time limit. A ring that comes
 * while nobody waits is kept for the next wait.
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
        // Each wait has its own signal. With a shared one, listeners of earlier waits would stay registered.
        const enough = new AbortController();
        wake = () => enough.abort();
        await sleep(withinMs, enough.signal);
      }
      isRung = false;
    },
  };
}
