import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { carryOut, everything, policyOf, send, worldOf } from "../../../test/ledger/world.ts";
import { openDeps, openGate } from "../../compose.ts";
import { openSeals } from "../../config/signer.ts";
import { changeOf } from "../../core/change.ts";
import { say } from "../../core/messages/message.ts";
import { inEnglish } from "../../core/messages/text.ts";
import { parseVerifierKey } from "../../core/record/checkpoint.ts";
import { draft } from "../../core/steps/draft.ts";
import type { Query, Store } from "../../ports.ts";
import { systemClock } from "../../system.ts";
import { policyFrom } from "../../testing.ts";
import type { Deps } from "../deps.ts";
import { gateClock } from "../time/clock.ts";
import { tick } from "../time/tick.ts";
import { eraseBody, exportLedger, listEntries, verifyLedger, verifyLines } from "./ledger.ts";
import { SEAL_EVERY, sealLedger, sealWhenDue, signedBy } from "./sealing.ts";

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

test("a ledger from ordinary use is verified, and its length is reported", async () => {
  const { deps } = await busy();
  const entries = await everything(deps);
  const seen: number[][] = [];
  const verified = await verifyLedger(deps, { onProgress: (done, of) => seen.push([done, of]) });
  expect(verified).toMatchObject({ ok: true, entries: entries.length, hash: entries.at(-1)?.hash, checkpoints: 0 });
  expect(seen).toEqual([[entries.length, entries.length]]);
});

test("verifying a long ledger does not block other work", async () => {
  const { deps } = await busy();
  const drafts = () =>
    Array.from({ length: 6000 }, () => draft(deps.mint, { kind: "session.ended", actor: "leeway", subject: {} }));
  await deps.store.commit(changeOf(deps.mint, { workspace: "default", nowMs: 1 }, [{ entries: drafts() }]));
  let turns = 0;
  const turning = setInterval(() => {
    turns += 1;
  });
  const verified = await verifyLedger({ ...deps, clock: gateClock(systemClock) });
  clearInterval(turning);
  expect(verified.ok).toBe(true);
  expect(turns).toBeGreaterThan(0);
});

test("an export has one entry per line and can be verified without the database", async () => {
  const { deps } = await busy();
  const lines = await linesOf(deps);
  expect(lines.map((line) => JSON.parse(line))).toEqual(await everything(deps));
  expect(await verifyLedger(deps)).toEqual({
    ...(await verifyLines(lines, { notes: [] })),
    // Only the database has rows to compare: two people, an agent, a policy.
    rows: { compared: 4, unproved: 0 },
  });
});

test("entries can be filtered by agent, tool, class, tier, outcome, person, kind and time", async () => {
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

test("an erased body is gone, the erasure is recorded, and the chain still verifies", async () => {
  const { deps } = await busy();
  const [entry] = await listEntries(deps, { kinds: ["call.decided"] }, { limit: 1, order: "oldest" });
  const index = entry?.index ?? 0;
  expect(await eraseBody(deps, index, { by: "ana", assurance: "tty", because: "it named a customer" })).toEqual({
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

test("only an admin can erase a body, only an existing one, and never one about the ledger itself", async () => {
  const { deps } = await busy({ seals: openSeals(stateFolder()) });
  await sealLedger(deps);
  const [sealed] = await listEntries(deps, {}, { limit: 1, order: "newest" });
  const proved = { by: "ana", assurance: "tty", because: "x" } as const;
  const tries = [
    eraseBody(deps, 3, { ...proved, by: "ben" }),
    eraseBody(deps, 3, { ...proved, by: "coder" }),
    eraseBody(deps, 9999, proved),
    eraseBody(deps, sealed?.index ?? 0, proved),
    eraseBody(deps, 3, proved).then(() => eraseBody(deps, 3, proved)),
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

test("if erasing needs a person, a program that only names an admin can erase nothing", async () => {
  const { deps } = await worldOf(policyFrom("version: 1\ntier: auto\n"));
  await carryOut(deps, await send(deps, "write_file", { path: "src/a.ts", text: "x" }));
  const [entry] = await listEntries(deps, { kinds: ["call.decided"] }, { limit: 1, order: "oldest" });
  const said = { by: "ana", assurance: "process", because: "x" } as const;
  expect(await eraseBody(deps, entry?.index ?? 0, said)).toMatchObject({ ok: false, code: "LEEWAY_ASSURANCE" });
  expect((await eraseBody(deps, entry?.index ?? 0, { ...said, assurance: "tty" })).ok).toBe(true);
});

test("the body of a call that may still run is not erased; after the call has ended it can be, and the call says so", async () => {
  const { deps } = await worldOf(policyFrom("version: 1\ntier: auto\n"));
  const receipt = await send(deps, "write_file", { path: "src/a.ts", text: "x" });
  const [entry] = await listEntries(deps, { kinds: ["call.decided"] }, { limit: 1, order: "oldest" });
  const erase = () => eraseBody(deps, entry?.index ?? 0, { by: "ana", assurance: "tty", because: "x" });
  expect(inEnglish(await erase())).toEqual({
    ok: false,
    code: "LEEWAY_BAD_INPUT",
    reason: `entry ${entry?.index} decides a call that may still run`,
    hint: "erase it when the call has ended, or withdraw its question first",
  });
  await carryOut(deps, receipt);
  expect((await erase()).ok).toBe(true);
  const found = await deps.store.read({ ask: "row", workspace: deps.workspace, table: "calls", id: receipt.id });
  expect(found?.row.decision).toMatchObject({ tier: "auto", outcome: "run", causes: [{ by: "erased" }] });
  expect(found?.row.effect).toMatchObject({ understood: "not", notes: [say("note.effect_erased")] });
  expect((await verifyLedger(deps)).ok).toBe(true);
});

test("sealing writes a signed checkpoint beside the database and names it in the ledger", async () => {
  const folder = stateFolder();
  const { deps } = await busy({ seals: openSeals(folder) });
  const size = (await everything(deps)).length;
  const sealed = await sealLedger(deps);
  if (!sealed.ok) throw new Error(sealed.reason.say);
  expect(sealed.value.size).toBe(size);
  const [entry] = await listEntries(deps, {}, { limit: 1, order: "newest" });
  expect(entry).toMatchObject({ kind: "ledger.sealed", index: size + 1, body: { json: { note: sealed.value.note } } });
  expect(await deps.seals?.kept("default")).toEqual([sealed.value.note]);
  expect(await verifyLedger(deps)).toMatchObject({ ok: true, checkpoints: 1 });
  expect(statSync(join(folder, "leeway.sign")).mode & 0o777).toBe(0o600);
  const key = parseVerifierKey((await signedBy(deps)) ?? "");
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

test("a ledger that is shorter than its signed checkpoint is reported and is not signed again", async () => {
  const folder = stateFolder();
  const { deps: long } = await busy({ seals: openSeals(folder) });
  await sealLedger(long);
  const { deps: short } = await worldOf(policyOf({}), { seals: openSeals(folder) });
  const entries = (await everything(short)).length;
  expect(await verifyLedger(short)).toMatchObject({ ok: false, fault: { index: entries + 1, is: "truncated" } });
  expect(await sealLedger(short)).toMatchObject({ ok: false, code: "LEEWAY_WENT_BACK" });
});

test("another ledger of the same length with correct hashes does not match the signed checkpoint", async () => {
  const folder = stateFolder();
  const { deps: mine } = await busy({ seals: openSeals(folder) });
  await sealLedger(mine);
  const { deps: other } = await busy({ seals: openSeals(folder) });
  await send(other, "lookup", { id: 99 });
  const size = (await everything(mine)).length - 1;
  expect(await verifyLedger(other)).toMatchObject({ ok: false, fault: { index: 1, upTo: size, is: "checkpoint" } });
});

test("a forged or changed checkpoint is not believed, and sealing stops", async () => {
  const folder = stateFolder();
  const { deps } = await busy({ seals: openSeals(folder) });
  await sealLedger(deps);
  const place = join(folder, "checkpoints", "default");
  writeFileSync(join(place, "0000000000009999.note"), "leeway/default\n1\nAAAA\n\n\u2014 leeway AAAA\n");
  expect(await verifyLedger(deps)).toMatchObject({ ok: false, fault: { index: 0, is: "checkpoint" } });
  expect(await sealLedger(deps)).toMatchObject({ ok: false, code: "LEEWAY_WENT_BACK" });
  expect(readdirSync(place)).toHaveLength(2);
});

test("other files in the folder of checkpoints are ignored, and no temporary file stays there", async () => {
  const folder = stateFolder();
  const { deps } = await busy({ seals: openSeals(folder) });
  await sealLedger(deps);
  const place = join(folder, "checkpoints", "default");
  const [note = ""] = readdirSync(place);
  expect(readdirSync(place)).toEqual([note]);
  for (const name of [".DS_Store", `${note}.4711.0a1b2c`, "9.note"]) writeFileSync(join(place, name), "half a no");
  mkdirSync(join(place, "0000000000009999.note"));
  expect(await verifyLedger(deps)).toMatchObject({ ok: true, checkpoints: 1 });
  expect(await sealLedger(deps)).toMatchObject({ ok: true });
});

test("a checkpoint that cannot be written leaves no file behind", async () => {
  const folder = stateFolder();
  const seals = openSeals(folder);
  const place = join(folder, "checkpoints", "default");
  mkdirSync(join(place, "0000000000000007.note", "in the way"), { recursive: true });
  await expect(seals.keep("default", 7, "a note\n")).rejects.toThrow();
  expect(readdirSync(place)).toEqual(["0000000000000007.note"]);
});

test("if the ledger grew while the checkpoints were read, its head is read again before a warning is given", async () => {
  const { deps } = await busy({ seals: openSeals(stateFolder()) });
  const early = await deps.store.read({ ask: "head", workspace: "default" });
  await send(deps, "lookup", { id: 7 });
  await sealLedger(deps);
  const behind = (): Deps => {
    let first = true;
    const read = async (query: Query) => {
      if (query.ask !== "head" || !first) return deps.store.read(query);
      first = false;
      return early;
    };
    return { ...deps, store: { ...deps.store, read: read as Store["read"] } };
  };
  expect(await verifyLedger(behind())).toMatchObject({ ok: true, checkpoints: 1 });
  expect(await sealWhenDue(behind(), 1)).toBeUndefined();
  expect(await sealLedger(behind())).toMatchObject({ ok: true });
});

test("another database in the same state folder has its own checkpoints", async () => {
  const XDG_STATE_HOME = stateFolder();
  const env = { XDG_STATE_HOME, HOME: XDG_STATE_HOME };
  const policy = { tiers: { "fs.read": "auto" as const } };
  const used = async (db: string | undefined, times: number) => {
    const gate = await openGate({ env, policy, ...(db === undefined ? {} : { db }) });
    for (let i = 0; i < times; i++) await gate.submit({ agent: "coder", tool: "read_file", args: { path: `${i}.ts` } });
    await gate.close();
    const deps = await openDeps({ env, policy, ...(db === undefined ? {} : { db }) });
    const verified = await verifyLedger(deps);
    await deps.close();
    return verified;
  };
  const other = join(XDG_STATE_HOME, "other.db");
  expect(await used(undefined, 2)).toMatchObject({ ok: true, checkpoints: 1 });
  expect(await used(other, 9)).toMatchObject({ ok: true, checkpoints: 1 });
  expect(await used(undefined, 2)).toMatchObject({ ok: true, checkpoints: 2 });
  symlinkSync(XDG_STATE_HOME, join(XDG_STATE_HOME, "link"));
  expect(await used(join(XDG_STATE_HOME, "link", "other.db"), 1)).toMatchObject({ ok: true, checkpoints: 2 });
});

test("if the folder of checkpoints is gone, the checkpoints named in the ledger still count", async () => {
  const folder = stateFolder();
  const { deps } = await busy({ seals: openSeals(folder) });
  await sealLedger(deps);
  rmSync(join(folder, "checkpoints"), { recursive: true });
  expect(await verifyLedger(deps)).toMatchObject({ ok: true, checkpoints: 1 });
});

test("a checkpoint is due after a fixed number of entries, and not before", async () => {
  const { deps } = await busy({ seals: openSeals(stateFolder()) });
  const size = (await everything(deps)).length;
  expect(await sealWhenDue(deps, size + 1)).toBeUndefined();
  expect(await sealWhenDue(deps, size)).toMatchObject({ ok: true, value: { size } });
  expect(await sealWhenDue(deps, 2)).toBeUndefined();
  await send(deps, "lookup", { id: 7 });
  await send(deps, "lookup", { id: 8 });
  expect(await sealWhenDue(deps, 2)).toMatchObject({ ok: true });
});

test("a gate with running timers seals by itself, and reports an error when it must not", async () => {
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

test("closing a gate seals what happened since the last checkpoint, or does nothing if nothing happened", async () => {
  const XDG_STATE_HOME = stateFolder();
  const opened = () =>
    openGate({ env: { XDG_STATE_HOME, HOME: XDG_STATE_HOME }, policy: { tiers: { "fs.read": "auto" } } });
  const gate = await opened();
  await gate.submit({ agent: "coder", tool: "read_file", args: { path: "a.ts" } });
  await gate.close();
  await (await opened()).close();
  expect(readdirSync(join(XDG_STATE_HOME, "leeway", "checkpoints", "default"))).toHaveLength(1);
});

test("without a key nothing is sealed, and the answer says so", async () => {
  const { deps } = await busy();
  expect(await sealLedger(deps)).toMatchObject({ ok: false, code: "LEEWAY_BAD_INPUT" });
  expect(await sealWhenDue(deps, 1)).toBeUndefined();
});
