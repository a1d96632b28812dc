import type { Queue, Table } from "../../core/rows.ts";
import type { Taken, Taking } from "../../ports.ts";
import { compareText } from "../order.ts";
import type { Database, SqlRow } from "./driver.ts";
import { refuseOtherVersion } from "./migrations.ts";
import { QUEUE_TABLES, versioned } from "./tables.ts";

type Due = { table: Table; found: SqlRow };

/** Hands out due rows, the longest due first, and puts their alarm off by the lease. */
export function takeFrom(db: Database, queue: Queue, t: Taking): readonly Taken[] {
  // Looking costs no lock and no sync, and mostly there is nothing to take.
  if (dueOf(db, queue, { ...t, max: 1 }).length === 0) return [];
  db.prepare("begin immediate").run();
  refuseOtherVersion(db);
  const due = dueOf(db, queue, t);
  for (const { table, found } of due) {
    db.prepare(`update ${table} set wake_ms = ? where place = ?`).run(t.nowMs + t.leaseMs, Number(found["place"]));
  }
  db.prepare(due.length === 0 ? "rollback" : "commit").run();
  return due.map(({ table, found }) => ({ table, ...versioned(found) }) as Taken);
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
      .map((found) => ({ table, found })),
  );
  const wakeMs = ({ found }: Due) => Number(found["wake_ms"]);
  const id = ({ found }: Due) => String(found["id"]);
  return due.sort((a, b) => wakeMs(a) - wakeMs(b) || compareText(id(a), id(b))).slice(0, max);
}
