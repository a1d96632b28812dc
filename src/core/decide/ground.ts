import type { Cause, Decision } from "../decision.ts";
import type { Match, Policy, Rule } from "../policy.ts";
import { TIERS } from "../tier.ts";
import type { CommandPattern } from "./patterns.ts";

/** Something that can set a tier, with its cause, created once when the policy is compiled. */
export type Ground = {
  readonly rank: number;
  readonly cause: Cause;
  readonly rule: Rule | undefined;
  readonly policy: Policy | undefined;
  /** Its rule has its own settings for how people are asked. */
  readonly saysHow: boolean;
  /** True if the ground comes from a row of the agent itself. */
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
  /** Those of them that it does not name: they count only for a path that is written. */
  readonly otherWays: number;
  readonly ground: Ground;
  readonly human: Ground | undefined;
  readonly firm: boolean;
  /** True if the rule can only make a decision stricter, because its expression reads the caller's claims. */
  readonly tightensOnly: boolean;
  /** The agents it names, unless it also uses a pattern of agents. */
  readonly own: readonly string[] | undefined;
  /** Conditions that the index does not check. */
  readonly checks: Checks | undefined;
  /** It asks about what is written, and about nothing else. */
  readonly onlyWriting: boolean;
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

export const NO_GROUNDS: readonly Ground[] = Object.freeze([]);

export const NO_CAUSES: readonly Cause[] = Object.freeze([]);

/**
 * Adds a ground, once. A list with one ground is shared by all decisions that use it, so it is copied before it
 * grows; a longer list belongs to this decision only.
 */
export function withGround(list: readonly Ground[], ground: Ground): readonly Ground[] {
  if (list.length === 0) return aloneOf(ground);
  if (hasGround(list, ground)) return list;
  if (list.length === 1) return [list[0] as Ground, ground];
  (list as Ground[]).push(ground);
  return list;
}

/** A hand-written loop: the lists are so short that calling `includes` costs more. */
export function hasGround(list: readonly Ground[], ground: Ground): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === ground) return true;
  return false;
}

export function causesOf(grounds: readonly Ground[]): readonly Cause[] {
  if (grounds.length === 0) return NO_CAUSES;
  if (grounds.length > 1) return grounds.map((ground) => ground.cause);
  return onlyOf(grounds[0] as Ground);
}

function aloneOf(ground: Ground): readonly Ground[] {
  ground.alone ??= Object.freeze([ground]);
  return ground.alone;
}

export function onlyOf(ground: Ground): readonly Cause[] {
  ground.only ??= Object.freeze([ground.cause]);
  return ground.only;
}

/** No rule and no row has matched yet: looser than the loosest tier. */
export const SILENT = TIERS.length;

/** The strictest tier so far, what set it, and what else was considered. */
export type Tally = { rank: number; deciding: readonly Ground[]; outweighed: readonly Ground[] };

export function count(tally: Tally, ground: Ground): void {
  if (ground.rank < tally.rank) lower(tally, ground.rank);
  note(tally, ground, ground.rank === tally.rank);
}

export function lower(tally: Tally, rank: number): void {
  tally.rank = rank;
  if (tally.deciding.length === 0) return;
  for (const ground of tally.deciding) tally.outweighed = withGround(tally.outweighed, ground);
  tally.deciding = NO_GROUNDS;
}

export function note(tally: Tally, ground: Ground, decides: boolean): void {
  if (decides) tally.deciding = withGround(tally.deciding, ground);
  else tally.outweighed = withGround(tally.outweighed, ground);
}
