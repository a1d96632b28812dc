import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import type { PreparedBox, ProgramStart } from "../../box-port.ts";
import type { WallRefusal, Walls } from "../../core/box.ts";
import { isUnder } from "../../core/classify/path.ts";
import { removeAppeared } from "../appeared.ts";
import { boxEnvironment } from "../environment.ts";
import { EXTRA, KEEPS_EXTRA, LIMITS } from "../launch.ts";
import { type BoxFolders, realHome } from "../maker.ts";
import { type Found, lookAround } from "../places.ts";
import { MAC } from "./disk.ts";
import { KEEPER, type Keeping, type Kept, MADE, PROCESSES, STATUS } from "./keeper.ts";
import { type Loopback, openLoopback } from "./loopback.ts";
import { seatbeltProfile } from "./profile.ts";
import { heardOnMac } from "./refusals.ts";

/** The program of macOS that puts a profile around another one. It is never searched in PATH. */
export const SEATBELT = "/usr/bin/sandbox-exec";
const BASH = "/bin/bash";

/** Closes descriptors and sets limits. Then the profile counts, for this process and for everything that it starts. */
const LAUNCH = `
for one in /dev/fd/*; do
  one=\${one##*/}
  case $one in 0|1|2|${STATUS}|${EXTRA}) ;; *) eval "exec $one<&-" 2>/dev/null ;; esac
done
[ "\${${KEEPS_EXTRA}:-}" = 1 ] || exec ${EXTRA}<&-
ulimit -c ${LIMITS.coreBlocks} 2>/dev/null
ulimit -f ${LIMITS.fileBlocks} 2>/dev/null
ulimit -u "\${${PROCESSES}:-unlimited}" 2>/dev/null
unset ${KEEPS_EXTRA} ${PROCESSES}
exec ${SEATBELT} -f "$@"
`;

/** The first that runs in the box. If it runs, the box was made. */
const INSIDE = `echo ${MADE} >&${STATUS}; exec ${STATUS}>&-; name=$0; exec -a "$name" "$@"`;

type Making = BoxFolders & { project: string };

/** A box on macOS, which changes files where they are. */
export async function prepareOnMac(start: ProgramStart, walls: Walls, making: Making): Promise<PreparedBox> {
  refuseWhatNeedsMounts(walls);
  const stateFolder = realpathSync.native(making.stateFolder);
  const project = realpathSync.native(making.project);
  const inProject = (path: string) =>
    isUnder(path, making.project) ? project + path.slice(making.project.length) : path;
  const seen = { ...walls, write: walls.write.map(inProject), reveal: walls.reveal.map(inProject) };
  const cwd = realpathSync.native(start.cwd);
  const programs = [realpathSync.native(start.program)];
  const around = { project, home: realHome(making.home), cwd, programs, stateFolder, runtimeFolder: undefined };
  const { places, before } = lookAround(seen, around, MAC);
  const files = ownFiles(stateFolder);
  const way = await openLoopback(walls);
  try {
    writeFileSync(files.profile, seatbeltProfile(seen, { ...files, project, places, ports: way.ports }), {
      mode: 0o600,
    });
  } catch (error) {
    endBox(way, files);
    throw error;
  }
  const keeping: Keeping = { start: launched(files.profile, start), status: files.status, limits: limitsOf(walls) };
  return {
    start: {
      program: process.execPath,
      name: "node",
      args: ["-e", KEEPER, "--", JSON.stringify(keeping)],
      cwd,
      env: { ...boxEnvironment(start.env), ...way.env, TMPDIR: files.temporary, PWD: cwd },
    },
    ended: async (errors) => {
      const kept = keptIn(files.status);
      const refused = [...appearedIn({ before, places, project, stateFolder }), ...endBox(way, files)];
      const heard = heardOnMac(
        errors,
        cwd,
        places.hidden.map(({ at }) => at),
      );
      return {
        ...(kept === undefined ? { noEnd: true } : {}),
        ...(kept === undefined || kept.left.length === 0 ? {} : { left: kept.left }),
        refused: once([...(kept?.exceeded ?? []), ...refused, ...heard]),
      };
    },
  };
}

function refuseWhatNeedsMounts({ packages = [], tools = [] }: Walls): void {
  if (packages.length + tools.length > 0)
    throw new Error(
      "packages cannot be installed in a box on macOS; put LEEWAY_BOX=off before the command, and a person is asked",
    );
}

function launched(profile: string, { program, name, args }: ProgramStart): Keeping["start"] {
  const inside = [BASH, "--norc", "-c", INSIDE, name, program, ...args];
  return { program: BASH, args: ["--norc", "-c", LAUNCH, "leeway", profile, ...inside] };
}

const MEMORY_PART = 0.75;
const PROCESSES_MAX = 4096;

function limitsOf({ limits = {} }: Walls): Keeping["limits"] {
  return { memoryBytes: Math.floor(totalmem() * MEMORY_PART), processes: PROCESSES_MAX, ...limits };
}

type OwnFiles = { profile: string; status: string; temporary: string };

function ownFiles(stateFolder: string): OwnFiles {
  const folder = join(stateFolder, "box", "mac");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = randomUUID();
  const temporary = mkdtempSync(join(realpathSync.native(tmpdir()), "leeway-box-"));
  return { profile: join(folder, `${name}.sb`), status: join(folder, `${name}.status`), temporary };
}

/** Undefined if the keeper did not say how the box ended. */
function keptIn(status: string): Kept | undefined {
  if (statSync(status, { throwIfNoEntry: false }) === undefined) return undefined;
  const [made, kept] = readFileSync(status, "utf8").split("\n");
  return made === MADE && kept !== undefined && kept !== "" ? (JSON.parse(kept) as Kept) : undefined;
}

type Looked = Found & { project: string; stateFolder: string };

function appearedIn({ before, places: { writable }, project, stateFolder }: Looked): WallRefusal[] {
  return removeAppeared(before, { writable, project, views: [], stateFolder });
}

function endBox(way: Loopback, { profile, status, temporary }: OwnFiles): readonly WallRefusal[] {
  for (const path of [profile, status]) rmSync(path, { force: true });
  removeTemporary(temporary);
  return way.close();
}

/** A program may have made folders there that cannot be removed. macOS removes them after some days. */
function removeTemporary(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

function once(refused: readonly WallRefusal[]): WallRefusal[] {
  return [...new Map(refused.map((one) => [JSON.stringify(one), one])).values()];
}
