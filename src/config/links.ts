import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { isAbsolute, normalise } from "../core/classify/path.ts";

/** As many links as the system itself follows before it gives up. */
const LINKS_MAX = 40;

/** Names gone through, and looks at the disk, for one call: a tenth of a second at most, and far more than work takes. */
const STEPS_MAX = 50_000;
const LOOKS_MAX = 5_000;

type Seen = Stats | "missing" | "unreadable";

/** What may still be done for one call, and what was seen on the way: folders that many paths share are looked at once. */
export type Looking = { steps: number; looks: number; seen: Map<string, Seen> };

export function newLooking(): Looking {
  return { steps: STEPS_MAX, looks: LOOKS_MAX, seen: new Map() };
}

/** Whether something was left out: then nobody knows where all the paths lead, and the call is refused. */
export function isSpent({ steps, looks }: Looking): boolean {
  return steps < 0 || looks < 0;
}

/** Where a path leads, where that is one file or folder and no other: nobody can say what else a write would change. */
export function whereItLeads(path: string, looking: Looking = newLooking()): string | undefined {
  const found = leadsTo(path, looking);
  return found === undefined || found.several ? undefined : found.place;
}

/** Where a path leads; `several`: what lies there has other names too; `missing`: nothing lies there. */
type Led = { place: string; several: boolean; missing: boolean };

/**
 * Follows every link, also one that leads to something missing, because writing there would make it. `..` after a link
 * is the folder above where the link leads, as the system reads it. Names that do not exist yet are kept.
 */
export function leadsTo(path: string, looking: Looking): Led | undefined {
  const waiting = path.split("/").reverse();
  // Below a name that is missing everything is: nothing there is looked at.
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

/** Undefined when the link went away or closed since it was seen. */
function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The name as the disk has it, where the disk takes other spellings too. */
function trueCase(names: readonly string[], existing: number, looking: Looking): string | undefined {
  const folder = `/${names.slice(0, existing).join("/")}`;
  const missing = names.slice(existing);
  if (--looking.looks < 0) return undefined;
  try {
    return normalise([realpathSync.native(folder), ...missing].join("/"));
  } catch {
    // A folder on the way may not be looked into: then nobody knows.
    return undefined;
  }
}
