import { isServerAddress } from "./config/database-place.ts";
import { type LackingRight, lackingRightsOf } from "./store/postgres/index.ts";

/** Which rights the role lacks in PostgreSQL, asked before anything is read or written. A file has no rights of its own. */
export async function lackingRights(db: string): Promise<readonly LackingRight[]> {
  return isServerAddress(db) ? lackingRightsOf(db) : [];
}
