import type { EntryKind } from "../../../core/ledger.ts";
import type { Hash } from "../../../core/values/hash.ts";
import type { Json } from "../../../core/values/json.ts";
import { firstPlace, refuseOtherVersion } from "../server/migrations.ts";
import type { Given, Session } from "../server/session.ts";
import { COUNTED_MAX } from "./rows.ts";
import type { BatchView, Items, Kind, StampedState, Wanted } from "./view.ts";

/** How one kind of item is read: by columns of keys, as a list of values for each item that exists. */
type Loading<K extends Kind> = {
  /** SQL for a JSON array; `$1`… are the columns of keys, counted from the first of this part. */
  sql: (columns: readonly string[]) => string;
  /** The parts of the key, and the item, from one list of values. */
  item: (values: readonly Json[]) => readonly [parts: readonly string[], item: Items[K]];
  /** What an item is that was not found. */
  absent: Items[K];
};

const FROM = firstPlace("c.space");
const TO = firstPlace("(c.space + 1)");
/** Entries of this workspace. */
const INSIDE = `e.place > ${FROM} and e.place < ${TO}`;

/** Keys that belong together, one column for each part. */
function keys(columns: readonly string[]): string {
  const names = ["a", "b", "c3"].slice(0, columns.length);
  return `unnest(${columns.map((one) => `${one}::text[]`).join(", ")}) as k(${names.join(", ")})`;
}

function list(values: string, from: string): string {
  return `(select json_agg(json_build_array(${values})) from ${from})`;
}

const DECIDED = (id: string) =>
  `(select e.place, e.body_hash from entries e where e.call = ${id} and ${INSIDE} and e.kind = 'call.decided' ` +
  "order by e.place limit 1)";

type Row = readonly Json[];
const text = (value: Json | undefined) => value as string | null;

/** Tables are part of the statement, so rows of each table are read by their own part. */
const LOADINGS: { readonly [K in Exclude<Kind, "tally" | "row" | "text" | "key">]: Loading<K> } = {
  call: {
    sql: (columns) =>
      list(
        "k.a, l.place, l.version, l.key, l.sort_ms, l.decided, l.row, l.args, l.execution, l.execution_version, l.result",
        `${keys(columns)} cross join lateral ${DECIDED("k.a")} f join calls l on l.place = f.place`,
      ),
    item: ([id, place, version, key, sortMs, decided, row, args, execution, executionVersion, result]: Row) => [
      [id as string],
      {
        ...{ place: Number(place), version: Number(version), key: String(key), sortMs: Number(sortMs) },
        ...{ wakeMs: null, decided: decided as number | null, row: String(row), args: text(args) },
        ...{ execution: text(execution), executionVersion: executionVersion as number | null, result: text(result) },
      },
    ],
    absent: null,
  },
  callKey: {
    sql: (columns) => list("l.key", `calls l where l.space = c.space and l.key = any(${columns[0]}::text[])`),
    item: ([key]: Row) => [[String(key)], true],
    absent: false,
  },
  asker: {
    sql: (columns) =>
      list(
        "k.a",
        `${keys(columns)} where exists (select 1 from approvals r where r.space = c.space and r.agent = k.a)`,
      ),
    item: ([agent]: Row) => [[String(agent)], true],
    absent: false,
  },
  asked: {
    sql: (columns) =>
      list(
        "k.a, k.b, n.count",
        `${keys(columns)} cross join lateral (select count(*) as count from (select 1 from approvals r ` +
          `where r.space = c.space and r.agent = k.a and r.digest = k.b limit ${COUNTED_MAX}) s) n`,
      ),
    item: ([agent, digest, count]: Row) => [[String(agent), String(digest)], Number(count)],
    absent: 0,
  },
  waiting: {
    sql: (columns) =>
      list(
        "k.a, n.count",
        `${keys(columns)} cross join lateral (select count(*) as count from (select 1 from executions r ` +
          `where r.space = c.space and r.agent = k.a and r.collect is not null limit ${COUNTED_MAX}) s) n`,
      ),
    item: ([agent, count]: Row) => [[String(agent)], Number(count)],
    absent: 0,
  },
  counter: {
    sql: (columns) =>
      list(
        "l.counter, l.sum, l.until_ms",
        `counters l where l.space = c.space and l.counter = any(${columns[0]}::text[])`,
      ),
    item: ([counter, sum, untilMs]: Row) => [[String(counter)], { sum: Number(sum), untilMs: Number(untilMs) }],
    absent: null,
  },
  change: {
    sql: (columns) =>
      list("l.id, l.first_index", `changes l where l.space = c.space and l.id = any(${columns[0]}::text[])`),
    item: ([id, firstIndex]: Row) => [[String(id)], Number(firstIndex)],
    absent: null,
  },
  byChange: {
    sql: (columns) =>
      list(
        "k.a, k.b, f.place",
        `${keys(columns)} cross join lateral (select e.place from entries e where e.call = k.a and ${INSIDE} ` +
          "and e.change = k.b order by e.place limit 1) f",
      ),
    item: ([call, change, place]: Row) => [[String(call), String(change)], Number(place)],
    absent: null,
  },
  first: {
    sql: (columns) => list("k.a, f.place, f.body_hash", `${keys(columns)} cross join lateral ${DECIDED("k.a")} f`),
    item: ([call, place, bodyHash]: Row) => [[String(call)], { place: Number(place), bodyHash: String(bodyHash) }],
    absent: null,
  },
  entry: {
    sql: (columns) =>
      list(
        "e.place::text, e.call, e.kind, e.subject, e.body",
        `entries e where e.place = any(${columns[0]}::bigint[]) and ${INSIDE}`,
      ),
    item: ([place, call, kind, subject, body]: Row) => [
      [String(place)],
      { call: text(call), kind: String(kind), subject: String(subject), body: text(body) },
    ],
    absent: null,
  },
  track: {
    sql: (columns) =>
      list(
        "k.a, k.b, k.c3, l.row",
        `${keys(columns)} join tracks l on l.space = c.space and l.agent = k.a and l.class = k.b and l.tool = k.c3`,
      ),
    item: ([agent, name, tool, row]: Row) => [[String(agent), String(name), String(tool)], JSON.parse(String(row))],
    absent: null,
  },
  question: {
    sql: (columns) =>
      list(
        "k.a, f.list",
        `${keys(columns)} cross join lateral (select json_agg(json_build_array(e.kind, e.at_ms, e.subject) ` +
          `order by e.place desc) as list from entries e where e.approval = k.a and ${INSIDE}) f where f.list is not null`,
      ),
    item: ([approval, entries]: Row) => [
      [String(approval)],
      (entries as readonly Row[]).map(([kind, atMs, subject]) => ({
        kind: kind as EntryKind,
        atMs: Number(atMs),
        subject: String(subject),
      })),
    ],
    absent: [],
  },
};

/** The same for the rows of one table; its name is one of ours. */
function rowLoading(kind: "row" | "text" | "key", table: string): Loading<"row" | "text" | "key"> {
  const by = (column: string, columns: readonly string[]) =>
    `${table} l where l.space = c.space and l.${column} = any(${columns[0]}::text[])`;
  if (kind === "row") {
    return {
      sql: (columns) => list("l.id, l.version, l.key, l.state, l.agent, l.digest, l.collect", by("id", columns)),
      item: ([id, version, key, state, agent, digest, collect]: Row) => [
        [table, String(id)],
        {
          ...{ version: Number(version), key: text(key), state: text(state), agent: text(agent) },
          ...{ digest: text(digest), collect: text(collect) },
        },
      ],
      absent: null,
    };
  }
  if (kind === "text") {
    return {
      sql: (columns) => list("l.id, l.row, l.call", by("id", columns)),
      item: ([id, row, call]: Row) => [[table, String(id)], { row: String(row), call: text(call) }],
      absent: null,
    };
  }
  return {
    sql: (columns) =>
      list("g.key, g.ids", `(select l.key, json_agg(l.id) as ids from ${by("key", columns)} group by l.key) g`),
    item: ([key, ids]: Row) => [[table, String(key)], new Set(ids as readonly string[])],
    absent: new Set<string>(),
  };
}

type Part = { name: string; loading: Loading<Kind>; wanted: readonly Wanted[]; keyed: number };

/** What belongs to one part of the statement, in a fixed order, so that the same parts give the same statement. */
function partsOf(wanted: readonly Wanted[]): readonly Part[] {
  const groups = new Map<string, Wanted[]>();
  for (const one of wanted) {
    const name = isOfTable(one.kind) ? `of_${one.kind}_${one.parts[0]}` : `of_${one.kind}`;
    const group = groups.get(name) ?? [];
    group.push(one);
    groups.set(name, group);
  }
  return [...groups.keys()].sort().map((name) => {
    const group = groups.get(name) as Wanted[];
    const { kind, parts } = group[0] as Wanted;
    const loading = isOfTable(kind)
      ? rowLoading(kind, parts[0] as string)
      : LOADINGS[kind as Exclude<Kind, "tally" | "row" | "text" | "key">];
    return { name, loading: loading as Loading<Kind>, wanted: group, keyed: isOfTable(kind) ? 1 : 0 };
  });
}

function isOfTable(kind: Kind): kind is "row" | "text" | "key" {
  return kind === "row" || kind === "text" || kind === "key";
}

/** The next entry follows the last one, whatever somebody wrote to the head: nothing protects that table. */
const HEAD =
  "c.space, c.epoch, c.entry, coalesce(t.at_ms, c.at_ms) as at_ms, coalesce(t.hash, c.hash) as hash, c.mark, c.stamp, (select version from versions) as version, (select oldest from versions) as oldest, " +
  "(select e.hash from entries e where e.place = $2) as known_hash";

const CHAIN = `chains c left join entries t on t.place = ${FROM} + c.entry`;

/** What this process has seen of the end of the chain. */
export type SeenHead = { place: number; hash: Hash | null };

export type LoadedHead = StampedState & { knownHash: string | null };

/**
 * Reads the head of the workspace and what the view wants, in one snapshot. Returns nothing if the workspace does not
 * exist yet. The view learns nothing if it holds what belongs to another stamp: the caller forgets it and asks again.
 */
export async function load(
  session: Session,
  view: BatchView,
  workspace: string,
  seen: SeenHead | undefined,
): Promise<LoadedHead | undefined> {
  const parts = partsOf(view.wanted());
  const values: Given[] = [workspace, seen?.place ?? -1];
  const columns = parts.map(({ name, loading, wanted, keyed }) => {
    const width = (wanted[0] as Wanted).parts.length - keyed;
    const names = Array.from({ length: width }, (_, i) => {
      values.push(wanted.map(({ parts: of }) => of[i + keyed] as string));
      return `$${values.length}`;
    });
    return `, ${loading.sql(names)} as "${name}"`;
  });
  const [found] = await session.run(`select ${HEAD}${columns.join("")} from ${CHAIN} where c.workspace = $1`, values);
  if (found === undefined) return undefined;
  refuseOtherVersion({ version: Number(found["version"]), oldest: Number(found["oldest"]) });
  const head = {
    ...{ space: Number(found["space"]), epoch: Number(found["epoch"]), mark: found["mark"] as string | null },
    head: { index: Number(found["entry"]), atMs: Number(found["at_ms"]), hash: found["hash"] as Hash | null },
    ...{ stamp: Number(found["stamp"]), knownHash: found["known_hash"] as string | null },
  };
  if (view.stamp() !== undefined && view.stamp() !== head.stamp) return head;
  const { knownHash: _, ...state } = head;
  view.learn(state);
  for (const { name, loading, wanted } of parts) {
    for (const { kind, parts: of } of wanted) view.learned(kind, of, loading.absent);
    const kind = (wanted[0] as Wanted).kind;
    const list = JSON.parse(String(found[name] ?? "null")) as readonly Row[] | null;
    for (const values of list ?? []) view.learned(kind, ...loading.item(values));
  }
  return head;
}
