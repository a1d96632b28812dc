import { lstatSync, realpathSync } from "node:fs";
import type { Walls } from "../core/box.ts";
import { isUnder, parentOf } from "../core/classify/path.ts";
import { protectionOf } from "../core/classify/protect.ts";
import type { HiddenPlace, Places } from "./bwrap-args.ts";
import { credentialPlaces, socketPlaces } from "./hidden-places.ts";
import { type ProtectedPlaces, pinnedFolders, protectedPlaces } from "./protected-places.ts";
import { reachableInBox } from "./reachable.ts";
import { scratchFolders } from "./scratch.ts";

export type Surroundings = {
  project: string;
  home: string;
  cwd: string;
  /** The files of the programs that are started. */
  programs: readonly string[];
  stateFolder: string;
  runtimeFolder: string | undefined;
};

export type Found = { places: Places; before: ProtectedPlaces };

/** What differs between systems. */
export type Disk = {
  own(around: Surroundings): readonly string[];
  /** Besides the places with credentials, which every system has. */
  hidden(around: Surroundings, reveal: readonly string[]): readonly HiddenPlace[];
  /** Whether a program in a box could get to a hidden place at all. */
  reachable(): (path: string) => boolean;
  shown(around: Surroundings, walls: Walls): readonly string[];
  scratch(kept: readonly string[]): readonly string[];
};

const LINUX: Disk = {
  own: ({ runtimeFolder }) =>
    existingFolders(["/tmp", "/var/tmp", "/run", "/var/run", ...(runtimeFolder === undefined ? [] : [runtimeFolder])]),
  hidden: (_, reveal) => socketPlaces(reveal),
  reachable: reachableInBox,
  shown: (_, { network }) => [...SYSTEM_IN_RUN, ...(network === "any" ? NAMES_IN_RUN : [])],
  scratch: scratchFolders,
};

/** Looks at what is on the disk for these walls. All paths of `around` are without links. */
export function lookAround(walls: Walls, around: Surroundings, disk: Disk = LINUX): Found {
  const own = disk.own(around);
  const writable = needingMounts(existing(walls.write));
  const reveal = existing(walls.reveal);
  const before = writable.length === 0 ? NOTHING_BEFORE : protectedPlaces({ writable, project: around.project });
  const looking = { home: around.home, project: around.project, reveal };
  const isReachable = disk.reachable();
  const found = [...credentialPlaces(looking), ...disk.hidden(around, reveal)].filter(
    ({ at }) => !writable.includes(at) && isReachable(at),
  );
  // What is hidden cannot be changed either. Shown read-only, it could be read again. A folder that is opened inside of a hidden one is not hidden.
  const isOpened = (path: string, at: string) => writable.some((one) => isUnder(path, one) && isUnder(one, at));
  const isHidden = (path: string) => found.some(({ at }) => isUnder(path, at) && !isOpened(path, at));
  const kept = [...new Set([...before.kept, ...before.targets])].filter((path) => !isHidden(path));
  const { cwd, programs, project, home, stateFolder } = around;
  const shown = [home, ...shownFolder(cwd, own), ...programs, ...disk.shown(around, walls)];
  const visible = [project, ...shown, ...writable, ...reveal];
  return {
    before,
    places: {
      own,
      hidden: withoutNested([...found, { at: stateFolder, is: "folder" }], own, visible),
      kept,
      pinned: pinnedFolders(kept, writable),
      scratch: disk.scratch(kept),
      shown: shown.filter(exists),
      writable,
    },
  };
}

/** The same with more places that stay as they are. What is hidden cannot be changed either. */
export function withKept(places: Places, more: readonly string[]): Places {
  const isHidden = (path: string) => places.hidden.some(({ at }) => isUnder(path, at));
  const kept = [...new Set([...places.kept, ...more.filter((path) => !isHidden(path))])];
  return { ...places, kept, pinned: pinnedFolders(kept, places.writable) };
}

const NOTHING_BEFORE: ProtectedPlaces = { kept: [], links: new Map(), targets: [] };

/** Some systems keep their programs there, and the addresses of their name servers. */
const SYSTEM_IN_RUN = ["/run/current-system", "/run/opengl-driver"];
const NAMES_IN_RUN = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf", "/run/nscd"];

/** The folders that exist, without links, and without those that are in another one. */
export function existingFolders(folders: readonly string[]): readonly string[] {
  const real = new Set(folders.filter(exists).map((path) => realpathSync.native(path)));
  return [...real].filter((path) => ![...real].some((other) => other !== path && isUnder(path, other)));
}

/** A folder in which programs are started can be seen, except a whole folder that every box has for itself. */
function shownFolder(cwd: string, own: readonly string[]): string[] {
  return own.includes(cwd) ? [] : [cwd];
}

/**
 * The places that exist and are no links: somebody may have put a link there since the walls were decided. What does not exist
 * cannot be mounted, so it stays closed.
 */
function existing(paths: readonly string[]): string[] {
  return [...new Set(paths)].filter((path) => exists(path) && realpathSync.native(path) === path);
}

/** What is in a folder that can be changed can be changed too, unless it is protected. */
function needingMounts(writable: readonly string[]): string[] {
  const isOpen = (path: string) => writable.some((other) => other !== path && isUnder(path, other));
  return writable.filter((path) => !isOpen(path) || protectionOf(path, "write") !== undefined);
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** What is in a folder that is covered needs no mount of its own, unless it is in something that is shown there. */
function withoutNested(
  hidden: readonly HiddenPlace[],
  own: readonly string[],
  visible: readonly string[],
): HiddenPlace[] {
  const covered = new Set([...own, ...hidden.filter(({ is }) => is === "folder").map(({ at }) => at)]);
  const isGone = (path: string, folder: string) =>
    covered.has(folder) && !visible.some((one) => one !== folder && isUnder(one, folder) && isUnder(path, one));
  const isInside = (path: string): boolean => {
    for (let folder = parentOf(path); folder !== "/"; folder = parentOf(folder)) if (isGone(path, folder)) return true;
    return false;
  };
  const once = new Map(hidden.map((place) => [place.at, place]));
  return [...once.values()].filter(({ at }) => !isInside(at));
}
