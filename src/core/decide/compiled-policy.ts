import type { Asking } from "../decision.ts";
import type { EffectClass } from "../effect.ts";
import type { LimitRule, Policy, PresetName } from "../policy.ts";
import type { CommandPattern } from "./command-patterns.ts";
import type { Ground } from "./compiled.ts";
import type { RuleIndex } from "./indexes/rules.ts";
import type { DomainPattern } from "./pattern-domain.ts";
import type { AgentRows, TierRows } from "./tier-rows.ts";
import type { ToolViews } from "./tool-view.ts";

/** A layer made ready for deciding: everything that can be looked up is, and every cause is made once. */
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
  /** How people are asked where this is the only layer and nothing says otherwise. */
  readonly asking: Asking;
  readonly agentsNameReviewers: boolean;
  /** Accepted, and without limits, marks by name and reviewers of agents: calls may be ordinary under it. */
  readonly isSimple: boolean;
};

/** A preset's cells all lead to one of six grounds, by rank. */
export type CompiledPreset = { readonly name: PresetName; readonly grounds: readonly Ground[] };

export type CompiledMarks = {
  readonly all: Ground | undefined;
  readonly classes: ReadonlyMap<EffectClass, Ground>;
  readonly preset: ReadonlyMap<EffectClass, Ground>;
  /** The classes that have a mark. */
  readonly bits: number;
  readonly agents: ReadonlyMap<string, Ground>;
  /** There are marks that do not depend on the class: of everything, of tools, of agents. */
  readonly byName: boolean;
  /** Marks of presets that this layer lifts, if it is the outermost. */
  readonly not: ReadonlyMap<EffectClass, Ground>;
};

export type CompiledLimit = {
  readonly limit: LimitRule;
  /** What the counters are named by; two limits of one name count apart. */
  readonly key: string;
  readonly classes: number;
  readonly paths: readonly (readonly string[])[] | undefined;
  readonly commands: readonly CommandPattern[] | undefined;
  readonly domains: readonly DomainPattern[] | undefined;
};
