import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startPostgres } from "../../tools/postgres.mjs";
import { leeway, type Machine, machine } from "../cli/program.ts";
import { newDatabase } from "./database.ts";
import { asking } from "./standby.ts";

let on: Machine;
beforeEach(() => {
  on = machine();
});
afterEach(() => on.remove());

/** The address without its password, and the line of the password file for it. */
async function withoutPassword(): Promise<{ url: string; line: string }> {
  const whole = new URL(await newDatabase());
  const { hostname, port, pathname, username, password } = whole;
  whole.password = "";
  return { url: whole.href, line: `${hostname}:${port}:${pathname.slice(1)}:${username}:${password}` };
}

const status = (LEEWAY_DB: string) => leeway(on, ["status"], { env: { LEEWAY_DB } });

test("the password is found in the password file, without a warning, by the first line that matches", async () => {
  const { url, line } = await withoutPassword();
  const file = join(on.home, ".pgpass");
  writeFileSync(file, `# comment\nother:*:*:*:wrong\\:one\n${line}\n*:*:*:*:wrong\n`, { mode: 0o600 });
  const ran = await status(url);
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
});

test("a missing password, and a password file that others can read, are called so", async () => {
  const { url, line } = await withoutPassword();
  const file = join(on.home, ".pgpass");
  const missing = await status(url);
  expect([missing.code === 0, missing.stderr]).toEqual([
    false,
    expect.stringMatching(
      /PostgreSQL asks for a password, and none was found\n {2}hint: put the line 127\.0\.0\.1:\d+:\w+:postgres:PASSWORD into .*\.pgpass, with mode 0600\n$/,
    ),
  ]);
  writeFileSync(file, `${line}\n`);
  chmodSync(file, 0o644);
  const open = await status(url);
  expect([open.code === 0, open.stderr]).toEqual([
    false,
    `leeway: ${file} has a password that others can read, so it is not used\n  hint: run \`chmod 600 ${file}\`\n`,
  ]);
});

test("an unknown sslmode is refused with the modes that there are; a known one that PostgreSQL does not offer is explained", async () => {
  const url = await newDatabase();
  const unknown = await status(`${url}?sslmode=bogus`);
  expect([unknown.code === 0, unknown.stderr]).toEqual([
    false,
    expect.stringMatching(
      /unknown sslmode: bogus[\s\S]*use one of disable, prefer, require, verify-ca, verify-full, no-verify/,
    ),
  ]);
  const byVariable = await leeway(on, ["status"], { env: { LEEWAY_DB: url, PGSSLMODE: "VERIFY-FULL" } });
  expect([byVariable.code === 0, byVariable.stderr]).toEqual([
    false,
    expect.stringContaining("PGSSLMODE is an unknown sslmode: VERIFY-FULL"),
  ]);
  const required = await status(`${url}?sslmode=require`);
  expect([required.code === 0, required.stderr.includes("SECURITY WARNING"), required.stderr]).toEqual([
    false,
    false,
    expect.stringContaining("PostgreSQL does not offer TLS"),
  ]);
});

test("a file of TLS that cannot be read is named, with the option or the variable that names it", async () => {
  const url = await newDatabase();
  const named = async (options: string, env: Record<string, string> = {}) =>
    (await leeway(on, ["status"], { env: { LEEWAY_DB: `${url}?sslmode=verify-full${options}`, ...env } })).stderr;
  const hint = "  hint: name a file in PEM format that this user can read\n";
  expect(await named(`&sslrootcert=${on.home}`)).toBe(
    `leeway: ${on.home}, which sslrootcert in LEEWAY_DB names, is a folder\n${hint}`,
  );
  expect(await named(`&sslcert=${on.home}/none.pem`)).toBe(
    `leeway: ${on.home}/none.pem, which sslcert in LEEWAY_DB names, does not exist\n${hint}`,
  );
  expect(await named("", { PGSSLROOTCERT: `${on.home}/ca.pem` })).toBe(
    `leeway: ${on.home}/ca.pem, which PGSSLROOTCERT names, does not exist\n${hint}`,
  );
  // Without TLS, or with authorities that the address names itself, the variable means nothing.
  const unused = await leeway(on, ["status"], { env: { LEEWAY_DB: url, PGSSLROOTCERT: `${on.home}/ca.pem` } });
  expect([unused.code, unused.stderr]).toEqual([0, ""]);
  expect(await named("&sslrootcert=system")).toContain("PostgreSQL does not offer TLS");
});

test("a PostgreSQL that does not let this machine in says so, and not that the password is wrong", async () => {
  const postgres = await startPostgres({ durable: false });
  try {
    const url = postgres.url("postgres");
    await asking(url, "create role few login password 'few'; create role other login password 'few'; create role shut");
    const [found] = await asking(url, "select current_setting('hba_file') as file");
    const file = String(found?.["file"]);
    const lines = ["hostssl all few 127.0.0.1/32 scram-sha-256", "host all few all reject"];
    writeFileSync(file, `${lines.join("\n")}\n${readFileSync(file, "utf8")}`);
    await asking(url, "select pg_reload_conf()");
    const as = async (name: string, password = "few") =>
      (await status(url.replace("postgres:postgres@", `${name}:${password}@`))).stderr;
    await expect.poll(() => as("few")).toContain("does not let this machine in without TLS");
    expect(await as("few")).toContain("hint: add ?sslmode=verify-full to LEEWAY_DB, or a line for it to pg_hba.conf");
    expect(await as("other", "wrong")).toContain("PostgreSQL refused the name or password");
    await asking(url, "alter role shut password 'few'");
    expect(await as("shut")).toContain("hint: let an admin run: alter role NAME login");
  } finally {
    await postgres.stop();
  }
}, 60_000);
