import type { WorkspaceId } from "../../core/ids.ts";
import { type Entry, type Head, linkOf } from "../../core/ledger.ts";
import {
  APPROVED_OF_AGENT_MAX,
  type Facts,
  factsOf,
  IN_FORCE_STATES,
  type Queue,
  type Rows,
  type Seen,
  STANDING_TABLES,
  type StandingTable,
  type Table,
  type Versioned,
} from "../../core/rows/rows.ts";
import { type CallPlace, type KeptCall, wholeCall } from "../../core/rows/stored-call.ts";
import { Secret } from "../../core/secret.ts";
import type { TrustFold } from "../../core/trust/trust.ts";
import type { EntryFilter, Query, RowFilter, StandingRows } from "../../ports.ts";
import { compareText } from "../order.ts";

/** All data of a workspace. */
export type WorkspaceData = {
  workspace: WorkspaceId;
  tables: { readonly [T in Table]: MemoryTable };
  counters: Map<string, { sum: number; untilMs: number }>;
  entries: Entry[];
  head: Head;
  trust: TrustFold;
  epoch: number;
  mark: string | null;
};

export function answerTo(space: WorkspaceData, query: Query): unknown {
  switch (query.ask) {
    case "row":
      return one(space, query.table, query.id);
    case "rows":
      return pageOf(space, query);
    case "count":
      return space.tables[query.table].matching(query.where).length;
    case "standing":
      return query.knownEpoch === space.epoch ? undefined : standingOf(space);
    case "submission":
      return seenOf(space, query);
    case "counters":
      return query.counters.map((id) => sumOf(space, id, query.nowMs));
    case "entries":
      return entriesOf(space, query);
    case "links":
      return space.entries.slice(query.afterIndex, query.afterIndex + query.limit).map(linkOf);
    case "displaced":
      // Facts and row are made together and stay in this process.
      return [];
    case "trust":
      return [...space.trust.records.values()]
        .filter(({ agent }) => query.agent === undefined || agent === query.agent)
        .map(frozenCopy);
    case "head":
      return { ...space.head, epoch: space.epoch };
  }
}

export function sumOf(space: WorkspaceData, id: string, nowMs: number): number {
  const counter = space.counters.get(id);
  return counter === undefined || counter.untilMs <= nowMs ? 0 : counter.sum;
}

export function one<T extends Table>(space: WorkspaceData, table: T, id: string) {
  const kept = space.tables[table].get(id);
  return kept === undefined ? undefined : whole<T>(space, kept);
}

/** A row as readers get it: a call combined with its deciding entry. */
export function whole<T extends Table>(space: WorkspaceData, kept: KeptRow): Versioned<T> {
  const entry = kept.entry === undefined ? undefined : space.entries[kept.entry - 1];
  if (entry === undefined) return versioned<T>(kept);
  const row = wholeCall(kept.row as CallPlace, kept.row as KeptCall, entry.subject, entry.body?.json);
  return { row: row as Rows[T], version: kept.version };
}

function pageOf(space: WorkspaceData, query: Extract<Query, { ask: "rows" }>) {
  const sign = query.order === "newest" ? -1 : 1;
  const compare = (a: { sortMs: number; id: string }, b: { sortMs: number; id: string }) =>
    sign * (a.sortMs - b.sortMs || compareText(a.id, b.id));
  const { after } = query;
  return space.tables[query.table]
    .matching(query.where)
    .flatMap((kept) => {
      const sortMs = query.order === "soonest" ? kept.facts.dueMs : kept.facts.sortMs;
      return sortMs === undefined ? [] : [{ kept, sortMs, id: kept.id }];
    })
    .filter((found) => after === undefined || compare(found, after) > 0)
    .sort(compare)
    .slice(0, query.limit)
    .map(({ kept }) => whole(space, kept));
}

function standingOf(space: WorkspaceData): StandingRows {
  const rows = STANDING_TABLES.map((table) => [table, inForceIn(space, table).map((kept) => kept.row)]);
  return { epoch: space.epoch, mark: space.mark, ...Object.fromEntries(rows) } as StandingRows;
}

/** In the order in which they were created. */
function inForceIn({ tables }: WorkspaceData, table: StandingTable): readonly KeptRow[] {
  const states = IN_FORCE_STATES[table];
  if (states === undefined) return [...tables[table].all()];
  return states.flatMap((state) => tables[table].matching({ state })).sort((a, b) => a.place - b.place);
}

function seenOf(space: WorkspaceData, query: Extract<Query, { ask: "submission" }>): Seen {
  const { agent, digest } = query;
  const { calls, approvals, executions } = space.tables;
  const [call] = calls.matching({ key: query.callKey }).map((kept) => whole<"calls">(space, kept));
  const approval = call?.row.approvalId === undefined ? undefined : one(space, "approvals", call.row.approvalId);
  const execution = executionOf(space, call?.row, approval?.row);
  const questions = oldestFirst(approvals.matching({ agent, digest }));
  const live = questions.find((kept) => kept.facts.state === "pending");
  const latest = questions.at(-1);
  const asking = one(space, "agents", agent);
  const [undelivered] = oldestFirst(executions.matching({ agent, digest, collect: "result" }));
  return {
    epoch: space.epoch,
    ...(asking === undefined ? {} : { agent: asking.row }),
    ...(call === undefined ? {} : { call }),
    ...(approval === undefined ? {} : { approval }),
    ...(execution === undefined ? {} : { execution }),
    ...(live === undefined ? {} : { live: versioned<"approvals">(live) }),
    ...(latest === undefined ? {} : { latest: versioned<"approvals">(latest) }),
    permits: oldestFirst(executions.matching({ agent, digest, collect: "permit" })).map((kept) =>
      versioned<"executions">(kept),
    ),
    ...(undelivered === undefined ? {} : { undelivered: versioned<"executions">(undelivered) }),
    approvedOfAgent: oldestFirst(executions.matching({ agent, collect: "permit" }))
      .map((kept) => kept.row as Rows["executions"])
      .flatMap((row) => (row.runUntilMs > query.nowMs && row.approval) || [])
      .slice(0, APPROVED_OF_AGENT_MAX),
    counters: query.counters.map((id) => sumOf(space, id, query.nowMs)),
  };
}

export function isQuiet({ tables: { approvals, executions } }: WorkspaceData, agent: string, digest: string): boolean {
  if (approvals.matching({ agent, digest }).length > 0) return false;
  return (["permit", "result"] as const).every((collect) => executions.matching({ agent, collect }).length === 0);
}

function oldestFirst(kept: KeptRow[]): KeptRow[] {
  return kept.sort((a, b) => a.facts.sortMs - b.facts.sortMs || a.place - b.place);
}

/** The call names its execution; if people were asked, the approval names it. */
export function executionOf(
  space: WorkspaceData,
  call: Rows["calls"] | undefined,
  approval: Rows["approvals"] | undefined,
) {
  if (call?.executionId !== undefined) return one(space, "executions", call.executionId);
  return approval?.state === "approved" ? one(space, "executions", approval.executionId) : undefined;
}

function entriesOf(space: WorkspaceData, query: Extract<Query, { ask: "entries" }>): readonly Entry[] {
  const { entries } = space;
  const { where, limit, order } = query;
  const from = Math.max(where.afterIndex ?? 0, 0);
  const to = Math.min((where.beforeIndex ?? Number.POSITIVE_INFINITY) - 1, entries.length);
  const found: Entry[] = [];
  for (let step = 0; step < to - from && found.length < limit; step++) {
    const entry = entries[order === "oldest" ? from + step : to - 1 - step];
    if (entry !== undefined && matches(entry, where)) found.push(entry);
  }
  return found;
}

function matches(entry: Entry, where: EntryFilter): boolean {
  if (where.kinds !== undefined && !where.kinds.includes(entry.kind)) return false;
  if (where.fromMs !== undefined && entry.atMs < where.fromMs) return false;
  if (where.toMs !== undefined && entry.atMs > where.toMs) return false;
  if (where.actor !== undefined && entry.actor !== where.actor) return false;
  const subject = entry.subject as Record<string, unknown>;
  return Object.entries(where.subject ?? {}).every(([name, value]) => value === undefined || subject[name] === value);
}

export type KeptRow = {
  id: string;
  table: Table;
  row: object;
  version: number;
  /** The entry with the rest of a call's row. */
  entry: number | undefined;
  facts: Facts;
  /** When its alarm is due, or due again after it was taken. */
  wakeMs: number;
  /** The order in which rows were created. */
  place: number;
};

const INDEXED = ["key", "state", "agent", "digest", "call", "collect"] as const;

/** Rows by id and by every fact, so that no lookup scans all rows. */
export type MemoryTable = {
  get(id: string): KeptRow | undefined;
  put(id: string, row: object, entry?: number): void;
  /** In the order in which they were created. */
  all(): Iterable<KeptRow>;
  matching(where: RowFilter): KeptRow[];
  alarmed(queue: Queue): Iterable<KeptRow>;
};

export function memoryTable(table: Table): MemoryTable {
  const rows = new Map<string, KeptRow>();
  const byFact = new Map<string, Set<KeptRow>>();
  const byQueue = new Map<Queue, Set<KeptRow>>();
  let places = 0;
  return {
    get: (id) => rows.get(id),
    put: (id, row, entry) => {
      const old = rows.get(id);
      if (old !== undefined) {
        for (const name of indexNames(old.facts)) without(byFact, name, old);
        if (old.facts.alarm !== undefined) without(byQueue, old.facts.alarm.queue, old);
      }
      const facts = factsOf(table, row as Rows[Table]);
      const kept = {
        id,
        table,
        row,
        version: (old?.version ?? 0) + 1,
        entry,
        facts,
        wakeMs: facts.alarm?.atMs ?? 0,
        place: old?.place ?? ++places,
      };
      rows.set(id, kept);
      for (const name of indexNames(facts)) within(byFact, name).add(kept);
      if (facts.alarm !== undefined) within(byQueue, facts.alarm.queue).add(kept);
    },
    all: () => rows.values(),
    matching: (where) => {
      const found: KeptRow[] = [];
      for (const kept of smallest(rows, byFact, where)) if (fits(kept, where)) found.push(kept);
      return found;
    },
    alarmed: (queue) => byQueue.get(queue) ?? [],
  };
}

function* indexNames(facts: Facts): Iterable<string> {
  for (const fact of INDEXED) {
    const value = facts[fact];
    if (value !== undefined) yield `${fact}\n${value}`;
  }
}

function within<K>(sets: Map<K, Set<KeptRow>>, name: K): Set<KeptRow> {
  let set = sets.get(name);
  if (set === undefined) {
    set = new Set();
    sets.set(name, set);
  }
  return set;
}

function without<K>(sets: Map<K, Set<KeptRow>>, name: K, kept: KeptRow): void {
  const set = sets.get(name);
  set?.delete(kept);
  if (set?.size === 0) sets.delete(name);
}

/** The requested fact that the fewest rows share. */
function smallest(rows: Map<string, KeptRow>, byFact: Map<string, Set<KeptRow>>, where: RowFilter): Iterable<KeptRow> {
  let best: Iterable<KeptRow> = rows.values();
  let size = rows.size;
  for (const fact of INDEXED) {
    const value = where[fact];
    if (value === undefined) continue;
    const set = byFact.get(`${fact}\n${value}`);
    if (set === undefined) return [];
    if (set.size <= size) [best, size] = [set, set.size];
  }
  return best;
}

function fits(kept: KeptRow, where: RowFilter): boolean {
  if (where.idPrefix !== undefined && !kept.id.startsWith(where.idPrefix)) return false;
  return INDEXED.every((fact) => where[fact] === undefined || kept.facts[fact] === where[fact]);
}

export function versioned<T extends Table>(kept: KeptRow): Versioned<T> {
  return { row: kept.row as Rows[T], version: kept.version };
}

/**
 * A frozen copy of plain data, as JSON would keep it: `undefined` members are left out. Stored values can be returned
 * directly, because nobody can change them.
 */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null || value instanceof Secret) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined) continue;
    // Assigning to this key would set the prototype.
    if (key === "__proto__") Object.defineProperty(copied, key, { value: frozenCopy(member), enumerable: true });
    else copied[key] = frozenCopy(member);
  }
  return Object.freeze(copied) as T;
}
