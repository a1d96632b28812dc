import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { EXTRA, KEEPS_EXTRA } from "../../box/launch.ts";
import type { ProgramStart } from "../../box-port.ts";
import type { Environment } from "../../core/tables/variables.ts";
import { findProgram } from "../../programs.ts";
import { letGo, openPipe } from "./heard-pipe.ts";

/** A command that ran and failed; its exit code is returned, and the failure is recorded. */
export class CommandFailed extends Error {
  override name = "CommandFailed";
  readonly code: number;
  constructor(message: string, code: number) {
    super(message);
    this.code = code;
  }
}

/** Whether a program of this name exists. If this cannot be checked, starting it will tell. */
export function isThere(program: string, { cwd, env }: { cwd: string; env: Environment }): boolean {
  if (!program.includes("/")) return findProgram(program, { cwd, env }) !== undefined;
  try {
    return statSync(resolve(cwd, program), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * Runs exactly these words, without a shell, on the caller's terminal. Signals are passed on, and the exit code is
 * returned. The program is started by the path that was found when the call was judged.
 */
export function spawnCommand(
  argv: readonly string[],
  how: { cwd: string; env: Environment; stdout: "inherit" | number; signal: AbortSignal },
): Promise<{ exitCode: number }> {
  return spawnStart(startOf(argv, how), { ...how, stderr: "inherit" });
}

/** The program by the path that was found when the call was judged. */
export function startOf(argv: readonly string[], how: { cwd: string; env: Environment }): ProgramStart {
  const [name = "", ...args] = argv;
  const program = name.includes("/") ? name : (findProgram(name, how)?.path ?? name);
  return { program, name, args, cwd: how.cwd, env: how.env as Record<string, string> };
}

/** `stderr`: a stream is given what the program writes to its errors. */
type Streams = {
  stdout: "inherit" | number;
  stderr: "inherit" | ((chunk: Buffer) => void);
  signal: AbortSignal;
  /** Gets what the program writes to the descriptor `EXTRA`. */
  extra?: (chunk: Buffer) => void;
  /** So long after a signal the program is killed. Without it, nobody kills it. */
  endWithinMs?: number;
};

/** At a terminal these are keys, which interactive programs take for something else than their end. */
const KEYS: ReadonlySet<NodeJS.Signals> = new Set(["SIGINT", "SIGQUIT"]);

/** Starts a program on the caller's terminal. Signals are passed on, and the exit code is returned. */
export function spawnStart(start: ProgramStart, how: Streams): Promise<{ exitCode: number }> {
  const { program, name, args, cwd, env } = start;
  return new Promise((resolve, reject) => {
    const pipe = how.stderr === "inherit" ? undefined : openPipe();
    const errors = how.stderr === "inherit" ? "inherit" : (pipe?.write ?? "pipe");
    const stdio = ["inherit", how.stdout, errors] as const;
    const more = how.extra === undefined ? [] : [...Array(EXTRA - stdio.length).fill("ignore"), "pipe"];
    const told = how.extra === undefined ? env : { ...env, [KEEPS_EXTRA]: "1" };
    const child = spawn(program, args, { argv0: name, cwd, env: told, stdio: [...stdio, ...more] });
    const extra = child.stdio[EXTRA as 4];
    if (how.extra !== undefined) extra?.on("data", how.extra);
    letGo(pipe);
    if (how.stderr !== "inherit") child.stderr?.on("data", how.stderr);
    const heard = how.stderr === "inherit" ? undefined : pipe?.heard(how.stderr);
    let late: NodeJS.Timeout | undefined;
    const forward = (signal: NodeJS.Signals) => {
      child.kill(signal);
      if (how.endWithinMs === undefined || (KEYS.has(signal) && process.stdin.isTTY)) return;
      late ??= setTimeout(() => child.kill("SIGKILL"), how.endWithinMs);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    const lost = () => forward("SIGTERM");
    how.signal.addEventListener("abort", lost);
    const end = (act: () => void) => {
      clearTimeout(late);
      for (const signal of FORWARDED) process.off(signal, forward);
      how.signal.removeEventListener("abort", lost);
      act();
    };
    child.on("error", (error: NodeJS.ErrnoException) =>
      end(() =>
        reject(
          new CommandFailed(
            `${name} could not be started: ${error.code ?? error.message}`,
            error.code === "ENOENT" ? 127 : 126,
          ),
        ),
      ),
    );
    child.on("close", async (code, signal) => {
      await heard?.catch(reject);
      end(() => {
        const exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
        const why = signal === null ? `it ended with code ${exitCode}` : `it was stopped by ${signal}`;
        if (exitCode === 0) resolve({ exitCode });
        else reject(new CommandFailed(why, exitCode));
      });
    });
  });
}
