import type { Table, Versioned } from "../../../core/rows/rows.ts";
import { versioned } from "../../sql/found.ts";
import { bornRightOf, callOf, type WorkspaceRef } from "../calls.ts";
import type { Database } from "../file/driver.ts";

export function rowOf<T extends Table>(db: Database, of: WorkspaceRef, table: T, id: string): Versioned<T> | undefined {
  if (table === "calls") return callOf(db, of, id) as Versioned<T> | undefined;
  const born = table === "executions" ? bornRightOf(db, of, id) : undefined;
  if (born !== undefined) return born as Versioned<Table> as Versioned<T>;
  const found = db.prepare(`select id, row, version from ${table} where space = ? and id = ?`).get(of.space, id);
  return found === undefined ? undefined : versioned(of, found);
}
