import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { startedFiles } from "../config/paths/started-files.ts";
import { isUnder, parentOf } from "../core/classify/path.ts";
import { protectionOf } from "../core/classify/protect.ts";
import { namesIn } from "./folder-names.ts";

/** The protected places in the folders that a program can change, as they are now. */
export type ProtectedPlaces = {
  /** Files and folders. */
  kept: readonly string[];
  /** A link cannot be mounted over; it is compared after the program has ended. */
  links: ReadonlyMap<string, string>;
  /** Where these links lead, if that can be changed. */
  targets: readonly string[];
};

/** Where to look: the folders that can be changed, by their paths without links, and the project, which may be inside of one. */
export type Looking = { writable: readonly string[]; project: string };

/**
 * Looks at each folder that can be changed, at the folders in it, and further where the table says that something protected
 * may be. So the time does not grow with the size of a project.
 */
export function protectedPlaces({ writable, project }: Looking): ProtectedPlaces {
  const kept = new Set<string>();
  const links = new Map<string, string>();
  const seen = new Set<string>();
  const look = (folder: string, deep: number): void => {
    if (seen.has(folder)) return;
    seen.add(folder);
    for (const entry of namesIn(folder)) {
      const path = folder === "/" ? `/${entry.name}` : `${folder}/${entry.name}`;
      if (isKept(path, writable)) {
        if (entry.isSymbolicLink()) links.set(path, readlinkSync(path));
        else kept.add(path);
      } else if (entry.isDirectory() && leadsOn(path, deep, writable)) look(path, deep + 1);
    }
  };
  for (const folder of new Set([...writable, ...writable.filter((one) => isUnder(project, one)).map(() => project)])) {
    look(folder, 0);
  }
  for (const place of startedIn(project, writable)) kept.add(place);
  return { kept: [...kept], links, targets: [...links.keys()].flatMap((link) => targetOf(link, writable)) };
}

/** Files that settings of agents, git and editors start by themselves. */
function startedIn(project: string, writable: readonly string[]): readonly string[] {
  const isOpen = (path: string) => writable.some((one) => isUnder(path, one)) && !writable.includes(path);
  return startedFiles(project, homedir()).flatMap(({ place, folder }) => {
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (!isOpen(place) || (folder === true ? found?.isDirectory() : found?.isFile()) !== true) return [];
    return realpathSync.native(place) === place ? [place] : [];
  });
}

/** A link that leads to a whole folder that can be changed, or out of it, protects nothing there. */
function targetOf(link: string, writable: readonly string[]): string[] {
  try {
    const target = realpathSync.native(link);
    const isOpen = writable.some((one) => isUnder(target, one)) && !writable.some((one) => isUnder(one, target));
    return isOpen ? [target] : [];
  } catch {
    // It leads nowhere.
    return [];
  }
}

/** How many folders deep the table is followed. */
const DEEP_MAX = 4;

function leadsOn(path: string, deep: number, writable: readonly string[]): boolean {
  if (deep >= DEEP_MAX) return false;
  const listed = listedAbove(path, writable);
  if (isGitFolder(listed)) return path === listed || GIT_LEADS.test(path.slice(listed.length));
  return deep === 0 || protectionOf(path.slice(listed.length), "replace") !== undefined;
}

/**
 * Whether a place in a folder that can be changed stays as it is. The path is judged from that folder on: a folder that was
 * listed itself can be changed, whatever its own name and the names above it are.
 */
function isKept(path: string, writable: readonly string[]): boolean {
  if (writable.includes(path)) return false;
  const listed = listedAbove(path, writable);
  const rest = path.slice(listed.length);
  return isGitFolder(listed) ? GIT_KEPT.test(rest) : protectionOf(rest, "write") !== undefined;
}

/** The innermost of the listed folders that contain a path. */
function listedAbove(path: string, writable: readonly string[]): string {
  const above = writable.filter((one) => isUnder(path, one)).sort((a, b) => b.length - a.length)[0] ?? "";
  return above === "/" ? "" : above;
}

/** A repository that can itself be changed, so that commits can be made. What git would run from it still cannot be. */
export function isGitFolder(path: string): boolean {
  return /(^|\/|\.)git(\/worktrees\/[^/]+)?$/.test(path);
}

const GIT_KEPT = /^(\/modules\/.+)?\/(hooks|config|config\.worktree|commondir|info\/attributes)$/;
const GIT_LEADS = /^(\/modules(\/[^/]+)*)?\/(info|modules)$|^\/modules\/[^/]+$/;

/** The folders between a folder that can be changed and the kept places in it. */
export function pinnedFolders(kept: readonly string[], writable: readonly string[]): string[] {
  const pinned = new Set<string>();
  for (const place of kept) {
    for (let folder = parentOf(place); !writable.includes(folder) && folder !== "/"; folder = parentOf(folder)) {
      if (!writable.some((listed) => isUnder(folder, listed))) break;
      pinned.add(folder);
    }
  }
  return [...pinned];
}
