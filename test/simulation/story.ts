import { agent, clockmaster, collector, legislator, pauser, reviewer, staff, ticker, triager } from "./actors.ts";
import { violations } from "./invariants.ts";
import type { Product } from "./product.ts";
import { quiet } from "./scheduler.ts";
import { newWorld, type World } from "./world.ts";

const STEPS_MAX = 4_000;
const HOUR_MS = 60 * 60_000;

export type Told = { violations: string[]; steps: number; happened: number };

/** One complete run from a seed: three processes, one of which is killed at any moment and restarted. */
export async function tell(product: Product, seed: number, { triages = false } = {}): Promise<Told> {
  const world = await newWorld(product, seed);
  const faults: unknown[] = [];
  const start = (act: Promise<void>) => void act.catch((error: unknown) => faults.push(error));
  start(agent(world, "p1", "coder", 6));
  start(agent(world, "p2", "coder", 6));
  start(reviewer(world, "desk", 25));
  start(ticker(world, "p3", 12));
  start(collector(world, "p5", 6));
  start(collector(world, "p6", 6));
  start(clockmaster(world, "time", 60));
  start(pauser(world, "switch", 1));
  start(legislator(world, "law", 2));
  start(staff(world, "staff", 1));
  // Only on request: one more actor would change the runs of all seeds.
  if (triages) start(triager(world, "triage", 15));
  const victim = world.random.pick(["p1", "p2", "p3"]);
  const diesAt = world.random.below(400);
  let count = 0;
  const steps = await world.turns.run(STEPS_MAX, () => {
    if (++count !== diesAt) return;
    world.turns.kill(victim);
    start(victim === "p3" ? ticker(world, "p4", 8) : agent(world, "p4", "coder", 4));
  });
  await finish(world);
  return { violations: [...faults.map(String), ...(await violations(world))], steps, happened: world.happened.length };
}

/** The end: the clock passes every deadline, and a healthy process records the final state. */
async function finish(world: World): Promise<void> {
  const deps = { ...world.process("last"), store: world.truth };
  const last = {
    ...deps,
    standing: world.product.standingView(world.truth, deps.workspace, deps.policies),
    runners: new Map(),
  };
  for (let round = 0; round < 12; round++) {
    world.clock.nowMs += HOUR_MS;
    await world.product.tick(last);
    await quiet();
  }
}
