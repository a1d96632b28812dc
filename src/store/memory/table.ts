import { type Facts, factsOf, type Queue, type Rows, type Table, type Versioned } from "../../core/rows.ts";
import type { RowFilter } from "../../ports.ts";

export type Kept = {
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
  get(id: string): Kept | undefined;
  put(id: string, row: object, entry?: number): void;
  /** In the order in which they were created. */
  all(): Iterable<Kept>;
  matching(where: RowFilter): Kept[];
  alarmed(queue: Queue): Iterable<Kept>;
};

export function memoryTable(table: Table): MemoryTable {
  const rows = new Map<string, Kept>();
  const byFact = new Map<string, Set<Kept>>();
  const byQueue = new Map<Queue, Set<Kept>>();
  let places = 0;
  const index = (kept: Kept) => {
    for (const name of indexNames(kept.facts)) within(byFact, name).add(kept);
    if (kept.facts.alarm !== undefined) within(byQueue, kept.facts.alarm.queue).add(kept);
  };
  const forget = (kept: Kept) => {
    for (const name of indexNames(kept.facts)) without(byFact, name, kept);
    if (kept.facts.alarm !== undefined) without(byQueue, kept.facts.alarm.queue, kept);
  };
  return {
    get: (id) => rows.get(id),
    put: (id, row, entry) => {
      const old = rows.get(id);
      if (old !== undefined) forget(old);
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
      index(kept);
    },
    all: () => rows.values(),
    matching: (where) => {
      const found: Kept[] = [];
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

function within<K>(sets: Map<K, Set<Kept>>, name: K): Set<Kept> {
  let set = sets.get(name);
  if (set === undefined) {
    set = new Set();
    sets.set(name, set);
  }
  return set;
}

function without<K>(sets: Map<K, Set<Kept>>, name: K, kept: Kept): void {
  const set = sets.get(name);
  set?.delete(kept);
  if (set?.size === 0) sets.delete(name);
}

/** The requested fact that the fewest rows share. */
function smallest(rows: Map<string, Kept>, byFact: Map<string, Set<Kept>>, where: RowFilter): Iterable<Kept> {
  let best: Iterable<Kept> = rows.values();
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

function fits(kept: Kept, where: RowFilter): boolean {
  if (where.idPrefix !== undefined && !kept.id.startsWith(where.idPrefix)) return false;
  return INDEXED.every((fact) => where[fact] === undefined || kept.facts[fact] === where[fact]);
}

export function versioned<T extends Table>(kept: Kept): Versioned<T> {
  return { row: kept.row as Rows[T], version: kept.version };
}
