import { randomUUID } from "node:crypto";
import { cpSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { WallRefusal } from "../core/box.ts";
import { isUnder } from "../core/classify/path.ts";
import type { View } from "./bwrap-args.ts";
import { type ProtectedPlaces, protectedPlaces } from "./protected-places.ts";

type Looking = { writable: readonly string[]; project: string; views: readonly View[]; stateFolder: string };

/**
 * A protected place that does not exist cannot be mounted over without creating it. So after the program has ended, what
 * appeared at such a place is moved away, into the state folder, and links that were replaced are put back.
 */
export function removeAppeared(
  before: ProtectedPlaces,
  looking: Looking,
  mayStay: (path: string) => boolean = () => false,
): WallRefusal[] {
  if (looking.writable.length === 0) return [];
  const after = protectedPlaces(looking);
  const inView = (path: string) => looking.views.some(({ at }) => isUnder(path, at));
  const isNew = (path: string) => {
    const link = after.links.get(path);
    return link === undefined ? !before.kept.includes(path) : before.links.get(path) !== link;
  };
  const appeared = [...after.kept, ...after.links.keys()].filter(
    (path) => !inView(path) && isNew(path) && !mayStay(path),
  );
  putAside(appeared, looking.stateFolder);
  for (const [path, to] of before.links) {
    if (!inView(path) && linkAt(path) !== to) symlinkSync(to, path);
  }
  return appeared.map((path) => ({ of: "write", path }));
}

/** Moves files and folders into the state folder, where they are kept under their paths. */
export function putAside(paths: readonly string[], stateFolder: string): void {
  const folder = join(stateFolder, "box", "removed", `${Date.now()}-${randomUUID()}`);
  for (const path of paths) moveAway(path, join(folder, path));
}

/** The state folder may be on another disk, to which nothing can be renamed. */
function moveAway(path: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  try {
    renameSync(path, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    copyWhatCanBe(path, to);
    rmSync(path, { recursive: true });
  }
}

/** Pipes and devices cannot be copied. They are not worth keeping, but they must go. */
function copyWhatCanBe(path: string, to: string): void {
  try {
    cpSync(path, to, { recursive: true, verbatimSymlinks: true });
  } catch (error) {
    writeFileSync(`${to}.not-copied`, String(error));
  }
}

function linkAt(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}
