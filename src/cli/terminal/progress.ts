import type { Io } from "./io.ts";

const WIDTH = 30;
const EVERY_MS = 100;

/** A progress bar on stderr for long tasks; nothing if stderr is not a terminal. */
export function progress(io: Io, what: string): { at(done: number, of: number): void; end(): void } {
  if (!io.stderr.isTTY) return { at: () => undefined, end: () => undefined };
  let shownMs = 0;
  return {
    at: (done, of) => {
      const nowMs = io.clock.nowMs();
      if (nowMs - shownMs < EVERY_MS && done < of) return;
      shownMs = nowMs;
      const part = of === 0 ? 1 : Math.min(1, done / of);
      const filled = Math.round(part * WIDTH);
      const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
      io.stderr.write(`\r${what} ${bar} ${Math.floor(part * 100)} % (${done} of ${of})\x1b[K`);
    },
    end: () => void io.stderr.write("\r\x1b[K"),
  };
}
