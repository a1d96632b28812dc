import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import type { BoxLimits, WallRefusal } from "../../core/box.ts";
import { childrenIn, orNothing, type Usage, usageUnder } from "./usage.ts";

// Limits are watched from outside, by the process that made the box. The kernel's own limits do not serve: that of addresses
// stops programs that only reserve much, that of processes counts those of the whole user and is not for root, and groups
// of processes (cgroups) belong to root on many machines.

/** Enough for large builds, but not for taking the whole machine along. */
const PROCESSES = 4096;
const MEMORY_PART = 0.75;
const LOOK_EVERY_MS = 200;
/** A program that is told to end because of its time may first put away what it has begun. */
const END_WITHIN_MS = 5_000;

type Limits = { memoryBytes: number; processes: number; timeMs: number };
type Exceeded = Extract<WallRefusal, { of: "limit" }>;

export type Watch = {
  /** Arguments for bubblewrap that change nothing, and by which the box is found among the processes. */
  marks: readonly string[];
  processes: number;
  /** The first process of the box; undefined before it is started, and after it has ended. */
  pid(): number | undefined;
  /** Ends the watch. Says what the box was ended for. */
  stop(): readonly Exceeded[];
};

/**
 * From now on the box with these marks is looked for among the children of this process, and ended if it uses too much. `views`:
 * folders whose changes are kept in memory.
 */
export function watchLimits(given: BoxLimits = {}, views: readonly string[] = []): Watch {
  const limits = limitsOf(given);
  const name = `leeway-box-${randomUUID()}`;
  const exceeded: Exceeded[] = [];
  let startedMs: number | undefined;
  let hardMs = Number.POSITIVE_INFINITY;
  const timer = setInterval(() => {
    const pid = childNamed(name);
    if (pid === undefined) return;
    const nowMs = performance.now();
    startedMs ??= nowMs;
    const found = exceededBy(usageUnder(pid, { enoughBytes: limits.memoryBytes, views }), nowMs - startedMs, limits);
    if (found === undefined) return;
    if (exceeded.length === 0) exceeded.push(found);
    if (found.limit !== "time") hardMs = nowMs;
    else if (hardMs === Number.POSITIVE_INFINITY) {
      hardMs = nowMs + END_WITHIN_MS;
      process.kill(pid, "SIGTERM");
    }
    if (nowMs >= hardMs) process.kill(pid, "SIGKILL");
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    marks: ["--setenv", "LEEWAY_BOX_NAME", name, "--unsetenv", "LEEWAY_BOX_NAME"],
    processes: limits.processes,
    pid: () => childNamed(name),
    stop: () => {
      clearInterval(timer);
      return exceeded;
    },
  };
}

function limitsOf({ memoryBytes, processes = PROCESSES, timeMs = Number.POSITIVE_INFINITY }: BoxLimits): Limits {
  const machine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return { memoryBytes: memoryBytes ?? Math.floor(machine * MEMORY_PART), processes, timeMs };
}

function exceededBy(usage: Usage, ranMs: number, limits: Limits): Exceeded | undefined {
  if (usage.memoryBytes > limits.memoryBytes) return { of: "limit", limit: "memory", max: limits.memoryBytes };
  if (usage.processes > limits.processes) return { of: "limit", limit: "processes", max: limits.processes };
  return ranMs > limits.timeMs ? { of: "limit", limit: "time", max: limits.timeMs } : undefined;
}

/** Looked up each time, so that a number that the system has given to another process is never ended. */
function childNamed(name: string): number | undefined {
  const children = readdirSync("/proc/self/task").flatMap((task) => childrenIn(`/proc/self/task/${task}/children`));
  return children.find((pid) => orNothing(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.includes(name));
}
