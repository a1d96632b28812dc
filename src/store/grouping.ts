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
  /** All work that needs no lock. */
  prepare(change: Change): Ready;
  /**
   * Applies them one after the other in one transaction. A stale one does not affect the others. It asks for the
   * batch as late as possible, so that Changes that arrive while it waits for the lock can still join. Throws `Unfit`
   * for one that can never be applied.
   */
  apply(batch: () => readonly Ready[]): Promise<readonly Committed[]>;
  /** Called after each transaction. */
  applied(batch: readonly Ready[], answers: readonly Committed[]): void;
};

type Waiting<Ready> = { ready: Ready; resolve: (done: Committed) => void; reject: (error: unknown) => void };

/**
 * Group commit: callers in the same turn of the event loop share one transaction and one sync; a single caller does
 * not wait.
 */
export function groupCommits<Ready>(applying: Applying<Ready>): {
  commit(change: Change): Promise<Committed>;
  idle(): Promise<void>;
} {
  let waiting: Waiting<Ready>[] = [];
  let running: Promise<void> | undefined;
  const applyNext = async (): Promise<void> => {
    let batch: Waiting<Ready>[] = [];
    try {
      const answers = await applying.apply(() => {
        batch = waiting.slice(0, BATCH_MAX);
        return batch.map(({ ready }) => ready);
      });
      for (let i = 0; i < batch.length; i++) batch[i]?.resolve(answers[i] as Committed);
      waiting = waiting.slice(batch.length);
      applying.applied(
        batch.map(({ ready }) => ready),
        answers,
      );
    } catch (error) {
      // A Change that cannot be applied fails alone; the others are tried again without it.
      const [failed, why] = error instanceof Unfit ? [[batch[error.place]], error.cause] : [batch, error];
      for (const one of failed) one?.reject(why);
      waiting = waiting.filter((one) => !failed.includes(one));
    }
  };
  const run = async () => {
    try {
      while (waiting.length > 0) {
        // All callers of this turn can still join the batch.
        await new Promise((resolve) => setImmediate(resolve));
        await applyNext();
      }
    } finally {
      running = undefined;
    }
  };
  return {
    commit: (change) =>
      new Promise((resolve, reject) => {
        waiting.push({ ready: applying.prepare(change), resolve, reject });
        running ??= run();
      }),
    idle: async () => running,
  };
}
