import { EMPTY_HEAD, type Head } from "../../../core/ledger.ts";
import {
  IN_FORCE_STATES,
  STANDING_TABLES,
  type StandingTable,
  type Table,
  type Versioned,
} from "../../../core/rows/rows.ts";
import { callNamed } from "../../../core/rows/stored-call.ts";
import type { TrustRecord } from "../../../core/trust/trust.ts";
import type { Hash } from "../../../core/values/hash.ts";
import type { Query, RowFilter, StandingRows } from "../../../ports.ts";
import { FILTERS, type SqlRow } from "../../sql/columns.ts";
import { isInPlace, PLACED_COLUMNS } from "../../sql/displaced.ts";
import { bornRightIn, callIn, type SecretReader, versioned } from "../../sql/found.ts";
import { FIRST_EPOCH } from "../../sql/places.ts";
import { storedText, textFrom } from "../../sql/text.ts";
import { standingRow } from "../../sql/unreadable.ts";
import { TALLIED } from "../changes/rows.ts";
import type { Given, Session } from "../server/session.ts";
import { CALLS, INSIDE, SPACE } from "./calls.ts";
import { entriesOf, linksOf } from "./entries.ts";
import { rowOf } from "./row-at.ts";
import { seenOf } from "./seen.ts";

type Ask<A extends Query["ask"]> = Extract<Query, { ask: A }>;

/** All queries of a store, each answered from one snapshot: by one statement if possible. */
export function answerTo(session: Session, query: Query, seals: SecretReader): Promise<unknown> {
  const of = { workspace: query.workspace, seals };
  switch (query.ask) {
    case "submission":
      return seenOf(session, query, seals);
    case "standing":
      return standingOf(session, query);
    case "row":
      return rowOf(session, of, query.table, query.id);
    case "rows":
      return foundBy(session, of, query);
    case "count":
      return countOf(session, query);
    case "counters":
      return sumsOf(session, query);
    case "entries":
      return entriesOf(session, query);
    case "links":
      return linksOf(session, query);
    case "displaced":
      return displacedOf(session, query);
    case "trust":
      return trustOf(session, query);
    case "head":
      return headOf(session, query);
  }
}

type Of = { workspace: string; seals: SecretReader };

/** Calls are found by their key or the start of their id; executions also by the start of their call's id. */
async function foundBy(session: Session, of: Of, query: Ask<"rows">): Promise<readonly Versioned<Table>[]> {
  const { key, idPrefix } = query.where;
  if (query.table === "calls") {
    if (idPrefix !== undefined) {
      const named = await callsNamed(session, query, idPrefix, { born: false, limit: query.limit });
      return named.map((found) => callIn(of, found));
    }
    if (key === undefined) throw new Error("calls are looked for by key or id (this is a bug)");
    const found = await session.run(`${CALLS} where c.space = ${SPACE} and c.key = $2`, [
      of.workspace,
      storedText(key),
    ]);
    return found.map((one) => callIn(of, one));
  }
  if (query.table !== "executions" || idPrefix?.startsWith("exe_") !== true) return pageOf(session, of, query);
  return session.snapshot(async (one) => {
    const own = await pageOf(one, of, query);
    const limit = query.limit - own.length;
    const born = await callsNamed(one, query, callNamed(idPrefix), { born: true, limit });
    return [...own, ...born.map((found) => bornRightIn(of, found))];
  });
}

/** The greatest code point: no id is behind it. */
const LAST = "\u{10ffff}";

/** Calls whose id starts with this text; `born`: only those with their execution. */
function callsNamed(
  session: Session,
  { workspace, order }: Ask<"rows">,
  prefix: string,
  { born, limit }: { born: boolean; limit: number },
): Promise<readonly SqlRow[]> {
  const named = `select e.place from entries e where e.call >= $2 and e.call < $3 and ${INSIDE}`;
  const only = born ? " and c.execution is not null" : "";
  const direction = order === "newest" ? "desc" : "asc";
  const sql = `${CALLS} where c.place in (${named})${only} order by c.place ${direction} limit $4`;
  const from = storedText(prefix);
  return session.run(sql, [workspace, from, `${from}${LAST}`, limit]);
}

async function pageOf(session: Session, of: Of, query: Ask<"rows">): Promise<readonly Versioned<Table>[]> {
  const values: Given[] = [query.workspace];
  const where = conditions(values, query);
  const [beyond, order] = query.order === "newest" ? ["<", "desc"] : [">", "asc"];
  const [by, due] = query.order === "soonest" ? ["due_ms", " and r.due_ms is not null"] : ["sort_ms", ""];
  let paging = "";
  if (query.after !== undefined) {
    values.push(query.after.sortMs, storedText(query.after.id));
    paging = ` and (r.${by}, r.id) ${beyond} ($${values.length - 1}::bigint, $${values.length}::text)`;
  }
  values.push(query.limit);
  const found = await session.run(
    `select r.row, r.version from ${query.table} r where ${where}${due}${paging} ` +
      `order by r.${by} ${order}, r.id ${order} limit $${values.length}`,
    values,
  );
  return found.map((one) => versioned(of, one));
}

async function countOf(session: Session, query: Ask<"count">): Promise<number> {
  const { state, ...others } = query.where;
  if (state !== undefined && TALLIED.has(query.table) && Object.keys(others).length === 0) {
    const sql = `select t.count from tallies t where t.space = ${SPACE} and t.kind = $2 and t.state = $3`;
    const [kept] = await session.run(sql, [query.workspace, query.table, state]);
    return Number(kept?.["count"] ?? 0);
  }
  const values: Given[] = [query.workspace];
  const where = conditions(values, query);
  const [found] = await session.run(`select count(*) as count from ${query.table} r where ${where}`, values);
  return Number(found?.["count"]);
}

/**
 * Almost all executions have ended, so only the states that are looked up are indexed. Such an index is used only if
 * the condition is written out.
 */
const EXECUTIONS_BY_STATE: ReadonlyMap<string, string> = new Map([
  ["ready", " and r.state = 'ready'"],
  ["unknown", " and r.state = 'unknown'"],
]);

/** Column names come from our own table; values are bound, after the name of the workspace. */
function conditions(values: Given[], { table, where }: { table: Table; where: RowFilter }): string {
  let sql = `r.space = ${SPACE}`;
  for (const [fact, column] of Object.entries(FILTERS) as [keyof typeof FILTERS, string][]) {
    const wanted = where[fact];
    if (wanted === undefined) continue;
    if (fact === "state" && table === "executions") sql += executionsIn(wanted);
    values.push(storedText(wanted));
    sql += ` and r.${column} = $${values.length}`;
  }
  if (where.idPrefix !== undefined) {
    const from = storedText(where.idPrefix);
    values.push(from, `${from}${LAST}`);
    sql += ` and r.id >= $${values.length - 1} and r.id < $${values.length}`;
  }
  return sql;
}

/** Executions stored with their calls are never in these states. */
function executionsIn(state: string): string {
  const found = EXECUTIONS_BY_STATE.get(state);
  if (found === undefined) throw new Error(`nobody looks for executions that are ${state} (this is a bug)`);
  return found;
}

async function sumsOf(session: Session, query: Ask<"counters">): Promise<readonly number[]> {
  const found = await session.run(
    `select l.counter, l.sum from counters l where l.space = ${SPACE} and l.counter = any($2::text[]) and l.until_ms > $3`,
    [query.workspace, query.counters.map(storedText), query.nowMs],
  );
  const sums = new Map(found.map((row) => [String(row["counter"]), Number(row["sum"])]));
  return query.counters.map((id) => sums.get(storedText(id)) ?? 0);
}

async function headOf(session: Session, { workspace }: Ask<"head">): Promise<Head & { epoch: number }> {
  const sql = "select epoch, entry, at_ms, hash from chains where workspace = $1";
  const [found] = await session.run(sql, [workspace]);
  if (found === undefined) return { ...EMPTY_HEAD, epoch: FIRST_EPOCH };
  return {
    index: Number(found["entry"]),
    atMs: Number(found["at_ms"]),
    hash: found["hash"] as Hash | null,
    epoch: Number(found["epoch"]),
  };
}

async function trustOf(session: Session, { workspace, agent }: Ask<"trust">): Promise<readonly TrustRecord[]> {
  const [sql, values] = agent === undefined ? ["", []] : [" and t.agent = $2", [storedText(agent)]];
  const found = await session.run(`select t.row from tracks t where t.space = ${SPACE}${sql} order by t.place`, [
    workspace,
    ...values,
  ]);
  return found.map((row) => JSON.parse(String(row["row"])));
}

const PAGE = 1_000;

/** Ids of rows whose columns do not match the row, and of unreadable rows. */
async function displacedOf(session: Session, query: Ask<"displaced">): Promise<readonly string[]> {
  const { workspace, table, limit } = query;
  const columns = PLACED_COLUMNS.map((name) => `r.${name}`).join(", ");
  const sql =
    `select ${columns}, r.row from ${table} r where r.space = ${SPACE} and r.id > $2 ` + "order by r.id limit $3";
  const ids: string[] = [];
  for (let after = ""; ; ) {
    const page = await session.run(sql, [workspace, after, PAGE]);
    for (const one of page) if (!isInPlace(table, one)) ids.push(textFrom(one["id"]));
    if (page.length < PAGE || ids.length >= limit) return ids.slice(0, limit);
    after = String(page.at(-1)?.["id"]);
  }
}

/** The rows in force, found by an index on the state, so that ended rows cost nothing. */
const IN_FORCE = STANDING_TABLES.map((table) => {
  const states = IN_FORCE_STATES[table]?.map((state) => `'${state}'`);
  const only = states === undefined ? "" : ` and r.state in (${states.join(", ")})`;
  const rows = `(select json_agg(r.row order by r.place) from ${table} r where r.space = h.space${only})`;
  return `case when h.epoch = $2 then null else ${rows} end as ${table}`;
});
const STANDING = `select h.epoch, h.mark, ${IN_FORCE.join(", ")} from chains h where h.workspace = $1`;

/** Usually the epoch has not changed, and then nothing else is read. */
async function standingOf(session: Session, query: Ask<"standing">): Promise<StandingRows | undefined> {
  const [found] = await session.run(STANDING, [query.workspace, query.knownEpoch ?? -1]);
  const epoch = Number(found?.["epoch"] ?? FIRST_EPOCH);
  if (epoch === query.knownEpoch) return undefined;
  const rows = STANDING_TABLES.map((table: StandingTable) => {
    const list = JSON.parse(String(found?.[table] ?? "[]")) as readonly string[];
    return [table, list.map((row) => standingRow(table, row))];
  });
  return { epoch, mark: found?.["mark"] ?? null, ...Object.fromEntries(rows) } as StandingRows;
}
