import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { leeway, type Machine, machine } from "./program.ts";

// `box.limits` of a policy. These tests need a machine that can make boxes.

const on: Machine = machine();
afterAll(() => on.remove());

function write(folder: string, limits: string) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "leeway.yaml");
  writeFileSync(file, `version: 1\npreset: standard\nbox: { limits: ${limits} }\n`);
  return file;
}

test("a program that takes too much is ended; the agent is told what to do, and the record says it", async () => {
  const policy = write(join(on.home, "named"), "{ memory: 300MB }");
  const eats = "const kept = []; setInterval(() => kept.push(Buffer.alloc(20e6, 1)), 10)";
  writeFileSync(join(on.project, "eats.js"), eats);
  const receipt = join(on.home, "receipt.json");
  const ran = await leeway(on, ["run", "--policy", policy, "--receipt", receipt, "--", "node", "eats.js"]);
  const told =
    "leeway: The box ended the program, because it used more than 300 MB of memory: run a smaller part, or ask a person to raise box.limits.memory in leeway.yaml.";
  expect([ran.code, ran.stderr.split("\n")[0]]).toEqual([137, told]);
  const { id } = JSON.parse(readFileSync(receipt, "utf8"));
  const why = (await leeway(on, ["why", id])).stdout.replace(/\s+/g, " ");
  expect(why).toContain("at most 300 MB of memory");
  expect(why).toContain("more than 300 MB of memory, so the program was ended");
});

test("of several policy files the lowest limit counts", async () => {
  write(join(on.home, "config", "leeway"), "{ memory: 2GB, processes: 500, time: 1h }");
  write(on.project, "{ memory: 1GB, time: 2h }");
  const checked = await leeway(on, ["check", "--json", "--command", "node eats.js"]);
  expect(JSON.parse(checked.stdout).box.limits).toEqual({ memoryBytes: 1e9, processes: 500, timeMs: 3_600_000 });
});

test("a limit that is no size, no number or no time is a mistake in the file", async () => {
  const policy = write(join(on.home, "wrong"), "{ memory: 4G, processes: 2, time: soon }");
  const { code, stdout } = await leeway(on, ["policy", "check", policy]);
  expect(code).toBe(1);
  for (const hint of ["500MB, 4GB", "16", "90s, 30m"]) expect(stdout).toContain(hint);
});
