import type { Table } from "../rows.ts";

/** Records of how agents did are rows too, which the store makes by itself. */
export type FaultyTable = Table | "tracks";

/** A row that is not what the ledger made it: which, the entry that last spoke of it, and what to do. */
export type RowFault = { table: FaultyTable; id: string; index?: number; why: string; hint: string };

const RESTORE = "restore a backup from before it; what was done since may rest on it";

export function changedRow(table: Table, id: string, index: number): RowFault {
  return { table, id, index, why: `it is not the row that entry ${index} made`, hint: RESTORE };
}

export function strangeRow(table: Table, id: string): RowFault {
  return { table, id, why: "no entry made it", hint: RESTORE };
}

export function missingRow(table: Table, id: string, index: number): RowFault {
  return { table, id, index, why: `entry ${index} made it, and it is gone`, hint: RESTORE };
}

/** A step was taken from a row that was not what the entry before had left: it was changed in between. */
export function launderedRow(table: Table, id: string, index: number): RowFault {
  return { table, id, index, why: `entry ${index} started from a row that no entry had made so`, hint: RESTORE };
}

/** What lies beside the database says that it was used. */
export function takenRow(table: Table, id: string): RowFault {
  return { table, id, why: "it was used already", hint: RESTORE };
}

/** The entries count up to something else. It decides nothing, and people are shown it. */
export function miscountedRow(id: string): RowFault {
  return { table: "tracks", id, why: "it is not what the entries count up to", hint: RESTORE };
}

export function displacedRow(table: Table, id: string): RowFault {
  return {
    table,
    id,
    why: "the columns it is found by are not those of the row",
    hint: RESTORE,
  };
}

/** One sentence for people. */
export function rowFaultText({ table, id, why }: RowFault): string {
  return `${ONE_OF[table]} ${id}: ${why}`;
}

const ONE_OF: { readonly [T in FaultyTable]: string } = {
  calls: "the call",
  approvals: "the approval",
  executions: "the execution",
  grants: "the grant",
  agents: "the agent",
  people: "the person",
  pauses: "the pause",
  promotions: "the promotion",
  declarations: "the declaration",
  policies: "the policy",
  notices: "the notice",
  tokens: "the token",
  signins: "the sign-in",
  buckets: "the bucket",
  tracks: "the track record of",
};
