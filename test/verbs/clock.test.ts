import { expect, test } from "vitest";
import { claim } from "../../src/gate/calls/claim.ts";
import { check } from "../../src/gate/calls/judging.ts";
import { wait } from "../../src/gate/calls/wait.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { standingView } from "../../src/gate/standing/standing.ts";
import { gateClock, timeNow } from "../../src/gate/time/clock.ts";
import { tick } from "../../src/gate/time/tick.ts";
import type { Store } from "../../src/ports.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { type TestClock, testClock } from "../../src/testing.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type Office, office, officeOf } from "./kit.ts";

const LIMITED = `
version: 1
tier: auto
tools: { refund: { class: db.write } }
limits: [{ name: few, match: { tool: refund }, max: 2, per: 1h, by: agent, then: deny }]
approvals: { assurance: any }
`;

/** Another process that opens the same database, on the same machine. */
function anew(o: Office, clock: TestClock): Office {
  const { store, workspace, policies } = o.deps;
  const deps: Deps = { ...o.deps, clock: gateClock(clock), standing: standingView(store, workspace, policies) };
  return officeOf(deps, clock);
}

const outcomes = async (o: Office, times: number, tool = "refund") => {
  const found: string[] = [];
  for (let n = 0; n < times; n++) found.push((await o.submit(tool)).outcome);
  return found;
};

test("a limit that is used up stays used up when the clock is set back, here and in a new process", async () => {
  const o = await office(LIMITED, { store: memoryStore() });
  expect(await outcomes(o, 3)).toEqual(["run", "run", "denied"]);
  o.clock.advance(-2 * HOUR_MS);
  expect(await outcomes(o, 2)).toEqual(["denied", "denied"]);
  expect(await outcomes(anew(o, o.clock), 2)).toEqual(["denied", "denied"]);
});

test("time continues from the ledger's time at the clock's speed, so a limit is available again when its hour is over", async () => {
  const o = await office(LIMITED, { store: memoryStore() });
  await outcomes(o, 3);
  o.clock.advance(-DAY_MS);
  expect(await outcomes(o, 1)).toEqual(["denied"]);
  o.clock.advance(30 * MINUTE_MS);
  expect(await outcomes(anew(o, o.clock), 1)).toEqual(["denied"]);
  // A window is counted in steps, so it is over a little later.
  o.clock.advance(40 * MINUTE_MS);
  expect(await outcomes(anew(o, o.clock), 3)).toEqual(["run", "run", "denied"]);
});

test("an expired grant, permit or question does not become valid again when the clock is set back", async () => {
  const o = await office();
  const covers = { tool: { name: "refund" }, targets: [], level: "admin" as const };
  const given = await o.submit("refund", { n: 1 });
  await o.approve(given.approvalId, "ana", { remember: { covers } } as never);
  const permitted = await o.submit("keep", { n: 2 });
  const done = await o.approve(permitted.approvalId);
  const asked = await o.submit("wire", { n: 3 });
  o.clock.advance(DAY_MS);
  // Here only another process's entry tells the time: no expiry was recorded.
  expect((await o.submit("lookup")).outcome).toBe("run");
  o.clock.advance(-DAY_MS - MINUTE_MS);
  const later = anew(o, o.clock);
  expect((await later.submit("refund", { n: 4 })).outcome).toBe("pending");
  const id = done.ok && done.value.state === "approved" ? done.value.executionId : "";
  expect(await claim(later.deps, id, "caller")).toMatchObject({ ok: false, code: "LEEWAY_EXPIRED" });
  expect(await later.approve(asked.approvalId)).toMatchObject({ ok: false, code: "LEEWAY_ALREADY_RESOLVED" });
  expect(await wait(later.deps, asked.approvalId ?? "", { timeoutMs: 0 })).toMatchObject({ code: "LEEWAY_EXPIRED" });
  expect((await tick(later.deps)).voided).toBe(2);
});

test("after a clock that ran ahead is corrected, the gate works and says so in the ledger and on receipts", async () => {
  const o = await office(undefined, { store: memoryStore() });
  o.clock.advance(1000 * DAY_MS);
  expect((await o.submit("lookup")).notes).toBeUndefined();
  o.clock.advance(-1000 * DAY_MS);
  const late = anew(o, o.clock);
  const { approvalId, notes } = await late.submit("refund", { n: 1 });
  expect(notes).toEqual([
    "the clock is 1000d behind the ledger; the gate uses the ledger's time, which never goes back",
  ]);
  // Answered within its hour, by every clock.
  o.clock.advance(59 * MINUTE_MS);
  expect((await anew(o, o.clock).approve(approvalId)).ok).toBe(true);
  const second = await late.submit("refund", { n: 2 });
  o.clock.advance(HOUR_MS);
  expect((await anew(o, o.clock).approve(second.approvalId)).ok).toBe(false);
  expect((await o.kinds()).filter((kind) => kind.startsWith("clock."))).toEqual(["clock.behind"]);
  o.clock.advance(1001 * DAY_MS);
  expect((await anew(o, o.clock).submit("lookup")).notes).toBeUndefined();
  expect((await o.kinds()).filter((kind) => kind.startsWith("clock."))).toEqual(["clock.behind", "clock.right"]);
});

test("a correction of the clock by less than a minute is not reported, and the gate waits for the clock", async () => {
  const o = await office(undefined, { store: memoryStore() });
  await o.submit("lookup");
  const before = await timeNow(o.deps);
  o.clock.advance(-30_000);
  expect((await anew(o, o.clock).submit("lookup")).notes).toBeUndefined();
  expect(await timeNow(anew(o, o.clock).deps)).toBe(before);
  expect((await o.kinds()).filter((kind) => kind.startsWith("clock."))).toEqual([]);
});

test("checking uses the ledger's time too, and writes nothing", async () => {
  const o = await office(LIMITED, { store: memoryStore() });
  await outcomes(o, 3);
  o.clock.advance(-2 * HOUR_MS);
  const later = anew(o, o.clock);
  const before = await o.kinds();
  expect((await check(later.deps, later.call("refund"))).decision.outcome).toBe("denied");
  expect(await o.kinds()).toEqual(before);
});

test("processes that find the clock set back at the same time agree on the time", async () => {
  const o = await office(undefined, { store: memoryStore() });
  await o.submit("lookup");
  o.clock.advance(-5 * HOUR_MS);
  const many = Array.from({ length: 8 }, () => anew(o, o.clock));
  await Promise.all(many.map((one, n) => one.submit("lookup", { n })));
  expect((await o.kinds()).filter((kind) => kind === "clock.behind")).toHaveLength(1);
  o.clock.advance(HOUR_MS);
  const times = new Set(
    await Promise.all([...many, anew(o, testClock(o.clock.nowMs()))].map(({ deps }) => timeNow(deps))),
  );
  expect(times.size).toBe(1);
});

test("if it is time to look at the ledger, one of many callers looks for all", async () => {
  const kept = memoryStore();
  let looked = 0;
  const store: Store = {
    ...kept,
    read: (query) => {
      if (query.ask === "head") looked += 1;
      return kept.read(query);
    },
  };
  const o = await office(LIMITED, { store });
  await o.submit("keep");
  o.clock.advance(MINUTE_MS);
  looked = 0;
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => o.submit("refund", { n })));
  expect([looked, answers.filter(({ outcome }) => outcome === "run").length]).toEqual([1, 2]);
});
