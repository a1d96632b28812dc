import {
  type Change,
  type Committed,
  erasingLast,
  idOf,
  type Need,
  needOf,
  put,
  queuesWork,
  type Write,
} from "../core/change.ts";
import type { Execution } from "../core/execution.ts";
import type { WorkspaceId } from "../core/ids.ts";
import { chain, EMPTY_HEAD, type Entry, headAfter } from "../core/ledger.ts";
import { factsOf, type Queue, type Versioned } from "../core/rows/rows.ts";
import { type CallPlace, decidedBy, erasedCall, keptCall } from "../core/rows/stored-call.ts";
import { ERASED_SECRET } from "../core/secret.ts";
import { foldTrust, startTrust } from "../core/trust/trust.ts";
import type { Found, Query, Store, StoreNews, Taken, Taking } from "../ports.ts";
import {
  answerTo,
  executionOf,
  frozenCopy,
  isQuiet,
  type KeptRow,
  memoryTable,
  one,
  sumOf,
  versioned,
  type WorkspaceData,
  whole,
} from "./memory/space.ts";
import { compareText } from "./order.ts";

/** Enough for answers that were lost and are requested again: the last Changes, at most twice this number. */
const CHANGES_KEPT = 5_000;

type Memory = WorkspaceData & { changes: Map<string, Committed>; earlierChanges: Map<string, Committed> };

/** Keeps everything in maps, for tests and the simulator. Nothing is kept after the process. */
export function memoryStore(): Store {
  const spaces = new Map<WorkspaceId, Memory>();
  const wakers = new Map<WorkspaceId, Set<(news: StoreNews) => void>>();
  const space = (id: WorkspaceId): Memory => {
    const found = spaces.get(id) ?? emptySpace(id);
    spaces.set(id, found);
    return found;
  };
  return {
    read: async <const Q extends Query>(query: Q) => answerTo(space(query.workspace), query) as Found<Q>,
    commit: async (change) => {
      const done = apply(space(change.workspace), change);
      const woken = done.ok ? wakers.get(change.workspace) : undefined;
      if (woken !== undefined) {
        const news = { queued: queuesWork(change) };
        for (const wake of woken) queueMicrotask(() => wake(news));
      }
      return done;
    },
    take: async (queue, t) => takeFrom(space(t.workspace), queue, t),
    watch: (workspace, wake) => {
      const own = (news: StoreNews) => wake(news);
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
      calls: memoryTable("calls"),
      approvals: memoryTable("approvals"),
      executions: memoryTable("executions"),
      grants: memoryTable("grants"),
      agents: memoryTable("agents"),
      people: memoryTable("people"),
      pauses: memoryTable("pauses"),
      promotions: memoryTable("promotions"),
      declarations: memoryTable("declarations"),
      policies: memoryTable("policies"),
      notices: memoryTable("notices"),
      tokens: memoryTable("tokens"),
      signins: memoryTable("signins"),
      buckets: memoryTable("buckets"),
    },
    counters: new Map(),
    entries: [],
    head: EMPTY_HEAD,
    trust: startTrust(),
    epoch: 1,
    mark: null,
    changes: new Map(),
    earlierChanges: new Map(),
  };
}

function apply(space: Memory, change: Change): Committed {
  const known = space.changes.get(change.id) ?? space.earlierChanges.get(change.id);
  if (known !== undefined) return known;
  const own = change.writes.flatMap((write) => (write.do === "start" || write.do === "step" ? [needOf(write)] : []));
  const stale = [...change.needs, ...own].find((need) => !holds(space, need, change.atMs));
  if (stale !== undefined) return { ok: false, stale };
  // Checked before the first write, so that a Change that cannot be applied leaves no trace.
  for (const write of change.writes) refuseUnfit(write);
  for (const write of erasingLast(change.writes)) applyWrite(space, write, change);
  const done: Committed = { ok: true, firstIndex: space.head.index + 1 };
  for (const draft of change.entries) {
    const entry = chain(space.head, frozenCopy(draft), { workspace: change.workspace, nowMs: change.atMs });
    space.entries.push(Object.freeze(entry));
    foldTrust(space.trust, entry);
    space.head = headAfter(entry);
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

/** Values that other stores could not keep are refused here too. */
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
    case "start":
      return [write.call.key, write.call.atMs];
    case "step":
      return [write.right.id, ...Object.values(factsOf("executions", write.right))];
    case "notice":
      return valuesOf(put("notices", write.notice));
    case "add":
      return [write.counter, write.by, write.untilMs];
    default:
      return [];
  }
}

function holds(space: WorkspaceData, need: Need, nowMs: number): boolean {
  switch (need.is) {
    case "version":
      return (space.tables[need.ref.table].get(need.ref.id)?.version ?? 0) === need.version;
    case "unique":
      return space.tables[need.table].matching({ key: need.key }).length === 0;
    case "epoch":
      return space.epoch === need.epoch;
    case "quiet":
      return isQuiet(space, need.agent, need.digest);
    case "empty":
      return space.head.index === 0;
    case "room":
      return need.counters.reduce((sum, id) => sum + sumOf(space, id, nowMs), 0) + need.add <= need.max;
  }
}

function applyWrite(space: WorkspaceData, write: Write, { atMs: nowMs, entries }: Change): void {
  switch (write.do) {
    case "put":
      space.tables[write.table].put(idOf(write), frozenCopy(write.row));
      break;
    case "start": {
      const { call, right } = write;
      const { id, workspace, key, atMs, args } = call;
      const kept = { id, workspace, key, atMs, args, ...keptCall(call) };
      space.tables.calls.put(id, frozenCopy(kept), space.head.index + 1 + decidedBy(call.id, entries));
      if (right !== undefined) space.tables.executions.put(right.id, frozenCopy(right));
      break;
    }
    case "step":
      space.tables.executions.put(write.right.id, frozenCopy(ofErased(space, write.right)));
      break;
    case "lead": {
      const held = space.tables.calls.get(write.call);
      if (held === undefined) break;
      space.tables.calls.put(write.call, frozenCopy({ ...held.row, approvalId: write.to }), held.entry);
      break;
    }
    case "notice":
      space.tables.notices.put(write.notice.id, frozenCopy(write.notice));
      break;
    case "turn":
      space.epoch += 1;
      break;
    case "mark":
      space.mark = write.mark;
      break;
    case "add":
      space.counters.set(write.counter, {
        // A returned reservation of a counter that was reset meanwhile must not make it negative.
        sum: Math.max(sumOf(space, write.counter, nowMs) + write.by, 0),
        untilMs: write.untilMs,
      });
      break;
    case "erase": {
      const { body, ...rest } = space.entries[write.index - 1] ?? {};
      const id = (rest as Partial<Entry>).subject?.call ?? "";
      const call = space.tables.calls.get(id);
      const named = (rest as Partial<Entry>).kind === "call.decided" ? (rest as Entry).subject.execution : undefined;
      if (named !== undefined && call !== undefined) eraseResult(space, id, one(space, "executions", named));
      if (call?.entry === write.index) eraseCall(space, call);
      if (body !== undefined) space.entries[write.index - 1] = Object.freeze(rest) as WorkspaceData["entries"][number];
      break;
    }
  }
}

/** Erasing the deciding entry of a call also erases everything else about its content. */
function eraseCall(space: WorkspaceData, call: KeptRow): void {
  const { row } = whole<"calls">(space, call);
  const { id, workspace, key, atMs } = row;
  const right = executionOf(space, row, one(space, "approvals", row.approvalId ?? "")?.row);
  space.tables.calls.put(
    id,
    frozenCopy({ id, workspace, key, atMs, args: ERASED_SECRET, ...erasedCall(row) }),
    call.entry,
  );
  eraseResult(space, id, right);
}

/** Another call may depend on the same question; its data stays. */
function eraseResult(space: WorkspaceData, call: string, right: Versioned<"executions"> | undefined): void {
  if (right === undefined || right.row.call !== call || !("result" in right.row)) return;
  const { result: _, ...bare } = right.row;
  space.tables.executions.put(bare.id, frozenCopy(bare));
}

/** If a call was erased, a later result is not stored. */
function ofErased(space: WorkspaceData, right: Execution): Execution {
  const call = space.tables.calls.get(right.call)?.row as CallPlace | undefined;
  if (!("result" in right) || call?.args !== ERASED_SECRET) return right;
  const { result: _, ...bare } = right;
  return bare as Execution;
}

function takeFrom(space: WorkspaceData, queue: Queue, t: Taking): Taken[] {
  const due = Object.values(space.tables)
    .flatMap((table) => [...table.alarmed(queue)])
    .filter((kept) => kept.wakeMs <= t.nowMs)
    .sort((a, b) => a.wakeMs - b.wakeMs || compareText(a.id, b.id))
    .slice(0, t.max);
  for (const kept of due) kept.wakeMs = t.nowMs + t.leaseMs;
  return due.map((kept) => ({ table: kept.table, ...versioned(kept) }) as Taken);
}
