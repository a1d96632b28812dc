import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../src/ports.ts";
import { postgresStore } from "../../src/store/postgres/index.ts";
import { policyFrom } from "../../src/testing.ts";
import { type StartedPostgres, startPostgres } from "../../tools/postgres.mjs";
import { sealer, W } from "../fixtures/rows.ts";
import { outputOf } from "../store/processes.ts";
import { killed, linesOf, pauseMs, startWorker } from "./processes.ts";

const PROVE = process.env["LEEWAY_PROVE"] !== undefined;
const PROCESSES = PROVE ? 8 : 3;
const WORKERS = PROVE ? 8 : 4;
const MAX = PROVE ? 5_000 : 150;
const CRASHES = PROVE ? 6 : 1;
const KILLS = PROVE ? 20 : 2;

const policy = policyFrom(`
version: 1
tier: auto
tools: { lookup: { class: db.read } }
limits: [{ name: most, match: { tool: lookup }, max: ${MAX}, per: 1d, by: agent, then: deny }]
`);

let postgres: StartedPostgres;
const folder = mkdtempSync(join(tmpdir(), "leeway-budget-"));
const effects = join(folder, "effects");
beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase("budget");
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

test(
  "a limit is never exceeded, and used up to its last call, while its callers and PostgreSQL are killed",
  async () => {
    const given = { url: postgres.url("budget"), policy, workers: WORKERS, effects };
    const children = Array.from({ length: PROCESSES }, () => startWorker("spends", given));
    let [kills, crashes] = [0, 0];
    const isDone = () => linesOf(effects).length >= MAX * 0.9;
    const killer = async () => {
      for (; kills < KILLS && !isDone(); kills++) {
        await spent((MAX * 0.8 * (kills + 1)) / KILLS);
        const at = Math.floor(Math.random() * PROCESSES);
        const child = children[at];
        if (child !== undefined) await killed(child);
        children[at] = startWorker("spends", given);
      }
    };
    const crasher = async () => {
      for (; crashes < CRASHES && !isDone(); crashes++) {
        await spent((MAX * 0.8 * (crashes + 0.5)) / CRASHES);
        await postgres.crash();
      }
    };
    await Promise.all([killer(), crasher()]);
    expect([kills > 0, crashes > 0]).toEqual([true, true]);
    const said = (await Promise.all(children.map(outputOf))).map((text) => JSON.parse(text));
    expect(said).toEqual(said.map(() => Array.from({ length: WORKERS }, () => "LEEWAY_LIMIT")));

    const store = postgresStore(postgres.url("budget"), { sealer });
    const allowed = await allowedIn(store);
    expect([allowed.length, new Set(allowed).size]).toEqual([MAX, MAX]);
    const happened = linesOf(effects);
    expect(new Set(happened).size).toBe(happened.length);
    expect(happened.filter((id) => !allowed.includes(id))).toEqual([]);
    if (PROVE)
      process.stdout.write(`${crashes} crashes, ${kills} kills: ${MAX} allowed, ${happened.length} known to callers\n`);
    await store.close();
  },
  PROVE ? 3_600_000 : 300_000,
);

/** Waits until so much was spent. */
async function spent(count: number): Promise<void> {
  while (linesOf(effects).length < count) await pauseMs(10);
}

/** The executions of all calls that were allowed to run. */
async function allowedIn(store: Store): Promise<readonly string[]> {
  const asked = { ask: "entries", workspace: W, where: { kinds: ["call.decided"] }, order: "oldest" } as const;
  const entries = await store.read({ ...asked, limit: 10 * MAX });
  return entries.filter(({ subject }) => subject.outcome === "run").map(({ subject }) => String(subject.execution));
}
