import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Policy } from "../../src/core/policy.ts";
import { compiled } from "../cli/program.ts";

const here = dirname(fileURLToPath(import.meta.url));

/** What every process needs; `acks` and `effects` are files to which it appends at once. */
type Given = { url: string; policy: Policy; workers: number; calls?: number; acks?: string; effects?: string };

/** A process of compiled code with some workers on one PostgreSQL. `build`: the folder of another build. */
export function startWorker(
  role: "cycles" | "heeds" | "spends",
  given: Given,
  build: string = compiled(),
): ChildProcess {
  const child = spawn(process.execPath, [join(here, "worker.mjs"), build, role], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(given));
  return child;
}

/** Kills it without warning, and waits until it is gone. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

export function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

export function pauseMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
