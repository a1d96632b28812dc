import { declaredTools, wordOn } from "../classify/known-tool.ts";
import { waysLeftOpen } from "../decide/ways-of-writing.ts";
import { type Message, say } from "../messages/message.ts";
import { APPROVAL_DEFAULTS, type Policy, type Position, type Rule } from "../policy.ts";
import { compareTiers, isStricter } from "../tier.ts";
import { canonicalTool, toolGlobMatches } from "../tool-name.ts";
import { canonical } from "../values/canonical.ts";
import { isGlob } from "../values/glob.ts";
import type { Json } from "../values/json.ts";
import { knownNames, refusesPattern } from "./names.ts";
import type { Faults } from "./shape.ts";

export type ApprovalPlaces = { quorum: Position; escalate: Position };

/** Mistakes that are correct line by line but make no sense together: contradictions, and rules that never decide. */
export function checkPolicy(policy: Policy, places: ApprovalPlaces | undefined, faults: Faults): void {
  for (const { name, at, line } of repeated(policy.rules))
    faults.add(at, say("policy.duplicate_rule", { name }), say("policy.rename_or_remove", { line }));
  for (const { name, at, line } of repeated(policy.limits))
    faults.add(at, say("policy.duplicate_limit", { name }), say("policy.rename_or_remove", { line }));
  for (const rows of [policy.tiers, ...policy.agents.map((agent) => agent.tiers)]) {
    for (const { name, at, line } of repeated(rows))
      faults.add(at, say("policy.duplicate_row", { name }), say("policy.remove_row", { line }));
  }
  neverDeciding(policy.rules, faults);
  declaresEverything(policy, faults);
  if (places === undefined) return;
  tooFewReviewers(policy, places, faults);
  escalatedTooLate(policy, places, faults);
}

type NamedPlace = { name: string; at: Position; for?: string };

/** Reports duplicates, with the line of the first. A class and a tool with the same name are two things. */
function repeated(named: readonly NamedPlace[]): readonly (NamedPlace & { line: number })[] {
  const first = new Map<string, Position>();
  return named.flatMap((one) => {
    const key = `${one.for ?? ""} ${one.name}`;
    const before = first.get(key);
    if (before !== undefined) return [{ ...one, line: before.line }];
    first.set(key, one.at);
    return [];
  });
}

/** A row that declares every tool would make every new tool known, and nobody would be asked about it. */
function declaresEverything({ tools }: Policy, faults: Faults): void {
  for (const { name, at } of tools) {
    if (refusesPattern({ value: name, at }, faults)) continue;
    if (/[\p{L}\p{N}]/u.test(name.replace(/^mcp(__|:)/i, ""))) continue;
    faults.add(at, say("policy.declares_every_tool", { name }), say("policy.name_tools"));
  }
}

/** A row or rule that has no effect yet: where it is, and why. */
export type Ineffective = { at: Position; message: Message; hint: Message };

/**
 * Rows and rules that would allow a tool that nobody declared: they have no effect until somebody says what the tool
 * does.
 */
export function ineffectiveWords(policy: Policy): readonly Ineffective[] {
  const known = knownNames(policy.tools.map(({ name }) => name));
  const declared = declaredTools([policy]);
  const isKnown = (name: string) =>
    isGlob(name)
      ? [...known.words].some(({ word }) => toolGlobMatches(name, word)) ||
        policy.tools.some((tool) => tool.name === name)
      : known.canonical.has(canonicalTool(name)) || wordOn(declared, name).says !== undefined;
  const rows = [policy.tiers, ...policy.agents.map((agent) => agent.tiers)].flat();
  const named = [
    ...rows.filter((row) => row.for !== "class").map(({ name, tier, at }) => ({ names: [name], tier, at })),
    ...policy.rules.map(({ match, tier, at }) => ({ names: match.tool ?? [], tier, at })),
  ];
  const isDeclared = (name: string) => !isGlob(name) || policy.tools.some((tool) => tool.name === name);
  const loosening = named.filter(({ names, tier }) => isStricter("ask", tier) && names.length > 0);
  return loosening.flatMap(({ names, tier, at }) => {
    const hint = say("policy.declare_tool");
    if (!names.some(isKnown)) return [{ at, message: say("policy.tool_unknown", { names, tier }), hint }];
    if (names.every(isDeclared)) return [];
    return [{ at, message: say("policy.tools_partly_unknown", { names, tier }), hint }];
  });
}

/** Rules that ask about a file that is copied or moved to its place, and not if it is written there. */
export function rulesForOneWay({ rules }: Policy): readonly Ineffective[] {
  return rules.flatMap((rule) => {
    const open = waysLeftOpen(rule);
    if (open.length === 0) return [];
    const message = say("policy.one_way_of_writing", { name: rule.name, open });
    return [{ at: rule.at, message, hint: say("policy.name_writing") }];
  });
}

/** The strictest matching rule decides, so of two rules with the same match the looser one never has an effect. */
function neverDeciding(rules: readonly Rule[], faults: Faults): void {
  const strictest = new Map<string, Rule>();
  const byStrictness = [...alike(rules)].sort((a, b) => compareTiers(a.tier, b.tier));
  for (const rule of byStrictness) {
    const key = matchKey(rule);
    const over = strictest.get(key);
    if (over === undefined) strictest.set(key, rule);
    // A rule that loses against a stricter one still counts if it needs a person or may not be lifted.
    else if (over.tier !== rule.tier && !rule.human && !rule.firm) {
      faults.add(
        rule.at,
        say("policy.never_decides", { name: rule.name, over: over.name }),
        say("policy.remove_rule", { over: over.name, line: over.at.line }),
      );
    }
  }
}

/** Groups rules whose match begins in the same way: only they can be equal, so the others need no full comparison. */
function* alike(rules: readonly Rule[]): Generator<Rule> {
  const byBeginning = new Map<string, Rule[]>();
  for (const rule of rules) {
    const { path, command, domain, tool, args } = rule.match;
    const beginning = (path ?? command ?? domain ?? tool)?.[0] ?? "";
    const test = args?.[0]?.test;
    const key = test?.is === "value" ? `${beginning} ${String(test.value)}` : beginning;
    const known = byBeginning.get(key);
    if (known === undefined) byBeginning.set(key, [rule]);
    else known.push(rule);
  }
  for (const group of byBeginning.values()) if (group.length > 1) yield* group;
}

function matchKey({ match: { when, ...rest } }: Rule): string {
  return canonical({ ...(rest as Record<string, Json>), when: when?.text ?? null });
}

/** A quorum cannot be larger than the number of named people; the size of a group is known only later. */
function tooFewReviewers(policy: Policy, places: ApprovalPlaces, faults: Faults): void {
  const general = policy.approvals.quorum ?? APPROVAL_DEFAULTS.quorum;
  const check = (who: Message, reviewers: readonly string[], quorum: number, at: Position): void => {
    const count = new Set(reviewers).size;
    if (reviewers.some((reviewer) => reviewer.startsWith("group:")) || quorum <= count) return;
    faults.add(at, say("policy.too_few_reviewers", { who, quorum, count }), say("policy.lower_quorum"));
  };
  if (policy.reviewers.length > 0) check(say("policy.the_policy"), policy.reviewers, general, places.quorum);
  for (const { name, reviewers, at } of policy.agents) {
    if (reviewers.length > 0) check(say("policy.the_agent", { name }), reviewers, general, at);
  }
  for (const { name, reviewers, quorum, at } of policy.rules) {
    if (reviewers.length > 0) check(say("policy.the_rule", { name }), reviewers, quorum ?? general, at);
  }
}

function escalatedTooLate(policy: Policy, places: ApprovalPlaces, faults: Faults): void {
  const { escalate, expiresMs = APPROVAL_DEFAULTS.expiresMs } = policy.approvals;
  if (escalate === undefined || escalate.afterMs < expiresMs) return;
  faults.add(places.escalate, say("policy.escalates_too_late"), say("policy.escalate_sooner"));
}
