import type { Cause, Decision } from "../decision.ts";
import type { Match, Policy, Rule } from "../policy.ts";
import type { CommandPattern } from "./command-patterns.ts";

/** Something that can set a tier, with its cause, created once when the policy is compiled. */
export type Ground = {
  readonly rank: number;
  readonly cause: Cause;
  readonly rule: Rule | undefined;
  readonly policy: Policy | undefined;
  /** Its rule has its own settings for how people are asked. */
  readonly saysHow: boolean;
  /** From a row of the agent itself. */
  readonly named: boolean;
  /** Lists with this single ground, which most decisions use; created on first use and shared. */
  only: readonly Cause[] | undefined;
  alone: readonly Ground[] | undefined;
  /** The decision of an ordinary call that depends only on this ground; kept in the same way. */
  decision: Decision | undefined;
};

/** One rule, or one pattern of a rule with several patterns, which share their ground. */
export type CompiledRule = {
  readonly rank: number;
  /** One bit for each class that the rule is about. */
  readonly classes: number;
  readonly ground: Ground;
  readonly human: Ground | undefined;
  readonly firm: boolean;
  /** It can only make a decision stricter, because its expression reads the caller's claims. */
  readonly tightensOnly: boolean;
  /** The agents it names, unless it also uses a pattern of agents. */
  readonly own: readonly string[] | undefined;
  /** Conditions that the index does not check. */
  readonly checks: Checks | undefined;
  /** The path pattern under which it is indexed. */
  readonly segments: readonly string[] | undefined;
  /** Finding the rule in the index by a path without wildcards already means that the pattern matches. */
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
