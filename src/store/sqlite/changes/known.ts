import type { Committed } from "../../../core/change.ts";
import type { SqlValue } from "../../sql/columns.ts";
import { indexAt, type WorkspaceState } from "../../sql/places.ts";
import type { Ready } from "../../sql/prepare.ts";
import { FIRST_DECIDED, inSpace } from "../calls.ts";
import type { Database } from "../file/driver.ts";

// Which Changes were applied. A Change about a call is recognised by its entry, through an index that exists anyway;
// nearly all Changes are of this kind, so this costs no extra row. Only the others have a table.

/** The earlier answer, if this Change was applied before. */
export function known(db: Database, { space }: WorkspaceState, ready: Ready): Committed | undefined {
  const { id, starts, entries } = ready;
  if (starts !== undefined) {
    const at = entries.findIndex(({ kind, about }) => kind === "call.decided" && about.call === starts);
    return answered(db.prepare(FIRST).get(...inSpace(space, starts), entries[at]?.bodyHash ?? "")?.["place"], at);
  }
  const at = entries.findIndex(({ about }) => about.call !== undefined);
  const call = entries[at]?.about.call;
  if (call !== undefined) return answered(db.prepare(ENTRY).get(...inSpace(space, call), id)?.["place"], at);
  const found = db.prepare("select first_index from changes where id = ? and space = ?").get(id, space);
  return found === undefined ? undefined : { ok: true, firstIndex: Number(found["first_index"]) };
}

/** `at`: which of its entries is at this index. */
function answered(place: SqlValue | undefined, at: number): Committed | undefined {
  return place === undefined || place === null ? undefined : { ok: true, firstIndex: indexAt(Number(place)) - at };
}

const ENTRY =
  "select place from entries where call = ? and place > ? and place < ? and change = ? order by place limit 1";

/**
 * A call is created once, and no two bodies have the same hash: the entry that first decided it identifies this
 * Change.
 */
const FIRST = `select place from entries where place = ${FIRST_DECIDED} and body_hash = ?`;

export function remember(db: Database, { space, head }: WorkspaceState, { id, entries, atMs }: Ready): void {
  if (entries.some(({ about }) => about.call !== undefined)) return;
  db.prepare("insert into changes (id, space, first_index, at_ms) values (?, ?, ?, ?)").run(
    id,
    space,
    head.index + 1,
    atMs,
  );
}
