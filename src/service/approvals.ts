import { type Approval, isOpen, stateAt } from "../core/approval.ts";
import { sentencesOf } from "../core/decide/explain.ts";
import type { ToldEffect } from "../core/effect.ts";
import { say } from "../core/messages/message.ts";
import { inEnglish } from "../core/messages/text.ts";
import type { CallRow, Versioned } from "../core/rows/rows.ts";
import type { JsonObject } from "../core/values/json.ts";
import { openArgs } from "../gate/calls/args.ts";
import type { Deps } from "../gate/deps.ts";
import { effectIn } from "../gate/record/guesses.ts";
import { badInput, LeewayRefusal } from "./refusal.ts";
import {
  kindOf,
  maybe,
  object,
  oneOf,
  open,
  parse,
  type Shape,
  shapeOf,
  type TypeOf,
  text,
  textOf,
  whole,
} from "./shape.ts";

/** A question with its details: the exact arguments, what the call would do, and why the question is asked. */
export type ApprovalView = Approval & { args: JsonObject; effect: ToldEffect; because: readonly string[] };

const LISTED = 100;
export const STATES = ["pending", "approved", "denied", "expired", "cancelled", "superseded"] as const;

const PLACE = open({ id: text, openedMs: whole(0) });
/** Callers may pass a whole approval here; only the two keys that are a place in the list are used. */
const place: Shape<TypeOf<typeof PLACE>> = shapeOf(PLACE.schema, (value, path, source) => {
  if (typeof value !== "object" || value === null) {
    throw badInput(path, say("refusal.not_an_approval", { kind: kindOf(value) }), say("hint.last_of_list"));
  }
  return PLACE.read(value, path, source);
});

const FILTER = object({
  state: maybe(oneOf(STATES)),
  agent: maybe(text),
  /** The default is 100. */
  limit: maybe(whole(1)),
  /** Continue after this approval of an earlier page. */
  after: maybe(place),
});
export type ApprovalFilter = TypeOf<typeof FILTER>;

/** Newest first. A pending question whose time is over is listed as expired. */
export async function listApprovals(deps: Deps, filter: ApprovalFilter): Promise<readonly Approval[]> {
  const { state, limit = LISTED } = filter;
  const kept = state === undefined ? [undefined] : state === "expired" ? (["expired", "pending"] as const) : [state];
  const nowMs = deps.clock.nowMs();
  const pages = await Promise.all(kept.map((each) => pageOf(deps, filter, { kept: each, limit, nowMs })));
  return pages
    .flat()
    .sort((a, b) => b.openedMs - a.openedMs || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

/** The same for a program, with a filter that is checked here. */
export function approvalsFor(deps: Deps, filter: ApprovalFilter): Promise<readonly Approval[]> {
  return listApprovals(deps, parse(FILTER, filter));
}

const SOONEST_PAGE = 100;

/** The open questions, the one that expires first at the top. */
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

/** Reads more rows if some of them have expired, so that a short page always means the end of the list. */
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
  const effect = effectIn(deps, call);
  return {
    ...asOf(found.row, deps.clock.nowMs()),
    args: argsOf(call),
    effect: inEnglish(effect),
    because: sentencesOf(call.decision.causes, effect),
  };
}

/** The current state for readers, also if the expiry is not recorded yet. */
function asOf(row: Approval, nowMs: number): Approval {
  if (row.state !== "pending" || stateAt(row, nowMs) === "pending") return row;
  return { ...row, state: "expired", atMs: row.answerByMs };
}

export async function callRow(deps: Deps, id: string): Promise<CallRow> {
  const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id });
  if (found !== undefined) return found.row;
  throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.no_call", { id }), hint: ELSEWHERE });
}

/** Exactly the arguments that were submitted for a call. */
export function argsOf(call: CallRow): JsonObject {
  const opened = openArgs(call);
  if (opened.ok) return opened.args;
  throw new LeewayRefusal({
    code: "LEEWAY_INTERNAL",
    reason: opened.why,
    hint: say("hint.database_and_key"),
  });
}

const ELSEWHERE = say("hint.other_workspace");

function noApproval(id: string): LeewayRefusal {
  return new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.no_approval", { id }), hint: ELSEWHERE });
}
