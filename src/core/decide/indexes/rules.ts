import { say } from "../../messages/message.ts";
import type { Match, Policy, Rule } from "../../policy.ts";
import { rankOf, TIERS } from "../../tier.ts";
import { canonicalTool } from "../../tool-name.ts";
import { isGlob } from "../../values/glob.ts";
import { ALL_CLASSES, classBits, classIndex, forEachClass } from "../class-bits.ts";
import { type CommandPattern, commandPatternFor } from "../command-patterns.ts";
import { type Checks, type CompiledRule, groundOf } from "../compiled.ts";
import { domainPattern } from "../pattern-domain.ts";
import { pathPatterns } from "../pattern-path.ts";
import { addCommand, newWordNode, type WordNode } from "./commands.ts";
import { addDomain, type DomainIndex, newDomainIndex } from "./domains.ts";
import { addPath, isSure, newPathNode, type PathNode, slotIn } from "./paths.ts";
import { addTo, newSlot, type RuleSlot } from "./slot.ts";

/**
 * Where a rule is stored: under its target pattern if it has one, else under its tools, else under its classes, else
 * with the rest.
 */
export type RuleIndex = {
  paths: PathNode | undefined;
  commands: WordNode | undefined;
  domains: DomainIndex | undefined;
  readonly tools: Map<string, RuleSlot>;
  readonly toolGlobs: { match: Match; rule: CompiledRule }[];
  readonly classes: (RuleSlot | undefined)[];
  anything: RuleSlot | undefined;
};

export function indexRules(policy: Policy): RuleIndex {
  const index: RuleIndex = {
    paths: undefined,
    commands: undefined,
    domains: undefined,
    tools: new Map(),
    toolGlobs: [],
    classes: forEachClass(),
    anything: undefined,
  };
  for (const rule of policy.rules) indexRule(index, rule, policy);
  return index;
}

function indexRule(index: RuleIndex, rule: Rule, policy: Policy): void {
  const { match } = rule;
  const compiled = compileRule(rule, policy);
  if (match.path !== undefined) {
    index.paths ??= newPathNode();
    for (const segments of match.path.flatMap((pattern) => pathPatterns(pattern, policy))) {
      addPath(index.paths, segments, { ...compiled, segments, sure: isSure(segments) });
    }
  } else if (match.command !== undefined) {
    index.commands ??= newWordNode();
    for (const command of match.command.map((pattern) => commandPatternFor(pattern, rule.tier))) {
      addCommand(index.commands, command, isPlain(command) ? compiled : { ...compiled, command });
    }
  } else if (match.domain !== undefined) {
    index.domains ??= newDomainIndex();
    for (const pattern of match.domain) addDomain(index.domains, domainPattern(pattern), compiled);
  } else indexWithoutTarget(index, match, compiled);
}

function indexWithoutTarget(index: RuleIndex, match: Match, rule: CompiledRule): void {
  if (match.mcp !== undefined || match.tool?.some(isGlob)) index.toolGlobs.push({ match, rule });
  else if (match.tool !== undefined) {
    for (const name of new Set(match.tool.map(canonicalTool))) addTo(slotIn(index.tools, name), rule);
  } else if (match.class !== undefined) {
    for (const name of new Set(match.class)) {
      const at = classIndex(name);
      index.classes[at] ??= newSlot();
      addTo(index.classes[at], rule);
    }
  } else {
    index.anything ??= newSlot();
    addTo(index.anything, rule);
  }
}

/** Being found in the word index means a match: there are no options to check, and further words are allowed. */
function isPlain(pattern: CommandPattern): boolean {
  return pattern.rest && pattern.options.length === 0;
}

function compileRule(rule: Rule, policy: Policy): CompiledRule {
  const { match, name, tier, because, at } = rule;
  const rank = rankOf(tier);
  const layer = policy.source;
  const named = match.agent !== undefined && !match.agent.some(isGlob);
  return {
    rank,
    classes: match.class === undefined ? ALL_CLASSES : classBits(match.class),
    ground: groundOf(rank, { by: "rule", name, tier, because, layer, at }, { rule, policy }),
    human: rule.human
      ? groundOf(TIERS.length, { by: "human", mark: say("part.rule", { name }), layer, at }, { rule, policy })
      : undefined,
    firm: rule.firm,
    tightensOnly: match.when?.readsClaims === true,
    own: named ? match.agent : undefined,
    checks: checksOf(match, { named }),
    segments: undefined,
    sure: false,
    command: undefined,
  };
}

/** Only the keys that the index does not check; most rules have none. */
function checksOf(match: Match, by: { named: boolean }): Checks | undefined {
  const { class: _class, path, command, domain, agent, tool, mcp, ...others } = match;
  const byTool = path === undefined && command === undefined && domain === undefined;
  const checks: Checks = {
    ...others,
    ...(agent === undefined || by.named ? {} : { agent }),
    ...(tool === undefined || byTool ? {} : { tool }),
    ...(mcp === undefined || byTool ? {} : { mcp }),
  };
  return Object.keys(checks).length === 0 ? undefined : checks;
}
