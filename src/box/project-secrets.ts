import { type Dirent, readdirSync } from "node:fs";
import { isUnder } from "../core/classify/path.ts";
import { mayBeSecret, protectionOf } from "../core/classify/protect.ts";
import type { HiddenPlace } from "./bwrap-args.ts";
import { NOT_THERE } from "./folder-names.ts";
import { isPlain } from "./plain-settings.ts";

/** With more than this, looking through a project would take seconds for every command. */
const NAMES_MAX = 1_000_000;
/** Each is a mount of its own, and the time that bubblewrap needs grows with the square of their number. */
const SECRETS_MAX = 400;

export class TooMany extends Error {}

/**
 * Everything in a project that the table calls secret, however deep. Above the project, names say nothing about what is in it, so
 * paths are judged from there on. More than can be looked at, or covered, is an error: then no box is made. `isWide`: the project is
 * a whole home or system, and only its own folder and the folders in it are looked at.
 */
export function projectSecrets(project: string, reveal: readonly string[], isWide: boolean): readonly HiddenPlace[] {
  const found: HiddenPlace[] = [];
  const top = project === "/" ? "" : project;
  const waiting = [top];
  let names = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const isLast = LOOKED_AT_ONLY.test(folder.slice(top.length)) || (isWide && folder !== top);
    for (const entry of entriesOf(`${folder}/`)) {
      names++;
      // Nearly all names are neither, and making a path of each would take most of the time.
      const mayBe = mayBeSecret(entry.name);
      if (!mayBe && (isLast || !entry.isDirectory())) continue;
      const path = `${folder}/${entry.name}`;
      if (mayBe && isSecret(path, path.slice(top.length), entry)) {
        if (!reveal.some((one) => isUnder(path, one))) found.push({ at: path, is: kindOf(entry) });
      } else if (entry.isDirectory() && !isLast) waiting.push(path);
    }
    if (names > NAMES_MAX) throw new TooMany(tooMuch(`${project} has more than ${NAMES_MAX} files and folders`));
    if (found.length > SECRETS_MAX)
      throw new TooMany(tooMuch(`${project} has more than ${SECRETS_MAX} files that look like credentials`));
  }
  return found;
}

function tooMuch(what: string): string {
  return `${what}, too many to hide in a box; put LEEWAY_BOX=off before the command, and a person is asked instead`;
}

/**
 * What is directly in these folders is looked at, but nothing deeper. Packages are what a registry gave to anybody who asked, and
 * the objects of a repository have no names.
 */
const LOOKED_AT_ONLY = /\/(node_modules|site-packages|dist-packages|\.git)$/;

/**
 * A folder is hidden only if everything in it is secret: a folder of code can have the name of a file with credentials. A link is
 * not followed; where it leads to is looked at under its own path.
 */
function isSecret(path: string, shown: string, entry: Dirent): boolean {
  if (entry.isSymbolicLink()) return false;
  if (protectionOf(shown, "read") === undefined) return false;
  return entry.isDirectory() ? protectionOf(`${shown}/a`, "read") !== undefined : !isPlain(path);
}

function kindOf(entry: Dirent): HiddenPlace["is"] {
  return entry.isDirectory() ? "folder" : "file";
}

/** None if the folder cannot be read: then the program in the box cannot read it either. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (NOT_THERE.has((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}
