import type { Duplex } from "node:stream";
import type { ClientConfig, Pool, PoolClient, PoolConfig } from "pg";
import { isMissingPackage } from "../../../core/values/missing-package.ts";
import { StoreUnavailable } from "../../../ports.ts";
import type { SqlValue } from "../../sql/columns.ts";
import { faultOf } from "./faults.ts";
import { migrate } from "./migrations.ts";
import { passwordFor } from "./password.ts";
import { refuseShared } from "./pooler.ts";
import type { Session } from "./session.ts";
import { sharing } from "./sharing.ts";
import { secured } from "./tls.ts";

// The only file that knows the driver. It is loaded on first use, because most processes use SQLite.

export type Server = {
  /** Uses one connection; it is thrown away if anything failed. */
  use<T>(act: (session: Session) => Promise<T>): Promise<T>;
  /** The same for reading, on a connection that other readers use too. */
  read<T>(act: (session: Session) => Promise<T>): Promise<T>;
  /** A connection that stays open and hears what other processes tell. */
  listen(channel: string, heard: (text: string) => void): Promise<Listening>;
  close(): Promise<void>;
};

/** `lost` resolves when the connection is gone, for whatever reason. */
export type Listening = { lost: Promise<void>; close(): void };

/** Enough for reading beside one commit; several processes share the connections of one PostgreSQL. */
const CONNECTIONS = 6;
/** All readers together have these, so that nobody who commits waits for readers. */
const READING = 3;

/** After a failure to connect, all callers have the same failure for so long: a server that is away is not asked by each. */
const FAILED_MS = 100;
const CONNECT_MS = 5_000;
const STATEMENT_MS = 10_000;
/** Longer than the server's own limit, for a server that does not answer at all. */
const ANSWER_MS = 15_000;
const LOCK_MS = 5_000;
const IDLE_MS = 30_000;
const LONG_MS = 3_600_000;

/** Set after connecting: a pooler like PgBouncer refuses to connect with settings that it does not know. */
const timeLimits = (statementMs: number) =>
  `set statement_timeout to ${statementMs}; set lock_timeout to ${LOCK_MS}; ` +
  `set idle_in_transaction_session_timeout to ${ANSWER_MS}; set idle_session_timeout to 0; ` +
  "select set_config('transaction_timeout', '0', false) where current_setting('server_version_num')::integer >= 170000; ";

/**
 * An acknowledged commit is on disk, even if the server's own setting says otherwise. Every lookup has an index, and the
 * planner must not decide by the size of a table that was empty a minute ago. Without sequential scans a plan for an empty table
 * counts as very expensive, and PostgreSQL would compile it to machine code, which takes seconds.
 */
const SESSION_SETTINGS =
  "set search_path to leeway, pg_catalog; set client_min_messages to warning; set enable_seqscan to off; set jit to off; " +
  "set plan_cache_mode to force_generic_plan; set default_transaction_isolation to 'read committed'; set array_nulls to on; " +
  "set extra_float_digits to 1; " +
  "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'";

/**
 * `isMoving`: also a database that is closed because it is moved. `isCopying`: nobody waits for the answer, so a statement
 * may take long.
 */
export type ServerUse = { isMoving?: true; isCopying?: true };

export function serverAt(url: string, how: ServerUse = {}): Server {
  const { open, close } = connectionsOf(url, how);
  let migrated: Promise<void> | undefined;
  const ready = async (session: Session) => {
    migrated ??= migrate(session, how);
    await migrated.catch((error) => {
      migrated = undefined;
      throw error;
    });
  };
  const use: Server["use"] = async (act) => {
    const client = await open();
    let failure: Error | undefined;
    try {
      const session = sessionOn(client);
      await ready(session);
      return await act(session);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(failure);
    }
  };
  const share = sharing<PoolClient>({ most: READING, open, close: (client, failure) => client.release(failure) });
  const snapshot: Session["snapshot"] = (act) => use((session) => session.snapshot(act));
  return {
    use,
    read: async (act) => {
      // The schema is changed in a transaction, so not on a shared connection.
      await (migrated ?? use(async () => undefined));
      return share((client) => act({ ...sessionOn(client), snapshot }));
    },
    listen: async (channel, heard) => listenOn(await driver(), configOf(url), channel, heard),
    close,
  };
}

/** The pool, opened on first use. */
function connectionsOf(url: string, how: ServerUse) {
  let opened: Promise<Pool> | undefined;
  let failed: { error: unknown; untilMs: number } | undefined;
  const connected = async (pool: Pool): Promise<PoolClient> => {
    if (failed !== undefined && pool.idleCount === 0) {
      if (performance.now() < failed.untilMs) throw failed.error;
      // This caller tries for everybody who comes meanwhile.
      failed.untilMs = performance.now() + FAILED_MS;
    }
    try {
      const client = await pool.connect();
      failed = undefined;
      return client;
    } catch (error) {
      if (faultOf(error)?.passes) failed = { error, untilMs: performance.now() + FAILED_MS };
      throw error;
    }
  };
  return {
    open: async (): Promise<PoolClient> => {
      opened ??= openPool(url, how);
      // If it could not be opened, the next use tries again.
      opened.catch(() => {
        opened = undefined;
      });
      return connected(await opened);
    },
    close: async () => {
      const closing = opened;
      opened = undefined;
      await (await closing?.catch(() => undefined))?.end();
    },
  };
}

type Driver = typeof import("pg");

async function driver(): Promise<Driver> {
  try {
    const found = await import("pg");
    return withOwnClient(found.default as unknown as Driver);
  } catch (error) {
    if (!isMissingPackage(error)) throw error;
    throw new StoreUnavailable(
      "the package pg, which PostgreSQL needs, is not installed; run `npm install -g pg` if leeway is installed globally, else `npm install pg` in the project that has leeway",
      { cause: error },
    );
  }
}

/** The driver's client, which finds the password by itself, and leaves no connection behind that could not sign in. */
function withOwnClient(driver: Driver): Driver {
  class OwnClient extends driver.Client {
    constructor(config?: string | ClientConfig) {
      super(config);
      const own = this as unknown as { password: unknown };
      own.password ??= passwordFor;
    }
    override connect(done?: unknown): never {
      const connect = super.connect.bind(this) as (done?: unknown) => unknown;
      if (typeof done !== "function") return connect() as never;
      return connect((error: Error | undefined) => {
        if (error) void this.end().catch(() => undefined);
        done(error);
      }) as never;
    }
  }
  return { ...driver, Pool: driver.Pool, Client: OwnClient };
}

async function openPool(url: string, { isMoving, isCopying }: ServerUse): Promise<Pool> {
  const { Pool, Client } = await driver();
  const config = configOf(url);
  const isLong = isMoving || isCopying;
  const settings = timeLimits(isLong ? LONG_MS : STATEMENT_MS) + SESSION_SETTINGS;
  let alone: Promise<void> | undefined;
  const pool = new Pool({
    ...config,
    Client: Client as NonNullable<PoolConfig["Client"]>,
    ...(isLong ? { query_timeout: LONG_MS } : {}),
    max: CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    // A process that has nothing else to do may end.
    allowExitOnIdle: true,
    onConnect: async (client) => {
      // The first connection finds out for all of them.
      alone ??= refuseShared(client, () => new Client(config));
      await alone.catch((error) => {
        alone = undefined;
        throw error;
      });
      await client.query(settings);
    },
  });
  // A connection was lost while nobody waited for an answer. Whoever uses it next finds out, and the pool opens another
  // one; without these listeners the process would end.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

function configOf(url: string): PoolConfig {
  return {
    connectionString: secured(url),
    application_name: "leeway",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    // Statements are sent without waiting for the answers to those before them.
    pipeline: true,
    types: { getTypeParser: parserOf },
  };
}

const INT8 = 20;
const FLOAT8 = 701;
const BOOL = 16;

/** No number of ours is above 2^53, so an int8 is a number too. Everything else is text, except what we ask for. */
function parserOf(type: number): (text: string) => SqlValue | boolean {
  if (type === INT8 || type === FLOAT8 || type === 23) return Number;
  if (type === BOOL) return (text) => text === "t";
  return (text) => text;
}

/** Names for statements, so that each is planned once for a connection. */
const names = new Map<string, string>();

function nameOf(sql: string): string {
  const known = names.get(sql) ?? `leeway_${names.size}`;
  names.set(sql, known);
  return known;
}

function sessionOn(client: PoolClient): Session {
  const run: Session["run"] = async (sql, values) => {
    const { rows } = await client.query<Record<string, SqlValue>>({
      name: nameOf(sql),
      text: sql,
      values: values as unknown[],
    });
    return rows;
  };
  const within = async <T>(begin: string, act: () => Promise<T>, last?: () => Promise<void>) => {
    // Not awaited before the first statement: both are sent at once, and the server runs them in this order.
    const [, done] = await together(client, () => Promise.all([client.query(begin), act()]));
    await together(client, () => Promise.all([last?.(), client.query("commit")]));
    return done;
  };
  const session: Session = {
    run,
    exec: async (sql) => {
      await client.query(sql);
    },
    transaction: (act, last) => within("begin isolation level read committed", act, last),
    snapshot: (act) => within("begin isolation level repeatable read read only", () => act(session)),
  };
  return session;
}

/**
 * What is asked before `act` waits leaves this process in one piece. If the server had the first statement earlier, it could take
 * the processor from this process, and hold a lock until the next one arrives.
 */
function together<T>(client: PoolClient, act: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.cork();
  try {
    return act();
  } finally {
    stream.uncork();
  }
}

async function listenOn(
  { Client }: Driver,
  config: PoolConfig,
  channel: string,
  heard: (text: string) => void,
): Promise<Listening> {
  const client = new Client(config);
  const close = () => void client.end().catch(() => undefined);
  const lost = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.on("end", () => resolve());
  });
  client.on("notification", ({ payload = "" }) => heard(payload));
  try {
    await client.connect();
    await client.query("set idle_session_timeout to 0");
    await client.query(`listen ${channel}`);
  } catch (error) {
    close();
    throw error;
  }
  // Hearing is no reason for a process to stay.
  (client as unknown as { unref(): void }).unref();
  return { lost: lost.then(close), close };
}
