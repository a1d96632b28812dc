import { Worker } from "node:worker_threads";
import type { Database } from "./driver.ts";
import { driverModule } from "./driver.ts";
import { faultOf } from "./faults.ts";

export type Checkpoints = {
  /** Told after each commit how much it wrote. */
  wrote(bytes: number): void;
  /** Before closing: everything is moved, as SQLite itself would when the last user goes. */
  stop(): Promise<void>;
};

/** About this much makes it worthwhile to move the write-ahead log into the database. */
const CHECKPOINT_BYTES = 8 * 1024 * 1024;

/**
 * Its own thread, because copying and syncing megabytes would hold up every caller. Written as text: a worker cannot
 * load TypeScript, and from here it is the same in sources and in what ships.
 */
const WORKER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { DatabaseSync } = require(workerData.driver);
  const db = new DatabaseSync(workerData.path, { timeout: 0 });
  parentPort.on("message", () => {
    db.prepare("pragma wal_checkpoint(passive)").get();
    parentPort.postMessage("done");
  });
`;

/** Moves the log into the database off the callers' path. Nothing is lost if it never runs: the log only grows. */
export function checkpoints(path: string, database: () => Database): Checkpoints {
  let wrote = false;
  let written = 0;
  let worker: Worker | undefined;
  let busy = false;
  const start = (): Worker => {
    const made = new Worker(WORKER, { eval: true, workerData: { driver: driverModule, path } });
    made.unref();
    made.on("message", () => {
      busy = false;
      // The little that was written meanwhile, so that the log starts over instead of growing without end.
      checkpoint(database, "passive");
    });
    // The next checkpoint tries with a new one; until then the log only grows.
    made.on("error", () => {
      busy = false;
      worker = undefined;
    });
    return made;
  };
  return {
    wrote: (bytes) => {
      wrote = true;
      written += bytes;
      if (written < CHECKPOINT_BYTES || busy) return;
      written = 0;
      busy = true;
      worker ??= start();
      worker.postMessage("go");
    },
    stop: async () => {
      await worker?.terminate();
      if (wrote) checkpoint(database, "truncate");
    },
  };
}

function checkpoint(database: () => Database, how: "passive" | "truncate"): void {
  try {
    database().prepare(`pragma wal_checkpoint(${how})`).get();
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
  }
}
