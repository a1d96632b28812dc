import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { leeway, type Machine, machine } from "../cli/program.ts";
import { endAll, up } from "../cli/servers.ts";
import { newDatabase } from "./database.ts";
import { asking } from "./standby.ts";

// PgBouncer before PostgreSQL, if this machine has it.

const isInstalled = spawnSync("pgbouncer", ["--version"]).status === 0;

let on: Machine;
let url: string;
let stop: (() => Promise<void>) | undefined;
beforeEach(async () => {
  on = machine();
  url = await newDatabase();
});
afterEach(async () => {
  endAll();
  await stop?.();
  stop = undefined;
  on.remove();
});

/** Starts it with its own settings, besides the mode, and returns the address of the database behind it. */
async function pooled(mode: string): Promise<string> {
  const { hostname, port: there, username, password } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "leeway-pooler-"));
  const port = await freePort();
  const lines = [
    ...["[databases]", `* = host=${hostname} port=${there}`, "[pgbouncer]", `pool_mode = ${mode}`],
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir ="],
    ...["auth_type = plain", `auth_file = ${folder}/users`],
  ];
  writeFileSync(join(folder, "settings"), `${lines.join("\n")}\n`);
  writeFileSync(join(folder, "users"), `"${username}" "${password}"\n`);
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? Number(spawnSync("id", ["-u", "nobody"], { encoding: "utf8" }).stdout) : undefined;
  if (uid !== undefined) for (const name of ["", "settings", "users"]) chownSync(join(folder, name), uid, -1);
  chmodSync(folder, 0o755);
  const how = { stdio: "ignore", ...(uid === undefined ? {} : { uid }) } as const;
  const child = spawn("pgbouncer", ["-q", join(folder, "settings")], how);
  stop = () => ended(child, folder);
  const address = url.replace(`:${there}/`, `:${port}/`);
  await expect.poll(() => answers(address), { timeout: 10_000 }).toBe(true);
  return address;
}

const answers = (address: string) =>
  asking(address, "select 1").then(
    () => true,
    () => false,
  );

async function ended(child: ChildProcess, folder: string): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
  rmSync(folder, { recursive: true, force: true });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

test.skipIf(!isInstalled)(
  "servers and commands work through PgBouncer as it comes, with pool_mode = session, and hear each other",
  async () => {
    on.env["LEEWAY_DB"] = await pooled("session");
    const server = await up(on);
    const runs = await Promise.all([1, 2, 3, 4].map(() => leeway(on, ["run", "--", "ls"])));
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, ""]));
    const listening = await asking(
      url,
      "select count(*)::integer as count from pg_stat_activity where query = 'listen leeway'",
    );
    expect(listening).toEqual([{ count: 1 }]);
    expect((await server.stop()).code).toBe(0);
  },
  60_000,
);

for (const [mode, what] of [
  ["transaction", "a pooler before PostgreSQL gives the connections of this process to others after each transaction"],
  ["statement", "PostgreSQL, or a pooler before it, refused what was sent"],
] as const) {
  test.skipIf(!isInstalled)(
    `a pooler with pool_mode = ${mode} is refused before anything is set or written, and the mode that is needed is named`,
    async () => {
      on.env["LEEWAY_DB"] = await pooled(mode);
      const ran = await leeway(on, ["run", "--", "ls"]);
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(what)]);
      expect(ran.stderr).toContain("`pool_mode = session`");
      const [found] = await asking(on.env["LEEWAY_DB"], "show search_path");
      expect(found).toEqual({ search_path: '"$user", public' });
      expect(await asking(url, "select 1 from pg_namespace where nspname = 'leeway'")).toEqual([]);
    },
    60_000,
  );
}
