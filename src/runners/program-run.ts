import { type ChildProcess, spawn } from "node:child_process";
import type { ProgramStart } from "../box-port.ts";
import type { RunOutcome } from "../ports.ts";

// A program as a process group of its own, so that everything it starts can be ended, with the beginning of what it writes.

/** Output beyond this limit is counted and dropped; a result is for reading, not for storing files. */
export const OUTPUT_BYTES_MAX = 64 * 1024;
const KILL_AFTER_MS = 2000;

export function runProgram({ program, name, args, cwd, env }: ProgramStart, signal: AbortSignal): Promise<RunOutcome> {
  if (signal.aborted) return Promise.resolve({ ok: false, error: "the claim was lost", started: false });
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      argv0: name,
      cwd,
      env: { ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // Its own process group, so that its child processes end with it.
      detached: true,
      shell: false,
    });
    const out = gather(child.stdout);
    const err = gather(child.stderr);
    let killing: NodeJS.Timeout | undefined;
    const abort = () => {
      killing = endGroup(child);
    };
    signal.addEventListener("abort", abort, { once: true });
    const done = (outcome: RunOutcome) => {
      signal.removeEventListener("abort", abort);
      clearTimeout(killing);
      resolve(outcome);
    };
    child.once("error", (error) => done({ ok: false, error: error.message, started: child.pid !== undefined }));
    child.once("close", (code, by) => {
      if (child.pid === undefined) return;
      if (signal.aborted) return done({ ok: false, error: "ended because the claim was lost", started: true });
      const result = { code, ...(by === null ? {} : { signal: by }), stdout: out(), stderr: err() };
      done(code === 0 ? { ok: true, result } : { ok: false, error: endedText(code, by), started: true, result });
    });
  });
}

/** The same text as `leeway run` records: a non-zero exit code is a failure. */
function endedText(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}

function gather(stream: ChildProcess["stdout"]): () => string {
  const chunks: Buffer[] = [];
  let kept = 0;
  let lost = 0;
  stream?.on("data", (chunk: Buffer) => {
    const room = OUTPUT_BYTES_MAX - kept;
    const part = chunk.subarray(0, room);
    chunks.push(part);
    kept += part.length;
    lost += chunk.length - part.length;
  });
  return () => Buffer.concat(chunks).toString("utf8") + (lost === 0 ? "" : `\n[${lost} bytes more]`);
}

/** First asked to end, then killed. */
function endGroup(child: ChildProcess): NodeJS.Timeout | undefined {
  const { pid } = child;
  if (pid === undefined) return undefined;
  signalGroup(pid, "SIGTERM");
  return setTimeout(() => signalGroup(pid, "SIGKILL"), KILL_AFTER_MS).unref();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // It has already ended, which is what we want.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
