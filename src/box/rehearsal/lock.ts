import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { makeFolder, run } from "./durable.ts";
import { neededTool } from "./tools.ts";

const LONGEST_WAIT_S = 60;

/**
 * Only one process changes projects at a time. The kernel holds the lock for the open file, which `flock` shares with us, and
 * frees it when this process ends, however it ends. So whoever has the lock knows that nobody else is at work.
 */
export function withLock<T>(boxFolder: string, work: () => Promise<T>): Promise<T> {
  return withLockFile(boxFolder, "lock", work);
}

/** The same without waiting: undefined if somebody else is at work. */
export async function withFreeLock<T>(boxFolder: string, work: () => Promise<T>): Promise<T | undefined> {
  makeFolder(boxFolder);
  const fd = openSync(`${boxFolder}/lock`, "a", 0o600);
  try {
    const { status, error } = spawnSync(neededTool("flock"), ["-x", "-n", "3"], {
      stdio: ["ignore", "ignore", "ignore", fd],
      env: {},
    });
    if (error !== undefined) throw error;
    return status === 0 ? await work() : undefined;
  } finally {
    closeSync(fd);
  }
}

/** Throws if somebody else has the lock for too long. */
export async function withLockFile<T>(boxFolder: string, name: string, work: () => Promise<T>): Promise<T> {
  makeFolder(boxFolder);
  const fd = openSync(`${boxFolder}/${name}`, "a", 0o600);
  try {
    await run(neededTool("flock"), ["-x", "-w", String(LONGEST_WAIT_S), "3"], [fd]);
    return await work();
  } finally {
    closeSync(fd);
  }
}
