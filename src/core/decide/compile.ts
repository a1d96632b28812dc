import type { Cause } from "../decision.ts";
import { type Message, say } from "../messages/message.ts";
import type { Policy } from "../policy.ts";
import { rankOf, TIERS } from "../tier.ts";
import { ordinaryAsking } from "./asking.ts";
import { classBits } from "./class-bits.ts";
import { type Ground, groundOf } from "./compiled.ts";
import type { CompiledMarks, CompiledPolicy, CompiledPreset } from "./compiled-policy.ts";
import { indexRules } from "./indexes/rules.ts";
import { compileLimits } from "./limit.ts";
import { PRESET_HUMAN } from "./preset.ts";
import { agentRows, tierRows } from "./tier-rows.ts";
import { newToolViews } from "./tool-view.ts";

export function compilePolicy(policy: Policy): CompiledPolicy {
  const rules = indexRules(policy);
  const rows = tierRows(policy.tiers, policy);
  const marks = compileMarks(policy);
  const agentsNameReviewers = policy.agents.some((row) => row.reviewers.length > 0);
  return {
    policy,
    rules,
    rows,
    agents: new Map(policy.agents.map((row) => [row.name, agentRows(row, policy)])),
    tools: newToolViews(rules, rows, policy),
    tier:
      policy.tier === undefined
        ? undefined
        : baselineGround(policy, { of: "policy" }, policy.tier.tier, policy.tier.at),
    preset: policy.preset === undefined ? undefined : compilePreset(policy, policy.preset),
    marks,
    limits: compileLimits(policy),
    asking: ordinaryAsking(policy),
    agentsNameReviewers,
    isSimple: policy.beside !== true && policy.limits.length === 0 && !marks.byName && !agentsNameReviewers,
  };
}

type Baseline = Extract<Cause, { by: "baseline" }>;

function baselineGround(policy: Policy, row: Baseline["row"], tier: Baseline["tier"], at: Baseline["at"] & object) {
  return groundOf(rankOf(tier), { by: "baseline", row, tier, layer: policy.source, at }, { policy });
}

function compilePreset(policy: Policy, preset: NonNullable<Policy["preset"]>): CompiledPreset {
  const row = { of: "preset", name: preset.name } as const;
  return { name: preset.name, grounds: TIERS.map((tier) => baselineGround(policy, row, tier, preset.at)) };
}

function compileMarks(policy: Policy): CompiledMarks {
  const { human } = policy;
  const mark = (said: Message, at = human.at): Ground =>
    groundOf(
      NO_RANK,
      { by: "human", mark: said, layer: policy.source, ...(at === undefined ? {} : { at }) },
      { policy },
    );
  const presetClasses = policy.preset === undefined ? [] : PRESET_HUMAN;
  const presetName = policy.preset?.name ?? "";
  return {
    all: human.all ? mark(say("part.everything")) : undefined,
    classes: new Map(human.classes.map((name) => [name, mark(say("part.class", { name }))])),
    preset: new Map(
      presetClasses.map((name) => [
        name,
        mark(say("part.class_by_preset", { name, preset: presetName }), policy.preset?.at),
      ]),
    ),
    bits: classBits(human.classes) | classBits(presetClasses),
    agents: new Map(human.agents.map((name) => [name, mark(say("part.agent", { name }))])),
    not: new Map(human.not.map((name) => [name, mark(say("part.not_class", { name }))])),
    byName: human.all || human.tools.length > 0 || human.agents.length > 0,
  };
}

/** Needs-human marks do not set a tier. */
const NO_RANK = TIERS.length;
