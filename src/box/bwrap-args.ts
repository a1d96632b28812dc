import type { Walls } from "../core/box.ts";
import { isUnder } from "../core/classify/path.ts";

/**
 * A place of this machine that is found at another path in the box, and can be changed there. `thrownAway`: what is written there is
 * kept in memory, and is gone with the box.
 */
export type View = { at: string; from: string; thrownAway?: boolean };

export type HiddenPlace = { at: string; is: "folder" | "file" };

/** What was found on the disk, so that the arguments can be made without looking at it again. All paths are without links. */
export type Places = {
  /** Folders that every box has for itself, empty. */
  own: readonly string[];
  /** Credentials, sockets of other programs, and the state of Leeway. */
  hidden: readonly HiddenPlace[];
  /** Protected places in folders that can be changed. */
  kept: readonly string[];
  /** Folders on the way to a kept place. Each becomes a mount of its own, because a mount cannot be renamed. */
  pinned: readonly string[];
  /** Folders in kept places that the box has for itself, empty: caches of tools. */
  scratch: readonly string[];
  /** Places inside own or hidden folders that the program needs for reading. */
  shown: readonly string[];
  /** The places of `walls.write` that exist. */
  writable: readonly string[];
};

type Around = {
  project: string;
  views: readonly View[];
  /** Folders that take the place of those that the box has for itself. */
  own?: readonly View[];
  places: Places;
  /** An empty file, which is put over files that are hidden. */
  emptyFile: string;
};

type Mount = { at: string; order: number; args: readonly string[] };

/** The arguments of bubblewrap for these walls, without the program. It reads nothing: what is on the disk is in `places`. */
export function bwrapArgs(walls: Walls, around: Around): string[] {
  const mounts = mountsOf(walls, around).sort((a, b) => depth(a.at) - depth(b.at) || a.order - b.order);
  const readOnly = around.places.hidden.filter(({ is }) => is === "folder").flatMap(({ at }) => ["--remount-ro", at]);
  return [
    ...NAMESPACES,
    ...(walls.network === "any" ? [] : ["--unshare-net"]),
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    // Linux lets the user root write settings of the whole machine there, even without any right.
    ...["--remount-ro", "/proc"],
    ...mounts.flatMap(({ args }) => args),
    // Only now, because what is shown in such a folder needs a place to be mounted on.
    ...readOnly,
  ];
}

const NAMESPACES = [
  ..."--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try".split(" "),
  // No program in the box can make namespaces of its own, in which it would have rights again.
  ..."--disable-userns --cap-drop ALL --die-with-parent".split(" "),
];

/** A mount hides everything below it, so folders come before what is in them. At the same path the higher order wins. */
function mountsOf(walls: Walls, { project, views, own = [], places, emptyFile }: Around): Mount[] {
  const inView = (path: string) => views.some(({ at }) => isUnder(path, at));
  const covered = [...places.own, ...places.hidden.map(({ at }) => at)];
  const isCovered = (path: string) => covered.some((folder) => isBelow(path, folder));
  // What is in a folder that is shown anyway is there. A mount of its own would close it again.
  const within = [project, ...places.shown, ...places.writable, ...views.map(({ at }) => at)];
  const isThere = (path: string) =>
    within.some(
      (one) => isBelow(path, one) && !covered.some((folder) => isUnder(path, folder) && isUnder(folder, one)),
    );
  const needed = [project, ...places.shown].filter((path) => isCovered(path) && !isThere(path));
  return [
    ...places.own.map((at) => ({ at, order: 0, args: ["--perms", "1777", "--tmpfs", at] })),
    ...own.map(({ at, from }) => ({ at, order: 1, args: ["--bind", from, at] })),
    ...needed.map((at) => bound("--ro-bind", at, 1)),
    ...places.hidden.map((place) => hide(place, emptyFile)),
    ...walls.reveal
      .filter((at) => isCovered(at) && !isThere(at))
      .map((at) => ({ at, order: 3, args: ["--ro-bind-try", at, at] })),
    ...[...places.writable, ...places.pinned].filter((at) => !inView(at)).map((at) => bound("--bind", at, 4)),
    ...places.kept.filter((at) => !inView(at)).map((at) => bound("--ro-bind", at, 5)),
    ...places.scratch.filter((at) => !inView(at)).map((at) => ({ at, order: 5, args: ["--tmpfs", at] })),
    ...views.map(({ at, from }) => ({ at, order: 6, args: ["--bind", from, at] })),
  ];
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && isUnder(path, folder);
}

function bound(kind: "--bind" | "--ro-bind", at: string, order: number): Mount {
  return { at, order, args: [kind, at, at] };
}

function hide({ at, is }: HiddenPlace, emptyFile: string): Mount {
  const args = is === "folder" ? ["--perms", "0755", "--tmpfs", at] : ["--ro-bind", emptyFile, at];
  return { at, order: 2, args };
}

function depth(path: string): number {
  return path === "/" ? 0 : path.split("/").length;
}
