import type { PutTable } from "../../../core/change.ts";
import type { Table } from "../../../core/rows/rows.ts";
import { WRITTEN } from "../../sql/columns.ts";

function putSql(table: Table): string {
  const marks = WRITTEN.map(() => "?").join(", ");
  const updates = WRITTEN.slice(2).map((column) => `${column} = excluded.${column}`);
  return (
    `insert into ${table} (version, ${WRITTEN.join(", ")}) values (1, ${marks}) ` +
    `on conflict (space, id) do update set version = version + 1, ${updates.join(", ")}`
  );
}

/** Writes a row, whether or not it exists. */
export const PUTS: { readonly [T in PutTable]: string } = {
  approvals: putSql("approvals"),
  grants: putSql("grants"),
  agents: putSql("agents"),
  people: putSql("people"),
  pauses: putSql("pauses"),
  promotions: putSql("promotions"),
  declarations: putSql("declarations"),
  policies: putSql("policies"),
  notices: putSql("notices"),
  tokens: putSql("tokens"),
  signins: putSql("signins"),
  buckets: putSql("buckets"),
};

/** A separately stored execution: new, or only if unchanged since it was read. */
export const NEW_RIGHT = `insert into executions (version, ${WRITTEN.join(", ")}) values (?, ${WRITTEN.map(() => "?").join(", ")}) on conflict do nothing`;
export const NEXT_RIGHT = `update executions set version = version + 1, ${WRITTEN.slice(2)
  .map((column) => `${column} = ?`)
  .join(", ")} where space = ? and id = ? and version = ?`;
