import type { Target } from "../effect.ts";
import { globMatches, isWildName, wildAt } from "../values/glob.ts";
import { nextWord, programOf } from "./patterns.ts";
import type { DomainIndex, PathNode, RuleIndex, RuleSlot, WordNode } from "./rule-index.ts";

// Finds the rules that may match a target. The cost depends on the length of the target, not on the number of rules.

/** Nothing is allocated until a rule is found: most targets match no rule. */
export type FoundSlots = RuleSlot[] | undefined;

/**
 * The index slots with rules about this target and one of `classes`. A command without a program (a bare redirection,
 * an assignment, an empty text) has no words: only `command: "*"` is about it.
 */
export function slotsAt(
  { paths, commands, domains }: RuleIndex,
  target: Target,
  classes: number,
  by: { givesCommands: boolean },
): FoundSlots {
  switch (target.kind) {
    case "path":
      return paths === undefined ? undefined : onPath(paths, target.path, classes);
    case "command":
      return commands === undefined ? undefined : onCommand(commands, target.words, classes);
    case "domain":
      return domains === undefined ? undefined : onDomain(domains, target.domain, classes);
    case "tool": {
      const isCommand = target.tool === "" || by.givesCommands;
      return commands === undefined || !isCommand ? undefined : met(undefined, commands.rest, classes);
    }
  }
}

/** Whether a shell may put other paths in place of the target. */
export function isPattern(target: Target | undefined): boolean {
  return target?.kind === "path" && target.exact !== true && isWildName(target.path);
}

/**
 * A recursive target also touches what is below it, and a target with wildcards touches what they stand for. Rules
 * about that can make the decision stricter, but not looser.
 */
export function slotsBelow({ paths }: RuleIndex, target: Target, classes: number): FoundSlots {
  if (target.kind !== "path" || paths === undefined) return undefined;
  const wild = target.exact === true ? -1 : wildAt(target.path);
  if (wild === -1 && !target.recursive) return undefined;
  const path = wild === -1 ? target.path : target.path.slice(0, target.path.lastIndexOf("/", wild) + 1);
  let found: FoundSlots;
  let node: PathNode | undefined = paths;
  let at = startOf(path);
  while (node !== undefined) {
    found = pending(found, node, classes);
    if (at >= path.length) {
      for (const kid of node.kids?.values() ?? []) found = everything(found, kid, classes);
      return found;
    }
    const end = segmentEnd(path, at);
    node = node.kids?.get(path.slice(at, end));
    at = end + 1;
  }
  return found;
}

function met(found: FoundSlots, slot: RuleSlot | undefined, classes: number): FoundSlots {
  if (slot === undefined || (slot.classes & classes) === 0) return found;
  if (found === undefined) return [slot];
  found.push(slot);
  return found;
}

function onPath(root: PathNode, path: string, classes: number): FoundSlots {
  let found: FoundSlots;
  let node: PathNode | undefined = root;
  let at = startOf(path);
  while (node !== undefined) {
    found = met(found, node.below, classes);
    if (at >= path.length) return met(found, node.exact, classes);
    found = further(found, node, path, at, classes);
    const end = segmentEnd(path, at);
    node = node.kids?.get(path.slice(at, end));
    at = end + 1;
  }
  return found;
}

function startOf(path: string): number {
  return path.charCodeAt(0) === SLASH ? 1 : 0;
}

function segmentEnd(path: string, at: number): number {
  const slash = path.indexOf("/", at);
  return slash < 0 ? path.length : slash;
}

/** Rules whose pattern continues after this node, found by other segments of the path. */
function further(found: FoundSlots, node: PathNode, path: string, at: number, classes: number): FoundSlots {
  const { tails, endings, middles } = node;
  let all = found;
  if (tails !== undefined || endings !== undefined) {
    const last = lastStart(path);
    if (tails !== undefined) all = met(all, tails.get(path.slice(last)), classes);
    if (endings !== undefined) {
      for (let dot = path.indexOf(".", last); dot >= 0; dot = path.indexOf(".", dot + 1)) {
        all = met(all, endings.get(path.slice(dot)), classes);
      }
    }
  }
  if (middles !== undefined) all = between(all, middles, path, at, classes);
  return met(all, node.loose, classes);
}

/** The start of the last segment. A hand-written loop, because `lastIndexOf` costs more than the rest of the search. */
function lastStart(path: string): number {
  let at = path.length;
  while (at > 0 && path.charCodeAt(at - 1) !== SLASH) at--;
  return at;
}

function between(
  found: FoundSlots,
  middles: Map<string, RuleSlot>,
  path: string,
  at: number,
  classes: number,
): FoundSlots {
  let all = found;
  if (middles.size <= FEW) {
    for (const [segment, slot] of middles) if (hasSegment(path, segment, at)) all = met(all, slot, classes);
    return all;
  }
  for (const segment of new Set(path.slice(at).split("/"))) all = met(all, middles.get(segment), classes);
  return all;
}

/** For so few segments it is cheaper to search each one in the path than to split the path. */
const FEW = 8;

function hasSegment(path: string, segment: string, from: number): boolean {
  for (let i = path.indexOf(segment, from); i >= 0; i = path.indexOf(segment, i + 1)) {
    const end = i + segment.length;
    const begins = i === from || path.charCodeAt(i - 1) === SLASH;
    if (begins && (end === path.length || path.charCodeAt(end) === SLASH)) return true;
  }
  return false;
}

function everything(found: FoundSlots, node: PathNode, classes: number): FoundSlots {
  let all = met(met(found, node.exact, classes), node.below, classes);
  all = pending(all, node, classes);
  for (const kid of node.kids?.values() ?? []) all = everything(all, kid, classes);
  return all;
}

function pending(found: FoundSlots, node: PathNode, classes: number): FoundSlots {
  let all = found;
  for (const slots of [node.tails, node.endings, node.middles]) {
    for (const slot of slots?.values() ?? []) all = met(all, slot, classes);
  }
  return met(all, node.loose, classes);
}

function onCommand(root: WordNode, words: readonly string[], classes: number): FoundSlots {
  const first = words[0];
  if (first === undefined) return undefined;
  return step(met(undefined, root.rest, classes), root, words, programOf(first), 0, classes);
}

function step(
  found: FoundSlots,
  node: WordNode,
  words: readonly string[],
  word: string,
  at: number,
  classes: number,
): FoundSlots {
  const kid = node.kids?.get(word);
  let all = kid === undefined ? found : arrive(found, kid, words, at, classes);
  if (node.globs === undefined) return all;
  for (const { glob, node: next } of node.globs) {
    if (globMatches(glob, word)) all = arrive(all, next, words, at, classes);
  }
  return all;
}

function arrive(found: FoundSlots, node: WordNode, words: readonly string[], at: number, classes: number): FoundSlots {
  const all = met(found, node.rest, classes);
  if (node.exact === undefined && node.kids === undefined && node.globs === undefined) return all;
  const next = nextWord(words, at + 1);
  const word = words[next];
  return word === undefined ? met(all, node.exact, classes) : step(all, node, words, word, next, classes);
}

function onDomain(index: DomainIndex, domain: string, classes: number): FoundSlots {
  let found = met(met(undefined, index.any, classes), index.exact.get(domain), classes);
  if (index.below.size === 0) return found;
  for (let from = 0; ; ) {
    found = met(found, index.below.get(from === 0 ? domain : domain.slice(from)), classes);
    const dot = domain.indexOf(".", from);
    if (dot < 0) return found;
    from = dot + 1;
  }
}

const SLASH = 47;
