import { type Dirent, lstatSync, opendirSync, realpathSync, type Stats } from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { isUnder } from "../../core/classify/path.ts";
import { isWildName } from "../../core/values/glob.ts";
import { statOf } from "./disk.ts";

// A folder for temporary files also holds what is not temporary: in containers and in CI the home folder and the repositories of
// others are often there. Nobody keeps a list of who made what, so the disk is asked.

/** No session of an agent lasts longer, so an older file was not made by one that still runs. */
const SESSION_MAX_MS = 12 * 60 * 60 * 1000;
/** A folder with more entries, or more folders in it, is not looked through, and counts as somebody's. */
const ENTRIES_MAX = 1_000;
const FOLDERS_MAX = 200;
const FOLDERS = ["/tmp", "/var/tmp"];

/**
 * The paths that are somebody's, although they are in a folder for temporary files: a home, a repository, a file of another user, or
 * one that is older than any session. What holds such a thing is somebody's too.
 */
export function takenPlaces(
  paths: readonly string[],
  { home, nowMs }: { home: string; nowMs: number },
): readonly string[] {
  const homes = [home, userInfo().homedir].flatMap((one) => [one, realOf(one)]).filter((one) => one !== "/");
  return paths.filter((path) => {
    const named = isWildName(path) ? begunNames(path) : [path];
    return named === "too many" || named.some((one) => isTaken(one, homes, nowMs));
  });
}

function isTaken(path: string, homes: readonly string[], nowMs: number): boolean {
  if (homes.some((home) => isUnder(path, home) || isUnder(home, path))) return true;
  const folders = foldersAbove(path);
  if ([path, ...folders].some((folder) => isThere(join(folder, ".git")))) return true;
  const found = statOf(path);
  if (found === "unreadable") return true;
  // What is not there yet is as old as the folder that it will be in.
  const [nearest] = [path, ...folders].filter(isThere);
  if (nearest !== undefined && isOfOthers(lstatSync(nearest, { throwIfNoEntry: false }), nowMs)) return true;
  return found !== "missing" && found.isDirectory() && holdsRepository(path);
}

/** The folders above a path, up to the folder for temporary files. */
function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return FOLDERS.includes(folder) || folder === "/" ? [] : [folder, ...foldersAbove(folder)];
}

function isThere(path: string): boolean {
  return statOf(path) !== "missing";
}

function isOfOthers(found: Stats | undefined, nowMs: number): boolean {
  if (found === undefined) return false;
  // Some file systems do not know when a file was made; then it is at least as old as its last change.
  const madeMs = found.birthtimeMs > 0 ? found.birthtimeMs : Math.min(found.mtimeMs, found.ctimeMs);
  return found.uid !== process.getuid?.() || nowMs - madeMs > SESSION_MAX_MS;
}

/** Whether a folder holds a repository, so that removing it would remove the repository. */
function holdsRepository(folder: string): boolean {
  const waiting = [folder];
  for (let looked = 0; waiting.length > 0; looked++) {
    const here = waiting.pop() ?? folder;
    const entries = entriesOf(here);
    if (entries === "too many" || looked >= FOLDERS_MAX || entries.some(({ name }) => name === ".git")) return true;
    waiting.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(here, name)));
  }
  return false;
}

/** The files that a pattern in the last name of a path may stand for: those whose names begin as it does. */
function begunNames(pattern: string): readonly string[] | "too many" {
  const folder = dirname(pattern);
  if (isWildName(folder)) return "too many";
  const [begin = ""] = basename(pattern).split(/[*?[{]/);
  const entries = entriesOf(folder);
  if (entries === "too many") return entries;
  // The folder itself says whose they are.
  return [
    join(folder, begin),
    ...entries.filter(({ name }) => name.startsWith(begin)).map(({ name }) => join(folder, name)),
  ];
}

function entriesOf(folder: string): readonly Dirent[] | "too many" {
  const found = statOf(folder);
  if (found === "missing") return [];
  if (found === "unreadable" || !found.isDirectory()) return [];
  try {
    const open = opendirSync(folder);
    try {
      const entries: Dirent[] = [];
      for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
        if (entries.length === ENTRIES_MAX) return "too many";
        entries.push(entry);
      }
      return entries;
    } finally {
      open.closeSync();
    }
  } catch {
    // A folder that cannot be looked through counts as somebody's.
    return "too many";
  }
}

function realOf(path: string): string {
  return statOf(path) === "missing" ? path : realpathSync.native(path);
}
