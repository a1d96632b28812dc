import type { Digest } from "../../core/call.ts";
import { changeOf, type Piece } from "../../core/change.ts";
import type { Refused } from "../../core/codes.ts";
import type { CallRow } from "../../core/rows.ts";
import { refusedCall, refusedReview } from "../../core/steps/refusing.ts";
import type { GivenReview } from "../../core/steps/reviewing.ts";
import { commitAgain } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { approvalAt } from "./approval-at.ts";

/** Writes down that somebody's answer did not count, and hands the refusal on. */
export async function noteRefusedReview(deps: Deps, id: string, given: GivenReview, no: Refused): Promise<Refused> {
  const asked = await approvalAt(deps, id);
  if (asked === undefined) return no;
  const nowMs = deps.clock.nowMs();
  await keep(deps, refusedReview(asked.row, given, no, deps.mint, nowMs), nowMs);
  return no;
}

/** Writes down that a call was refused for what its id stands for already; where, if there was room for it. */
export async function noteRefusedCall(
  deps: Deps,
  row: CallRow,
  digest: Digest,
  no: Refused,
): Promise<number | undefined> {
  const nowMs = deps.clock.nowMs();
  return keep(deps, refusedCall(row, digest, no, deps.mint, nowMs), nowMs);
}

async function keep(deps: Deps, piece: Piece, nowMs: number): Promise<number | undefined> {
  if (piece.entries === undefined) return undefined;
  const change = changeOf(deps.mint, { workspace: deps.workspace, nowMs }, [piece]);
  const committed = await commitAgain(deps.store, change);
  // Stale means that there is a line of it already, or enough of them for this minute.
  return committed.ok ? committed.firstIndex : undefined;
}
