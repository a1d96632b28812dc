import { nameText } from "../../core/letters/name-text.ts";
import type { Receipt } from "../../core/receipt.ts";
import { span } from "../../core/show/when.ts";
import { visibleOnOneLine } from "../../core/values/text.ts";
import type { Calls } from "../../library/guard.ts";
import { shortestId } from "../views/texts.ts";
import type { Io } from "./io.ts";
import { cut } from "./table.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** Waits in short steps, so that a lost wake-up costs seconds, not the whole wait. */
const SLICE_MS = 30_000;

/** Waits for the reviewers and shows a live line on a terminal. If the caller gives up, the question stays open. */
export async function waitForAnswer(
  io: Io,
  gate: Pick<Calls, "wait" | "nowMs">,
  asked: { approvalId: string; waitMs: number; inbox: string },
): Promise<Receipt | "left"> {
  const { approvalId } = asked;
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, interrupt);
  const startedMs = gate.nowMs();
  const live = liveLine(io, io.clock.nowMs(), asked);
  try {
    for (;;) {
      const leftMs = startedMs + asked.waitMs - gate.nowMs();
      const timeoutMs = Math.max(0, Math.min(SLICE_MS, leftMs));
      const receipt = await gate.wait(approvalId, {
        timeoutMs,
        givesUpMs: startedMs + asked.waitMs,
        signal: stop.signal,
      });
      if (receipt.outcome !== "pending") return receipt;
      for (const { by, text } of newRepliesOf(receipt)) live.tell(`${nameText(by)} wrote: ${visibleOnOneLine(text)}`);
      if (stop.signal.aborted || gate.nowMs() >= startedMs + asked.waitMs) return "left";
    }
  } finally {
    live.stop();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupt);
  }
}

function newRepliesOf({ replies = [], newReplies = 0 }: Receipt): NonNullable<Receipt["replies"]> {
  return newReplies === 0 ? [] : replies.slice(-newReplies);
}

type WaitingFor = { approvalId: string; inbox: string };

/** `tell`: what a reviewer wrote, on a line of its own. */
type LiveLine = { tell(text: string): void; stop(): void };

function liveLine(io: Io, sinceMs: number, { approvalId, inbox }: WaitingFor): LiveLine {
  if (!io.stderr.isTTY) {
    io.stderr.write(`leeway: waiting for a person: ${approvalId}\n  hint: answer it in ${inbox}\n`);
    return { tell: (text) => void io.stderr.write(`leeway: ${text}\n`), stop: () => undefined };
  }
  let frame = 0;
  const draw = () => {
    const columns = (io.stderr.columns || 80) - 1;
    const waited = span(io.clock.nowMs() - sinceMs);
    const line = `${FRAMES[frame++ % FRAMES.length]} waiting for a person: ${shortestId(approvalId)} · ${waited}`;
    const advised = `${line} · answer in ${inbox}`;
    io.stderr.write(`\r${cut([...advised].length <= columns ? advised : line, columns)}\x1b[K`);
  };
  draw();
  const timer = setInterval(draw, FRAME_MS);
  return {
    tell: (text) => {
      io.stderr.write(`\r\x1b[K${text}\n`);
      draw();
    },
    stop: () => {
      clearInterval(timer);
      io.stderr.write("\r\x1b[K");
    },
  };
}
