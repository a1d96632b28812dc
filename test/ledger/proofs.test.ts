import fc from "fast-check";
import { expect, test } from "vitest";
import { climb, grow, leafHash, rootOf } from "../../src/core/record/merkle.ts";
import { type Hash, sha256 } from "../../src/core/values/hash.ts";
import { consistencyProof, inclusionProof, verifyConsistency, verifyInclusion } from "./proofs.ts";

const leaves = (count: number): Hash[] => Array.from({ length: count }, (_, i) => sha256(`entry ${i}`));

/** The root that a checkpoint over these entries would sign. */
function signedRoot(signed: readonly Hash[]): string {
  const edge: string[] = [];
  for (const [size, leaf] of signed.entries()) grow(edge, size, leaf);
  return rootOf(edge);
}

const nodesOf = (of: readonly Hash[]) => (level: number, place: number) =>
  signedRoot(of.slice(place * 2 ** level, (place + 1) * 2 ** level));

test("every leaf of every tree of up to 33 leaves is proved to be in it at its position, and at no other", () => {
  for (let size = 1; size <= 33; size++) {
    const of = leaves(size);
    for (let index = 0; index < size; index++) {
      const proof = inclusionProof(index, size, nodesOf(of));
      const claim = { leaf: leafHash(of[index] ?? "sha256:"), index, size, root: signedRoot(of), proof };
      expect(verifyInclusion(claim)).toBe(true);
      // The gate's own proof of an entry is checked in the same way.
      expect(climb(of[index] ?? "sha256:", { leaf: index, size }, proof)).toBe(claim.root);
      expect(verifyInclusion({ ...claim, leaf: leafHash(sha256("another")) })).toBe(false);
      if (size > 1) expect(verifyInclusion({ ...claim, index: (index + 1) % size })).toBe(false);
      expect(verifyInclusion({ ...claim, proof: [...proof, proof[0] ?? claim.leaf] })).toBe(false);
      expect(verifyInclusion({ ...claim, index: size })).toBe(false);
    }
  }
});

test("for every tree of up to 33 leaves, every earlier state is proved to be its beginning, and no other tree is", () => {
  const other = [sha256("another"), ...leaves(33).slice(1)];
  for (let size = 1; size <= 33; size++) {
    for (let from = 0; from <= size; from++) {
      const proof = consistencyProof(from, size, nodesOf(leaves(size)));
      const claim = { from, fromRoot: signedRoot(leaves(from)), size, root: signedRoot(leaves(size)), proof };
      expect(verifyConsistency(claim)).toBe(true);
      if (from > 0) expect(verifyConsistency({ ...claim, fromRoot: signedRoot(other.slice(0, from)) })).toBe(false);
      expect(verifyConsistency({ ...claim, proof: [...proof, claim.root] })).toBe(false);
      expect(verifyConsistency({ ...claim, from: size + 1 })).toBe(false);
    }
  }
});

test("a proof with a changed or missing hash is not valid", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 200 }), fc.nat(), fc.nat(), (size, at, which) => {
      const of = leaves(size);
      const index = at % size;
      const proof = inclusionProof(index, size, nodesOf(of));
      const claim = { leaf: leafHash(of[index] ?? "sha256:"), index, size, root: signedRoot(of) };
      const place = which % proof.length;
      const changed = proof.with(place, sha256("forged").slice("sha256:".length));
      return (
        verifyInclusion({ ...claim, proof }) &&
        !verifyInclusion({ ...claim, proof: changed }) &&
        !verifyInclusion({ ...claim, proof: proof.toSpliced(place, 1) })
      );
    }),
    { numRuns: 60 },
  );
});

test("a proof over a million entries is smaller than two kilobytes", () => {
  const proof = inclusionProof(777_777, 1_000_000, () => "0".repeat(64));
  expect(proof.length * 32).toBeLessThanOrEqual(2048);
});
