import type { WorkspaceId } from "../../core/ids.ts";
import { newLanes } from "../../core/values/lanes.ts";

/** How many bytes of requests begin in one turn of the event loop: sixteen ordinary calls, or one large call. */
const BYTES_PER_TURN = 32 * 1024;
/** The smallest request counts as this many bytes, because it must be decided and recorded too. */
const BYTES_LEAST = 2 * 1024;

/**
 * Requests are handled in one thread, and parsing a large one takes up to a tenth of a second. If many arrive at
 * once, only a few of them begin in one turn of the event loop. Between two turns other connections are read, so that
 * a person who pauses everything waits only for the requests that have begun, not for all that have arrived.
 * Workspaces take turns: requests of one never wait for all that have arrived for another.
 */
export type FairTurns = {
  /** Resolves when work on this many bytes may begin. */
  take(bytes: number, workspace: WorkspaceId): Promise<void>;
};

type Waiting = { bytes: number; begin(): void };

export function newTurns(): FairTurns {
  const waiting = newLanes<Waiting>();
  let room = BYTES_PER_TURN;
  let isScheduled = false;
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      room = BYTES_PER_TURN;
      for (let next = waiting.next(); next !== undefined && hasRoom(next.bytes); next = waiting.next()) {
        waiting.drop();
        room -= next.bytes;
        next.begin();
      }
      if (room < BYTES_PER_TURN) schedule();
    });
  };
  // A request that is larger than a turn gets a turn of its own.
  const hasRoom = (bytes: number) => room >= bytes || room === BYTES_PER_TURN;
  return {
    take: (given, workspace) => {
      const bytes = Math.max(given, BYTES_LEAST);
      schedule();
      if (waiting.next() === undefined && hasRoom(bytes)) {
        room -= bytes;
        return Promise.resolve();
      }
      return new Promise((resolve) => waiting.push(workspace, { bytes, begin: resolve }));
    },
  };
}
