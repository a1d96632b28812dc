import type { ApprovalId, CallId, ChangeId, Mint, WorkspaceId } from "./ids.ts";
import type { EntryDraft } from "./ledger.ts";
import type { Notice } from "./notice.ts";
import type { Ref, Rows, Table } from "./rows.ts";

/** What must still hold when the Change is applied; checked inside the transaction. */
export type Need =
  /** Unchanged since it was read; 0 means absent. */
  | { is: "version"; ref: Ref; version: number }
  /** No live row of the table has this key. */
  | { is: "unique"; table: Table; key: string }
  /** Policies, pauses, people, grants, promotions and declarations are as they were decided upon. */
  | { is: "epoch"; epoch: number }
  /** The counters and what is added stay within a maximum: limits and uses, without a retry storm. */
  | { is: "room"; counters: readonly string[]; add: number; max: number }
  /** The ledger has no entry yet. */
  | { is: "empty" };

/** What the entry says that decides a call, in the same Change, is kept in that entry alone (`record/decided-call`). */
export type Put = { [T in Table]: { do: "put"; table: T; row: Rows[T] } }[Table];

export type Write =
  | Put
  | { do: "add"; counter: string; by: number; untilMs: number }
  | { do: "notice"; notice: Notice }
  | { do: "turn" }
  /** The gate's keyed hash over the standing as this Change leaves it. */
  | { do: "mark"; mark: string }
  /** From now on the answer to a call is the answer to this question. */
  | { do: "lead"; call: CallId; to: ApprovalId }
  /** Forgets salt and body of an earlier entry; its hashes stay, and the chain still verifies. */
  | { do: "erase"; index: number };

/** One atomic step, as plain data. The id makes a COMMIT whose answer was lost safe to send again. */
export type Change = {
  id: ChangeId;
  workspace: WorkspaceId;
  atMs: number;
  needs: readonly Need[];
  writes: readonly Write[];
  entries: readonly EntryDraft[];
};

export type Committed =
  /** Applied, now or by an earlier send of the same id; `firstIndex` is the place of its first entry. */
  | { ok: true; firstIndex: number }
  /** Left no trace, because this need failed. */
  | { ok: false; stale: Need };

export function put<T extends Table>(table: T, row: Rows[T]): Put {
  return { do: "put", table, row } as unknown as Put;
}

/** Rows are named by `id`, agents and people by their name. */
export function idOf(put: Put): string {
  return "id" in put.row ? put.row.id : put.row.name;
}

export function unchanged(table: Table, id: string, version: number): Need {
  return { is: "version", ref: { table, id }, version };
}

/** A fragment of a Change. Transitions return pieces; a verb joins them and commits once. */
export type Piece = { needs?: readonly Need[]; writes?: readonly Write[]; entries?: readonly EntryDraft[] };

export function changeOf(mint: Mint, at: { workspace: WorkspaceId; nowMs: number }, pieces: readonly Piece[]): Change {
  const needs: Need[] = [];
  const writes: Write[] = [];
  const entries: EntryDraft[] = [];
  for (const piece of pieces) {
    if (piece.needs !== undefined) needs.push(...piece.needs);
    if (piece.writes !== undefined) writes.push(...piece.writes);
    if (piece.entries !== undefined) entries.push(...piece.entries);
  }
  return { id: mint.next("chg"), workspace: at.workspace, atMs: at.nowMs, needs, writes, entries };
}
