import type { ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { put } from "../../src/core/change.ts";
import { setPause } from "../../src/gate/standing/pause.ts";
import type { Store } from "../../src/ports.ts";
import { expectChained } from "../../src/store/conformance/reading.ts";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { VERSION_NOW } from "../../src/store/postgres/server/migrations.ts";
import { serverAt } from "../../src/store/postgres/server/server.ts";
import { systemClock, systemMint } from "../../src/system.ts";
import { testDeps } from "../../src/testing.ts";
import { compiled } from "../cli/program.ts";
import { change, person, sealer, W } from "../fixtures/rows.ts";
import { outputOf, policy } from "../store/processes.ts";
import { newDatabase } from "./database.ts";
import { killed, linesOf, pauseMs, startWorker } from "./processes.ts";

// Two builds with different schemas on one database: this one, and the same with one more migration, as processes of their own.

const folders: string[] = [];
const made = (folder: string) => {
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** This program with one more migration. `oldest`: the oldest version that may go on beside it. */
function newerBuild(oldest: number): string {
  const build = join(made(mkdtempSync(join(dirname(dirname(compiled())), "newer-"))), "dist");
  cpSync(compiled(), build, { recursive: true });
  writeFileSync(join(dirname(build), "package.json"), '{ "type": "module" }');
  const file = join(build, "store", "postgres", "server", "migrations.js");
  const sql =
    "alter table calls add column later text; alter table entries add column later bigint; " +
    "create table laters (id text primary key); create index entries_later on entries (later) where later is not null";
  const before = readFileSync(file, "utf8");
  const after = before.replace(/\n\];\n/, `\n    { oldest: ${oldest}, sql: "${sql}" },\n];\n`);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
  return build;
}

let url: string;
let store: Store;
let effects: string;
let children: ChildProcess[];
beforeEach(async () => {
  url = await newDatabase();
  store = postgresStore(url, { sealer });
  effects = join(made(mkdtempSync(join(tmpdir(), "leeway-builds-"))), "effects");
  children = [];
  await store.commit(change({ writes: [put("people", person("ana")), { do: "turn" }] }));
});
afterEach(async () => {
  await Promise.all(children.map(killed));
  await store.close();
});

/** A process of one build that sends calls until it is refused. */
function start(build: string): ChildProcess {
  const started = startWorker("heeds", { url, policy, workers: 2, effects }, build);
  children.push(started);
  return started;
}

/** Until each of these processes has run some calls more. */
async function untilAllRun(processes: readonly ChildProcess[]): Promise<void> {
  const from = linesOf(effects).length;
  const counts = () => {
    const lines = linesOf(effects).slice(from);
    return processes.map(({ pid }) => lines.filter((line) => line === String(pid)).length);
  };
  while (counts().some((count) => count < 3)) {
    expect(processes.map(({ exitCode }) => exitCode)).toEqual(processes.map(() => null));
    await pauseMs(20);
  }
}

/** What each worker was told at the end, without repetition. */
async function endOf(processes: readonly ChildProcess[]): Promise<readonly string[]> {
  const outputs = await Promise.all(processes.map(outputOf));
  const said = outputs.flatMap((text) => JSON.parse(text) as { code: string; reason: string }[]);
  expect(said).toHaveLength(processes.length * 2);
  return [...new Set(said.map(({ code, reason }) => `${code}: ${reason}`))];
}

const refusal = (why: string) =>
  `LEEWAY_AUDIT_UNAVAILABLE: the decision could not be recorded: ${why}; do what the message says, then try again`;

const versions = async () => {
  const server = serverAt(url);
  const [kept] = await server.use((session) => session.run("select version, oldest from versions", []));
  await server.close();
  return kept;
};

/** Everything that ran was recorded before, in one chain. */
async function expectRecorded(): Promise<void> {
  const kept = await store.read({ ask: "entries", workspace: W, where: {}, limit: 100_000, order: "oldest" });
  const ran = kept.filter(({ kind, subject }) => kind === "call.decided" && subject.outcome === "run");
  expect(ran).toHaveLength(linesOf(effects).length);
  expectChained(kept);
}

test("processes of an older build go on beside those of a newer one, and can be started after it", {
  timeout: 240_000,
}, async () => {
  const newer = newerBuild(VERSION_NOW);
  const old = start(compiled());
  await untilAllRun([old]);
  const young = start(newer);
  await untilAllRun([old, young]);
  expect(await versions()).toEqual({ version: VERSION_NOW + 1, oldest: VERSION_NOW });
  const late = start(compiled());
  await untilAllRun([old, young, late]);
  const ended = endOf(children);
  const deps = testDeps({ policy, store, clock: systemClock, mint: systemMint() });
  const paused = await setPause(deps, { scope: { of: "agent", name: "coder" }, because: "stop", by: "ana" });
  expect(paused.ok).toBe(true);
  expect((await ended).map((told) => told.split(":")[0])).toEqual(["LEEWAY_PAUSED"]);
  await expectRecorded();
});

test("if the newer build cannot share the database, processes of the older one are refused and told why, and none can be started", {
  timeout: 240_000,
}, async () => {
  const newer = newerBuild(VERSION_NOW + 1);
  const old = start(compiled());
  await untilAllRun([old]);
  const ended = endOf([old]);
  const young = start(newer);
  await untilAllRun([young]);
  expect(await ended).toEqual([
    refusal("another version of leeway changed the database while it was in use; stop this process and start it again"),
  ]);
  expect(await endOf([start(compiled())])).toEqual([
    refusal("the database was made by a newer version of leeway; update leeway"),
  ]);
  await untilAllRun([young]);
  await killed(young);
});
