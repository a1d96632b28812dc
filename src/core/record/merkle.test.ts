import { expect, test } from "vitest";
import { type Hash, sha256 } from "../values/hash.ts";
import { besideWay, climb, EMPTY_ROOT, grow, leafHash, nodeHash, rootOf } from "./merkle.ts";

const leaves = (count: number): Hash[] => Array.from({ length: count }, (_, i) => sha256(`entry ${i}`));

/** The definition of RFC 6962, section 2.1, word for word. */
function naiveRoot(of: readonly Hash[]): string {
  if (of.length === 0) return EMPTY_ROOT;
  const [only] = of;
  if (of.length === 1 && only !== undefined) return leafHash(only);
  let k = 1;
  while (k * 2 < of.length) k *= 2;
  return nodeHash(naiveRoot(of.slice(0, k)), naiveRoot(of.slice(k)));
}

function edgeOf(leaves: readonly Hash[]): readonly string[] {
  const edge: string[] = [];
  for (const [size, leaf] of leaves.entries()) grow(edge, size, leaf);
  return edge;
}

test("the root of the empty tree is the hash of no bytes, as in RFC 6962", () => {
  expect(rootOf([])).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("the root computed from the edge equals the root of a naive tree, at every size up to 130", () => {
  for (let size = 0; size <= 130; size++) expect(rootOf(edgeOf(leaves(size)))).toBe(naiveRoot(leaves(size)));
});

test("the edge of n leaves has one hash for each bit that is set in n", () => {
  for (let size = 0; size <= 130; size++) {
    expect(edgeOf(leaves(size)).length).toBe([...size.toString(2)].filter((bit) => bit === "1").length);
  }
});

const besideIn = (of: readonly Hash[], leaf: number) =>
  besideWay(leaf, of.length).map(({ from, count }) => naiveRoot(of.slice(from, from + count)));

test("in every tree of up to 33 leaves, the proof of a leaf gives the root for its own position and for no other", () => {
  for (let size = 1; size <= 33; size++) {
    const of = leaves(size);
    for (let leaf = 0; leaf < size; leaf++) {
      const beside = besideIn(of, leaf);
      const hash = of[leaf] ?? "sha256:";
      expect(climb(hash, { leaf, size }, beside)).toBe(naiveRoot(of));
      expect(climb(sha256("another"), { leaf, size }, beside)).not.toBe(naiveRoot(of));
      if (size > 1) expect(climb(hash, { leaf: (leaf + 1) % size, size }, beside)).not.toBe(naiveRoot(of));
      expect(climb(hash, { leaf, size }, [...beside, naiveRoot(of)])).toBeUndefined();
      expect(climb(hash, { leaf: size, size }, beside)).toBeUndefined();
    }
  }
});

test("a proof in a tree of a million leaves has twenty hashes", () => {
  expect(besideWay(777_777, 1_000_000)).toHaveLength(20);
});
