import { expect, test } from "vitest";
import { entryHashOf } from "../../src/core/ledger.ts";
import { inEnglish } from "../../src/core/messages/text.ts";
import { verifyLines } from "../../src/gate/record/ledger.ts";
import { chanceOf, ledgerOf, linesOf, noteOver, testSigner } from "./chains.ts";
import { rechained, TAMPERS } from "./tampering.ts";

const TIMES = process.env["LEEWAY_PROVE"] === undefined ? 2_000 : 100_000;
const LEDGERS = 200;
const ledgers = Array.from({ length: LEDGERS }, (_, seed) => ledgerOf(chanceOf(seed), 5 + (seed % 30)));

test("every unchanged ledger is valid, also with erased bodies", async () => {
  for (let seed = 0; seed < LEDGERS; seed++) {
    const entries = ledgerOf(chanceOf(seed), seed % 40);
    const verified = await verifyLines(linesOf(entries), { notes: [] });
    expect(verified).toMatchObject({ ok: true, entries: entries.length, hash: entries.at(-1)?.hash ?? null });
  }
});

test(`${TIMES} random edits, deletions, insertions and swaps are all detected, with the exact index of the first bad entry`, async () => {
  const wrong: unknown[] = [];
  const tried = new Map<string, number>();
  for (let seed = 0; [...tried.values()].reduce((a, b) => a + b, 0) < TIMES; seed++) {
    const chance = chanceOf(seed);
    const entries = ledgers[seed % LEDGERS] ?? [];
    const [how, tamper] = chance.of(TAMPERS);
    const tampered = tamper(entries, chance);
    if (tampered === undefined) continue;
    tried.set(how, (tried.get(how) ?? 0) + 1);
    const verified = await verifyLines(linesOf(tampered.entries), { notes: [] });
    if (verified.ok || verified.fault.index !== tampered.firstBad) wrong.push({ seed, verified, ...tampered, how });
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect([...tried.keys()].sort()).toEqual(TAMPERS.map(([how]) => how).sort());
});

test("a ledger whose end was cut off is detected with a signed checkpoint, at the first missing index", async () => {
  const signer = testSigner();
  for (let seed = 0; seed < 200; seed++) {
    const chance = chanceOf(seed);
    const entries = ledgerOf(chance, 2 + chance.int(40));
    const size = 1 + chance.int(entries.length);
    const notes = [noteOver(entries, size, signer)];
    const left = chance.int(size);
    const verified = await verifyLines(linesOf(entries.slice(0, left)), { notes, key: signer });
    expect(verified).toMatchObject({ ok: false, fault: { index: left + 1, is: "truncated" } });
    expect(await verifyLines(linesOf(entries), { notes, key: signer })).toMatchObject({ ok: true, checkpoints: 1 });
  }
});

test("a ledger that was rolled back and grew again does not match the checkpoint", async () => {
  const signer = testSigner();
  for (let seed = 0; seed < 100; seed++) {
    const chance = chanceOf(seed);
    const entries = ledgerOf(chance, 10 + chance.int(20));
    const notes = [noteOver(entries, entries.length, signer)];
    const back = chance.int(entries.length - 1);
    const other = rechained(entries, back);
    const verified = await verifyLines(linesOf(other), { notes, key: signer });
    expect(verified).toMatchObject({ ok: false, fault: { index: 1, upTo: entries.length, is: "checkpoint" } });
  }
});

test("a ledger rewritten with new hashes is consistent, but matches no checkpoint", async () => {
  const signer = testSigner();
  for (let seed = 0; seed < 200; seed++) {
    const chance = chanceOf(seed);
    const entries = ledgerOf(chance, 12 + chance.int(30));
    const sizes = [4, 8, 12];
    const notes = sizes.map((size) => noteOver(entries, size, signer));
    const at = chance.int(12);
    const other = rechained(entries, at);
    const before = sizes.filter((size) => size <= at).at(-1) ?? 0;
    expect((await verifyLines(linesOf(other), { notes: [] })).ok).toBe(true);
    // The range between the last checkpoint that matches and the first that does not.
    expect(await verifyLines(linesOf(other), { notes, key: signer })).toMatchObject({
      ok: false,
      fault: { index: before + 1, upTo: before + 4, is: "checkpoint" },
    });
  }
});

test("another valid ledger is not accepted as the signed one", async () => {
  const signer = testSigner();
  const [mine, other] = [ledgerOf(chanceOf(1), 20), ledgerOf(chanceOf(2), 30)];
  const notes = [noteOver(mine, 20, signer)];
  expect((await verifyLines(linesOf(other), { notes, key: signer })).ok).toBe(false);
  expect((await verifyLines([], { notes, key: signer })).ok).toBe(false);
});

test("a checkpoint signed by another key, or for another workspace, is not accepted", async () => {
  const [signer, other] = [testSigner(), testSigner()];
  const entries = ledgerOf(chanceOf(3), 10);
  const notes = [noteOver(entries, 10, other)];
  const verdict = await verifyLines(linesOf(entries), { notes, key: signer });
  expect(verdict).toMatchObject({ ok: false, fault: { index: 0, is: "checkpoint" } });
  const elsewhere = [noteOver(ledgerOf(chanceOf(3), 10, "shop"), 10, signer)];
  expect(inEnglish(await verifyLines(linesOf(entries), { notes: elsewhere, key: signer }))).toMatchObject({
    fault: { index: 0, why: "a checkpoint is not valid: it is a checkpoint of another ledger: leeway/shop" },
  });
  expect((await verifyLines(linesOf(entries), { notes })).ok).toBe(false);
});

test("a broken or foreign line is reported as the first bad line", async () => {
  const lines = linesOf(ledgerOf(chanceOf(4), 10));
  const torn = lines.with(6, lines[6]?.slice(0, 40) ?? "");
  expect(await verifyLines(torn, { notes: [] })).toMatchObject({ ok: false, fault: { index: 7, is: "shape" } });
  expect(await verifyLines(lines.with(0, "[]"), { notes: [] })).toMatchObject({ fault: { index: 1, is: "shape" } });
});

test("entries that are not in order of time are detected, even if every hash was computed again", async () => {
  const entries = ledgerOf(chanceOf(5), 10);
  const last = entries[9];
  if (last === undefined) throw new Error("the ledger is too short");
  const early = { ...last, atMs: 5 };
  const lines = linesOf(entries.with(9, { ...early, hash: entryHashOf(early) }));
  expect(await verifyLines(lines, { notes: [] })).toMatchObject({ ok: false, fault: { index: 10, is: "time" } });
});
