import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Change } from "../../src/core/change.ts";
import type { EntryDraft, EntryKind } from "../../src/core/ledger.ts";
import { foldTrust, startTrust, type TrustRecord } from "../../src/core/trust/trust.ts";
import type { Store } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { TRACKS_OF_VERSION_10 } from "../fixtures/databases.ts";
import { change, draftOf, sealer } from "../fixtures/rows.ts";

// The law of the track records: what a store keeps equals the counts of its ledger's entries.

const folder = mkdtempSync(join(tmpdir(), "leeway-tracks-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SINGLE: readonly EntryKind[] = [
  "execution.succeeded",
  "execution.failed",
  "execution.unknown",
  "execution.lapsed",
  "execution.reconciled",
  "pause.set",
];
const LATER: readonly EntryKind[] = [
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
  "approval.reopened",
];

type Made = {
  kind: EntryKind;
  whose: number;
  outcome?: string;
  approval?: number;
  body?: EntryDraft["body"];
  byPerson?: boolean;
};

/** A question has one beginning; everything after it may come in any order. */
const step: fc.Arbitrary<readonly Made[]> = fc.oneof(
  fc
    .record({
      whose: fc.nat(5),
      outcome: fc.constantFrom("run", "denied", "not_executed"),
      isAbout: fc.boolean(),
      approval: fc.nat(3),
    })
    .map(({ isAbout, approval, ...one }) => [
      { kind: "call.decided" as const, ...one, ...(isAbout ? { approval } : {}) },
    ]),
  fc.record({ whose: fc.nat(5), outcome: fc.constantFrom("pending", "denied") }).map(({ whose, outcome }) => [
    { kind: "call.decided" as const, whose, outcome, approval: -1 },
    { kind: "approval.opened" as const, whose, approval: -1 },
  ]),
  fc
    .record({ kind: fc.constantFrom(...LATER), whose: fc.nat(5), approval: fc.nat(3), byPerson: fc.boolean() })
    .map((one) => [one]),
  fc
    .record({
      kind: fc.constantFrom(...SINGLE),
      whose: fc.nat(5),
      body: fc.constantFrom({ outcome: "succeeded" }, { outcome: "failed", calls: 3 }),
    })
    .map((one) => [one]),
);

const NAMES = ["coder", "🦊", 'co"der', "x\u0000y"];
const T0 = Date.UTC(2026, 0, 1);

/** The Changes, and the questions named in the order in which they are opened. */
function changesOf(steps: readonly (readonly Made[])[], workspace: string): readonly Change[] {
  let opened = 0;
  let salts = 0;
  return steps.map((made, at) => {
    if (made.some(({ approval }) => approval === -1)) opened += 1;
    const entries = made.map(({ kind, whose, outcome, approval, body, byPerson }) =>
      draftOf({
        kind,
        actor: byPerson ? "person:ana" : "leeway",
        subject: {
          agent: NAMES[whose % 4] ?? "",
          class: whose < 3 ? "fs.write" : "fs.delete",
          ...(whose === 5 ? {} : { tool: `tool ${whose}` }),
          ...(outcome === undefined ? {} : { outcome }),
          ...(approval === undefined
            ? {}
            : { approval: `apr_${workspace}_${approval === -1 ? opened : Math.max(opened - approval, 0)}` }),
        },
        body: body ?? {},
        salt: (salts++).toString(16).padStart(32, "0"),
      }),
    );
    return change({ workspace, atMs: T0 + at * 7, entries });
  });
}

async function folded(store: Store, workspace: string): Promise<readonly TrustRecord[]> {
  const fold = startTrust();
  const all = await store.read({ ask: "entries", workspace, where: {}, limit: 1_000, order: "oldest" });
  for (const entry of all) foldTrust(fold, entry);
  return [...fold.records.values()];
}

test("the records in a store equal the counts of its ledger, however Changes were combined", async () => {
  const path = join(folder, "law.db");
  const [memory, sqlite, other] = [memoryStore(), sqliteStore(path, { sealer }), sqliteStore(path, { sealer })];
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), fc.nat(4), async (steps, group) => {
      const workspace = `w${runs++}`;
      const changes = changesOf(steps, workspace);
      for (const one of changes) await memory.commit(one);
      // Another process writes in between, so that remembered data must be read again.
      for (let i = 0; i < changes.length; i += group + 1) {
        const store = i % 3 === 0 ? other : sqlite;
        await Promise.all(changes.slice(i, i + group + 1).map((one) => store.commit(one)));
      }
      const law = await folded(memory, workspace);
      expect(await memory.read({ ask: "trust", workspace })).toEqual(law);
      expect(await sqlite.read({ ask: "trust", workspace })).toEqual(law);
      const own = law.filter(({ agent }) => agent === "🦊");
      expect(await sqlite.read({ ask: "trust", workspace, agent: "🦊" })).toEqual(own);
    }),
    { numRuns: 60 },
  );
  await sqlite.close();
  await other.close();
  // The same ledgers, as an older database has them: nothing was counted yet.
  const kept = openDatabase(path);
  const before = kept.prepare("select space, row from tracks order by place").all();
  kept.exec(`${TRACKS_OF_VERSION_10} pragma user_version = 10`);
  kept.close();
  const again = sqliteStore(path, { sealer });
  for (let i = 0; i < runs; i++) {
    const workspace = `w${i}`;
    expect(await again.read({ ask: "trust", workspace })).toEqual(await folded(memory, workspace));
  }
  await again.close();
  const counted = openDatabase(path);
  const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(sorted(counted.prepare("select space, row from tracks order by place").all())).toEqual(sorted(before));
  expect(counted.prepare("select name from sqlite_schema where name = 'tracking'").get()).toBeUndefined();
  counted.close();
});

test("an interrupted count of older entries continues where it stopped", async () => {
  const path = join(folder, "long.db");
  const store = sqliteStore(path, { sealer });
  const steps = Array.from({ length: 120 }, (_, i): Made[] =>
    Array.from({ length: 100 }, () => ({ kind: "call.decided", whose: i % 4, outcome: "run" })),
  );
  await Promise.all(changesOf(steps, "w").map((one) => store.commit(one)));
  const law = await store.read({ ask: "trust", workspace: "w" });
  await store.close();
  const old = openDatabase(path);
  old.exec(`${TRACKS_OF_VERSION_10} pragma user_version = 10`);
  old.close();
  const stopped = sqliteStore(path, {
    sealer,
    onProgress: (done) => {
      if (done > 5_000) throw new Error("interrupted");
    },
  });
  await expect(stopped.read({ ask: "trust", workspace: "w" })).rejects.toThrow("interrupted");
  const again = sqliteStore(path, { sealer });
  expect(await again.read({ ask: "trust", workspace: "w" })).toEqual(law);
  expect(law.reduce((sum, { calls }) => sum + calls, 0)).toBe(12_000);
  await again.close();
});
