import { type Approval, isOpen, snoozedUntilMs } from "../../core/approval.ts";
import type { WorkspaceId } from "../../core/ids.ts";
import { inEnglish } from "../../core/messages/text.ts";
import type { Person } from "../../core/people.ts";
import type { PauseText } from "../../core/standing/standing.ts";
import { seesQuestion } from "../../gate/approvals/open-questions.ts";
import { countPending, countsOf, countWaiting } from "../../gate/counts.ts";
import type { Deps } from "../../gate/deps.ts";
import { headOf } from "../../gate/record/ledger.ts";
import { signedBy } from "../../gate/record/sealing.ts";
import { type PolicyInForce, policyInForce } from "../../gate/standing/policy.ts";
import { clockNotes } from "../../gate/time/clock.ts";
import { type RecentCalls, recentCalls } from "./boxed.ts";
import { toldTo } from "./notices.ts";

/** The status of a gate: what is in force, who can answer, and what waits for an answer. */
export type Status = {
  workspace: WorkspaceId;
  policy: PolicyInForce;
  /** Questions that can still be answered, without those that the reader has put aside. */
  pending: number;
  /** The unread notices of the reader. */
  unreadNotices: number;
  /** Executions with an unknown result. */
  unknown: number;
  pauses: readonly Pick<PauseText, "id" | "scope" | "because" | "by" | "setMs">[];
  people: readonly Pick<Person, "name" | "admin">[];
  agents: number;
  clock: { behindMs: number; notes: readonly string[] };
  ledger: { entries: number; head: string | null; signedBy: string | null };
  recent: RecentCalls;
};

/** The status for `person`. Without a person, the unread notices of everybody count. */
export async function statusOf(deps: Deps, person: string | undefined): Promise<Status> {
  const { rows } = await deps.standing.current();
  const told = await toldTo(deps, person);
  const head = await headOf(deps);
  const counts = await countsOf(deps);
  return {
    workspace: deps.workspace,
    policy: await policyInForce(deps),
    pending: await openCount(deps, person),
    unreadNotices: told.filter(({ readMs }) => readMs === undefined).length,
    unknown: counts.unknown,
    pauses: inEnglish(rows.pauses)
      .filter((pause) => pause.state === "set")
      .map(({ id, scope, because, by, setMs }) => ({ id, scope, because, by, setMs })),
    people: rows.people.filter((one) => one.state === "active").map(({ name, admin }) => ({ name, admin })),
    agents: counts.agents,
    clock: { behindMs: deps.clock.aheadMs(), notes: clockNotes(deps) },
    recent: await recentCalls(deps),
    ledger: { entries: head.index, head: head.hash, signedBy: (await signedBy(deps)) ?? null },
  };
}

/** If there are more open questions than this, they are not checked one by one; the stored number is used. */
const LOOKED_AT_MAX = 1000;

async function openCount(deps: Deps, person: string | undefined): Promise<number> {
  const { store, workspace } = deps;
  const where = { state: "pending" };
  const asked = { ask: "rows", workspace, table: "approvals", where, limit: LOOKED_AT_MAX, order: "oldest" } as const;
  const held = await store.read(asked);
  if (held.length === LOOKED_AT_MAX) return person === undefined ? countPending(deps) : countWaiting(deps, person);
  const nowMs = deps.clock.nowMs();
  const isAside = (row: Approval) => person !== undefined && snoozedUntilMs(row, person, nowMs) !== undefined;
  const open = held.filter(({ row }) => isOpen(row, nowMs) && !isAside(row));
  if (person === undefined) return open.length;
  let count = 0;
  for (const { row } of open) if (await seesQuestion(deps, row, person)) count++;
  return count;
}
