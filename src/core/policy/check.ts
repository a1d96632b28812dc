import { declaredTools, wordOn } from "../classify/declared.ts";
import { APPROVAL_DEFAULTS, type Policy, type Position, type Rule } from "../policy.ts";
import { compareTiers, isStricter } from "../tier.ts";
import { canonicalTool, toolGlobMatches } from "../tool-name.ts";
import { canonical } from "../values/canonical.ts";
import { isGlob } from "../values/glob.ts";
import type { Json } from "../values/json.ts";
import { knownNames, refusesPattern } from "./names.ts";
import type { Faults } from "./shape.ts";

export type ApprovalPlaces = { quorum: Position; escalate: Position };

/** What is well formed line by line and still cannot be meant: contradictions and rules that never decide. */
export function checkPolicy(policy: Policy, places: ApprovalPlaces | undefined, faults: Faults): void {
  twice("rule", policy.rules, faults);
  twice("limit", policy.limits, faults);
  for (const rows of [policy.tiers, ...policy.agents.map((agent) => agent.tiers)]) {
    twice(
      "row",
      rows.map((row) => ({ name: `${row.for} ${row.name}`, at: row.at })),
      faults,
    );
  }
  neverDeciding(policy.rules, faults);
  declaresEverything(policy, faults);
  if (places === undefined) return;
  tooFewReviewers(policy, places, faults);
  escalatedTooLate(policy, places, faults);
}

function twice(what: string, named: readonly { name: string; at: Position }[], faults: Faults): void {
  const first = new Map<string, Position>();
  for (const { name, at } of named) {
    const before = first.get(name);
    if (before === undefined) first.set(name, at);
    else
      faults.add(
        at,
        `the ${what} \`${name}\` is there twice`,
        `the first is in line ${before.line}; rename or remove one`,
      );
  }
}

/** Then no tool would be unknown any more, and nobody would be asked about a new one. */
function declaresEverything({ tools }: Policy, faults: Faults): void {
  for (const { name, at } of tools) {
    if (refusesPattern({ value: name, at }, faults)) continue;
    if (/[\p{L}\p{N}]/u.test(name.replace(/^mcp(__|:)/i, ""))) continue;
    faults.add(at, `\`${name}\` declares every tool there is`, "name tools, or the beginning of their names: get_*");
  }
}

/** A word that lets nothing run by itself: where it stands, and why. */
export type Ineffective = { at: Position; message: string; hint: string };

/** Rows and rules that would let a tool run which nobody declared: they count once somebody says what the tool does. */
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
    const listed = `\`${names.join(", ")}\``;
    const hint = "say under `tools` what it does, or declare it with `leeway tools declare`";
    if (!names.some(isKnown))
      return [{ at, message: `${listed} names no tool that is known, so that \`${tier}\` does not count yet`, hint }];
    if (names.every(isDeclared)) return [];
    return [
      { at, message: `${listed} also matches tools that nobody knows; for them \`${tier}\` does not count yet`, hint },
    ];
  });
}

/** The strictest matching rule decides, so of two rules with one match the looser is never heard. */
function neverDeciding(rules: readonly Rule[], faults: Faults): void {
  const strictest = new Map<string, Rule>();
  const byStrictness = [...alike(rules)].sort((a, b) => compareTiers(a.tier, b.tier));
  for (const rule of byStrictness) {
    const key = matchKey(rule);
    const over = strictest.get(key);
    if (over === undefined) strictest.set(key, rule);
    // A rule that is outweighed is still heard where it needs a person or may not be lifted.
    else if (over.tier !== rule.tier && !rule.human && !rule.firm) {
      faults.add(
        rule.at,
        `the rule \`${rule.name}\` can never decide: \`${over.name}\` matches the same and is stricter`,
        `remove one; \`${over.name}\` is in line ${over.at.line}`,
      );
    }
  }
}

/** Those whose match begins like another's: only they can have the same, and the rest needs no comparing in full. */
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

/** A quorum of named people cannot be larger than their number; what a group holds is known only later. */
function tooFewReviewers(policy: Policy, places: ApprovalPlaces, faults: Faults): void {
  const general = policy.approvals.quorum ?? APPROVAL_DEFAULTS.quorum;
  const check = (name: string, reviewers: readonly string[], quorum: number, at: Position): void => {
    const people = new Set(reviewers);
    if (reviewers.some((reviewer) => reviewer.startsWith("group:")) || quorum <= people.size) return;
    faults.add(
      at,
      `${name} asks for ${quorum} approvals but names only ${people.size} reviewer${people.size === 1 ? "" : "s"}`,
      "lower the quorum or name more people",
    );
  };
  if (policy.reviewers.length > 0) check("the policy", policy.reviewers, general, places.quorum);
  for (const { name, reviewers, at } of policy.agents) {
    if (reviewers.length > 0) check(`agent \`${name}\``, reviewers, general, at);
  }
  for (const { name, reviewers, quorum, at } of policy.rules) {
    if (reviewers.length > 0) check(`rule \`${name}\``, reviewers, quorum ?? general, at);
  }
}

function escalatedTooLate(policy: Policy, places: ApprovalPlaces, faults: Faults): void {
  const { escalate, expiresMs = APPROVAL_DEFAULTS.expiresMs } = policy.approvals;
  if (escalate === undefined || escalate.afterMs < expiresMs) return;
  faults.add(
    places.escalate,
    "the escalation comes after the question has expired",
    "make `after` shorter than `expires`",
  );
}
