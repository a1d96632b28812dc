import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PreparedBox, ProgramStart } from "../box-port.ts";
import type { WallRefusal, Walls } from "../core/box.ts";
import { isUnder } from "../core/classify/path.ts";
import { emptiedHere, hiddenNames } from "./afterwards/emptied.ts";
import { removeAppeared } from "./appeared.ts";
import { bwrapArgs, type View } from "./bwrap-args.ts";
import { callFilter } from "./call-filter.ts";
import { boxEnvironment } from "./environment.ts";
import { watchInPlace } from "./in-place/watching.ts";
import { type Launching, launchingShell, shellArgs, tiedToParent } from "./launch.ts";
import { watchLimits } from "./limits/watch.ts";
import { newStatus } from "./made.ts";
import { type Doorway, needsDoorway, openDoorway } from "./network/doorway.ts";
import { toolsArgs } from "./packages/tools.ts";
import { lookAround, type Surroundings, withKept } from "./places.ts";
import { heardLimit, heardRefusals } from "./refusals.ts";

/** `stateFolder`: the state of Leeway, which no box can see. */
export type BoxFolders = { stateFolder: string; home: string };

/** `own`: folders for temporary files that others made for this box. `after`: what the shell does when the box has ended. */
type Making = BoxFolders & {
  launching: Launching;
  views: readonly View[];
  own?: readonly View[];
  after?: string;
  project: string;
};

/** `hidden`: the names of the project's files that are empty in the box. */
type LiveBox = PreparedBox & { hidden: ReadonlySet<string> };

/** A box that changes files where they are, except where a view is. */
export async function prepareLive(start: ProgramStart, walls: Walls, making: Making): Promise<LiveBox> {
  const stateFolder = realpathSync.native(making.stateFolder);
  const project = realpathSync.native(making.project);
  // The walls may name the project by a path with links; what is in it must have none.
  const inProject = (path: string) =>
    isUnder(path, making.project) ? project + path.slice(making.project.length) : path;
  const around = { project, stateFolder, ...aroundStart(start, making.home) };
  const seen = { ...walls, write: walls.write.map(inProject), reveal: walls.reveal.map(inProject) };
  const { places, before, watching } = surveyed(seen, around, making.views);
  const files = ownFiles(stateFolder);
  const keepsHome = making.views.some(({ at }) => at === around.home);
  const doorway = needsDoorway(walls) ? await openDoorway(walls, { keepsHome }) : undefined;
  const box = bwrapArgs(seen, { ...making, project, places, emptyFile: files.empty });
  const inside = doorway?.through(start) ?? start;
  const shell = launchingShell();
  const watch = watchLimits(walls.limits, inMemory(making.views));
  const status = newStatus(join(stateFolder, "box"));
  const { after = "" } = making;
  const how = { ...files, processes: processesNow() + watch.processes, cwd: around.cwd, status: status.file, after };
  const env = boxEnvironment(start.env);
  const tools = toolsArgs(walls, { stateFolder, project }, env);
  const args = [...box, ...watch.marks, ...(doorway?.mounts ?? []), ...tools];
  const watched = await watching?.open({ before, pid: watch.pid });
  return {
    hidden: hiddenNames(places.hidden, project),
    start: {
      ...tiedToParent(making.launching, shell, [...startUp(shell), ...shellArgs(making.launching, args, inside, how)]),
      cwd: "/",
      env: { ...env, PWD: around.cwd },
    },
    ended: async (errors) => {
      const exceeded = watch.stop();
      const looking = { writable: places.writable, project, views: making.views, stateFolder };
      const appeared = watched?.end() ?? removeAppeared(before, looking);
      return {
        ...(status.saysEnd() ? {} : { noEnd: true }),
        refused: withoutTwins([
          ...exceeded,
          ...appeared,
          ...(making.views.length > 0 || places.writable.length === 0 ? [] : emptiedHere(places.hidden, around)),
          ...(await closed(doorway)),
          ...heardRefusals(errors, around.cwd),
          ...heardLimit(errors, watch.processes),
        ]),
      };
    },
  };
}

/** What is on the disk for these walls. Without a copy what was there before is covered deeper, and watched. */
function surveyed(walls: Walls, around: Surroundings, views: readonly View[]) {
  const { places, before } = lookAround(walls, around);
  if (views.length > 0 || places.writable.length === 0) return { places, before, watching: undefined };
  const watching = watchInPlace({ ...around, writable: places.writable });
  return { places: withKept(places, watching.kept), before, watching };
}

function aroundStart(start: ProgramStart, home: string): Omit<Surroundings, "project" | "stateFolder"> {
  return {
    home: realHome(home),
    cwd: realpathSync.native(start.cwd),
    program: realpathSync.native(start.program),
    runtimeFolder: start.env["XDG_RUNTIME_DIR"] ?? process.env["XDG_RUNTIME_DIR"],
  };
}

function inMemory(views: readonly View[]): readonly string[] {
  return views.flatMap(({ from, thrownAway }) => (thrownAway === true ? [from] : []));
}

/** Some users of services have a home folder that does not exist. */
export function realHome(home: string): string {
  return statSync(home, { throwIfNoEntry: false }) === undefined ? home : realpathSync.native(home);
}

/** Bash reads the user's settings if its input is a socket, as that of programs that Node starts is. */
function startUp(shell: string): readonly string[] {
  return shell.endsWith("bash") ? ["--norc"] : [];
}

async function closed(doorway: Doorway | undefined): Promise<readonly WallRefusal[]> {
  return doorway === undefined ? [] : doorway.close();
}

function withoutTwins(refused: readonly WallRefusal[]): WallRefusal[] {
  return [...new Map(refused.map((one) => [JSON.stringify(one), one])).values()];
}

/** Linux counts these too, when it limits how many there may be. */
function processesNow(): number {
  return Number(/\d+\/(\d+)/.exec(readFileSync("/proc/loadavg", "utf8"))?.[1] ?? 0);
}

type OwnFiles = { empty: string; filter: string };

/** An empty file to put over others, and the filter of system calls. Nobody else can have changed them: they are written anew. */
function ownFiles(stateFolder: string): OwnFiles {
  const folder = join(stateFolder, "box");
  const filter = callFilter(process.arch);
  if (filter === undefined) throw new Error(`boxes cannot be made on the processor ${process.arch}`);
  const files = { empty: join(folder, "empty"), filter: join(folder, "filter") };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (statSync(files.empty, { throwIfNoEntry: false })?.size !== 0) replaceFile(files.empty, Buffer.alloc(0), 0o444);
  const known = statSync(files.filter, { throwIfNoEntry: false }) && readFileSync(files.filter);
  if (known === undefined || !known.equals(filter)) replaceFile(files.filter, filter, 0o600);
  return files;
}

/** In one step: another process may be about to start a box with the file. */
function replaceFile(path: string, bytes: Buffer, mode: number): void {
  const next = `${path}.${process.pid}-${randomUUID()}`;
  writeFileSync(next, bytes, { mode });
  renameSync(next, path);
}
