import type { Committed } from "../../core/change.ts";
import type { Observers } from "../../observer-port.ts";
import type { Found, Query, Sealer, Store } from "../../ports.ts";
import { groupCommits } from "../grouping.ts";
import { newsOf } from "../sql/news.ts";
import { prepare, type Ready } from "../sql/prepare.ts";
import { applyBatch } from "./changes/apply.ts";
import { pruner } from "./changes/prune.ts";
import { quietAgents } from "./changes/quiet.ts";
import { checkpoints, emptyLog } from "./file/checkpoint.ts";
import { type Connection, connection as connectionTo } from "./file/connection.ts";
import { type Database, type OpenDatabase, openDatabase } from "./file/driver.ts";
import { faultOf } from "./file/faults.ts";
import type { MovingProgress } from "./file/moving-calls.ts";
import { type Patience, patiently } from "./file/patience.ts";
import { snapshot } from "./file/snapshot.ts";
import { standsKept } from "./heads.ts";
import { answerTo } from "./queries/answers.ts";
import { takeFrom } from "./queries/take.ts";
import { type Seals, sealsOf } from "./seals.ts";
import { tracksKept } from "./tracks.ts";
import { wakes } from "./wakes.ts";

export type SqliteOptions = {
  /** Encrypts secrets. Without it no secrets are stored or decrypted. */
  sealer?: Sealer;
  /** How long to wait for another process that holds the lock. */
  busyMs?: number;
  /** Another way to open the file, for tests of failures. */
  open?: OpenDatabase;
  /** Called with the progress of updating a database of an earlier version. */
  onProgress?: MovingProgress;
  observers?: Observers;
};

const BUSY_MS = 5_000;

/** What a commit adds to the write-ahead log besides its rows: the last page of each index. */
const COMMIT_BYTES = 32 * 1024;

/** What each Change adds: rows fill pages by half, and a random key needs its own page. */
const CHANGE_BYTES = 2 * 1024;

/** One file, any number of processes. Opened on first use; after a failure the next use opens it again. */
export function sqliteStore(path: string, options: SqliteOptions = {}): Store {
  const connection = connectionTo(path, options.open ?? openDatabase, options.onProgress);
  const patience = { connection, busyMs: options.busyMs ?? BUSY_MS };
  const reading = snapshot(connection);
  const writing = () => {
    reading.end();
    return connection.open();
  };
  const log = checkpoints(path, writing);
  const watching = wakes(changedElsewhere(connection));
  const seals = sealsOf(options.sealer, connection.current);
  const commits = groupCommits<Ready>({
    isElsewhere: false,
    prepare,
    apply: applierOf(patience, writing, seals),
    applied: (batch, answers, ms) => {
      for (const observer of options.observers ?? []) observer.batched?.(batch.length, ms);
      const applied = batch.filter((_, i) => answers[i]?.ok === true);
      watching.notify(newsOf(applied));
      log.wrote(applied.reduce((sum, { bytes }) => sum + 2 * bytes + CHANGE_BYTES, COMMIT_BYTES));
    },
  });
  return {
    read: <const Q extends Query>(query: Q) => patiently(patience, () => answerTo(reading, query, seals) as Found<Q>),
    commit: commits.commit,
    take: (queue, t) => patiently(patience, () => takeFrom(writing(), queue, t, seals)),
    watch: watching.watch,
    close: async () => {
      watching.stop();
      await commits.idle();
      await log.stop();
      reading.end();
      connection.drop();
    },
  };
}

/** Applies batches in transactions, and keeps what is known between them. */
function applierOf(patience: Patience, writing: () => Database, seals: Seals) {
  const kept = { stands: standsKept(), prune: pruner(), quiet: quietAgents(), seals, tracks: tracksKept() };
  /** Something was erased while another process was reading the log. The caller was told; later commits try again. */
  let mustEmpty = false;
  return async (batch: () => readonly Ready[]): Promise<readonly Committed[]> => {
    let erases = false;
    const answers = await patiently(patience, () => {
      const ready = batch();
      erases = ready.some((one) => one.erases);
      try {
        return applyBatch(writing(), ready, kept);
      } finally {
        seals.leave();
      }
    });
    if (erases) {
      mustEmpty = true;
      await patiently(patience, () => emptyLog(writing()));
      mustEmpty = false;
    } else if (mustEmpty) mustEmpty = !isEmptied(writing());
    return answers;
  };
}

function isEmptied(db: Database): boolean {
  try {
    emptyLog(db);
    return true;
  } catch (error) {
    if (faultOf(error) === undefined) throw error;
    return false;
  }
}

/** Whether another connection has written since the last time. */
function changedElsewhere(connection: Connection): () => boolean {
  let seenVersion: unknown;
  return () => {
    try {
      const version = connection.current().prepare("pragma data_version").get()?.["data_version"];
      const changed = version !== seenVersion;
      seenVersion = version;
      return changed;
    } catch (error) {
      // A wake-up is only a hint; reading will find the change anyway.
      if (faultOf(error) === undefined) throw error;
      return false;
    }
  };
}
