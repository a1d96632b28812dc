import { once } from "node:events";
import { type Database, driverModule } from "./driver.ts";
import { faultOf, LogInUse } from "./faults.ts";

type Checkpoints = {
  /** Told after each commit how much it wrote. */
  wrote(bytes: number): void;
  /** Before closing: everything is moved, as SQLite itself would when the last user goes. */
  stop(): Promise<void>;
};

/**
 * About this much makes it worthwhile to move the write-ahead log into the database. The last of it holds up whoever
 * commits just then: at some thousand calls a second that is about one call in a hundred.
 */
const CHECKPOINT_BYTES = 48 * 1024 * 1024;

/** What is left for the commits' own thread: about as much as one sync takes anyway. */
const REST_PAGES = 64;

/** Under so much load that the log outruns the mover, the rest is moved all the same. */
const PASSES_MAX = 4;

/** Longer than one pass over that much takes on a slow disk. */
const EXIT_WAIT_MS = 20_000;

/** Moves the log into the database off the callers' path. Nothing is lost if it never runs: the log only grows. */
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

/** The log holds pages from before a commit until all of it was moved and the file was emptied. */
export function emptyLog(db: Database): void {
  if (db.prepare("pragma wal_checkpoint(truncate)").get()?.["busy"] !== 0) throw new LogInUse();
}

type Mover = { move(): void; isMoving(): boolean; stop(): Promise<void> };

/**
 * Its own thread, because copying and syncing megabytes would hold up every caller. Written as text: a worker cannot
 * load TypeScript, and from here it is the same in sources and in what ships.
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
  // Whether it moves just now, and whether somebody waits for it to end.
  const moving = new Int32Array(new SharedArrayBuffer(8));
  // Loaded only now: most processes never write that much.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  const worker = new Worker(WORKER, { eval: true, workerData: { driver: driverModule(), path, moving } });
  worker.unref();
  // A thread that is ended in the middle of a call into the driver takes the whole process down with it.
  const waitAtExit = () => {
    Atomics.store(moving, 1, 1);
    Atomics.wait(moving, 0, 1, EXIT_WAIT_MS);
  };
  process.once("exit", waitAtExit);
  worker.on("message", () => after("moved"));
  // A checkpoint that failed loses nothing; the next one is tried with a new thread.
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
