import type { Committed } from "../../core/change.ts";
import type { Database } from "./driver.ts";
import { indexAt, placeOf, type Stand } from "./heads.ts";
import type { Ready } from "./prepare.ts";

// Which Changes were applied. One that is about a call is remembered by its entry, in the index that leads there anyway:
// that is nearly every one, and it costs no row and no page of its own. Only the others have a table.

/** What it was answered, where this very Change was applied before. */
export function known(db: Database, { space }: Stand, { id, entries }: Ready): Committed | undefined {
  const at = entries.findIndex(({ about }) => about.call !== undefined);
  const call = entries[at]?.about.call;
  if (call === undefined) {
    const found = db.prepare("select first_index from changes where id = ? and space = ?").get(id, space);
    return found === undefined ? undefined : { ok: true, firstIndex: Number(found["first_index"]) };
  }
  const found = db.prepare(ENTRY).get(call, id, placeOf(space, 0), placeOf(space + 1, 0));
  return found === undefined ? undefined : { ok: true, firstIndex: indexAt(Number(found["place"])) - at };
}

const ENTRY =
  "select place from entries where call = ? and change = ? and place > ? and place < ? order by place limit 1";

export function remember(db: Database, { space, head }: Stand, { id, entries, atMs }: Ready): void {
  if (entries.some(({ about }) => about.call !== undefined)) return;
  db.prepare("insert into changes (id, space, first_index, at_ms) values (?, ?, ?, ?)").run(
    id,
    space,
    head.index + 1,
    atMs,
  );
}
