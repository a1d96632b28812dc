import { bodyTextOf, type EntryKind, type Link } from "../ledger.ts";
import { rowHashOf, rowId, vouchedIn } from "../rows/row-hash.ts";
import type { Rows } from "../rows/rows.ts";
import type { Hash } from "../values/hash.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { changedRow, launderedRow, missingRow, type RowFault, strangeRow } from "./row-fault.ts";

// Computes, from the entries, what the rows that decisions depend on must be. The memory it needs grows with the acts
// of people, not with the number of calls.

/** Tables in which an entry made every row, also rows that are no longer in force. */
export const FOLDED_TABLES = [
  "grants",
  "people",
  "pauses",
  "promotions",
  "declarations",
  "policies",
  "tokens",
  "agents",
] as const;
type FoldedTable = (typeof FOLDED_TABLES)[number];

export type StandingFold = {
  /** By table and id; `is` is unknown if the body that recorded it was erased. */
  rows: Map<string, { table: FoldedTable; id: string; is: Hash | undefined; index: number }>;
  /** All questions ever opened; each has a row. */
  opened: number;
  faults: RowFault[];
};

export function startFolding(): StandingFold {
  return { rows: new Map(), opened: 0, faults: [] };
}

/** The table that an entry of this kind is about, and the field of its subject that names the row, if there is one. */
const ABOUT: { readonly [K in EntryKind]?: { table: FoldedTable; by?: "person" | "grant" | "agent" } } = {
  "policy.loaded": { table: "policies" },
  "policy.accepted": { table: "policies" },
  "grant.created": { table: "grants", by: "grant" },
  "grant.revoked": { table: "grants", by: "grant" },
  "grant.expired": { table: "grants", by: "grant" },
  "trust.promoted": { table: "promotions" },
  "trust.demoted": { table: "promotions" },
  "tool.declared": { table: "declarations" },
  "tool.forgotten": { table: "declarations" },
  "pause.set": { table: "pauses" },
  "pause.lifted": { table: "pauses" },
  "person.added": { table: "people", by: "person" },
  "person.changed": { table: "people", by: "person" },
  "person.joined": { table: "people", by: "person" },
  "person.removed": { table: "people", by: "person" },
  "token.added": { table: "tokens" },
  "token.used": { table: "tokens" },
  "token.revoked": { table: "tokens" },
  "agent.registered": { table: "agents", by: "agent" },
  "agent.changed": { table: "agents", by: "agent" },
};
const KINDS: ReadonlyMap<string, { table: FoldedTable; by?: "person" | "grant" | "agent" }> = new Map(
  Object.entries(ABOUT),
);

/** Without its body nobody could say which row such an entry is about, so it cannot be erased. */
export function namesRowInBody(kind: EntryKind): boolean {
  const about = ABOUT[kind];
  return about !== undefined && about.by === undefined;
}

/** Adds the next entry. The chain itself is verified elsewhere. */
export function foldLink(fold: StandingFold, link: Link): void {
  if (link.kind === "approval.opened") fold.opened += 1;
  const about = KINDS.get(link.kind);
  if (about === undefined) return;
  const { table, by } = about;
  if (link.body === undefined) {
    const id = by === undefined ? undefined : parsed(link.subject)?.[by];
    if (typeof id === "string") fold.rows.set(keyOf(table, id), { table, id, is: undefined, index: link.index });
    return;
  }
  for (const { id, is, was, ...vouched } of vouchedIn(parsed(bodyTextOf(link.body)) ?? {})) {
    if (vouched.table !== table || is === undefined) continue;
    const key = keyOf(table, id);
    const before = fold.rows.get(key);
    const known = before === undefined || before.is !== undefined;
    if (known && before?.is !== was) fold.faults.push(launderedRow(table, id, link.index));
    fold.rows.set(key, { table, id, is, index: link.index });
  }
}

/** A forged entry with correct hashes may contain anything; one without rows proves nothing. */
function parsed(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export type Compared = { faults: readonly RowFault[]; compared: number; unproved: number };

/** Compares the rows in the store with the rows that the entries made. */
export function compareRows(fold: StandingFold, rows: { readonly [T in FoldedTable]: readonly Rows[T][] }): Compared {
  const faults = [...fold.faults];
  const seen = new Set<string>();
  let unproved = 0;
  for (const [table, list] of Object.entries(rows) as [FoldedTable, readonly Rows[FoldedTable][]][]) {
    for (const row of list) {
      const id = rowId(row);
      const made = fold.rows.get(keyOf(table, id));
      seen.add(keyOf(table, id));
      if (made === undefined) faults.push(strangeRow(table, id));
      else if (made.is === undefined) unproved += 1;
      else if (made.is !== rowHashOf(table, row)) faults.push(changedRow(table, id, made.index));
    }
  }
  for (const [key, { table, id, index }] of fold.rows) if (!seen.has(key)) faults.push(missingRow(table, id, index));
  return { faults, compared: seen.size, unproved };
}

function keyOf(table: FoldedTable, id: string): string {
  return `${table}\n${id}`;
}
