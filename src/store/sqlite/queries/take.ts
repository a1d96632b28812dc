import type { Queue, Table } from "../../../core/rows/rows.ts";
import type { Taken, Taking } from "../../../ports.ts";
import { compareText } from "../../order.ts";
import type { SqlRow } from "../../sql/columns.ts";
import { QUEUE_TABLES } from "../../sql/columns.ts";
import { bornIdIn, bornRightIn, versioned } from "../../sql/found.ts";
import { readable } from "../../sql/unreadable.ts";
import { callsDue } from "../calls.ts";
import type { Database } from "../file/driver.ts";
import { refuseOtherVersion } from "../file/migrations.ts";
import type { Seals } from "../seals.ts";

/** `lies`: the table where it is stored, if that is not its own: an execution may be stored with its call. */
type Due = { table: Table; lies: Table; id: string; found: SqlRow };

/** Returns due rows, the longest due first, and postpones their alarm by the lease. */
export function takeFrom(db: Database, queue: Queue, t: Taking, seals: Seals): readonly Taken[] {
  // Checking needs no lock and no sync, and usually there is nothing to take.
  if (dueOf(db, queue, { ...t, max: 1 }).length === 0) return [];
  db.prepare("begin immediate").run();
  refuseOtherVersion(db);
  const due = dueOf(db, queue, t);
  for (const { lies, found } of due) {
    db.prepare(`update ${lies} set wake_ms = ? where place = ?`).run(t.nowMs + t.leaseMs, Number(found["place"]));
  }
  db.prepare(due.length === 0 ? "rollback" : "commit").run();
  return due.flatMap(({ table, lies, found }) => {
    const row = readable(() =>
      lies === "calls" ? bornRightIn({ workspace: t.workspace, seals }, found) : versioned({ seals }, found),
    );
    return row === undefined ? [] : [{ table, ...row } as Taken];
  });
}

function dueOf(db: Database, queue: Queue, { workspace, max, nowMs }: Taking): readonly Due[] {
  const due = QUEUE_TABLES[queue].flatMap((table) =>
    db
      .prepare(
        `select place, id, wake_ms, row, version from ${table} ` +
          "where queue = ? and wake_ms <= ? and space = (select space from chains where workspace = ?) " +
          "order by wake_ms, id limit ?",
      )
      .all(queue, nowMs, workspace, max)
      .map((found): Due => ({ table, lies: table, id: String(found["id"]), found })),
  );
  if (queue === "timers") due.push(...bornDue(db, workspace, nowMs, max));
  const wakeMs = ({ found }: Due) => Number(found["wake_ms"]);
  return due.sort((a, b) => wakeMs(a) - wakeMs(b) || compareText(a.id, b.id)).slice(0, max);
}

function bornDue(db: Database, workspace: string, nowMs: number, max: number): readonly Due[] {
  const space = db.prepare("select space from chains where workspace = ?").get(workspace)?.["space"];
  if (space === undefined) return [];
  return callsDue(db, space, nowMs, max).map((found) => ({
    table: "executions",
    lies: "calls",
    id: bornIdIn(found),
    found,
  }));
}
