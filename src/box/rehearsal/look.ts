import { closeSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FileState } from "../../core/box.ts";
import { sha256 } from "../../core/values/hash.ts";
import type { Move } from "./difference.ts";
import { lookIn, openToRead, sameState } from "./file-state.ts";
import { Folders, isRealFolder, splitPath } from "./folders.ts";
import type { BoxFolders } from "./journal.ts";
import { changedFolder, readManifest } from "./manifest.ts";
import { survey } from "./survey.ts";
import { unless } from "./tools.ts";

/** Where the bytes of a move are, before and after. */
type Place = { root: string; path: string };
type Kept = { stamp: string; moves: ReadonlyMap<string, Move & { at: Record<"was" | "now", Place> }> };
type Wanted = { name: string; path: string; which: "was" | "now"; max: number };

/** Reads bytes of rehearsals, and of what was applied as long as it can be undone. */
export function bytesReader(box: BoxFolders): (wanted: Wanted) => Promise<Uint8Array | undefined> {
  // A card asks for many files of the same rehearsal, one after the other.
  let last: { name: string; kept: Kept } | undefined;
  return async ({ name, path, which, max }) => {
    const stamp = stampOf(box, name);
    if (stamp === undefined) return undefined;
    if (last?.name !== name || last.kept.stamp !== stamp) last = { name, kept: keptUnder(box, name, stamp) };
    const move = last.kept.moves.get(path);
    const state = move?.[which] ?? null;
    if (move === undefined || state === null || state.kind === "folder") return undefined;
    return state.kind === "link" ? Buffer.from(state.to).subarray(0, max) : bytesAt(move.at[which], state, max);
  };
}

function stampOf(box: BoxFolders, name: string): string | undefined {
  const files = [join(box.rehearsal(name), "manifest.json"), join(box.undo(name), "journal.json")];
  const stats = files.map((file) => unless(["ENOENT"], () => statSync(file)));
  return stats.every((one) => one === undefined)
    ? undefined
    : stats.map((one) => `${one?.ino} ${one?.mtimeMs}`).join(" ");
}

function keptUnder(box: BoxFolders, name: string, stamp: string): Kept {
  const folder = box.rehearsal(name);
  const manifest = readManifest(folder);
  if (manifest?.differences !== undefined) {
    const root = changedFolder(folder, manifest.way);
    const { project } = manifest;
    const at = ({ path }: Move) => ({ was: { root: project, path }, now: { root, path } });
    return { stamp, moves: new Map(manifest.differences.moves.map((move) => [move.path, { ...move, at: at(move) }])) };
  }
  const journal = box.read(name);
  if (journal?.state !== "applied") return { stamp, moves: new Map() };
  const root = join(box.undo(name), "was");
  const at = ({ path }: Move, index: number) => ({
    was: { root, path: String(index) },
    now: { root: journal.project, path },
  });
  return { stamp, moves: new Map(journal.moves.map((move, index) => [move.path, { ...move, at: at(move, index) }])) };
}

/** The first bytes of a file, if it is still the file of this state. */
async function bytesAt(
  { root, path }: Place,
  state: Extract<FileState, { kind: "file" }>,
  max: number,
): Promise<Uint8Array | undefined> {
  const folders = new Folders(root);
  try {
    if (state.bytes <= max) {
      const bytes = firstBytes(folders, path, state.bytes + 1);
      return bytes !== undefined && sha256(bytes) === state.hash ? bytes : undefined;
    }
    const found = await lookIn(folders, path);
    // The mode of the kept file may have been opened for reading.
    const isSame = found?.state?.kind === "file" && sameState({ ...found.state, mode: state.mode }, state);
    return isSame ? firstBytes(folders, path, max) : undefined;
  } finally {
    folders.close();
  }
}

function firstBytes(folders: Folders, path: string, max: number): Uint8Array | undefined {
  const { parent, name } = splitPath(path);
  const entered = folders.enter(parent);
  if (!entered.ok) return undefined;
  const fd = unless(["ENOENT", "ELOOP", "EACCES"], () => openToRead(`${entered.at}/${name}`));
  if (fd === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(max);
    let done = 0;
    for (let count = -1; count !== 0 && done < max; done += count) count = readSync(fd, bytes, done, max - done, done);
    return bytes.subarray(0, done);
  } finally {
    closeSync(fd);
  }
}

/** The paths that are no longer as they were when the program ended; undefined if the rehearsal is gone. */
export async function movedSince(box: BoxFolders, name: string): Promise<readonly string[] | undefined> {
  const folder = box.rehearsal(name);
  const manifest = readManifest(folder);
  if (manifest?.differences === undefined) return undefined;
  const { moves, stale } = manifest.differences;
  if (!isRealFolder(manifest.project)) return moves.map(({ path }) => path).sort();
  const project = new Folders(manifest.project);
  const changed = new Folders(changedFolder(folder, manifest.way));
  try {
    const progress = await survey(project, moves, "untouched");
    const moved = new Set([...stale, ...moves.filter((_, i) => progress[i]?.at !== "was").map(({ path }) => path)]);
    for (const { path, now } of moves) if (now?.kind === "file" && !(await isKept(changed, path, now))) moved.add(path);
    return [...moved].sort();
  } finally {
    project.close();
    changed.close();
  }
}

async function isKept(changed: Folders, path: string, now: FileState): Promise<boolean> {
  const found = await lookIn(changed, path);
  return found?.state?.kind === "file" && now.kind === "file" && sameState({ ...found.state, mode: now.mode }, now);
}
