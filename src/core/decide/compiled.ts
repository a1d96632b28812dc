import type { Cause, Decision } from "../decision.ts";
import type { Match, Policy, Rule } from "../policy.ts";
import type { CommandPattern } from "./command-patterns.ts";

/** Something that can set a tier, with the sentence-to-be that names it, made once when the policy is compiled. */
export type Ground = {
  readonly rank: number;
  readonly cause: Cause;
  readonly rule: Rule | undefined;
  readonly policy: Policy | undefined;
  /** Its rule has a word of its own on how people are asked. */
  readonly saysHow: boolean;
  /** Given by a row of the agent itself. */
  readonly named: boolean;
  /** The lists of one that most decisions carry, made when first needed and shared from then on. */
  only: readonly Cause[] | undefined;
  alone: readonly Ground[] | undefined;
  /** The decision of an ordinary call that rests on this alone, kept in the same way. */
  decision: Decision | undefined;
};

/** One rule, or one pattern of a rule that has several: they share their ground. */
export type CompiledRule = {
  readonly rank: number;
  /** One bit for each class that the rule is about. */
  readonly classes: number;
  readonly ground: Ground;
  readonly human: Ground | undefined;
  readonly firm: boolean;
  /** It may only tighten: its expression reads what the caller says of itself. */
  readonly tightensOnly: boolean;
  /** The agents it names, unless it also names some by glob. */
  readonly own: readonly string[] | undefined;
  /** What the index does not answer for. */
  readonly checks: Checks | undefined;
  /** The pattern of paths that it waits under. */
  readonly segments: readonly string[] | undefined;
  /** Finding the rule in the index by a path without wildcards means that the pattern matches. */
  readonly sure: boolean;
  readonly command: CommandPattern | undefined;
};

export type Checks = Omit<Match, "class" | "path" | "command" | "domain">;

export function groundOf(
  rank: number,
  cause: Cause,
  from: { rule?: Rule; policy?: Policy; named?: boolean } = {},
): Ground {
  const { rule, policy, named = false } = from;
  return {
    rank,
    cause,
    rule,
    policy,
    saysHow: saysHow(rule),
    named,
    only: undefined,
    alone: undefined,
    decision: undefined,
  };
}

function saysHow(rule: Rule | undefined): boolean {
  return rule !== undefined && (rule.quorum !== undefined || rule.expiresMs !== undefined || rule.reviewers.length > 0);
}
