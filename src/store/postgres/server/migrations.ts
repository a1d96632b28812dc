import type { Table } from "../../../core/rows/rows.ts";
import { StoreUnavailable } from "../../../ports.ts";
import { CLOSED_VERSION, closedBy, MOVED_COLUMNS, moveIn, type StoreMove } from "../../sql/moved.ts";
import { ENTRIES_MAX } from "../../sql/places.ts";
import { hasSchemaToUpdate, refuseShut } from "./rights.ts";
import type { Session } from "./session.ts";

/** Processes that start at the same time wait for each other here: "LEEW". */
export const MIGRATING_LOCK = 0x4c454557;

/** `version`: of the schema. `oldest`: the oldest version of the program that may write to it. */
export type SchemaVersion = { version: number; oldest: number };

/** Updates the database to the newest schema, which an admin of the database may have made. One process does it; the others wait, and find it done. */
export async function migrate(
  session: Session,
  { isMoving, isCopying }: { isMoving?: true; isCopying?: true } = {},
): Promise<void> {
  const found = await versionOf(session);
  if (found.version === CLOSED_VERSION && isMoving) return;
  // A newer schema may have columns that would not be copied.
  const isWhole = isMoving === true || isCopying === true;
  if (await isUsable(session, found, isWhole)) return;
  await session.transaction(async () => {
    await session.run("select pg_advisory_xact_lock($1)", [MIGRATING_LOCK]);
    // Read again under the lock: another process may have done it.
    const from = await versionOf(session);
    if (await isUsable(session, from, isWhole)) return;
    if (!(await hasSchemaToUpdate(session, from.version))) await session.exec("create schema leeway");
    const missing = MIGRATIONS.slice(from.version);
    for (const { sql } of missing) await session.exec(sql);
    const oldest = Math.max(from.oldest, ...missing.map((one) => one.oldest));
    await session.run("update versions set version = $1, oldest = $2", [VERSION_NOW, oldest]);
    // A process of an older version that still runs finds another stamp, and reads again whether it may write.
    await session.run("update chains set stamp = stamp + 1", []);
  });
}

/** False if it must be updated first. `isWhole`: not beside a newer version. */
async function isUsable(session: Session, found: SchemaVersion, isWhole: boolean): Promise<boolean> {
  const { version, oldest } = found;
  if (version === CLOSED_VERSION) throw closedBy(await moveOf(session));
  if (version > VERSION_NOW && (isWhole || oldest > VERSION_NOW)) {
    throw new StoreUnavailable("the database was made by a newer version of leeway; update leeway");
  }
  return version >= VERSION_NOW;
}

/**
 * SQL: whether there is such a table. `to_regclass` would answer from what the connection knew before it waited for the lock,
 * so a process that waited while another one made the tables would make them again.
 */
const hasTable = (name: string) =>
  `exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'leeway' and c.relname = '${name}')`;

const VERSION = `select ${hasTable("versions")} and ${hasTable("chains")} as ours, current_setting('server_encoding') as encoding,
  coalesce((select not has_schema_privilege(oid, 'usage') from pg_catalog.pg_namespace where nspname = 'leeway'), false) as shut`;

/** The first schema had no column for the oldest version. */
const KEPT = "select version, coalesce((to_jsonb(v) ->> 'oldest')::integer, version) as oldest from versions v";

async function versionOf(session: Session): Promise<SchemaVersion> {
  const [found] = await session.run(VERSION, []);
  if (found?.["encoding"] !== "UTF8") {
    throw new StoreUnavailable("the database has another encoding than UTF8; create it with `encoding 'UTF8'`");
  }
  if (!found["ours"]) return { version: 0, oldest: 0 };
  if (found["shut"]) await refuseShut(session);
  const [kept] = await session.run(KEPT, []);
  return { version: Number(kept?.["version"] ?? 0), oldest: Number(kept?.["oldest"] ?? 0) };
}

/** What the database says about being moved. */
export async function moveOf(session: Session): Promise<StoreMove | undefined> {
  const [has] = await session.run(`select ${hasTable("moved")} as ours`, []);
  if (!has?.["ours"]) return undefined;
  const [found] = await session.run(`select ${MOVED_COLUMNS.join(", ")} from moved`, []);
  return moveIn(found);
}

/** Checked together with the head of a chain, so that a process that is too old writes nothing after an upgrade. */
export function refuseOtherVersion({ version, oldest }: SchemaVersion): void {
  if (version === CLOSED_VERSION)
    throw new StoreUnavailable("the database was moved while it was in use; stop this process, and see LEEWAY_DB");
  if (version >= VERSION_NOW && oldest <= VERSION_NOW) return;
  throw new StoreUnavailable(
    "another version of leeway changed the database while it was in use; stop this process and start it again",
  );
}

/**
 * Numbered by position. A published migration is never edited; a change is a new one at the end. `oldest`: the oldest version
 * whose processes may go on beside the new ones. They neither read nor write what is new, so it must be a column without a
 * value, a table or an index; everything else raises this number.
 */
type Migration = { oldest: number; sql: string };

const MIGRATIONS: readonly Migration[] = [
  // The tables have the columns that SQLite's have, so that a ledger can be moved between the two. Text is compared by
  // its bytes, which is the order of its code points. `stamp` counts the commits of a workspace: if it is unchanged,
  // everything that was read of the workspace is unchanged too.
  {
    oldest: 1,
    sql: `create table versions (version integer not null);
insert into versions values (0);
create table chains (
  space integer primary key,
  workspace text collate "C" not null unique,
  epoch bigint not null,
  entry bigint not null,
  at_ms bigint not null,
  hash text,
  mark text,
  stamp bigint not null
);
create table entries (
  place bigint primary key,
  at_ms bigint not null,
  kind text not null,
  actor text collate "C" not null,
  subject text not null,
  call text collate "C",
  change text collate "C",
  approval text collate "C",
  grant_id text collate "C",
  person text collate "C",
  agent text collate "C",
  body_hash text not null,
  previous text,
  hash text not null,
  salt text,
  body text
);
create index entries_call on entries (call, place) where call is not null;
create index entries_approval on entries (approval, place) where approval is not null;
create index entries_grant on entries (grant_id, place) where grant_id is not null;
create index entries_person on entries (person, place) where person is not null;
create index entries_agent on entries (agent, place) where agent is not null;
create table calls (
  place bigint primary key,
  space integer not null,
  version bigint not null,
  key text collate "C" not null,
  sort_ms bigint not null,
  wake_ms bigint,
  decided bigint,
  row text not null,
  args text,
  execution text,
  execution_version bigint,
  result text
);
create unique index calls_key on calls (space, key);
create index calls_wake on calls (space, wake_ms) where wake_ms is not null;
create table counters (
  space integer not null,
  counter text collate "C" not null,
  sum double precision not null,
  until_ms bigint not null,
  primary key (space, counter)
);
create index counters_until on counters (until_ms);
create table changes (
  id text collate "C" not null,
  space integer not null,
  first_index bigint not null,
  at_ms bigint not null,
  primary key (id, space)
);
create table tallies (
  space integer not null,
  kind text not null,
  state text not null,
  count bigint not null,
  primary key (space, kind, state)
);
create table tracks (
  place bigint generated by default as identity primary key,
  space integer not null,
  agent text collate "C" not null,
  class text collate "C" not null,
  tool text collate "C" not null,
  row text not null,
  unique (space, agent, class, tool)
);
create index tracks_space on tracks (space, place);
${rowsTable("approvals")}
create index approvals_key on approvals (space, key) where key is not null;
create index approvals_agent on approvals (space, agent, state, sort_ms, id);
create index approvals_digest on approvals (space, agent, digest, sort_ms);
create index approvals_state on approvals (space, state, sort_ms, id);
create index approvals_sort on approvals (space, sort_ms, id);
create index approvals_call on approvals (space, call);
create index approvals_due on approvals (space, due_ms, id) where due_ms is not null;
create index approvals_collect on approvals (space, collect) where collect is not null;
create index approvals_wake on approvals (space, queue, wake_ms) where queue is not null;
${rowsTable("executions")}
create index executions_collect on executions (space, agent, collect, sort_ms) where collect is not null;
create index executions_digest on executions (space, agent, digest, sort_ms) where collect is not null;
create index executions_state on executions (space, state, sort_ms, id) where state in ('ready', 'unknown');
create index executions_wake on executions (space, queue, wake_ms) where queue is not null;
${rowsTable("grants")}
create index grants_state on grants (space, state, sort_ms, id);
create index grants_sort on grants (space, sort_ms, id);
create index grants_wake on grants (space, queue, wake_ms) where queue is not null;
${rowsTable("agents")}
create index agents_sort on agents (space, sort_ms, id);
${rowsTable("people")}
${rowsTable("pauses")}
create index pauses_state on pauses (space, state, sort_ms, id);
${rowsTable("promotions")}
create index promotions_state on promotions (space, state, sort_ms, id);
${rowsTable("declarations")}
create index declarations_state on declarations (space, state, sort_ms, id);
${rowsTable("policies")}
create index policies_state on policies (space, state, sort_ms, id);
create index policies_bucket on policies (space, collect) where collect is not null;
${rowsTable("notices")}
create index notices_state on notices (space, state, sort_ms, id);
create index notices_collect on notices (space, collect, sort_ms, id) where collect is not null;
create index notices_sort on notices (space, sort_ms, id);
create index notices_call on notices (space, call, sort_ms, id) where call is not null;
create index notices_wake on notices (space, queue, wake_ms) where queue is not null;
${rowsTable("tokens")}
create index tokens_sort on tokens (space, sort_ms, id);
create index tokens_bucket on tokens (space, collect) where collect is not null;
${rowsTable("signins")}
create index signins_state on signins (space, state, sort_ms, id);
${rowsTable("buckets")}`,
  },
  // The first version knows nothing of older and newer ones, so it stops.
  { oldest: 2, sql: "alter table versions add column oldest integer not null default 2" },
];

/** The version of the schema that this program writes. */
export const VERSION_NOW = MIGRATIONS.length;

/** SQL: whether this version may write. */
export const MAY_WRITE = `(select oldest <= ${VERSION_NOW} and version between ${VERSION_NOW} and ${CLOSED_VERSION - 1} from versions)`;

/** SQL for the first key of the entries of a workspace. */
export function firstPlace(space: string): string {
  return `(${space}::bigint * ${ENTRIES_MAX})`;
}

/** All tables of rows have the same columns; only their indexes differ. */
function rowsTable(name: Exclude<Table, "calls">): string {
  return `create table ${name} (
  place bigint generated by default as identity primary key,
  space integer not null,
  id text collate "C" not null,
  version bigint not null,
  key text collate "C",
  state text collate "C",
  agent text collate "C",
  digest text collate "C",
  call text collate "C",
  collect text collate "C",
  sort_ms bigint not null,
  due_ms bigint,
  queue text collate "C",
  wake_ms bigint,
  row text not null,
  unique (space, id)
);`;
}
