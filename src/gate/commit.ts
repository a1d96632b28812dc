import { type Change, type Committed, changeOf, type Need, type Piece } from "../core/change.ts";
import { type Refused, refused } from "../core/codes.ts";
import { say } from "../core/messages/message.ts";
import { type Store, StoreUnavailable } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { timeNow } from "./time/clock.ts";

const TRIES_MAX = 8;
const TURNS_MAX = 200;

/** Why a verb must start over: the same rows were changed (`stale`), or the epoch has changed (`turned`). */
export type RetryReason = "stale" | "turned";

export function againAfter(stale: Need): RetryReason {
  return stale.is === "epoch" ? "turned" : "stale";
}

/**
 * Decides when to give up. If other processes keep changing the same rows, a verb gives up after eight tries. A new epoch
 * is more common, for example when many agents make their first call, so more tries are allowed.
 */
export function patience(): (again: RetryReason) => boolean {
  const left = { stale: TRIES_MAX, turned: TURNS_MAX };
  return (again) => --left[again] <= 0;
}

/** One try of a verb: what it would change and return, or why it refuses. */
export type Step<T> = { ok: true; pieces: readonly Piece[]; value: T } | Refused;

/** Reads, decides and commits. If another process was faster, it starts over with the new state. */
export async function commitStep<T>(
  deps: Deps,
  step: (nowMs: number) => Promise<Step<T>>,
): Promise<{ ok: true; value: T } | Refused> {
  const isOver = patience();
  for (;;) {
    const nowMs = await timeNow(deps);
    const tried = await step(nowMs);
    if (!tried.ok) {
      // The rows were changed while the step read them.
      if (tried.code === "LEEWAY_BUSY" && !isOver("stale")) continue;
      return tried;
    }
    const change = changeOf(deps.mint, { workspace: deps.workspace, nowMs }, tried.pieces);
    if (change.writes.length === 0 && change.entries.length === 0) return { ok: true, value: tried.value };
    const committed = await commitAgain(deps.store, change);
    if (committed.ok) return { ok: true, value: tried.value };
    if (isOver(againAfter(committed.stale))) return busy();
  }
}

/** If the answer to a COMMIT is lost, the Change is sent again with the same id. It is never applied twice. */
export async function commitAgain(store: Store, change: Change): Promise<Committed> {
  try {
    return await store.commit(change);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    try {
      return await store.commit(change);
    } catch (again) {
      throw saysMore(error, again) ? error : again;
    }
  }
}

/** The first try may have been recorded, and the second one only says that it was not. */
function saysMore(first: StoreUnavailable, second: unknown): boolean {
  if (!first.isInDoubt || !(second instanceof StoreUnavailable)) return false;
  return !second.isInDoubt && second.refused === undefined && second.lost === undefined;
}

export function busy(): Refused {
  return refused("LEEWAY_BUSY", say("refusal.busy"), say("hint.try_again_moment"));
}
