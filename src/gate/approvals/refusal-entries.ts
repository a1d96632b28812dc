import type { Digest } from "../../core/call.ts";
import { changeOf, type Piece } from "../../core/change.ts";
import type { Refused } from "../../core/codes.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { refusedCall, refusedReview, type TriedReview } from "../../core/steps/refusing.ts";
import { commitAgain } from "../commit.ts";
import type { Deps } from "../deps.ts";
import { approvalAt } from "./approval-at.ts";

/** Records that an answer did not count, and returns the refusal. */
export async function noteRefusedReview(deps: Deps, id: string, given: TriedReview, no: Refused): Promise<Refused> {
  const asked = await approvalAt(deps, id);
  if (asked === undefined) return no;
  const nowMs = deps.clock.nowMs();
  await keep(deps, refusedReview(asked.row, given, no, deps.mint, nowMs), nowMs);
  return no;
}

/** Records that a call was refused because its id is already used. Returns the index of the entry, if one was written. */
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
  // A stale Change means that the refusal is recorded already, or that enough refusals were recorded in this minute.
  return committed.ok ? committed.firstIndex : undefined;
}
