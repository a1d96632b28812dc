import { isInForce, type Rows } from "../../core/rows/rows.ts";
import type { Deps } from "../deps.ts";

/** All rows, also ended ones, oldest first, for people. Rows in force are checked against the gate's mark. */
export async function everyRow<T extends "grants" | "declarations">(deps: Deps, table: T): Promise<readonly Rows[T][]> {
  const { store, workspace } = deps;
  const { rows } = await deps.standing.current();
  const inForce = new Map(rows[table].map((row) => [row.id as string, row as Rows[T]]));
  const limit = Number.MAX_SAFE_INTEGER;
  const found = await store.read({ ask: "rows", workspace, table, where: {}, limit, order: "oldest" });
  return found.flatMap(({ row }) => {
    const kept = row as Rows[T];
    return isInForce(table, kept) ? (inForce.get(row.id) ?? []) : [kept];
  });
}
