import { isOpen } from "../../core/approval.ts";
import type { ApprovalId } from "../../core/ids.ts";
import type { Entry } from "../../core/ledger.ts";
import { say } from "../../core/messages/message.ts";
import { type InEnglish, inEnglish, textOf } from "../../core/messages/text.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import type { Card } from "../../core/show/card.ts";
import { causeSentences } from "../../core/show/causes.ts";
import { visible } from "../../core/values/text.ts";
import { saidOfCall } from "../../gate/boxes/seen-changes.ts";
import { openArgs } from "../../gate/calls/args.ts";
import type { Deps } from "../../gate/deps.ts";
import { find } from "../../gate/find-row.ts";
import { effectIn } from "../../gate/record/guesses.ts";
import { listEntries } from "../../gate/record/ledger.ts";
import { callRow } from "../approvals.ts";
import { LeewayRefusal, orThrow } from "../refusal.ts";
import { type Boxed, boxedOf } from "./boxed.ts";
import { type CameOfIt, cameOf } from "./outcome.ts";

/** The explanation of a decision, and the result of the call. */
export type CallExplanation = Omit<CallRow, "args" | "key" | "decision"> & {
  decision: InEnglish<CallRow["decision"]>;
  does: Pick<Card, "lead" | "sentence" | "parts">;
  because: readonly string[];
  consideredToo: readonly string[];
  history: readonly Pick<Entry, "index" | "atMs" | "kind" | "actor" | "subject">[];
  /** The question about the call, while it can be answered. */
  asks?: ApprovalId;
  came?: CameOfIt;
} & Boxed;

const HISTORY_MAX = 100;

/** `withOutput`: includes what the call printed or returned, for people who may review it. */
export async function whyOf(deps: Deps, row: CallRow, given: { withOutput: boolean }): Promise<CallExplanation> {
  const { args: _args, key: _key, ...open } = row;
  const entries = await listEntries(deps, { subject: { call: row.id } }, { limit: HISTORY_MAX, order: "oldest" });
  const asks = await openQuestion(deps, row);
  const came = await cameOf(deps, row, given);
  const effect = effectIn(deps, row);
  return {
    ...open,
    effect: inEnglish(effect),
    decision: inEnglish(row.decision),
    does: await doesOf(deps, row),
    because: causeSentences(row.decision.causes, { effect }),
    consideredToo: causeSentences(row.decision.considered, { effect }),
    history: entries.map(({ index, atMs, kind, actor, subject }) => ({ index, atMs, kind, actor, subject })),
    ...(asks === undefined ? {} : { asks }),
    ...(came === undefined ? {} : { came }),
    ...(await boxedOf(deps, row)),
  };
}

/** What the call would do, as its card says it. */
export async function doesOf(deps: Deps, row: CallRow): Promise<CallExplanation["does"]> {
  const opened = openArgs(row);
  if (!opened.ok) return { lead: visible(row.tool), sentence: `not shown: ${textOf(opened.why, "en")}`, parts: [] };
  return saidOfCall(deps, opened.call, effectIn(deps, row));
}

async function openQuestion(deps: Deps, { approvalId }: CallRow): Promise<ApprovalId | undefined> {
  if (approvalId === undefined) return undefined;
  const { workspace, store } = deps;
  const asked = await store.read({ ask: "row", workspace, table: "approvals", id: approvalId });
  return asked !== undefined && isOpen(asked.row, deps.clock.nowMs()) ? approvalId : undefined;
}

/** Finds a call by its id, the id of its question or the id of its execution, or by the start of one of these ids. */
export async function decidedCall(deps: Deps, id: string): Promise<CallRow> {
  const found = orThrow(await find(deps, id));
  if (found.table === "calls") return found.row;
  if (found.table === "approvals" || found.table === "executions") return callRow(deps, found.row.call);
  const hint = say("hint.id_of_decided");
  throw new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.not_decided", { id }), hint });
}
