import { StoreUnavailable } from "../../../ports.ts";
import { CLOSED_VERSION, closedBy, MOVED_COLUMNS, moveIn, type StoreMove } from "../../sql/moved.ts";
import { ENTRIES_MAX } from "../../sql/places.ts";
import type { Database } from "./driver.ts";

/** Marks the file as ours: "LEEW". */
export const APPLICATION_ID = 0x4c454557;

/**
 * Updates the database to the newest schema. Safe if several processes start at the same time: one does it, the
 * others find it done.
 */
export function migrate(db: Database): void {
  if (versionOf(db) === MIGRATIONS.length) return;
  db.exec("begin immediate");
  try {
    // Read again under the lock: another process may have done it.
    const from = versionOf(db);
    for (const sql of MIGRATIONS.slice(from)) db.exec(sql);
    db.exec(`pragma application_id = ${APPLICATION_ID}; pragma user_version = ${MIGRATIONS.length}`);
    db.exec("commit");
  } catch (error) {
    if (db.inTransaction) db.exec("rollback");
    throw error;
  }
}

/** The version of a database that is ours or empty; any other file is refused. */
export function versionOf(db: Database): number {
  // Asked first: if another process makes the tables meanwhile, what is read afterwards says that they are ours.
  const hasTables = db.prepare("select 1 from sqlite_schema limit 1").get() !== undefined;
  const version = Number(db.prepare("pragma user_version").get()?.["user_version"]);
  const owner = Number(db.prepare("pragma application_id").get()?.["application_id"]);
  if (version === CLOSED_VERSION && owner === APPLICATION_ID) throw closedBy(moveOf(db));
  if (version > MIGRATIONS.length && owner === APPLICATION_ID) {
    throw new StoreUnavailable("the database was made by a newer version of leeway; update leeway");
  }
  if (owner !== APPLICATION_ID && (hasTables || version !== 0)) {
    throw new StoreUnavailable("the file is a database of another program; name another file with LEEWAY_DB");
  }
  return version;
}

/** What the database says about being moved. */
export function moveOf(db: Database): StoreMove | undefined {
  const has = db.prepare("select 1 from sqlite_schema where name = 'moved'").get() !== undefined;
  return has ? moveIn(db.prepare(`select ${MOVED_COLUMNS.join(", ")} from moved`).get()) : undefined;
}

/** Called inside a write transaction, so that a process of an older version writes nothing after an upgrade. */
export function refuseOtherVersion(db: Database): void {
  if (versionOf(db) === MIGRATIONS.length) return;
  throw new StoreUnavailable(
    "another version of leeway changed the database while it was in use; stop this process and start it again",
  );
}

/** Numbered by position. A published migration is never edited; a change is a new one at the end. */
export const MIGRATIONS: readonly string[] = [
  `create table heads (
  space integer primary key,
  workspace text not null unique,
  epoch integer not null,
  entry integer not null,
  at_ms integer not null,
  hash text,
  edge text not null
) strict;
create table entries (
  place integer primary key,
  at_ms integer not null,
  kind text not null,
  actor text not null,
  subject text not null,
  call text,
  approval text,
  grant_id text,
  person text,
  body_hash text not null,
  previous text,
  hash text not null,
  salt text,
  body text
) strict;
create index entries_call on entries (call) where call is not null;
create index entries_approval on entries (approval) where approval is not null;
create index entries_grant on entries (grant_id) where grant_id is not null;
create index entries_person on entries (person) where person is not null;
create table counters (
  space integer not null,
  counter text not null,
  sum real not null,
  until_ms integer not null,
  primary key (space, counter)
) strict, without rowid;
create index counters_until on counters (until_ms);
create table changes (
  id text not null,
  space integer not null,
  first_index integer not null,
  at_ms integer not null,
  primary key (id, space)
) strict, without rowid;
${rowsTable("calls")}
create index calls_key on calls (space, key);
create index calls_sort on calls (space, sort_ms);
${rowsTable("approvals")}
create index approvals_key on approvals (space, key) where key is not null;
create index approvals_digest on approvals (space, agent, digest, sort_ms);
create index approvals_state on approvals (space, state, sort_ms);
create index approvals_sort on approvals (space, sort_ms);
create index approvals_pending on approvals (space, agent) where state = 'pending';
create index approvals_call on approvals (space, call);
create index approvals_wake on approvals (queue, wake_ms) where queue is not null;
${rowsTable("executions")}
create index executions_digest on executions (space, agent, digest, sort_ms) where collect is not null;
create index executions_collect on executions (space, agent, collect, sort_ms) where collect is not null;
create index executions_state on executions (space, state, sort_ms) where state = 'ready' or state = 'unknown';
create index executions_wake on executions (queue, wake_ms) where queue is not null;
${rowsTable("grants")}
create index grants_wake on grants (queue, wake_ms) where queue is not null;
${rowsTable("agents")}
${rowsTable("people")}
${rowsTable("pauses")}
${rowsTable("promotions")}
${rowsTable("policies")}
${rowsTable("notices")}
create index notices_state on notices (space, state, sort_ms);
create index notices_wake on notices (queue, wake_ms) where queue is not null;`,
  `${rowsTable("tokens")}
${rowsTable("signins")}
create index signins_state on signins (space, state, sort_ms);`,
  // A Change about a call is remembered in the index of its entry. Nobody pages through calls, because the ledger has
  // them in order.
  `alter table entries add column change text;
drop index entries_call;
create index entries_call on entries (call, change) where call is not null;
drop index calls_sort;`,
  // A full inbox must cost no more than an empty one: rows are counted by state when they change; the waiting
  // questions of one agent are indexed in order; notices are indexed apart from those about questions; and so is the
  // history of each agent.
  `create table tallies (
  space integer not null,
  kind text not null,
  state text not null,
  count integer not null,
  primary key (space, kind, state)
) strict, without rowid;
${tallied("approvals")}
${tallied("notices")}
drop index approvals_pending;
create index approvals_agent on approvals (space, agent, state, sort_ms);
update notices set collect = case when row ->> '$.readMs' is null then 'news' else 'told' end
  where row ->> '$.channel' = 'inbox' and row ->> '$.kind' in ('ran', 'unknown', 'void', 'limit', 'paused');
create index notices_collect on notices (space, collect, sort_ms) where collect is not null;
create index notices_sort on notices (space, sort_ms);
create index entries_agent on entries (subject -> '$.agent');`,
  // Reading the subject for the index at every entry took as long as all other indexes together.
  `drop index entries_agent;
alter table entries add column agent text;
update entries set agent = subject -> '$.agent';
create index entries_agent on entries (agent) where agent is not null;`,
  // A process of an older version that still runs must not write any more: the renamed table makes its appends fail.
  // The mark is the gate's keyed hash over what is in force.
  `alter table heads rename to chains;
alter table chains add column mark text;`,
  // Declarations of tools.
  rowsTable("declarations"),
  // Effect, decision and folder of a call are in its deciding entry. Old rows contain them too, until each was
  // processed; this column says how far.
  `alter table calls add column decided integer;
create table thinning (place integer not null) strict;
insert into thinning select 0 where exists (select 1 from calls);`,
  // A call is stored at the index of the entry that first decided it, with its execution (calls.ts). Old calls are
  // moved there afterwards (moving-calls.ts). The tree over the entries grows when a checkpoint is signed.
  `drop table thinning;
drop index calls_key;
alter table calls rename to calls_before;
create table calls (
  place integer primary key,
  space integer not null,
  version integer not null,
  key text not null,
  sort_ms integer not null,
  wake_ms integer,
  decided integer,
  row text not null,
  args any,
  execution text,
  execution_version integer,
  result any
) strict;
create table seals (
  place integer primary key,
  text text not null
) strict;
create unique index calls_key on calls (space, key);
create index calls_wake on calls (wake_ms) where wake_ms is not null;
drop index entries_call;
create index entries_call on entries (call) where call is not null;
alter table chains drop column edge;`,
  // Indexes for rows in force. Tokens and loaded policy texts are found by the bucket that proves them.
  `create index grants_state on grants (space, state, sort_ms);
create index pauses_state on pauses (space, state, sort_ms);
create index promotions_state on promotions (space, state, sort_ms);
create index declarations_state on declarations (space, state, sort_ms);
create index policies_state on policies (space, state, sort_ms);
create index grants_sort on grants (space, sort_ms);
create index tokens_sort on tokens (space, sort_ms);
update tokens set collect = 'tokens/' || substr(coalesce(row ->> '$.holder.agent', row ->> '$.holder.person'), -2)
  where state = 'live';
create index tokens_bucket on tokens (space, collect) where collect is not null;
update policies set collect = 'policies/' || substr(id, -2) where state = 'loaded';
create index policies_bucket on policies (space, collect) where collect is not null;
${rowsTable("buckets")}`,
  // Track records. Older entries are counted afterwards (counting-tracks.ts).
  `create table tracks (
  place integer primary key,
  space integer not null,
  agent text not null,
  class text not null,
  tool text not null,
  row text not null,
  unique (space, agent, class, tool)
) strict;
create table tracking (
  space integer primary key,
  place integer not null
) strict;
insert into tracking select space, space * ${ENTRIES_MAX} from chains;`,
  // Open questions by their deadline, which only they have; agents by their creation time.
  `alter table approvals add column due_ms integer generated always as (row ->> '$.answerByMs') virtual;
create index approvals_due on approvals (space, due_ms, id) where state = 'pending';
create index agents_sort on agents (space, sort_ms);`,
  // Messages in channels by the question that they show, so that they can be changed when it is answered.
  "create index notices_call on notices (space, call, sort_ms) where call is not null;",
  // Questions that somebody has put aside.
  "create index approvals_collect on approvals (space, collect) where collect is not null;",
];

/** Counts the rows of a table by state. Rows are added and change state; none is deleted. */
function tallied(table: string): string {
  const one = (state: string) => `insert into tallies select new.space, '${table}', ${state}, 0
    where not exists (select 1 from tallies where space = new.space and kind = '${table}' and state = ${state});
  update tallies set count = count + 1 where space = new.space and kind = '${table}' and state = ${state};`;
  return `insert into tallies select space, '${table}', state, count(*) from ${table} where state is not null group by space, state;
create trigger ${table}_come after insert on ${table} when new.state is not null begin
  ${one("new.state")}
end;
create trigger ${table}_turn after update of state on ${table} when old.state is not new.state begin
  update tallies set count = count - 1 where space = old.space and kind = '${table}' and state = old.state;
  ${one("new.state")}
end;`;
}

/** All tables of rows have the same columns; only their indexes differ. */
function rowsTable(name: string): string {
  return `create table ${name} (
  place integer primary key,
  space integer not null,
  id text not null,
  version integer not null,
  key text,
  state text,
  agent text,
  digest text,
  call text,
  collect text,
  sort_ms integer not null,
  queue text,
  wake_ms integer,
  row text not null,
  unique (space, id)
) strict;`;
}
