import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EMPTY_HEAD, type Head, headAfter, linkHashOf } from "../../src/core/ledger.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { tick } from "../../src/gate/time/tick.ts";
import type { Store } from "../../src/ports.ts";
import { sqliteStore } from "../../src/store/sqlite/index.ts";
import { systemMint } from "../../src/system.ts";
import { testClock, testDeps } from "../../src/testing.ts";
import { sealer } from "../fixtures/rows.ts";
import { policy, startWorker } from "./processes.ts";

const KILLS = process.env["LEEWAY_PROVE"] === undefined ? 12 : 1_000;
const AT_ONCE = 4;
const CALLS = KILLS * 60;

test(
  "if the process is killed under load, nothing acknowledged is lost, nothing happens twice, and unknown outcomes stay unknown",
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

    expect(lines(files.effects).length).toBeGreaterThan(KILLS);
    await expectKept(files);
    rmSync(folder, { recursive: true });
  },
  process.env["LEEWAY_PROVE"] === undefined ? 600_000 : 3_600_000,
);

/** More than a submission and its end need together, with one worker and with three. */
const STATEMENTS_MAX = 40;
const DEATHS = process.env["LEEWAY_PROVE"] === undefined ? 14 : 2_000;

test(
  "if the process is killed at any statement of submitting and settling, nothing acknowledged is lost, and nothing happens twice",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "leeway-death-"));
    const files = { path: join(folder, "leeway.db"), acks: join(folder, "acks"), effects: join(folder, "effects") };
    let deaths = 0;
    const dying = async () => {
      while (deaths < DEATHS) {
        const at = deaths++;
        const dies = at % 2 === 0 ? "before" : "after";
        // Seven has no factor in common with the number of statements: few deaths are spread over all of them.
        const dieAt = 1 + ((Math.floor(at / 2) * 7) % STATEMENTS_MAX);
        const child = startWorker("act", {
          ...files,
          policy,
          workers: at % 3 === 0 ? 3 : 1,
          calls: DEATHS * 60,
          dies,
          dieAt,
        });
        child.stdout?.resume();
        expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, dying));
    await expectKept(files);
    rmSync(folder, { recursive: true });
  },
  process.env["LEEWAY_PROVE"] === undefined ? 120_000 : 3_600_000,
);

/** Everything acknowledged is in the record, nothing happened twice, and what nobody settled stays unknown. */
async function expectKept(files: { path: string; acks: string; effects: string }): Promise<void> {
  const store = sqliteStore(files.path, { sealer });
  const clock = testClock(Date.now() + 60 * 60 * 1000);
  const deps = testDeps({ policy, store, clock, mint: systemMint() });
  await expectAcksKept(store, lines(files.acks));
  const effects = lines(files.effects);
  expect(new Set(effects.map(([callId]) => callId)).size).toBe(effects.length);
  await expectDoubtIsHanded(deps, new Set(effects.map(([, execution = ""]) => execution)));
  await expectVerified(store);
  await store.close();
}

function lines(file: string): string[][] {
  return readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "));
}

/** Everything that a process was told is in the record: the decision at its index, and the outcome. */
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

/** After the lease every claim that nobody settled counts as handed over: nobody says whether it happened. */
async function expectDoubtIsHanded(deps: Deps, effects: ReadonlySet<string>): Promise<void> {
  const states = async () => {
    const found = new Map<string, string>();
    for (let afterIndex = 0; ; ) {
      const where = { kinds: ["call.decided" as const], afterIndex };
      const asked = { ask: "entries", workspace: "default", where, limit: 1_000, order: "oldest" } as const;
      const entries = await deps.store.read(asked);
      for (const { subject } of entries) {
        const id = subject.execution ?? "";
        const held = await deps.store.read({ ask: "row", workspace: "default", table: "executions", id });
        found.set(id, held?.row.state ?? "gone");
      }
      const last = entries.at(-1);
      if (last === undefined) return found;
      afterIndex = last.index;
    }
  };
  const inState = (found: ReadonlyMap<string, string>, state: string) =>
    [...found].filter(([, is]) => is === state).map(([id]) => id);
  const before = await states();
  const claimed = inState(before, "claimed");
  expect(claimed.length).toBeGreaterThan(0);
  while (Object.keys(await tick(deps)).length > 0);
  const after = await states();
  expect(inState(after, "handed")).toEqual(claimed);
  expect(inState(after, "succeeded")).toEqual(inState(before, "succeeded"));
  const settled = new Set([...inState(after, "succeeded"), ...claimed]);
  expect([...effects].filter((id) => !settled.has(id))).toEqual([]);
}

async function expectVerified(store: Store): Promise<void> {
  const { epoch: _, ...kept } = await store.read({ ask: "head", workspace: "default" });
  const links = await store.read({ ask: "links", workspace: "default", afterIndex: 0, limit: kept.index + 1 });
  const head = links.reduce<Head>((before, link) => {
    expect([link.index, link.previous, link.hash]).toEqual([before.index + 1, before.hash, linkHashOf(link)]);
    return headAfter(link);
  }, EMPTY_HEAD);
  expect(head).toEqual(kept);
}
