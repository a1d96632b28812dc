import { type Change, type Committed, changeOf, type Need, type Piece } from "../core/change.ts";
import { type Refused, refused } from "../core/codes.ts";
import { say } from "../core/messages/message.ts";
import { type Store, StoreUnavailable } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { timeNow } from "./time/clock.ts";

const TRIES_MAX = 8;
const TURNS_MAX = 200;

/** Why a verb has to start over: somebody changed the very same rows, or the standing turned for everybody. */
export type Again = "stale" | "turned";

export function againAfter(stale: Need): Again {
  return stale.is === "epoch" ? "turned" : "stale";
}

/**
 * Says when to give up. A contest for the same rows is lost after eight tries; a turn of the standing is no contest,
 * and many come together when many agents call for the first time.
 */
export function patience(): (again: Again) => boolean {
  const left = { stale: TRIES_MAX, turned: TURNS_MAX };
  return (again) => --left[again] <= 0;
}

/** One try of a verb: what it read and what it would change, or why it will not. */
export type Step<T> = { ok: true; pieces: readonly Piece[]; value: T } | Refused;

/** Reads, decides, commits; if somebody else was faster, does it all again from what is true now. */
export async function commitStep<T>(
  deps: Deps,
  step: (nowMs: number) => Promise<Step<T>>,
): Promise<{ ok: true; value: T } | Refused> {
  const isOver = patience();
  for (;;) {
    const nowMs = await timeNow(deps);
    const tried = await step(nowMs);
    if (!tried.ok) return tried;
    const change = changeOf(deps.mint, { workspace: deps.workspace, nowMs }, tried.pieces);
    if (change.writes.length === 0 && change.entries.length === 0) return { ok: true, value: tried.value };
    const committed = await commitAgain(deps.store, change);
    if (committed.ok) return { ok: true, value: tried.value };
    if (isOver(againAfter(committed.stale))) return busy();
  }
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
  return refused("LEEWAY_BUSY", say("refusal.busy"), say("hint.try_again_moment"));
}
