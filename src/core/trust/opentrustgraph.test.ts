import { expect, test } from "vitest";
import { appendRecord, chainOf, type GraphRecord, type NewRecord, recordHashOf, sortedJson } from "./opentrustgraph.ts";
import { importChain } from "./trust-import.ts";

/** The two records of the format's public decision chain. */
const FIRST: NewRecord = {
  record_id: "01966f4c-0f31-7b5d-b44b-f7f8e7e1d384",
  agent: "github-triage-bot",
  action: "github.issue.opened",
  approver: null,
  outcome: "success",
  trace_id: "trace_valid_01",
  autonomy_tier: "suggest",
  timestamp: "2026-04-19T18:42:11Z",
  cost_usd: null,
  metadata: { provider: "github" },
};
const SECOND: NewRecord = {
  record_id: "01966f4c-0f32-7d37-b443-d72dd96f0f4f",
  agent: "github-triage-bot",
  action: "trust.promote",
  approver: "maintainer-1",
  outcome: "success",
  trace_id: "trace_valid_02",
  autonomy_tier: "act_auto",
  timestamp: "2026-04-19T18:43:02Z",
  cost_usd: null,
  metadata: { control: true, from_tier: "suggest", to_tier: "act_auto" },
};
const VECTORS = [
  "sha256:84facae7d56fd304e040ea18d80bd019e274ad86ddd5a4d732f3ac3d984c48ec",
  "sha256:6bb2b155ba07c67443c881f2d9dd954083bb44542df81520db1490fcbfdd5bf9",
];

function chained(...records: readonly NewRecord[]): GraphRecord[] {
  const chain: GraphRecord[] = [];
  for (const record of records) chain.push(appendRecord(chain, record));
  return chain;
}

const made = {
  topic: "trust_graph",
  generatedMs: Date.UTC(2026, 3, 19),
  producer: { name: "leeway", version: "0.1.0" },
};
const textOf = (records: readonly GraphRecord[]) => JSON.stringify(chainOf(records, made));

test("appending the published records gives both published hashes", () => {
  expect(chained(FIRST, SECOND).map((record) => record.entry_hash)).toEqual(VECTORS);
});

test("an export contains its records, its root and its producer", () => {
  const records = chained(FIRST, SECOND);
  expect(chainOf(records, made)).toEqual({
    schema: "opentrustgraph-chain/v0",
    chain: {
      topic: "trust_graph",
      total: 2,
      root_hash: VECTORS[1],
      verified: true,
      generated_at: "2026-04-19T00:00:00.000Z",
      producer: { name: "leeway", version: "0.1.0" },
    },
    records,
  });
});

test("a chain is imported as an envelope or as a list, also if it is empty", () => {
  const records = chained(FIRST, SECOND);
  for (const text of [textOf(records), JSON.stringify(records)]) {
    expect(importChain(text)).toMatchObject({
      ok: true,
      rootHash: VECTORS[1],
      records: [{ tier: "suggest" }, { tier: "auto" }],
    });
  }
  expect(importChain(textOf([]))).toEqual({ ok: true, records: [], rootHash: null });
});

test("numbers are hashed in the form in which they were written", () => {
  expect(sortedJson({ cost_usd: 1, b: [1000, -0.5], a: "1.0" })).toBe('{"a":"1.0","b":[1000,-0.5],"cost_usd":1}');
  const [record] = chained({ ...FIRST, cost_usd: 0.25 });
  expect(importChain(JSON.stringify([record]))).toMatchObject({ ok: true, records: [{ cost_usd: 0.25 }] });
  // Another producer writes the same number with a point; its hash is over that text.
  const { entry_hash: _, ...rest } = { ...record, cost_usd: 1 };
  const hash = recordHashOf({ ...rest, cost_usd: "\u0000number:1.0" });
  const written = JSON.stringify([{ ...rest, entry_hash: hash }]).replace('"cost_usd":1,', '"cost_usd":1.0,');
  expect(importChain(written)).toMatchObject({ ok: true, records: [{ cost_usd: 1 }] });
});

test("keys are sorted by code point, and text is not escaped", () => {
  expect(sortedJson({ "\u{10000}": 1, "\uffff": 2, é: "ü\n", a: { z: 1, b: [] } })).toBe(
    '{"a":{"b":[],"z":1},"é":"ü\\n","\uffff":2,"\u{10000}":1}',
  );
});

test("the first fault is reported with its position", () => {
  const [first, second] = chained(FIRST, SECOND);
  if (first === undefined || second === undefined) throw new Error("the chain is too short");
  const rehashed = (record: GraphRecord, over: Partial<GraphRecord>) => {
    const changed = { ...record, ...over };
    return { ...changed, entry_hash: recordHashOf(changed) };
  };
  const faultOf = (...records: unknown[]) => {
    const done = importChain(JSON.stringify(records));
    return done.ok ? "ok" : [done.at, done.why.split(":")[0]];
  };
  expect(faultOf(first, { ...second, agent: "mallory" })).toEqual([2, "entry_hash mismatch"]);
  expect(faultOf(rehashed(first, { agent: "mallory" }), second)).toEqual([2, "previous_hash mismatch"]);
  expect(faultOf(second)).toEqual([1, "chain_index mismatch"]);
  expect(faultOf({ ...first, entry_hash: second.entry_hash }, second)).toEqual([1, "entry_hash mismatch"]);
  expect(faultOf({ ...first, outcome: "fine" })).toEqual([1, "the outcome `fine` is not known"]);
  expect(faultOf({ ...first, autonomy_tier: "god" })).toEqual([1, "the tier `god` is not known"]);
  expect(faultOf({ ...first, schema: "opentrustgraph/v9" })).toEqual([
    1,
    "the schema `opentrustgraph/v9` is not known",
  ]);
  expect(faultOf({ ...first, trace_id: "" })).toEqual([1, "`trace_id` is missing"]);
  expect(faultOf(17)).toEqual([1, "the record is not an object"]);
});

test("an envelope that does not match its records is a fault at position 0", () => {
  const chain = chainOf(chained(FIRST, SECOND), made);
  const whyOf = (envelope: unknown) => {
    const done = importChain(JSON.stringify(envelope));
    return done.ok ? "ok" : [done.at, done.why.split(":")[0]];
  };
  expect(whyOf({ ...chain, chain: { ...chain.chain, total: 3 } })).toEqual([0, "total mismatch"]);
  expect(whyOf({ ...chain, chain: { ...chain.chain, root_hash: null } })).toEqual([0, "root_hash mismatch"]);
  expect(whyOf({ ...chain, schema: "other" })).toEqual([0, "the envelope is not of a chain we know"]);
  expect(importChain("{")).toEqual({ ok: false, at: 0, why: "this is not an OpenTrustGraph chain" });
});

test("a proposal is exported as denied with a label, and imported as a proposal again", () => {
  const metadata = { leeway_outcome: "proposed", leeway_tier: "deny", "autonomy.enforcement": "shadow_noop" };
  const records = chained({ ...FIRST, outcome: "denied", autonomy_tier: "shadow", metadata });
  expect(importChain(textOf(records))).toMatchObject({ ok: true, records: [{ outcome: "proposed", tier: "deny" }] });
});
