import type { FileState } from "../../core/box.ts";
import type { Move } from "./difference.ts";
import { type Found, lookIn, sameState } from "./file-state.ts";
import { type Folders, splitPath } from "./folders.ts";
import { breathe } from "./tools.ts";

/** How a path is now, compared with a move. `gone`: the former thing was removed and the new one is not there yet. */
export type Progress = { at: "was" | "now" | "gone" | "neither"; stamp: string | undefined };

/**
 * How every path of the moves is now. `interrupted`: the moves may be half done, and then a folder can have the mode that it had
 * in between.
 */
export async function survey(
  folders: Folders,
  moves: readonly Move[],
  how: "untouched" | "interrupted",
): Promise<readonly Progress[]> {
  const byPath = new Map(moves.map((move) => [move.path, move]));
  const progress: Progress[] = [];
  for (const move of moves) {
    await breathe();
    const looked = await lookIn(folders, move.path);
    const found = looked?.state === undefined ? null : looked;
    const isKnown = looked === null ? mayBeAbsent(folders, move, byPath) : looked.state !== undefined;
    progress.push({ at: isKnown ? progressOf(move, found, how) : "neither", stamp: found?.stamp });
  }
  return progress;
}

function progressOf(move: Move, found: Found | null, how: "untouched" | "interrupted"): Progress["at"] {
  const state = found?.state ?? null;
  const same = how === "untouched" ? sameState : sameApartFromFolderModes;
  // A folder whose mode changes is both; its mode is set again in any case.
  if (same(state, move.was)) return "was";
  if (same(state, move.now)) return "now";
  return state === null && replacesKind(move) ? "gone" : "neither";
}

function sameApartFromFolderModes(a: FileState | null, b: FileState | null): boolean {
  return a?.kind === "folder" && b?.kind === "folder" ? true : sameState(a, b);
}

/** A folder that becomes a file or link, or the reverse: the former must be removed before the new one can be put there. */
export function replacesKind({ was, now }: Move): boolean {
  return was !== null && now !== null && (was.kind === "folder") !== (now.kind === "folder");
}

/** Nothing can be at a path if its folder is not there. This is expected only if a move makes or removes that folder. */
function mayBeAbsent(folders: Folders, move: Move, byPath: ReadonlyMap<string, Move>): boolean {
  const entered = folders.enter(splitPath(move.path).parent);
  if (entered.ok) return true;
  const above = byPath.get(entered.stopped);
  return above?.now?.kind === "folder" || (above?.was?.kind === "folder" && move.now === null);
}
