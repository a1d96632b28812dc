import { expect, test } from "vitest";
import { cpuMsOf } from "../../../test/cpu.ts";
import { sqlEffect } from "./sql.ts";

const kinds = (statements: readonly string[]) => statements.map((sql) => sqlEffect(sql).class);

test("a statement that only reads counts as a read", () => {
  const reads = [
    "SELECT * FROM a",
    "  with x as (select 1) select * from x",
    "select 'drop table a; delete from b'",
    'select "update" from a',
    "-- delete from a\nselect 1",
    "/* insert */ select 1",
    "explain select 1",
    "SHOW TABLES",
    "select count(*), lower(name) from pg_tables group by 2",
    "select pg_get_viewdef('a')",
    "pragma user_version",
    "PRAGMA table_info(a)",
    "pragma main.index_list(a);",
    "show create table a",
    "show create table a\\G",
    "select 1;",
    "(select 1) union (select 2);\nselect 3 -- done\n",
    "select * from a where id = $1 and name ~ '^\\\\d+$'",
    "select `name` from `a`",
    "select tags[1] from a where title = 'issue #5'",
    'select "a;b" from "c"',
    "/* newest */ select max(id) from a -- done",
  ];
  expect(kinds(reads)).toEqual(reads.map(() => "db.read"));
});

test("a word that changes data makes the statement a change, unless it is in a string or a comment", () => {
  const writes = [
    "INSERT INTO a VALUES (1)",
    "show create table a; create table b (c int)",
    "select 1; # ; show\ncreate table b (c int)",
    "pragma table_info(a); pragma user_version = 2",
    "pragma writable_schema(1)",
    "select 1; delete from a",
    "with x as (delete from a returning *) select * from x",
    "select * into b from a",
    "/*!50000 drop table a */ select 1",
    "select 'it''s' ; drop table a",
    "copy a to program 'sh'",
    "call wipe()",
    "",
    "frobnicate a",
    "select 'unclosed ; drop table a",
    "explain analyze delete from a",
    "set role admin",
    "select pg_read_file('/etc/passwd')",
    "select dblink_exec ('x', 'y')",
    "select pg_terminate_backend(1)",
    "pragma writable_schema = 1",
    "pragma user_version(5)",
    "pragma optimize",
    "explain pragma user_version = 5",
    "select 1; pragma user_version=5",
    "select 1; shutdown",
  ];
  expect(kinds(writes)).toEqual(writes.map(() => "db.write"));
});

test("a change of rights is permissions.change, and a statement that cannot be undone is marked", () => {
  expect(sqlEffect("GRANT ALL ON a TO b")).toEqual({ class: "permissions.change", reversible: false });
  expect(sqlEffect("delete from a")).toEqual({ class: "db.write", reversible: false });
  expect(sqlEffect("insert into a values (1)")).toEqual({ class: "db.write", reversible: true });
});

test("a string or comment that databases end at different places hides nothing", () => {
  const hidden = [
    "select $$'$$; drop table users; select $$'$$",
    "select 1 /* /* */ ' */ ; drop table users; --'",
    "select E'a\\''; drop table users; select ''",
    "select 'a\\''; drop table users; select ''",
    "select 1--1; drop table users;\n",
    "select 1 as `'`; drop table users; select 1 as `'`",
    "select 1 as [']; drop table users; select 1 as [']",
    "select 1 # '\n; drop table users; # '",
    "select 1 -- \r; drop table users\n",
    "select q'{it's}'; drop table users; --'\n",
    "select 1; /*$ select */ shutdown",
    "select 1 /*! ; drop table users */",
    "select 1 /*M! ; drop table users */",
  ];
  expect(kinds(hidden)).toEqual(hidden.map(() => "db.write"));
});

test("a function with side effects is recognised however its name is quoted or separated", () => {
  const calls = [
    `select "pg_read_file"('/etc/passwd')`,
    `select pg_read_file${" ".repeat(40)}('/etc/passwd')`,
    "select pg_read_file/**/('/etc/passwd')",
    "select pg_read_file/*$ a */('/etc/passwd')",
    "select pg_catalog . \"pg_read_file\" ('/etc/passwd')",
    `select U&"pg\\005fread_file"('/etc/passwd')`,
    `select u&"pg!005fread_file" uescape '!' ('/etc/passwd')`,
    "select `load_file`('/etc/passwd')",
  ];
  expect(kinds(calls)).toEqual(calls.map(() => "db.write"));
});

test("many comments in a row are read quickly", () => {
  const tookMs = cpuMsOf(() => {
    const many = "/**/".repeat(4000);
    expect(
      kinds([`select 1 from ${many}x`, `select * from mysql${many}x`, `select * from \`mysql\`${many}.\`user\``]),
    ).toEqual(["db.read", "db.read", "db.write"]);
  });
  expect(tookMs).toBeLessThan(3_000);
});
