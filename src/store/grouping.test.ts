import { expect, test } from "vitest";
import { change } from "../../test/fixtures/rows.ts";
import type { Change, Committed } from "../core/change.ts";
import { groupCommits } from "./grouping.ts";

const CALLERS = 64;

/** Callers that need the processor for so long before each commit, and a database elsewhere that takes so long. */
async function batches({ callerMs, databaseMs, rounds }: { callerMs: number; databaseMs: number; rounds: number }) {
  const sizes: number[] = [];
  const { commit } = groupCommits<Change>({
    isElsewhere: true,
    prepare: (one) => one,
    apply: async (batch) => {
      const taken = batch();
      await new Promise((resolve) => setTimeout(resolve, databaseMs));
      sizes.push(taken.length);
      return taken.map(({ atMs }): Committed => ({ ok: true, firstIndex: atMs }));
    },
    applied: () => undefined,
  });
  let next = 0;
  const caller = async () => {
    for (let round = 0; round < rounds; round++) {
      for (const untilMs = performance.now() + callerMs; performance.now() < untilMs; );
      const atMs = next++;
      expect(await commit(change({ atMs }))).toEqual({ ok: true, firstIndex: atMs });
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(CALLERS * rounds);
  return sizes;
}

test("while the process is busier than the database, half of the callers decide and the other half is committed", async () => {
  const sizes = await batches({ callerMs: 0.3, databaseMs: 1, rounds: 30 });
  const halves = sizes.slice(20).filter((size) => size <= CALLERS / 2);
  expect(halves.length).toBeGreaterThan(sizes.slice(20).length / 2);
});

test("while the process waits for the database, all callers share a transaction", async () => {
  expect(await batches({ callerMs: 0, databaseMs: 100, rounds: 8 })).toEqual(Array.from({ length: 8 }, () => CALLERS));
});
