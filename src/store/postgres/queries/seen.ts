import type { ApprovalId } from "../../../core/ids.ts";
import { APPROVED_OF_AGENT_MAX, type Rows, type Seen, type Versioned } from "../../../core/rows/rows.ts";
import type { Query } from "../../../ports.ts";
import type { SqlRow } from "../../sql/columns.ts";
import { callIn, type SecretReader, versioned } from "../../sql/found.ts";
import { FIRST_EPOCH } from "../../sql/places.ts";
import { storedText } from "../../sql/text.ts";
import type { Session } from "../server/session.ts";
import { CALLS } from "./calls.ts";
import { rowOf } from "./row-at.ts";

type Submission = Extract<Query, { ask: "submission" }>;

const ROW = "json_build_object('row', r.row, 'version', r.version)";
const SAME = "from approvals r where r.space = h.space and r.agent = $3 and r.digest = $4";
const COLLECTABLE = "from executions r where r.space = h.space and r.agent = $3";

/** Everything in one statement. Executions are sorted by their expiry. */
const SEEN = `
  select h.epoch,
    (select r.row from agents r where r.space = h.space and r.id = $3) as agent,
    (select row_to_json(x) from (${CALLS} where c.space = h.space and c.key = $2) x) as call,
    (select ${ROW} ${SAME} order by r.sort_ms desc, r.place desc limit 1) as latest,
    (select ${ROW} ${SAME} and r.state = 'pending' order by r.sort_ms, r.place limit 1) as live,
    (select json_agg(json_build_object('row', r.row, 'version', r.version, 'collect', r.collect)
      order by r.sort_ms, r.place) ${COLLECTABLE} and r.digest = $4 and r.collect is not null) as collectable,
    (select json_agg(x.row) from (select r.row ${COLLECTABLE} and r.collect = 'permit' and r.sort_ms > $5
      and strpos(r.row, '"approval":"') > 0 order by r.sort_ms, r.place limit ${APPROVED_OF_AGENT_MAX}) x) as approved,
    (select json_object_agg(l.counter, l.sum) from counters l
      where l.space = h.space and l.counter = any($6::text[]) and l.until_ms > $5) as sums
  from chains h where h.workspace = $1`;

/** Everything that is known about a call being submitted. */
export async function seenOf(session: Session, query: Submission, seals: SecretReader): Promise<Seen> {
  const found = await asked(session, query);
  if ((found?.["call"] ?? null) === null) return seenIn(found, query, seals);
  // A call that was sent before: its question and its execution are read in the same snapshot.
  return session.snapshot(async (one) => {
    const again = await asked(one, query);
    return { ...seenIn(again, query, seals), ...(await ownOf(one, again, query, seals)) };
  });
}

async function asked(session: Session, query: Submission): Promise<SqlRow | undefined> {
  const { workspace, callKey, agent, digest, nowMs, counters } = query;
  const keys = [callKey, agent, digest].map(storedText);
  const [found] = await session.run(SEEN, [workspace, ...keys, nowMs, counters.map(storedText)]);
  return found;
}

function seenIn(found: SqlRow | undefined, query: Submission, seals: SecretReader): Seen {
  const of = { seals };
  const [agent, latest, live] = ["agent", "latest", "live"].map((name) => jsonIn(found, name)) as [
    Rows["agents"] | null,
    SqlRow | null,
    SqlRow | null,
  ];
  const collectable = (jsonIn(found, "collectable") ?? []) as readonly SqlRow[];
  const undelivered = collectable.find((row) => row["collect"] === "result");
  const sums = (jsonIn(found, "sums") ?? {}) as { [counter: string]: number };
  return {
    epoch: Number(found?.["epoch"] ?? FIRST_EPOCH),
    ...(agent === null ? {} : { agent }),
    ...(latest === null ? {} : { latest: versioned<"approvals">(of, latest) }),
    ...(live === null ? {} : { live: versioned<"approvals">(of, live) }),
    permits: collectable.filter((row) => row["collect"] === "permit").map((row) => versioned<"executions">(of, row)),
    ...(undelivered === undefined ? {} : { undelivered: versioned<"executions">(of, undelivered) }),
    approvedOfAgent: ((jsonIn(found, "approved") ?? []) as readonly string[]).flatMap(
      (row) => (JSON.parse(row).approval as ApprovalId | undefined) ?? [],
    ),
    counters: query.counters.map((id) => (Object.hasOwn(sums, storedText(id)) ? (sums[storedText(id)] ?? 0) : 0)),
  };
}

function jsonIn(found: SqlRow | undefined, column: string): unknown {
  const text = found?.[column] ?? null;
  return text === null ? null : JSON.parse(String(text));
}

/** The call as it was submitted before. It has the id of its execution, or its approval has it after the approval. */
async function ownOf(
  session: Session,
  found: SqlRow | undefined,
  { workspace }: Submission,
  seals: SecretReader,
): Promise<Pick<Seen, "call" | "approval" | "execution">> {
  const of = { workspace, seals };
  const kept = jsonIn(found, "call") as SqlRow | null;
  if (kept === null) return {};
  const call = callIn(of, kept);
  const { approvalId, executionId } = call.row;
  const approval = (approvalId === undefined ? undefined : await rowOf(session, of, "approvals", approvalId)) as
    | Versioned<"approvals">
    | undefined;
  const id = executionId ?? (approval?.row.state === "approved" ? approval.row.executionId : undefined);
  const execution = (id === undefined ? undefined : await rowOf(session, of, "executions", id)) as
    | Versioned<"executions">
    | undefined;
  return {
    call,
    ...(approval === undefined ? {} : { approval }),
    ...(execution === undefined ? {} : { execution }),
  };
}
