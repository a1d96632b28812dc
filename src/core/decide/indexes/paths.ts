import { isGlob } from "../../values/glob.ts";
import type { CompiledRule } from "../compiled.ts";
import { addTo, newSlot, type RuleSlot } from "./slot.ts";

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

export function newPathNode(): PathNode {
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
export function isSure(segments: readonly string[]): boolean {
  const rest = segments.slice(literalLength(segments));
  if (rest.length === 0 || (rest.length === 1 && rest[0] === "**")) return true;
  const last = rest[1] ?? "";
  if (rest.length === 3 && rest[0] === "**" && !isGlob(last) && rest[2] === "**") return true;
  return rest.length === 2 && rest[0] === "**" && (!isGlob(last) || endingOf(last) !== undefined);
}

export function addPath(root: PathNode, segments: readonly string[], rule: CompiledRule): void {
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

export function slotIn(map: Map<string, RuleSlot>, key: string): RuleSlot {
  let slot = map.get(key);
  if (slot === undefined) {
    slot = newSlot();
    map.set(key, slot);
  }
  return slot;
}
