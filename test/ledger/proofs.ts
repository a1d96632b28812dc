import { EMPTY_ROOT, nodeHash } from "../../src/core/record/merkle.ts";

// Proofs about a tree of RFC 6962, made and checked as an auditor's own tool would do it: what the gate signs must work
// with them.

/** How a proof names the nodes of the tree: a level above the leaves, and a position in it. */
export type NodeAt = (level: number, place: number) => string;

/** Hashes that lead from one leaf up to the root of the first `size` leaves. */
export function inclusionProof(index: number, size: number, nodeAt: NodeAt): readonly string[] {
  return path(index, 0, size, nodeAt);
}

/** Hashes that prove that the first `from` leaves are the beginning of the first `size`. */
export function consistencyProof(from: number, size: number, nodeAt: NodeAt): readonly string[] {
  return from === 0 || from === size ? [] : subproof(from, 0, size, nodeAt, "whole");
}

export function verifyInclusion(claim: {
  leaf: string;
  index: number;
  size: number;
  root: string;
  proof: readonly string[];
}): boolean {
  if (claim.index < 0 || claim.index >= claim.size) return false;
  const steps = claim.proof.slice();
  const root = climb(claim.leaf, claim.index, claim.size, steps);
  return steps.length === 0 && root === claim.root;
}

export function verifyConsistency(claim: {
  from: number;
  fromRoot: string;
  size: number;
  root: string;
  proof: readonly string[];
}): boolean {
  const { from, size } = claim;
  if (from < 0 || from > size) return false;
  if (from === 0) return claim.proof.length === 0 && claim.fromRoot === EMPTY_ROOT;
  if (from === size) return claim.proof.length === 0 && claim.fromRoot === claim.root;
  const steps = claim.proof.slice();
  const roots = bothRoots(from, size, steps, { whole: true, fromRoot: claim.fromRoot });
  return roots !== undefined && steps.length === 0 && roots.old === claim.fromRoot && roots.now === claim.root;
}

/** The largest power of two smaller than `count`. */
function split(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

function path(index: number, start: number, count: number, nodeAt: NodeAt): string[] {
  if (count === 1) return [];
  const left = split(count);
  return index < left
    ? [...path(index, start, left, nodeAt), subtree(start + left, count - left, nodeAt)]
    : [...path(index - left, start + left, count - left, nodeAt), subtree(start, left, nodeAt)];
}

function subproof(from: number, start: number, count: number, nodeAt: NodeAt, part: "whole" | "inner"): string[] {
  if (from === count) return part === "whole" ? [] : [subtree(start, count, nodeAt)];
  const left = split(count);
  return from <= left
    ? [...subproof(from, start, left, nodeAt, part), subtree(start + left, count - left, nodeAt)]
    : [...subproof(from - left, start + left, count - left, nodeAt, "inner"), subtree(start, left, nodeAt)];
}

/** The hash of the leaves from `start`; a perfect subtree is one node. */
function subtree(start: number, count: number, nodeAt: NodeAt): string {
  const level = Math.log2(count);
  if (Number.isInteger(level)) return nodeAt(level, start / count);
  const left = split(count);
  return nodeHash(subtree(start, left, nodeAt), subtree(start + left, count - left, nodeAt));
}

function climb(leaf: string, index: number, count: number, steps: string[]): string | undefined {
  if (count === 1) return leaf;
  const left = split(count);
  const inLeft = index < left;
  const below = inLeft ? climb(leaf, index, left, steps) : climb(leaf, index - left, count - left, steps);
  const beside = steps.shift();
  if (below === undefined || beside === undefined) return undefined;
  return inLeft ? nodeHash(below, beside) : nodeHash(beside, below);
}

/** Both roots at once, the older and the newer, from the same steps. */
function bothRoots(
  from: number,
  count: number,
  steps: string[],
  at: { whole: boolean; fromRoot: string },
): { old: string; now: string } | undefined {
  if (from === count) {
    const node = at.whole ? at.fromRoot : steps.shift();
    return node === undefined ? undefined : { old: node, now: node };
  }
  const left = split(count);
  if (from <= left) {
    const below = bothRoots(from, left, steps, at);
    const right = steps.shift();
    return below === undefined || right === undefined ? undefined : { old: below.old, now: nodeHash(below.now, right) };
  }
  const below = bothRoots(from - left, count - left, steps, { ...at, whole: false });
  const before = steps.shift();
  return below === undefined || before === undefined
    ? undefined
    : { old: nodeHash(before, below.old), now: nodeHash(before, below.now) };
}
