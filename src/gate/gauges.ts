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
  const counts = await countsOf(deps);
  const { noPolicy } = await policyInForce(deps);
  const { pauses } = await deps.standing.current();
  return [
    { name: "leeway_ledger_entries", value: counts.entries },
    { name: "leeway_agents", value: counts.agents },
    { name: "leeway_approvals_pending", value: counts.pending },
    { name: "leeway_executions_ready", value: counts.ready },
    { name: "leeway_executions_unknown", value: counts.unknown },
    { name: "leeway_pauses", value: pauses.length },
    { name: "leeway_policy_in_force", value: noPolicy === undefined ? 1 : 0 },
    ...(await outsideGauges(deps, counts.dead)),
    ...(await ageGauges(deps)),
  ];
}

/** Notices by channel. Those in the inbox and in channels of programs are not listed by channel; `program` is the rest. */
async function outsideGauges({ store, workspace }: Deps, deadInAll: number): Promise<readonly Gauge[]> {
  const count = (collect: OutsideList) => store.read({ ask: "count", workspace, table: "notices", where: { collect } });
  const gauges: Gauge[] = [];
  let deadElsewhere = deadInAll;
  for (const channel of CHANNEL_KINDS) {
    const dead = await count(`dead ${channel}`);
    deadElsewhere -= dead;
    gauges.push({ name: "leeway_notices_waiting", labels: { channel }, value: await count(`waiting ${channel}`) });
    gauges.push({ name: "leeway_notices_dead", labels: { channel }, value: dead });
  }
  // The figures are read one after the other, so a notice that is given up meanwhile could make the rest negative.
  gauges.push({ name: "leeway_notices_dead", labels: { channel: "program" }, value: Math.max(0, deadElsewhere) });
  return gauges;
}

/** How long the oldest row of each queue has waited. */
async function ageGauges(deps: Deps): Promise<readonly Gauge[]> {
  const deliveries = await Promise.all(
    CHANNEL_KINDS.map((kind) => ageMs(deps, "notices", { collect: `waiting ${kind}` })),
  );
  const ages = {
    approvals: await ageMs(deps, "approvals", { state: "pending" }),
    executions: await ageMs(deps, "executions", { state: "ready" }),
    deliveries: Math.max(0, ...deliveries),
  };
  return Object.entries(ages).map(([queue, ms]) => ({
    name: "leeway_oldest_seconds",
    labels: { queue },
    value: ms / SECOND_MS,
  }));
}

async function ageMs(
  { store, workspace, clock }: Deps,
  table: Extract<Table, "approvals" | "executions" | "notices">,
  where: RowFilter,
): Promise<number> {
  const [found] = await store.read({ ask: "rows", workspace, table, where, limit: 1, order: "oldest" });
  return found === undefined ? 0 : Math.max(0, clock.nowMs() - factsOf(table, found.row).sortMs);
}
