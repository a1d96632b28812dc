import { type Hash, sha256Hex } from "../values/hash.ts";

// RFC 6962: a tree over the hashes of the entries. Nodes are hex texts. A tree of n leaves is stored as its right
// edge, one perfect subtree per set bit of n, largest first. That is enough to add leaves and to compute the root.

export const EMPTY_ROOT = sha256Hex("");

export function leafHash(entryHash: Hash): string {
  return sha256Hex(`\0${entryHash}`);
}

const pair = Buffer.alloc(65, 1);

export function nodeHash(left: string, right: string): string {
  pair.write(left, 1, "hex");
  pair.write(right, 33, "hex");
  return sha256Hex(pair);
}

/** Adds a leaf to a tree of `size`; the edge is changed in place. It never has more than 53 hashes. */
export function grow(edge: string[], size: number, leaf: Hash): void {
  let node = leafHash(leaf);
  for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
    const left = edge.pop();
    if (left === undefined) throw new Error("the edge is shorter than its size (this is a bug)");
    node = nodeHash(left, node);
  }
  edge.push(node);
}

export function rootOf(edge: readonly string[]): string {
  return edge.length === 0 ? EMPTY_ROOT : edge.reduceRight((right, left) => nodeHash(left, right));
}

/** A range of leaves, counted from 0. */
export type Span = { from: number; count: number };

/**
 * The subtrees next to the path from one leaf to the root of the first `size` leaves, lowest first. Their roots are
 * the proof: twenty hashes for a million leaves.
 */
export function besideWay(leaf: number, size: number): readonly Span[] {
  const spans: Span[] = [];
  let [from, count] = [0, size];
  while (count > 1) {
    const left = largestBelow(count);
    const isLeft = leaf < from + left;
    spans.unshift(isLeft ? { from: from + left, count: count - left } : { from, count: left });
    [from, count] = isLeft ? [from, left] : [from + left, count - left];
  }
  return spans;
}

/** The root computed from a leaf and the roots next to its path; undefined if there are too many or too few. */
export function climb(
  entryHash: Hash,
  at: { leaf: number; size: number },
  beside: readonly string[],
): string | undefined {
  if (at.leaf < 0 || at.leaf >= at.size) return undefined;
  const spans = besideWay(at.leaf, at.size);
  if (spans.length !== beside.length) return undefined;
  return spans.reduce((node, { from }, step) => {
    const other = beside[step] ?? "";
    return from > at.leaf ? nodeHash(node, other) : nodeHash(other, node);
  }, leafHash(entryHash));
}

/** The largest power of two below a count. */
function largestBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}
