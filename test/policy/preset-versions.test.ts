import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { ToolCall } from "../../src/core/call.ts";
import { put, unchanged } from "../../src/core/change.ts";
import { madeRow } from "../../src/core/rows/row-hash.ts";
import { draft } from "../../src/core/steps/draft.ts";
import { check, DEFAULT_CALLER, PROGRAM_DOOR } from "../../src/gate/calls/judging.ts";
import { commitStep } from "../../src/gate/commit.ts";
import { addPerson } from "../../src/gate/people/people.ts";
import { acceptPolicy, policyInForce } from "../../src/gate/standing/policy.ts";
import { openDeps } from "../../src/open.ts";

const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "leeway-presets-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FINAL = ["rm -rf ../other", "git push", "npm publish", "terraform apply", "docker run x", "echo x > ../other/y"];
const TAKEN_BACK = ["npm test", "rm -rf src", "git commit -am x", "echo x > src/a"];

type Opened = Awaited<ReturnType<typeof openDeps>>;

async function openedProject(): Promise<Opened> {
  const project = mkdtempSync(join(folder, "project-"));
  execFileSync("git", ["init", "-q", project]);
  writeFileSync(join(project, "leeway.yaml"), "version: 1\npreset: autonomous\n");
  const deps = await openDeps({ db: ":memory:", cwd: project, env: { PATH: process.env["PATH"] ?? "", HOME: folder } });
  await addPerson(deps, { name: "ana", admin: true, by: "ana", assurance: "tty" });
  return deps;
}

async function asked(deps: Opened, commands: readonly string[]): Promise<readonly string[]> {
  const cwd = deps.policies.current().project;
  const base = { workspace: "default", agent: "coder", callId: "c", traceId: "t", chain: [], claims: {}, cwd } as const;
  const door = { ...PROGRAM_DOOR, boxes: { rehearses: true, ownRepository: true } };
  const found = commands.map(async (command) => {
    const call: ToolCall = { ...base, tool: "shell", args: { command } };
    const { decision } = await check(deps, call, { ...DEFAULT_CALLER, door });
    return decision.outcome === "run" ? [] : [command];
  });
  return (await Promise.all(found)).flat();
}

/** As Leeway recorded it before presets had versions. */
async function acceptAsBefore(deps: Opened): Promise<void> {
  const [file] = deps.policies.current().files;
  if (file?.loaded.ok !== true) throw new Error("the policy does not load");
  const { path, text } = file;
  const { version } = file.loaded.policy;
  await commitStep(deps, async (atMs) => {
    const row = { id: path, workspace: "default", state: "accepted", version, path, text, by: "ana", atMs } as const;
    const entry = draft(deps.mint, {
      kind: "policy.accepted",
      actor: "person:ana",
      subject: { person: "ana" },
      body: { path, version, before: null },
      rows: [madeRow("policies", row, undefined)],
    });
    const writes = [put("policies", row), { do: "turn" } as const];
    return { ok: true, pieces: [{ needs: [unchanged("policies", path, 0)], writes, entries: [entry] }], value: row };
  });
}

async function acceptNow(deps: Opened): Promise<void> {
  const [file] = deps.policies.current().files;
  if (file?.loaded.ok !== true) throw new Error("the policy does not load");
  const { version } = file.loaded.policy;
  const done = await acceptPolicy(deps, file.path, { by: "ana", assurance: "tty", version });
  expect(done.ok).toBe(true);
}

test("preset autonomous asks only before what cannot be undone", async () => {
  const deps = await openedProject();
  await acceptNow(deps);
  expect(await asked(deps, [...FINAL, ...TAKEN_BACK])).toEqual(FINAL);
  await deps.close();
});

test("whoever accepted the first version of a preset keeps it, until they accept the same text again", async () => {
  const deps = await openedProject();
  await acceptAsBefore(deps);
  expect(await asked(deps, ["rm -rf ../other", "git push", "npm publish", "terraform apply", ...TAKEN_BACK])).toEqual(
    [],
  );
  const presets = async () =>
    (await policyInForce(deps)).layers.map(({ from, policy }) => [from, policy.preset?.version]);
  expect(await presets()).toEqual([["accepted", 1]]);
  await acceptNow(deps);
  expect(await asked(deps, [...FINAL, ...TAKEN_BACK])).toEqual(FINAL);
  expect(await presets()).toEqual([["accepted", undefined]]);
  await deps.close();
});
