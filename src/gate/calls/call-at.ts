import type { CallRow, Versioned } from "../../core/rows/rows.ts";
import type { Deps } from "../deps.ts";

// Finds calls and executions by id; undefined if there is none.

export async function callAt({ store, workspace }: Deps, id: string): Promise<CallRow | undefined> {
  return (await store.read({ ask: "row", workspace, table: "calls", id }))?.row;
}

export function executionAt({ store, workspace }: Deps, id: string): Promise<Versioned<"executions"> | undefined> {
  return store.read({ ask: "row", workspace, table: "executions", id });
}

/** The call that was sent under this key (`callKeyOf`). */
export async function callWithKey({ store, workspace }: Deps, key: string): Promise<CallRow | undefined> {
  const where = { key };
  const [found] = await store.read({ ask: "rows", workspace, table: "calls", where, limit: 1, order: "newest" });
  return found?.row;
}
