import { renameSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Move } from "../rehearsal/difference.ts";
import { makeDurable, makeFolder } from "../rehearsal/durable.ts";
import { copyFile, lookIn, sameState } from "../rehearsal/file-state.ts";
import { Folders, isInner, isRealFolder, splitPath } from "../rehearsal/folders.ts";
import type { BoxFolders } from "../rehearsal/journal.ts";

// A host's tool writes files itself, where they are. Their former bytes are kept before it starts, and what it made of them is noted
// when it has ended: then it is a change like that of a rehearsed command, which can be undone.

/** A larger file is not copied while an agent waits. */
const BYTES_MAX = 64 * 1024 * 1024;

type Keeping = { name: string; project: string; paths: readonly string[]; nowMs: number };

/** Keeps the former bytes of files of a project, by their paths in it. False if one of them cannot be kept; then none is. */
export async function keepFormer(box: BoxFolders, { name, project, paths, nowMs }: Keeping): Promise<boolean> {
  if (!isKeepable(project, paths)) return false;
  const folders = new Folders(project);
  try {
    makeFolder(dirname(box.former(name, 0)));
    const moves: Move[] = [];
    for (const [index, path] of paths.entries()) {
      const move = await formerOf(folders, path, box.former(name, index));
      if (move === undefined) return drop(box, name);
      moves.push(move);
    }
    const bytes = moves.reduce((sum, { was }) => sum + (was?.kind === "file" ? was.bytes : 0), 0);
    const former = moves.flatMap(({ was }, index) => (was === null ? [] : [box.former(name, index)]));
    await makeDurable([...former, dirname(box.former(name, 0))]);
    // Nothing is staged: the host writes the files itself.
    const staging = join(box.box, "staging", name);
    box.write({ version: 1, name, project, state: "kept", moves, staging, closed: [], atMs: nowMs, bytes });
    return true;
  } finally {
    folders.close();
  }
}

function drop(box: BoxFolders, name: string): false {
  box.drop(name);
  return false;
}

/** Whether `keepFormer` would keep these now. Nothing is written. */
export async function canKeep(project: string, paths: readonly string[]): Promise<boolean> {
  if (!isKeepable(project, paths)) return false;
  const folders = new Folders(project);
  try {
    for (const path of paths) if ((await formerOf(folders, path)) === undefined) return false;
    return true;
  } finally {
    folders.close();
  }
}

/** Folders are reached through what Linux says about open ones. */
function isKeepable(project: string, paths: readonly string[]): boolean {
  return process.platform === "linux" && isRealFolder(project) && paths.every(isInner);
}

/** An ordinary file with one name, or none at all. What is written through a link, or under another name too, is elsewhere. */
async function formerOf(folders: Folders, path: string, to?: string): Promise<Move | undefined> {
  const { parent, name: last } = splitPath(path);
  const entered = folders.enter(parent);
  // A folder on the way is missing, or it is a link.
  if (!entered.ok) return undefined;
  const found = await lookIn(folders, path);
  if (found === null) return { path, was: null, now: null, wasMs: null, nowMs: null };
  if (found.state === undefined) return undefined;
  const { state } = found;
  if (state.kind !== "file" || found.links !== 1 || state.bytes > BYTES_MAX) return undefined;
  if (to !== undefined && (await copyFile(`${entered.at}/${last}`, to)).hash !== state.hash) return undefined;
  return { path, was: state, now: state, wasMs: found.mtimeMs, nowMs: found.mtimeMs };
}

/** Notes what became of kept files. Without a change there is nothing to undo, and nothing is kept. */
export async function noteWritten(box: BoxFolders, name: string, nowMs: number): Promise<void> {
  const record = box.read(name);
  if (record?.state !== "kept") return;
  const folders = isRealFolder(record.project) ? new Folders(record.project) : undefined;
  try {
    const moves: Move[] = [];
    for (const [index, move] of record.moves.entries()) {
      const found = folders === undefined ? undefined : await lookIn(folders, move.path);
      // Something that has no state of its own is there now: what was kept stays as it is, for a person.
      if (found === undefined || (found !== null && found.state === undefined)) return;
      const now = found === null ? null : found.state;
      if (sameState(move.was, now)) continue;
      if (move.was !== null) renameSync(box.former(name, index), box.former(name, moves.length));
      moves.push({ ...move, now, nowMs: found?.mtimeMs ?? null });
    }
    if (moves.length === 0) box.drop(name);
    else box.write({ ...record, state: "applied", moves, atMs: nowMs });
  } finally {
    folders?.close();
  }
}
