import type { Client, ClientBase } from "pg";
import { StoreUnavailable } from "../../../ports.ts";

// A pooler stands between this process and PostgreSQL if the process that answers is not the one that signed us in. It must keep one
// connection of PostgreSQL for each of ours: settings, prepared statements, what is listened to and locks belong to it.

const PID = "select pg_backend_pid() as pid";

type First = Pick<ClientBase, "query">;
type Second = Pick<Client, "query" | "connect" | "end" | "on">;

/** Others use the pooler too, so that one look may show what a pooler with `pool_mode = session` shows by chance. */
const LOOKS = 3;

/**
 * Refuses a pooler that gives connections to somebody else after each transaction. It is found out without any setting, which the
 * next user of the connection would get. `another`: a second connection, made only if there is a pooler.
 */
export async function refuseShared(client: First, another: () => Second): Promise<void> {
  const own = await pidOf(client);
  if (own === (client as unknown as { processID: number }).processID) return;
  const beside = another();
  // Whoever waits for an answer hears of it. Without a listener the process would end.
  beside.on("error", () => undefined);
  try {
    await beside.connect();
    for (let look = 0; look < LOOKS; look++) {
      await beside.query("begin");
      // Who answers the second connection while it has a transaction open, and who answers the first one meanwhile.
      const [theirs, ours] = [await pidOf(beside), await pidOf(client)];
      await beside.query("rollback");
      if (theirs === own || ours !== own) throw new StoreUnavailable(SHARED);
    }
  } finally {
    await beside.end();
  }
}

const SHARED =
  "a pooler before PostgreSQL gives the connections of this process to others after each transaction; " +
  "set `pool_mode = session` for this database in PgBouncer, or let LEEWAY_DB lead to PostgreSQL itself";

async function pidOf(client: First): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(PID);
  return Number(rows[0]?.pid);
}
