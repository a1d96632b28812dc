import type { WorkspaceId } from "../../core/ids.ts";
import { type Entry, type Head, linkOf } from "../../core/ledger.ts";
import { type CallPlace, type KeptCall, wholeCall } from "../../core/record/decided-call.ts";
import {
  APPROVED_OF_AGENT_MAX,
  IN_FORCE_STATES,
  type Rows,
  type Seen,
  STANDING_TABLES,
  type StandingTable,
  type Table,
  type Versioned,
} from "../../core/rows.ts";
import type { TrustFold } from "../../core/trust/trust.ts";
import type { EntryFilter, Query, StandingRows } from "../../ports.ts";
import { compareText } from "../order.ts";
import { frozenCopy } from "./copy.ts";
import { type Kept, type MemoryTable, versioned } from "./table.ts";

/** All data of a workspace. */
export type Space = {
  workspace: WorkspaceId;
  tables: { readonly [T in Table]: MemoryTable };
  counters: Map<string, { sum: number; untilMs: number }>;
  entries: Entry[];
  head: Head;
  trust: TrustFold;
  epoch: number;
  mark: string | null;
};

export function answerTo(space: Space, query: Query): unknown {
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

export function sumOf(space: Space, id: string, nowMs: number): number {
  const counter = space.counters.get(id);
  return counter === undefined || counter.untilMs <= nowMs ? 0 : counter.sum;
}

export function one<T extends Table>(space: Space, table: T, id: string) {
  const kept = space.tables[table].get(id);
  return kept === undefined ? undefined : whole<T>(space, kept);
}

/** A row as readers get it: a call combined with its deciding entry. */
export function whole<T extends Table>(space: Space, kept: Kept): Versioned<T> {
  const entry = kept.entry === undefined ? undefined : space.entries[kept.entry - 1];
  if (entry === undefined) return versioned<T>(kept);
  const row = wholeCall(kept.row as CallPlace, kept.row as KeptCall, entry.subject, entry.body?.json);
  return { row: row as Rows[T], version: kept.version };
}

function pageOf(space: Space, query: Extract<Query, { ask: "rows" }>) {
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

function standingOf(space: Space): StandingRows {
  const rows = STANDING_TABLES.map((table) => [table, inForceIn(space, table).map((kept) => kept.row)]);
  return { epoch: space.epoch, mark: space.mark, ...Object.fromEntries(rows) } as StandingRows;
}

/** In the order in which they were created. */
function inForceIn({ tables }: Space, table: StandingTable): readonly Kept[] {
  const states = IN_FORCE_STATES[table];
  if (states === undefined) return [...tables[table].all()];
  return states.flatMap((state) => tables[table].matching({ state })).sort((a, b) => a.place - b.place);
}

function seenOf(space: Space, query: Extract<Query, { ask: "submission" }>): Seen {
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

export function isQuiet({ tables: { approvals, executions } }: Space, agent: string, digest: string): boolean {
  const waits = (collect: "permit" | "result") => executions.matching({ agent, collect }).length > 0;
  return approvals.matching({ agent, digest }).length === 0 && !waits("permit") && !waits("result");
}

function oldestFirst(kept: Kept[]): Kept[] {
  return kept.sort((a, b) => a.facts.sortMs - b.facts.sortMs || a.place - b.place);
}

/** A call has the id of its execution, or its approval has it after the approval. */
export function executionOf(space: Space, call: Rows["calls"] | undefined, approval: Rows["approvals"] | undefined) {
  if (call?.executionId !== undefined) return one(space, "executions", call.executionId);
  return approval?.state === "approved" ? one(space, "executions", approval.executionId) : undefined;
}

function entriesOf(space: Space, query: Extract<Query, { ask: "entries" }>): readonly Entry[] {
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
