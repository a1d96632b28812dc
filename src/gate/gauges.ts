import { CHANNEL_KINDS } from "../core/channel.ts";
import { factsOf, type OutsideList, type Table } from "../core/rows/rows.ts";
import type { Gauge } from "../observer-port.ts";
import type { RowFilter } from "../ports.ts";
import { countsOf } from "./counts.ts";
import type { Deps } from "./deps.ts";
import { policyInForce } from "./standing/policy.ts";

const SECOND_MS = 1_000;

/** What the metrics say about the workspace: whether people answer in time, whether calls end, whether messages arrive. */
export async function workspaceGauges(deps: Deps): Promise<readonly Gauge[]> {
  // Read at the same time: one after the other, they take longer than a scraper waits if the database is slow.
  const [counts, { noPolicy }, { pauses }, outside, ages] = await Promise.all([
    countsOf(deps),
    policyInForce(deps),
    deps.standing.current(),
    outsideCounts(deps),
    ageGauges(deps),
  ]);
  return [
    { name: "leeway_ledger_entries", value: counts.entries },
    { name: "leeway_agents", value: counts.agents },
    { name: "leeway_approvals_pending", value: counts.pending },
    { name: "leeway_executions_ready", value: counts.ready },
    { name: "leeway_executions_unknown", value: counts.unknown },
    { name: "leeway_pauses", value: pauses.length },
    { name: "leeway_policy_in_force", value: noPolicy === undefined ? 1 : 0 },
    ...outsideGauges(outside, counts.dead),
    ...ages,
  ];
}

type Outside = { channel: string; waiting: number; dead: number };

function outsideCounts({ store, workspace }: Deps): Promise<readonly Outside[]> {
  const count = (collect: OutsideList) => store.read({ ask: "count", workspace, table: "notices", where: { collect } });
  return Promise.all(
    CHANNEL_KINDS.map(async (channel) => {
      const [waiting, dead] = await Promise.all([count(`waiting ${channel}`), count(`dead ${channel}`)]);
      return { channel, waiting, dead };
    }),
  );
}

/** Notices by channel. Those in the inbox and in channels of programs are not listed by channel; `program` is the rest. */
function outsideGauges(outside: readonly Outside[], deadInAll: number): readonly Gauge[] {
  const gauges = outside.flatMap(({ channel, waiting, dead }): Gauge[] => [
    { name: "leeway_notices_waiting", labels: { channel }, value: waiting },
    { name: "leeway_notices_dead", labels: { channel }, value: dead },
  ]);
  const rest = outside.reduce((left, { dead }) => left - dead, deadInAll);
  // The figures are not read in one moment, so a notice that is given up meanwhile could make the rest negative.
  return [...gauges, { name: "leeway_notices_dead", labels: { channel: "program" }, value: Math.max(0, rest) }];
}

/** How long the oldest row of each queue has waited. */
async function ageGauges(deps: Deps): Promise<readonly Gauge[]> {
  const [approvals, executions, deliveries] = await Promise.all([
    ageMs(deps, "approvals", { state: "pending" }),
    readyAgeMs(deps),
    Promise.all(CHANNEL_KINDS.map((kind) => ageMs(deps, "notices", { collect: `waiting ${kind}` }))),
  ]);
  const ages = { approvals, executions, deliveries: Math.max(0, ...deliveries) };
  return Object.entries(ages).map(([queue, ms]) => ({
    name: "leeway_oldest_seconds",
    labels: { queue },
    value: ms / SECOND_MS,
  }));
}

/** As many ready executions as are looked at: they are sorted by when they expire, and the oldest is seldom far behind the first. */
const READY_MAX = 100;

async function readyAgeMs({ store, workspace, clock }: Deps): Promise<number> {
  const where: RowFilter = { state: "ready" };
  const found = await store.read({
    ask: "rows",
    workspace,
    table: "executions",
    where,
    limit: READY_MAX,
    order: "oldest",
  });
  const since = found.flatMap(({ row }) => (row.state === "ready" ? [row.readyMs] : []));
  return since.length === 0 ? 0 : Math.max(0, clock.nowMs() - Math.min(...since));
}

async function ageMs(
  { store, workspace, clock }: Deps,
  table: Extract<Table, "approvals" | "notices">,
  where: RowFilter,
): Promise<number> {
  const [found] = await store.read({ ask: "rows", workspace, table, where, limit: 1, order: "oldest" });
  return found === undefined ? 0 : Math.max(0, clock.nowMs() - factsOf(table, found.row).sortMs);
}
