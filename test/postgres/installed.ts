import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The PostgreSQL that the system has installed, as a second version beside the one of the tests.

const PLACE = "/usr/lib/postgresql";

/** Versions whose programs are installed; often none. */
export function installedVersions(): readonly string[] {
  const found = existsSync(PLACE) ? readdirSync(PLACE) : [];
  return found.filter((version) => existsSync(join(PLACE, version, "bin", "postgres")));
}

export type Installed = { newDatabase(): Promise<string>; stop(): Promise<void> };

export async function startInstalled(version: string): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), "leeway-installed-"));
  const data = join(folder, "data");
  mkdirSync(data);
  // It refuses to run as root.
  const ids = process.getuid?.() === 0 ? accountOf("postgres") : undefined;
  if (ids !== undefined) for (const path of [folder, data]) chownSync(path, ids.uid, ids.gid);
  chmodSync(folder, 0o755);
  const bin = join(PLACE, version, "bin");
  const how = { ...ids, cwd: folder };
  const made = spawnSync(join(bin, "initdb"), ["-D", data, "-U", "leeway", "-A", "trust", "-E", "UTF8", "--locale=C"], {
    ...how,
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "max_connections=200"];
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((one) => ["-c", one])];
  const child = spawn(join(bin, "postgres"), args, { ...how, stdio: "ignore" });
  await answering(`postgres://leeway@127.0.0.1:${port}/postgres`);
  let databases = 0;
  return {
    newDatabase: async () => {
      databases += 1;
      await asking(`postgres://leeway@127.0.0.1:${port}/postgres`, `create database leeway_${databases}`);
      return `postgres://leeway@127.0.0.1:${port}/leeway_${databases}`;
    },
    stop: async () => {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accountOf(name: string): { uid: number; gid: number } {
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout));
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

async function asking(url: string, sql: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await asking(url, "select 1");
    } catch (error) {
      if (tries === 600) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGINT");
  await gone;
}
