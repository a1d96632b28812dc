/** How many bytes of requests begin in one turn of the event loop: sixteen ordinary calls, or one large call. */
const BYTES_PER_TURN = 32 * 1024;
/** The smallest request counts as this many bytes, because it must be decided and recorded too. */
const BYTES_LEAST = 2 * 1024;

/**
 * Requests are handled in one thread, and parsing a large one takes up to a tenth of a second. If many arrive at
 * once, only a few of them begin in one turn of the event loop. Between two turns other connections are read, so that
 * a person who pauses everything waits only for the requests that have begun, not for all that have arrived.
 */
export type FairTurns = {
  /** Resolves when work on this many bytes may begin. */
  take(bytes: number): Promise<void>;
};

export function newTurns(): FairTurns {
  const waiting: { bytes: number; begin(): void }[] = [];
  let room = BYTES_PER_TURN;
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      room = BYTES_PER_TURN;
      for (let next = waiting[0]; next !== undefined && hasRoom(next.bytes); next = waiting[0]) {
        waiting.shift();
        room -= next.bytes;
        next.begin();
      }
      if (room < BYTES_PER_TURN) schedule();
    });
  };
  // A request that is larger than a turn gets a turn of its own.
  const hasRoom = (bytes: number) => room >= bytes || room === BYTES_PER_TURN;
  return {
    take: (given) => {
      const bytes = Math.max(given, BYTES_LEAST);
      schedule();
      if (waiting.length === 0 && hasRoom(bytes)) {
        room -= bytes;
        return Promise.resolve();
      }
      return new Promise((resolve) => waiting.push({ bytes, begin: resolve }));
    },
  };
}
