import { bodyTextOf, type EntryKind, type Link, type Subject } from "../../core/ledger.ts";
import { miscountedRow, type RowFault } from "../../core/record/row-fault.ts";
import {
  foldTrust,
  isCountedByBody,
  startTrust,
  type TrustFold,
  type TrustRecord,
  trackedBy,
  trustKey,
} from "../../core/trust/trust.ts";
import { canonical } from "../../core/values/canonical.ts";
import type { Json } from "../../core/values/json.ts";
import type { Deps } from "../deps.ts";

// The stored track records: each must equal the count of the entries.

/** The count of the entries. `unproved`: records that depend on an entry whose content was erased. */
export type TracksFold = { trust: TrustFold; unproved: Set<string> };

export function startTracks(): TracksFold {
  return { trust: startTrust(), unproved: new Set() };
}

/** Adds the next entry. The chain itself is verified elsewhere. */
export function foldTrackLink({ trust, unproved }: TracksFold, { body, subject, ...link }: Link): void {
  const kind = link.kind as EntryKind;
  const told = parsed(subject);
  const of = told && trackedBy({ kind, subject: told });
  if (of === undefined || told === undefined) return;
  const isRead = isCountedByBody(kind);
  if (isRead && body === undefined) unproved.add(trustKey(of));
  const json = isRead && body !== undefined ? JSON.parse(bodyTextOf(body)) : undefined;
  foldTrust(trust, { ...link, subject: told, ...(json === undefined ? {} : { body: { salt: "", json } }) });
}

/** A forged entry with valid hashes may contain anything. */
function parsed(text: string): Subject | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function miscountedTracks(
  { store, workspace }: Pick<Deps, "store" | "workspace">,
  { trust, unproved }: TracksFold,
): Promise<readonly RowFault[]> {
  const kept = new Map((await store.read({ ask: "trust", workspace })).map((one) => [trustKey(one), one]));
  const keys = new Set([...kept.keys(), ...trust.records.keys()]);
  return [...keys].flatMap((key) => {
    if (unproved.has(key) || textOf(kept.get(key)) === textOf(trust.records.get(key))) return [];
    const { agent, class: of, tool } = kept.get(key) ?? trust.records.get(key) ?? UNKNOWN;
    return [miscountedRow(`${agent} for ${of} by ${tool}`)];
  });
}

const UNKNOWN = { agent: "", class: "", tool: "" };

function textOf(record: TrustRecord | undefined): string {
  return record === undefined ? "" : canonical(record as unknown as Json);
}
