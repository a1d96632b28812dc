import type { Given, Session } from "../server/session.ts";
import { type Column, type Rows, type Sent, sent, sqlOf, valuesOf } from "./columns.ts";
import type { RowColumns } from "./prepare.ts";
import type { AppendedRow, BatchView, CallItem, Items, RowItem } from "./view.ts";

// One statement writes a whole batch. Each part of it takes its rows as columns, and writes them only if the stamp of
// the workspace is still the one that was read. How the columns are sent: `columns.ts`.

/** One part of the statement. In its SQL `u` has the rows and `m` the workspace. */
type Part = Rows & { name: string };

const ENTRY: readonly Column<AppendedRow>[] = [
  ["place", "bigint", (of) => of.place],
  ["at_ms", "bigint", (of) => of.atMs],
  ["kind", "text", (of) => of.kind],
  ["actor", "text", (of) => of.actor],
  ["subject", "text", (of) => of.subject],
  ["call", "text", (of) => of.call],
  ["change", "text", (of) => of.change],
  ["approval", "text", (of) => of.approval],
  ["grant_id", "text", (of) => of.grant],
  ["person", "text", (of) => of.person],
  ["agent", "text", (of) => of.agent],
  ["body_hash", "text", (of) => of.bodyHash],
  ["previous", "text", (of) => of.previous],
  ["hash", "text", (of) => of.hash],
];
/** An entry that the batch erases again is never written with its body. */
type Written = Omit<AppendedRow, "salt" | "body"> & { salt: string | null; body: string | null };
const BODY: readonly Column<Written>[] = [
  ["salt", "text", (of) => of.salt],
  ["body", "text", (of) => of.body],
];

const CALL: readonly Column<CallItem>[] = [
  ["place", "bigint", (of) => of.place],
  ["version", "bigint", (of) => of.version],
  ["key", "text", (of) => of.key],
  ["sort_ms", "bigint", (of) => of.sortMs],
  ["wake_ms", "bigint", (of) => of.wakeMs],
  ["decided", "bigint", (of) => of.decided],
  ["row", "text", (of) => of.row],
  ["args", "text", (of) => of.args],
  ["execution", "text", (of) => of.execution],
  ["execution_version", "bigint", (of) => of.executionVersion],
  ["result", "text", (of) => of.result],
];

type WrittenRow = { version: number; columns: RowColumns };
const ROW: readonly Column<WrittenRow>[] = [
  ["version", "bigint", (of) => of.version],
  ["id", "text", (of) => of.columns.id],
  ["key", "text", (of) => of.columns.key],
  ["state", "text", (of) => of.columns.state],
  ["agent", "text", (of) => of.columns.agent],
  ["digest", "text", (of) => of.columns.digest],
  ["call", "text", (of) => of.columns.call],
  ["collect", "text", (of) => of.columns.collect],
  ["sort_ms", "bigint", (of) => of.columns.sortMs],
  ["due_ms", "bigint", (of) => of.columns.dueMs],
  ["queue", "text", (of) => of.columns.queue],
  ["wake_ms", "bigint", (of) => of.columns.wakeMs],
  ["row", "text", (of) => of.columns.row],
];

type Keyed<T> = readonly [parts: readonly string[], item: T];

function upsert(table: string, columns: readonly Column<never>[], keyed: readonly string[]): Part["sql"] {
  const names = columns.map(([name]) => name);
  const spaced = table === "entries" ? names : ["space", ...names];
  const picked =
    table === "entries" ? names.map((name) => `u.${name}`) : ["m.space", ...names.map((name) => `u.${name}`)];
  const updated = names.filter((name) => !keyed.includes(name)).map((name) => `${name} = excluded.${name}`);
  const conflict = keyed.length === 0 ? "" : ` on conflict (${keyed.join(", ")}) do update set ${updated.join(", ")}`;
  return (source) =>
    `insert into ${table} (${spaced.join(", ")}) select ${picked.join(", ")} from moved m, ${source}${conflict}`;
}

const ENTRY_COLUMNS = [...ENTRY, ...BODY] as readonly Column<never>[];
const APPEND = upsert("entries", ENTRY_COLUMNS, []);
const PUT_CALL = upsert("calls", CALL as readonly Column<never>[], ["place"]);

/** Without the alarm, which may have been taken since the call was read. */
const CONTENT_NAMES = ["version", "row", "args", "execution", "execution_version", "result"];
const CONTENT = CALL.filter(([name]) => name === "place" || CONTENT_NAMES.includes(name));

function batchParts(view: BatchView): readonly Part[] {
  const rows = new Map<string, WrittenRow[]>();
  const texts: Keyed<{ version: number; text: string }>[] = [];
  const calls = { alarm: [] as CallItem[], content: [] as CallItem[] };
  const others = { counter: [], change: [], track: [], tally: [] } as {
    [K in "counter" | "change" | "track" | "tally"]: Keyed<NonNullable<Items[K]>>[];
  };
  for (const [{ kind, parts }, item] of view.changed()) {
    if (item === null) continue;
    if (kind === "row") addRow(rows, texts, parts, item as RowItem);
    else if (kind === "call") calls[(item as CallItem).write ?? "content"].push(item as CallItem);
    else if (kind in others) (others[kind as keyof typeof others] as Keyed<unknown>[]).push([parts, item]);
  }
  return [
    { name: "e", sql: APPEND, columns: ENTRY_COLUMNS, rows: appendedRows(view) },
    { name: "c", sql: PUT_CALL, columns: CALL as readonly Column<never>[], rows: calls.alarm },
    contentPart(calls.content),
    ...[...rows.keys()].sort().map((table) => rowsPart(table, rows.get(table) as WrittenRow[])),
    textPart(texts),
    ...otherParts(others),
    erasingPart(view),
  ].filter((part) => part.rows.length > 0);
}

function addRow(
  rows: Map<string, WrittenRow[]>,
  texts: Keyed<{ version: number; text: string }>[],
  parts: readonly string[],
  { version, write }: RowItem,
): void {
  const [table = ""] = parts;
  if (write === undefined) return;
  if ("text" in write) {
    texts.push([parts, { version, text: write.text }]);
    return;
  }
  const list = rows.get(table) ?? [];
  list.push({ version, columns: write.columns });
  rows.set(table, list);
}

function appendedRows({ appended, erased }: BatchView): readonly Written[] {
  if (erased.length === 0) return appended;
  const gone = new Set(erased);
  return appended.map((row) => (gone.has(row.place) ? { ...row, salt: null, body: null } : row));
}

function rowsPart(table: string, rows: readonly WrittenRow[]): Part {
  const columns = ROW as readonly Column<never>[];
  return { name: `r_${table}`, sql: upsert(table, columns, ["space", "id"]), columns, rows };
}

function contentPart(rows: readonly CallItem[]): Part {
  const set = CONTENT_NAMES.map((name) => `${name} = u.${name}`).join(", ");
  return {
    name: "cc",
    sql: (source) => `update calls l set ${set} from moved m, ${source} where l.place = u.place`,
    columns: CONTENT as readonly Column<never>[],
    rows,
  };
}

function textPart(rows: readonly Keyed<{ version: number; text: string }>[]): Part {
  const columns: readonly Column<Keyed<{ version: number; text: string }>>[] = [
    ["id", "text", ([parts]) => parts[1] as string],
    ["version", "bigint", ([, { version }]) => version],
    ["row", "text", ([, { text }]) => text],
  ];
  return {
    name: "rt",
    sql: (source) =>
      `update executions l set version = u.version, row = u.row from moved m, ${source} where l.space = m.space and l.id = u.id`,
    columns: columns as readonly Column<never>[],
    rows,
  };
}

function otherParts(others: {
  counter: readonly Keyed<NonNullable<Items["counter"]>>[];
  change: readonly Keyed<number>[];
  track: readonly Keyed<NonNullable<Items["track"]>>[];
  tally: readonly Keyed<number>[];
}): readonly Part[] {
  const key = (at: number) => (of: Keyed<unknown>) => of[0][at] as string;
  const counter = [
    ["counter", "text", key(0)],
    ["sum", "double precision", (of: Keyed<{ sum: number }>) => of[1].sum],
    ["until_ms", "bigint", (of: Keyed<{ untilMs: number }>) => of[1].untilMs],
  ] as unknown as readonly Column<never>[];
  const change = [
    ["id", "text", key(0)],
    ["first_index", "bigint", (of: Keyed<number>) => of[1]],
  ] as unknown as readonly Column<never>[];
  const track = [
    ["agent", "text", key(0)],
    ["class", "text", key(1)],
    ["tool", "text", key(2)],
    ["row", "text", (of: Keyed<unknown>) => JSON.stringify(of[1])],
  ] as unknown as readonly Column<never>[];
  const tally = [
    ["kind", "text", key(0)],
    ["state", "text", key(1)],
    ["count", "bigint", (of: Keyed<number>) => of[1]],
  ] as unknown as readonly Column<never>[];
  return [
    { name: "n", sql: upsert("counters", counter, ["space", "counter"]), columns: counter, rows: others.counter },
    { name: "h", sql: REMEMBER, columns: change, rows: others.change },
    {
      name: "t",
      sql: upsert("tracks", track, ["space", "agent", "class", "tool"]),
      columns: track,
      rows: others.track,
    },
    { name: "y", sql: COUNT, columns: tally, rows: others.tally },
  ];
}

const REMEMBER: Part["sql"] = (source) =>
  `insert into changes (id, space, first_index, at_ms) select u.id, m.space, u.first_index, m.at_ms from moved m, ${source}`;
const COUNT: Part["sql"] = (source) =>
  `insert into tallies (space, kind, state, count) select m.space, u.kind, u.state, u.count from moved m, ${source} ` +
  "on conflict (space, kind, state) do update set count = tallies.count + excluded.count";

function erasingPart({ erased, appended }: BatchView): Part {
  const first = appended[0]?.place ?? Number.POSITIVE_INFINITY;
  const columns: readonly Column<number>[] = [["place", "bigint", (place) => place]];
  return {
    name: "x",
    sql: (source) => `update entries l set salt = null, body = null from moved m, ${source} where l.place = u.place`,
    columns: columns as readonly Column<never>[],
    rows: [...new Set(erased)].filter((place) => place < first),
  };
}

const MOVE =
  "update chains set epoch = $2, mark = $3, entry = $4, at_ms = $5, hash = $6, stamp = stamp + 1 " +
  "where space = $1 and stamp = $7 returning space, $8::bigint as at_ms";

/** By which parts a batch has, and whether they have one row or many. */
const statements = new Map<string, string>();

function statementOf(parts: readonly (Part & Sent)[], first: number): string {
  const shape = parts.map((part) => (part.isMany ? `${part.name}*` : part.name)).join(" ");
  const known = statements.get(shape);
  if (known !== undefined) return known;
  const written = sqlOf(parts, first).map((sql, i) => `, ${parts[i]?.name} as (${sql})`);
  const made = `with moved as (${MOVE})${written.join("")} select space from moved`;
  statements.set(shape, made);
  return made;
}

/** Writes what the batch changed. False, and nothing is written, if the workspace was changed since it was read. */
export async function write(session: Session, view: BatchView, nowMs: number): Promise<boolean> {
  const { space, epoch, mark, head, stamp } = view.state();
  const moved: readonly Given[] = [space, epoch, mark, head.index, head.atMs, head.hash, stamp, nowMs];
  const parts = sent(batchParts(view));
  const found = await session.run(statementOf(parts, moved.length + 1), [...moved, ...valuesOf(parts)]);
  return found.length === 1;
}
