import { StoreUnavailable } from "../../ports.ts";
import { TALLIED } from "../postgres/changes/rows.ts";
import { moveOf, VERSION_NOW } from "../postgres/server/migrations.ts";
import { patiently } from "../postgres/server/patience.ts";
import { strangersIn } from "../postgres/server/rights.ts";
import { type Server, serverAt } from "../postgres/server/server.ts";
import type { Given, Session } from "../postgres/server/session.ts";
import { CLOSED_VERSION, MOVED_TABLE, moveValues, type StoreMove } from "../sql/moved.ts";
import type { MovingFrom, MovingTo, SeenSource } from "./move.ts";
import { MOVED_TABLES, type MovedRow, type MovedTable, pageOrder, type RowKey, type Source } from "./tables.ts";

// A PostgreSQL from which or into which everything is moved.

/** Each statement is repeated if the connection was lost: what was copied is known from the same transaction. */
function patientOn(server: Server) {
  return <T>(act: (session: Session) => Promise<T>) => patiently(() => server.use(act));
}

export async function postgresFrom(url: string): Promise<MovingFrom> {
  const server = serverAt(url, { isMoving: true });
  const use = patientOn(server);
  const marked = (move: StoreMove | undefined, version: number) =>
    use((session) => session.transaction(() => mark(session, move, version)));
  return {
    page: (table, after, limit) => use((session) => pageOf(session, table, after, limit)),
    total: () => use(totalOf),
    move: () => use(moveOf),
    version: VERSION_NOW,
    close: async (move) => {
      await use(refuseUsed);
      await marked(move, CLOSED_VERSION);
    },
    finish: (move) => marked({ ...move, isDone: true }, CLOSED_VERSION),
    reopen: (move) => marked(undefined, move.version),
    end: () => server.close(),
  };
}

export async function seenPostgres(url: string): Promise<SeenSource> {
  const server = serverAt(url, { isMoving: true });
  try {
    return await patientOn(server)(async (session) => {
      const found = await session.run("select workspace from chains order by space", []);
      return { move: await moveOf(session), workspaces: found.map((row) => String(row["workspace"])) };
    });
  } finally {
    await server.close();
  }
}

/** Reads everything from one snapshot, while others go on writing. */
export async function fromSnapshot<T>(url: string, act: (source: Source) => Promise<T>): Promise<T> {
  const server = serverAt(url, { isCopying: true });
  try {
    return await server.use((session) =>
      session.snapshot(() =>
        act({ page: (table, after, limit) => pageOf(session, table, after, limit), total: () => totalOf(session) }),
      ),
    );
  } finally {
    await server.close();
  }
}

export async function postgresTo(url: string): Promise<MovingTo> {
  const server = serverAt(url, { isMoving: true });
  const use = patientOn(server);
  return {
    begin: (move) => use((session) => session.transaction(() => begin(session, move))),
    copied: (table) =>
      use(async (session) => {
        const [found] = await session.run("select last, count from moving where name = $1", [table.name]);
        if (found === undefined) return { last: undefined, count: 0 };
        return { last: JSON.parse(String(found["last"])) as RowKey, count: Number(found["count"]) };
      }),
    write: (table, rows, { last, count }) =>
      use((session) =>
        session.transaction(async () => {
          // If the answer to an earlier try was lost, this waits for it, and finds that it was done.
          const [kept] = await session.run("select count from moving where name = $1 for update", [table.name]);
          if (Number(kept?.["count"] ?? 0) === count) return;
          await insert(session, table, rows);
          await session.run(
            "insert into moving (name, last, count) values ($1, $2, $3) " +
              "on conflict (name) do update set last = excluded.last, count = excluded.count",
            [table.name, JSON.stringify(last), count],
          );
        }),
      ),
    readAt: url,
    open: (move) => use((session) => session.transaction(() => open(session, move))),
    end: () => server.close(),
  };
}

/** The lock of a migration: nobody else changes the version meanwhile. */
const LOCK = "lock table versions in access exclusive mode; lock table chains in exclusive mode";

async function mark(session: Session, move: StoreMove | undefined, version: number): Promise<void> {
  await session.exec(`${LOCK}; ${MOVED_TABLE}; delete from moved`);
  if (move !== undefined)
    await session.run("insert into moved values ($1, $2, $3, $4, $5)", moveValues(move) as readonly Given[]);
  await session.run("update versions set version = $1", [version]);
  // A process that still runs finds another stamp, reads again, and writes nothing.
  await session.exec("update chains set stamp = stamp + 1");
}

const OTHERS =
  "select count(*) as count from pg_stat_activity where datname = current_database() and application_name = 'leeway' " +
  "and pid <> pg_backend_pid()";

/** A process that has just ended may be listed for a moment. */
const LISTED_MS = 5_000;

async function refuseUsed(session: Session): Promise<void> {
  const startedMs = process.uptime() * 1_000;
  for (;;) {
    const [found] = await session.run(OTHERS, []);
    const count = Number(found?.["count"]);
    if (count === 0) return;
    if (process.uptime() * 1_000 - startedMs > LISTED_MS)
      throw new StoreUnavailable(
        `other processes use the database (${count} connections); stop the servers, gateways, hooks and programs that use it, and try again`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const OUR_TABLES = [...MOVED_TABLES.map(({ name }) => name), "versions", "tallies", "moved"];

async function begin(session: Session, move: StoreMove): Promise<boolean> {
  await session.exec(LOCK);
  const found = await moveOf(session);
  if (found?.role === "to" && found.id === move.id) return found.isDone;
  if (found?.role === "to" && !found.isDone) {
    throw new StoreUnavailable(
      `the database was filled from ${found.place}, and this was not finished; finish it there, or run \`drop schema leeway cascade\` in it`,
    );
  }
  for (const { name } of MOVED_TABLES) {
    const [first] = await session.run(`select 1 as one from ${name} limit 1`, []);
    if (first !== undefined)
      throw new StoreUnavailable("the database is not empty: a gate uses it already; name a new one");
  }
  const strange = await strangersIn(session, OUR_TABLES);
  if (strange.length > 0)
    throw new StoreUnavailable(
      `the schema leeway has something of somebody else in it (${strange.join(", ")}); name another database, or move that to another schema`,
    );
  await mark(session, { ...move, role: "to" }, CLOSED_VERSION);
  await session.exec("create table moving (name text primary key, last text not null, count bigint not null)");
  return false;
}

async function insert(session: Session, { name, columns }: MovedTable, rows: readonly MovedRow[]): Promise<void> {
  const names = columns.map(([column]) => column).join(", ");
  const arrays = columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(", ");
  const values = columns.map(([column]) => rows.map((row) => row[column] ?? null) as Given);
  await session.run(`insert into ${name} (${names}) select * from unnest(${arrays})`, values);
}

async function open(session: Session, move: StoreMove): Promise<void> {
  for (const { name, columns } of MOVED_TABLES) {
    // New rows continue after the moved ones.
    if (name === "entries" || name === "calls" || !columns.some(([column]) => column === "place")) continue;
    await session.exec(
      `select setval(pg_get_serial_sequence('leeway.${name}', 'place'), (select max(place) from ${name})) ` +
        `where exists (select 1 from ${name})`,
    );
  }
  for (const name of TALLIED) {
    await session.exec(
      `insert into tallies select space, '${name}', state, count(*) from ${name} where state is not null group by space, state`,
    );
  }
  // So that the first plans know how large the tables are.
  await session.exec("drop table moving; analyze");
  await mark(session, { ...move, role: "to", isDone: true }, VERSION_NOW);
}

function pageOf(
  session: Session,
  table: MovedTable,
  after: RowKey | undefined,
  limit: number,
): Promise<readonly MovedRow[]> {
  const names = table.columns.map(([name]) => name).join(", ");
  const order = pageOrder(table, after !== undefined, (at) => `$${at + 2}`);
  return session.run(`select ${names} from ${table.name}${order} limit $1`, [limit, ...(after ?? [])] as Given[]);
}

/** PostgreSQL's own estimate: counting would read everything. */
async function totalOf(session: Session): Promise<number> {
  const [found] = await session.run(
    "select sum(greatest(reltuples, 0))::bigint as count from pg_class where relnamespace = 'leeway'::regnamespace and relkind = 'r'",
    [],
  );
  return Number(found?.["count"] ?? 0);
}
