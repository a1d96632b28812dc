import { lstatSync } from "node:fs";
import { basename } from "node:path";
import type { FileChange, WallRefusal } from "../../core/box.ts";
import { isUnder } from "../../core/classify/path.ts";
import type { HiddenPlace } from "../bwrap-args.ts";
import { projectSecrets, TooMany } from "../project-secrets.ts";

// Files with credentials are empty in a box, so whoever copies a folder with such a file gets an empty one.

/** The names of the files of the project that the box hides. */
export function hiddenNames(hidden: readonly HiddenPlace[], project: string): ReadonlySet<string> {
  return new Set(hidden.flatMap(({ at, is }) => (is === "file" && isUnder(at, project) ? [basename(at)] : [])));
}

/** Of what a rehearsed program changed, the files that are empty and have the name of one that was hidden. */
export function emptiedIn(changes: readonly FileChange[], names: ReadonlySet<string>): readonly WallRefusal[] {
  const isEmpty = (state: FileChange["now"]) => state?.kind === "file" && state.bytes === 0;
  return changes
    .filter(({ path, was, now }) => isEmpty(now) && !isEmpty(was) && names.has(basename(path)))
    .map(({ path }) => ({ of: "hidden", path }));
}

type Here = { project: string; home: string };

/** The same where files were changed in place: the project is looked through again, if something in it was hidden. */
export function emptiedHere(hidden: readonly HiddenPlace[], { project, home }: Here): readonly WallRefusal[] {
  const names = hiddenNames(hidden, project);
  if (names.size === 0) return [];
  const before = new Set(hidden.map(({ at }) => at));
  const isEmptied = ({ at, is }: HiddenPlace) =>
    is === "file" && !before.has(at) && names.has(basename(at)) && lstatSync(at, { throwIfNoEntry: false })?.size === 0;
  return secretsNow(project, project === home)
    .filter(isEmptied)
    .map(({ at }) => ({ of: "hidden", path: at.slice(project.length + 1) }));
}

/** The program may have made so many that they cannot be looked at. Then nothing is said about them. */
function secretsNow(project: string, isWide: boolean): readonly HiddenPlace[] {
  try {
    return projectSecrets(project, [], isWide);
  } catch (error) {
    if (error instanceof TooMany) return [];
    throw error;
  }
}
