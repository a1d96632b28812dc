import type { Queue, Table } from "../../../core/rows/rows.ts";
import type { Taken, Taking } from "../../../ports.ts";
import { QUEUE_TABLES, type SqlRow } from "../../sql/columns.ts";
import { bornRightIn, CALL_COLUMNS, CALL_JOINS, type SecretReader, versioned } from "../../sql/found.ts";
import { readable } from "../../sql/unreadable.ts";
import { MAY_WRITE } from "../server/migrations.ts";
import type { Session } from "../server/session.ts";
import { SPACE } from "./calls.ts";

/** Rows that another process is taking are skipped, so no taker waits for another. `$1`… as in `takeFrom`. */
function due(lies: Table): string {
  if (lies !== "calls") {
    return (
      `select '${lies}' as lies, r.place, r.id, r.wake_ms from ${lies} r where r.space = ${SPACE} and r.queue = $2 ` +
      "and r.wake_ms <= $3 order by r.wake_ms, r.id limit $4 for update skip locked"
    );
  }
  return (
    "select 'calls' as lies, r.place, 'exe_' || substr(e.call, 6) as id, r.wake_ms from calls r " +
    `join entries e on e.place = r.place where r.space = ${SPACE} and r.wake_ms <= $3 ` +
    "order by r.wake_ms limit $4 for update of r skip locked"
  );
}

/** Postpones the alarm by the lease. */
function leased(lies: Table): string {
  return (
    `update ${lies} r set wake_ms = $5 from picked p where p.lies = '${lies}' and r.place = p.place ` +
    "returning r.*, p.wake_ms as due_at, p.id as taken_id"
  );
}

function shown(lies: Table): string {
  const row =
    lies === "calls"
      ? `(select row_to_json(x) from (select ${CALL_COLUMNS} from (select t.*) c${CALL_JOINS}) x)`
      : "json_build_object('row', t.row, 'version', t.version)";
  return `select '${lies}' as lies, t.due_at, t.taken_id collate "C" as taken_id, ${row} as found from u_${lies} t`;
}

/** One statement for a queue: the longest due rows of all its tables. */
function takingSql(queue: Queue): string {
  const tables: readonly Table[] = queue === "timers" ? [...QUEUE_TABLES[queue], "calls"] : QUEUE_TABLES[queue];
  const all = tables.map((lies) => `select * from d_${lies}`).join(" union all ");
  return [
    `with ${tables.map((lies) => `d_${lies} as (${due(lies)})`).join(", ")}`,
    `, picked as (select * from (${all}) x where ${MAY_WRITE} ` + 'order by wake_ms, id collate "C" limit $4)',
    ...tables.map((lies) => `, u_${lies} as (${leased(lies)})`),
    ` ${tables.map(shown).join(" union all ")} order by due_at, taken_id`,
  ].join("");
}

const SQL: { readonly [Q in Queue]: string } = {
  notices: takingSql("notices"),
  deliveries: takingSql("deliveries"),
  timers: takingSql("timers"),
  executions: takingSql("executions"),
};

/** Returns due rows, the longest due first, and postpones their alarm by the lease. */
export async function takeFrom(
  session: Session,
  queue: Queue,
  { workspace, max, nowMs, leaseMs }: Taking,
  seals: SecretReader,
): Promise<readonly Taken[]> {
  const found = await session.run(SQL[queue], [workspace, queue, nowMs, max, nowMs + leaseMs]);
  return found.flatMap((one) => {
    const lies = String(one["lies"]) as Table;
    const row = readable(() => takenIn(lies, JSON.parse(String(one["found"])), workspace, seals));
    return row === undefined ? [] : [{ table: lies === "calls" ? "executions" : lies, ...row } as Taken];
  });
}

function takenIn(lies: Table, found: SqlRow, workspace: string, seals: SecretReader) {
  return lies === "calls" ? bornRightIn({ workspace, seals }, found) : versioned({ seals }, found);
}
