import { sha256 } from "../values/hash.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";

// OpenTrustGraph v0: a portable chain of trust records. Our words are mapped to its words in trust-records.ts.

export const RECORD_SCHEMAS: readonly string[] = ["opentrustgraph/v0", "opentrustgraph/v0.1"];
export const CHAIN_SCHEMA = "opentrustgraph-chain/v0";
export const OUTCOMES = ["success", "failure", "denied", "timeout"] as const;
export const AUTONOMY_TIERS = ["shadow", "suggest", "act_with_approval", "act_auto"] as const;

export type GraphRecord = {
  schema: string;
  record_id: string;
  agent: string;
  action: string;
  approver: string | null;
  outcome: (typeof OUTCOMES)[number];
  trace_id: string;
  autonomy_tier: (typeof AUTONOMY_TIERS)[number];
  timestamp: string;
  cost_usd: number | null;
  chain_index: number;
  previous_hash: string | null;
  entry_hash: string;
  metadata: JsonObject;
};

export type GraphChain = {
  schema: typeof CHAIN_SCHEMA;
  chain: {
    topic: string;
    total: number;
    root_hash: string | null;
    verified: boolean;
    generated_at: string;
    producer: { name: string; version: string };
  };
  records: readonly GraphRecord[];
};

export type NewRecord = Omit<GraphRecord, "schema" | "chain_index" | "previous_hash" | "entry_hash">;

/** Puts a record at the end of a chain. */
export function appendRecord(records: readonly GraphRecord[], record: NewRecord): GraphRecord {
  const last = records.at(-1);
  const placed = {
    schema: "opentrustgraph/v0",
    ...record,
    chain_index: (last?.chain_index ?? 0) + 1,
    previous_hash: last?.entry_hash ?? null,
  };
  return { ...placed, entry_hash: recordHashOf(placed) };
}

export function chainOf(
  records: readonly GraphRecord[],
  made: { topic: string; generatedMs: number; producer: { name: string; version: string } },
): GraphChain {
  return {
    schema: CHAIN_SCHEMA,
    chain: {
      topic: made.topic,
      total: records.length,
      root_hash: records.at(-1)?.entry_hash ?? null,
      verified: true,
      generated_at: new Date(made.generatedMs).toISOString(),
      producer: made.producer,
    },
    records,
  };
}

/** The hash over the JSON without `entry_hash`: keys sorted at every level, no spaces, text not escaped. */
export function recordHashOf(record: { readonly [key: string]: unknown }): string {
  const { entry_hash: _, ...rest } = record;
  return sha256(sortedJson(rest as JsonObject));
}

/** A number as it was written: `1.0` and `1` are equal numbers but different texts, and the hash is over the text. */
const VERBATIM = "\u0000number:";

export function sortedJson(value: Json): string {
  if (typeof value === "string") {
    return value.startsWith(VERBATIM) ? value.slice(VERBATIM.length) : JSON.stringify(value);
  }
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  const members = value as JsonObject;
  const keys = Object.keys(members).filter((key) => members[key] !== undefined);
  return `{${keys
    .sort(byCodePoint)
    .map((key) => `${JSON.stringify(key)}:${sortedJson(members[key] as Json)}`)
    .join(",")}}`;
}

/** The order of code points, as in UTF-8; the order of UTF-16 differs beyond the basic plane. */
function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x = 0, y = 0] = [left[i]?.codePointAt(0), right[i]?.codePointAt(0)];
    if (x !== y) return x - y;
  }
  return left.length - right.length;
}

/** Parses a chain, or a bare list of records, with every number kept as it was written. */
export function parseChain(text: string): { values: Json; verbatim: Json } | undefined {
  const kept = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : JSON.stringify(VERBATIM + token),
  );
  try {
    return { values: JSON.parse(text), verbatim: JSON.parse(kept) };
  } catch {
    // Not ignored: the caller reports a missing value as text that is not JSON.
    return undefined;
  }
}

/** The records of a chain, whichever of the two forms it has. */
export function recordsIn(chain: Json): readonly Json[] | undefined {
  if (Array.isArray(chain)) return chain;
  return isObject(chain) && Array.isArray(chain["records"]) ? chain["records"] : undefined;
}
