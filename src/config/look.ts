import { lstatSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { FILE_BYTES_MAX } from "../core/classify/facts.ts";
import { isUnder } from "../core/classify/path.ts";
import { protectionOf } from "../core/classify/protect.ts";
import type { Fact } from "../core/effect.ts";
import type { Hashing } from "./file-facts.ts";
import { leadsTo, newLooking } from "./links.ts";

/** State of one search: `left` is how many files and folders may still be checked for this call. */
export type Look = {
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

export function kindOf(path: string, { left }: Look): "file" | "folder" | "link" | "other" | "missing" {
  left.looks--;
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return "link";
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "missing" : "other";
  }
}

/** The text of a file; the answer then depends on it. A file that exists but cannot be read may start anything. */
export function readSettings(path: string, look: Look, binds = true): string | undefined {
  look.left.looks--;
  try {
    const { size } = statSync(path);
    if (size > FILE_BYTES_MAX) throw new Error("the file is too large to be read");
    const content = readFileSync(path);
    look.facts.set(path, { of: "file", use: "looked for", path, bytes: content.length, hash: look.hashed(content) });
    return content.toString("utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") {
      if (binds) look.facts.set(path, { of: "missing", use: "looked for", path });
      return undefined;
    }
    look.starts.add(path);
    look.facts.set(path, { of: "unreadable", use: "looked for", path });
    return undefined;
  }
}

/** Whether a path leads out of the project or to a protected file, or this is unknown. */
export function strays(path: string, act: "read" | "write", { project, left }: Look): boolean {
  left.looks--;
  const place = leadsTo(path, newLooking())?.place;
  return place === undefined || !isUnder(place, project) || protectionOf(place, act, { project }) !== undefined;
}

/** A link under a name that a program opens by itself counts if it leads out of the project. */
export function isStrayLink(path: string, look: Look): boolean {
  return kindOf(path, look) === "link" && strays(path, "read", look);
}
