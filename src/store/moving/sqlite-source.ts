import { existsSync } from "node:fs";
import { factsOf } from "../../core/rows/rows.ts";
import type { Sealed } from "../../core/secret.ts";
import { type Sealer, StoreUnavailable } from "../../ports.ts";
import type { SqlRow, SqlValue } from "../sql/columns.ts";
import { bornIdIn, CALL_COLUMNS, CALL_JOINS, callIn } from "../sql/found.ts";
import { CLOSED_VERSION, MOVED_TABLE, moveValues, type StoreMove } from "../sql/moved.ts";
import { type Database, openDatabase } from "../sqlite/file/driver.ts";
import { faultOf } from "../sqlite/file/faults.ts";
import { APPLICATION_ID, MIGRATIONS, moveOf, versionOf } from "../sqlite/file/migrations.ts";
import { type Seals, sealsOf } from "../sqlite/seals.ts";
import type { MovingFrom, SeenSource } from "./move.ts";
import {
  MOVED_TABLES,
  type MovedRow,
  type MovedTable,
  pageOrder,
  plainValue,
  type Source,
  sqliteColumns,
} from "./tables.ts";

// A database file from which everything is moved. While it is open here, nobody else can use it.

/** How long to wait for a command that is about to end. */
const BUSY_MS = 5_000;

/** Opens the file for moving. Refuses if anybody else has it open, because only the last user can leave WAL mode. */
export async function sqliteFrom(path: string, sealer: Sealer): Promise<MovingFrom> {
  if (!existsSync(path)) throw new StoreUnavailable(`there is no database at ${path}; check the path`);
  const db = openDatabase(path);
  try {
    await alone(db, path);
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    ...sqliteSource(db, sealer),
    move: async () => moveOf(db),
    version: MIGRATIONS.length,
    close: async (move) => mark(db, move, CLOSED_VERSION),
    finish: async (move) => mark(db, { ...move, isDone: true }, CLOSED_VERSION),
    reopen: async (move) => {
      mark(db, undefined, move.version);
    },
    end: async () => db.close(),
  };
}

export function seenSqlite(path: string): SeenSource {
  if (!existsSync(path)) throw new StoreUnavailable(`there is no database at ${path}; check the path`);
  const db = openDatabase(path, { readOnly: true });
  try {
    const version = Number(db.prepare("pragma user_version").get()?.["user_version"]);
    if (version !== CLOSED_VERSION) versionOf(db);
    const found = version === 0 ? [] : db.prepare("select workspace from chains order by space").all();
    return { move: moveOf(db), workspaces: found.map((row) => String(row["workspace"])) };
  } finally {
    db.close();
  }
}

/** Rows of a database that nobody changes meanwhile. */
function sqliteSource(db: Database, sealer: Sealer): Source {
  const seals = sealsOf(rememberingLast(sealer), () => db);
  return {
    page: async (table, after, limit) =>
      pageOf(db, table, (after ?? []).map(plainValue), limit).map(movable(table, seals, sealer)),
    total: async () =>
      MOVED_TABLES.reduce((sum, { name }) => {
        return sum + Number(db.prepare(`select count(*) as count from ${name}`).get()?.["count"]);
      }, 0),
  };
}

async function alone(db: Database, path: string): Promise<void> {
  const startedMs = process.uptime() * 1_000;
  for (;;) {
    try {
      if (Number(db.prepare("pragma application_id").get()?.["application_id"]) !== APPLICATION_ID)
        throw new StoreUnavailable(`${path} is not a database of leeway; check the path`);
      db.exec("pragma journal_mode = delete; pragma locking_mode = exclusive; begin exclusive; commit");
      return;
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined || error instanceof StoreUnavailable) throw error;
      if (!fault.busy) throw new StoreUnavailable(fault.message, { cause: error });
      if (process.uptime() * 1_000 - startedMs > BUSY_MS)
        throw new StoreUnavailable(
          `another process uses ${path}; stop the server, gateways, hooks and programs that use it, and try again`,
          { cause: error },
        );
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function mark(db: Database, move: StoreMove | undefined, version: number): void {
  db.exec("begin immediate");
  db.exec(`${MOVED_TABLE}; delete from moved; pragma user_version = ${version}`);
  if (move !== undefined) db.prepare("insert into moved values (?, ?, ?, ?, ?)").run(...moveValues(move));
  db.exec("commit");
}

function pageOf(db: Database, table: MovedTable, after: readonly SqlValue[], limit: number): readonly SqlRow[] {
  const order = pageOrder(table, after.length > 0, () => "?");
  if (table.name !== "calls") {
    return db
      .prepare(`select ${sqliteColumns(table).join(", ")} from ${table.name}${order} limit ?`)
      .all(...after, limit);
  }
  // With the entry that decided each, because it says what the secret belongs to.
  const names = `${CALL_COLUMNS}, c.space, c.wake_ms, c.decided`;
  const where = after.length > 0 ? " where c.place > ?" : "";
  return db.prepare(`select ${names} from calls c${CALL_JOINS}${where} order by c.place limit ?`).all(...after, limit);
}

/** What PostgreSQL keeps of a row that SQLite has kept. */
function movable(table: MovedTable, seals: Seals, sealer: Sealer): (found: SqlRow) => MovedRow {
  const alone = (value: SqlValue | undefined, about: string): SqlValue =>
    typeof value === "number" ? sealer.seal(seals.read(value, about).open(), about) : (value ?? null);
  switch (table.name) {
    case "chains":
      return (found) => ({ ...found, stamp: 1 });
    case "calls":
      return (found) => ({
        ...found,
        args:
          typeof found["args"] === "number" ? alone(found["args"], digestIn(found, seals)) : (found["args"] ?? null),
        result: alone(found["result"], bornIdIn(found)),
      });
    case "approvals":
      return (found) => ({ ...found, due_ms: factsOf("approvals", JSON.parse(String(found["row"]))).dueMs ?? null });
    case "executions":
      return (found) => {
        const row = JSON.parse(String(found["row"]));
        return typeof row.result === "number"
          ? { ...found, row: JSON.stringify({ ...row, result: alone(row.result, row.id) }) }
          : found;
      };
    default:
      return (found) => found;
  }
}

function digestIn(found: SqlRow, seals: Seals): string {
  return callIn({ workspace: "", seals }, found).row.digest;
}

/** The secrets of a batch are encrypted together and are read one after the other. */
function rememberingLast(sealer: Sealer): Sealer {
  let last: { sealed: Sealed; about: string; text: string } | undefined;
  return {
    ...sealer,
    open: (sealed, about) => {
      if (last?.sealed !== sealed || last.about !== about) last = { sealed, about, text: sealer.open(sealed, about) };
      return last.text;
    },
  };
}
