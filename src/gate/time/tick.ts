import { inTurn } from "../../core/messages/message.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Queue } from "../../core/rows.ts";
import { isLeftAlone } from "../../core/steps/lapsing.ts";
import type { Taken } from "../../ports.ts";
import { type Executed, execute } from "../calls/execute.ts";
import type { Deps } from "../deps.ts";
import { type Dispatched, dispatch } from "../notices/dispatch.ts";
import { sealWhenDue } from "../record/sealing.ts";
import { bellOf } from "./bell.ts";
import { timeNow } from "./clock.ts";
import { lapsedTogether, ring, type TimeStep } from "./timers.ts";

const ROWS_PER_TICK: Record<Queue, number> = { timers: 500, notices: 50, executions: 50 };
/** Long enough to write down what time brought; short for calls to run, so that a process without the tool is no hindrance. */
const TAKE_MS: Record<Queue, number> = { timers: 30_000, notices: 60_000, executions: 2000 };

/** What one round did, by kind. */
type Ticked = { [what in TimeStep | Executed | Dispatched]?: number };

/** One round of everything that only time or the gate itself brings: alarms, approved calls to run, notices to send. */
export async function tick(deps: Deps): Promise<Ticked> {
  const did: Ticked = {};
  const count = (what: TimeStep | Executed | Dispatched | undefined) => {
    if (what !== undefined) did[what] = (did[what] ?? 0) + 1;
  };
  for (const what of await ringAll(deps, await take(deps, "timers"))) count(what);
  await keepSealed(deps);
  const ready = await take(deps, "executions");
  for (const what of await everyOne(ready.map((taken) => runTaken(deps, taken)))) count(what);
  const notices = await take(deps, "notices");
  for (const what of await everyOne(notices.map((taken) => sendTaken(deps, taken)))) count(what);
  return did;
}

/** So many share a sync, and no more: planning them is done at once, and everybody else waits for it. */
const RINGS_AT_ONCE = 10;

async function ringAll(deps: Deps, taken: readonly Taken[]): Promise<readonly (TimeStep | undefined)[]> {
  const { alone, rest } = await leftAlone(deps, taken);
  const did: (TimeStep | undefined)[] = alone.map(() => "lapsed");
  for (let at = 0; at < rest.length; at += RINGS_AT_ONCE) {
    did.push(...(await everyOne(rest.slice(at, at + RINGS_AT_ONCE).map((one) => ring(deps, one)))));
  }
  return did;
}

/** Calls that nobody settled and nobody has to look after are written down together; what did not fit comes with the rest. */
async function leftAlone(deps: Deps, taken: readonly Taken[]): Promise<{ alone: Taken[]; rest: readonly Taken[] }> {
  const nowMs = await timeNow(deps);
  const alone = taken.filter((one) => one.table === "executions" && isLeftAlone(one, nowMs));
  if (alone.length === 0 || !(await lapsedTogether(deps, alone))) return { alone: [], rest: taken };
  return { alone, rest: taken.filter((one) => !alone.includes(one)) };
}

/** A ledger that is not the one that was signed is not signed over; whoever runs the gate has to hear of it. */
async function keepSealed(deps: Deps): Promise<void> {
  const sealed = await sealWhenDue(deps);
  if (sealed?.ok === false) throw new Error(textOf(inTurn([sealed.reason, sealed.hint]), "en"));
}

/** One that fails must not leave the others running behind our back. */
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

async function take(deps: Deps, queue: Queue, max = ROWS_PER_TICK[queue]): Promise<readonly Taken[]> {
  const { workspace, owner } = deps;
  return deps.store.take(queue, { workspace, max, leaseMs: TAKE_MS[queue], owner, nowMs: await timeNow(deps) });
}

const AT_ONCE_MAX = 16;
/** Every call of every agent rings the bell. Rounds keep this distance, so that a busy gate does not look after itself all day. */
const APART_MS = 25;
/** How often it is looked at whether enough came together for a signature. */
const SEAL_LOOK_MS = 1_000;

/**
 * Rounds until stopped: by the clock, and early when the store says that something changed. What takes long (running
 * calls, telling people) goes on beside the rounds, so that a slow tool or channel delays nothing else. Keeps no
 * process alive by itself.
 */
export function startTicking(
  deps: Deps,
  how: { everyMs: number; onError?: (error: unknown) => void },
): () => Promise<void> {
  const beside = new Set<Promise<unknown>>();
  const bell = bellOf(lightSleep);
  const unwatch = deps.store.watch(deps.workspace, bell.ring);
  let stopped = false;
  let sealedMs = Number.NEGATIVE_INFINITY;
  // A store that is away now is asked again in the next round; nothing is lost by waiting.
  const failed = (error: unknown) => how.onError?.(error);
  const start = (work: Promise<unknown>) => {
    const done: Promise<unknown> = work.catch(failed).finally(() => beside.delete(done));
    beside.add(done);
  };
  const round = async () => {
    await ringAll(deps, await take(deps, "timers"));
    if (performance.now() - sealedMs >= SEAL_LOOK_MS) {
      sealedMs = performance.now();
      await keepSealed(deps);
    }
    const room = AT_ONCE_MAX - beside.size;
    if (room <= 0) return;
    for (const taken of await take(deps, "executions", room)) start(runTaken(deps, taken));
    for (const taken of await take(deps, "notices")) start(sendTaken(deps, taken));
  };
  const loop = async () => {
    while (!stopped) {
      await round().catch(failed);
      await bell.next(how.everyMs);
      if (!stopped) await apart();
    }
  };
  const looping = loop();
  return async () => {
    stopped = true;
    unwatch();
    bell.ring();
    await looping;
    await Promise.all(beside);
  };
}

/** Whoever stops waits for it, so this one holds the process, for as long as it is. */
function apart(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, APART_MS));
}

/** Of real time whatever clock the gate was given, and holding no process: a round is for whoever is there anyway. */
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
