import type { Asking, Cause } from "../decision.ts";
import { ALL_CLASSES, classBits, type EffectClass } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import {
  APPROVAL_DEFAULTS,
  BOXED_CLASSES,
  type LimitRule,
  type Policy,
  PRESET_VERSIONS,
  type PresetName,
} from "../policy.ts";
import { PRESET_HUMAN, presetTier } from "../tables/presets.ts";
import { rankOf, TIERS } from "../tier.ts";
import { type Ground, groundOf } from "./ground.ts";
import { type CommandPattern, commandPattern, type DomainPattern, domainPattern, pathPatterns } from "./patterns.ts";
import { indexRules, type RuleIndex } from "./rule-index.ts";
import { type AgentRows, agentRows, newToolViews, type TierRows, type ToolViews, tierRows } from "./tool-view.ts";

/** A layer prepared for deciding: all lookups are indexed, and every cause is created once. */
export type CompiledPolicy = {
  readonly policy: Policy;
  readonly rules: RuleIndex;
  readonly rows: TierRows;
  readonly agents: ReadonlyMap<string, AgentRows>;
  readonly tools: ToolViews;
  /** The policy-wide tier. */
  readonly tier: Ground | undefined;
  readonly preset: CompiledPreset | undefined;
  readonly marks: CompiledMarks;
  readonly limits: readonly CompiledLimit[];
  readonly box: CompiledBox;
  /** How people are asked if this is the only layer and nothing else applies. */
  readonly asking: Asking;
  readonly agentsNameReviewers: boolean;
  /**
   * An accepted layer without limits, marks by name, and reviewers of agents: the short path, `ordinaryDecision`, can
   * be used.
   */
  readonly isSimple: boolean;
};

/** All cells of a preset use one of six grounds, by rank. */
type CompiledPreset = { readonly name: PresetName; readonly version: number; readonly grounds: readonly Ground[] };

export type CompiledBox = {
  /** One bit for each class for which this layer finds a box enough. */
  readonly classes: number;
  /** The preset says so, not the file: then a tier for the whole policy is stronger. */
  readonly isPreset: boolean;
  /** What this layer says about such a part in a box: what it says about a change of the project's files. */
  readonly walled: Ground;
  /** What its preset says about a part that would run without the walls that it could have. */
  readonly bare: Ground;
  /** The layer wants no box for code that nobody reads. */
  readonly isOff: boolean;
};

type CompiledMarks = {
  readonly all: Ground | undefined;
  readonly classes: ReadonlyMap<EffectClass, Ground>;
  readonly preset: ReadonlyMap<EffectClass, Ground>;
  /** The classes that have a mark. */
  readonly bits: number;
  readonly agents: ReadonlyMap<string, Ground>;
  /** There are marks that do not depend on the class: for everything, for tools, for agents. */
  readonly byName: boolean;
  /** Preset marks that this layer removes, if it is the outermost. */
  readonly not: ReadonlyMap<EffectClass, Ground>;
};

export type CompiledLimit = {
  readonly limit: LimitRule;
  /** The name of the counters; two limits with the same name count separately. */
  readonly key: string;
  readonly classes: number;
  readonly paths: readonly (readonly string[])[] | undefined;
  readonly commands: readonly CommandPattern[] | undefined;
  readonly domains: readonly DomainPattern[] | undefined;
};

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
    box: compileBox(policy),
    asking: ordinaryAsking(policy),
    agentsNameReviewers,
    isSimple: policy.beside !== true && policy.limits.length === 0 && !marks.byName && !agentsNameReviewers,
  };
}

type Baseline = Extract<Cause, { by: "baseline" }>;

/** A box is enough under `standard` and `autonomous`, unless the file says something else. */
function compileBox(policy: Policy): CompiledBox {
  const { preset, box } = policy;
  const isPreset = box?.for === undefined;
  const ofPreset = preset === undefined || preset.name === "conservative" ? [] : BOXED_CLASSES;
  const tier = preset === undefined ? "notify" : presetTier(preset.name, { class: "fs.write", reach: "project" });
  return {
    classes: classBits(box?.for ?? ofPreset),
    isPreset,
    walled: groundOf(rankOf(tier), { by: "box", tier }, { policy }),
    bare: groundOf(rankOf("ask"), { by: "box", tier: "ask" }, { policy }),
    isOff: box?.for === undefined ? preset?.name === "conservative" : box.for.length === 0,
  };
}

function baselineGround(policy: Policy, row: Baseline["row"], tier: Baseline["tier"], at: Baseline["at"] & object) {
  return groundOf(rankOf(tier), { by: "baseline", row, tier, layer: policy.source, at }, { policy });
}

function compilePreset(policy: Policy, preset: NonNullable<Policy["preset"]>): CompiledPreset {
  const row = { of: "preset", name: preset.name } as const;
  const version = preset.version ?? PRESET_VERSIONS[preset.name];
  return { name: preset.name, version, grounds: TIERS.map((tier) => baselineGround(policy, row, tier, preset.at)) };
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

/** The policy's own settings, if no rule or agent row has more; computed once. */
function ordinaryAsking(policy: Policy): Asking {
  return Object.freeze({
    ...APPROVAL_DEFAULTS,
    ...policy.approvals,
    reviewers: policy.reviewers.length === 0 ? [] : [policy.reviewers],
  });
}

function compileLimits(policy: Policy): readonly CompiledLimit[] {
  const times = new Map<string, number>();
  return policy.limits.map((limit) => {
    const { match, name } = limit;
    const nth = (times.get(name) ?? 0) + 1;
    times.set(name, nth);
    return {
      limit,
      key: `${policy.source}#${name}${nth === 1 ? "" : `#${nth}`}`,
      classes: match.class === undefined ? ALL_CLASSES : classBits(match.class),
      paths: match.path?.flatMap((pattern) => pathPatterns(pattern, policy)),
      commands: match.command?.map(commandPattern),
      domains: match.domain?.map(domainPattern),
    };
  });
}
