import { once } from "node:events";
import { type Database, driverModule } from "./driver.ts";
import { faultOf, LogInUse } from "./faults.ts";

type Checkpoints = {
  /** Called after each commit with the amount written. */
  wrote(bytes: number): void;
  /** Before closing, the whole log is moved, as SQLite does when the last connection is closed. */
  stop(): Promise<void>;
};

/**
 * The log size from which moving it into the database is worthwhile. The last step delays whoever commits then: at
 * some thousand calls a second, about one call in a hundred.
 */
const CHECKPOINT_BYTES = 48 * 1024 * 1024;

/** The rest that the commit thread moves itself: about as long as one sync. */
const REST_PAGES = 64;

/** If the log grows faster than it is moved, the rest is moved anyway. */
const PASSES_MAX = 4;

/** Longer than moving that much takes on a slow disk. */
const EXIT_WAIT_MS = 20_000;

/** Moves the log into the database in another thread. If it never runs, nothing is lost; the log only grows. */
export function checkpoints(path: string, database: () => Database): Checkpoints {
  let everWrote = false;
  let written = 0;
  let mover: Mover | undefined;
  return {
    wrote: (bytes) => {
      everWrote = true;
      written += bytes;
      if (written < CHECKPOINT_BYTES || mover?.isMoving() === true) return;
      written = 0;
      mover ??= startMover(path, (how) => {
        if (how === "failed") mover = undefined;
        // The little that was written meanwhile, so that the log starts over instead of growing without end.
        else checkpoint(database, "passive");
      });
      mover.move();
    },
    stop: async () => {
      await mover?.stop();
      if (everWrote) checkpoint(database, "truncate");
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

/** The log contains old pages until all of it was moved and the file was emptied. */
export function emptyLog(db: Database): void {
  if (db.prepare("pragma wal_checkpoint(truncate)").get()?.["busy"] !== 0) throw new LogInUse();
}

type Mover = { move(): void; isMoving(): boolean; stop(): Promise<void> };

/**
 * A separate thread, because copying and syncing megabytes would delay every caller. Its code is a text: a worker
 * cannot load TypeScript, and this way it is the same in sources and in the package.
 */
const WORKER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { DatabaseSync } = require(workerData.driver);
  let db;
  parentPort.on("message", (word) => {
    if (word === "stop") return parentPort.close();
    try {
      db ??= new DatabaseSync(workerData.path, { timeout: 0 });
      for (let pass = 0; pass < ${PASSES_MAX}; pass++) {
        const { log, checkpointed } = db.prepare("pragma wal_checkpoint(passive)").get();
        if (log - checkpointed <= ${REST_PAGES} || Atomics.load(workerData.moving, 1) === 1) break;
      }
    } finally {
      Atomics.store(workerData.moving, 0, 0);
      Atomics.notify(workerData.moving, 0);
    }
    parentPort.postMessage("moved");
  });
`;

function startMover(path: string, after: (how: "moved" | "failed") => void): Mover {
  // Whether it is moving now, and whether somebody waits for it to finish.
  const moving = new Int32Array(new SharedArrayBuffer(8));
  // Loaded on first use: most processes never write that much.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(WORKER, { eval: true, workerData: { driver: driverModule(), path, moving } });
  worker.unref();
  // Ending a thread in the middle of a driver call would crash the whole process.
  const waitAtExit = () => {
    Atomics.store(moving, 1, 1);
    Atomics.wait(moving, 0, 1, EXIT_WAIT_MS);
  };
  process.once("exit", waitAtExit);
  worker.on("message", () => after("moved"));
  // A failed checkpoint loses nothing; the next one uses a new thread.
  worker.on("error", () => after("failed"));
  const ended = once(worker, "exit").then(() => process.removeListener("exit", waitAtExit));
  return {
    isMoving: () => Atomics.load(moving, 0) === 1,
    move: () => {
      Atomics.store(moving, 0, 1);
      worker.postMessage("move");
    },
    stop: async () => {
      Atomics.store(moving, 1, 1);
      worker.ref();
      worker.postMessage("stop");
      await ended;
    },
  };
}
