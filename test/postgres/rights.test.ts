import { afterEach, beforeEach, expect, test } from "vitest";
import { setUpAna } from "../cli/person.ts";
import { leeway, type Machine, machine } from "../cli/program.ts";
import { newDatabase } from "./database.ts";
import { asking } from "./standby.ts";

// An admin of the database makes the schema, and gives the role of Leeway no more than it needs.

let on: Machine;
let admin: string;
let role: string;
let roles = 0;
beforeEach(async () => {
  on = machine();
  admin = await newDatabase();
  roles += 1;
  role = `app_${process.pid}_${roles}`;
  await asking(admin, `create role ${role} login password 'app'`);
});
afterEach(() => on.remove());

/** The database, as the role sees it. */
const asRole = () => admin.replace("postgres:postgres@", `${role}:app@`);
const database = () => new URL(admin).pathname.slice(1);
const ran = async (args: readonly string[], url = asRole()) => {
  const { code, stdout, stderr } = await leeway(on, args, { env: { LEEWAY_DB: url } });
  return { code, said: stdout + stderr };
};
const findings = async () => JSON.parse((await ran(["doctor", "--json"])).said).findings;

test("a role works in a schema that an admin made for it, without the right to create another one", async () => {
  const refused = await ran(["run", "--", "ls"]);
  expect(refused).toEqual({
    code: 1,
    said:
      `leeway: the role ${role} may not create a schema in the database ${database()}\n` +
      `  hint: let an admin of the database run: create schema leeway authorization ${role}\n`,
  });
  await asking(admin, `create schema leeway authorization ${role}`);
  expect((await ran(["run", "--", "ls"])).code).toBe(0);
  expect(await findings()).toContainEqual({
    what: "rights",
    state: "ok",
    says: "the role may read and write all tables",
  });
}, 60_000);

test("a schema in which the role may not create tables, or that it may not use, is called so", async () => {
  await asking(admin, "create schema leeway");
  expect((await ran(["run", "--", "ls"])).said).toBe(
    `leeway: the role ${role} may not create tables in the schema leeway\n` +
      `  hint: let the owner of the schema run: grant usage, create on schema leeway to ${role}\n`,
  );
  expect((await ran(["run", "--", "ls"], admin)).code).toBe(0);
  for (const command of [["run", "--", "ls"], ["doctor"]]) {
    expect((await ran(command)).said).toBe(
      `leeway: the role ${role} may not use the schema leeway\n` +
        `  hint: let the owner of the schema run: grant usage on schema leeway to ${role}\n`,
    );
  }
}, 60_000);

test("a role that owns nothing works with the rights of docs/postgres.md, and doctor names each one that it lacks", async () => {
  await setUpAna(on);
  expect((await ran(["run", "--", "ls"], admin)).code).toBe(0);
  await asking(
    admin,
    `grant usage on schema leeway to ${role};
     grant select, insert, update on all tables in schema leeway to ${role};
     revoke insert, update on leeway.versions from ${role};
     revoke update on leeway.entries, leeway.changes from ${role};
     grant update (salt, body) on leeway.entries to ${role};
     grant delete on leeway.changes, leeway.counters to ${role}`,
  );
  expect((await ran(["run", "--", "ls"])).code).toBe(0);
  const asked = await ran(["run", "--wait", "1s", "--json", "--", "mkdir", "made"]);
  expect(asked.said).toContain("apr_");
  expect((await findings()).filter(({ what }: { what: string }) => what === "rights")).toEqual([
    { what: "rights", state: "ok", says: "the role may read and write all tables" },
  ]);
  await asking(admin, `revoke insert on leeway.entries from ${role}; revoke delete on leeway.counters from ${role}`);
  const lacking = await ran(["doctor", "--json"]);
  expect([lacking.code, JSON.parse(lacking.said).findings]).toEqual([
    1,
    expect.arrayContaining([
      {
        what: "rights",
        state: "bad",
        says: `the role ${role} may not insert into leeway.entries`,
        hint: `let the owner of the tables run: grant insert on leeway.entries to ${role}`,
      },
      {
        what: "rights",
        state: "bad",
        says: `the role ${role} may not delete from leeway.counters`,
        hint: `let the owner of the tables run: grant delete on leeway.counters to ${role}`,
      },
    ]),
  ]);
  const denied = await ran(["run", "--", "ls"]);
  expect([denied.code === 0, denied.said]).toEqual([
    false,
    expect.stringContaining("the role in LEEWAY_DB lacks a right in PostgreSQL (permission denied for table entries)"),
  ]);
  expect(denied.said).toMatch(/\n {2}hint: do what the message says; then the same command may run\n$/);
}, 60_000);

test("a role that only reads verifies, exports and shows the record, and status says that nothing can be recorded", async () => {
  await setUpAna(on);
  expect((await ran(["run", "--", "ls"], admin)).code).toBe(0);
  await asking(
    admin,
    `grant usage on schema leeway to ${role}; grant select on all tables in schema leeway to ${role}`,
  );
  for (const args of [["verify"], ["log"], ["export"]]) expect([args, (await ran(args)).code]).toEqual([args, 0]);
  const status = await ran(["status"]);
  expect([status.code, status.said]).toEqual([
    1,
    expect.stringMatching(/record +nothing can be recorded, so nothing runs: the role in LEEWAY_DB lacks a right/),
  ]);
  expect((await ran(["run", "--", "ls"])).code).toBe(1);
}, 60_000);

test("a schema with a table of somebody else is left alone, and what is there is named", async () => {
  await asking(admin, `create schema leeway authorization ${role}; create table leeway.calls (note text)`);
  expect((await ran(["run", "--", "ls"])).said).toBe(
    `leeway: the schema leeway of the database ${database()} has something of somebody else in it (calls)\n` +
      "  hint: use another database, or move that to another schema\n",
  );
  expect(await asking(admin, "select count(*)::integer as tables from pg_class where relname = 'entries'")).toEqual([
    { tables: 0 },
  ]);
}, 60_000);

test("settings of the role change nothing of what Leeway does", async () => {
  await asking(admin, `create schema leeway authorization ${role}`);
  const settings = [
    "statement_timeout = '1ms'",
    "lock_timeout = '1ms'",
    "idle_session_timeout = '200ms'",
    "idle_in_transaction_session_timeout = '1ms'",
    "default_transaction_isolation = 'serializable'",
    "search_path = 'public'",
    "datestyle = 'SQL, DMY'",
    "timezone = 'Asia/Kathmandu'",
    "standard_conforming_strings = off",
    "bytea_output = 'escape'",
    "extra_float_digits = -15",
    "synchronous_commit = off",
    "client_min_messages = debug1",
  ];
  for (const one of settings) await asking(admin, `alter role ${role} set ${one}`);
  expect((await ran(["run", "--", "ls"])).code).toBe(0);
  const verified = await ran(["verify", "--json"]);
  expect([verified.code, JSON.parse(verified.said).ok]).toEqual([0, true]);
}, 60_000);
