import { afterEach, beforeEach, expect, test } from "vitest";
import { settle } from "../../src/gate/calls/claim.ts";
import { submit } from "../../src/gate/calls/submit.ts";
import { listEntries, verifyLedger } from "../../src/gate/record/ledger.ts";
import { tick } from "../../src/gate/time/tick.ts";
import { openDeps } from "../../src/open.ts";
import { type StartedPostgres, startPostgres } from "../../tools/postgres.mjs";
import { type Machine, machine } from "../cli/program.ts";
import { asking } from "./standby.ts";

// PostgreSQL is set to wait for a synchronous standby, and nobody answers.

let on: Machine;
let postgres: StartedPostgres;
beforeEach(async () => {
  on = machine();
  postgres = await startPostgres({ durable: false });
  await postgres.createDatabase("leeway");
}, 60_000);
afterEach(async () => {
  await postgres.stop();
  on.remove();
});

const opened = () =>
  openDeps({
    env: { ...on.env, LEEWAY_DB: postgres.url("leeway"), LEEWAY_KEY: "ab".repeat(32) },
    cwd: on.project,
    policy: { tiers: { "fs.write": "auto" } },
  });
type Opened = Awaited<ReturnType<typeof opened>>;

const call = (deps: Opened, callId: string) =>
  submit(deps, {
    ...{ workspace: "default", agent: "coder", tool: "write_file", args: { path: "a", content: "b" }, callId },
    ...{ traceId: "trace_1", chain: [], claims: {} },
  });

async function waitFor(names: string): Promise<void> {
  await asking(postgres.url("postgres"), `alter system set synchronous_standby_names = '${names}'`);
  await asking(postgres.url("postgres"), "select pg_reload_conf()");
  const shown = () => asking(postgres.url("postgres"), "show synchronous_standby_names");
  await expect.poll(shown).toEqual([{ synchronous_standby_names: names }]);
}

const waiting = () => asking(postgres.url("postgres"), "select 1 from pg_stat_activity where wait_event = 'SyncRep'");

const WAITS = "PostgreSQL waits for a synchronous standby that does not answer (synchronous_standby_names is 'nobody')";

test("a call whose commit waits for a standby that is gone does not run, is told why, and runs once when it is sent again", async () => {
  const [deps, other] = [await opened(), await opened()];
  expect((await call(deps, "before")).outcome).toBe("run");
  expect((await call(other, "elsewhere")).outcome).toBe("run");
  await waitFor("nobody");
  const refused = await call(deps, "c1");
  expect([refused.outcome, refused.code, refused.reason]).toEqual([
    "denied",
    "LEEWAY_AUDIT_UNAVAILABLE",
    `the call may not run now, because nobody knows whether the decision was recorded: ${WAITS}; ` +
      "start the standby, or take it out of `synchronous_standby_names` and reload; then do the same again. If it was a call, send it with the same id: nothing runs twice",
  ]);
  // Another process waits for the lock of the same chain: nothing of it is recorded.
  expect((await call(other, "c2")).reason).toContain(`the decision could not be recorded: ${WAITS}`);

  await waitFor("");
  await expect.poll(waiting).toEqual([]);
  // Only the process that refused the caller knows that nobody runs it.
  const elsewhere = await call(other, "c1");
  expect([elsewhere.outcome === "run", elsewhere.code]).toEqual([
    false,
    expect.stringMatching(/^LEEWAY_(CALL_RUNNING|OUTCOME_UNKNOWN)$/),
  ]);
  // The lease of the call may have ended meanwhile.
  await tick(other);
  const again = await call(deps, "c1");
  expect(again).toMatchObject({ outcome: "run", executionId: expect.any(String), attempt: expect.any(String) });
  expect(await call(deps, "c1")).toMatchObject({ outcome: "pending", code: "LEEWAY_CALL_RUNNING" });
  const { executionId = "", attempt = "att_" } = again;
  const ending = { ok: true, result: null } as const;
  expect((await settle(deps, executionId, { attempt, by: "caller", ending })).ok).toBe(true);
  const entries = await listEntries(deps, { subject: { execution: executionId } }, { limit: 20, order: "oldest" });
  expect(entries.map(({ kind }) => kind).filter((kind) => kind !== "call.refused")).toEqual([
    "call.decided",
    "execution.released",
    "call.decided",
    "execution.claimed",
    "execution.succeeded",
  ]);
  const verified = await verifyLedger(deps);
  expect([verified.ok, (await call(other, "c2")).outcome]).toEqual([true, "run"]);
  await Promise.all([deps.close(), other.close()]);
}, 120_000);
