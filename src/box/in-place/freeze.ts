import { readdirSync, readFileSync } from "node:fs";
import { childrenIn, orNothing } from "../limits/usage.ts";

// A box is frozen while none of its processes runs. A stopped process cannot make another one, so what was found stopped, and has no
// other processes below it, stays so until it is told to go on.

/** A box that starts processes faster than they can be stopped is not frozen, and whoever asked has to do without. */
const FREEZE_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 2;

/** Stops everything from this process on. False if that did not succeed in time: then some of it may run. */
export async function freezeBox(pid: number): Promise<boolean> {
  const untilMs = performance.now() + FREEZE_WITHIN_MS;
  do {
    // Twice: what a process started before it was stopped is found the second time.
    if (stopAll(pid) && stopAll(pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  } while (performance.now() < untilMs);
  return false;
}

export function thawBox(pid: number): void {
  const pids = [pid];
  for (const one of pids) {
    signal(one, "SIGCONT");
    for (const task of tasksOf(one) ?? []) pids.push(...childrenIn(`/proc/${one}/task/${task}/children`));
  }
}

/** Whether everything was stopped already. A process that ends meanwhile may have left another one behind. */
function stopAll(first: number): boolean {
  let isStill = true;
  const pids = [first];
  for (const pid of pids) {
    const tasks = tasksOf(pid);
    if (tasks === undefined) {
      isStill = false;
      continue;
    }
    if (!tasks.every((task) => isStopped(pid, task))) {
      isStill = false;
      signal(pid, "SIGSTOP");
    }
    pids.push(...tasks.flatMap((task) => childrenIn(`/proc/${pid}/task/${task}/children`)));
  }
  return isStill;
}

function tasksOf(pid: number): readonly string[] | undefined {
  return orNothing(() => readdirSync(`/proc/${pid}/task`));
}

/** Stopped, held by another one that traces it, or dead. */
function isStopped(pid: number, task: string): boolean {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/task/${task}/stat`, "utf8"));
  return stat !== undefined && /^[TtZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
}

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  orNothing(() => process.kill(pid, name));
}
