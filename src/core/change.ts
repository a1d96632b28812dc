import type { Execution } from "./execution.ts";
import type { ApprovalId, CallId, ChangeId, Mint, WorkspaceId } from "./ids.ts";
import type { EntryDraft } from "./ledger.ts";
import type { Notice } from "./notice.ts";
import type { CallRow, Ref, Rows, Table } from "./rows/rows.ts";

/** Conditions that are checked inside the transaction when the Change is applied. */
export type Need =
  /** Unchanged since it was read; 0 means absent. */
  | { is: "version"; ref: Ref; version: number }
  /** No live row of the table has this key. */
  | { is: "unique"; table: Table; key: string }
  /** Policies, pauses, people, grants, promotions and declarations are as they were decided upon. */
  | { is: "epoch"; epoch: number }
  /** Nothing waits for this agent: no execution and no result to fetch, and no question was ever asked about this digest. */
  | { is: "quiet"; agent: string; digest: string }
  /** The counters and what is added stay within a maximum: limits and uses, without a retry storm. */
  | { is: "room"; counters: readonly string[]; add: number; max: number }
  /** The ledger has no entry yet. */
  | { is: "empty" };

/** Calls and executions have their own writes, which name the version they start from. */
export type PutTable = Exclude<Table, "calls" | "executions">;
export type Put = { [T in PutTable]: { do: "put"; table: T; row: Rows[T] } }[PutTable];

export type Write =
  | Put
  /**
   * A call, decided by an entry of the same Change; the content of that entry is stored only there (`record/decided-call`).
   * `from`: the version at which it was read, 0 if no call may have its key yet. `right`: the execution that is created with the call.
   */
  | { do: "start"; call: CallRow; from: number; right?: Execution }
  /** An execution in its next state. `from`: the version at which it was read, 0 if it is new. */
  | { do: "step"; right: Execution; from: number }
  | { do: "add"; counter: string; by: number; untilMs: number }
  | { do: "notice"; notice: Notice }
  | { do: "turn" }
  /** The gate's keyed hash over the standing as this Change leaves it. */
  | { do: "mark"; mark: string }
  /** From now on the call waits for the answer to this question. */
  | { do: "lead"; call: CallId; to: ApprovalId }
  /** Erases salt and body of an earlier entry; its hashes stay, and the chain still verifies. */
  | { do: "erase"; index: number };

/** Erasing comes after all other writes of a Change, so that it also erases what they wrote. */
export function erasingLast(writes: readonly Write[]): readonly Write[] {
  const erasing = writes.filter((write) => write.do === "erase");
  return erasing.length === 0 ? writes : [...writes.filter((write) => write.do !== "erase"), ...erasing];
}

/** One atomic step, as plain data. Because of its id, it can be sent again if the answer to a COMMIT was lost. */
export type Change = {
  id: ChangeId;
  workspace: WorkspaceId;
  atMs: number;
  needs: readonly Need[];
  writes: readonly Write[];
  entries: readonly EntryDraft[];
};

/** Whether the gate itself has something to do after this Change, at once: to send a notice, or to run an approved call. */
export function queuesWork({ writes }: Change): boolean {
  return writes.some((write) =>
    write.do === "start" || write.do === "step"
      ? write.right?.state === "ready"
      : write.do === "notice" || (write.do === "put" && write.table === "notices"),
  );
}

export type Committed =
  /** Applied, now or when it was sent before; `firstIndex` is the index of its first entry. */
  | { ok: true; firstIndex: number }
  /** Left no trace, because this need failed. */
  | { ok: false; stale: Need };

export function put<T extends PutTable>(table: T, row: Rows[T]): Put {
  return { do: "put", table, row } as unknown as Put;
}

/** The key of a row: `id`; for agents and people their name. */
export function idOf(put: Put): string {
  return "id" in put.row ? put.row.id : put.row.name;
}

/** The condition that a write implies: the row it starts from is unchanged. */
export function needOf(write: Extract<Write, { do: "start" | "step" }>): Need {
  if (write.do === "step") return unchanged("executions", write.right.id, write.from);
  if (write.from === 0) return { is: "unique", table: "calls", key: write.call.key };
  return unchanged("calls", write.call.id, write.from);
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
