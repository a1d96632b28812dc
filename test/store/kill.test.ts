import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EMPTY_HEAD, headAfter, linkHashOf } from "../../src/core/ledger.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { tick } from "../../src/gate/tick.ts";
import type { Store } from "../../src/ports.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { systemMint } from "../../src/system.ts";
import { testClock, testDeps } from "../../src/testing.ts";
import { policy, startWorker } from "./processes.ts";

const KILLS = process.env["LEEWAY_PROVE"] === undefined ? 50 : 1_000;
const AT_ONCE = 4;
const CALLS = KILLS * 60;

test(
  "killed without warning under load, nothing acknowledged is lost, nothing happens twice, doubt ends as unknown",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "leeway-kill-"));
    const files = { path: join(folder, "leeway.db"), acks: join(folder, "acks"), effects: join(folder, "effects") };
    const given = { ...files, policy, workers: 3, calls: CALLS };
    let kills = 0;
    const killer = async () => {
      while (kills < KILLS) {
        kills += 1;
        const child = startWorker("act", given);
        await once(child.stdout as NonNullable<ChildProcess["stdout"]>, "data");
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, killer));

    const store = sqliteStore(files.path);
    const clock = testClock(Date.now() + 60 * 60 * 1000);
    const deps = testDeps({ policy, store, clock, mint: systemMint() });
    await expectAcksKept(store, lines(files.acks));
    const effects = lines(files.effects);
    expect(effects.length).toBeGreaterThan(KILLS);
    expect(new Set(effects.map(([callId]) => callId)).size).toBe(effects.length);
    await expectDoubtIsUnknown(deps, new Set(effects.map(([, execution = ""]) => execution)));
    await expectVerified(store);
    await store.close();
    rmSync(folder, { recursive: true });
  },
  process.env["LEEWAY_PROVE"] === undefined ? 600_000 : 3_600_000,
);

function lines(file: string): string[][] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "));
}

/** Whatever a process was told is in the record: the decision at the place it was told, and the outcome. */
async function expectAcksKept(store: Store, acks: readonly string[][]): Promise<void> {
  const lost: string[] = [];
  for (const [what, id = "", index] of acks) {
    const kept = await store.read({ ask: "row", workspace: "default", table: "executions", id });
    const where = { afterIndex: Number(index) - 1, beforeIndex: Number(index) + 1 };
    const asked = { ask: "entries", workspace: "default", where, limit: 1, order: "oldest" } as const;
    const [entry] = what === "submitted" ? await store.read(asked) : [];
    const there = what === "submitted" ? entry?.subject.execution === id : kept?.row.state === "succeeded";
    if (!there) lost.push(`${what} ${id}`);
  }
  expect(lost).toEqual([]);
}

/** After the lease every claim that nobody settled is unknown: those whose effect happened, and those nobody can tell. */
async function expectDoubtIsUnknown(deps: Deps, effects: ReadonlySet<string>): Promise<void> {
  const inState = async (state: string) => {
    const found = await deps.store.read({
      ask: "rows",
      workspace: "default",
      table: "executions",
      where: { state },
      limit: 100_000,
      order: "oldest",
    });
    return found.map(({ row }) => row.id as string);
  };
  const claimed = await inState("claimed");
  expect(claimed.length).toBeGreaterThan(0);
  for (let round = 0; round < 100 && (await inState("claimed")).length > 0; round++) await tick(deps);
  expect(await inState("claimed")).toEqual([]);
  expect((await inState("unknown")).sort()).toEqual([...claimed].sort());
  const settled = new Set([...(await inState("succeeded")), ...claimed]);
  expect([...effects].filter((id) => !settled.has(id))).toEqual([]);
}

async function expectVerified(store: Store): Promise<void> {
  const { epoch: _, ...kept } = await store.read({ ask: "head", workspace: "default" });
  const links = await store.read({ ask: "links", workspace: "default", afterIndex: 0, limit: kept.index + 1 });
  const head = links.reduce((before, link) => {
    expect([link.index, link.previous, link.hash]).toEqual([before.index + 1, before.hash, linkHashOf(link)]);
    return headAfter(before, link);
  }, EMPTY_HEAD);
  expect(head).toEqual(kept);
}
