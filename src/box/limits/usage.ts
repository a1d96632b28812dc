import { readdirSync, readFileSync, statfsSync, statSync } from "node:fs";

// What the processes of a box use now, as the kernel tells it. A process may end while it is looked at; then it uses nothing.

export type Usage = { memoryBytes: number; processes: number };

/** `views`: folders outside of the box whose changes are kept in memory, as the process sees them that starts the box. */
type Looking = { enoughBytes?: number; views?: readonly string[] };

/**
 * A process and everything below it. In a box no process gets away from there: a process whose parent ended goes to the first
 * process of the box. `processes` counts threads too, as the kernel does. Memory is exact only if it may be more than
 * `enoughBytes`, because exact figures cost the kernel more; otherwise it is a little too much.
 */
export function usageUnder(pid: number, { enoughBytes = 0, views = [] }: Looking = {}): Usage {
  const { pids, threads } = treeUnder(pid);
  const files = temporaryBytes(pids.at(-1)) + viewBytes(pid, views);
  const atMost = sumOf(pids, ownBytes) + files;
  const memoryBytes = atMost <= enoughBytes ? atMost : sumOf(pids, sharedOutBytes) + files;
  return { memoryBytes, processes: threads };
}

export function treeUnder(pid: number): { pids: readonly number[]; threads: number } {
  const pids = [pid];
  let threads = 0;
  // The list grows while it is walked through.
  for (const one of pids) {
    const tasks = orNothing(() => readdirSync(`/proc/${one}/task`)) ?? [];
    threads += tasks.length;
    pids.push(...tasks.flatMap((task) => childrenIn(`/proc/${one}/task/${task}/children`)));
  }
  return { pids, threads };
}

export function childrenIn(file: string): readonly number[] {
  const listed = orNothing(() => readFileSync(file, "utf8")) ?? "";
  return listed.split(" ").filter(Boolean).map(Number);
}

/** Files that are only read do not count, because the kernel can drop them from memory. */
function ownBytes(pid: number): number {
  return bytesIn(`/proc/${pid}/status`, /^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm) ?? 0;
}

/** What processes share is divided among them. */
function sharedOutBytes(pid: number): number {
  return bytesIn(`/proc/${pid}/smaps_rollup`, /^Pss_(?:Anon|Shmem):\s+(\d+) kB$/gm) ?? ownBytes(pid);
}

function bytesIn(file: string, parts: RegExp): number | undefined {
  const found = [...(orNothing(() => readFileSync(file, "utf8")) ?? "").matchAll(parts)];
  return found.length === 0 ? undefined : sumOf(found, ([, kilobytes]) => Number(kilobytes) * 1024);
}

const OWN_FOLDERS = ["/tmp", "/var/tmp", "/dev/shm", "/run"];
const IN_MEMORY = 0x01021994;
/** An overlay. */
const VIEW = 0x794c7630;

/** Files in the folders that the box has for itself are in memory too, also if no process has them open. */
function temporaryBytes(pid: number | undefined): number {
  return sumOf(OWN_FOLDERS, (folder) => {
    const inside = `/proc/${pid}/root${folder}`;
    const found = orNothing(() => ({ ...statfsSync(inside), dev: statSync(inside).dev }));
    const isOwn = found?.type === IN_MEMORY && found.dev !== orNothing(() => statSync(folder).dev);
    return isOwn ? (found.blocks - found.bfree) * found.bsize : 0;
  });
}

/** A view tells about the file system that has what was written to it. Until it is mounted, there is nothing in it. */
function viewBytes(pid: number, views: readonly string[]): number {
  return sumOf(views, (folder) => {
    const found = orNothing(() => statfsSync(`/proc/${pid}/root${folder}`));
    return found?.type === VIEW ? (found.blocks - found.bfree) * found.bsize : 0;
  });
}

function sumOf<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((sum, one) => sum + of(one), 0);
}

const GONE: ReadonlySet<string | undefined> = new Set(["ENOENT", "ESRCH", "EACCES", "EINVAL"]);

export function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (GONE.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}
