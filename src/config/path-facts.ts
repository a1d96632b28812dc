import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import type { PathFacts } from "../core/classify/classify.ts";
import { isAbsolute, normalise, parentOf, spellOut } from "../core/classify/path.ts";
import type { PathFactsSource } from "../ports.ts";

/** As many links as the system itself follows before it gives up. */
const LINKS_MAX = 40;

/**
 * Looks where paths really lead on this machine. What cannot be looked at gets no entry, and then a write asks. `own` is
 * where the gate keeps its state.
 */
export function pathFacts(home: string, own: readonly string[] = []): PathFactsSource {
  const owned = [...new Set(own.flatMap((path) => [path, whereItLeads(path) ?? path]).flatMap(withCompanions))];
  const folds = new Map<string, boolean>();
  return {
    about: (paths, cwd) => {
      const real: Record<string, string> = Object.create(null);
      const look = (path: string) => {
        const found = whereItLeads(path);
        if (found !== undefined) real[path] = found;
      };
      for (const path of paths) {
        const spelled = spellOut(path, { base: cwd, home });
        if (!spelled.ok) continue;
        look(spelled.raw);
        look(normalise(spelled.raw));
      }
      const known = folds.get(cwd);
      const foldsCase = known ?? ignoresCase(cwd);
      if (known === undefined) folds.set(cwd, foldsCase);
      return { real, home, foldsCase, own: owned } satisfies PathFacts;
    },
  };
}

/** What a database keeps beside itself is as much its own. */
function withCompanions(path: string): readonly string[] {
  return [path, `${path}-wal`, `${path}-shm`, `${path}-journal`];
}

/**
 * Follows every link, also one that leads to something missing, because writing there would make it. `..` after a link
 * is the folder above where the link leads, as the system reads it. Names that do not exist yet are kept.
 */
function whereItLeads(path: string): string | undefined {
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

function statOf(path: string): Stats | "missing" | "unreadable" {
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

/** True where the last folder with a letter in its name is found under the other case too. */
function ignoresCase(folder: string): boolean {
  for (let here = normalise(folder); here !== "/"; here = parentOf(here)) {
    const name = basename(here);
    const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
    if (other === name || statOf(here) === "missing") continue;
    const twin = `${dirname(here)}/${other}`;
    const [one, two] = [statOf(here), statOf(twin)];
    return typeof one === "object" && typeof two === "object" && one.ino === two.ino && one.dev === two.dev;
  }
  return false;
}
