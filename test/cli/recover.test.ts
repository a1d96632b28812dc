import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { asAna, ended, PASSPHRASE, setUpAna } from "./person.ts";
import { leeway, type Machine, machine } from "./program.ts";
import { screen } from "./screen.ts";

// A database that went back: deleted, rolled back, restored from an old backup or from somebody else's.

let on: Machine;
beforeEach(async () => {
  on = machine();
  await setUpAna(on);
});
afterEach(() => on.remove());

const state = () => join(on.home, "state", "leeway");
const db = () => join(state(), "leeway.db");
const json = async (...args: string[]) => JSON.parse((await leeway(on, [...args, "--json"])).stdout);

function withoutDatabase(): void {
  for (const side of ["", "-wal", "-shm"]) rmSync(`${db()}${side}`, { force: true });
}

function copyAside(name: string): () => void {
  const aside = join(on.home, name);
  for (const side of ["", "-wal", "-shm"]) if (existsSync(db() + side)) copyFileSync(db() + side, aside + side);
  return () => {
    withoutDatabase();
    for (const side of ["", "-wal", "-shm"]) if (existsSync(aside + side)) copyFileSync(aside + side, db() + side);
  };
}

/** Nothing runs, nobody is set up, and every command that reads says so. */
async function expectClosed(why: RegExp): Promise<void> {
  const mallory = join(on.home, "passphrase.txt");
  const tries: readonly (readonly string[])[] = [
    ["run", "--", "ls"],
    ["check", "--command", "ls"],
    ["people", "add", "mallory", "--admin", "--password-file", mallory],
    ["init", "--yes", "--name", "mallory", "--password-file", mallory],
    ["tokens", "add", "--agent", "coder"],
    ["status"],
  ];
  for (const args of tries) {
    const ran = await leeway(on, args);
    expect([args, ran.code, ran.stdout]).toEqual([args, 5, ""]);
    expect(ran.stderr).toMatch(why);
    expect(ran.stderr).toContain("leeway recover");
  }
  const { ok, findings } = await json("doctor");
  expect(ok).toBe(false);
  expect(findings).toContainEqual(
    expect.objectContaining({ what: "gate", state: "bad", says: expect.stringMatching(why) }),
  );
  expect((await leeway(on, ["verify"])).code).toBe(1);
  expect((await leeway(on, ["recover", "--because", "x"])).stderr).toContain("a person at a terminal is needed");
}

async function recovered(): Promise<string> {
  const { code, text } = await asAna(on, ["recover", "--because", "the disk was swapped"]);
  expect([code, text]).toEqual([0, expect.stringContaining("recorded in the name of ana")]);
  const [entry] = (await leeway(on, ["log", "--kind", "ledger.recovered", "--json"])).stdout.trim().split("\n");
  expect(JSON.parse(entry ?? "{}")).toMatchObject({
    kind: "ledger.recovered",
    actor: "person:ana",
    body: { json: { because: "the disk was swapped" } },
  });
  expect(await json("verify")).toMatchObject({ ok: true });
  return text;
}

test("after the database was deleted everything is denied until its former admin explains it, who is then an admin again", async () => {
  withoutDatabase();
  await expectClosed(/the database is empty, but \d+ entries were signed/);
  const shown = screen(on, ["recover", "--because", "x", "--as", "ana"], { columns: 120 });
  await shown.shows("passphrase of ana");
  shown.type("not the one\r");
  await shown.shows("wrong passphrase");
  shown.type("\u0003");
  expect((await ended(shown)).code).toBe(1);
  expect(await recovered()).toContain("ana is an admin again");
  expect(await json("people", "list")).toMatchObject([{ name: "ana", admin: true, hasPassphrase: true }]);
  expect((await leeway(on, ["run", "--", "ls"])).code).not.toBe(5);
  expect(await json("recover")).toEqual({ recovered: false });
});

test("after the database was rolled back everything is denied, so no permit is used twice and no pause is lost", async () => {
  const asked = await leeway(on, ["run", "--wait", "1s", "--json", "--", "mkdir", "made"]);
  const { approvalId } = JSON.parse(asked.stdout);
  expect((await asAna(on, ["approve", approvalId])).code).toBe(0);
  const back = copyAside("approved.db");
  expect((await leeway(on, ["run", "--", "mkdir", "made"])).code).toBe(0);
  rmSync(join(on.project, "made"), { recursive: true });
  expect((await asAna(on, ["pause", "--because", "stop"])).code).toBe(0);
  back();
  await expectClosed(/the ledger ends at entry \d+, but \d+ entries were signed/);
  expect((await leeway(on, ["run", "--", "mkdir", "made"])).code).toBe(5);
  expect(existsSync(join(on.project, "made"))).toBe(false);
  expect(await recovered()).toContain("1 approved calls that had not run are cancelled");
  expect((await leeway(on, ["run", "--wait", "1s", "--", "mkdir", "made"])).code).toBe(3);
  expect(existsSync(join(on.project, "made"))).toBe(false);
});

test("a used permit cannot be used again after a roll-back, even if nothing else was signed since", async () => {
  const asked = await leeway(on, ["run", "--wait", "1s", "--json", "--", "mkdir", "made"]);
  expect((await asAna(on, ["approve", JSON.parse(asked.stdout).approvalId])).code).toBe(0);
  const back = copyAside("approved.db");
  expect((await leeway(on, ["run", "--", "mkdir", "made"])).code).toBe(0);
  rmSync(join(on.project, "made"), { recursive: true });
  back();
  expect((await leeway(on, ["run", "--", "mkdir", "made"])).code).toBe(5);
  expect(existsSync(join(on.project, "made"))).toBe(false);
});

test("an old backup that grew longer than what was signed is not accepted as the signed ledger", async () => {
  const back = copyAside("early.db");
  expect((await asAna(on, ["pause", "--because", "stop"])).code).toBe(0);
  back();
  // Somebody opens it with another state folder, where no checkpoint contradicts it.
  const elsewhere = join(on.home, "elsewhere");
  mkdirSync(join(elsewhere, "leeway"), { recursive: true, mode: 0o700 });
  for (const name of ["leeway.key", "leeway.sign"]) cpSync(join(state(), name), join(elsewhere, "leeway", name));
  const env = { XDG_STATE_HOME: elsewhere, LEEWAY_DB: db() };
  for (let i = 0; i < 5; i++) await leeway(on, ["run", "--", "ls"], { env });
  await expectClosed(/entry \d+ is not the one that was signed/);
});

test("another database in place of this one is not accepted as this one", async () => {
  const other = machine();
  try {
    await setUpAna(other);
    await leeway(other, ["run", "--", "ls"]);
    withoutDatabase();
    for (const name of readdirSync(join(other.home, "state", "leeway")).filter((one) => one.startsWith("leeway.db")))
      copyFileSync(join(other.home, "state", "leeway", name), join(state(), name));
    await expectClosed(/this is not the ledger that was signed/);
  } finally {
    other.remove();
  }
});

test("a copy of the database in another place is not signed there as the same ledger", async () => {
  const copy = join(on.home, "copy.db");
  cpSync(db(), copy);
  const env = { LEEWAY_DB: copy };
  const ran = await leeway(on, ["run", "--", "ls"], { env });
  expect([ran.code, ran.stderr]).toEqual([
    5,
    expect.stringContaining("a copy of a database that was signed in another place"),
  ]);
  const { ledger } = await json("status");
  const mine = { LEEWAY_DB: join(on.home, "mine.db") };
  expect((await leeway(on, ["run", "--", "ls"], { env: mine })).code).toBe(0);
  const proof = join(on.home, "proof.json");
  const { stdout } = await leeway(on, ["export", "--entry", "1"], { env: mine });
  writeFileSync(proof, stdout);
  expect((await leeway(on, ["verify", "--proof", proof, "--key", ledger.signedBy])).code).toBe(1);
});

test("restoring an old backup keeps the newer checkpoints, is recorded, and denies everything until a person explains it", async () => {
  const asked = await leeway(on, ["run", "--wait", "1s", "--json", "--", "mkdir", "made"]);
  expect((await asAna(on, ["approve", JSON.parse(asked.stdout).approvalId])).code).toBe(0);
  const folder = join(on.home, "backup");
  await json("backup", folder);
  expect((await asAna(on, ["pause", "--because", "stop"])).code).toBe(0);
  const kept = readdirSync(join(state(), "checkpoints", "default"));
  const { code, text } = await asAna(on, ["restore", folder]);
  expect([code, text]).toEqual([0, expect.stringContaining("leeway recover")]);
  expect(readdirSync(join(state(), "checkpoints", "default"))).toEqual(kept);
  expect(await json("log", "--kind", "ledger.restored")).toMatchObject({
    actor: "person:ana",
    body: { json: { voided: 1 } },
  });
  await expectClosed(/entries were signed|is not the one that was signed/);
  await recovered();
  expect((await leeway(on, ["run", "--wait", "1s", "--", "mkdir", "made"])).code).toBe(3);
});

test("a backup of another machine replaces nothing on this machine", async () => {
  const other = machine();
  try {
    await setUpAna(other);
    const folder = join(on.home, "foreign");
    expect((await leeway(other, ["backup", folder])).code).toBe(0);
    const ran = await leeway(on, ["restore", folder, "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("is a backup of another machine")]);
    expect(await json("verify")).toMatchObject({ ok: true });
  } finally {
    other.remove();
  }
});

test("leftovers of an interrupted restore are removed by the next one, and are never used", async () => {
  const folder = join(on.home, "backup");
  await json("backup", folder);
  cpSync(folder, join(state(), ".restore-left"), { recursive: true });
  expect(await json("verify")).toMatchObject({ ok: true });
  expect((await asAna(on, ["restore", folder])).code).toBe(0);
  expect(readdirSync(state()).filter((name) => name.startsWith(".restore"))).toEqual([]);
  expect((await leeway(on, ["run", "--", "ls"])).code).toBe(0);
});

/** A share of the time that a complete restore takes after the passphrase. */
const KILLED_AFTER = [0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9];

/** Starts a restore as ana, and kills it after this time unless it has ended. Returns how long it took. */
async function restoring(folder: string, killedMs: number): Promise<number> {
  const shown = screen(on, ["restore", folder, "--as", "ana"], { columns: 120 });
  await shown.shows("passphrase of ana");
  const begunMs = performance.now();
  shown.type(`${PASSPHRASE}\r`);
  const timer = setTimeout(() => shown.kill(), killedMs);
  await shown.ended;
  clearTimeout(timer);
  return performance.now() - begunMs;
}

test("a restore that is killed at any moment leaves either the old database or the new one, complete, with keys and checkpoints", async () => {
  const folder = join(on.home, "backup");
  await json("backup", folder);
  expect((await asAna(on, ["pause", "--agent", "other", "--because", "later"])).code).toBe(0);
  const before = join(on.home, "before");
  cpSync(state(), before, { recursive: true });
  const keys = () => ["leeway.key", "leeway.sign"].map((name) => readFileSync(join(state(), name), "hex"));
  const [kept, checkpoints] = [keys(), readdirSync(join(state(), "checkpoints", "default"))];
  const wholeMs = await restoring(folder, 60_000);
  for (const part of KILLED_AFTER) {
    rmSync(state(), { recursive: true });
    cpSync(before, state(), { recursive: true });
    await restoring(folder, part * wholeMs);
    const { code, stderr } = await leeway(on, ["run", "--", "ls"]);
    const is = code === 0 ? "the old" : /nothing runs, because .*entr/.test(stderr) ? "the new" : stderr;
    expect([part, is]).toEqual([part, expect.stringMatching(/^the (old|new)$/)]);
    expect(keys()).toEqual(kept);
    expect(readdirSync(join(state(), "checkpoints", "default"))).toEqual(expect.arrayContaining(checkpoints));
  }
  await restoring(folder, 60_000);
  await recovered();
}, 240_000);
