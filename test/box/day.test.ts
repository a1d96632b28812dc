import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { check, DEFAULT_CALLER, PROGRAM_DOOR } from "../../src/gate/calls/judging.ts";
import { openDeps } from "../../src/open.ts";

// A day of an agent in a TypeScript repository: what it really runs, from the first look to the release.

const LINES = readFileSync(new URL("../cases/box/day-javascript.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { asks: boolean; command: string });

test("of the commands of a day in a TypeScript repository, few ask before they run, and those are the right ones", async () => {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-day-")));
  const [project, home] = [join(folder, "project"), join(folder, "home")] as const;
  for (const one of [project, home]) mkdirSync(one);
  writeFileSync(join(project, "package.json"), '{"name":"x","version":"1.0.0","scripts":{"test":"vitest"}}');
  writeFileSync(join(project, ".env"), "KEY=value\n");
  execFileSync("git", ["init", "-q", project]);
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: home };
  const deps = await openDeps({ db: ":memory:", policy: { version: 1, preset: "standard" }, cwd: project, env });
  const base = { workspace: "default", agent: "coder", callId: "c", traceId: "t", chain: [], claims: {} } as const;
  const door = { ...PROGRAM_DOOR, boxes: { rehearses: true, ownRepository: true } };
  const found: typeof LINES = [];
  for (const { command } of LINES) {
    const call: ToolCall = { ...base, tool: "shell", args: { command }, cwd: project };
    const { decision } = await check(deps, call, { ...DEFAULT_CALLER, door });
    found.push({ asks: decision.outcome !== "run", command });
  }
  await deps.close();
  rmSync(folder, { recursive: true, force: true });
  const asked = found.filter(({ asks }) => asks).length;
  console.log(`questions on a day in a TypeScript repository: ${asked} of ${LINES.length}`);
  expect(found).toEqual(LINES);
  expect(LINES.length).toBeGreaterThanOrEqual(214);
  expect(asked).toBeLessThanOrEqual(45);
}, 60_000);
