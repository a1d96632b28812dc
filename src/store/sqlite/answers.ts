import { EMPTY_HEAD, type Head } from "../../core/ledger.ts";
import { STANDING_TABLES, type Table } from "../../core/rows.ts";
import type { Query, RowFilter, StandingRows } from "../../ports.ts";
import { sumOf } from "./counters.ts";
import { displacedOf } from "./displaced.ts";
import type { Database, SqlValue } from "./driver.ts";
import { entriesOf } from "./entries.ts";
import { FIRST_EPOCH, standOf } from "./heads.ts";
import { linksOf } from "./links.ts";
import { seenOf } from "./seen.ts";
import type { Snapshot } from "./snapshot.ts";
import { columnsOf, EXECUTIONS_BY_STATE, FILTERS, rowOf, TALLIED, versioned } from "./tables.ts";

/** No row has this number: the space of a workspace that nothing was ever written to. */
const NO_SPACE = -1;

/** Every question a store can be asked, each answered from one snapshot. */
export function answerTo(view: Snapshot, query: Query): unknown {
  // The two that every call and every request ask know how to do with less.
  if (query.ask === "submission") return seenOf(view, query);
  if (query.ask === "standing") return standingOf(view, query);
  const db = view.database();
  switch (query.ask) {
    case "row":
      return rowOf(db, spaceOf(db, query.workspace), query.table, query.id);
    case "rows":
      return pageOf(db, spaceOf(db, query.workspace), query);
    case "count":
      return countOf(db, spaceOf(db, query.workspace), query);
    case "counters": {
      const space = spaceOf(db, query.workspace);
      return query.counters.map((id) => sumOf(db, space, id, query.nowMs));
    }
    case "entries":
      return entriesOf(db, spaceOf(db, query.workspace), query);
    case "links":
      return linksOf(db, spaceOf(db, query.workspace), query);
    case "displaced":
      return displacedOf(db, spaceOf(db, query.workspace), query.table, query.limit);
    case "head":
      return headOf(db, query.workspace);
  }
}

function headOf(db: Database, workspace: string): Head & { epoch: number } {
  const { head, epoch } = standOf(db, workspace) ?? { head: EMPTY_HEAD, epoch: FIRST_EPOCH };
  return { ...head, epoch };
}

/** Only the numbers: parsing the edge of the tree is for those who append. */
function placeOf(db: Database, workspace: string): { space: number; epoch: number } {
  const found = db.prepare("select space, epoch from chains where workspace = ?").get(workspace);
  return { space: Number(found?.["space"] ?? NO_SPACE), epoch: Number(found?.["epoch"] ?? FIRST_EPOCH) };
}

function spaceOf(db: Database, workspace: string): number {
  return placeOf(db, workspace).space;
}

function pageOf(db: Database, space: number, query: Extract<Query, { ask: "rows" }>) {
  const { sql, values } = conditions(space, query);
  const [beyond, order] = query.order === "newest" ? ["<", "desc"] : [">", "asc"];
  const [by, timed] = query.order === "soonest" ? ["wake_ms", " and queue = 'timers'"] : ["sort_ms", ""];
  const after = query.after === undefined ? [] : [query.after.sortMs, query.after.id];
  const paging = query.after === undefined ? "" : ` and (${by}, id) ${beyond} (?, ?)`;
  return db
    .prepare(
      `select ${columnsOf(query.table)} from ${query.table} where ${sql}${timed}${paging} order by ${by} ${order}, id ${order} limit ?`,
    )
    .all(...values, ...after, query.limit)
    .map(versioned);
}

function countOf(db: Database, space: number, query: Extract<Query, { ask: "count" }>): number {
  const { state, ...others } = query.where;
  if (state !== undefined && TALLIED.has(query.table) && Object.keys(others).length === 0) {
    const kept = db.prepare("select count from tallies where space = ? and kind = ? and state = ?");
    return Number(kept.get(space, query.table, state)?.["count"] ?? 0);
  }
  const { sql, values } = conditions(space, query);
  return Number(db.prepare(`select count(*) as count from ${query.table} where ${sql}`).get(...values)?.["count"]);
}

/** Column names come from our own table, values are bound. */
function conditions(
  space: number,
  { table, where }: { table: Table; where: RowFilter },
): { sql: string; values: SqlValue[] } {
  let sql = "space = ?";
  const values: SqlValue[] = [space];
  for (const [fact, column] of Object.entries(FILTERS) as [keyof typeof FILTERS, string][]) {
    const wanted = where[fact];
    if (wanted === undefined) continue;
    if (fact === "state" && table === "executions") sql += EXECUTIONS_BY_STATE.get(wanted) ?? "";
    sql += ` and ${column} = ?`;
    values.push(wanted);
  }
  if (where.idPrefix !== undefined) {
    sql += " and id >= ? and id < ?";
    values.push(where.idPrefix, `${where.idPrefix}\u{10ffff}`);
  }
  return { sql, values };
}

/** Mostly nothing has turned since, and one statement says so. */
function standingOf(view: Snapshot, query: Extract<Query, { ask: "standing" }>): StandingRows | undefined {
  if (query.knownEpoch === placeOf(view.glance(), query.workspace).epoch) return undefined;
  const db = view.database();
  const { space, epoch } = placeOf(db, query.workspace);
  const mark = db.prepare("select mark from chains where space = ?").get(space)?.["mark"] ?? null;
  const rows = STANDING_TABLES.map((table) => [
    table,
    db
      .prepare(`select row from ${table} where space = ? order by place`)
      .all(space)
      .map((found) => JSON.parse(String(found["row"]))),
  ]);
  return { epoch, mark, ...Object.fromEntries(rows) } as StandingRows;
}
