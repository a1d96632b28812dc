import { type FSWatcher, lstatSync, realpathSync, type Stats, watch } from "node:fs";
import { basename, dirname } from "node:path";
import type { WallRefusal } from "../../core/box.ts";
import { isUnder } from "../../core/classify/path.ts";
import { orNothing } from "../limits/usage.ts";
import { type Cover, coverAgain } from "./covering.ts";
import { mountPointsOf } from "./mount-points.ts";
import { holdsAny, processesIn, signal, stopAll } from "./stopping.ts";

// A hidden or protected file that somebody outside replaces stands open in a box that runs: Linux drops the mount over it. So
// these places are watched. Every process of the box is stopped, the file is covered again, and they go on; where that
// cannot be done, or where one of them has the file open already, the box is ended.

export type CoverWatch = { stop(): readonly Uncovered[] };
type Uncovered = Extract<WallRefusal, { of: "uncovered" }>;

/** `starter`: the process that started the box, as soon as there is one. `shares`: mounts can be given to the box. */
type Watching = {
  starter: () => number | undefined;
  shares: boolean;
  emptyFile: string;
  stateFolder: string;
  roots: readonly string[];
};

/** What no watcher tells, such as a folder that was renamed, is seen after this time. */
const LOOK_EVERY_MS = 200;
/** Until the walls of a box are complete nothing in it runs, and nothing can be covered again. */
const RETRY_MS = 5;

export function watchCovers(covers: readonly Cover[], watching: Watching): CoverWatch {
  const uncovered: Uncovered[] = [];
  let retry: NodeJS.Timeout | undefined;
  let watchers: readonly FSWatcher[] = [];
  const look = () => {
    const done = lookAt(covers, watching);
    if (done.is === "not yet") retry ??= later();
    if (done.is === "ended" && uncovered.length === 0) uncovered.push({ of: "uncovered", path: done.path });
    // A folder may be another one now, which the watcher of the former does not hear of.
    if (done.is === "again") watchers = watchedAnew();
  };
  const later = () =>
    setTimeout(() => {
      retry = undefined;
      look();
    }, RETRY_MS).unref();
  const watchedAnew = () => {
    for (const one of watchers) one.close();
    return watchersOf(namesByFolder(covers, watching.roots), look);
  };
  watchers = watchedAnew();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    stop: () => {
      clearInterval(timer);
      clearTimeout(retry);
      for (const one of watchers) one.close();
      return uncovered;
    },
  };
}

/** Every name on the way to a covered place, from the outermost folder of ours on. */
function namesByFolder(covers: readonly Cover[], roots: readonly string[]): ReadonlyMap<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { at } of covers) {
    const isOurs = (folder: string) => roots.some((root) => isUnder(folder, root));
    for (let path = at; path === at || isOurs(dirname(path)); path = dirname(path)) {
      const names = found.get(dirname(path)) ?? new Set();
      found.set(dirname(path), names.add(basename(path)));
      if (dirname(path) === "/") break;
    }
  }
  return found;
}

/** Where the system has no more watchers, the timer alone looks. */
function watchersOf(folders: ReadonlyMap<string, Set<string>>, look: () => void): FSWatcher[] {
  return [...folders].flatMap(([folder, names]) => {
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || names.has(name)) look();
      });
      return [watcher.on("error", () => watcher.close())];
    } catch (error) {
      if (error instanceof Error && "code" in error) return [];
      throw error;
    }
  });
}

type Looked = { is: "covered" } | { is: "not yet" } | { is: "again" } | { is: "ended"; path: string };

function lookAt(covers: readonly Cover[], watching: Watching): Looked {
  const starter = watching.starter();
  if (starter === undefined) return { is: "covered" };
  const [first] = processesIn(starter);
  if (first === undefined) return { is: "not yet" };
  const [open] = openIn(first, covers);
  if (open === undefined) return { is: "covered" };
  const goOn = watching.shares ? stopAll(first) : undefined;
  if (goOn !== undefined && coveredAgain({ starter, first }, covers, watching)) {
    goOn();
    return { is: "again" };
  }
  signal(first, "SIGKILL");
  return { is: "ended", path: open.at };
}

/** The places that are there, and that nothing covers in the box. None if the box is gone. */
function openIn(first: number, covers: readonly Cover[]): readonly Cover[] {
  const mounted = new Set(orNothing(() => mountPointsOf(first)));
  // Every box has mounts: of a process that has ended nothing can be told.
  if (!mounted.has("/")) return [];
  return covers.filter(({ at }) => !mounted.has(at) && stateOf(at) !== undefined);
}

/**
 * Linux notes when a file was first read after it came to its place, unless the file system is mounted without that. Its clock has
 * steps of some milliseconds: what was made, put here and read within one cannot be told from what was not read.
 */
function wasRead({ atimeMs, ctimeMs, birthtimeMs }: Stats): boolean {
  return atimeMs >= ctimeMs && atimeMs > birthtimeMs;
}

function stateOf(path: string) {
  return orNothing(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** False if a place leads elsewhere now, if the mount could not be made, or if the file was read meanwhile or is open in the box. */
function coveredAgain(
  { starter, first }: { starter: number; first: number },
  covers: readonly Cover[],
  watching: Watching,
): boolean {
  // Only now: before everything was stopped, they could still change.
  const open = openIn(first, covers);
  if (open.some(({ at }) => orNothing(() => realpathSync.native(at)) !== at)) return false;
  const files = open.flatMap(({ at, is }) => {
    const found = stateOf(at);
    return found?.isFile() === true ? [Object.assign(found, { readable: is === "kept" })] : [];
  });
  if (files.some((file) => !file.readable && wasRead(file))) return false;
  coverAgain(starter, open, watching);
  return openIn(first, covers).length === 0 && !processesIn(starter).some((pid) => holdsAny(pid, files));
}
