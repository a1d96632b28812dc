import { isServerAddress } from "../../config/database-place.ts";
import type { Finding } from "./finding.ts";

/** Whether the role may do in PostgreSQL what Leeway does there. Nothing is written, so a right that is rarely needed is named too. */
export async function rightsChecks(db: string): Promise<Finding[]> {
  if (!isServerAddress(db)) return [];
  const { lackingRights } = await import("../../database-rights.ts");
  const lacking = await lackingRights(db);
  if (lacking.length === 0) return [{ what: "rights", state: "ok", says: "the role may read and write all tables" }];
  return lacking.map(({ role, right, tables }) => {
    const named = tables.map((table) => `leeway.${table}`).join(", ");
    return {
      what: "rights",
      state: "bad",
      says: `the role ${role} may not ${VERBS[right] ?? right} ${named}`,
      hint: `let the owner of the tables run: grant ${right} on ${named} to ${role}`,
    };
  });
}

const VERBS: { readonly [right: string]: string } = {
  select: "read",
  insert: "insert into",
  update: "update",
  delete: "delete from",
};
