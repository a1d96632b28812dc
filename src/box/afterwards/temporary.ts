import { chmodSync, constants, copyFileSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { isUnder } from "../../core/classify/path.ts";
import type { ChangeRefusal } from "../rehearsal/difference.ts";
import { Folders, isInner, splitPath } from "../rehearsal/folders.ts";
import { codeOf, neededTool, unless } from "../rehearsal/tools.ts";

// A box has folders for temporary files of its own. If the command names a place there that does not exist yet, what the program
// makes there is copied out when the program has ended.

/** A place that the command names and that is not there. `own`: the folder for temporary files that it is in. */
export type NewPlace = { own: string; path: string };

const OWN = ["/tmp", "/var/tmp"];

/** The named places that do not exist, without those that are in another one or in a folder that can be changed anyway. */
export function newPlaces(write: readonly string[], project: string): readonly NewPlace[] {
  const isNew = (path: string) => unless(NOT_KNOWN, () => lstatSync(path, { throwIfNoEntry: false }) === undefined);
  const missing = write.filter((path) => !isUnder(path, project) && isNew(path) === true);
  const isIn = (path: string, folders: readonly string[]) => folders.some((one) => one !== path && isUnder(path, one));
  const open = write.filter((path) => !missing.includes(path));
  const outermost = missing.filter((path) => !isIn(path, missing) && !isIn(path, open));
  return [...new Set(outermost)].flatMap((path) => {
    const own = OWN.find((folder) => path !== folder && isUnder(path, folder));
    const isPlace = own !== undefined && isInner(path.slice(own.length + 1)) && isReal(own) && isReal(above(path));
    return isPlace ? [{ own, path }] : [];
  });
}

const NOT_KNOWN = ["ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"];

function isReal(folder: string): boolean {
  return unless([...NOT_KNOWN, "ENOENT"], () => realpathSync.native(folder)) === folder;
}

/** The nearest folder above a path that exists. */
function above(path: string): string {
  const folder = dirname(path);
  return lstatSync(folder, { throwIfNoEntry: false }) === undefined ? above(folder) : folder;
}

const OUT = "out";

/**
 * What the shell does that starts the box, in the folder of the rehearsal: before, it makes the box's own folders, with the folders that
 * are above a named place; after the program has ended, it copies what is at these places.
 */
export function ownFolders(places: readonly NewPlace[]) {
  const owns = [...new Set(places.map(({ own }) => own))];
  const nameOf = (own: string) => `own-${owns.indexOf(own)}`;
  const inOwn = ({ own, path }: NewPlace) => `${nameOf(own)}${path.slice(own.length)}`;
  return {
    owns: owns.map((at) => ({ at, name: nameOf(at) })),
    made: places.map((place) => dirname(inOwn({ ...place, path: join(above(place.path), "name") }))),
    copying: places.map((one, i) => `${neededTool("cp")} -RP -- ${quoted(inOwn(one))} ${OUT}/${i} 2>/dev/null`),
    prepare: (folder: string) => {
      for (const name of places.length === 0 ? [] : [OUT, ...owns.map(nameOf)]) mkdirSync(join(folder, name), 0o700);
    },
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Puts what was copied at the named places. Nothing is followed and nothing is replaced; what cannot be put there is said. */
export function bringOut(folder: string, places: readonly NewPlace[]): readonly ChangeRefusal[] {
  if (places.length === 0) return [];
  const refused: ChangeRefusal[] = [];
  for (const [i, { own, path }] of places.entries()) {
    const from = join(folder, OUT, String(i));
    if (lstatSync(from, { throwIfNoEntry: false }) === undefined) continue;
    const folders = new Folders(own);
    const refuse = (at: string, why: string) => void refused.push({ of: "change", path: join(own, at), why });
    try {
      put({ from, to: path.slice(own.length + 1) }, folders, refuse);
    } finally {
      folders.close();
    }
  }
  rmSync(join(folder, OUT), { recursive: true, force: true });
  return refused;
}

function put({ from, to }: { from: string; to: string }, folders: Folders, refuse: (at: string, why: string) => void) {
  const stats = lstatSync(from);
  const { parent, name } = splitPath(to);
  const at = entered(folders, parent);
  if (at === undefined) return refuse(to, "a folder above it is not a real folder any more");
  if (!stats.isFile() && !stats.isDirectory()) return refuse(to, "it is neither a file nor a folder");
  const mode = stats.mode & 0o777;
  try {
    if (stats.isFile()) {
      chmodSync(from, mode | 0o400);
      // A link that somebody put there is an error, and is not followed.
      copyFileSync(from, `${at}/${name}`, constants.COPYFILE_EXCL);
      return;
    }
    chmodSync(from, 0o700);
    mkdirSync(`${at}/${name}`, 0o700);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return refuse(to, "something is there meanwhile");
  }
  for (const inner of readdirSync(from)) put({ from: join(from, inner), to: `${to}/${inner}` }, folders, refuse);
  const own = folders.enter(to);
  if (own.ok) chmodSync(own.at, mode | 0o500);
}

/** How files in the folder are named. Folders that are missing are made. */
function entered(folders: Folders, path: string): string | undefined {
  const found = folders.enter(path);
  if (found.ok) return found.at;
  const { parent, name } = splitPath(path);
  const at = path === "" ? undefined : entered(folders, parent);
  if (at === undefined) return undefined;
  if (unless(["EEXIST"], () => mkdirSync(`${at}/${name}`, 0o755) ?? true) === undefined) return undefined;
  const made = folders.enter(path);
  return made.ok ? made.at : undefined;
}
