import { type Dirent, readdirSync } from "node:fs";
import type { LinksMet } from "../core/classify/classify.ts";
import { normalise } from "../core/classify/path.ts";
import { globMatches, isWildName, wildAt } from "../core/values/glob.ts";
import { isSpent, type Looking, leadsTo, newLooking, statOf } from "./links.ts";

/** Folders listed, names compared and links followed for one call: a tenth of a second at most. */
const FOLDERS_MAX = 2_000;
const NAMES_MAX = 20_000;
const LINKS_MAX = 400;

/** A folder, how much of the pattern led there, and whether only the disk can say where that is. */
type Stop = { path: string; at: number; unsure: boolean };

/** What may still be looked at for one call. */
type Left = { folders: number; names: number; links: number };

/** Says of patterns, made absolute, where the links lead that they meet; what was looked at counts for all of them. */
export function linksMeeting(): (pattern: string) => LinksMet {
  // What goes through whole trees takes nothing from what lists a few folders.
  const [trees, folders] = [newLeft(), newLeft()];
  return (pattern) => {
    const { left, looking } = pattern.includes("**") ? trees : folders;
    const places = new Set<string>();
    const ended = walk(pattern.split("/"), left, (path) => {
      const found = leadsTo(path, looking);
      if (found !== undefined && found.place !== normalise(path)) places.add(found.place);
    });
    return { places: [...places], unfinished: !ended || isSpent(looking) };
  };
}

function newLeft(): { left: Left; looking: Looking } {
  return { left: { folders: FOLDERS_MAX, names: NAMES_MAX, links: LINKS_MAX }, looking: newLooking() };
}

/** False where something was left out. What others wrote is gone through last. */
function walk(names: readonly string[], left: Left, meet: (path: string) => void): boolean {
  const soon: Stop[] = [{ path: "", at: 0, unsure: false }];
  const late: Stop[] = [];
  for (let next = 0; next < soon.length || late.length > 0; ) {
    const stop = next < soon.length ? soon[next++] : late.shift();
    if (stop === undefined) break;
    const { path, at, unsure } = stop;
    const name = names[at];
    if (name === undefined) {
      if (!unsure) continue;
      if (--left.links < 0) return false;
      meet(path);
    } else if (!isWildName(name)) {
      const further = { path: name === "" ? path : `${path}/${name}`, at: at + 1, unsure };
      if (!names.slice(0, at).some(isWildName)) {
        soon.push(further);
        continue;
      }
      if (--left.names < 0) return false;
      const found = statOf(further.path);
      // A pattern finds only what is there.
      if (typeof found === "object") soon.push({ ...further, unsure: unsure || found.isSymbolicLink() });
    } else {
      if (--left.folders < 0) return false;
      const entries = entriesOf(path);
      left.names -= entries.length;
      if (left.names < 0) return false;
      for (const one of stepsFrom(stop, names, entries)) (OTHERS.test(one.path) ? late : soon).push(one);
    }
  }
  return true;
}

const OTHERS = /\/(node_modules|\.git)$/;

/** Two stars go through every folder, but through no link: where that leads is met as a whole. */
function stepsFrom({ path, at, unsure }: Stop, names: readonly string[], entries: readonly Dirent[]): readonly Stop[] {
  const name = names[at] ?? "";
  const isLast = at === names.length - 1;
  if (name !== "**") {
    const pattern = looser(name);
    return entries
      .filter((one) => globMatches(pattern, one.name) && (one.isSymbolicLink() || unsure || !isLast))
      .map((one) => ({ path: `${path}/${one.name}`, at: at + 1, unsure: unsure || one.isSymbolicLink() }));
  }
  const below = entries.filter((one) => one.isDirectory()).map((one) => ({ path: `${path}/${one.name}`, at, unsure }));
  const links = entries.filter((one) => one.isSymbolicLink() && isLast);
  return [
    ...(isLast ? [] : [{ path, at: at + 1, unsure }]),
    ...below,
    ...links.map((one) => ({ path: `${path}/${one.name}`, at: at + 1, unsure: true })),
  ];
}

/** With brackets a pattern may mean any name that begins as it does. */
function looser(name: string): string {
  return /[[(]/.test(name) ? `${name.slice(0, wildAt(name))}*` : name;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder === "" ? "/" : folder, { withFileTypes: true });
  } catch {
    // Not swallowed: in a folder that cannot be listed no pattern finds a name.
    return [];
  }
}
