import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { countTracks } from "../../src/store/sqlite/file/counting-tracks.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { migrate } from "../../src/store/sqlite/file/migrations.ts";
import { moveCalls } from "../../src/store/sqlite/file/moving-calls.ts";

const file = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "schema", "sqlite.sql");

test("schema/sqlite.sql equals the result of all migrations, so that a diff shows the effect of each one", () => {
  const db = openDatabase(":memory:");
  migrate(db);
  moveCalls(db);
  countTracks(db);
  const version = db.prepare("pragma user_version").get()?.["user_version"];
  const statements = db
    .prepare("select sql from sqlite_schema where sql is not null order by type desc, tbl_name, name")
    .all()
    .map((found) => `${found["sql"]};\n`);
  db.close();
  const schema = `-- Dumped from the migrations (version ${version}); LEEWAY_WRITE=1 rewrites it.\n\n${statements.join("")}`;
  if (process.env["LEEWAY_WRITE"] === "1") writeFileSync(file, schema);
  expect(readFileSync(file, "utf8")).toBe(schema);
});
