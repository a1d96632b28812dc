import { expect } from "vitest";
import { change, W } from "../../../test/fixtures/rows.ts";
import type { Committed, Write } from "../../core/change.ts";
import { bodyHashOf, type Entry, entryHashOf } from "../../core/ledger.ts";
import type { Rows, Table } from "../../core/rows/rows.ts";
import type { RowFilter, Store } from "../../ports.ts";

export type Fresh = () => Promise<Store>;

/** A Change that must succeed. */
export async function done(store: Store, ...writes: Write[]): Promise<Committed> {
  const committed = await store.commit(change({ writes }));
  expect(committed.ok).toBe(true);
  return committed;
}

export function readRow<T extends Table>(
  store: Store,
  table: T,
  id: string,
): Promise<{ row: Rows[T]; version: number } | undefined> {
  return store.read({ ask: "row", workspace: W, table, id }) as Promise<{ row: Rows[T]; version: number } | undefined>;
}

export async function idsOf(
  store: Store,
  table: "calls" | "approvals" | "executions",
  where: RowFilter,
): Promise<string[]> {
  const found = await store.read({ ask: "rows", workspace: W, table, where, limit: 100, order: "oldest" });
  return found.map(({ row }) => row.id).sort();
}

export async function entries(
  store: Store,
  where: Extract<Parameters<Store["read"]>[0], { ask: "entries" }>["where"] = {},
  order: "newest" | "oldest" = "oldest",
  limit = 1000,
): Promise<readonly Entry[]> {
  return store.read({ ask: "entries", workspace: W, where, limit, order });
}

/** Checks index, parent, time, body hash and hash by computing them again. */
export function expectChained(found: readonly Entry[]): void {
  let previous: Entry | undefined;
  for (const entry of found) {
    const { hash, body, ...bare } = entry;
    expect(entry.index).toBe((previous?.index ?? 0) + 1);
    expect(entry.previous).toBe(previous?.hash ?? null);
    expect(entry.atMs).toBeGreaterThanOrEqual(previous?.atMs ?? 0);
    if (body !== undefined) expect(entry.bodyHash).toBe(bodyHashOf(body.salt, body.json));
    expect(hash).toBe(entryHashOf(bare));
    previous = entry;
  }
}

export function soon(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
