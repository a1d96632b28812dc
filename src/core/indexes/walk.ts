import { type Gathering, gather } from "../gather.ts";
import { globMatches } from "../glob.ts";
import { nextWord, programOf } from "../words.ts";
import type { WordNode } from "./commands.ts";
import type { DomainIndex } from "./domains.ts";
import type { PathNode } from "./paths.ts";
import type { Slot } from "./slot.ts";

// The ways from a target to the rules that may match it. Each costs what the target is long, not what there are rules.

export function walkPath(g: Gathering, root: PathNode, recursive: boolean): void {
  const { path } = g;
  let node = root;
  let at = path.charCodeAt(0) === SLASH ? 1 : 0;
  for (;;) {
    const ended = at >= path.length;
    if (node.below !== undefined) gather(g, node.below);
    if (ended) {
      if (node.exact !== undefined) gather(g, node.exact);
    } else visitFurther(g, node, at);
    if (recursive) visitBelow(g, node, ended);
    if (ended || node.kids === undefined) return;
    const slash = path.indexOf("/", at);
    const kid = node.kids.get(slash < 0 ? path.slice(at) : path.slice(at, slash));
    if (kid === undefined) return;
    node = kid;
    at = slash < 0 ? path.length : slash + 1;
  }
}

/** Rules whose pattern goes on after this node, found by what else the path has. */
function visitFurther(g: Gathering, node: PathNode, at: number): void {
  const { path } = g;
  if (node.tails !== undefined || node.endings !== undefined) {
    const last = lastStart(path);
    const tail = node.tails?.get(path.slice(last));
    if (tail !== undefined) gather(g, tail);
    if (node.endings !== undefined) visitEndings(g, node.endings, last);
  }
  if (node.middles !== undefined) visitMiddles(g, node.middles, at);
  if (node.loose !== undefined) gather(g, node.loose);
}

function visitEndings(g: Gathering, endings: Map<string, Slot>, last: number): void {
  const { path } = g;
  for (let dot = path.indexOf(".", last); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const slot = endings.get(path.slice(dot));
    if (slot !== undefined) gather(g, slot);
  }
}

/** Where the last segment begins. Counted by hand, because `lastIndexOf` costs more than the rest of a walk. */
function lastStart(path: string): number {
  let at = path.length;
  while (at > 0 && path.charCodeAt(at - 1) !== SLASH) at--;
  return at;
}

function visitMiddles(g: Gathering, middles: Map<string, Slot>, at: number): void {
  if (middles.size <= FEW) {
    for (const [segment, slot] of middles) if (hasSegment(g.path, segment, at)) gather(g, slot);
    return;
  }
  const met = new Set(g.path.slice(at).split("/"));
  for (const segment of met) {
    const slot = middles.get(segment);
    if (slot !== undefined) gather(g, slot);
  }
}

/** Up to this many it is cheaper to look for each in the path than to cut the path up. */
const FEW = 8;

function hasSegment(path: string, segment: string, from: number): boolean {
  for (let i = path.indexOf(segment, from); i >= 0; i = path.indexOf(segment, i + 1)) {
    const after = i + segment.length;
    const begins = i === from || path.charCodeAt(i - 1) === SLASH;
    if (begins && (after === path.length || path.charCodeAt(after) === SLASH)) return true;
  }
  return false;
}

/** A recursive target also touches what lies below it: rules about that may tighten and never loosen. */
function visitBelow(g: Gathering, node: PathNode, ended: boolean): void {
  g.below = true;
  visitPending(g, node);
  if (ended) for (const kid of node.kids?.values() ?? []) visitAll(g, kid);
  g.below = false;
}

function visitAll(g: Gathering, node: PathNode): void {
  if (node.exact !== undefined) gather(g, node.exact);
  if (node.below !== undefined) gather(g, node.below);
  visitPending(g, node);
  for (const kid of node.kids?.values() ?? []) visitAll(g, kid);
}

function visitPending(g: Gathering, node: PathNode): void {
  for (const slots of [node.tails, node.endings, node.middles]) {
    for (const slot of slots?.values() ?? []) gather(g, slot);
  }
  if (node.loose !== undefined) gather(g, node.loose);
}

export function walkCommand(g: Gathering, root: WordNode): void {
  const first = g.words[0];
  if (first === undefined) return;
  if (root.rest !== undefined) gather(g, root.rest);
  step(g, root, programOf(first), 0);
}

function step(g: Gathering, node: WordNode, word: string, at: number): void {
  const kid = node.kids?.get(word);
  if (kid !== undefined) arrive(g, kid, at);
  if (node.globs === undefined) return;
  for (const { glob, node: globKid } of node.globs) if (globMatches(glob, word)) arrive(g, globKid, at);
}

function arrive(g: Gathering, node: WordNode, at: number): void {
  if (node.rest !== undefined) gather(g, node.rest);
  if (node.exact === undefined && node.kids === undefined && node.globs === undefined) return;
  const next = nextWord(g.words, at + 1);
  const word = g.words[next];
  if (word !== undefined) step(g, node, word, next);
  else if (node.exact !== undefined) gather(g, node.exact);
}

export function walkDomain(g: Gathering, index: DomainIndex, domain: string): void {
  if (index.any !== undefined) gather(g, index.any);
  const exact = index.exact.get(domain);
  if (exact !== undefined) gather(g, exact);
  if (index.below.size === 0) return;
  for (let from = 0; ; ) {
    const slot = index.below.get(from === 0 ? domain : domain.slice(from));
    if (slot !== undefined) gather(g, slot);
    const dot = domain.indexOf(".", from);
    if (dot < 0) return;
    from = dot + 1;
  }
}

const SLASH = 47;
