import { type ChildProcess, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "../../src/store/postgres/server/session.ts";

// A second PostgreSQL that follows the first one, as for a fail-over, and an address that leads to one of them.

export type Standby = {
  port: number;
  /** Waits until it has everything that the primary has committed. */
  caughtUp(): Promise<void>;
  /** It hears nothing of the primary any more. */
  cutOff(): Promise<void>;
  /** Makes it a primary. */
  promote(): Promise<void>;
  stop(): Promise<void>;
};

/** One statement on a connection of its own. */
export async function asking(url: string, sql: string): Promise<Awaited<ReturnType<Session["run"]>>> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Copies the primary while it runs, as `pg_basebackup` does, and starts the copy as its standby. `primary`: the database `postgres` of it. */
export async function standbyOf(primary: string): Promise<Standby> {
  const [from] = await asking(primary, "select current_setting('data_directory') as data");
  const folder = mkdtempSync(join(tmpdir(), "leeway-standby-"));
  const data = join(folder, "data");
  await copyOf(primary, String(from?.["data"]), data);
  const { username, password, hostname, port: there } = new URL(primary);
  writeFileSync(join(data, "standby.signal"), "");
  const follow = `host=${hostname} port=${there} user=${username} password=${password}`;
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${follow}'\n`);
  const { uid, gid } = statSync(String(from?.["data"]));
  for (const path of ["", ...readdirSync(data, { recursive: true, encoding: "utf8" })])
    chownSync(join(data, path), uid, gid);
  chmodSync(folder, 0o755);
  chmodSync(data, 0o700);
  const port = await freePort();
  const child = await startedOn(primary, { data, port, uid, gid });
  const own = primary.replace(`:${there}/`, `:${port}/`);
  return {
    port,
    caughtUp: async () => {
      const [at] = await asking(primary, "select pg_current_wal_lsn()::text as lsn");
      const has = `select pg_last_wal_replay_lsn() >= '${at?.["lsn"]}' as has`;
      await until(async () => String((await asking(own, has))[0]?.["has"]) === "true");
    },
    cutOff: async () => {
      await asking(own, "alter system set primary_conninfo = ''");
      await asking(own, "select pg_reload_conf()");
      await until(async () => (await asking(own, "select 1 from pg_stat_wal_receiver")).length === 0);
    },
    promote: async () => {
      await asking(own, "select pg_promote()");
    },
    stop: async () => {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGINT");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function copyOf(primary: string, from: string, to: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: primary });
  await client.connect();
  try {
    // Start and stop must be said on one connection.
    await client.query("select pg_backup_start('standby', true)");
    mkdirSync(to);
    for (const name of readdirSync(from)) {
      if (name === "postmaster.pid" || name === "postmaster.opts") continue;
      // Files come and go while they are copied; the log that is replayed puts this right.
      cpSync(join(from, name), join(to, name), { recursive: true, errorOnExist: false });
    }
    const { rows } = await client.query("select labelfile from pg_backup_stop(false)");
    writeFileSync(join(to, "backup_label"), String(rows[0]?.labelfile));
  } finally {
    await client.end();
  }
}

type Place = { data: string; port: number; uid: number; gid: number };

/** Starts the program that runs the primary, with the same settings, on another folder. */
async function startedOn(primary: string, { data, port, uid, gid }: Place): Promise<ChildProcess> {
  const [found] = await asking(primary, "select pg_read_file('postmaster.opts') as words");
  const words = [...String(found?.["words"]).matchAll(/"([^"]*)"/g)].map(([, word = ""]) => word);
  const program = String(found?.["words"]).split(" ")[0] ?? "";
  const settings = words.slice(words.indexOf("-p") + 2);
  const ids = process.getuid?.() === 0 ? { uid, gid } : {};
  const child = spawn(program, ["-D", data, "-p", String(port), ...settings], { ...ids, stdio: "ignore" });
  const own = new URL(primary);
  own.port = String(port);
  await until(async () => (await asking(own.href, "select 1")).length === 1);
  return child;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      if (await isSo()) return;
    } catch (error) {
      if (tries === 600) throw error;
    }
    if (tries === 600) throw new Error("it did not come to be within a minute");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export type Switch = { port: number; leadTo(port: number): void; close(): void };

/** An address that stays the same, as a cluster has one: after `leadTo` everybody is disconnected, and led to another port. */
export async function switchTo(first: number): Promise<Switch> {
  let target = first;
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    const there = connect(target, "127.0.0.1");
    for (const one of [socket, there]) {
      open.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        open.delete(one);
        socket.destroy();
        there.destroy();
      });
    }
    socket.pipe(there).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port;
      for (const one of open) one.destroy();
    },
    close: () => {
      server.close();
      for (const one of open) one.destroy();
    },
  };
}
