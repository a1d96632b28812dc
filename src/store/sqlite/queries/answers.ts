import { EMPTY_HEAD, type Head } from "../../../core/ledger.ts";
import {
  IN_FORCE_STATES,
  STANDING_TABLES,
  type StandingTable,
  type Table,
  type Versioned,
} from "../../../core/rows/rows.ts";
import { callNamed } from "../../../core/rows/stored-call.ts";
import type { Query, RowFilter, StandingRows } from "../../../ports.ts";
import { FILTERS, type SqlValue } from "../../sql/columns.ts";
import { bornRightIn, callIn, versioned } from "../../sql/found.ts";
import { FIRST_EPOCH, NO_SPACE } from "../../sql/places.ts";
import { standingRow } from "../../sql/unreadable.ts";
import { callAt, callsNamed, type WorkspaceRef } from "../calls.ts";
import { sumOf } from "../counters.ts";
import { entriesOf } from "../entries.ts";
import type { Database } from "../file/driver.ts";
import type { Snapshot } from "../file/snapshot.ts";
import { headAt } from "../heads.ts";
import type { Seals } from "../seals.ts";
import { trustOf } from "../tracks.ts";
import { displacedOf } from "./displaced.ts";
import { linksOf } from "./links.ts";
import { rowOf } from "./row-at.ts";
import { seenOf } from "./seen.ts";

/**
 * Almost all executions have ended, so only the states that are looked up are indexed. SQLite uses a partial index
 * only if the condition is written out.
 */
const EXECUTIONS_BY_STATE: ReadonlyMap<string, string> = new Map([
  ["ready", " and state = 'ready'"],
  ["unknown", " and state = 'unknown'"],
]);

/** Tables whose rows are counted by state (migrations.ts). */
const TALLIED: ReadonlySet<Table> = new Set(["approvals", "notices"]);

/** All queries of a store, each answered from one snapshot. */
export function answerTo(view: Snapshot, query: Query, seals: Seals): unknown {
  // The two queries of every call and every request have faster implementations.
  if (query.ask === "submission") return seenOf(view, query, seals);
  if (query.ask === "standing") return standingOf(view, query);
  const db = view.database();
  switch (query.ask) {
    case "row":
      return rowOf(db, ofOne(db, query.workspace, seals), query.table, query.id);
    case "rows":
      return foundBy(db, ofOne(db, query.workspace, seals), query);
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
    case "trust":
      return trustOf(db, spaceOf(db, query.workspace), query);
    case "head":
      return headOf(db, query.workspace);
  }
}

function headOf(db: Database, workspace: string): Head & { epoch: number } {
  return headAt(db, workspace) ?? { ...EMPTY_HEAD, epoch: FIRST_EPOCH };
}

function placeOf(db: Database, workspace: string): { space: number; epoch: number } {
  const found = db.prepare("select space, epoch from chains where workspace = ?").get(workspace);
  return { space: Number(found?.["space"] ?? NO_SPACE), epoch: Number(found?.["epoch"] ?? FIRST_EPOCH) };
}

function ofOne(db: Database, workspace: string, seals: Seals): WorkspaceRef {
  return { space: spaceOf(db, workspace), workspace, seals };
}

function spaceOf(db: Database, workspace: string): number {
  return placeOf(db, workspace).space;
}

type Rows = Extract<Query, { ask: "rows" }>;

/** Calls are found by their key or the start of their id; executions also by the start of their call's id. */
function foundBy(db: Database, of: WorkspaceRef, query: Rows): readonly Versioned<Table>[] {
  const { key, idPrefix } = query.where;
  if (query.table === "calls") {
    if (idPrefix !== undefined) {
      const named = callsNamed(db, of, idPrefix, { born: false, limit: query.limit, order: query.order });
      return named.map((found) => callIn(of, found));
    }
    if (key === undefined) throw new Error("calls are looked for by key or id (this is a bug)");
    const place = db.prepare("select place from calls where space = ? and key = ?").get(of.space, key)?.["place"];
    const call = place === undefined ? undefined : callAt(db, of, Number(place));
    return call === undefined ? [] : [call];
  }
  const own = pageOf(db, of, query);
  if (query.table !== "executions" || idPrefix?.startsWith("exe_") !== true || own.length >= query.limit) return own;
  const how = { born: true, limit: query.limit - own.length, order: query.order };
  return [...own, ...callsNamed(db, of, callNamed(idPrefix), how).map((found) => bornRightIn(of, found))];
}

function pageOf(db: Database, of: WorkspaceRef, query: Rows): readonly Versioned<Table>[] {
  const { sql, values } = conditions(of.space, query);
  const [beyond, order] = query.order === "newest" ? ["<", "desc"] : [">", "asc"];
  // An agent has few open questions, and people put few aside: they are found by that and sorted, which the plus asks for.
  // Otherwise SQLite reads all open questions in their order until it has found enough.
  const { agent, collect } = query.where;
  const dueMs = agent === undefined ? "due_ms" : "+due_ms";
  const sortMs = query.table === "approvals" && collect !== undefined ? "+sort_ms" : "sort_ms";
  const [by, due] = query.order === "soonest" ? [dueMs, " and state = 'pending'"] : [sortMs, ""];
  const after = query.after === undefined ? [] : [query.after.sortMs, query.after.id];
  const paging = query.after === undefined ? "" : ` and (${by}, id) ${beyond} (?, ?)`;
  return db
    .prepare(
      `select row, version from ${query.table} where ${sql}${due}${paging} order by ${by} ${order}, id ${order} limit ?`,
    )
    .all(...values, ...after, query.limit)
    .map((found) => versioned(of, found));
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

/** Column names come from our own table; values are bound. */
function conditions(
  space: number,
  { table, where }: { table: Table; where: RowFilter },
): { sql: string; values: SqlValue[] } {
  let sql = "space = ?";
  const values: SqlValue[] = [space];
  for (const [fact, column] of Object.entries(FILTERS) as [keyof typeof FILTERS, string][]) {
    const wanted = where[fact];
    if (wanted === undefined) continue;
    if (fact === "state" && table === "executions") sql += executionsIn(wanted);
    sql += ` and ${column} = ?`;
    values.push(wanted);
  }
  if (where.idPrefix !== undefined) {
    sql += " and id >= ? and id < ?";
    values.push(where.idPrefix, `${where.idPrefix}\u{10ffff}`);
  }
  return { sql, values };
}

/** Executions stored with their calls are never in these states. */
function executionsIn(state: string): string {
  const found = EXECUTIONS_BY_STATE.get(state);
  if (found === undefined) throw new Error(`nobody looks for executions that are ${state} (this is a bug)`);
  return found;
}

/** Finds the rows in force by an index on the state, so that ended rows cost nothing. */
const IN_FORCE = Object.fromEntries(
  STANDING_TABLES.map((table) => {
    const states = IN_FORCE_STATES[table]?.map((state) => `'${state}'`);
    const sql = states === undefined ? "" : ` and state in (${states.join(", ")})`;
    return [table, `select row from ${table} where space = ?${sql} order by place`];
  }),
) as { readonly [T in StandingTable]: string };

/** Usually the epoch has not changed, and one statement tells. */
function standingOf(view: Snapshot, query: Extract<Query, { ask: "standing" }>): StandingRows | undefined {
  if (query.knownEpoch === placeOf(view.glance(), query.workspace).epoch) return undefined;
  const db = view.database();
  const { space, epoch } = placeOf(db, query.workspace);
  const mark = db.prepare("select mark from chains where space = ?").get(space)?.["mark"] ?? null;
  const rows = STANDING_TABLES.map((table) => [
    table,
    db
      .prepare(IN_FORCE[table])
      .all(space)
      .map((found) => standingRow(table, String(found["row"]))),
  ]);
  return { epoch, mark, ...Object.fromEntries(rows) } as StandingRows;
}
