import { type Change, type Committed, changeOf, type Piece } from "../core/change.ts";
import { type Refused, refused } from "../core/codes.ts";
import { type Store, StoreUnavailable } from "../ports.ts";
import type { Deps } from "./deps.ts";

export const TRIES_MAX = 8;

/** One try of a verb: what it read and what it would change, or why it will not. */
export type Step<T> = { ok: true; pieces: readonly Piece[]; value: T } | Refused;

/** Reads, decides, commits; if somebody else was faster, does it all again from what is true now. */
export async function commitStep<T>(
  deps: Deps,
  step: (nowMs: number) => Promise<Step<T>>,
): Promise<{ ok: true; value: T } | Refused> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const nowMs = deps.clock.nowMs();
    const tried = await step(nowMs);
    if (!tried.ok) return tried;
    const change = changeOf(deps.mint, { workspace: deps.workspace, nowMs }, tried.pieces);
    if (change.writes.length === 0 && change.entries.length === 0) return { ok: true, value: tried.value };
    const committed = await commitAgain(deps.store, change);
    if (committed.ok) return { ok: true, value: tried.value };
  }
  return busy();
}

/** A COMMIT whose answer was lost may have happened: the same id sent once more tells, and changes nothing twice. */
export async function commitAgain(store: Store, change: Change): Promise<Committed> {
  try {
    return await store.commit(change);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return store.commit(change);
  }
}

export function busy(): Refused {
  return refused("LEEWAY_BUSY", "others changed the same things eight times in a row", "try again in a moment");
}
