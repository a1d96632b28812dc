import { type Link, SALT_BYTES } from "../../../core/ledger.ts";
import type { Query } from "../../../ports.ts";
import { SUBJECT_COLUMNS } from "../../sql/columns.ts";
import { indexAt, placeOf } from "../../sql/places.ts";
import { textFrom } from "../../sql/text.ts";
import type { Database } from "../file/driver.ts";

// Verifying reads every entry, and passing ten columns per row costs more than all hashing. So a page is one text for
// the short columns and one run of bytes for the bodies, which are hashed in place.

/** The separators of columns and rows. Only a tampered column contains one, and then no hash matches. */
const [COLUMN, ROW] = ["\u001f", "\u001e"];

/** How many bytes of the run belong to this entry, salt first. Empty if there is no body, 0 if its salt is invalid. */
const LENGTH =
  "case when salt is null or body is null then '' " +
  `when octet_length(salt) = ${2 * SALT_BYTES} and salt = lower(salt) then ${SALT_BYTES} + octet_length(body) else 0 end`;
/**
 * Editing a lookup column would hide an entry or show it in wrong places: such an entry gets no subject here. Letters
 * that JSON escapes are stored differently in a column, and cannot be added to a subject that was hashed.
 */
const SUBJECT = `iif(json_valid(subject) and instr(subject, '\\u00') = 0 and not (${Object.entries(SUBJECT_COLUMNS)
  .map(([name, column]) => `${column} is subject ${name === "agent" ? "->" : "->>"} '$.${name}'`)
  .join(" and ")}), '', subject)`;
const SHORT =
  `concat_ws(x'1f', place, at_ms, kind, json_quote(actor), ${SUBJECT}, body_hash, coalesce(previous, ''), hash, ` +
  `${LENGTH})`;
const PAGE =
  `select count(*) as count, group_concat(${SHORT}, x'1e') as short, ` +
  "cast(group_concat(coalesce(unhex(salt) || body, ''), '') as blob) as bodies " +
  "from (select * from entries where place > ? and place < ? order by place limit ?)";

export function linksOf(db: Database, space: number, query: Extract<Query, { ask: "links" }>): readonly Link[] {
  const [after, end] = [placeOf(space, query.afterIndex), placeOf(space + 1, 0)];
  const found = db.prepare(PAGE).get(after, end, query.limit);
  const { short, bodies } = found ?? {};
  if (typeof short !== "string" || !(bodies instanceof Uint8Array)) return [];
  const links = unpacked(query.workspace, short, bodies);
  // As many as there are rows: if a separator made two of one, the second is invalid.
  return links.slice(0, Number(found?.["count"]));
}

function unpacked(workspace: string, short: string, bodies: Uint8Array): Link[] {
  let at = 0;
  return short.split(ROW).map((row) => {
    const [place, atMs, kind, actor = "", subject, bodyHash, previous, hash, length = ""] = row.split(COLUMN);
    const link = {
      workspace,
      index: indexAt(Number(place)),
      atMs: Number(atMs),
      kind,
      actor: unquoted(actor),
      subject,
      bodyHash,
      previous: previous === "" ? null : previous,
      hash,
    } as Link;
    if (length === "") return link;
    link.body = bodies.subarray(at, at + Number(length));
    at += Number(length);
    return link;
  });
}

/** A name may contain any character, even the separators. */
function unquoted(text: string): string | undefined {
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return textFrom(JSON.parse(text));
  } catch {
    // Not ignored: verifying reports an entry without an actor as broken.
    return undefined;
  }
}
