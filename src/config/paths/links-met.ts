import { type Dirent, readdirSync } from "node:fs";
import { unpackedName } from "../../core/classify/commands/command-places.ts";
import type { LinksMet } from "../../core/classify/knowledge.ts";
import { normalise } from "../../core/classify/path.ts";
import { type Around, protectionOf } from "../../core/classify/protect.ts";
import { globMatches, isWildName, wildAt } from "../../core/values/glob.ts";
import { isSpent, leadsTo, newLooking, type PathSearch, statOf } from "./disk.ts";

/** Limits for one call: folders listed, names compared and links followed. Together at most a tenth of a second. */
const FOLDERS_MAX = 2_000;
const NAMES_MAX = 20_000;
const LINKS_MAX = 400;

/**
 * A folder, how much of the pattern led there, whether only the disk can tell where it is, and whether a shell would
 * expand the pattern in the same way (in a shell a star does not match hidden names).
 */
type Stop = { path: string; at: number; unsure: boolean; usual: boolean };

/** What may still be checked for one call. */
type Left = { folders: number; names: number; links: number };

/** Finds what absolute patterns match; the limits apply to all of them together. */
export function linksMeeting(around: Around = {}): (pattern: string) => LinksMet {
  // Searching whole trees has its own limits, so that it does not use up those for listing a few folders.
  const [trees, folders] = [newLeft(), newLeft()];
  return (pattern) => {
    const { left, looking } = pattern.includes("**") ? trees : folders;
    const places = new Set<string>();
    const files = new Map<string, string>();
    const ended = walk(pattern.split("/"), left, (path, isSure) => {
      if (isSure) {
        // Programs that search whole trees usually skip dependencies.
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

/** The class of reading a file, of writing it, and of writing its unpacked content; empty for an ordinary file. */
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

function newLeft(): { left: Left; looking: PathSearch } {
  return { left: { folders: FOLDERS_MAX, names: NAMES_MAX, links: LINKS_MAX }, looking: newLooking() };
}

/** False if something was left out. Dependencies are searched last. */
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

/** Two stars match every folder, but do not follow links: where a link leads is treated as a whole. */
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

/** A star or question mark at the beginning of a name does not match a dot. */
function takes(pattern: string, { name }: Dirent): boolean {
  return !name.startsWith(".") || /^[.[(!@+]/.test(pattern) || /^[*?]\(/.test(pattern);
}

/**
 * A few letters in brackets count as any one letter; with other brackets a pattern may match any name with the same
 * beginning.
 */
function looser(name: string): string {
  const plainer = name.replace(/\[[!^]?[a-zA-Z\d_.-]+\]/g, "?");
  return /[[(]/.test(plainer) ? `${plainer.slice(0, wildAt(plainer))}*` : plainer;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder === "" ? "/" : folder, { withFileTypes: true });
  } catch {
    // Not an error: in a folder that cannot be listed, no pattern matches.
    return [];
  }
}
