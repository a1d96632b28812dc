import type { ToolCall } from "../../call.ts";
import { decide } from "../../decide/decide.ts";
import { askingParts, exactCover } from "../../decide/grants.ts";
import type { Standing } from "../../decide/standing.ts";
import { imagined, suggestGrant } from "../../decide/suggest/suggest.ts";
import type { Width } from "../../decide/suggest/suggest-command.ts";
import type { Decision } from "../../decision.ts";
import { type Effect, levelSatisfies, type Target } from "../../effect.ts";
import { maskArgs } from "../../masking/redact.ts";
import type { Grant, GrantCover, GrantSubject } from "../../standing/grant.ts";
import type { PlanStep, PlanWidth, StepState } from "../../standing/plan.ts";
import { canonical } from "../../values/canonical.ts";
import type { JsonObject } from "../../values/json.ts";

/** A call of a plan, and what it is decided by. */
export type StepInput = {
  call: ToolCall;
  effect: Effect;
  decision: Decision;
  standing: Standing;
  width?: PlanWidth;
  project: string;
  nowMs: number;
};

type EarlierStep = Pick<PlanStep, "is" | "effect">;

/** What becomes of a step; `no-width`: the gate offers no grant of the width that was asked for. */
export type StepOutcome = Pick<PlanStep, "is" | "covers" | "changedBy"> | { is: "no-width" };

/**
 * A plan makes nothing looser than a grant would: a step is covered only if the decision, with the grant that an approval
 * of the plan would give, lets exactly this call run.
 */
export function stepOutcome(input: StepInput, earlier: readonly EarlierStep[]): StepOutcome {
  const { call, effect, standing, decision, width, nowMs } = input;
  const is = stateOf(decision);
  if (is !== "asks") return { is };
  const covers = width === undefined ? exactCover(call, effect) : widerCover(input, width);
  if (covers === undefined) return { is: "no-width" };
  const changedBy = width === undefined ? changedByEarlier(effect, earlier) : undefined;
  if (changedBy !== undefined) return { is, changedBy };
  const draft = { label: "", subject: planSubject(call), covers };
  const grant: Grant = { ...imagined(draft, { workspace: call.workspace, nowMs }), usesMax: 1 };
  const { outcome } = decide(call, effect, { ...standing, grants: [{ grant, usesLeft: 1 }] }, nowMs);
  return outcome === "run" ? { is: "covered", covers } : { is };
}

/** Whom the grants of a plan are for. */
export function planSubject({ agent, session }: Pick<ToolCall, "agent" | "session">): GrantSubject {
  return { agent, ...(session === undefined ? {} : { session }) };
}

function stateOf({ outcome, code, needsHuman }: Decision): StepState {
  if (outcome === "run") return "runs";
  if (code === "LEEWAY_NEEDS_HUMAN") return "human";
  if (outcome === "denied") return "denied";
  if (outcome === "not_executed") return "proposed";
  return needsHuman ? "human" : "asks";
}

const WIDTHS: Readonly<Record<PlanWidth, Width>> = { targets: "exact", near: "near", wide: "wide" };

/** A grant is stored and shown unmasked, so one that would contain a secret is not offered. */
function widerCover({ call, effect, standing, project, nowMs }: StepInput, width: PlanWidth): GrantCover | undefined {
  const asking = askingParts(call, effect, standing, nowMs);
  const covers = suggestGrant(call, asking, { width: WIDTHS[width], project })?.covers;
  const isSecret =
    covers !== undefined && canonical(covers as JsonObject) !== canonical(maskArgs(covers as JsonObject));
  return isSecret ? undefined : covers;
}

/**
 * The number of the first earlier step that writes a file on which this call depends. The files are bound as they are now,
 * so the grant would never fit.
 */
function changedByEarlier({ facts = [] }: Effect, earlier: readonly EarlierStep[]): number | undefined {
  const files = new Set(facts.flatMap((fact) => ("use" in fact ? fact.path : [])));
  const isChanged = (target: Target) =>
    target.kind === "path" && levelSatisfies(target.level, "write") && files.has(target.path);
  const at = earlier.findIndex(
    ({ is, effect: { parts } }) => RUNNING.has(is) && parts.some(({ targets }) => targets.some(isChanged)),
  );
  return at < 0 ? undefined : at + 1;
}

/** Steps that may run. */
const RUNNING: ReadonlySet<StepState> = new Set<StepState>(["covered", "runs", "asks", "human"]);
