import { performance } from "node:perf_hooks";
import type { Change, Committed } from "../core/change.ts";

/** Limits how long one transaction holds the lock. */
const BATCH_MAX = 256;

/** One Change of a batch that can never be applied; the others can be applied without it. */
export class Unfit extends Error {
  override name = "Unfit";
  readonly place: number;
  constructor(place: number, cause: unknown) {
    super("a Change cannot be applied", { cause });
    this.place = place;
  }
}

/** What a database must provide; when and how many Changes are committed is decided here. */
export type Applying<Ready> = {
  /** The database is another process, so it can work while this one does. */
  isElsewhere: boolean;
  /** All work that needs no lock. */
  prepare(change: Change): Ready;
  /**
   * Applies them one after the other in one transaction. A stale one does not affect the others. It asks for the
   * batch as late as possible, so that Changes that arrive while it waits for the lock can still join. Throws `Unfit`
   * for one that can never be applied.
   */
  apply(batch: () => readonly Ready[]): Promise<readonly Committed[]>;
  /** Called after each transaction. `ms`: how long it took, with the time to get the lock. */
  applied(batch: readonly Ready[], answers: readonly Committed[], ms: number): void;
};

type Waiting<Ready> = { ready: Ready; resolve: (done: Committed) => void; reject: (error: unknown) => void };

type Queue<Ready> = { waiting: Waiting<Ready>[] };

/** Gives one caller its answer. */
type Answer = () => void;

/** Fewer callers share one transaction in any case. */
const HALVED_MIN = 16;

/**
 * Group commit: callers in the same turn of the event loop share one transaction and one sync; a single caller does
 * not wait. If this process works more than it waits for the database, the callers are halved: while the database
 * commits what one half decided, the other half is answered and decides.
 */
export function groupCommits<Ready>(applying: Applying<Ready>): {
  commit(change: Change): Promise<Committed>;
  idle(): Promise<void>;
} {
  const queue: Queue<Ready> = { waiting: [] };
  let running: Promise<void> | undefined;
  const isBusy = applying.isElsewhere ? busyness() : () => false;
  const run = async () => {
    let answers: Answer[] = [];
    try {
      do {
        give(answers.splice(0, isBusy() ? givenFirst(answers.length, queue.waiting.length) : answers.length));
        // All callers of this turn can still join the batch.
        await turn();
        const next = queue.waiting.length === 0 ? [] : applyNext(applying, queue);
        if (answers.length > 0) await turn();
        give(answers);
        answers = await next;
      } while (queue.waiting.length + answers.length > 0);
    } finally {
      running = undefined;
    }
  };
  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        queue.waiting.push({ ready: applying.prepare(change), resolve, reject });
        running ??= run();
      }),
    idle: async () => running,
  };
}

/** Applies a batch of those that wait. A Change that cannot be applied fails alone; the others are tried again without it. */
async function applyNext<Ready>(applying: Applying<Ready>, queue: Queue<Ready>): Promise<Answer[]> {
  let batch: Waiting<Ready>[] = [];
  const startMs = performance.now();
  try {
    const answers = await applying.apply(() => {
      batch = queue.waiting.slice(0, BATCH_MAX);
      return batch.map(({ ready }) => ready);
    });
    queue.waiting = queue.waiting.slice(batch.length);
    const ready = batch.map((one) => one.ready);
    applying.applied(ready, answers, performance.now() - startMs);
    return batch.map(
      ({ resolve }, i) =>
        () =>
          resolve(answers[i] as Committed),
    );
  } catch (error) {
    const [failed, why] = error instanceof Unfit ? [[batch[error.place]], error.cause] : [batch, error];
    for (const one of failed) one?.reject(why);
    queue.waiting = queue.waiting.filter((one) => !failed.includes(one));
    return [];
  }
}

function give(answers: readonly Answer[]): void {
  for (const answer of answers) answer();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How many answers are given before the next batch, so that half of the callers are in it. */
function givenFirst(answers: number, waiting: number): number {
  const all = answers + waiting;
  return all < HALVED_MIN ? answers : Math.max(0, Math.ceil(all / 2) - waiting);
}

/** Whether this process works more than it waits, as it has been lately. */
function busyness(): () => boolean {
  let before = performance.eventLoopUtilization();
  let share = 0;
  return () => {
    const now = performance.eventLoopUtilization();
    share += (performance.eventLoopUtilization(now, before).utilization - share) / 8;
    before = now;
    return share > 0.5;
  };
}
