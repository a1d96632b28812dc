import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { isAbsolute, normalise } from "../core/classify/path.ts";

/** As many links as the system itself follows before it gives up. */
const LINKS_MAX = 40;

/**
 * Limits for one call: names resolved and disk accesses. At most a tenth of a second, and far more than normal work
 * needs.
 */
const STEPS_MAX = 50_000;
const LOOKS_MAX = 5_000;

type Seen = Stats | "missing" | "unreadable";

/** The remaining limits of one call, and a cache of what was seen, because many paths share folders. */
export type Looking = { steps: number; looks: number; seen: Map<string, Seen> };

export function newLooking(): Looking {
  return { steps: STEPS_MAX, looks: LOOKS_MAX, seen: new Map() };
}

/** Whether a limit was reached: then it is not known where all paths lead, and the call is refused. */
export function isSpent({ steps, looks }: Looking): boolean {
  return steps < 0 || looks < 0;
}

/** Where a path leads, if the file has only this name: otherwise a write would also change a file with another name. */
export function whereItLeads(path: string, looking: Looking = newLooking()): string | undefined {
  const found = leadsTo(path, looking);
  return found === undefined || found.several ? undefined : found.place;
}

/** Where a path leads; `several`: the file has other names too (hard links); `missing`: it does not exist. */
type Led = { place: string; several: boolean; missing: boolean };

/**
 * Follows every link, also a link to a missing file, because writing there would create it. `..` after a link is the
 * parent of the link's target, as the system reads it. Names that do not exist yet are kept.
 */
export function leadsTo(path: string, looking: Looking): Led | undefined {
  const waiting = path.split("/").reverse();
  // Below a missing name everything is missing, so nothing there is checked.
  let here: string[] = [];
  let existing = 0;
  let links = 0;
  let several = false;
  while (waiting.length > 0) {
    if (--looking.steps < 0) return undefined;
    const name = waiting.pop() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      here.pop();
      existing = Math.min(existing, here.length);
      continue;
    }
    here.push(name);
    if (existing < here.length - 1) continue;
    const next = `/${here.join("/")}`;
    const found = look(next, looking);
    if (found === "unreadable") return undefined;
    if (found === "missing") continue;
    if (!found.isSymbolicLink()) {
      existing = here.length;
      several = found.isFile() && found.nlink > 1;
      continue;
    }
    if (++links > LINKS_MAX) return undefined;
    const to = linkAt(next);
    if (to === undefined) return undefined;
    here = isAbsolute(to) ? [] : here.slice(0, -1);
    existing = here.length;
    waiting.push(...to.split("/").reverse());
  }
  const place = trueCase(here, existing, looking);
  return place === undefined ? undefined : { place, several, missing: existing < here.length };
}

function look(path: string, looking: Looking): Seen {
  const known = looking.seen.get(path);
  if (known !== undefined) return known;
  if (--looking.looks < 0) return "unreadable";
  const found = statOf(path);
  looking.seen.set(path, found);
  return found;
}

export function statOf(path: string): Seen {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? "missing";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unreadable";
  }
}

/** Undefined if the link was removed or became unreadable meanwhile. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The name as it is on disk, if the disk ignores upper and lower case. */
function trueCase(names: readonly string[], existing: number, looking: Looking): string | undefined {
  const folder = `/${names.slice(0, existing).join("/")}`;
  const missing = names.slice(existing);
  if (--looking.looks < 0) return undefined;
  try {
    return normalise([realpathSync.native(folder), ...missing].join("/"));
  } catch {
    // A folder on the way is not accessible: the answer is unknown.
    return undefined;
  }
}
