import type { Receipt } from "../core/receipt.ts";
import { wait } from "../gate/wait.ts";
import type { Opened } from "./gate.ts";
import type { Io } from "./io.ts";
import { span } from "./time.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** Asked again in slices, so that a lost wake-up costs seconds, not the whole wait. */
const SLICE_MS = 30_000;

/** Waits for the reviewers with a live line on a terminal; whoever interrupts it leaves the question open. */
export async function waitForAnswer(io: Io, deps: Opened, approvalId: string): Promise<Receipt | "interrupted"> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, interrupt);
  const live = liveLine(io, deps.clock.nowMs(), approvalId);
  try {
    for (;;) {
      const receipt = await wait(deps, approvalId, { timeoutMs: SLICE_MS, signal: stop.signal });
      if (receipt.outcome !== "pending") return receipt;
      if (stop.signal.aborted) return "interrupted";
    }
  } finally {
    live.stop();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
  }
}

function liveLine(io: Io, sinceMs: number, approvalId: string): { stop(): void } {
  const text = `waiting for a person: ${approvalId}`;
  if (!io.stderr.isTTY) {
    io.stderr.write(`leeway: ${text}\n  hint: answer it with \`leeway inbox\` in a terminal\n`);
    return { stop: () => undefined };
  }
  let frame = 0;
  const draw = () => {
    const waited = span(io.clock.nowMs() - sinceMs);
    const line = `${FRAMES[frame++ % FRAMES.length]} ${text} · ${waited} · answer with \`leeway inbox\``;
    io.stderr.write(`\r${[...line].slice(0, Math.max(20, (io.stderr.columns || 80) - 1)).join("")}\x1b[K`);
  };
  draw();
  const timer = setInterval(draw, FRAME_MS);
  return {
    stop: () => {
      clearInterval(timer);
      io.stderr.write("\r\x1b[K");
    },
  };
}
