import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { BoxLimits } from "../../src/core/box.ts";
import { makeWorld, prepared, ran, ranInBox, type World } from "./boxed.ts";

let world: World;
beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world.end());

const MB = 1_000_000;
const limited = (script: string, limits: BoxLimits) => ranInBox(world, script, { walls: { limits } });
const node = (script: string) => `exec ${process.execPath} -e '${script}'`;

test("a program that takes more memory than its box may have is ended", async () => {
  const eats = "const kept = []; setInterval(() => kept.push(Buffer.alloc(20e6, 1)), 10)";
  const ran = await limited(node(eats), { memoryBytes: 400 * MB });
  expect([ran.signal, ran.report.refused]).toEqual(["SIGKILL", [{ of: "limit", limit: "memory", max: 400 * MB }]]);
});

test("memory counts together: of many processes, and of files in the box's own folders", async () => {
  const refused = [{ of: "limit", limit: "memory", max: 300 * MB }];
  const eats = `const kept = Buffer.alloc(60e6, 1); setInterval(() => kept.length, 1e3)`;
  const many = await limited(`for one in 1 2 3 4 5 6 7 8; do ${process.execPath} -e '${eats}' & done; wait`, {
    memoryBytes: 300 * MB,
  });
  expect(many.report.refused).toEqual(refused);
  const files = await limited("head -c 500000000 /dev/zero > /tmp/large; exec sleep 60", { memoryBytes: 300 * MB });
  expect(files.report.refused).toEqual(refused);
});

test("what a rehearsed program writes to the home folder is in memory, and counts", async () => {
  const script = 'head -c 500000000 /dev/zero > "$HOME/large"; exec sleep 60';
  const box = await prepared(world, { args: ["-c", script], walls: { limits: { memoryBytes: 300 * MB } } }, true);
  const { report } = await ran(box);
  expect(report.refused).toEqual([{ of: "limit", limit: "memory", max: 300 * MB }]);
});

test("memory that is only reserved does not count, nor what many processes share", async () => {
  const reserves = "new WebAssembly.Memory({ initial: 1, maximum: 65536 }); new ArrayBuffer(900e6)";
  const reserved = await limited(node(`${reserves}; setTimeout(() => {}, 1500)`), { memoryBytes: 300 * MB });
  expect([reserved.code, reserved.report.refused]).toEqual([0, []]);
  const forks = `exec python3 -c '
import os, time
kept = bytearray(b"1" * 150_000_000)
for one in range(6):
    if os.fork() == 0:
        time.sleep(2)
        os._exit(0)
for one in range(6): os.wait()'`;
  const shared = await limited(forks, { memoryBytes: 600 * MB });
  expect([shared.code, shared.report.refused]).toEqual([0, []]);
});

test("a program that starts more processes than its box may have is ended, with all of them", async () => {
  const ran = await limited("while :; do sleep 27.1828 & done", { processes: 100 });
  // For other users than root, Linux starts no more, and the shell ends by itself.
  expect([ran.code === 0, ran.report.refused]).toEqual([false, [{ of: "limit", limit: "processes", max: 100 }]]);
  expect(spawnSync("pgrep", ["-f", "sleep 27.1828"]).status).toBe(1);
});

test("a program whose time is over is told to end, and is ended if it does not", async () => {
  const refused = [{ of: "limit", limit: "time", max: 1_000 }];
  const polite = await limited("trap 'echo put away; exit 4' TERM; while :; do sleep 0.05; done", { timeMs: 1_000 });
  expect([polite.code, polite.output, polite.report.refused]).toEqual([4, "put away\n", refused]);
  const deaf = await limited("trap '' TERM; while :; do sleep 0.05; done", { timeMs: 1_000 });
  expect([deaf.signal, deaf.report.refused]).toEqual(["SIGKILL", refused]);
});

test("a program that stays within its limits ends in its own way", async () => {
  const ran = await limited("sleep 0.7; exit 5", { memoryBytes: 200 * MB, processes: 100, timeMs: 60_000 });
  expect([ran.code, ran.report.refused]).toEqual([5, []]);
});
