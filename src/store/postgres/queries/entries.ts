import { type Entry, type Link, SALT_BYTES } from "../../../core/ledger.ts";
import type { EntryFilter, Query } from "../../../ports.ts";
import { agentColumn, type SqlRow, SUBJECT_COLUMNS } from "../../sql/columns.ts";
import { ENTRY_COLUMNS, entryIn } from "../../sql/found.ts";
import { indexAt } from "../../sql/places.ts";
import { storedText, textFrom } from "../../sql/text.ts";
import { firstPlace } from "../server/migrations.ts";
import type { Given, Session } from "../server/session.ts";
import { SPACE } from "./calls.ts";

/**
 * Subqueries and no join: a range that is known before the entries are read is looked up in the index. With a join, PostgreSQL
 * may read all entries and compare each with the range.
 */
const BASE = firstPlace(SPACE);
const END = "(select h.entry from chains h where h.workspace = $1)";
const COLUMNS = ENTRY_COLUMNS.split(", ")
  .map((name) => `e.${name}`)
  .join(", ");

export async function entriesOf(
  session: Session,
  query: Extract<Query, { ask: "entries" }>,
): Promise<readonly Entry[]> {
  const values: Given[] = [query.workspace];
  const { where, by } = conditions(values, query.where);
  values.push(query.limit);
  const order = by.map((column) => `${column} ${query.order === "newest" ? "desc" : "asc"}`).join(", ");
  const found = await session.run(
    `select ${COLUMNS} from entries e where ${where} order by ${order} limit $${values.length}`,
    values,
  );
  return found.map((one) => entryIn(query.workspace, one));
}

/** `by`: the columns of the index in which the entries are looked up. */
type Conditions = { where: string; by: readonly string[] };

function conditions(values: Given[], where: EntryFilter): Conditions {
  const given = (value: Given) => `$${values.push(value)}`;
  const parts: string[] = [];
  if (where.actor !== undefined) parts.push(`e.actor = ${given(storedText(where.actor))}`);
  if (where.kinds !== undefined) parts.push(`e.kind = any(${given(where.kinds)}::text[])`);
  const subjects = new Map<string, string>();
  for (const [name, value] of Object.entries(where.subject ?? {})) {
    if (value === undefined) continue;
    const column = SUBJECT_COLUMNS[name];
    const wanted = name === "agent" ? (agentColumn(value) ?? "") : value;
    if (column !== undefined) subjects.set(`e.${column}`, `${given(storedText(wanted))}::text`);
    // The subject is canonical JSON of texts. A quote inside a text is escaped, so this finds only the field itself.
    else parts.push(`strpos(e.subject, ${given(`${JSON.stringify(name)}:${JSON.stringify(value)}`)}) > 0`);
  }
  for (const [column, value] of subjects) parts.push(`${column} = ${value}`);
  return lookedUp(parts, rangeOf(given, where), rarest(subjects));
}

/** The field of the subject with the fewest entries: those of a call are few, those of an agent can be many. */
function rarest(subjects: ReadonlyMap<string, string>): readonly [column: string, value: string] | undefined {
  const column = Object.values(SUBJECT_COLUMNS).find((name) => subjects.has(`e.${name}`));
  return column === undefined ? undefined : [`e.${column}`, subjects.get(`e.${column}`) as string];
}

/** The places between which the entries are. */
function rangeOf(given: (value: Given) => string, { afterIndex, beforeIndex, fromMs, toMs }: EntryFilter) {
  const above = [BASE];
  const below = [`${BASE} + ${END} + 1`];
  if (afterIndex !== undefined) above.push(`${BASE} + ${given(afterIndex)}::bigint`);
  if (beforeIndex !== undefined) below.push(`${BASE} + ${given(beforeIndex)}::bigint`);
  if (fromMs !== undefined) above.push(`${BASE} + ${firstNotBefore(given(fromMs))} - 1`);
  if (toMs !== undefined) below.push(`${BASE} + ${firstNotBefore(given(toMs + 1))}`);
  return { above: `greatest(${above.join(", ")})`, below: `least(${below.join(", ")})` };
}

/**
 * Every index of a field has the place too. If only places were compared, PostgreSQL could choose the primary key, and read the
 * whole ledger for an agent that has few entries; so field and place are compared, and sorted by, together.
 */
function lookedUp(
  parts: readonly string[],
  { above, below }: { above: string; below: string },
  field: readonly [column: string, value: string] | undefined,
): Conditions {
  if (field === undefined) {
    return { where: [`e.place > ${above}`, `e.place < ${below}`, ...parts].join(" and "), by: ["e.place"] };
  }
  const [column, value] = field;
  const range = [
    `${column} is not null`,
    `(${column}, e.place) > (${value}, ${above})`,
    `(${column}, e.place) < (${value}, ${below})`,
  ];
  const others = parts.filter((part) => part !== `${column} = ${value}`);
  return { where: [...range, ...others].join(" and "), by: [column, "e.place"] };
}

/** Entries are in order of time: a binary search for the index of the first one at or after this time. */
function firstNotBefore(atMs: string): string {
  return `(with recursive s(low, high) as (
    select 1::bigint, ${END} + 1
    union all
    select case when t.at_ms < ${atMs}::bigint then (s.low + s.high) / 2 + 1 else s.low end,
      case when t.at_ms < ${atMs}::bigint then s.high else (s.low + s.high) / 2 end
    from s join entries t on t.place = ${BASE} + (s.low + s.high) / 2 where s.low < s.high
  ) select low from s where low >= high)`;
}

const LINKS =
  `select ${COLUMNS}, ${Object.values(SUBJECT_COLUMNS)
    .map((name) => `e.${name} as of_${name}`)
    .join(", ")} ` +
  `from entries e where e.place > ${BASE} + $2::bigint and e.place < ${firstPlace(`(${SPACE} + 1)`)} ` +
  "order by e.place limit $3";

export async function linksOf(session: Session, query: Extract<Query, { ask: "links" }>): Promise<readonly Link[]> {
  const found = await session.run(LINKS, [query.workspace, query.afterIndex, query.limit]);
  return found.map((one) => linkIn(query.workspace, one));
}

function linkIn(workspace: string, found: SqlRow): Link {
  const { salt, body } = found;
  const link = {
    workspace,
    index: indexAt(Number(found["place"])),
    atMs: Number(found["at_ms"]),
    kind: found["kind"],
    actor: textFrom(found["actor"]),
    subject: isFoundByIt(found) ? found["subject"] : "",
    bodyHash: found["body_hash"],
    previous: found["previous"],
    hash: found["hash"],
  } as Link;
  if (typeof salt === "string" && typeof body === "string") link.body = saltedBytes(salt, body);
  return link;
}

/** Editing a lookup column would hide an entry or show it in wrong places: such an entry gets no subject here. */
function isFoundByIt(found: SqlRow): boolean {
  const subject = parsed(String(found["subject"]));
  return Object.entries(SUBJECT_COLUMNS).every(([name, column]) => {
    const value = subject?.[name];
    const said = typeof value !== "string" ? null : name === "agent" ? agentColumn(value) : value;
    return (said === null ? null : storedText(said)) === found[`of_${column}`];
  });
}

function parsed(text: string): { [name: string]: unknown } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // Not ignored: a subject that is not JSON does not match its hash, and verifying reports that.
    return undefined;
  }
}

/** Nothing, if the salt is not what it must be: then no hash matches. */
function saltedBytes(salt: string, body: string): Uint8Array {
  if (!new RegExp(`^[0-9a-f]{${2 * SALT_BYTES}}$`).test(salt)) return new Uint8Array();
  return new Uint8Array(Buffer.concat([Buffer.from(salt, "hex"), Buffer.from(body)]));
}
