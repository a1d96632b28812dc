import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { check, DEFAULT_CALLER, PROGRAM_DOOR } from "../../src/gate/calls/judging.ts";
import { openDeps } from "../../src/open.ts";

// A search that removes files by their name removes nothing else.

const project = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-by-name-")));
let deps: Awaited<ReturnType<typeof openDeps>>;
beforeAll(async () => {
  writeFileSync(join(project, "leeway.yaml"), "version: 1\n");
  execFileSync("git", ["init", "-q", project]);
  deps = await openDeps({ db: ":memory:", policy: { version: 1, preset: "standard" }, cwd: project });
});
afterAll(async () => {
  await deps.close();
  rmSync(project, { recursive: true, force: true });
});

async function decided(command: string): Promise<string> {
  const base = { workspace: "default", agent: "coder", callId: "c", traceId: "t", chain: [], claims: {} } as const;
  const call: ToolCall = { ...base, tool: "shell", args: { command }, cwd: project };
  const door = { ...PROGRAM_DOOR, boxes: { rehearses: true, ownRepository: true } };
  const { decision } = await check(deps, call, { ...DEFAULT_CALLER, door });
  return decision.outcome === "run" ? `${decision.box?.because}` : "asked";
}

test("removing by the name that a search finds needs no question, unless the name may be something protected", async () => {
  for (const command of ["find . -name __pycache__ -prune -exec rm -rf {} +", "find . -type f -name '*.orig' -delete"])
    expect([command, await decided(command)]).toEqual([command, "enough"]);
  for (const command of [
    "find . -name 'lee*' -delete",
    "find . -name .git -exec rm -rf {} +",
    "find . -name a -o -delete",
  ])
    expect([command, await decided(command)]).toEqual([command, "asked"]);
});

test("a copy that removes what it copied is asked about, also if it copies to a temporary folder", async () => {
  expect(await decided("rsync -a --remove-source-files src/ /tmp/moved/")).toBe("asked");
});
