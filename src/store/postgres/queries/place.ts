import type { Server } from "../server/server.ts";

/**
 * PostgreSQL gives every cluster a number when it is made, and a standby has that of its primary; within a cluster every database
 * has a number. A dump that is restored elsewhere has other numbers, and so has a database that was made as a copy of another.
 */
const PLACE = `select system_identifier::text || '/' || (select oid::text from pg_catalog.pg_database where datname = current_database()) as place
  from pg_catalog.pg_control_system()`;

const NOT_PERMITTED = "42501";

export async function placeOn(server: Server): Promise<string | undefined> {
  try {
    const [found] = await server.use((session) => session.run(PLACE, []));
    return typeof found?.["place"] === "string" ? found["place"] : undefined;
  } catch (error) {
    if ((error as { code?: unknown }).code === NOT_PERMITTED) return undefined;
    throw error;
  }
}
