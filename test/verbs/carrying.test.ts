import { afterEach, expect, test, vi } from "vitest";
import { LEASE_MS } from "../../src/core/execution.ts";
import { wait } from "../../src/gate/calls/wait.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { type Running, StoreUnavailable } from "../../src/ports.ts";
import { commandRunner } from "../../src/runners/command.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { MINUTE_MS, type Office, office } from "./kit.ts";

// What the gate runs itself, after a person approved it.

const POLICY = `
version: 1
tier: suggest
approvals: { expires: 1h, permit: 30m, assurance: any }
`;

afterEach(() => {
  vi.useRealTimers();
});

async function approved(o: Office, args: { command: string }) {
  const { approvalId, id } = await o.submit("shell", args, { cwd: "/tmp" });
  const done = await o.approve(approvalId);
  const executionId = done.ok && done.value.state === "approved" ? done.value.executionId : "";
  return { id, executionId };
}

test("an approved command that exits with a code other than 0 has failed, and callers that wait get its code and output", async () => {
  const o = await office(POLICY);
  o.deps.runners.set("shell", commandRunner("shell", { idempotent: false, env: {} }));
  const { id, executionId } = await approved(o, { command: "echo half; echo broken >&2; exit 3" });
  expect(await tick(o.deps)).toMatchObject({ failed: 1 });
  expect(await o.execution(executionId)).toMatchObject({ state: "failed", error: "it ended with code 3" });
  expect(await o.kinds()).toContain("execution.failed");
  expect(await o.kinds()).not.toContain("execution.succeeded");
  expect(await wait(o.deps, id, { timeoutMs: 0 })).toMatchObject({
    outcome: "run",
    code: "LEEWAY_EXECUTION_FAILED",
    error: "it ended with code 3",
    result: { code: 3, stdout: "half\n", stderr: "broken\n" },
  });
});

test("a call whose runner does not know the result is unknown and does not run again; an idempotent one is tried again", async () => {
  const o = await office(POLICY);
  const run = vi.fn(async () => ({ ok: false as const, error: "reset", started: "unknown" as const }));
  o.deps.runners.set("shell", { name: "shell", idempotent: false, run });
  const { id, executionId } = await approved(o, { command: "echo a" });
  expect(await tick(o.deps)).toMatchObject({ unknown: 1 });
  o.clock.advance(MINUTE_MS);
  await tick(o.deps);
  expect([(await o.execution(executionId)).state, run.mock.calls.length]).toEqual(["unknown", 1]);
  expect(await wait(o.deps, id, { timeoutMs: 0 })).toMatchObject({ code: "LEEWAY_OUTCOME_UNKNOWN" });

  o.deps.runners.set("shell", { name: "shell", idempotent: true, run });
  const again = await approved(o, { command: "echo b" });
  expect(await tick(o.deps)).toMatchObject({ released: 1 });
  expect(await o.execution(again.executionId)).toMatchObject({ state: "ready", lapsed: expect.any(String) });
  o.clock.advance(MINUTE_MS);
  await tick(o.deps);
  expect(run.mock.calls.length).toBe(3);
});

/** The gate's own clock and its heartbeat, side by side. */
async function beats(o: Office, count: number): Promise<void> {
  for (let beat = 0; beat < count; beat++) {
    o.clock.advance(LEASE_MS / 3);
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
  }
}

async function whileAway(missed: number): Promise<boolean> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const store = memoryStore();
  let away = false;
  const commit: typeof store.commit = async (change) => {
    if (away) throw new StoreUnavailable("the disk is full");
    return store.commit(change);
  };
  const o = await office(POLICY, { store: { ...store, commit } });
  let lost = false;
  o.deps.runners.set("shell", {
    name: "shell",
    idempotent: false,
    run: async ({ signal }) => {
      away = true;
      await beats(o, missed);
      away = false;
      lost = signal.aborted;
      return { ok: true, result: null };
    },
  });
  await approved(o, { command: "make" });
  await tick(o.deps);
  return lost;
}

test("if the store is unreachable for one heartbeat, a running command continues; for a whole lease, it is stopped", async () => {
  expect([await whileAway(1), await whileAway(2), await whileAway(3)]).toEqual([false, false, true]);
});

test("an outcome is recorded when the store is reachable again, if that is within seconds", async () => {
  const store = memoryStore();
  let fails = 0;
  const commit: typeof store.commit = async (change) => {
    if (fails-- > 0) throw new StoreUnavailable("the disk is full");
    return store.commit(change);
  };
  const o = await office(POLICY, { store: { ...store, commit } });
  o.deps.runners.set("shell", {
    name: "shell",
    idempotent: false,
    run: async () => {
      fails = 4;
      return { ok: true, result: "done" };
    },
  });
  const { executionId } = await approved(o, { command: "make" });
  expect(await tick(o.deps)).toMatchObject({ succeeded: 1 });
  expect(await o.execution(executionId)).toMatchObject({ state: "succeeded" });
});

/** Something that happens just before a claim is written: the claimer read everything a moment ago. */
async function slowClaim(meanwhile: (o: Office) => Promise<void>) {
  const store = memoryStore();
  let act: (() => Promise<void>) | undefined;
  const commit: typeof store.commit = async (change) => {
    if (!change.entries.some(({ kind }) => kind === "execution.claimed")) return store.commit(change);
    const now = act;
    act = undefined;
    await now?.();
    return store.commit(change);
  };
  const o = await office(POLICY, { store: { ...store, commit } });
  const ran: unknown[] = [];
  const run = async ({ call: { tool, cwd, digest }, args }: Running) => {
    ran.push({ tool, cwd, digest, args });
    return { ok: true as const, result: "done" };
  };
  o.deps.runners.set("shell", { name: "function", idempotent: false, run });
  const { approvalId, digest } = await sent(o, { command: "pwd", cwd: "/tmp" });
  await o.approve(approvalId);
  act = () => meanwhile(o);
  await tick(o.deps);
  return { o, ran, digest };
}

function sent(o: Office, { command, cwd }: { command: string; cwd: string }) {
  return o.submit("shell", { command }, { cwd, callId: "c1" });
}

test("the call that runs is the approved call, as it was judged when its execution was claimed", async () => {
  const { ran, digest } = await slowClaim(async () => {});
  expect(ran).toEqual([{ tool: "shell", cwd: "/tmp", digest, args: { command: "pwd" } }]);
});

test("an execution that lapsed while it was being claimed, and whose call was asked about again, is not claimed", async () => {
  const { o, ran } = await slowClaim(async (office) => {
    office.clock.advance(31 * MINUTE_MS);
    await sent(office, { command: "pwd", cwd: "/tmp" });
  });
  expect(ran).toEqual([]);
  expect(await o.kinds()).not.toContain("execution.claimed");
});

test("an execution whose call was superseded while it was being claimed is not claimed", async () => {
  const { o, ran } = await slowClaim(async (office) => {
    office.clock.advance(31 * MINUTE_MS);
    await sent(office, { command: "pwd", cwd: "/tmp" });
    await sent(office, { command: "rm -rf .", cwd: "/" });
  });
  expect(ran).toEqual([]);
  expect(await o.kinds()).not.toContain("execution.claimed");
});
