import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { claim, settle } from "../../src/gate/calls/claim.ts";
import { eraseBody, listEntries, verifyLedger } from "../../src/gate/record/ledger.ts";
import { tick } from "../../src/gate/time/tick.ts";
import type { Store } from "../../src/ports.ts";
import { openDatabase } from "../../src/store/sqlite/file/driver.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { sealer } from "../fixtures/rows.ts";
import { type Office, office } from "../verbs/kit.ts";

// Checks that erased content is gone: from the bytes of the file, and from everything that a seal still contains.

let folder = "";
let store: Store;
let o: Office;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "leeway-erasing-"));
  store = sqliteStore(join(folder, "leeway.db"), { sealer });
  o = await office(undefined, { store });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const yes = { by: "ana", assurance: "tty", because: "it named a customer" } as const;
const bytes = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));

/** Everything that was recorded about a call. */
async function eraseAll(call: string): Promise<void> {
  for (const { index, kind } of await listEntries(o.deps, { subject: { call } }, { limit: 99, order: "oldest" })) {
    if (kind.startsWith("approval.")) continue;
    expect(await eraseBody(o.deps, index, yes)).toMatchObject({ ok: true });
  }
}

/** The opened content of every seal in the database. */
function secrets(): string {
  const db = openDatabase(join(folder, "leeway.db"), { readOnly: true });
  const found = db.prepare("select place, text from seals").all();
  db.close();
  return found.map(({ place, text }) => sealer.open(String(text) as "sealed:", `seal ${place}`)).join("\n");
}

async function settled(id: string | undefined, result: string): Promise<void> {
  const right = await o.execution(id);
  if (!("attempt" in right)) throw new Error(`it is ${right.state}`);
  const done = await settle(o.deps, right.id, { attempt: right.attempt, by: "caller", ending: { ok: true, result } });
  expect(done.ok).toBe(true);
}

test("after many calls were settled and erased, no claim, argument or result of them is left", async () => {
  const calls: string[] = [];
  for (let i = 0; i < 40; i++) {
    const claims = { goal: `find the diagnosis of patient-${i}-Miller` };
    const { id, executionId } = await o.submit("lookup", { q: `argument-${i}-` }, { claims });
    await settled(executionId, `result-${i}-`);
    calls.push(id);
  }
  expect(secrets()).toContain("argument-7-");
  for (const id of calls) await eraseAll(id);
  const kept = bytes().join();
  const left = calls.filter((_, i) => kept.includes(`patient-${i}-Miller`));
  expect(left).toEqual([]);
  expect(secrets()).not.toMatch(/argument-|result-/);
  expect(await verifyLedger(o.deps)).toMatchObject({ ok: true });
});

test("arguments that were asked about again under the same id, and the result of each execution, are erased too", async () => {
  const first = await o.submit("refund", { to: "FIRST" }, { callId: "c-1" });
  const [second] = await Promise.all([
    o.submit("refund", { to: "SECOND" }, { callId: "c-1" }),
    o.submit("refund", { to: "OTHER" }, { callId: "c-2" }),
  ]);
  await o.deny(second.approvalId);
  const handed = { hands: true };
  const one = await o.submit("lookup", { q: 1 }, { callId: "c-3" }, handed);
  await settled(one.executionId, "LEFT BY ONE");
  const two = await o.submit("lookup", { q: 2 }, { callId: "c-4" }, handed);
  const again = await o.submit("lookup", { q: 2 }, { callId: "c-4" }, handed);
  await settled(two.executionId, "LEFT BY TWO");
  await settled(again.executionId, "LEFT BY AGAIN");
  for (const id of [first.id, one.id, two.id]) await eraseAll(id);
  expect(secrets()).not.toMatch(/FIRST|SECOND|LEFT BY/);
  expect(secrets()).toContain("OTHER");
});

test("what is recorded about a call after its erasure is not kept", async () => {
  const { id, executionId } = await o.submit("save", { a: "x" });
  o.clock.advance(2 * 60_000);
  await tick(o.deps);
  await eraseAll(id);
  await settled(executionId, "LATE");
  expect(secrets()).not.toContain("LATE");
  expect(await o.execution(executionId)).not.toHaveProperty("result");
});

test("if two calls share a question, erasing one keeps the result of the other", async () => {
  const first = await o.submit("refund", { n: 1 }, { callId: "c-1" });
  const second = await o.submit("refund", { n: 1 }, { callId: "c-2" });
  expect(second.approvalId).toBe(first.approvalId);
  const done = await o.approve(first.approvalId);
  const id = done.ok && done.value.state === "approved" ? done.value.executionId : "";
  expect(await claim(o.deps, id, "caller")).toMatchObject({ ok: true });
  await settled(id, "LEFT");
  const right = await o.execution(id);
  const other = [first.id, second.id].find((call) => call !== right.call) ?? "";
  await eraseAll(other);
  expect(secrets()).toContain("LEFT");
  await eraseAll(right.call);
  expect(secrets()).not.toContain("LEFT");
});

test("secrets that are too many for one seal are stored in several, and each can be opened", async () => {
  const many = Array.from({ length: 6 }, (_, i) => o.submit("lookup", { text: `${i}`.repeat(100_000) }));
  const receipts = await Promise.all(many);
  const opened = await Promise.all(receipts.map(async ({ id }) => (await o.callRow(id)).args.open()[10]));
  expect(opened).toEqual(["0", "1", "2", "3", "4", "5"]);
  const db = openDatabase(join(folder, "leeway.db"), { readOnly: true });
  expect(Number(db.prepare("select max(length(text)) as n from seals").get()?.["n"])).toBeLessThan(500_000);
  db.close();
});

test("an execution that somebody made unreadable does not keep questions from expiring", async () => {
  await o.submit("save", { a: 1 });
  const { approvalId } = await o.submit("refund", { n: 1 });
  const db = openDatabase(join(folder, "leeway.db"));
  db.exec("update calls set execution = 'x', wake_ms = 1 where execution is not null");
  db.close();
  o.clock.advance(2 * 60 * 60_000);
  await tick(o.deps);
  expect((await o.approval(approvalId)).state).toBe("expired");
});
