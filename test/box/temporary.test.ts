import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { check, DEFAULT_CALLER, PROGRAM_DOOR } from "../../src/gate/calls/judging.ts";
import { openDeps } from "../../src/open.ts";

// In containers and in CI, homes and repositories of others are below the folder for temporary files.

const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-temporary-")));
const [project, home, other, plain] = ["project", "home", "other", "plain"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
  string,
];
let deps: Awaited<ReturnType<typeof openDeps>>;

beforeAll(async () => {
  for (const one of [project, home, plain]) mkdirSync(one);
  for (const one of [project, other]) execFileSync("git", ["init", "-q", one]);
  for (const one of [home, plain, folder]) writeFileSync(join(one, "out.txt"), "x");
  const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: home };
  deps = await openDeps({ db: ":memory:", policy: { version: 1, preset: "standard" }, cwd: project, env });
});
afterAll(async () => {
  await deps.close();
  rmSync(folder, { recursive: true, force: true });
});

async function decided(command: string, nowMs = Date.now()): Promise<string> {
  const base = { workspace: "default", agent: "coder", callId: "c", traceId: "t", chain: [], claims: {} } as const;
  const call: ToolCall = { ...base, tool: "shell", args: { command }, cwd: project };
  const door = { ...PROGRAM_DOOR, boxes: { rehearses: true, ownRepository: true } };
  const later = { ...deps, clock: { ...deps.clock, nowMs: () => nowMs } };
  const { decision } = await check(later, call, { ...DEFAULT_CALLER, door });
  return decision.outcome === "run" ? "runs" : "asks";
}

async function decidedAll(commands: readonly string[], nowMs?: number): Promise<readonly (readonly string[])[]> {
  return Promise.all(commands.map(async (command) => [await decided(command, nowMs), command] as const));
}

test("a home or a repository below the folder for temporary files is no temporary file", async () => {
  const asked = [
    `rm -f ${folder}/out.* ~/out.*`,
    "rm -f ~/out.txt",
    `rm -rf ${other}`,
    `rm -rf ${folder}`,
    `rm -f ${other}/notes.txt`,
    `echo x > ${other}/notes.txt`,
    "mv a.txt ~/a.txt",
    "sqlite3 ~/a.db 'select 1'",
  ];
  expect(await decidedAll(asked)).toEqual(asked.map((command) => ["asks", command]));
});

test("what a session has just made there is a temporary file, also a folder", async () => {
  const free = [
    `rm -f ${folder}/out.*`,
    `rm -rf ${plain}`,
    `echo x > ${folder}/new.txt`,
    `cp src/a ${plain}/b`,
    "cat ~/out.txt",
  ];
  expect(await decidedAll(free)).toEqual(free.map((command) => ["runs", command]));
});

test("a temporary file that is older than any session is somebody's", async () => {
  const tomorrow = Date.now() + 24 * 60 * 60 * 1000;
  // The time of its last change, which anybody can set, does not matter.
  utimesSync(join(plain, "out.txt"), tomorrow / 1000, tomorrow / 1000);
  const commands = [`rm -rf ${plain}`, `rm -f ${plain}/out.txt`, `rm -f ${folder}/out.*`];
  expect(await decidedAll(commands, tomorrow)).toEqual(commands.map((command) => ["asks", command]));
});
