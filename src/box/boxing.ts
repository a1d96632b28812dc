import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { text as allText } from "node:stream/consumers";
import type { Boxing, BoxMaker, BoxReport, PreparedBox, ProgramStart } from "../box-port.ts";
import { plainFile } from "../config/plain-file.ts";
import { NO_WALLS_OPEN, type Walls } from "../core/box.ts";
import { isUnder } from "../core/classify/path.ts";
import { sha256 } from "../core/values/hash.ts";
import { findAbility, type No } from "./ability.ts";
import { emptiedInArchives } from "./afterwards/archives.ts";
import { emptiedIn } from "./afterwards/emptied.ts";
import { newPlaces } from "./afterwards/temporary.ts";
import type { View } from "./bwrap-args.ts";
import type { Launching } from "./launch.ts";
import { type BoxFolders, prepareLive, realHome } from "./maker.ts";
import { NEVER_RUN, whyNot } from "./reasons.ts";
import { missingPrograms } from "./rehearsal/ability.ts";
import { type LocalRehearsals, openRehearsals } from "./rehearsal/rehearsals.ts";
import { findAbilityOnMac } from "./seatbelt/ability.ts";
import { prepareOnMac } from "./seatbelt/prepare.ts";

/** Everything that a door needs to run calls in boxes: live, and rehearsed in a copy of the project. */
export function openBoxing(folders: BoxFolders, nowMs: () => number): Boxing {
  const rehearsals = openRehearsals(folders.stateFolder, nowMs);
  return { maker: maker(folders, rehearsals), rehearsals, readText };
}

/** How live boxes are made here. `rehearses`: whether a rehearsal can be tried here. `more`: what else people must know. */
type Making = { ok: true; live: Live; rehearses: boolean; more?: { keeps: false; note: string } };
type Live = (start: ProgramStart, walls: Walls, how: LiveIn) => Promise<LiveBox>;

/** `own` and `after`: as `prepareLive` takes them. */
type LiveIn = { project: string; views: readonly View[]; own?: readonly View[]; after?: string };

/** `hidden`: the names of the project's files that are empty in the box, where they are known. */
type LiveBox = PreparedBox & { hidden?: ReadonlySet<string> };

/** The systems on which boxes can be made. Nowhere else is one chosen. */
const SYSTEMS: { readonly [platform: string]: ((folders: BoxFolders) => Promise<Making | No>) | undefined } = {
  linux: async (folders) => {
    const liveWith =
      (launching: Launching): Live =>
      (start, walls, how) =>
        prepareLive(start, walls, { ...folders, launching, ...how });
    const found = await findAbility(
      folders,
      (launching) => (start, walls, project) => liveWith(launching)(start, walls, { project, views: [] }),
    );
    return found.ok ? { ok: true, live: liveWith(found.launching), rehearses: true } : found;
  },
  darwin: async (folders) => {
    const live: Live = (start, walls, { project }) => prepareOnMac(start, walls, { ...folders, project });
    const found = await findAbilityOnMac(folders, (start, walls, project) =>
      live(start, walls, { project, views: [] }),
    );
    if (!found.ok) return { ...found, why: `${found.why}; ${NEVER_RUN}` };
    return { ok: true, live, rehearses: false, more: { keeps: false, note: NEVER_RUN } };
  },
};

/** What makes boxes on this system. */
export function makingOn(platform: string, folders: BoxFolders): Promise<Making | No> {
  return SYSTEMS[platform]?.(folders) ?? Promise.resolve(whyNot.otherSystem(platform));
}

function maker(folders: BoxFolders, rehearsals: LocalRehearsals): BoxMaker {
  let known: Promise<Making | No> | undefined;
  const making = () => {
    known ??= makingOn(process.platform, folders);
    return known;
  };
  const prepare = async (start: ProgramStart, walls: Walls, how: { rehearse: boolean; project: string }) => {
    const found = await making();
    if (!found.ok) throw new Error(`${found.why}: ${found.hint}`);
    if (how.rehearse && !found.rehearses) throw new Error("nothing can be rehearsed on this system");
    const isWithin = (path: string) => !how.rehearse || isUnder(path, realpathSync.native(how.project));
    const open = { ...walls, write: walls.write.flatMap((path) => repositoryAt(path, isWithin)) };
    if (!how.rehearse) return found.live(start, open, { project: how.project, views: [] });
    return rehearsed(start, open, { ...folders, project: how.project, live: found.live }, rehearsals);
  };
  return {
    prepare,
    ability: async () => {
      const found = await making();
      if (!found.ok) return found;
      const rehearses = found.rehearses && (await canRehearse(folders.stateFolder, prepare, rehearsals));
      if (rehearses === "late") return whyNot.busy();
      return { ok: true, rehearses, ...found.more };
    },
  };
}

/**
 * A repository is not always in the folder `.git` of the project: a project may be a part of a repository, and in a worktree
 * `.git` is a file that says where the repository is. A rehearsal has no view of a repository outside of the project: code
 * would change it where it is, so it stays closed.
 */
function repositoryAt(path: string, isOpen: (repository: string) => boolean): readonly string[] {
  if (basename(path) !== ".git") return [path];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = statSync(join(folder, ".git"), { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return [join(folder, ".git")].filter(isOpen);
    if (found?.isFile() === true) return linkedRepository(join(folder, ".git")).filter(isOpen);
    if (folder === dirname(folder)) return [];
  }
}

/** A file that names a repository has one path in it. */
const LINK_BYTES_MAX = 64 * 1024;

function linkedRepository(file: string): readonly string[] {
  const [, named] = /^gitdir: (.+)$/m.exec(plainFile(file, LINK_BYTES_MAX).toString("utf8")) ?? [];
  if (named === undefined) return [];
  const own = resolve(dirname(file), named);
  const shared = join(own, "commondir");
  const isShared = statSync(shared, { throwIfNoEntry: false })?.isFile() === true;
  const both = isShared ? [own, resolve(own, plainFile(shared, LINK_BYTES_MAX).toString("utf8").trim())] : [own];
  return both
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    .map((folder) => realpathSync.native(folder));
}

/** The same box around a copy-on-write view of the project. The home folder is such a view too, and what is written there is dropped. */
async function rehearsed(
  start: ProgramStart,
  walls: Walls,
  making: BoxFolders & { project: string; live: Live },
  rehearsals: LocalRehearsals,
): Promise<PreparedBox> {
  const project = realpathSync.native(making.project);
  const rehearsal = await rehearsals.begin({
    project,
    home: realHome(making.home),
    way: "overlay",
    places: newPlaces(walls.write, project),
  });
  const { views, own, after } = rehearsal;
  const live = await making.live(start, walls, { project: making.project, views, own, after });
  return {
    start: rehearsal.start(live.start),
    ended: async (errors): Promise<BoxReport> => {
      const { refused, ...made } = await live.ended(errors);
      const { changes, refused: unapplied } = await rehearsal.ended();
      // What cannot be removed is no trouble of this command: `leeway doctor` says it.
      await rehearsals.tidy();
      const hidden = live.hidden ?? new Set();
      const bytes = (path: string, max: number) => rehearsals.bytes(rehearsal.name, path, "now", max);
      const packed = await emptiedInArchives(changes, hidden, bytes);
      return {
        ...made,
        refused: [...refused, ...emptiedIn(changes, hidden), ...packed, ...unapplied],
        rehearsal: { name: rehearsal.name, changes },
      };
    },
  };
}

/** Tried once for each machine and version, by a command that changes one file in a copy. */
async function canRehearse(
  stateFolder: string,
  prepare: BoxMaker["prepare"],
  rehearsals: LocalRehearsals,
): Promise<boolean | "late"> {
  // A program may have been removed since.
  if (missingPrograms().length > 0) return false;
  const file = join(stateFolder, "box", "rehearses.json");
  const facts = sha256(readFileSync(join(stateFolder, "box", "ability.json"), "utf8"));
  const known = statSync(file, { throwIfNoEntry: false }) && readFileSync(file, "utf8");
  if (known === `${facts} yes` || known === `${facts} no`) return known.endsWith("yes");
  const answer = await triedRehearsal(stateFolder, prepare, rehearsals);
  // Code that changes files where they are is decided about by nobody afterwards: that must not depend on how busy the machine is.
  if (answer === "late") return answer;
  // An error may be gone the next time; until then nothing is rehearsed.
  if (answer === undefined) return false;
  writeFileSync(file, `${facts} ${answer ? "yes" : "no"}`, { mode: 0o600 });
  return answer;
}

async function triedRehearsal(
  stateFolder: string,
  prepare: BoxMaker["prepare"],
  rehearsals: LocalRehearsals,
): Promise<boolean | "late" | undefined> {
  const trials = join(stateFolder, "box", "trials");
  mkdirSync(trials, { recursive: true, mode: 0o700 });
  const project = mkdtempSync(join(trials, "project-"));
  const start = { program: "/bin/sh", name: "sh", args: ["-c", "echo changed > file"], cwd: project, env: {} };
  try {
    const box = await prepare(start, { ...NO_WALLS_OPEN, write: [project] }, { rehearse: true, project });
    const { text, isLate } = await read(box.start, "");
    const { rehearsal } = await box.ended("");
    if (rehearsal !== undefined) await rehearsals.drop(rehearsal.name);
    if (isLate) return "late";
    const isUntouched = statSync(join(project, "file"), { throwIfNoEntry: false }) === undefined;
    return text !== undefined && isUntouched && rehearsal?.changes.length === 1;
  } catch (error) {
    // Whatever is missing for a rehearsal, boxes that change files where they are can still be made.
    if (error instanceof Error) return undefined;
    throw error;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

const READ_MS = 20_000;

async function readText(start: ProgramStart, input: string): Promise<string | undefined> {
  return (await read(start, input)).text;
}

/** No text if the program failed. `isLate`: it took too long and was ended. */
async function read(start: ProgramStart, input: string): Promise<{ text?: string; isLate: boolean }> {
  const child = spawn(start.program, start.args, {
    argv0: start.name,
    cwd: start.cwd,
    env: { ...start.env },
    stdio: ["pipe", "pipe", "ignore"],
    timeout: READ_MS,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [written, ok] = await Promise.all([allText(child.stdout), ended]);
  return { ...(ok ? { text: written } : {}), isLate: child.killed };
}
