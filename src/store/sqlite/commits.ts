import type { Change, Committed } from "../../core/change.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import { applyBatch } from "./apply.ts";
import { emptyLog } from "./checkpoint.ts";
import type { Database } from "./driver.ts";
import { Unfit } from "./faults.ts";
import { standsKept } from "./heads.ts";
import { type Patience, patiently } from "./patience.ts";
import { prepare, type Ready } from "./prepare.ts";
import { pruner } from "./prune.ts";

type Waiting = { ready: Ready; resolve: (done: Committed) => void; reject: (error: unknown) => void };

/** What a commit adds to the write-ahead log besides its rows: the last page of each index it touched. */
const COMMIT_BYTES = 48 * 1024;

/** What each Change of it adds besides: rows fill pages by half, and a key that is in no order has a page of its own. */
const CHANGE_BYTES = 4 * 1024;

/** Bounds how long one transaction holds the lock. */
const BATCH_MAX = 256;

type Applied = { workspaces: ReadonlySet<WorkspaceId>; bytes: number };

/**
 * Group commit. Callers of the same turn of the event loop share one transaction and one sync; a lone caller goes at
 * once. While another process holds the lock, more may join.
 */
export function groupCommit(
  patience: Patience,
  database: () => Database,
  after: (applied: Applied) => void,
): { commit(change: Change): Promise<Committed>; idle(): Promise<void> } {
  const kept = { stands: standsKept(), prune: pruner() };
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  const apply = async (): Promise<Applied | undefined> => {
    let batch: Waiting[] = [];
    try {
      const answers = await patiently(patience, () => {
        batch = waiting.slice(0, BATCH_MAX);
        const changes = batch.map(({ ready }) => ready);
        return applyBatch(database(), changes, kept);
      });
      if (batch.some(({ ready }) => ready.erases)) await patiently(patience, () => emptyLog(database()));
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i] as Committed);
      waiting = waiting.slice(batch.length);
      return summaryOf(batch, answers);
    } catch (error) {
      // One that cannot be applied fails alone. The others stay where they are and are tried again without it.
      const [failed, why] = error instanceof Unfit ? [[batch[error.place]], error.cause] : [batch, error];
      for (const one of failed) one?.reject(why);
      waiting = waiting.filter((one) => !failed.includes(one));
      return undefined;
    }
  };
  const run = async () => {
    try {
      while (waiting.length > 0) {
        // Everything that is about to ask in this turn gets a place in the batch.
        await new Promise((resolve) => setImmediate(resolve));
        const applied = await apply();
        if (applied !== undefined) after(applied);
      }
    } finally {
      running = undefined;
    }
  };
  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        waiting.push({ ready: prepare(change), resolve, reject });
        running ??= run();
      }),
    idle: async () => running,
  };
}

function summaryOf(batch: readonly Waiting[], answers: readonly Committed[]): Applied {
  const applied = batch.filter((_, i) => answers[i]?.ok === true).map(({ ready }) => ready);
  return {
    workspaces: new Set(applied.map((ready) => ready.workspace)),
    bytes: applied.reduce((sum, ready) => sum + 2 * ready.bytes + CHANGE_BYTES, COMMIT_BYTES),
  };
}
