import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { serverAt } from "../../src/store/postgres/server/server.ts";
import { PASSPHRASE } from "../cli/person.ts";
import { leeway, type Machine, machine } from "../cli/program.ts";
import { endAll, up } from "../cli/servers.ts";
import { newDatabase } from "./database.ts";

let on: Machine;
beforeEach(() => {
  on = machine();
});
afterEach(() => on.remove());
afterAll(endAll);

/** The address without name and password, as people see it. */
const shown = (url: string) => url.replace(/\/\/.*@/, "//");

test("one PostgreSQL serves `leeway up --db`, and the commands, and nobody is shown its password", async () => {
  const url = await newDatabase();
  const server = await up(on, ["--db", url]);
  const env = { LEEWAY_DB: url };
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const added = await leeway(on, ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")], { env });
  const token = await leeway(on, ["tokens", "add", "--agent", "coder"], { env });
  expect([added.code, token.code]).toEqual([0, 0]);
  const asked = await fetch(`${server.url}/v1/calls`, {
    method: "POST",
    headers: { authorization: `Bearer ${token.stdout.trim()}`, "content-type": "application/json" },
    body: JSON.stringify({ tool: "read_file", args: { path: "a" }, cwd: on.project }),
  });
  expect(await asked.json()).toMatchObject({ outcome: "run" });
  const status = await leeway(on, ["status", "--json"], { env });
  const { database, overrides } = JSON.parse(status.stdout);
  expect([database, overrides.LEEWAY_DB]).toEqual([shown(url), shown(url)]);
  expect((await leeway(on, ["status"], { env })).stdout).not.toContain("does not exist yet");
  const ledger = await leeway(on, ["log", "--json"], { env });
  expect(ledger.stdout).toContain('"call.decided"');
  const doctor = await leeway(on, ["doctor", "--json"], { env });
  expect(JSON.parse(doctor.stdout).findings).toContainEqual({
    what: "database",
    state: "ok",
    says: `PostgreSQL: ${shown(url)}`,
  });
  const said = [status, ledger, doctor].map(({ stdout, stderr }) => stdout + stderr).join("");
  expect(said).not.toContain("postgres:postgres@");
});

test("a backup of PostgreSQL is a database file that verifies and can be restored; what is missing after it is told", async () => {
  const url = await newDatabase();
  const env = { LEEWAY_DB: url };
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const person = ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")];
  expect((await leeway(on, person, { env })).code).toBe(0);
  const folder = join(on.home, "backup");
  const backup = await leeway(on, ["backup", folder, "--json"], { env });
  expect(JSON.parse(backup.stdout)).toEqual({
    folder,
    files: ["leeway.db", "leeway.key", "leeway.sign", "checkpoints"],
  });
  const elsewhere = { XDG_STATE_HOME: join(on.home, "elsewhere") };
  const restored = await leeway(on, ["restore", folder, "--yes", "--json"], { env: elsewhere });
  expect([restored.code, restored.stderr]).toEqual([0, ""]);
  const verified = JSON.parse((await leeway(on, ["verify", "--json"], { env: elsewhere })).stdout);
  expect([verified.ok, verified.checkpoints > 0]).toEqual([true, true]);
  expect((await leeway(on, ["people", "list"], { env: elsewhere })).stdout).toContain("ana");

  // Somebody goes on with PostgreSQL, and signs; then the database goes back to what the backup has.
  expect((await leeway(on, ["tokens", "add", "--agent", "coder"], { env })).code).toBe(0);
  const server = serverAt(url);
  const cut = verified.entries - 3;
  await server.use((session) =>
    session.exec(
      `delete from entries where place % ${2 ** 40} > ${cut}; update chains set entry = ${cut}, stamp = stamp + 1, hash = (select hash from entries order by place desc limit 1)`,
    ),
  );
  await server.close();
  const went = await leeway(on, ["verify"], { env });
  expect([went.code, went.stderr]).toEqual([
    1,
    expect.stringMatching(/ends at entry \d+, but \d+ entries were signed/),
  ]);
}, 180_000);

test("restore refuses PostgreSQL and says what to use; a hook is not installed with a password in it", async () => {
  const env = { LEEWAY_DB: "postgres://ana:secret@127.0.0.1:1/leeway" };
  mkdirSync(join(on.home, "backup"));
  writeFileSync(join(on.home, "backup", "leeway.db"), "");
  const restore = await leeway(on, ["restore", join(on.home, "backup")], { env });
  expect([restore.code, restore.stdout]).toEqual([2, ""]);
  expect(restore.stderr).toContain(
    "makes a database file, and LEEWAY_DB names PostgreSQL: postgres://127.0.0.1:1/leeway",
  );
  expect(restore.stderr).toContain("leeway migrate-store --to postgres://");
  expect(restore.stderr).not.toContain("secret");
  const hook = await leeway(on, ["init", "claude-code", "--dry-run", "--yes"], { env });
  expect(hook.stderr + hook.stdout).not.toContain("secret");
  expect(hook.code).not.toBe(0);
});

test("a server that cannot record anything is not ready, and is ready again by itself when it can", async () => {
  const url = await newDatabase();
  const server = await up(on, ["--db", url]);
  const env = { LEEWAY_DB: url };
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  await leeway(on, ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")], { env });
  const token = (await leeway(on, ["tokens", "add", "--agent", "coder"], { env })).stdout.trim();
  const ready = async () => {
    const answer = await fetch(`${server.url}/readyz`);
    return [answer.status, await answer.json()];
  };
  expect(await ready()).toEqual([200, { ok: true }]);
  const { pathname } = new URL(url);
  const operator = serverAt(url.replace(pathname, "/postgres"));
  const readOnly = (is: "on" | "off") =>
    operator.use((session) =>
      session.exec(
        `alter database ${pathname.slice(1)} set default_transaction_read_only = ${is}; ` +
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${pathname.slice(1)}'`,
      ),
    );
  await readOnly("on");
  const asked = await fetch(`${server.url}/v1/calls`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ tool: "read_file", args: { path: "a" }, cwd: on.project }),
  });
  expect([asked.status, await asked.text()]).toEqual([503, expect.stringContaining("LEEWAY_AUDIT_UNAVAILABLE")]);
  expect(await ready()).toEqual([503, { ok: false, why: "nothing can be recorded, so everything is denied" }]);
  await readOnly("off");
  await operator.close();
  await expect.poll(ready, { timeout: 10_000 }).toEqual([200, { ok: true }]);
}, 120_000);

test("an address that nobody answers denies every call at once, with what to check", async () => {
  const env = { LEEWAY_DB: "postgres://ana:secret@127.0.0.1:1/leeway", LEEWAY_KEY: "ab".repeat(32) };
  const tool = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "ls" } };
  const stdin = JSON.stringify({ ...tool, session_id: "s", cwd: on.project });
  expect(await leeway(on, ["hook", "claude-code"], { env, stdin })).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^Leeway could not decide, so the call was not run: PostgreSQL does not answer at its address; check that it runs/,
    ),
  });
});

test("a command that uses SQLite loads nothing of PostgreSQL", async () => {
  const hook = join(on.home, "seen.cjs");
  const seen = join(on.home, "seen.txt");
  writeFileSync(
    hook,
    `const fs = require("node:fs");
    const { readFileSync, openSync, appendFileSync } = fs;
    const note = (path) => appendFileSync(${JSON.stringify(seen)}, path + "\\n");
    fs.readFileSync = (path, ...rest) => (note(String(path)), readFileSync(path, ...rest));
    const Module = require("node:module");
    const load = Module._load;
    Module._load = (id, ...rest) => (note("package:" + id), load(id, ...rest));`,
  );
  const of = async (env: Record<string, string>) => {
    writeFileSync(seen, "");
    await leeway(on, ["check", "--command", "ls", "--json"], {
      env: { ...env, NODE_OPTIONS: `--require ${hook}` },
    });
    return readFileSync(seen, "utf8")
      .split("\n")
      .filter((path) => /^package:pg$|program[\\/]postgres-/.test(path));
  };
  expect(await of({})).toEqual([]);
  const used = await of({ LEEWAY_DB: "postgres://ana@127.0.0.1:1/leeway", LEEWAY_KEY: "ab".repeat(32) });
  expect(used).toContain("package:pg");
  expect(used.some((path) => /program[\\/]postgres-/.test(path))).toBe(true);
});
