import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { submit } from "../../src/gate/calls/submit.ts";
import { openDeps } from "../../src/open.ts";
import { type StartedPostgres, startPostgres } from "../../tools/postgres.mjs";
import { asAna, PASSPHRASE } from "../cli/person.ts";
import { leeway, type Machine, machine } from "../cli/program.ts";
import { type Standby, type Switch, standbyOf, switchTo } from "./standby.ts";

let on: Machine;
let primary: StartedPostgres;
let standby: Standby;
let address: Switch;
let isPrimaryGone: boolean;
beforeEach(async () => {
  on = machine();
  isPrimaryGone = false;
  primary = await startPostgres();
  await primary.createDatabase("leeway");
  address = await switchTo(primary.port);
  on.env["LEEWAY_DB"] = primary.url("leeway").replace(`:${primary.port}/`, `:${address.port}/`);
  writeFileSync(join(on.home, "pw"), `${PASSPHRASE}\n`);
  const person = ["people", "add", "ana", "--admin", "--password-file", join(on.home, "pw")];
  expect((await leeway(on, person)).code).toBe(0);
  standby = await standbyOf(primary.url("postgres"));
}, 120_000);
afterEach(async () => {
  address.close();
  await standby.stop();
  if (isPrimaryGone) await primary.resume();
  await primary.stop();
  on.remove();
});

/** The primary is killed, the standby takes over, and the address leads to it. */
async function failOver(): Promise<void> {
  await primary.halt("SIGKILL");
  isPrimaryGone = true;
  await standby.promote();
  address.leadTo(standby.port);
}

const opened = () =>
  openDeps({ env: on.env, cwd: on.project, policy: { tiers: { "fs.read": "auto", "fs.write": "ask" } } });
type Opened = Awaited<ReturnType<typeof opened>>;

const call = async (deps: Opened, tool: string, callId: string) => {
  const { id, outcome, approvalId, code, reason } = await submit(deps, {
    ...{ workspace: "default", agent: "coder", tool, args: { path: callId }, callId },
    ...{ traceId: "trace_1", chain: [], claims: {} },
  });
  return { id, outcome, approvalId, code, reason };
};

test("after a fail-over to a standby that has everything, every acknowledged answer is the same and the record is whole", async () => {
  const deps = await opened();
  const calls = Array.from({ length: 20 }, (_, i) => [i % 2 ? "read_file" : "tool_nobody_knows", `c${i}`] as const);
  const before = [];
  for (const [tool, callId] of calls) before.push(await call(deps, tool, callId));
  expect(before.slice(0, 2)).toEqual([
    { ...before[0], outcome: "pending", approvalId: expect.stringMatching(/^apr_/) },
    { ...before[1], outcome: "run" },
  ]);
  await standby.caughtUp();
  await failOver();
  const after = [];
  for (const [tool, callId] of calls) after.push(await call(deps, tool, callId));
  expect(after.map(({ id, approvalId }) => [id, approvalId])).toEqual(
    before.map(({ id, approvalId }) => [id, approvalId]),
  );
  expect(await call(deps, "read_file", "new")).toMatchObject({ outcome: "run" });
  await deps.close();
  expect(await leeway(on, ["verify"])).toMatchObject({ code: 0, stderr: "" });
}, 120_000);

test("after a fail-over to a standby that is behind nothing runs, and it is said what is missing until a person recovers", async () => {
  const deps = await opened();
  expect(await call(deps, "read_file", "kept")).toMatchObject({ outcome: "run" });
  await standby.caughtUp();
  await standby.cutOff();
  expect(await call(deps, "read_file", "lost")).toMatchObject({ outcome: "run" });
  await failOver();
  const lost = /a process of this machine had appended entry \d+, and the database no longer has it/;
  for (const callId of ["lost", "new"]) {
    expect(await call(deps, "read_file", callId)).toMatchObject({
      outcome: "denied",
      code: "LEEWAY_WENT_BACK",
      reason: expect.stringMatching(lost),
    });
  }
  for (const args of [["run", "--", "ls"], ["verify"]]) {
    const refused = await leeway(on, args);
    expect([args, refused.code === 0, refused.stderr]).toEqual([args, false, expect.stringMatching(lost)]);
  }
  const recovered = await asAna(on, ["recover", "--because", "the standby was behind"]);
  expect([recovered.code, recovered.text.replace(/\s+/g, " ")]).toEqual([
    0,
    expect.stringContaining("Restart servers and programs of this machine that were running"),
  ]);
  // The process that saw the entries goes on refusing, but no longer closes the gate of the machine.
  const old = await call(deps, "read_file", "lost");
  expect([old.outcome, old.reason]).toEqual(["denied", expect.stringContaining("stop this process")]);
  const again = await opened();
  expect(await call(again, "read_file", "lost")).toMatchObject({ outcome: "run" });
  expect(await call(deps, "read_file", "new")).toMatchObject({ outcome: "denied" });
  expect(await call(again, "read_file", "more")).toMatchObject({ outcome: "run" });
  await again.close();
  await deps.close();
  expect(await leeway(on, ["verify"])).toMatchObject({ code: 0, stderr: "" });
}, 120_000);
