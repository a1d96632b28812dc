import { chmodSync, mkdirSync, renameSync, rmdirSync, statSync, unlinkSync, utimesSync } from "node:fs";
import type { Move } from "./difference.ts";
import { secondsOf, stampAt } from "./file-state.ts";
import { type Folders, splitPath } from "./folders.ts";
import type { Journal } from "./journal.ts";
import { type Progress, replacesKind } from "./survey.ts";
import { breathe, codeOf } from "./tools.ts";

/** Somebody changed this path since it was looked at. */
export class Moved extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} was changed by somebody else`);
    this.path = path;
  }
}

/**
 * Moves, how far each one is, and where its new file is staged. A move without progress is left alone. `tolerant`: what cannot
 * be removed because it holds something of somebody else is skipped and returned.
 */
export type Bringing = {
  folders: Folders;
  moves: readonly Move[];
  progress: readonly (Progress | undefined)[];
  staged: (index: number) => string;
  closed: Journal["closed"];
  tolerant: boolean;
};

type Step = { move: Move; progress: Progress; staged: string };

/** Does the moves. Every step can be repeated, so whoever finds the work half done begins again from a new survey. */
export async function bring(work: Bringing): Promise<readonly string[]> {
  const steps = work.moves.flatMap((move, index): Step[] => {
    const progress = work.progress[index];
    return progress === undefined ? [] : [{ move, progress, staged: work.staged(index) }];
  });
  for (const { path, mode } of work.closed) setFolder(work.folders, path, mode | 0o700);
  const left = await removeFormer(work, steps);
  for (const step of steps) {
    await breathe();
    if (step.progress.at === "now" || step.move.now === null) continue;
    if (step.move.now.kind === "folder") makeMissingFolder(work.folders, step.move);
    else place(work.folders, step);
  }
  setFolders(work, steps);
  return left;
}

/** Paths are sorted, so a folder comes before what is in it, and in reverse after it. */
async function removeFormer({ folders, tolerant }: Bringing, steps: readonly Step[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const step of steps.toReversed()) {
    await breathe();
    const { move, progress } = step;
    const isRemoved = move.was !== null && (move.now === null || replacesKind(move));
    if (!isRemoved || progress.at !== "was" || remove(folders, step)) continue;
    if (!tolerant) throw new Moved(move.path);
    left.push(move.path);
  }
  return left;
}

/** False if a folder holds something that is not known here. */
function remove(folders: Folders, { move, progress }: Step): boolean {
  const at = placeOf(folders, move.path);
  if (move.was?.kind !== "folder") {
    if (stampAt(at) !== progress.stamp) throw new Moved(move.path);
    unlinkSync(at);
    return true;
  }
  try {
    rmdirSync(at);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR", "ENOENT"].includes(codeOf(error))) return false;
    throw error;
  }
}

/** The place of a move, in its real folder. */
function placeOf(folders: Folders, path: string): string {
  const { parent, name } = splitPath(path);
  const entered = folders.enter(parent);
  if (!entered.ok) throw new Moved(entered.stopped);
  return `${entered.at}/${name}`;
}

function makeMissingFolder(folders: Folders, move: Move): void {
  if (move.was?.kind === "folder") return;
  try {
    mkdirSync(placeOf(folders, move.path), 0o700);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw new Moved(move.path);
    throw error;
  }
}

/** The new file takes the place of the former one in one step. */
function place(folders: Folders, { move, progress, staged }: Step): void {
  const at = placeOf(folders, move.path);
  if (stampAt(at) !== (replacesKind(move) ? undefined : progress.stamp)) throw new Moved(move.path);
  renameSync(staged, at);
}

/** Folders get their modes last, because some of them cannot be written to afterwards. */
function setFolders({ folders, moves, closed, tolerant }: Bringing, steps: readonly Step[]): void {
  for (const { move } of steps.toReversed()) {
    if (move.now?.kind !== "folder") continue;
    const isSet = setFolder(folders, move.path, move.now.mode, move.was === null ? move.nowMs : null);
    if (!isSet && !tolerant) throw new Moved(move.path);
  }
  const settled = new Set(moves.map(({ path }) => path));
  for (const { path, mode } of closed.toReversed()) if (!settled.has(path)) setFolder(folders, path, mode);
}

/** Sets the mode and time of a folder; the bit that passes its group on stays. False if there is no such folder. */
function setFolder(folders: Folders, path: string, mode: number, mtimeMs: number | null = null): boolean {
  const entered = folders.enter(path);
  if (!entered.ok) return false;
  const { mode: present } = statSync(entered.at);
  if ((present & 0o1777) !== mode) chmodSync(entered.at, mode | (present & 0o2000));
  if (mtimeMs !== null) utimesSync(entered.at, secondsOf(mtimeMs), secondsOf(mtimeMs));
  return true;
}
