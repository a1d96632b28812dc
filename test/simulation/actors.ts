import type { ToolCall } from "../../src/core/call.ts";
import type { Policy } from "../../src/core/policy.ts";
import type { Receipt } from "../../src/core/receipt.ts";
import type { Deps } from "../../src/gate/deps.ts";
import { StoreUnavailable } from "../../src/ports.ts";
import { callOf, happen, PEOPLE, POLICY, TOOLS, WORKSPACE, type World } from "./world.ts";

const MINUTE_MS = 60_000;

/** A store that is unavailable throws; its user simply comes back later. */
async function unlessUnavailable<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  }
}

/** An agent that calls tools, sends some calls again, and uses what was approved meanwhile. */
export async function agent(world: World, process: string, name: string, calls: number): Promise<void> {
  const deps = world.process(process);
  for (let n = 0; n < calls; n++) {
    const call = someCall(world, name);
    for (let tries = 1 + world.random.below(4); tries > 0; tries--) {
      await world.turns.turn(process);
      const receipt = await world.product.submit(deps, call);
      await followUp(world, deps, process, call, receipt);
    }
  }
}

/** Few tools, few arguments, few ids: collisions, duplicates and changed arguments happen by themselves. */
function someCall(world: World, agentName: string): ToolCall {
  const { random } = world;
  return {
    ...callOf({ agent: agentName, tool: random.pick(TOOLS), callId: `c${random.below(6)}`, session: "s1" }),
    args: { n: random.below(2) },
  };
}

async function followUp(world: World, deps: Deps, process: string, call: ToolCall, receipt: Receipt): Promise<void> {
  if (receipt.outcome === "run" && receipt.attempt !== undefined && receipt.executionId !== undefined) {
    return carryOut(world, deps, process, call, { execution: receipt.executionId, attempt: receipt.attempt });
  }
  if (receipt.approvalId === undefined || world.random.chance(0.5)) return;
  const asked = await unlessUnavailable(() =>
    deps.store.read({ ask: "row", workspace: WORKSPACE, table: "approvals", id: receipt.approvalId ?? "" }),
  );
  if (asked?.row.state !== "approved" || asked.row.digest !== world.product.digestOf(call)) return;
  const { executionId } = asked.row;
  const claimed = await unlessUnavailable(() => world.product.claim(deps, executionId, "caller"));
  if (claimed?.ok !== true || !("attempt" in claimed.value.execution)) return;
  const { execution, args } = claimed.value;
  await carryOut(world, deps, process, { ...call, args }, { execution: execution.id, attempt: execution.attempt });
}

/** Another process of the same agent that claims whatever was approved, in a race with all others. */
export async function collector(world: World, process: string, rounds: number): Promise<void> {
  const deps = world.process(process);
  for (let n = 0; n < rounds; n++) {
    await world.turns.turn(process);
    const ready = await unlessUnavailable(() =>
      deps.store.read({
        ask: "rows",
        workspace: WORKSPACE,
        table: "executions",
        where: { collect: "permit" },
        limit: 5,
        order: "oldest",
      }),
    );
    for (const { row } of ready ?? []) {
      const claimed = await unlessUnavailable(() => world.product.claim(deps, row.id, "caller"));
      if (claimed?.ok !== true || !("attempt" in claimed.value.execution)) continue;
      const { execution, args } = claimed.value;
      const call = { ...callOf({ agent: row.agent, tool: row.tool, callId: "collected" }), args };
      await carryOut(world, deps, process, call, { execution: execution.id, attempt: execution.attempt });
    }
  }
}

async function carryOut(
  world: World,
  deps: Deps,
  process: string,
  call: ToolCall,
  right: { execution: string; attempt: `att_${string}` },
): Promise<void> {
  await world.turns.turn(process);
  await happen(world, process, { execution: right.execution, call });
  await world.turns.turn(process);
  const ending = world.random.chance(0.8)
    ? ({ ok: true, result: "done" } as const)
    : ({ ok: false, error: "no luck" } as const);
  await unlessUnavailable(() =>
    world.product.settle(deps, right.execution, { attempt: right.attempt, by: "caller", ending }),
  );
}

/** A person who answers: sometimes too late, sometimes not allowed, sometimes about other bytes. */
export async function reviewer(world: World, process: string, rounds: number): Promise<void> {
  const deps = world.process(process);
  const { random } = world;
  for (let n = 0; n < rounds; n++) {
    const open = await unlessUnavailable(() =>
      deps.store.read({ ask: "rows", workspace: WORKSPACE, table: "approvals", where: {}, limit: 50, order: "newest" }),
    );
    if (open === undefined || open.length === 0) continue;
    const { row } = random.pick(open);
    const by = random.pick(PEOPLE).name;
    const verdict = random.chance(0.8) ? "approve" : "deny";
    const digest = random.chance(0.9) ? row.digest : (`sha256:${"0".repeat(64)}` as const);
    const answer = { by, verdict, digest, note: "", assurance: "tty", bulk: random.chance(0.2) } as const;
    const done = await unlessUnavailable(() => world.product.review(deps, row.id, answer));
    if (done?.ok === true) world.taken.push({ approval: row.id, by, verdict });
    if (random.chance(0.05))
      await unlessUnavailable(() => world.product.cancel(deps, row.id, { by: "ana", assurance: "tty" }));
  }
}

/** A person who does everything with questions except answering. None of it may change what an answer needs. */
export async function triager(world: World, process: string, rounds: number): Promise<void> {
  const deps = world.process(process);
  const { random, product } = world;
  for (let n = 0; n < rounds; n++) {
    const found = await unlessUnavailable(() =>
      deps.store.read({ ask: "rows", workspace: WORKSPACE, table: "approvals", where: {}, limit: 50, order: "newest" }),
    );
    if (found === undefined || found.length === 0) continue;
    const { id } = random.pick(found).row;
    const acting = { by: random.pick(PEOPLE).name, assurance: "tty" } as const;
    const to = random.pick(PEOPLE).name;
    const until = random.pick(["1m", "10m", "2h", "now"]);
    const act = random.pick([
      () => product.reply(deps, id, { ...acting, text: `words ${n}` }),
      () => product.handOver(deps, id, { ...acting, to, note: "" }),
      () => product.snooze(deps, id, { ...acting, until }),
    ]);
    await unlessUnavailable(act);
  }
}

/** What only time causes: expiry, lost leases, notices, and the gate's own running of approved calls. */
export async function ticker(world: World, process: string, rounds: number): Promise<void> {
  const deps = world.process(process);
  for (let n = 0; n < rounds; n++) {
    await world.turns.turn(process);
    await unlessUnavailable(() => world.product.tick(deps));
  }
}

/** Time passes, jumps, and sometimes goes back. */
export async function clockmaster(world: World, process: string, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n++) {
    await world.turns.turn(process);
    const jump = world.random.below(100);
    world.clock.nowMs +=
      jump < 70
        ? world.random.below(5_000)
        : jump < 95
          ? world.random.below(6 * MINUTE_MS)
          : -world.random.below(2 * MINUTE_MS);
  }
}

/** A person pauses everything, and resumes it. */
export async function pauser(world: World, process: string, rounds: number): Promise<void> {
  const deps = world.process(process);
  const lengthOf = async () => (await world.truth.read({ ask: "head", workspace: WORKSPACE })).index;
  for (let n = 0; n < rounds; n++) {
    for (let wait = world.random.below(30); wait > 0; wait--) await world.turns.turn(process);
    const set = await unlessUnavailable(() =>
      world.product.setPause(deps, { scope: { of: "everything" }, because: "drill", by: "ana" }),
    );
    if (set?.ok !== true) continue;
    const fromIndex = await lengthOf();
    for (let wait = world.random.below(20); wait > 0; wait--) await world.turns.turn(process);
    world.paused.push({ fromIndex, toIndex: await lengthOf() });
    for (let tries = 0; tries < 20; tries++) {
      const lifted = await unlessUnavailable(() =>
        world.product.liftPause(deps, set.value.id, { by: "ana", assurance: "tty" }),
      );
      if (lifted?.ok === true) break;
    }
  }
}

/** The policy becomes stricter for a while: calls approved under the old one must not start. */
export async function legislator(world: World, process: string, rounds: number): Promise<void> {
  for (let n = 0; n < rounds; n++) {
    for (let wait = 10 + world.random.below(40); wait > 0; wait--) await world.turns.turn(process);
    world.policy.current = world.policy.current === POLICY ? world.random.pick([DENYING, WANTING_TWO]) : POLICY;
  }
}

const DENYING: Policy = {
  ...POLICY,
  version: `sha256:${"1".repeat(64)}`,
  tiers: POLICY.tiers.map((row) => (row.name === "write" ? { ...row, tier: "deny" as const } : row)),
};

/** What one person approved before becomes a question again. */
const WANTING_TWO: Policy = {
  ...POLICY,
  version: `sha256:${"2".repeat(64)}`,
  approvals: { ...POLICY.approvals, quorum: 2 },
};

/** A person is removed, and another is added with the same name: calls that depend on the first one's approval must not start. */
export async function staff(world: World, process: string, rounds: number): Promise<void> {
  const deps = world.process(process);
  const by = { by: "ana", assurance: "tty" } as const;
  for (let n = 0; n < rounds; n++) {
    for (let wait = world.random.below(60); wait > 0; wait--) await world.turns.turn(process);
    await unlessUnavailable(() => world.product.removePerson(deps, "ben", by));
    for (let wait = world.random.below(20); wait > 0; wait--) await world.turns.turn(process);
    for (let tries = 0; tries < 20; tries++) {
      const added = await unlessUnavailable(() => world.product.addPerson(deps, { name: "ben", admin: true, ...by }));
      if (added?.ok === true) break;
    }
  }
}
