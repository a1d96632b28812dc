import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PreparedBox, ProgramStart } from "../box-port.ts";
import { authoritiesFor } from "../config/paths/authorities.ts";
import type { WallRefusal, Walls } from "../core/box.ts";
import { isUnder } from "../core/classify/path.ts";
import { emptiedHere, hiddenNames } from "./afterwards/emptied.ts";
import { removeAppeared } from "./appeared.ts";
import { bwrapArgs, type Places, type View } from "./bwrap-args.ts";
import { callFilter } from "./call-filter.ts";
import { type Cover, inSharedMounts } from "./covers/covering.ts";
import { watchCovers } from "./covers/watch.ts";
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
  const inProject = (path: string) => withoutLinks(path, making.project, project);
  // The forwarder runs in this Node, which may be where a box shows nothing else.
  const programs = needsDoorway(walls) ? [start.program, process.execPath] : [start.program];
  const around = { project, stateFolder, ...aroundStart(start, programs, making.home) };
  const seen = { ...walls, write: walls.write.map(inProject), reveal: walls.reveal.map(inProject) };
  const { places, before, watching } = surveyed(seen, around, making.views);
  const files = ownFiles(stateFolder);
  const doorway = await doorwayFor(walls, making, { project, home: around.home, env: start.env });
  const inside = doorway?.through(start) ?? start;
  const shell = launchingShell();
  const watch = watchLimits(walls.limits, inMemory(making.views));
  const status = newStatus(join(stateFolder, "box"));
  const { after = "" } = making;
  const how = { ...files, processes: processesNow() + watch.processes, cwd: around.cwd, status: status.file, after };
  const env = boxEnvironment(start.env);
  const more = [...watch.marks, ...(doorway?.mounts ?? []), ...toolsArgs(walls, { stateFolder, project }, env)];
  const args = [...bwrapArgs(seen, { ...making, project, places, emptyFile: files.empty }), ...more];
  const covering = { ...watch, emptyFile: files.empty, stateFolder, roots: [project, around.home] };
  const covers = keepCovered(places, making, covering);
  const watched = await watching?.open({ before, pid: watch.starter });
  return {
    hidden: hiddenNames(places.hidden, project),
    start: covers.around({
      ...tiedToParent(making.launching, shell, [...startUp(shell), ...shellArgs(making.launching, args, inside, how)]),
      cwd: "/",
      env: { ...env, PWD: around.cwd },
    }),
    ended: async (errors) => {
      const ended = [...covers.stop(), ...watch.stop()];
      const looking = { writable: places.writable, project, views: making.views, stateFolder };
      const appeared = watched?.end() ?? removeAppeared(before, looking);
      return {
        ...(status.saysEnd() ? {} : { noEnd: true }),
        refused: withoutTwins([
          ...ended,
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

/** The walls may name the project by a path with links; what is in it must have none. */
function withoutLinks(path: string, named: string, project: string): string {
  return isUnder(path, named) ? project + path.slice(named.length) : path;
}

type Machine = { project: string; home: string; env: ProgramStart["env"] };

async function doorwayFor(walls: Walls, { views }: Making, machine: Machine): Promise<Doorway | undefined> {
  if (!needsDoorway(walls)) return undefined;
  const keepsHome = views.some(({ at }) => at === machine.home);
  return openDoorway(walls, { keepsHome, authorities: (kind) => authoritiesFor(kind, machine) });
}

function aroundStart(
  start: ProgramStart,
  programs: readonly string[],
  home: string,
): Omit<Surroundings, "project" | "stateFolder"> {
  return {
    home: realHome(home),
    cwd: realpathSync.native(start.cwd),
    programs: programs.map((path) => realpathSync.native(path)),
    runtimeFolder: start.env["XDG_RUNTIME_DIR"] ?? process.env["XDG_RUNTIME_DIR"],
  };
}

type Covers = { around(start: ProgramStart): ProgramStart; stop(): readonly WallRefusal[] };

/** What is covered when the box starts stays so. A rehearsal has a namespace of its own, whose mounts the box does not share. */
function keepCovered(
  places: Places,
  { launching, views }: Making,
  watching: Omit<Parameters<typeof watchCovers>[1], "shares">,
): Covers {
  const shares = launching.shares && views.length === 0;
  const covers = coversOf(places, views);
  if (covers.length === 0) return { around: (start) => start, stop: () => [] };
  const { stop } = watchCovers(covers, { ...watching, shares });
  return { around: (start) => (shares ? inSharedMounts(start) : start), stop };
}

/** Programs of the machine make their sockets anew all the time, and one that appears later is not covered either. */
function isSocket(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || found.isSocket();
}

/** What mounts cover in the box. In a view, files are others than outside, and nobody outside can replace them. */
function coversOf({ hidden, kept }: Places, views: readonly View[]): readonly Cover[] {
  const covers: readonly Cover[] = [
    ...hidden.map(({ at, is }) => ({ at, is: `hidden ${is}` as const })),
    ...kept.map((at) => ({ at, is: "kept" as const })),
  ];
  return covers.filter(({ at }) => !views.some((view) => isUnder(at, view.at)) && !isSocket(at));
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
