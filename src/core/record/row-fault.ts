import { type Message, say } from "../messages/message.ts";
import type { Table } from "../rows/rows.ts";

/** Track records are rows too, which the store makes by itself. */
export type FaultyTable = Table | "tracks";

/** A row that differs from what the ledger recorded: which one, the last entry about it, and what to do. */
export type RowFault = { table: FaultyTable; id: string; index?: number; why: Message; hint: Message };

const RESTORE = say("hint.restore_before");

export function changedRow(table: Table, id: string, index: number): RowFault {
  return { table, id, index, why: say("record.not_row_of_entry", { index }), hint: RESTORE };
}

export function strangeRow(table: Table, id: string): RowFault {
  return { table, id, why: say("record.row_of_no_entry"), hint: RESTORE };
}

export function missingRow(table: Table, id: string, index: number): RowFault {
  return { table, id, index, why: say("record.row_missing", { index }), hint: RESTORE };
}

/** A step started from a row that differs from what the previous entry left: it was changed in between. */
export function launderedRow(table: Table, id: string, index: number): RowFault {
  return { table, id, index, why: say("record.row_started_wrong", { index }), hint: RESTORE };
}

/** A file next to the database says that it was used. */
export function takenRow(table: Table, id: string): RowFault {
  return { table, id, why: say("record.row_used"), hint: RESTORE };
}

/** The entries add up to another number. It decides nothing, but people see it. */
export function miscountedRow(id: string): RowFault {
  return { table: "tracks", id, why: say("record.row_miscounted"), hint: RESTORE };
}

/** Somebody gave uses of a grant back: its counter says fewer than its entries. */
export function miscountedUses(id: string, { count, counted }: { count: number; counted: number }): RowFault {
  return {
    table: "grants",
    id,
    why: say("record.uses_given_back", { count, counted }),
    hint: say("hint.revoke_grant", { id }),
  };
}

export function displacedRow(table: Table, id: string): RowFault {
  return {
    table,
    id,
    why: say("record.row_columns"),
    hint: RESTORE,
  };
}

/** One sentence for people. */
export function rowFaultMessage({ table, id, why }: RowFault): Message {
  return say("record.row", { what: ONE_OF[table], id, why });
}

const ONE_OF: { readonly [T in FaultyTable]: Message } = {
  calls: say("record.the_call"),
  approvals: say("record.the_approval"),
  executions: say("record.the_execution"),
  grants: say("record.the_grant"),
  agents: say("record.the_agent"),
  people: say("record.the_person"),
  pauses: say("record.the_pause"),
  promotions: say("record.the_promotion"),
  declarations: say("record.the_declaration"),
  policies: say("record.the_policy"),
  notices: say("record.the_notice"),
  tokens: say("record.the_token"),
  signins: say("record.the_sign_in"),
  buckets: say("record.the_bucket"),
  tracks: say("record.the_track_record"),
};
