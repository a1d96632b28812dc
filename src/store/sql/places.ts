import type { Head } from "../../core/ledger.ts";

/** The state of a workspace: its number in the database, its epoch and the end of its chain. */
export type WorkspaceState = { space: number; epoch: number; mark: string | null; head: Head };

export const FIRST_EPOCH = 1;

/** The first key of a workspace's entries is a multiple of this. */
export const ENTRIES_MAX = 2 ** 40;

/** So that every key is a whole number below 2^53. */
export const SPACES_MAX = 2 ** 13;

/** No row has this number: it stands for a workspace without data. */
export const NO_SPACE = -1;

/** The key of an entry. One number for workspace and index saves an extra index on every append. */
export function placeOf(space: number, index: number): number {
  return space * ENTRIES_MAX + index;
}

export function indexAt(place: number): number {
  return place % ENTRIES_MAX;
}
