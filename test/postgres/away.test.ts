import { spawn } from "node:child_process";
import { createServer, type Server as TcpServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { type Server, serverAt } from "../../src/store/postgres/server/server.ts";
import { type StartedPostgres, startPostgres } from "../../tools/postgres.mjs";
import { compiled, type Machine, machine } from "../cli/program.ts";
import { endAll, type Up, up } from "../cli/servers.ts";
import { change, sealer, W } from "../fixtures/rows.ts";
import { outputOf, policy } from "../store/processes.ts";
import { pauseMs } from "./processes.ts";

const SERVERS = 3;
/** What docs/postgres.md promises for each process: the pool, and the connection that listens. */
const CONNECTIONS_MAX = 7;
/** How often one idle server may try to connect in a second while PostgreSQL is away. */
const TRIES_MAX = 15;

let postgres: StartedPostgres;
let asking: Server;
const machines: Machine[] = [];
beforeAll(async () => {
  postgres = await startPostgres({ durable: false });
  asking = serverAt(postgres.url("postgres"));
});
afterEach(() => {
  endAll();
  for (const one of machines.splice(0)) one.remove();
});
afterAll(async () => {
  await asking.close();
  await postgres.stop();
});

async function newDatabase(name: string): Promise<string> {
  await postgres.createDatabase(name);
  return postgres.url(name);
}

/** Servers of several machines on one database. */
function servers(url: string): Promise<readonly Up[]> {
  const starting = Array.from({ length: SERVERS }, () => {
    const on = machine();
    on.env["LEEWAY_KEY"] = "ab".repeat(32);
    machines.push(on);
    return on;
  });
  return Promise.all(starting.map((on) => up(on, ["--db", url])));
}

const readiness = async ({ url }: Up) => (await fetch(`${url}/readyz`)).status;
const everyReadiness = (started: readonly Up[]) => Promise.all(started.map(readiness));
const each = <T>(value: T) => Array.from({ length: SERVERS }, () => value);

/** The connections of leeway to a database, and which of them listen. Tried until PostgreSQL answers. */
async function connectionsTo(name: string): Promise<{ all: number; listening: number }> {
  for (;;) {
    try {
      const [found] = await asking.use((session) =>
        session.run(
          "select count(*) as all, count(*) filter (where query ilike 'listen%') as listening from pg_stat_activity where datname = $1",
          [name],
        ),
      );
      return { all: Number(found?.["all"]), listening: Number(found?.["listening"]) };
    } catch {
      await pauseMs(100);
    }
  }
}

/** Waits until each listens once, and looks for some time whether more come. */
async function expectConnected(name: string): Promise<void> {
  await expect.poll(async () => (await connectionsTo(name)).listening, { timeout: 40_000 }).toBe(SERVERS);
  for (let look = 0; look < 10; look++) {
    const { all, listening } = await connectionsTo(name);
    expect([listening, all <= SERVERS * CONNECTIONS_MAX]).toEqual([SERVERS, true]);
    await pauseMs(200);
  }
}

/** Stands at PostgreSQL's port, counts who comes, and hangs up. */
async function countingAt(port: number): Promise<{ tries(): number; close(): Promise<void> }> {
  let tries = 0;
  const counter: TcpServer = createServer((socket) => {
    tries += 1;
    socket.on("error", () => undefined).destroy();
  });
  await new Promise<void>((resolve) => counter.listen(port, "127.0.0.1", resolve));
  return { tries: () => tries, close: () => new Promise((resolve) => counter.close(() => resolve())) };
}

test("servers survive ten seconds without PostgreSQL, try to connect only now and then, and are as before when it is back", async () => {
  const started = await servers(await newDatabase("away"));
  await expectConnected("away");
  await postgres.halt("SIGKILL");
  // Nobody answers at the port; later somebody does, and hangs up.
  await pauseMs(6_000);
  const counter = await countingAt(postgres.port);
  await pauseMs(4_000);
  const tries = counter.tries();
  expect(await everyReadiness(started)).toEqual(each(503));
  await counter.close();
  await postgres.resume();
  expect(tries).toBeLessThan(SERVERS * TRIES_MAX * 4);
  await expect.poll(() => everyReadiness(started), { timeout: 20_000 }).toEqual(each(200));
  await expectConnected("away");
  expect(await Promise.all(started.map((one) => one.stop()))).toEqual(each({ code: 0, stderr: expect.any(String) }));
}, 120_000);

test("a PostgreSQL that refuses connections is not asked by more and more connections, and is used again when it has room", async () => {
  const url = await newDatabase("refusing");
  await asking.use((session) =>
    session.exec("create role few login password 'few'; grant all on database refusing to few"),
  );
  const few = url.replace("postgres:postgres@", "few:few@");
  const stores = Array.from({ length: SERVERS }, () => postgresStore(few, { sealer }));
  const heard = stores.map(() => 0);
  const unwatch = stores.map((store, i) => store.watch(W, () => (heard[i] = (heard[i] ?? 0) + 1)));
  await expectConnected("refusing");
  const limit = (to: number) => asking.use((session) => session.exec(`alter role few connection limit ${to}`));
  await limit(0);
  await asking.use((session) =>
    session.exec("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'few'"),
  );
  await pauseMs(6_000);
  expect(await connectionsTo("refusing")).toEqual({ all: 0, listening: 0 });
  await limit(-1);
  await expectConnected("refusing");
  const [first] = stores;
  await first?.commit(change({ writes: [{ do: "turn" }] }));
  await expect.poll(() => heard.every((times) => times > 0)).toBe(true);
  for (const stop of unwatch) stop();
  await Promise.all(stores.map((store) => store.close()));
}, 60_000);

test("a process that has no file descriptors left for connections goes on when it has some again", async () => {
  const url = await newDatabase("starved");
  const here = dirname(fileURLToPath(import.meta.url));
  const args = [process.execPath, join(here, "worker.mjs"), compiled(), "starves"];
  const child = spawn("bash", ["-c", 'ulimit -n 200; exec "$@"', "starves", ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify({ url, policy, workers: 1 }));
  expect(JSON.parse(await outputOf(child))).toEqual([{ while: "LEEWAY_AUDIT_UNAVAILABLE", after: "run" }]);
}, 60_000);

test("somebody else who uses the channel of the processes does not disturb them", async () => {
  const url = await newDatabase("strange");
  const [store, server] = [postgresStore(url, { sealer }), serverAt(url)];
  let heard = 0;
  const unwatch = store.watch(W, () => (heard += 1));
  await expect.poll(async () => (await connectionsTo("strange")).listening).toBe(1);
  for (const text of ["", "nothing of ours", "null", "[1, 2]"]) {
    await server.use((session) => session.run("select pg_notify('leeway', $1)", [text]));
  }
  await server.use((session) => session.run("select pg_notify('leeway', $1)", [JSON.stringify(["other", W, true])]));
  await expect.poll(() => heard).toBe(1);
  unwatch();
  await Promise.all([store.close(), server.close()]);
});
