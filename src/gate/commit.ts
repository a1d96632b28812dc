import { changeOf, type Piece } from "../core/change.ts";
import { type Refused, refused } from "../core/codes.ts";
import type { Deps } from "./deps.ts";

const TRIES_MAX = 8;

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
    const committed = await deps.store.commit(change);
    if (committed.ok) return { ok: true, value: tried.value };
  }
  return refused("LEEWAY_BUSY", "others changed the same things eight times in a row", "try again in a moment");
}
