import { expect, test } from "vitest";
import { sqlEffect } from "./sql.ts";

const kinds = (statements: readonly string[]) => statements.map((sql) => sqlEffect(sql).class);

test("a statement that only reads is a reading", () => {
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
    "pragma table_info(a)",
  ];
  expect(kinds(reads)).toEqual(reads.map(() => "db.read"));
});

test("a word that changes data makes it a change wherever it stands outside texts and comments", () => {
  const writes = [
    "INSERT INTO a VALUES (1)",
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
  ];
  expect(kinds(writes)).toEqual(writes.map(() => "db.write"));
});

test("rights are permissions, and what does not come back is said", () => {
  expect(sqlEffect("GRANT ALL ON a TO b")).toEqual({ class: "permissions.change", reversible: false });
  expect(sqlEffect("delete from a")).toEqual({ class: "db.write", reversible: false });
  expect(sqlEffect("insert into a values (1)")).toEqual({ class: "db.write", reversible: true });
});
