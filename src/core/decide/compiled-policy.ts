import type { Asking } from "../decision.ts";
import type { EffectClass } from "../effect.ts";
import type { LimitRule, Policy, PresetName } from "../policy.ts";
import type { CommandPattern } from "./command-patterns.ts";
import type { Ground } from "./compiled.ts";
import type { RuleIndex } from "./indexes/rules.ts";
import type { DomainPattern } from "./pattern-domain.ts";
import type { AgentRows, TierRows } from "./tier-rows.ts";
import type { ToolViews } from "./tool-view.ts";

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
  /** How people are asked if this is the only layer and nothing else applies. */
  readonly asking: Asking;
  readonly agentsNameReviewers: boolean;
  /**
   * An accepted layer without limits, marks by name, and reviewers of agents; the short path of `ordinary.ts` can be
   * used.
   */
  readonly isSimple: boolean;
};

/** All cells of a preset use one of six grounds, by rank. */
export type CompiledPreset = { readonly name: PresetName; readonly grounds: readonly Ground[] };

export type CompiledMarks = {
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
