import { inTurn } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Queue } from "../../core/rows/rows.ts";
import { isLeftAlone } from "../../core/steps/lapsing.ts";
import type { Taken } from "../../ports.ts";
import { type Executed, execute } from "../calls/execute.ts";
import type { Deps } from "../deps.ts";
import { type Delivery, deliver } from "../notices/deliver.ts";
import { type Dispatched, dispatch } from "../notices/dispatch.ts";
import type { Sending } from "../notices/sending.ts";
import { sealWhenDue } from "../record/sealing.ts";
import { bellOf } from "./bell.ts";
import { deliverySlots, workBeside } from "./beside.ts";
import { timeNow } from "./clock.ts";
import { lapsedTogether, ring, type TimeStep } from "./timers.ts";

const ROWS_PER_TICK: Record<Queue, number> = { timers: 500, notices: 50, deliveries: 50, executions: 50 };
/** Long enough to record what time changed; short for calls to run, so that a process without the tool does not block them. */
const TAKE_MS: Record<Queue, number> = { timers: 30_000, notices: 60_000, deliveries: 30_000, executions: 2000 };

/** What one round did, by kind. */
type Ticked = { [what in TimeStep | Executed | Dispatched | Delivery]?: number };

/** One round of all work that is caused by time or by the gate itself: alarms, approved calls to run, notices to send. */
export async function tick(deps: Deps, sending?: Sending): Promise<Ticked> {
  const did: Ticked = {};
  const count = (what: keyof Ticked | undefined) => {
    if (what !== undefined) did[what] = (did[what] ?? 0) + 1;
  };
  for (const what of await ringAll(deps, await take(deps, "timers"))) count(what);
  await keepSealed(deps);
  const ready = await take(deps, "executions");
  for (const what of await everyOne(ready.map((taken) => runTaken(deps, taken)))) count(what);
  const notices = await take(deps, "notices");
  for (const what of await everyOne(notices.map((taken) => sendTaken(deps, taken)))) count(what);
  if (sending === undefined) return did;
  const outside = await take(deps, "deliveries");
  for (const what of await everyOne(outside.map((taken) => deliverTaken(deps, sending, taken)))) count(what);
  return did;
}

/** At most this many alarms are committed together, because planning them blocks everything else. */
const RINGS_AT_ONCE = 10;

async function ringAll(deps: Deps, taken: readonly Taken[]): Promise<readonly (TimeStep | undefined)[]> {
  const { alone, rest } = await leftAlone(deps, taken);
  const did: (TimeStep | undefined)[] = alone.map(() => "lapsed");
  for (let at = 0; at < rest.length; at += RINGS_AT_ONCE) {
    did.push(...(await everyOne(rest.slice(at, at + RINGS_AT_ONCE).map((one) => ring(deps, one)))));
  }
  return did;
}

/** Calls without a reported result that nobody has to check are recorded together. If this fails, each is recorded alone. */
async function leftAlone(deps: Deps, taken: readonly Taken[]): Promise<{ alone: Taken[]; rest: readonly Taken[] }> {
  const nowMs = await timeNow(deps);
  const alone = taken.filter((one) => one.table === "executions" && isLeftAlone(one, nowMs));
  if (alone.length === 0 || !(await lapsedTogether(deps, alone))) return { alone: [], rest: taken };
  return { alone, rest: taken.filter((one) => !alone.includes(one)) };
}

/** A ledger that differs from what was signed is not signed again; the error tells the operator. */
async function keepSealed(deps: Deps): Promise<void> {
  const sealed = await sealWhenDue(deps);
  if (sealed?.ok !== false) return;
  if (sealed.code === "LEEWAY_WENT_BACK") deps.store.admission?.doubt(deps.workspace);
  throw new Error(textOf(inTurn([sealed.reason, sealed.hint]), "en"));
}

/** Waits for all, also if one fails, so that none goes on unnoticed. */
async function everyOne<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

function runTaken(deps: Deps, taken: Taken): Promise<Executed> {
  if (taken.table !== "executions") throw new Error(`a ${taken.table} row cannot be run (this is a bug)`);
  return execute(deps, taken.row.id);
}

function sendTaken(deps: Deps, taken: Taken): Promise<Dispatched> {
  if (taken.table !== "notices") throw new Error(`a ${taken.table} row cannot be sent (this is a bug)`);
  return dispatch(deps, taken);
}

function deliverTaken(deps: Deps, sending: Sending, taken: Taken): Promise<Delivery> {
  if (taken.table !== "notices") throw new Error(`a ${taken.table} row cannot be sent (this is a bug)`);
  return deliver(deps, sending, taken);
}

function channelOf(taken: Taken): string {
  return taken.table === "notices" ? taken.row.channel : "";
}

async function take(deps: Deps, queue: Queue, max = ROWS_PER_TICK[queue]): Promise<readonly Taken[]> {
  const { workspace, owner } = deps;
  return deps.store.take(queue, { workspace, max, leaseMs: TAKE_MS[queue], owner, nowMs: await timeNow(deps) });
}

/** The shortest time between two rounds, so that a busy gate does not spend its time on rounds. */
const APART_MS = 25;
/** How often the gate checks whether a new checkpoint is due. */
const SEAL_LOOK_MS = 1_000;

export type Ticking = {
  everyMs: number;
  onError?: (error: unknown) => void;
  /** Needed to send notices to channels outside. */
  sending?: Sending;
};

/** Rounds until stopped: by the clock, and early when the store says that something changed. Keeps no process alive by itself. */
export function startTicking(deps: Deps, { everyMs, onError, sending }: Ticking): () => Promise<void> {
  // If the store is unavailable now, it is tried again in the next round; nothing is lost by waiting.
  const failed = (error: unknown) => onError?.(error);
  const running = workBeside(failed);
  // Deliveries are counted separately, so that a slow channel takes no room from calls to run.
  const delivering = deliverySlots(failed);
  const bell = bellOf(lightSleep);
  const unwatch = deps.store.watch(deps.workspace, ({ queued }) => {
    if (queued) bell.ring();
  });
  let stopped = false;
  let sealedMs = Number.NEGATIVE_INFINITY;
  const round = async () => {
    await ringAll(deps, await take(deps, "timers"));
    if (performance.now() - sealedMs >= SEAL_LOOK_MS) {
      sealedMs = performance.now();
      await keepSealed(deps);
    }
    if (sending !== undefined && delivering.room() > 0) {
      const taken = await take(deps, "deliveries", delivering.room());
      for (const one of taken) delivering.start(channelOf(one), () => deliverTaken(deps, sending, one));
    }
    if (running.room() <= 0) return;
    for (const taken of await take(deps, "executions", running.room())) running.start(runTaken(deps, taken));
    for (const taken of await take(deps, "notices")) running.start(sendTaken(deps, taken));
  };
  const loop = async () => {
    while (!stopped) {
      await round().catch(failed);
      await bell.next(everyMs);
      if (!stopped) await apart();
    }
  };
  const looping = loop();
  return async () => {
    stopped = true;
    unwatch();
    bell.ring();
    await looping;
    await Promise.all([running.ended(), delivering.ended()]);
  };
}

/** This timer keeps the process alive, because stopping waits for it. */
function apart(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, APART_MS));
}

/** Sleeps in real time, also if the gate has a test's clock, and does not keep the process alive. */
function lightSleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    const over = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener("abort", over, { once: true });
  });
}
