import type { Change, Committed } from "../core/change.ts";

/** Bounds how long one transaction holds the lock. */
const BATCH_MAX = 256;

/** One Change of a batch that cannot be applied, whatever the database does: the others can, without it. */
export class Unfit extends Error {
  override name = "Unfit";
  readonly place: number;
  constructor(place: number, cause: unknown) {
    super("a Change cannot be applied", { cause });
    this.place = place;
  }
}

/** What a database has to be able to do with Changes; when and how many at once is decided here. */
export type Applying<Ready> = {
  /** Everything that needs no lock. */
  prepare(change: Change): Ready;
  /**
   * Applies them one after the other in one transaction. Each that is stale is stale alone. Asks for the batch as late as
   * it can: whoever comes while it waits for the lock may still join. Throws `Unfit` for one that cannot be applied at all.
   */
  apply(batch: () => readonly Ready[]): Promise<readonly Committed[]>;
  /** Told after each transaction. */
  applied(batch: readonly Ready[], answers: readonly Committed[]): void;
};

type Waiting<Ready> = { ready: Ready; resolve: (done: Committed) => void; reject: (error: unknown) => void };

/** Group commit: callers of the same turn of the event loop share one transaction and one sync; a lone caller goes at once. */
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
      // One that cannot be applied fails alone. The others stay where they are and are tried again without it.
      const [failed, why] = error instanceof Unfit ? [[batch[error.place]], error.cause] : [batch, error];
      for (const one of failed) one?.reject(why);
      waiting = waiting.filter((one) => !failed.includes(one));
    }
  };
  const run = async () => {
    try {
      while (waiting.length > 0) {
        // Everything that is about to ask in this turn gets a place in the batch.
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
