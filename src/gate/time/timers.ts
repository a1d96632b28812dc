import { type Approval, stateAt } from "../../core/approval.ts";
import { changeOf, type Piece } from "../../core/change.ts";
import type { Refused } from "../../core/codes.ts";
import { startsLater } from "../../core/execution.ts";
import { say } from "../../core/messages/message.ts";
import { expire, nudge } from "../../core/steps/closing.ts";
import { isLeftAlone, lapseTogether } from "../../core/steps/lapsing.ts";
import { lapse, voidIt } from "../../core/steps/running.ts";
import { endGrant } from "../../core/steps/standing/granting.ts";
import type { Taken } from "../../ports.ts";
import { commitAgain, commitStep, type Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { circleFor } from "../standing/owner.ts";
import { timeNow } from "./clock.ts";

/** What happened to one row because of the time. */
export type TimeStep = "expired" | "escalated" | "reminded" | "lapsed" | "voided" | "grantExpired";

/** Reads a row whose alarm is due, and records what happened to it because of the time. */
export async function ring(deps: Deps, taken: Taken): Promise<TimeStep | undefined> {
  const done = await commitStep(deps, async (nowMs): Promise<Step<TimeStep>> => {
    switch (taken.table) {
      case "approvals":
        return approvalStep(deps, taken.row.id, nowMs);
      case "executions":
        return executionStep(deps, taken.row.id, nowMs);
      case "grants":
        return grantStep(deps, taken.row.id, nowMs);
      default:
        throw new Error(`a ${taken.table} row has no timer (this is a bug)`);
    }
  });
  // A refusal means that another process was faster, or that nothing is due any more.
  return done.ok ? done.value : undefined;
}

async function approvalStep(deps: Deps, id: string, nowMs: number): Promise<Step<TimeStep>> {
  const asked = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "approvals", id });
  if (asked === undefined) throw new Error(`${id} rang and is gone (this is a bug)`);
  const circle = await circleFor(deps, await deps.standing.current(), asked.row);
  if (stateAt(asked.row, nowMs) === "expired") return stepped(expire(asked, circle, deps.mint, nowMs), "expired");
  const step = nudge(asked, circle, deps.mint, nowMs);
  return stepped(step, step.ok && isEscalated(step.approval, asked.row) ? "escalated" : "reminded");
}

function isEscalated(now: Approval, before: Approval): boolean {
  return now.escalate?.done === true && before.escalate?.done !== true;
}

async function executionStep(deps: Deps, id: string, nowMs: number): Promise<Step<TimeStep>> {
  const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "executions", id });
  if (held === undefined) throw new Error(`${id} rang and is gone (this is a bug)`);
  const circle = await circleFor(deps, await deps.standing.current(), held.row);
  if (held.row.state === "ready" && nowMs >= held.row.runUntilMs) {
    const why = say("reason.not_run_in_time");
    // The policy alone allowed it, and nobody waits for it.
    const told = startsLater(held.row) ? {} : { circle };
    return stepped(voidIt(held, { why, actor: "leeway", ...told }, deps.mint, nowMs), "voided");
  }
  if (isLeftAlone(held, nowMs)) return { ok: true, pieces: [lapseTogether([held], deps.mint)], value: "lapsed" };
  return stepped(lapse(held, circle, deps.mint, nowMs), "lapsed");
}

type TakenRight = Extract<Taken, { table: "executions" }>;

/** False if one of them was settled meanwhile; then each is handled separately. */
export async function lapsedTogether(deps: Deps, taken: readonly Taken[]): Promise<boolean> {
  const { workspace, mint, store } = deps;
  const rights = taken.filter((one): one is TakenRight => one.table === "executions");
  const nowMs = await timeNow(deps);
  return (await commitAgain(store, changeOf(mint, { workspace, nowMs }, [lapseTogether(rights, mint)]))).ok;
}

async function grantStep(deps: Deps, id: string, nowMs: number): Promise<Step<TimeStep>> {
  const held = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "grants", id });
  if (held === undefined) throw new Error(`${id} rang and is gone (this is a bug)`);
  return stepped(endGrant(held, { state: "expired" }, deps.mint, nowMs), "grantExpired");
}

function stepped(step: { ok: true; piece: Piece } | Refused, value: TimeStep): Step<TimeStep> {
  return step.ok ? { ok: true, pieces: [step.piece], value } : step;
}
