import { type Change, type Committed, idOf, type Need, type Put, put } from "../core/change.ts";
import type { WorkspaceId } from "../core/ids.ts";
import { chain, EMPTY_HEAD, type Entry, type Head, headAfter } from "../core/ledger.ts";
import {
  factsOf,
  type Queue,
  type Rows,
  type Seen,
  STANDING_TABLES,
  type Table,
  type Versioned,
} from "../core/rows.ts";
import type { Answer, EntryFilter, Query, RowFilter, StandingRows, Store, Taken } from "../ports.ts";

type Kept = { put: Put; version: number; facts: ReturnType<typeof factsOf>; hiddenUntilMs: number };
type Space = {
  rows: Map<string, Kept>;
  counters: Map<string, { sum: number; untilMs: number }>;
  entries: Entry[];
  head: Head;
  epoch: number;
  changes: Map<string, Committed>;
};

/** Everything in maps, for tests and for the simulator. Nothing survives the process. */
export function memoryStore(): Store {
  const spaces = new Map<WorkspaceId, Space>();
  const wakers = new Map<WorkspaceId, Set<() => void>>();
  const space = (id: WorkspaceId): Space => {
    let found = spaces.get(id);
    if (found === undefined) {
      found = { rows: new Map(), counters: new Map(), entries: [], head: EMPTY_HEAD, epoch: 1, changes: new Map() };
      spaces.set(id, found);
    }
    return found;
  };
  return {
    read: async <const Q extends Query>(query: Q) =>
      structuredClone(answer(space(query.workspace), query)) as Answer<Q>,
    commit: async (change) => {
      const done = apply(space(change.workspace), structuredClone(change));
      if (done.ok) for (const wake of wakers.get(change.workspace) ?? []) queueMicrotask(wake);
      return done;
    },
    take: async (queue, t) => [...spaces.values()].flatMap((one) => takeFrom(one, queue, t)),
    watch: (workspace, wake) => {
      const set = wakers.get(workspace) ?? new Set();
      wakers.set(workspace, set.add(wake));
      return () => set.delete(wake);
    },
    close: async () => {},
  };
}

function apply(space: Space, change: Change): Committed {
  const known = space.changes.get(change.id);
  if (known !== undefined) return known;
  const stale = change.needs.find((need) => !holds(space, need, change.atMs));
  if (stale !== undefined) return { ok: false, stale };
  for (const write of change.writes) {
    if (write.do === "put") keep(space, write);
    else if (write.do === "notice") keep(space, put("notices", write.notice));
    else if (write.do === "turn") space.epoch += 1;
    else {
      const counter = space.counters.get(write.counter);
      space.counters.set(write.counter, { sum: (counter?.sum ?? 0) + write.by, untilMs: write.untilMs });
    }
  }
  const firstIndex = space.head.index + 1;
  for (const draft of change.entries) {
    const entry = chain(space.head, draft, { workspace: change.workspace, nowMs: change.atMs });
    space.entries.push(entry);
    space.head = headAfter(space.head, entry);
  }
  const done: Committed = { ok: true, firstIndex };
  space.changes.set(change.id, done);
  return done;
}

function holds(space: Space, need: Need, nowMs: number): boolean {
  switch (need.is) {
    case "version":
      return (space.rows.get(`${need.ref.table}/${need.ref.id}`)?.version ?? 0) === need.version;
    case "unique":
      return !all(space, need.table).some((kept) => kept.facts.key === need.key);
    case "epoch":
      return space.epoch === need.epoch;
    case "room":
      return sumOf(space, need.counters, nowMs) + need.add <= need.max;
  }
}

function keep(space: Space, write: Put): void {
  const name = `${write.table}/${idOf(write)}`;
  const version = (space.rows.get(name)?.version ?? 0) + 1;
  space.rows.set(name, { put: write, version, facts: factsOf(write.table, write.row), hiddenUntilMs: 0 });
}

function all(space: Space, table: Table): Kept[] {
  return [...space.rows.values()].filter((kept) => kept.put.table === table);
}

function sumOf(space: Space, counters: readonly string[], nowMs: number): number {
  return counters.reduce((sum, id) => {
    const counter = space.counters.get(id);
    return counter === undefined || counter.untilMs <= nowMs ? sum : sum + counter.sum;
  }, 0);
}

function takeFrom(space: Space, queue: Queue, t: { max: number; leaseMs: number; nowMs: number }): Taken[] {
  const due = [...space.rows.values()].filter(
    ({ facts, hiddenUntilMs }) =>
      facts.alarm?.queue === queue && facts.alarm.atMs <= t.nowMs && hiddenUntilMs <= t.nowMs,
  );
  due.sort((a, b) => (a.facts.alarm?.atMs ?? 0) - (b.facts.alarm?.atMs ?? 0));
  return due.slice(0, t.max).map((kept) => {
    kept.hiddenUntilMs = t.nowMs + t.leaseMs;
    return structuredClone({ table: kept.put.table, row: kept.put.row, version: kept.version }) as Taken;
  });
}

function answer(space: Space, query: Query): unknown {
  switch (query.ask) {
    case "row":
      return one(space, query.table, query.id);
    case "rows":
      return page(space, query);
    case "count":
      return all(space, query.table).filter((kept) => fits(kept, query.where)).length;
    case "standing":
      return query.knownEpoch === space.epoch ? undefined : standingOf(space);
    case "submission":
      return seenOf(space, query);
    case "counters":
      return query.counters.map((id) => sumOf(space, [id], query.nowMs));
    case "entries": {
      const found = space.entries.filter((entry) => matches(entry, query.where));
      if (query.order === "newest") found.reverse();
      return found.slice(0, query.limit);
    }
    case "head":
      return space.head;
  }
}

function one<T extends Table>(space: Space, table: T, id: string): Versioned<T> | undefined {
  const kept = space.rows.get(`${table}/${id}`);
  return kept === undefined ? undefined : versioned<T>(kept);
}

function versioned<T extends Table>(kept: Kept): Versioned<T> {
  return { row: kept.put.row as Rows[T], version: kept.version };
}

function page(space: Space, query: Extract<Query, { ask: "rows" }>) {
  const sign = query.order === "newest" ? -1 : 1;
  const place = (kept: Kept) => ({ sortMs: kept.facts.sortMs, id: idOf(kept.put) });
  const compare = (a: { sortMs: number; id: string }, b: { sortMs: number; id: string }) =>
    sign * (a.sortMs - b.sortMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return all(space, query.table)
    .filter((kept) => fits(kept, query.where))
    .filter((kept) => query.after === undefined || compare(place(kept), query.after) > 0)
    .sort((a, b) => compare(place(a), place(b)))
    .slice(0, query.limit)
    .map(versioned);
}

function fits(kept: Kept, where: RowFilter): boolean {
  const { idPrefix, ...facts } = where;
  if (idPrefix !== undefined && !idOf(kept.put).startsWith(idPrefix)) return false;
  return Object.entries(facts).every(([name, value]) => (kept.facts as Record<string, unknown>)[name] === value);
}

function standingOf(space: Space): StandingRows {
  const rows = Object.fromEntries(
    STANDING_TABLES.map((table) => [table, all(space, table).map((kept) => kept.put.row)]),
  );
  return { epoch: space.epoch, ...rows } as StandingRows;
}

function seenOf(space: Space, query: Extract<Query, { ask: "submission" }>): Seen {
  const call = all(space, "calls").find((kept) => kept.facts.key === query.callKey);
  const row = call?.put.row as Rows["calls"] | undefined;
  const mine = (table: Table) =>
    all(space, table).filter((kept) => kept.facts.agent === query.agent && kept.facts.digest === query.digest);
  const approvals = mine("approvals").sort((a, b) => a.facts.sortMs - b.facts.sortMs);
  const executions = mine("executions").sort((a, b) => a.facts.sortMs - b.facts.sortMs);
  const approval = row?.approvalId === undefined ? undefined : one(space, "approvals", row.approvalId);
  const execution = executionOf(space, row, approval);
  const live = approvals.find((kept) => kept.facts.state === "pending");
  const latest = approvals.at(-1);
  const undelivered = executions.find((kept) => kept.facts.collect === "result");
  return {
    epoch: space.epoch,
    ...(call === undefined ? {} : { call: versioned<"calls">(call) }),
    ...(approval === undefined ? {} : { approval }),
    ...(execution === undefined ? {} : { execution }),
    ...(live === undefined ? {} : { live: versioned<"approvals">(live) }),
    ...(latest === undefined ? {} : { latest: versioned<"approvals">(latest) }),
    permits: executions.filter((kept) => kept.facts.collect === "permit").map((kept) => versioned<"executions">(kept)),
    ...(undelivered === undefined ? {} : { undelivered: versioned<"executions">(undelivered) }),
    pendingOfAgent: all(space, "approvals").filter((k) => k.facts.agent === query.agent && k.facts.state === "pending")
      .length,
    counters: query.counters.map((id) => sumOf(space, [id], query.nowMs)),
  };
}

/** A call knows its execution, or its approval does once it is approved. */
function executionOf(space: Space, row: Rows["calls"] | undefined, approval: Versioned<"approvals"> | undefined) {
  if (row?.executionId !== undefined) return one(space, "executions", row.executionId);
  return approval?.row.state === "approved" ? one(space, "executions", approval.row.executionId) : undefined;
}

function matches(entry: Entry, where: EntryFilter): boolean {
  if (where.afterIndex !== undefined && entry.index <= where.afterIndex) return false;
  if (where.beforeIndex !== undefined && entry.index >= where.beforeIndex) return false;
  if (where.kinds !== undefined && !where.kinds.includes(entry.kind)) return false;
  if (where.fromMs !== undefined && entry.atMs < where.fromMs) return false;
  if (where.toMs !== undefined && entry.atMs > where.toMs) return false;
  if (where.actor !== undefined && entry.actor !== where.actor) return false;
  const subject = entry.subject as Record<string, unknown>;
  return Object.entries(where.subject ?? {}).every(([name, value]) => subject[name] === value);
}
