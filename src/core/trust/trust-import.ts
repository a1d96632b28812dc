import { parseTier, type Tier } from "../tier.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { lineageFault } from "./lineage.ts";
import {
  AUTONOMY_TIERS,
  CHAIN_SCHEMA,
  type GraphRecord,
  OUTCOMES,
  parseChain,
  RECORD_SCHEMAS,
  recordHashOf,
  recordsIn,
} from "./opentrustgraph.ts";

/** A record of another chain, or of one of ours, translated to our words if it has them. */
export type ImportedRecord = Omit<GraphRecord, "outcome"> & {
  outcome: GraphRecord["outcome"] | "proposed";
  tier: Tier;
};

export type ImportedTrust =
  | { ok: true; records: readonly ImportedRecord[]; rootHash: string | null }
  /** `at` is the place of the record, from 1; 0 is the envelope. */
  | { ok: false; at: number; why: string };

/** Trusts nothing: checks every hash and link, and names the first error. */
export function importChain(text: string): ImportedTrust {
  const parsed = parseChain(text);
  const records = parsed === undefined ? undefined : recordsIn(parsed.values);
  const verbatim = parsed === undefined ? undefined : recordsIn(parsed.verbatim);
  if (parsed === undefined || records === undefined || verbatim === undefined) {
    return { ok: false, at: 0, why: "this is not an OpenTrustGraph chain" };
  }
  const read: GraphRecord[] = [];
  for (const [place, value] of records.entries()) {
    const why = recordFault(value, verbatim[place], read);
    if (why !== undefined) return { ok: false, at: place + 1, why };
    read.push(value as unknown as GraphRecord);
  }
  const why = Array.isArray(parsed.values) ? undefined : envelopeFault(parsed.values as JsonObject, read);
  if (why !== undefined) return { ok: false, at: 0, why };
  return { ok: true, records: read.map(inOurWords), rootHash: read.at(-1)?.entry_hash ?? null };
}

const TEXTS = ["record_id", "agent", "action", "trace_id", "timestamp", "entry_hash"] as const;

function recordFault(value: Json | undefined, verbatim: Json | undefined, before: readonly GraphRecord[]) {
  if (!isObject(value) || !isObject(verbatim)) return "the record is not an object";
  const record = value as unknown as GraphRecord;
  if (!RECORD_SCHEMAS.includes(record.schema)) return `the schema \`${String(value["schema"])}\` is not known`;
  const empty = TEXTS.find((name) => typeof value[name] !== "string" || value[name] === "");
  if (empty !== undefined) return `\`${empty}\` is missing`;
  if (!OUTCOMES.includes(record.outcome)) return `the outcome \`${String(value["outcome"])}\` is not known`;
  if (!AUTONOMY_TIERS.includes(record.autonomy_tier))
    return `the tier \`${String(value["autonomy_tier"])}\` is not known`;
  if (!isObject(value["metadata"])) return "`metadata` is missing";
  const last = before.at(-1);
  if (record.chain_index !== before.length + 1) return `chain_index mismatch: ${record.chain_index} is out of order`;
  if (record.previous_hash !== (last?.entry_hash ?? null))
    return "previous_hash mismatch: it does not follow the record before";
  if (record.entry_hash !== recordHashOf(verbatim))
    return "entry_hash mismatch: the record is not the one that was hashed";
  return approvalFault(record) ?? lineageFault(record, before);
}

/** A success that required an approval must name who gave it. */
function approvalFault(record: GraphRecord): string | undefined {
  const approval = record.metadata["approval"];
  const needed = record.outcome === "success" && record.autonomy_tier === "act_with_approval";
  if (!needed || !isObject(approval) || approval["required"] !== true) return undefined;
  const signatures = Array.isArray(approval["signatures"]) ? approval["signatures"] : [];
  const named = typeof record.approver === "string" && record.approver !== "";
  const signed = signatures.some(
    (one) => isObject(one) && ["reviewer", "signed_at", "signature"].every((key) => typeof one[key] === "string"),
  );
  return named && signed ? undefined : "approval required: no approver and signature are named";
}

function envelopeFault(envelope: JsonObject, records: readonly GraphRecord[]): string | undefined {
  const { chain } = envelope;
  if (envelope["schema"] !== CHAIN_SCHEMA || !isObject(chain)) return "the envelope is not of a chain we know";
  if (chain["total"] !== records.length)
    return `total mismatch: ${String(chain["total"])} of ${records.length} records`;
  const root = records.at(-1)?.entry_hash ?? null;
  return chain["root_hash"] === root ? undefined : "root_hash mismatch: the last record is not the named one";
}

/** Proposals are exported as `denied`, the nearest word of the format; their label restores them. */
function inOurWords(record: GraphRecord): ImportedRecord {
  const { leeway_outcome: outcome, leeway_tier: tier } = record.metadata;
  const ours = parseTier(typeof tier === "string" ? tier : record.autonomy_tier);
  if (ours === undefined)
    throw new Error(`the tier ${record.autonomy_tier} was checked and is unknown (this is a bug)`);
  return { ...record, outcome: outcome === "proposed" ? "proposed" : record.outcome, tier: ours };
}
