import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { put } from "../../src/core/change.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { setPause } from "../../src/gate/standing/pause.ts";
import type { Store } from "../../src/ports.ts";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { systemClock, systemMint } from "../../src/system.ts";
import { testDeps } from "../../src/testing.ts";
import { change, person, sealer, W } from "../fixtures/rows.ts";
import { outputOf, policy } from "../store/processes.ts";
import { newDatabase } from "./database.ts";
import { linesOf, pauseMs, startWorker } from "./processes.ts";

const PROVE = process.env["LEEWAY_PROVE"] !== undefined;
const PROCESSES = PROVE ? 8 : 3;
const WORKERS = PROVE ? 8 : 2;
/** How soon the last caller is refused. Only the long proof has a machine of its own. */
const HEEDED_MS = PROVE ? 1_000 : 30_000;

const folder = mkdtempSync(join(tmpdir(), "leeway-pause-"));
const effects = join(folder, "effects");
afterAll(() => rmSync(folder, { recursive: true }));

function gateOn(url: string) {
  const store = postgresStore(url, { sealer });
  return testDeps({ policy, store, clock: systemClock, mint: systemMint() });
}

const addAna = (store: Store) => store.commit(change({ writes: [put("people", person("ana")), { do: "turn" }] }));
const call = (callId: string) => ({
  ...{ workspace: W, agent: "coder", tool: "lookup", args: { callId }, callId },
  ...{ traceId: "trace_1" as const, chain: [], claims: {} },
});
const PAUSED = { scope: { of: "agent", name: "coder" }, because: "stop", by: "ana" } as const;

test(
  "a pause counts for every process from its entry on: no call is allowed to run after it, and all callers are refused",
  async () => {
    const url = await newDatabase();
    const deps = gateOn(url);
    await addAna(deps.store);
    const given = { url, policy, workers: WORKERS, effects };
    const children = Array.from({ length: PROCESSES }, () => startWorker("heeds", given));
    // Calls of every process have run.
    while (new Set(linesOf(effects)).size < PROCESSES) await pauseMs(10);
    const outputs = Promise.all(children.map(outputOf));
    const paused = await setPause(deps, PAUSED);
    const pausedMs = Date.now();
    expect(paused.ok).toBe(true);

    const said = (await outputs).flatMap((text) => JSON.parse(text) as { code: string; atMs: number }[]);
    expect(said.map(({ code }) => code)).toEqual(said.map(() => "LEEWAY_PAUSED"));
    expect(said).toHaveLength(PROCESSES * WORKERS);
    const latestMs = Math.max(...said.map(({ atMs }) => atMs)) - pausedMs;
    if (PROVE) process.stdout.write(`a pause reached the last of ${said.length} callers after ${latestMs} ms\n`);
    expect(latestMs).toBeLessThan(HEEDED_MS);
    expect(await ranAfterPause(deps.store)).toEqual([]);
    await deps.store.close();
  },
  PROVE ? 600_000 : 120_000,
);

/** Decisions to run a call that are behind the pause in the chain. */
async function ranAfterPause(store: Store): Promise<readonly number[]> {
  const found = (kinds: readonly ("pause.set" | "call.decided")[], afterIndex: number) =>
    store.read({ ask: "entries", workspace: W, where: { kinds, afterIndex }, limit: 10_000, order: "oldest" });
  const [pause] = await found(["pause.set"], 0);
  expect(pause).toBeDefined();
  const after = await found(["call.decided"], pause?.index ?? 0);
  return after.filter(({ subject }) => subject.outcome === "run").map(({ index }) => index);
}

test("a gate that has not heard of a pause decides by its old view, and what it decided is not recorded: it denies", async () => {
  const url = await newDatabase();
  const [deps, deaf] = [gateOn(url), gateOn(url)];
  await addAna(deps.store);
  for (const callId of ["c1", "c2"]) expect((await submit(deaf, call(callId))).outcome).toBe("run");
  expect((await setPause(deps, PAUSED)).ok).toBe(true);
  // Nobody has told it, and it has looked at nothing since.
  expect(deaf.standing.known()?.pauses).toEqual([]);
  expect((await submit(deaf, call("c3"))).code).toBe("LEEWAY_PAUSED");
  expect(await ranAfterPause(deps.store)).toEqual([]);
  await Promise.all([deps.store.close(), deaf.store.close()]);
});
