import { type Approval, isOpen, snoozedUntilMs } from "../core/approval.ts";
import type { AgentName, PersonName } from "../core/ids.ts";
import { countSeen, seesQuestion } from "./approvals/open-questions.ts";
import type { Deps } from "./deps.ts";
import { headOf } from "./record/ledger.ts";

// Figures for people. A store keeps them with its rows, so reading them takes the same time however many rows there are.

export type Counts = {
  /** Entries of the ledger. */
  entries: number;
  /** Questions that are stored as open; some of them may have expired. */
  pending: number;
  /** Approved calls that have not run yet. */
  ready: number;
  /** Executions with an unknown result. */
  unknown: number;
  /** Notices that could not be delivered. */
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

/** The number of open questions of one agent, or of all agents. */
export function countPending({ store, workspace }: Deps, agent?: AgentName): Promise<number> {
  const where = { state: "pending", ...(agent === undefined ? {} : { agent }) };
  return store.read({ ask: "count", workspace, table: "approvals", where });
}

/** At most this many of the questions that a person has put aside are read. */
const SNOOZED_MAX = 1000;

/** The open questions that this person has put aside. */
export async function snoozedBy({ store, workspace, clock }: Deps, person: PersonName): Promise<readonly Approval[]> {
  const where = { state: "pending", collect: "snoozed" };
  const asked = { ask: "rows", workspace, table: "approvals", where, limit: SNOOZED_MAX, order: "oldest" } as const;
  const nowMs = clock.nowMs();
  return (await store.read(asked))
    .map(({ row }) => row)
    .filter((row) => isOpen(row, nowMs) && snoozedUntilMs(row, person, nowMs) !== undefined);
}

/** The open questions that this person can answer, without those that they have put aside. */
export async function countWaiting(deps: Deps, person: PersonName): Promise<number> {
  if ((await countPending(deps)) === 0) return 0;
  let aside = 0;
  for (const row of await snoozedBy(deps, person)) if (await seesQuestion(deps, row, person)) aside++;
  return Math.max(0, (await countSeen(deps, person)) - aside);
}

/** The open questions that only other people can answer. */
export async function countOthers(deps: Deps, person: PersonName): Promise<number> {
  const pending = await countPending(deps);
  return pending === 0 ? 0 : Math.max(0, pending - (await countSeen(deps, person)));
}

export function countDeadNotices({ store, workspace }: Deps): Promise<number> {
  return store.read({ ask: "count", workspace, table: "notices", where: { state: "dead" } });
}
