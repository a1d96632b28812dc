import type { AgentName } from "../core/ids.ts";
import type { Deps } from "./deps.ts";
import { headOf } from "./record/ledger.ts";

// How much there is of what people look after. A store keeps these figures with its rows: they cost the same however many
// rows there are.

export type Counts = {
  /** Entries of the ledger. */
  entries: number;
  /** Questions on record as open; some of them may be past their time. */
  pending: number;
  /** Approved calls that nobody has carried out. */
  ready: number;
  /** Runs that nobody knows the end of. */
  unknown: number;
  /** Notices that no channel would take. */
  dead: number;
  agents: number;
};

export async function countsOf(deps: Deps): Promise<Counts> {
  const { store, workspace } = deps;
  const executions = (state: "ready" | "unknown") =>
    store.read({ ask: "count", workspace, table: "executions", where: { state } });
  return {
    entries: (await headOf(deps)).index,
    pending: await countPending(deps),
    ready: await executions("ready"),
    unknown: await executions("unknown"),
    dead: await countDeadNotices(deps),
    agents: await store.read({ ask: "count", workspace, table: "agents", where: {} }),
  };
}

/** Of one agent, or of all. */
export function countPending({ store, workspace }: Deps, agent?: AgentName): Promise<number> {
  const where = { state: "pending", ...(agent === undefined ? {} : { agent }) };
  return store.read({ ask: "count", workspace, table: "approvals", where });
}

export function countDeadNotices({ store, workspace }: Deps): Promise<number> {
  return store.read({ ask: "count", workspace, table: "notices", where: { state: "dead" } });
}
