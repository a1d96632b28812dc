import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { isAbsolute, normalise, parentOf } from "../core/classify/path.ts";

/** As many links as the system itself follows before it gives up. */
const LINKS_MAX = 40;

/**
 * Follows every link, also one that leads to something missing, because writing there would make it. `..` after a link
 * is the folder above where the link leads, as the system reads it. Names that do not exist yet are kept.
 */
export function whereItLeads(path: string): string | undefined {
  const waiting = path.split("/").reverse();
  let here = "/";
  let links = 0;
  while (waiting.length > 0) {
    const name = waiting.pop() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      here = parentOf(here);
      continue;
    }
    const next = here === "/" ? `/${name}` : `${here}/${name}`;
    const found = statOf(next);
    if (found === "unreadable") return undefined;
    if (found === "missing" || !found.isSymbolicLink()) {
      here = next;
      // A file with several names may be any of them: nobody can say what else a write would change.
      if (found !== "missing" && found.isFile() && found.nlink > 1) return undefined;
      continue;
    }
    if (++links > LINKS_MAX) return undefined;
    const to = linkAt(next);
    if (to === undefined) return undefined;
    if (isAbsolute(to)) here = "/";
    waiting.push(...to.split("/").reverse());
  }
  return trueCase(normalise(here));
}

export function statOf(path: string): Stats | "missing" | "unreadable" {
  try {
    return lstatSync(path);
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
function trueCase(path: string): string | undefined {
  const missing: string[] = [];
  let existing = path;
  while (existing !== "/" && statOf(existing) === "missing") {
    missing.unshift(basename(existing));
    existing = dirname(existing);
  }
  try {
    return normalise([realpathSync.native(existing), ...missing].join("/"));
  } catch {
    // A folder on the way may not be looked into: then nobody knows.
    return undefined;
  }
}
