import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ProgramStart } from "../../box-port.ts";
import type { FileChange } from "../../core/box.ts";
import { listing, thrownAway } from "../afterwards/home.ts";
import { bringOut, type NewPlace, ownFolders } from "../afterwards/temporary.ts";
import { mountPointsOf } from "../covers/mount-points.ts";
import { type ChangeRefusal, differences, type Move } from "./difference.ts";
import { makeFolder } from "./durable.ts";
import type { BoxFolders } from "./journal.ts";
import {
  beginManifest,
  changedFolder,
  HOME_LAYER,
  type Manifest,
  PROJECT_LAYER,
  type Way,
  writeManifest,
} from "./manifest.ts";
import { LAYER_FOLDERS, type OverlayView, overlayStart } from "./overlay.ts";
import { copyProject, scanCopy } from "./project-copy.ts";
import { scanOverlay } from "./scan-overlay.ts";
import { NotRehearsed } from "./tools.ts";

/** A folder to show at another place. `thrownAway`: what is written there is kept in memory. */
export type PlacedView = { at: string; from: string; thrownAway?: boolean };

/** A rehearsal that is ready for one program. */
export type Rehearsal = {
  name: string;
  /** What the box must show at the paths of the project and of the home folder. */
  views: readonly PlacedView[];
  /** Folders for temporary files that the box must have instead of its own. */
  own: readonly PlacedView[];
  /** What the shell that starts the box must do when the box has ended. */
  after: string;
  /** What to start instead of `inner`, which must start a box with these views. */
  start(inner: ProgramStart): ProgramStart;
  /** Must be called after every process of the program has ended. The changes are kept under the name. */
  ended(): Promise<{ changes: readonly FileChange[]; refused: readonly ChangeRefusal[] }>;
};

/**
 * `home`: what is written there is thrown away. Without it, the box decides what can be written there. `places`: for temporary files,
 * named by the command, which are copied out.
 */
export type RehearsalOf = { project: string; home?: string; way: Way; places?: readonly NewPlace[] };

/** Prepares a rehearsal. Throws if the project cannot be rehearsed; then nothing may be started. */
export async function beginRehearsal(box: BoxFolders, of: RehearsalOf): Promise<Rehearsal> {
  checkProject(box, of.project);
  const name = randomUUID();
  const folder = box.rehearsal(name);
  makeFolder(join(folder, PROJECT_LAYER));
  const beganMs = statSync(join(folder, PROJECT_LAYER)).ctimeMs;
  const manifest: Manifest = { version: 1, project: of.project, way: of.way, beganMs, by: process.pid };
  return of.way === "overlay" ? inOverlay(name, folder, of, manifest) : inCopy(name, folder, manifest);
}

function checkProject(box: BoxFolders, project: string): void {
  makeFolder(box.box);
  if (project === "/" || realpathSync(project) !== project)
    throw new NotRehearsed(project, "it is not the real path of a project");
  if (isIn(realpathSync(box.box), project))
    throw new NotRehearsed(project, "the state folder of Leeway is inside of it");
  const inner = mountsIn(project);
  if (inner.length > 0) throw new NotRehearsed(project, `${inner.join(", ")} is a mount of its own inside of it`);
}

function isIn(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** A view shows one file system: what is mounted inside of it would be missing. */
function mountsIn(folder: string): readonly string[] {
  return [...new Set(mountPointsOf("self").filter((path) => path !== folder && isIn(path, folder)))];
}

function inOverlay(name: string, folder: string, of: RehearsalOf, manifest: Manifest): Rehearsal {
  for (const layer of LAYER_FOLDERS) mkdirSync(join(folder, PROJECT_LAYER, layer), 0o700);
  // The view has the mode of this folder.
  const upper = join(folder, PROJECT_LAYER, "upper");
  const mode = statSync(of.project).mode & 0o7777;
  chmodSync(upper, mode);
  const project: OverlayView = { lower: of.project, layer: PROJECT_LAYER, thrownAway: false };
  const home = homeView(of);
  const { places = [] } = of;
  const own = ownFolders(places);
  own.prepare(folder);
  if (home !== undefined) mkdirSync(join(folder, HOME_LAYER), 0o700);
  beginManifest(folder, manifest);
  // The project may be inside the home folder, so it comes later.
  const views = home === undefined ? [project] : [home, project];
  return {
    name,
    views: views.map(({ lower, layer, thrownAway }) => ({
      at: lower,
      from: join(folder, layer, "merged"),
      thrownAway,
    })),
    own: own.owns.map(({ at, name: from }) => ({ at, from: join(folder, from) })),
    after: [...own.copying, ...(home === undefined ? [] : listing(home.layer))].join("\n"),
    start: (inner) => overlayStart(inner, folder, { views, own }),
    ended: async () => {
      const outside = [...bringOut(folder, places), ...(home === undefined ? [] : thrownAway(folder, home.lower))];
      const isOther = (statSync(upper).mode & 0o7777) !== mode;
      chmodSync(upper, 0o700);
      removeWorkFolder(join(folder, PROJECT_LAYER, "work"));
      const { changes, refused } = await keep(folder, manifest, async (list) => {
        if (isOther) list.refuse("./", "the mode of the project's own folder is not changed");
        await scanOverlay(list, folder, project);
      });
      return { changes, refused: [...refused, ...outside] };
    },
  };
}

/** Linux leaves folders there that their owner cannot look into. With those, programs could not remove the state folder. */
function removeWorkFolder(folder: string): void {
  const open = (path: string): void => {
    chmodSync(path, 0o700);
    for (const inner of readdirSync(path, { withFileTypes: true })) {
      if (inner.isDirectory()) open(join(path, inner.name));
    }
  };
  open(folder);
  rmSync(folder, { recursive: true });
}

/** A home folder that is inside the project is part of it. One with mounts in it cannot be shown completely. */
function homeView({ project, home }: RehearsalOf): OverlayView | undefined {
  const isThere = home !== undefined && statSync(home, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isThere || isIn(home, project) || mountsIn(home).length > 0) return undefined;
  return { lower: home, layer: HOME_LAYER, thrownAway: true };
}

async function inCopy(name: string, folder: string, manifest: Manifest): Promise<Rehearsal> {
  const copy = changedFolder(folder, "copy");
  mkdirSync(copy, 0o700);
  const copied = await copyProject(manifest.project, copy);
  beginManifest(folder, { ...manifest, copied });
  return {
    name,
    views: [{ at: manifest.project, from: copy }],
    own: [],
    after: "",
    start: (inner) => inner,
    ended: () => keep(folder, { ...manifest, copied }, (list) => scanCopy(list, copy, copied)),
  };
}

async function keep(
  folder: string,
  manifest: Manifest,
  scan: Parameters<typeof differences>[2],
): ReturnType<Rehearsal["ended"]> {
  const found = await differences(manifest.project, manifest.beganMs, scan);
  writeManifest(folder, { ...manifest, differences: found });
  return { changes: found.moves.map(changeOf), refused: found.refused };
}

export function changeOf({ path, was, now }: Move): FileChange {
  return { path, was, now };
}
