/** What may begin before everybody else has had a chance to be heard: sixteen ordinary calls, or one large one. */
const BYTES_PER_TURN = 32 * 1024;
/** Even the smallest request has to be decided and recorded. */
const BYTES_LEAST = 2 * 1024;

/**
 * Requests are worked on in one thread, and reading a large one takes up to a tenth of a second. However many arrive at
 * once, only a few of them begin in one turn of the event loop; between two turns other connections are heard, so that
 * a person who presses the kill switch waits for the ones that have begun and not for all that have arrived.
 */
export type Turns = {
  /** Resolves when work on so many bytes may begin. */
  take(bytes: number): Promise<void>;
};

export function newTurns(): Turns {
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
  // What is larger than a whole turn has one of its own.
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
