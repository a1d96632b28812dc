import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { carryOut, everything, policyOf, send, worldOf } from "../../test/ledger/world.ts";
import { openGate } from "../compose.ts";
import { openSeals } from "../config/signer.ts";
import { changeOf } from "../core/change.ts";
import { parseVerifierKey, verifierKeyOf } from "../core/record/checkpoint.ts";
import { draft } from "../core/steps/draft.ts";
import type { Deps } from "./deps.ts";
import {
  eraseBody,
  exportLedger,
  listEntries,
  SEAL_EVERY,
  sealLedger,
  sealWhenDue,
  verifyLedger,
  verifyLines,
} from "./ledger.ts";
import { tick } from "./tick.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "leeway-ledger-"));
  folders.push(folder);
  return folder;
}

async function busy(over: Partial<Deps> = {}) {
  const world = await worldOf(policyOf({ "fs.write": "auto", "db.read": "shadow" }), over);
  for (let i = 0; i < 3; i++) {
    await carryOut(world.deps, await send(world.deps, "write_file", { path: `src/${i}.ts`, text: "x" }));
    await send(world.deps, "lookup", { id: i });
    world.clock.advance(1000);
  }
  return world;
}

async function linesOf(deps: Deps): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLedger(deps)) lines.push(line);
  return lines;
}

test("a ledger that grew by ordinary use verifies, and says how long it is", async () => {
  const { deps } = await busy();
  const entries = await everything(deps);
  const seen: number[][] = [];
  const verified = await verifyLedger(deps, { onProgress: (done, of) => seen.push([done, of]) });
  expect(verified).toMatchObject({ ok: true, entries: entries.length, hash: entries.at(-1)?.hash, checkpoints: 0 });
  expect(seen).toEqual([[entries.length, entries.length]]);
});

test("an export is one entry per line and verifies without the database", async () => {
  const { deps } = await busy();
  const lines = await linesOf(deps);
  expect(lines.map((line) => JSON.parse(line))).toEqual(await everything(deps));
  expect(await verifyLines(lines, { notes: [] })).toEqual(await verifyLedger(deps));
});

test("entries are found by agent, tool, class, tier, outcome, person, kind and time", async () => {
  const { deps, clock } = await busy();
  const page = { limit: 100, order: "oldest" as const };
  const kinds = async (where: Parameters<typeof listEntries>[1]) =>
    (await listEntries(deps, where, page)).map((entry) => entry.kind);
  expect(await kinds({ subject: { tool: "lookup" } })).toEqual(Array(3).fill("call.decided"));
  expect(await kinds({ subject: { class: "fs.write", outcome: "run" } })).toEqual(Array(3).fill("call.decided"));
  expect(await kinds({ subject: { tier: "shadow", agent: "coder" } })).toHaveLength(3);
  expect(await kinds({ subject: { person: "ana" } })).toContain("person.added");
  expect(await kinds({ kinds: ["execution.succeeded"], fromMs: clock.nowMs() - 1500 })).toHaveLength(1);
  expect(await kinds({ actor: "agent:coder", toMs: clock.nowMs() - 2500 })).toHaveLength(3);
  const newest = await listEntries(deps, {}, { limit: 2, order: "newest" });
  const before = await listEntries(deps, { beforeIndex: newest[1]?.index ?? 0 }, { limit: 1, order: "newest" });
  expect((before[0]?.index ?? 0) + 2).toBe(newest[0]?.index);
});

test("an erased body is gone, its erasing is recorded, and the chain still verifies", async () => {
  const { deps } = await busy();
  const [entry] = await listEntries(deps, { kinds: ["call.decided"] }, { limit: 1, order: "oldest" });
  const index = entry?.index ?? 0;
  expect(await eraseBody(deps, index, { by: "ana", because: "it named a customer" })).toEqual({
    ok: true,
    value: { index },
  });
  const [after] = await listEntries(deps, { kinds: ["call.decided"] }, { limit: 1, order: "oldest" });
  const { body: _, ...bare } = entry ?? {};
  expect(after).toEqual(bare);
  const [last] = await listEntries(deps, {}, { limit: 1, order: "newest" });
  expect(last).toMatchObject({ kind: "body.erased", actor: "person:ana", subject: { entry: `${index}` } });
  expect(last?.body?.json).toEqual({ because: "it named a customer" });
  expect((await verifyLedger(deps)).ok).toBe(true);
});

test("only an admin erases, only what is there, and never the record of the ledger itself", async () => {
  const { deps } = await busy({ seals: openSeals(stateFolder()) });
  await sealLedger(deps);
  const [sealed] = await listEntries(deps, {}, { limit: 1, order: "newest" });
  const tries = [
    eraseBody(deps, 3, { by: "ben", because: "x" }),
    eraseBody(deps, 3, { by: "coder", because: "x" }),
    eraseBody(deps, 9999, { by: "ana", because: "x" }),
    eraseBody(deps, sealed?.index ?? 0, { by: "ana", because: "x" }),
    eraseBody(deps, 3, { by: "ana", because: "x" }).then(() => eraseBody(deps, 3, { by: "ana", because: "x" })),
  ];
  const codes = (await Promise.all(tries)).map((done) => (done.ok ? "ok" : done.code));
  expect(codes).toEqual([
    "LEEWAY_FORBIDDEN",
    "LEEWAY_FORBIDDEN",
    "LEEWAY_NOT_FOUND",
    "LEEWAY_BAD_INPUT",
    "LEEWAY_ALREADY_RESOLVED",
  ]);
});

test("sealing keeps a signed checkpoint beside the database and names it in the ledger", async () => {
  const folder = stateFolder();
  const { deps } = await busy({ seals: openSeals(folder) });
  const size = (await everything(deps)).length;
  const sealed = await sealLedger(deps);
  if (!sealed.ok) throw new Error(sealed.reason);
  expect(sealed.value.size).toBe(size);
  const [entry] = await listEntries(deps, {}, { limit: 1, order: "newest" });
  expect(entry).toMatchObject({ kind: "ledger.sealed", index: size + 1, body: { json: { note: sealed.value.note } } });
  expect(await deps.seals?.kept("default")).toEqual([sealed.value.note]);
  expect(await verifyLedger(deps)).toMatchObject({ ok: true, checkpoints: 1 });
  expect(statSync(join(folder, "leeway.sign")).mode & 0o777).toBe(0o600);
  const key = parseVerifierKey(verifierKeyOf(deps.seals?.signer ?? { name: "", publicKey: new Uint8Array() }));
  expect(await verifyLines(await linesOf(deps), { notes: [sealed.value.note], ...(key && { key }) })).toMatchObject({
    ok: true,
  });
});

test("the key and the checkpoints survive a restart", async () => {
  const folder = stateFolder();
  const first = openSeals(folder);
  await first.keep("default", 1, "a note\n");
  const again = openSeals(folder);
  expect(again.signer.publicKey).toEqual(first.signer.publicKey);
  expect(await again.kept("default")).toEqual(["a note\n"]);
  expect(await again.kept("other")).toEqual([]);
});

test("a ledger that is shorter than what was signed shows, and is not signed over", async () => {
  const folder = stateFolder();
  const { deps: long } = await busy({ seals: openSeals(folder) });
  await sealLedger(long);
  const { deps: short } = await worldOf(policyOf({}), { seals: openSeals(folder) });
  const entries = (await everything(short)).length;
  expect(await verifyLedger(short)).toMatchObject({ ok: false, fault: { index: entries + 1, is: "truncated" } });
  expect(await sealLedger(short)).toMatchObject({ ok: false, code: "LEEWAY_LEDGER_BROKEN" });
});

test("another ledger of the same length, every hash right, is not the one that was signed", async () => {
  const folder = stateFolder();
  const { deps: mine } = await busy({ seals: openSeals(folder) });
  await sealLedger(mine);
  const { deps: other } = await busy({ seals: openSeals(folder) });
  await send(other, "lookup", { id: 99 });
  const size = (await everything(mine)).length - 1;
  expect(await verifyLedger(other)).toMatchObject({ ok: false, fault: { index: 1, upTo: size, is: "checkpoint" } });
});

test("a checkpoint that somebody planted or changed is not believed, and sealing stops", async () => {
  const folder = stateFolder();
  const { deps } = await busy({ seals: openSeals(folder) });
  await sealLedger(deps);
  const place = join(folder, "checkpoints", "default");
  writeFileSync(join(place, "0000000000009999.note"), "leeway/default\n1\nAAAA\n\n\u2014 leeway AAAA\n");
  expect(await verifyLedger(deps)).toMatchObject({ ok: false, fault: { index: 0, is: "checkpoint" } });
  expect(await sealLedger(deps)).toMatchObject({ ok: false, code: "LEEWAY_LEDGER_BROKEN" });
  expect(readdirSync(place)).toHaveLength(2);
});

test("with the folder of checkpoints gone, the ones that the ledger names still count", async () => {
  const folder = stateFolder();
  const { deps } = await busy({ seals: openSeals(folder) });
  await sealLedger(deps);
  rmSync(join(folder, "checkpoints"), { recursive: true });
  expect(await verifyLedger(deps)).toMatchObject({ ok: true, checkpoints: 1 });
});

test("a seal is due after so many entries, and not before", async () => {
  const { deps } = await busy({ seals: openSeals(stateFolder()) });
  const size = (await everything(deps)).length;
  expect(await sealWhenDue(deps, size + 1)).toBeUndefined();
  expect(await sealWhenDue(deps, size)).toMatchObject({ ok: true, value: { size } });
  expect(await sealWhenDue(deps, 2)).toBeUndefined();
  await send(deps, "lookup", { id: 7 });
  await send(deps, "lookup", { id: 8 });
  expect(await sealWhenDue(deps, 2)).toMatchObject({ ok: true });
});

test("a gate that is looked after seals by itself, and says so when it must not", async () => {
  const folder = stateFolder();
  const { deps } = await busy({ seals: openSeals(folder) });
  await tick(deps);
  expect(await deps.seals?.kept("default")).toEqual([]);
  const entries = Array.from({ length: SEAL_EVERY }, () =>
    draft(deps.mint, { kind: "session.ended", actor: "leeway", subject: { session: "s1" } }),
  );
  await deps.store.commit(changeOf(deps.mint, { workspace: "default", nowMs: deps.clock.nowMs() }, [{ entries }]));
  await tick(deps);
  expect(await deps.seals?.kept("default")).toHaveLength(1);
  const { deps: short } = await worldOf(policyOf({}), { seals: openSeals(folder) });
  await expect(tick(short)).rejects.toThrow("entries were signed");
});

test("closing a gate seals what happened since the last checkpoint, and nothing if nothing did", async () => {
  const XDG_STATE_HOME = stateFolder();
  const opened = () =>
    openGate({ env: { XDG_STATE_HOME, HOME: XDG_STATE_HOME }, policy: { tiers: { "fs.read": "auto" } } });
  const gate = await opened();
  await gate.submit({ agent: "coder", tool: "read_file", args: { path: "a.ts" } });
  await gate.close();
  await (await opened()).close();
  expect(readdirSync(join(XDG_STATE_HOME, "leeway", "checkpoints", "default"))).toHaveLength(1);
});

test("without a key nothing is sealed, and it says so", async () => {
  const { deps } = await busy();
  expect(await sealLedger(deps)).toMatchObject({ ok: false, code: "LEEWAY_BAD_INPUT" });
  expect(await sealWhenDue(deps, 1)).toBeUndefined();
});
