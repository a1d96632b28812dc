import { readdirSync, readFileSync, statSync } from "node:fs";
import { orNothing, treeUnder } from "../limits/usage.ts";

// Stopping all processes of a box at once, and what they have open meanwhile.

/** The processes of a box whose walls are complete, the first one at the beginning. Empty before that. */
export function processesIn(starter: number): readonly number[] {
  const { pids } = treeUnder(starter);
  const first = pids.find((pid) => numberInside(pid) === "1");
  // Bubblewrap makes the walls in the first process, and only then starts a second one.
  return first === undefined || !pids.some((pid) => Number(numberInside(pid)) > 1) ? [] : treeUnder(first).pids;
}

/** The number that a process has in its box; undefined outside of one. */
function numberInside(pid: number): string | undefined {
  const numbers = /^NSpid:\s+\d+\s+(?:\d+\s+)*(\d+)$/m.exec(fileOf(pid, "status"));
  return numbers?.[1];
}

/** Two rounds without a new process: nothing is left that could start one. */
const ROUNDS_CLEAN = 2;
const ROUNDS_MAX = 100;

/**
 * Stops every process below the first of a box. Whoever has this signal runs no more code of its own. Returns what lets them go
 * on; undefined if new ones are started faster than they can be stopped.
 */
export function stopAll(first: number): (() => void) | undefined {
  const stopped = new Set<number>();
  const seen = new Set<number>();
  for (let clean = 0, rounds = 0; clean < ROUNDS_CLEAN; rounds++) {
    if (rounds === ROUNDS_MAX) return undefined;
    const fresh = treeUnder(first).pids.filter((pid) => !seen.has(pid));
    clean = fresh.length === 0 ? clean + 1 : 0;
    for (const pid of fresh) {
      seen.add(pid);
      // What somebody in the box has stopped must stay so.
      if (!/^\d+ \(.*\) [tT]/s.test(fileOf(pid, "stat")) && signal(pid, "SIGSTOP")) stopped.add(pid);
    }
  }
  return () => {
    for (const pid of stopped) signal(pid, "SIGCONT");
  };
}

export function signal(pid: number, name: NodeJS.Signals): boolean {
  return orNothing(() => process.kill(pid, name)) === true;
}

/** A file that was open to the box: nobody may have it open, or only for reading. */
type Exposed = { ino: number; dev: number; readable: boolean };

/** Whether a process has one of these files open, or mapped, in a way that it must not. */
export function holdsAny(pid: number, exposed: readonly Exposed[]): boolean {
  const mapped = [...fileOf(pid, "maps").matchAll(/^\S+ (\S+) \S+ \S+ (\d+)/gm)];
  return exposed.some(
    ({ ino, dev, readable }) =>
      mapped.some(([, how = "", of]) => Number(of) === ino && (!readable || /w.s/.test(how))) ||
      descriptorsOf(pid).some((one) => one.ino === ino && one.dev === dev && (!readable || one.isWriting)),
  );
}

function descriptorsOf(pid: number): { ino: number; dev: number; isWriting: boolean }[] {
  const numbers = orNothing(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
  return numbers.flatMap((number) => {
    const found = orNothing(() => statSync(`/proc/${pid}/fd/${number}`));
    const flags = /^flags:\s+(\d+)/m.exec(fileOf(pid, `fdinfo/${number}`))?.[1] ?? "2";
    return found === undefined ? [] : [{ ino: found.ino, dev: found.dev, isWriting: (Number(`0o${flags}`) & 3) !== 0 }];
  });
}

function fileOf(pid: number, name: string): string {
  return orNothing(() => readFileSync(`/proc/${pid}/${name}`, "utf8")) ?? "";
}
