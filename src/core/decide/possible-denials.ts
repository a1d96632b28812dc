import type { ToolCall } from "../call.ts";
import { type Effect, type Maybe, type MaybeTarget, readingsOf } from "../effect.ts";
import { say } from "../messages/message.ts";
import type { Match, Policy, Rule } from "../policy.ts";
import { FILE_ENDINGS } from "../tables/file-endings.ts";
import { rankOf } from "../tier.ts";
import { canonicalTool } from "../tool-name.ts";
import { globMatches, mayMeet } from "../values/glob.ts";
import { actorsOf } from "./actors.ts";
import { beginsAmong, commandMayMatch, commandPatternFor } from "./command-patterns.ts";
import { type Ground, groundOf } from "./compiled.ts";
import { judge } from "./judge.ts";
import { mayConcern } from "./match.ts";
import { domainMatches, domainPattern } from "./pattern-domain.ts";
import { pathPatterns, segmentsOf } from "./pattern-path.ts";
import type { Standing } from "./standing.ts";

const DENY = rankOf("deny");

/** If a word is known only at run time and could be something that is denied, the call is denied. */
export function maybeDenials(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): readonly Ground[] {
  const found: Ground[] = [];
  for (const { maybe } of readingsOf(effect)) {
    if (maybe === undefined) continue;
    found.push(...partDenials(call, effect, maybe, standing, nowMs));
    if (maybe.targets.length > 0) found.push(...targetDenials(call, maybe.targets, standing));
  }
  return found;
}

function partDenials(
  call: ToolCall,
  effect: Effect,
  maybe: Maybe,
  standing: Standing,
  nowMs: number,
): readonly Ground[] {
  const [first, ...rest] = maybe.parts;
  if (first === undefined) return [];
  const { rank, deciding } = judge(call, { ...effect, parts: [first, ...rest] }, standing, nowMs);
  return rank === DENY ? deciding : [];
}

function targetDenials(call: ToolCall, targets: readonly MaybeTarget[], standing: Standing): readonly Ground[] {
  const canonical = canonicalTool(call.tool);
  const actors = actorsOf(call);
  return [...standing.layers, ...standing.scopes].flatMap(({ policy }) => {
    const denies = ({ tier, match }: Rule) =>
      tier === "deny" && actors.some((actor) => mayConcern(match, { call, actor, canonical }));
    const rule = policy.rules.find((one) => denies(one) && targets.some((target) => mayBe(one, target, policy)));
    const why = say("note.open_word_may_be_denied");
    return rule === undefined
      ? []
      : [groundOf(DENY, { by: "unread", what: say("part.rule", { name: rule.name }), why }, { policy })];
  });
}

function mayBe({ match, tier }: Rule, target: MaybeTarget, policy: Policy): boolean {
  if (match.class !== undefined && target.class !== undefined && !match.class.includes(target.class)) return false;
  switch (target.kind) {
    case "path":
      return mayLead(match, [target.path], target.recursive, policy);
    case "paths":
      return mayLead(match, target.paths, target.recursive, policy);
    case "command":
      return match.command?.some((pattern) => commandMayMatch(commandPatternFor(pattern, tier), target)) === true;
    case "commands":
      return match.command?.some((pattern) => beginsAmong(commandPatternFor(pattern, tier), target)) === true;
    case "domain":
      return match.domain?.some((pattern) => mayBeHost(pattern, target)) === true;
    case "mentioned":
      return match.domain?.some((pattern) => isMentioned(pattern, target)) === true;
  }
}

function mayLead(match: Match, paths: readonly string[], recursive: boolean, policy: Policy): boolean {
  const patterns = match.path?.flatMap((pattern) => pathPatterns(pattern, policy)) ?? [];
  if (patterns.length === 0) return false;
  return paths
    .map(segmentsOf)
    .some((path) => patterns.some((one) => namesAny(one, path) && mayMeet(one, path, recursive)));
}

function mayBeHost(text: string, { domain, open }: Extract<MaybeTarget, { kind: "domain" }>): boolean {
  const pattern = domainPattern(text);
  if (!open) return domainMatches(pattern, domain);
  // A pattern for all subdomains allows anything before the domain.
  return pattern.is !== "exact" || pattern.domain.startsWith(domain);
}

/**
 * A word with a dot may also be a file. A word with a file extension counts as a domain only if a rule names that
 * domain in full.
 */
function isMentioned(text: string, { addresses, names }: Extract<MaybeTarget, { kind: "mentioned" }>): boolean {
  const pattern = domainPattern(text);
  if (addresses.some((host) => domainMatches(pattern, host))) return true;
  if (pattern.is === "any" || (!pattern.domain.includes(".") && FILE_ENDINGS.has(pattern.domain))) return false;
  return names.some((name) => domainMatches(pattern, name));
}

/**
 * A name in an unknown folder does not match a rule for everything in another folder, unless the rule names that
 * file.
 */
function namesAny(pattern: readonly string[], path: readonly string[]): boolean {
  if (path[0] !== "**" || path.length === 1 || pattern.at(-1) !== "**") return true;
  const folder = pattern.findLast((segment) => segment !== "**");
  const mayHold = (i: number) => i > 1 && path[i] === "**" && pattern.includes(path[i - 1] ?? "");
  return folder === undefined || path.some((name, i) => globMatches(folder, name) || mayHold(i));
}
