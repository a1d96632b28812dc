import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { submit } from "../../src/gate/calls/submit.ts";
import { headOf, listEntries } from "../../src/gate/record/ledger.ts";
import { openDeps } from "../../src/open.ts";
import { type Machine, machine } from "../cli/program.ts";
import { newDatabase } from "./database.ts";

const MINUTE_MS = 60_000;

let on: Machine;
let url: string;
beforeEach(async () => {
  on = machine();
  url = await newDatabase();
});
afterEach(() => {
  vi.useRealTimers();
  on.remove();
});

const opened = () =>
  openDeps({ env: { ...on.env, LEEWAY_DB: url }, cwd: on.project, policy: { tiers: { "fs.read": "auto" } } });
type Opened = Awaited<ReturnType<typeof opened>>;

const call = async (deps: Opened, callId: string) => {
  const { outcome, code, reason } = await submit(deps, {
    ...{ workspace: "default", agent: "coder", tool: "read_file", args: { path: "a" }, callId },
    ...{ traceId: "trace_1", chain: [], claims: {} },
  });
  return outcome === "run" ? outcome : { code, reason };
};

/** As if the clock of this machine were set. PostgreSQL keeps its own. */
const setClock = (byMs: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + byMs });

const refused = (by: string) => ({
  code: "LEEWAY_AUDIT_UNAVAILABLE",
  reason: expect.stringContaining(`the clock of this machine is ${by} the one of PostgreSQL`),
});

test("a process whose clock is wrong is refused and moves nobody's time; one that is right goes on", async () => {
  const right = await opened();
  expect(await call(right, "before")).toBe("run");
  const { index } = await headOf(right);
  for (const [byMs, by] of [
    [120 * MINUTE_MS, "120 minutes ahead of"],
    [-120 * MINUTE_MS, "120 minutes behind"],
  ] as const) {
    setClock(byMs);
    const wrong = await opened();
    expect(await call(wrong, `wrong ${byMs}`)).toEqual(refused(by));
    await wrong.close();
    vi.useRealTimers();
  }
  expect((await headOf(right)).index).toBe(index);
  expect(await call(right, "after")).toBe("run");
  const [newest] = await listEntries(right, {}, { limit: 1, order: "newest" });
  expect(Math.abs((newest?.atMs ?? 0) - Date.now())).toBeLessThan(MINUTE_MS);
  await right.close();
}, 60_000);

test("a clock that is set while a process runs is noticed at the next call, and is good again when it is set back", async () => {
  const deps = await opened();
  expect(await call(deps, "c1")).toBe("run");
  setClock(30 * MINUTE_MS);
  expect(await call(deps, "c2")).toEqual(refused("30 minutes ahead of"));
  vi.useRealTimers();
  expect(await call(deps, "c3")).toBe("run");
  await deps.close();
}, 60_000);

test("a clock that is half a minute away is no reason to refuse", async () => {
  setClock(30_000);
  const deps = await opened();
  expect(await call(deps, "c1")).toBe("run");
  await deps.close();
}, 60_000);
