import { type Change, type Committed, idOf, type Need, put, type Write } from "../core/change.ts";
import type { WorkspaceId } from "../core/ids.ts";
import { chain, EMPTY_HEAD, type Entry, headAfter } from "../core/ledger.ts";
import { decides, erasedCall, keptCall } from "../core/record/decided-call.ts";
import { type CallRow, factsOf, type Queue } from "../core/rows.ts";
import type { Found, Query, Store, Taken, Taking } from "../ports.ts";
import { answerTo, type Space, sumOf } from "./memory/answers.ts";
import { frozenCopy } from "./memory/copy.ts";
import { memoryTable, versioned } from "./memory/table.ts";
import { compareText } from "./order.ts";

/** Enough for an answer that was lost and is asked for again: the last so many Changes, at most twice as many. */
const CHANGES_KEPT = 5_000;

type Memory = Space & { changes: Map<string, Committed>; earlierChanges: Map<string, Committed> };

/** Everything in maps, for tests and for the simulator. Nothing survives the process. */
export function memoryStore(): Store {
  const spaces = new Map<WorkspaceId, Memory>();
  const wakers = new Map<WorkspaceId, Set<() => void>>();
  const space = (id: WorkspaceId): Memory => {
    const found = spaces.get(id) ?? emptySpace(id);
    spaces.set(id, found);
    return found;
  };
  return {
    read: async <const Q extends Query>(query: Q) => answerTo(space(query.workspace), query) as Found<Q>,
    commit: async (change) => {
      const done = apply(space(change.workspace), change);
      if (done.ok) for (const wake of wakers.get(change.workspace) ?? []) queueMicrotask(wake);
      return done;
    },
    take: async (queue, t) => takeFrom(space(t.workspace), queue, t),
    watch: (workspace, wake) => {
      const own = () => wake();
      const set = wakers.get(workspace) ?? new Set();
      wakers.set(workspace, set.add(own));
      return () => set.delete(own);
    },
    close: async () => {},
  };
}

function emptySpace(workspace: WorkspaceId): Memory {
  return {
    workspace,
    tables: {
      calls: memoryTable(),
      approvals: memoryTable(),
      executions: memoryTable(),
      grants: memoryTable(),
      agents: memoryTable(),
      people: memoryTable(),
      pauses: memoryTable(),
      promotions: memoryTable(),
      declarations: memoryTable(),
      policies: memoryTable(),
      notices: memoryTable(),
      tokens: memoryTable(),
      signins: memoryTable(),
    },
    counters: new Map(),
    entries: [],
    head: EMPTY_HEAD,
    epoch: 1,
    mark: null,
    changes: new Map(),
    earlierChanges: new Map(),
  };
}

function apply(space: Memory, change: Change): Committed {
  const known = space.changes.get(change.id) ?? space.earlierChanges.get(change.id);
  if (known !== undefined) return known;
  const stale = change.needs.find((need) => !holds(space, need, change.atMs));
  if (stale !== undefined) return { ok: false, stale };
  // Before the first write: a Change that cannot be applied leaves no trace.
  for (const write of change.writes) refuseUnfit(write);
  for (const write of change.writes) applyWrite(space, write, change);
  const done: Committed = { ok: true, firstIndex: space.head.index + 1 };
  for (const draft of change.entries) {
    const entry = chain(space.head, frozenCopy(draft), { workspace: change.workspace, nowMs: change.atMs });
    space.entries.push(Object.freeze(entry));
    space.head = headAfter(space.head, entry);
  }
  remember(space, change, done);
  return done;
}

function remember(space: Memory, change: Change, done: Committed): void {
  space.changes.set(change.id, done);
  if (space.changes.size < CHANGES_KEPT) return;
  space.earlierChanges = space.changes;
  space.changes = new Map();
}

/** What no other store could keep is not kept here either. */
function refuseUnfit(write: Write): void {
  for (const value of valuesOf(write)) {
    const fits = typeof value === "string" ? value.isWellFormed() : !Number.isNaN(value);
    if (!fits) throw new TypeError(`${JSON.stringify(value)} cannot be stored`);
  }
}

function valuesOf(write: Write): readonly unknown[] {
  switch (write.do) {
    case "put":
      return [idOf(write), ...Object.values(factsOf(write.table, write.row))];
    case "notice":
      return valuesOf(put("notices", write.notice));
    case "add":
      return [write.counter, write.by, write.untilMs];
    default:
      return [];
  }
}

function holds(space: Space, need: Need, nowMs: number): boolean {
  switch (need.is) {
    case "version":
      return (space.tables[need.ref.table].get(need.ref.id)?.version ?? 0) === need.version;
    case "unique":
      return space.tables[need.table].matching({ key: need.key }).length === 0;
    case "epoch":
      return space.epoch === need.epoch;
    case "empty":
      return space.head.index === 0;
    case "room":
      return need.counters.reduce((sum, id) => sum + sumOf(space, id, nowMs), 0) + need.add <= need.max;
  }
}

function applyWrite(space: Space, write: Write, { atMs: nowMs, entries }: Change): void {
  switch (write.do) {
    case "put": {
      const entry = write.table === "calls" ? entries.findIndex((one) => decides(one, write.row.id)) : -1;
      const kept =
        entry === -1 ? frozenCopy(write) : put("calls", frozenCopy(keptCall(write.row as CallRow)) as CallRow);
      space.tables[write.table].put(kept, entry === -1 ? undefined : space.head.index + 1 + entry);
      break;
    }
    case "lead": {
      const held = space.tables.calls.get(write.call);
      if (held === undefined) break;
      const row = frozenCopy({ ...(held.row as CallRow), approvalId: write.to });
      space.tables.calls.put(put("calls", row), held.entry);
      break;
    }
    case "notice":
      space.tables.notices.put(put("notices", frozenCopy(write.notice)));
      break;
    case "turn":
      space.epoch += 1;
      break;
    case "mark":
      space.mark = write.mark;
      break;
    case "add":
      space.counters.set(write.counter, {
        // Room given back to a counter that started over meanwhile must not become room it never had.
        sum: Math.max(sumOf(space, write.counter, nowMs) + write.by, 0),
        untilMs: write.untilMs,
      });
      break;
    case "erase": {
      const { body, ...rest } = space.entries[write.index - 1] ?? {};
      const call = space.tables.calls.get((rest as Partial<Entry>).subject?.call ?? "");
      if (call?.entry === write.index)
        space.tables.calls.put(put("calls", frozenCopy(erasedCall(call.row as CallRow)) as CallRow), call.entry);
      if (body !== undefined) space.entries[write.index - 1] = Object.freeze(rest) as Space["entries"][number];
      break;
    }
  }
}

function takeFrom(space: Space, queue: Queue, t: Taking): Taken[] {
  const due = Object.values(space.tables)
    .flatMap((table) => [...table.alarmed(queue)])
    .filter((kept) => kept.wakeMs <= t.nowMs)
    .sort((a, b) => a.wakeMs - b.wakeMs || compareText(a.id, b.id))
    .slice(0, t.max);
  for (const kept of due) kept.wakeMs = t.nowMs + t.leaseMs;
  return due.map((kept) => ({ table: kept.table, ...versioned(kept) }) as Taken);
}
