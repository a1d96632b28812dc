import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  lutimesSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import type { FileState } from "../../core/box.ts";
import { isUnder } from "../../core/classify/path.ts";
import { bring, Moved } from "./bring.ts";
import type { Move } from "./difference.ts";
import { makeDurable, makeFolder } from "./durable.ts";
import { copyFile, secondsOf } from "./file-state.ts";
import { Folders, isInner, splitPath } from "./folders.ts";
import type { BoxFolders, Journal } from "./journal.ts";
import { type Progress, survey } from "./survey.ts";
import { breathe, codeOf, unless } from "./tools.ts";

/** Where the new bytes of moves are, each at a path below a folder. They are used only if they have the hash of their move. */
export type Source = { root: string; path: (index: number) => string };

/** Changes of a project that are made completely or not at all. */
export type Transaction = {
  name: string;
  project: string;
  moves: readonly Move[];
  source: Source;
  undoes?: string;
  nowMs: number;
};

/** Returns the paths that are not as they should be; then nothing was changed. */
export async function transact(box: BoxFolders, work: Transaction): Promise<readonly string[]> {
  const outside = work.moves.find(({ path }) => !isInner(path));
  if (outside !== undefined) throw new Error(`${JSON.stringify(outside.path)} is not a path inside a folder`);
  return withFolders(work.project, async (folders) => {
    const progress = await survey(folders, work.moves, "untouched");
    const moved = work.moves.filter((_, i) => progress[i]?.at !== "was").map(({ path }) => path);
    if (moved.length > 0) return moved;
    const journal = journalOf(box, folders, work);
    try {
      box.write(journal);
      await prepare(box, folders, work, journal);
      box.write({ ...journal, state: "applying" });
      await complete(box, folders, { ...journal, state: "applying" }, progress);
      return [];
    } catch (error) {
      // Every change is in place and can be undone. What could not be tidied up is removed before the next command.
      if (box.read(journal.name)?.state === "applied") return [];
      await putBackOrSay(box, folders, journal, error);
      if (error instanceof Moved) return [error.path];
      throw new Error(`nothing was changed, because ${whyNot(work.project, error)}`, { cause: error });
    }
  });
}

/** What a person can mend is said in words. Some systems name another error if a file system is read-only, so that is looked at. */
function whyNot(project: string, error: unknown): string {
  if (["ENOSPC", "EDQUOT"].includes(codeOf(error))) return `the disk of ${project} is full`;
  const isWritable = unless(["EROFS"], () => accessSync(project, constants.R_OK | constants.W_OK) === undefined);
  return isWritable === undefined ? `${project} is on a read-only file system` : String(error);
}

/** If the former files cannot be put back now, the journal stays, and the next call in this project tries it again. */
async function putBackOrSay(box: BoxFolders, folders: Folders, journal: Journal, why: unknown): Promise<void> {
  try {
    await revert(box, folders, journal);
  } catch (error) {
    throw new Error(
      `some files of ${journal.project} may be changed: ${String(why)}, and then ${String(error)}. ${whereFormer(box, journal)}`,
      { cause: error },
    );
  }
}

/** For a person who has to help. */
export function whereFormer(box: BoxFolders, { name }: Journal): string {
  return `The former files are in ${box.undo(name)}: mend what the message says and try again, or take what you need from there and remove that folder.`;
}

function journalOf(box: BoxFolders, folders: Folders, work: Transaction): Journal {
  const { name, project, moves, nowMs, undoes } = work;
  const parents = [...new Set(moves.map(({ path }) => splitPath(path).parent))].sort();
  const closed = process.getuid?.() === 0 ? [] : parents.flatMap((path) => closedFolder(folders, path));
  const staging = stagingFor(box, project, name);
  const journal: Journal = {
    version: 1,
    name,
    project,
    state: "preparing",
    moves,
    staging,
    closed,
    atMs: nowMs,
    bytes: bytesBefore(moves),
  };
  if (undoes !== undefined) journal.undoes = undoes;
  return journal;
}

/** What has to be kept for undo. */
export function bytesBefore(moves: readonly Move[]): number {
  return moves.reduce((sum, { was }) => sum + (was?.kind === "file" ? was.bytes : 0), 0);
}

function closedFolder(folders: Folders, path: string): Journal["closed"] {
  const entered = folders.enter(path);
  if (!entered.ok) return [];
  const mode = statSync(entered.at).mode & 0o1777;
  return (mode & 0o300) === 0o300 ? [] : [{ path, mode }];
}

/** In the state folder if files can be moved from there to the project, else in the project. */
function stagingFor(box: BoxFolders, project: string, name: string): string {
  const inState = join(box.box, "staging");
  makeFolder(inState);
  const isNear = statSync(inState).dev === statSync(project).dev && mountOf(inState) === mountOf(project);
  return isNear ? join(inState, name) : join(project, `.leeway-${name}`);
}

/** The number of the mount that a folder is in. */
function mountOf(folder: string): string | undefined {
  const fd = openSync(folder, "r");
  try {
    return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
  } finally {
    closeSync(fd);
  }
}

/** Saves the former bytes and puts the new ones near their place. Nothing in the project's own files changes. */
async function prepare(box: BoxFolders, folders: Folders, work: Transaction, journal: Journal): Promise<void> {
  makeFolder(journal.staging);
  const former: string[] = [];
  const staged: { path: string; mode: number }[] = [];
  await withFolders(work.source.root, async (from) => {
    for (const [index, move] of work.moves.entries()) {
      await breathe();
      const kept = box.former(journal.name, index);
      if (move.was?.kind === "file") {
        await copyChecked(folders, move.path, kept, move.was, move);
        former.push(kept);
      }
      const path = join(journal.staging, String(index));
      await stage(from, work.source.path(index), path, move);
      if (move.now?.kind === "file") staged.push({ path, mode: move.now.mode });
    }
  });
  await makeDurable(staged.map(({ path }) => path));
  // Only now, because a file that its owner may not read could not be opened for this.
  for (const { path, mode } of staged) setMode(path, mode);
  await makeDurable([journal.staging]);
  await makeDurable([...former, join(box.undo(journal.name), "was")]);
}

async function withFolders<T>(root: string, work: (folders: Folders) => Promise<T>): Promise<T> {
  const folders = new Folders(root);
  try {
    return await work(folders);
  } finally {
    folders.close();
  }
}

/** Makes the new file or link of a move, with its time. Its mode is set later. */
async function stage(from: Folders, path: string, to: string, move: Move): Promise<void> {
  if (move.now === null || move.now.kind === "folder") return;
  const time = secondsOf(move.nowMs ?? 0);
  if (move.now.kind === "link") {
    symlinkSync(move.now.to, to);
    lutimesSync(to, time, time);
    return;
  }
  await copyChecked(from, path, to, move.now, move);
  lutimesSync(to, time, time);
}

/** Never through a link: a staged file may be in a folder that a program in another box can change. */
function setMode(path: string, mode: number): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

type FileOnly = Extract<FileState, { kind: "file" }>;

/** Copies a file that must have the bytes of this state. */
async function copyChecked(folders: Folders, path: string, to: string, state: FileOnly, move: Move): Promise<void> {
  const { parent, name } = splitPath(path);
  const entered = folders.enter(parent);
  if (!entered.ok) throw new Moved(move.path);
  const copied = await copyFile(`${entered.at}/${name}`, to).catch((error: unknown) => {
    throw ["ENOENT", "ELOOP", "EISDIR", "ENXIO"].includes(codeOf(error)) ? new Moved(move.path) : error;
  });
  if (copied.hash !== state.hash) throw new Moved(move.path);
}

/** Does what a journal says, from where it stands, and marks it as done. */
async function complete(
  box: BoxFolders,
  folders: Folders,
  journal: Journal,
  progress: readonly Progress[],
): Promise<void> {
  const { moves, closed, staging } = journal;
  const staged = (index: number) => join(staging, String(index));
  await bring({ folders, moves, progress, staged, closed, tolerant: false });
  if (isUnder(staging, journal.project)) await expectApplied(folders, moves);
  await makeProjectDurable(folders, moves);
  box.write({ ...journal, state: "applied" });
  rmSync(staging, { recursive: true, force: true });
}

/** A program in another box can change what is staged in the project: then all of it is put back. */
async function expectApplied(folders: Folders, moves: readonly Move[]): Promise<void> {
  const after = await survey(folders, moves.map(inverse), "untouched");
  const wrong = moves.find((_, i) => after[i]?.at !== "was");
  if (wrong !== undefined) throw new Moved(wrong.path);
}

async function makeProjectDurable(folders: Folders, moves: readonly Move[]): Promise<void> {
  const parents = [...new Set(moves.map(({ path }) => splitPath(path).parent))];
  const real = parents.filter((path) => folders.enter(path).ok);
  await makeDurable(real.map((path) => join(folders.root, path)));
}

/**
 * Puts the former state back, as far as somebody else has not changed it. What was changed by somebody else stays, and is in
 * `left` of the journal together with the former bytes.
 */
async function revert(box: BoxFolders, folders: Folders, journal: Journal): Promise<readonly string[]> {
  const present = box.read(journal.name);
  const isTouched = present?.state === "applying" || present?.state === "reverting";
  // From here on the staged files may be missing, so nobody can complete the moves any more.
  if (isTouched) box.write({ ...journal, state: "reverting" });
  const left = isTouched ? await putBack(box, folders, journal) : [];
  rmSync(journal.staging, { recursive: true, force: true });
  if (left.length === 0) box.drop(journal.name);
  else box.write({ ...journal, state: "reverted", left });
  return left;
}

async function putBack(box: BoxFolders, folders: Folders, journal: Journal): Promise<readonly string[]> {
  const back = journal.moves.map(inverse);
  const progress = (await survey(folders, back, "interrupted")).map((one) => (one.at === "neither" ? undefined : one));
  const staged = (index: number) => join(journal.staging, `back-${index}`);
  makeFolder(journal.staging);
  await withFolders(join(box.undo(journal.name), "was"), async (from) => {
    for (const [index, move] of back.entries()) {
      const one = progress[index];
      if (one === undefined || one.at === "now" || move.now === null || move.now.kind === "folder") continue;
      rmSync(staged(index), { force: true });
      await stage(from, String(index), staged(index), move);
      if (move.now.kind === "file") setMode(staged(index), move.now.mode);
    }
  });
  const kept = await bring({ folders, moves: back, progress, staged, closed: journal.closed, tolerant: true });
  await makeProjectDurable(folders, back);
  return [...kept, ...back.filter((_, i) => progress[i] === undefined).map(({ path }) => path)].sort();
}

export function inverse({ path, was, now, wasMs, nowMs }: Move): Move {
  return { path, was: now, now: was, wasMs: nowMs, nowMs: wasMs };
}

/** The new file was put in place, and then somebody put the former one back: there is no other copy of the new one. */
function isUsedUp({ moves, staging }: Journal, index: number, at: Progress["at"]): boolean {
  const now = moves[index]?.now ?? null;
  if (at === "now" || now === null || now.kind === "folder") return false;
  return lstatSync(join(staging, String(index)), { throwIfNoEntry: false }) === undefined;
}

/** Ends what a process that died has left. Returns the paths that could not be brought to either state. */
export async function finish(box: BoxFolders, journal: Journal): Promise<readonly string[]> {
  if (journal.state === "applied" || journal.state === "preparing") {
    rmSync(journal.staging, { recursive: true, force: true });
    if (journal.state === "preparing") box.drop(journal.name);
    return [];
  }
  if (journal.state === "reverted") return [];
  return withFolders(journal.project, async (folders) => {
    if (journal.state === "reverting") return revert(box, folders, journal);
    try {
      const progress = await survey(folders, journal.moves, "interrupted");
      const isStuck = ({ at }: Progress, index: number) => at === "neither" || isUsedUp(journal, index, at);
      if (progress.some(isStuck)) return await revert(box, folders, journal);
      await complete(box, folders, journal, progress);
      return [];
    } catch (error) {
      if (error instanceof Moved) return await revert(box, folders, journal);
      throw error;
    }
  });
}
