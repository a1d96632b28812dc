import { type Link, SALT_BYTES } from "../../core/ledger.ts";
import type { Query } from "../../ports.ts";
import { type Database, textFrom } from "./driver.ts";
import { SUBJECT_COLUMNS } from "./entries.ts";
import { indexAt, placeOf } from "./heads.ts";

// Verifying reads every entry there is, and handing over ten columns a row costs more than all hashes together. So a
// page comes as one text for the short columns and one run of bytes for the bodies, which are hashed where they lie.

/** Between columns and between rows. Only a tampered column holds one, and what is then read there fits no hash. */
const [COLUMN, ROW] = ["\u001f", "\u001e"];

/** How many bytes of the run are this entry's, salt first. Empty where there is no body, 0 where its salt is none. */
const LENGTH =
  "case when salt is null or body is null then '' " +
  `when octet_length(salt) = ${2 * SALT_BYTES} and salt = lower(salt) then ${SALT_BYTES} + octet_length(body) else 0 end`;
/**
 * Whoever edits a column by which an entry is found hides it, or shows it where it does not belong: it then has no subject.
 * Letters that JSON escapes are written otherwise in a column, and nobody can put one into a subject that was hashed.
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
  // As many as there are rows: where somebody made two of one, the second is none.
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

/** Somebody's name may hold any letter, even the ones between columns. */
function unquoted(text: string): string | undefined {
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return textFrom(JSON.parse(text));
  } catch {
    // Not swallowed: an entry without an actor is what verifying names as broken.
    return undefined;
  }
}
