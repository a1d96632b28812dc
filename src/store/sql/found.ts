import type { Entry } from "../../core/ledger.ts";
import type { CallRow, Rows, Table, Versioned } from "../../core/rows/rows.ts";
import {
  bornNames,
  type CallPlace,
  type KeptCall,
  type KeptRight,
  wholeCall,
  wholeRight,
} from "../../core/rows/stored-call.ts";
import type { Secret } from "../../core/secret.ts";
import type { JsonObject } from "../../core/values/json.ts";
import type { SqlRow, SqlValue } from "./columns.ts";
import { indexAt } from "./places.ts";
import { textFrom } from "./text.ts";
import { objectIn, readingRow, rowName } from "./unreadable.ts";

// What is read from the columns of every engine: rows, entries, and calls. A call is stored, with the execution created
// with it, in one row, at the index of the entry that first decided it. So the index from a call to its entries also
// leads to its row. `decided` is the index of the entry that decided it last, if that is another one. What the entry
// says is read from there.

export const CALL_COLUMNS =
  "c.place, c.version, c.key, c.sort_ms, c.row, c.args, c.execution, c.execution_version, c.result, first.call as id, " +
  "case when c.decided is null then first.subject else last.subject end as subject, " +
  "case when c.decided is null then first.body else last.body end as body";

/** A row that was changed to point to the entry of another call finds nothing there. */
export const CALL_JOINS =
  " left join entries first on first.place = c.place " +
  "left join entries last on last.place = c.decided and last.call = first.call and last.kind = 'call.decided'";

export const ENTRY_COLUMNS = "place, at_ms, kind, actor, subject, body_hash, previous, hash, salt, body";

/** Decrypts what a column has instead of a secret. `about`: what the secret belongs to. */
export type SecretReader = { read(value: SqlValue | undefined, about: string): Secret };

/** The workspace, and what decrypts its secrets. */
type Of = { workspace: string; seals: SecretReader };

export function callIn(of: Of, found: SqlRow): Versioned<"calls"> {
  const row = readingRow(
    () => rowName("call", found["id"], found["row"]),
    () => rowIn(of, found),
  );
  return { row, version: Number(found["version"]) };
}

/** The execution stored with a call. */
export function bornRightIn(of: Of, found: SqlRow): Versioned<"executions"> {
  return readingRow(
    () => rowName("execution", bornIdIn(found)),
    () => bornRight(of, found),
  );
}

function bornRight(of: Of, found: SqlRow): Versioned<"executions"> {
  const kept = objectIn(found["execution"]) as KeptRight;
  const { result = null } = found;
  const left = result === null ? undefined : of.seals.read(result, bornIdIn(found));
  return { row: wholeRight(kept, rowIn(of, found), left), version: Number(found["execution_version"]) };
}

/** The id of the execution stored with a call. */
export function bornIdIn(found: SqlRow): string {
  return bornNames(String(found["id"]) as CallPlace["id"]).execution;
}

function rowIn({ workspace, seals }: Of, found: SqlRow): CallRow {
  const kept = objectIn(found["row"]) as KeptCall & { id?: CallPlace["id"] };
  const { subject = null, body = null, args } = found;
  const said = subject === null ? {} : objectIn(subject);
  const told = body === null ? undefined : (objectIn(body) as JsonObject);
  const about = String(kept.digest ?? told?.["digest"]);
  // A row of an early version without an entry contains everything.
  if (Number(found["place"]) < 0) return { ...(kept as unknown as CallRow), args: seals.read(args, about) };
  const at: CallPlace = {
    id: String(found["id"]) as CallPlace["id"],
    workspace,
    key: textFrom(found["key"]),
    atMs: Number(found["sort_ms"]),
    args: seals.read(args, about),
  };
  return wholeCall(at, kept, said, told);
}

/** A row of any other table. */
export function versioned<T extends Table>({ seals }: Pick<Of, "seals">, found: SqlRow): Versioned<T> {
  const row = readingRow(
    () => rowName("row", found["id"], found["row"]),
    () => {
      const read = objectIn(found["row"]) as unknown as Rows[T] & { id: string; result?: Secret };
      // Only executions contain a secret.
      if (read.result !== undefined) read.result = seals.read(read.result as unknown as SqlValue, read.id);
      return read;
    },
  );
  return { row, version: Number(found["version"]) };
}

export function entryIn(workspace: string, found: SqlRow): Entry {
  const index = indexAt(Number(found["place"]));
  return readingRow(
    () => rowName("entry", `${index}`),
    () => entryAt(workspace, index, found),
  );
}

function entryAt(workspace: string, index: number, found: SqlRow): Entry {
  const { salt, body } = found;
  return {
    workspace,
    index,
    atMs: Number(found["at_ms"]),
    kind: found["kind"],
    actor: textFrom(found["actor"]),
    subject: JSON.parse(String(found["subject"])),
    bodyHash: found["body_hash"],
    previous: found["previous"],
    hash: found["hash"],
    ...(salt === null || body === null ? {} : { body: { salt, json: JSON.parse(String(body)) } }),
  } as Entry;
}
