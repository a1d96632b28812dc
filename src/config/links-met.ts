import { type Dirent, readdirSync } from "node:fs";
import type { LinksMet } from "../core/classify/knowledge.ts";
import { normalise } from "../core/classify/path.ts";
import { type Around, protectionOf } from "../core/classify/protect.ts";
import { unpackedName } from "../core/classify/written-places.ts";
import { globMatches, isWildName, wildAt } from "../core/values/glob.ts";
import { isSpent, type Looking, leadsTo, newLooking, statOf } from "./links.ts";

/** Folders listed, names compared and links followed for one call: a tenth of a second at most. */
const FOLDERS_MAX = 2_000;
const NAMES_MAX = 20_000;
const LINKS_MAX = 400;

/**
 * A folder, how much of the pattern led there, whether only the disk can say where that is, and whether a shell goes that
 * way too: it takes no hidden name for a star.
 */
type Stop = { path: string; at: number; unsure: boolean; usual: boolean };

/** What may still be looked at for one call. */
type Left = { folders: number; names: number; links: number };

/** Says of patterns, made absolute, what they meet; what was looked at counts for all of them. */
export function linksMeeting(around: Around = {}): (pattern: string) => LinksMet {
  // What goes through whole trees takes nothing from what lists a few folders.
  const [trees, folders] = [newLeft(), newLeft()];
  return (pattern) => {
    const { left, looking } = pattern.includes("**") ? trees : folders;
    const places = new Set<string>();
    const files = new Map<string, string>();
    const ended = walk(pattern.split("/"), left, (path, isSure) => {
      if (isSure) {
        // Whoever goes through whole trees usually leaves out what others wrote.
        const kind = pattern.includes("**") && OTHERS_BELOW.test(path) ? "" : kindsOf(path, around);
        if (kind !== "" && !files.has(kind)) files.set(kind, path);
        return;
      }
      const found = leadsTo(path, looking);
      if (found !== undefined && found.place !== normalise(path)) places.add(found.place);
    });
    return { places: [...places], files: [...files.values()], unfinished: !ended || isSpent(looking) };
  };
}

/** What reading a file, writing it, and writing what it holds when it is unpacked would be; empty for an ordinary one. */
function kindsOf(path: string, around: Around): string {
  const unpacked = unpackedName(path);
  const kinds = [
    protectionOf(path, "read", around),
    protectionOf(path, "write", around),
    unpacked === path ? undefined : protectionOf(unpacked, "write", around),
  ];
  if (kinds.every((kind) => kind === undefined)) return "";
  return [path.includes("/."), ...kinds.map((kind) => kind?.class)].join(" ");
}

function newLeft(): { left: Left; looking: Looking } {
  return { left: { folders: FOLDERS_MAX, names: NAMES_MAX, links: LINKS_MAX }, looking: newLooking() };
}

/** False where something was left out. What others wrote is gone through last. */
function walk(names: readonly string[], left: Left, meet: (path: string, isSure: boolean) => void): boolean {
  const soon: Stop[] = [{ path: "", at: 0, unsure: false, usual: true }];
  const late: Stop[] = [];
  for (let next = 0; next < soon.length || late.length > 0; ) {
    const stop = next < soon.length ? soon[next++] : late.shift();
    if (stop === undefined) break;
    const { path, at, unsure, usual } = stop;
    const name = names[at];
    if (name === undefined) {
      if (unsure && --left.links < 0) return false;
      if (unsure || usual) meet(path, !unsure);
    } else if (!isWildName(name)) {
      const further = { path: name === "" ? path : `${path}/${name}`, at: at + 1, unsure, usual };
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
      for (const one of stepsFrom(stop, names, entries)) {
        if (one.at < names.length || one.unsure) (OTHERS.test(one.path) ? late : soon).push(one);
        else if (one.usual) meet(one.path, true);
      }
    }
  }
  return true;
}

const OTHERS = /\/(node_modules|\.git)$/;
const OTHERS_BELOW = /\/(node_modules|\.git)\//;

/** Two stars go through every folder, but through no link: where that leads is met as a whole. */
function stepsFrom(stop: Stop, names: readonly string[], entries: readonly Dirent[]): readonly Stop[] {
  const { path, at, unsure, usual } = stop;
  const name = names[at] ?? "";
  const step = (one: Dirent, further: number): Stop => ({
    path: `${path}/${one.name}`,
    at: further,
    unsure: unsure || one.isSymbolicLink(),
    usual: usual && (name === "**" || takes(name, one)),
  });
  if (name !== "**") {
    const pattern = looser(name);
    return entries.filter((one) => globMatches(pattern, one.name)).map((one) => step(one, at + 1));
  }
  const below = entries.filter((one) => one.isDirectory()).map((one) => step(one, at));
  if (at < names.length - 1) return [{ ...stop, at: at + 1 }, ...below];
  return [...below, ...entries.filter((one) => !one.isDirectory()).map((one) => step(one, at + 1))];
}

/** Stars and question marks at the beginning of a name stand for no dot. */
function takes(pattern: string, { name }: Dirent): boolean {
  return !name.startsWith(".") || /^[.[(!@+]/.test(pattern) || /^[*?]\(/.test(pattern);
}

/** A few letters in brackets are any one letter; with all other brackets a pattern may mean any name that begins as it does. */
function looser(name: string): string {
  const plainer = name.replace(/\[[!^]?[a-zA-Z\d_.-]+\]/g, "?");
  return /[[(]/.test(plainer) ? `${plainer.slice(0, wildAt(plainer))}*` : plainer;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder === "" ? "/" : folder, { withFileTypes: true });
  } catch {
    // Not swallowed: in a folder that cannot be listed no pattern finds a name.
    return [];
  }
}
