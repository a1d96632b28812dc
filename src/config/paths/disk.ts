import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { FILE_BYTES_MAX } from "../../core/classify/facts.ts";
import { isAbsolute, isUnder, normalise } from "../../core/classify/path.ts";
import { protectionOf } from "../../core/classify/protect.ts";
import type { Fact } from "../../core/effect.ts";
import type { KeyedHash } from "../../core/values/hash.ts";
import { plainFile } from "../plain-file.ts";

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
export type PathSearch = { steps: number; looks: number; seen: Map<string, Seen> };

export function newLooking(): PathSearch {
  return { steps: STEPS_MAX, looks: LOOKS_MAX, seen: new Map() };
}

/** Whether a limit was reached: then it is not known where all paths lead, and the call is refused. */
export function isSpent({ steps, looks }: PathSearch): boolean {
  return steps < 0 || looks < 0;
}

/** Where a path leads, if the file has only this name: otherwise a write would also change a file with another name. */
export function whereItLeads(path: string, looking: PathSearch = newLooking()): string | undefined {
  const found = leadsTo(path, looking);
  return found === undefined || found.several ? undefined : found.place;
}

/** Where a path leads; `several`: the file has other names too (hard links); `missing`: it does not exist. */
type Led = { place: string; several: boolean; missing: boolean };

/**
 * Follows every link, also a link to a missing file, because writing there would create it. `..` after a link is the
 * parent of the link's target, as the system reads it. Names that do not exist yet are kept.
 */
export function leadsTo(path: string, looking: PathSearch): Led | undefined {
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

function look(path: string, looking: PathSearch): Seen {
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
function trueCase(names: readonly string[], existing: number, looking: PathSearch): string | undefined {
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

/** Hashes the content of a file or a variable with the gate's key. */
export type Hashing = (content: string | Uint8Array) => KeyedHash;

/** State of one search: `left` is how many files and folders may still be checked for this call. */
export type SettingsSearch = {
  starts: Set<string>;
  leads: Set<string>;
  hooks: Set<string>;
  facts: Map<string, Fact>;
  project: string;
  own: boolean;
  left: { looks: number };
  hashed: Hashing;
};

export function upwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

export function kindOf(path: string, { left }: SettingsSearch): "file" | "folder" | "link" | "other" | "missing" {
  left.looks--;
  const found = statOf(path);
  if (typeof found === "string") return found === "missing" ? found : "other";
  if (found.isSymbolicLink()) return "link";
  return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
}

/** The text of a file; the answer then depends on it. A file that exists but cannot be read may start anything. */
export function readSettings(path: string, look: SettingsSearch, binds = true): string | undefined {
  look.left.looks--;
  try {
    // Most of these files do not exist, and this check throws no error for them.
    const found = statSync(path, { throwIfNoEntry: false });
    const content = found && plainFile(path, FILE_BYTES_MAX);
    if (content === undefined) {
      if (binds) look.facts.set(path, { of: "missing", use: "looked for", path });
      return undefined;
    }
    look.facts.set(path, { of: "file", use: "looked for", path, bytes: content.length, hash: look.hashed(content) });
    return content.toString("utf8");
  } catch {
    // Also if the file was removed between the two accesses.
    look.starts.add(path);
    look.facts.set(path, { of: "unreadable", use: "looked for", path });
    return undefined;
  }
}

/** Whether a path leads out of the project or to a protected file, or this is unknown. */
export function strays(path: string, act: "read" | "write", { project, left }: SettingsSearch): boolean {
  left.looks--;
  const place = leadsTo(path, newLooking())?.place;
  return place === undefined || !isUnder(place, project) || protectionOf(place, act, { project }) !== undefined;
}

/** A link under a name that a program opens by itself counts if it leads out of the project. */
export function isStrayLink(path: string, look: SettingsSearch): boolean {
  return kindOf(path, look) === "link" && strays(path, "read", look);
}
