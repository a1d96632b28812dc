import { type Box, isGateOnly } from "../../core/box.ts";
import { changedSince } from "../../core/classify/facts.ts";
import { type Refused, refused } from "../../core/codes.ts";
import { causesMessage } from "../../core/decide/explain.ts";
import type { Decision } from "../../core/decision.ts";
import { type Message, say } from "../../core/messages/message.ts";
import type { CallRow, Versioned } from "../../core/rows/rows.ts";
import { type Reservation, reserveLimits } from "../../core/steps/starting.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { type NotEnough, notEnough } from "../approvals/reopening.ts";
import type { Deps } from "../deps.ts";
import { effectIn } from "../record/guesses.ts";
import type { InForce } from "../standing/standing.ts";
import { openArgs } from "./args.ts";
import { type CallerOptions, countersOf, DEFAULT_CALLER, effectOf, judge, PROGRAM_DOOR } from "./judging.ts";
import { unvouchedCall } from "./vouched.ts";

/** The result of judging again. It contains the call, because the Change that follows needs the call to be unchanged. */
type JudgedAgain = ({ call: Versioned<"calls"> } & Verdict) | { call?: undefined; now: "void"; why: Message | string };
type Verdict =
  | { now: "fine"; args: JsonObject; reservation: Reservation; box?: Box }
  /** It now needs more approvals than it has. */
  | ({ now: "lacking" } & NotEnough)
  /** It may not run now, but perhaps later: the execution stays ready. */
  | { now: "refused"; why: Refused }
  /** What would run is not what was approved, or it may not run at all. */
  | { now: "void"; why: Message | string };

/** Decides an approved call again just before it starts: its arguments, paths and files, the policy, pauses, limits, and its approval. */
export async function judgeAgain(
  deps: Deps,
  held: Versioned<"executions">,
  inForce: InForce,
  nowMs: number,
): Promise<JudgedAgain> {
  const { call: id } = held.row;
  const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id });
  if (found === undefined) return { now: "void", why: say("reason.call_gone") };
  const unvouched = await unvouchedCall(deps, found.row);
  if (unvouched !== undefined) return { call: found, now: "refused", why: unvouched };
  return { call: found, ...(await verdictAbout(deps, held, found.row, inForce, nowMs)) };
}

async function verdictAbout(
  deps: Deps,
  held: Versioned<"executions">,
  row: CallRow,
  inForce: InForce,
  nowMs: number,
): Promise<Verdict> {
  const execution = held.row;
  const opened = openArgs(row);
  if (!opened.ok) return { now: "void", why: opened.why };
  if (row.digest !== execution.digest) return { now: "void", why: say("reason.other_call") };
  const { call, args } = opened;
  const effect = effectOf(deps, call, inForce);
  const changed = changedSince(effectIn(deps, row), effect);
  if (changed !== undefined) return { now: "void", why: changed };
  const { box } = row.decision;
  const isBoxed = box !== undefined || isGateOnly(row.tool);
  const caller = isBoxed ? boxingCaller(box) : DEFAULT_CALLER;
  const { counted, sums } = await countersOf(deps, call, effect, { inForce, caller, nowMs });
  const reviewed = execution.approval !== undefined;
  const { id: executionId, approvedInBulk } = execution;
  const given = {
    inForce,
    caller,
    counted,
    // What the first decision reserved in a limit must not count twice.
    sums: execution.reserved === undefined ? sums : sums.map(() => 0),
    permit: reviewed ? { executionId, approvedInBulk } : undefined,
  };
  const { decision } = judge(deps, call, effect, given, nowMs);
  const barred = barredBy(decision);
  if (barred !== undefined) return barred;
  const lacking = await notEnough(deps, held, decision, inForce, nowMs);
  if (lacking !== undefined) return { now: "lacking", ...lacking };
  if (decision.outcome !== "run") {
    return { now: "void", why: say("reason.would_not_run", { because: causesMessage(decision.causes) }) };
  }
  const none: Reservation = { needs: [], writes: [], reserved: [] };
  const reserves = execution.reserved === undefined && reviewed;
  const reservation = reserves ? reserveLimits(decision.limits, true) : none;
  return { now: "fine", args, reservation, ...(decision.box === undefined ? {} : { box: decision.box }) };
}

/** A call that was decided for a box is judged for a box again; whether there is one, the claim has to say. */
function boxingCaller(box: Box | undefined): CallerOptions {
  const { rehearsed: rehearses = false, walls } = box ?? {};
  const boxes = { rehearses, ownRepository: rehearses, tools: walls?.tools !== undefined };
  return { ...DEFAULT_CALLER, door: { ...PROGRAM_DOOR, boxes } };
}

/** Reasons that an approval cannot change. */
function barredBy(decision: Decision): Verdict | undefined {
  const because = causesMessage(decision.causes);
  if (decision.code === "LEEWAY_PAUSED") {
    return { now: "refused", why: refused("LEEWAY_PAUSED", because, say("hint.until_pause_lifted")) };
  }
  if (decision.code === "LEEWAY_POLICY_INVALID") {
    return { now: "refused", why: refused("LEEWAY_POLICY_INVALID", because, say("hint.repair_policy")) };
  }
  if (decision.tier === "deny" || decision.tier === "shadow") {
    return { now: "void", why: say("reason.policy_says_because", { tier: decision.tier, because }) };
  }
  return undefined;
}
