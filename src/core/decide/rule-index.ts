import { ALL_CLASSES, classBits, classIndex, forEachClass } from "../effect.ts";
import { say } from "../messages/message.ts";
import type { Match, Policy, Rule } from "../policy.ts";
import { rankOf, TIERS } from "../tier.ts";
import { canonicalTool, toolReadings } from "../tool-name.ts";
import { isGlob } from "../values/glob.ts";
import { type Checks, type CompiledRule, groundOf } from "./ground.ts";
import { type CommandPattern, commandPatternFor, type DomainPattern, domainPattern, pathPatterns } from "./patterns.ts";
import { isAboutWritingAlone, otherWaysOf } from "./ways-of-writing.ts";

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

const ASK = rankOf("ask");

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
  } else indexWithoutTarget(index, rule, compiled);
}

function indexWithoutTarget(index: RuleIndex, written: Rule, rule: CompiledRule): void {
  const { match } = written;
  if (match.mcp !== undefined || match.tool?.some(isGlob)) index.toolGlobs.push({ match, rule });
  else if (match.tool !== undefined) {
    // What denies or asks is found by every reading of the names in the rule.
    const names = rule.rank <= ASK ? match.tool.flatMap((name) => [name, ...toolReadings(name)]) : match.tool;
    for (const name of new Set(names.map(canonicalTool))) addTo(slotIn(index.tools, name), rule);
  } else if (match.class !== undefined) {
    for (const name of new Set([...match.class, ...otherWaysOf(written)])) {
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
  const otherWays = classBits(otherWaysOf(rule));
  return {
    rank,
    classes: match.class === undefined ? ALL_CLASSES : classBits(match.class) | otherWays,
    otherWays,
    ground: groundOf(rank, { by: "rule", name, tier, because, layer, at }, { rule, policy }),
    human: rule.human
      ? groundOf(TIERS.length, { by: "human", mark: say("part.rule", { name }), layer, at }, { rule, policy })
      : undefined,
    firm: rule.firm,
    tightensOnly: match.when?.readsClaims === true,
    own: named ? match.agent : undefined,
    checks: checksOf(match, { named }),
    onlyWriting: isAboutWritingAlone(rule),
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

/** Rules at one place of an index: those for all agents, and those that name an agent. */
export type RuleSlot = {
  /** The classes that any of them is about. */
  classes: number;
  all: CompiledRule[];
  own: Map<string, CompiledRule[]> | undefined;
};

/** Most places have rules of one kind only, so an empty list is shared until it is needed. */
const NONE: CompiledRule[] = [];

export function newSlot(): RuleSlot {
  return { classes: 0, all: NONE, own: undefined };
}

/** A rule that also names agents by a pattern is stored with those for all agents, and checked. */
export function addTo(slot: RuleSlot, rule: CompiledRule): void {
  slot.classes |= rule.classes;
  if (rule.own === undefined) {
    if (slot.all === NONE) slot.all = [rule];
    else slot.all.push(rule);
    return;
  }
  slot.own ??= new Map();
  for (const agent of rule.own) {
    const rules = slot.own.get(agent);
    if (rules === undefined) slot.own.set(agent, [rule]);
    else if (!rules.includes(rule)) rules.push(rule);
  }
}

/**
 * A trie over the literal segments at the beginning of a pattern. What follows them decides where in the node the
 * rule is stored: at the end of the path, anywhere below, or under the segment or file extension that the path must
 * also have.
 */
export type PathNode = {
  kids: Map<string, PathNode> | undefined;
  /** The path ends here. */
  exact: RuleSlot | undefined;
  /** Here or anywhere below. */
  below: RuleSlot | undefined;
  /** By the last segment of the path. */
  tails: Map<string, RuleSlot> | undefined;
  /** By the ending of the last segment, dot included. */
  endings: Map<string, RuleSlot> | undefined;
  /** By a segment that the path must have further on. */
  middles: Map<string, RuleSlot> | undefined;
  /** No literal part follows: the pattern is tried each time. */
  loose: RuleSlot | undefined;
};

function newPathNode(): PathNode {
  return {
    kids: undefined,
    exact: undefined,
    below: undefined,
    tails: undefined,
    endings: undefined,
    middles: undefined,
    loose: undefined,
  };
}

/** True if reaching the rule in the index already means that its pattern matches. */
function isSure(segments: readonly string[]): boolean {
  const rest = segments.slice(literalLength(segments));
  if (rest.length === 0 || (rest.length === 1 && rest[0] === "**")) return true;
  const last = rest[1] ?? "";
  if (rest.length === 3 && rest[0] === "**" && !isGlob(last) && rest[2] === "**") return true;
  return rest.length === 2 && rest[0] === "**" && (!isGlob(last) || endingOf(last) !== undefined);
}

function addPath(root: PathNode, segments: readonly string[], rule: CompiledRule): void {
  const literal = literalLength(segments);
  let node = root;
  for (let i = 0; i < literal; i++) node = kidOf(node, segments[i] ?? "");
  addTo(placeOf(node, segments.slice(literal)), rule);
}

function placeOf(node: PathNode, rest: readonly string[]): RuleSlot {
  if (rest.length === 0) return ownSlot(node, "exact");
  if (rest.length === 1 && rest[0] === "**") return ownSlot(node, "below");
  const last = rest.at(-1) ?? "";
  if (!isGlob(last)) return keyedSlot(node, "tails", last);
  const ending = endingOf(last);
  if (ending !== undefined) return keyedSlot(node, "endings", ending);
  const middle = rest.find((segment) => !isGlob(segment));
  return middle === undefined ? ownSlot(node, "loose") : keyedSlot(node, "middles", middle);
}

function ownSlot(node: PathNode, place: "exact" | "below" | "loose"): RuleSlot {
  const slot = node[place] ?? newSlot();
  node[place] = slot;
  return slot;
}

function keyedSlot(node: PathNode, place: "tails" | "endings" | "middles", key: string): RuleSlot {
  const slots = node[place] ?? new Map<string, RuleSlot>();
  node[place] = slots;
  return slotIn(slots, key);
}

/** `*.pem` is stored under `.pem`. */
function endingOf(segment: string): string | undefined {
  return segment.startsWith("*.") && !isGlob(segment.slice(1)) ? segment.slice(1) : undefined;
}

function literalLength(segments: readonly string[]): number {
  const wild = segments.findIndex(isGlob);
  return wild < 0 ? segments.length : wild;
}

function kidOf(node: PathNode, segment: string): PathNode {
  node.kids ??= new Map();
  let kid = node.kids.get(segment);
  if (kid === undefined) {
    kid = newPathNode();
    node.kids.set(segment, kid);
  }
  return kid;
}

function slotIn(map: Map<string, RuleSlot>, key: string): RuleSlot {
  let slot = map.get(key);
  if (slot === undefined) {
    slot = newSlot();
    map.set(key, slot);
  }
  return slot;
}

/** A trie over the words of a pattern; options are checked afterwards on the rules that are found. */
export type WordNode = {
  kids: Map<string, WordNode> | undefined;
  globs: { glob: string; node: WordNode }[] | undefined;
  /** Any rest may follow. */
  rest: RuleSlot | undefined;
  /** Nothing follows. */
  exact: RuleSlot | undefined;
};

function newWordNode(): WordNode {
  return { kids: undefined, globs: undefined, rest: undefined, exact: undefined };
}

function addCommand(root: WordNode, pattern: CommandPattern, rule: CompiledRule): void {
  let node = root;
  for (const word of pattern.words) node = isGlob(word) ? globKid(node, word) : wordKid(node, word);
  if (pattern.rest) node.rest ??= newSlot();
  else node.exact ??= newSlot();
  addTo((pattern.rest ? node.rest : node.exact) as RuleSlot, rule);
}

function wordKid(node: WordNode, word: string): WordNode {
  node.kids ??= new Map();
  let kid = node.kids.get(word);
  if (kid === undefined) {
    kid = newWordNode();
    node.kids.set(word, kid);
  }
  return kid;
}

function globKid(node: WordNode, glob: string): WordNode {
  node.globs ??= [];
  const found = node.globs.find((kid) => kid.glob === glob);
  if (found !== undefined) return found.node;
  const kid = newWordNode();
  node.globs.push({ glob, node: kid });
  return kid;
}

export type DomainIndex = { exact: Map<string, RuleSlot>; below: Map<string, RuleSlot>; any: RuleSlot | undefined };

function newDomainIndex(): DomainIndex {
  return { exact: new Map(), below: new Map(), any: undefined };
}

function addDomain(index: DomainIndex, pattern: DomainPattern, rule: CompiledRule): void {
  if (pattern.is === "any") index.any ??= newSlot();
  addTo(pattern.is === "any" ? (index.any as RuleSlot) : slotIn(index[pattern.is], pattern.domain), rule);
}
