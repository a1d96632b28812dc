import { type Approval, isOpen, stateAt } from "../core/approval.ts";
import { sentencesOf } from "../core/decide/explain.ts";
import type { Effect } from "../core/effect.ts";
import type { CallRow, Versioned } from "../core/rows.ts";
import type { JsonObject } from "../core/values/json.ts";
import { openArgs } from "../gate/calls/args.ts";
import type { Deps } from "../gate/deps.ts";
import { badInput, LeewayRefusal } from "./refusal.ts";
import { checked, inside, kindOf, maybe, oneOf, type Shape, text, textOf, whole } from "./shape.ts";

/** A question with what it is about: the exact arguments, what they would do, and why it is asked. */
export type ApprovalView = Approval & { args: JsonObject; effect: Effect; because: readonly string[] };

export type ApprovalFilter = {
  state?: Approval["state"];
  agent?: string;
  /** 100 when left out. */
  limit?: number;
  /** Continue after this approval of an earlier list. */
  after?: Pick<Approval, "id" | "openedMs">;
};

const LISTED = 100;
const STATES: readonly Approval["state"][] = ["pending", "approved", "denied", "expired", "cancelled", "superseded"];
const FILTER: Shape<ApprovalFilter> = {
  state: maybe(oneOf(STATES)),
  agent: maybe(text),
  limit: maybe(whole(1)),
  after: maybe(place),
};

/** Whole approvals are handed back here: of all their keys only the two that are a place in the list matter. */
function place(value: unknown, path: string): void {
  if (typeof value !== "object" || value === null) {
    throw badInput(path, `${kindOf(value)} is not an approval`, "give the last approval of the list before");
  }
  const { id, openedMs } = value as Partial<Approval>;
  text(id, inside(path, "id"));
  whole(0)(openedMs, inside(path, "openedMs"));
}

/** Newest first. Expired is a fact of the clock, so a pending question past its time is listed as expired. */
export async function listApprovals(deps: Deps, given: ApprovalFilter): Promise<readonly Approval[]> {
  const filter = checked(given, FILTER);
  const { state, limit = LISTED } = filter;
  const kept = state === undefined ? [undefined] : state === "expired" ? (["expired", "pending"] as const) : [state];
  const nowMs = deps.clock.nowMs();
  const pages = await Promise.all(kept.map((each) => pageOf(deps, filter, { kept: each, limit, nowMs })));
  return pages
    .flat()
    .sort((a, b) => b.openedMs - a.openedMs || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

const SOONEST_PAGE = 100;

/** The open questions, the one whose time ends first on top. */
export async function* mostUrgent(deps: Deps, agent?: string): AsyncGenerator<Versioned<"approvals">> {
  const { store, workspace, clock } = deps;
  const where = { state: "pending", ...(agent === undefined ? {} : { agent }) };
  const asked = { ask: "rows", workspace, table: "approvals", where, limit: SOONEST_PAGE, order: "soonest" } as const;
  for (let after: { sortMs: number; id: string } | undefined; ; ) {
    const found = await store.read(after === undefined ? asked : { ...asked, after });
    const nowMs = clock.nowMs();
    for (const one of found) if (isOpen(one.row, nowMs)) yield one;
    const last = found.at(-1)?.row;
    if (found.length < SOONEST_PAGE || last === undefined) return;
    after = { sortMs: last.answerByMs, id: last.id };
  }
}

type Reading = { kept: Approval["state"] | undefined; limit: number; nowMs: number };

/** Reads on where the clock has closed some of what is kept as open: a short page means the end of the list. */
async function pageOf(deps: Deps, { state, agent, after: from }: ApprovalFilter, { kept, limit, nowMs }: Reading) {
  const where = { ...(kept === undefined ? {} : { state: kept }), ...(agent === undefined ? {} : { agent }) };
  const found: Approval[] = [];
  for (let after = from; ; ) {
    const rows = await deps.store.read({
      ask: "rows",
      workspace: deps.workspace,
      table: "approvals",
      where,
      limit,
      order: "newest",
      ...(after === undefined ? {} : { after: { sortMs: after.openedMs, id: after.id } }),
    });
    const shown = rows.map(({ row }) => asOf(row, nowMs));
    found.push(...shown.filter((row) => state === undefined || row.state === state));
    after = shown.at(-1);
    if (found.length >= limit || rows.length < limit || after === undefined) return found;
  }
}

export async function approvalView(deps: Deps, id: string): Promise<ApprovalView> {
  textOf(id, "approvalId");
  const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "approvals", id });
  if (found === undefined) throw noApproval(id);
  const call = await callRow(deps, found.row.call);
  return {
    ...asOf(found.row, deps.clock.nowMs()),
    args: argsOf(call),
    effect: call.effect,
    because: sentencesOf(call.decision.causes),
  };
}

/** What everybody sees of it now, whether or not the sweeper has written it down. */
function asOf(row: Approval, nowMs: number): Approval {
  if (row.state !== "pending" || stateAt(row, nowMs) === "pending") return row;
  return { ...row, state: "expired", atMs: row.answerByMs };
}

export async function callRow(deps: Deps, id: string): Promise<CallRow> {
  const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id });
  if (found !== undefined) return found.row;
  throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: `there is no call ${id}`, hint: ELSEWHERE });
}

/** Exactly the arguments that were submitted for a call. */
export function argsOf(call: CallRow): JsonObject {
  const opened = openArgs(call);
  if (opened.ok) return opened.args;
  throw new LeewayRefusal({
    code: "LEEWAY_INTERNAL",
    reason: opened.why,
    hint: "check that the database and its key belong together",
  });
}

const ELSEWHERE = "it may belong to another workspace";

function noApproval(id: string): LeewayRefusal {
  return new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: `there is no approval ${id}`, hint: ELSEWHERE });
}
