import type { Ready } from "../../sql/prepare.ts";
import { faultOf } from "../server/faults.ts";
import type { Server } from "../server/server.ts";

/** A Change whose answer was lost is sent again within seconds. */
const CHANGES_KEPT_MS = 60 * 60 * 1000;

/** Long after their end, so that a clock that jumped ahead and back finds its counters again. */
const COUNTERS_KEPT_MS = 7 * 24 * 60 * 60 * 1000;

const EVERY_CHANGES = 1_024;

/** Ids begin with their time, so the oldest are first. */
const CHANGES =
  "delete from changes where (id, space) in (select id, space from changes order by id limit $2) and at_ms < $1";
const COUNTERS =
  "delete from counters where (space, counter) in (select space, counter from counters where until_ms < $1 limit $2) " +
  "and until_ms < $1";

/** Deletes what nobody can request any more, twice as fast as rows are added, and beside the commits. */
export function pruner(server: Server): (applied: readonly Ready[]) => void {
  let since = 0;
  return (applied) => {
    since += applied.length;
    const nowMs = applied[0]?.atMs;
    if (since < EVERY_CHANGES || nowMs === undefined) return;
    const max = 2 * since;
    since = 0;
    server
      .use(async (session) => {
        await session.run(CHANGES, [nowMs - CHANGES_KEPT_MS, max]);
        await session.run(COUNTERS, [nowMs - COUNTERS_KEPT_MS, max]);
      })
      .catch((error) => {
        // What was not deleted now is deleted the next time.
        if (faultOf(error) === undefined) throw error;
      });
  };
}
