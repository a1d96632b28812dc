import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import type { Effect } from "../effect.ts";
import { emptyPolicy, type LimitRule, type Policy } from "../policy.ts";
import { sha256 } from "../values/hash.ts";
import { decimalMicros, limitUses } from "./caps.ts";
import { compilePolicy } from "./compile.ts";
import { decide } from "./decide.ts";

const HOUR_MS = 3_600_000;

const NOW_MS = 10 * HOUR_MS + 1;

const at = { file: "leeway.yaml", line: 9, column: 5 };

const effect: Effect = {
  parts: [
    { class: "db.write", capability: "db.write", level: "write", targets: [], reversible: true, reach: "project" },
  ],
  understood: "fully",
  notes: [],
};

function call(over: Partial<ToolCall> = {}): ToolCall {
  const args = { amount: 12.5 };
  return {
    workspace: "default",
    agent: "shop",
    tool: "refund",
    args,
    callId: "c",
    traceId: "t",
    chain: [],
    claims: {},
    ...over,
  };
}

function policy(limit: Partial<LimitRule>): Policy {
  const writes: LimitRule = {
    name: "spend",
    match: { tool: ["refund"] },
    max: 100,
    perMs: HOUR_MS,
    by: "agent",
    // biome-ignore lint/suspicious/noThenProperty: the word of the policy file; a limit is never awaited
    then: "deny",
    at,
  };
  const tier = { tier: "auto" as const, at };
  return { ...emptyPolicy("leeway.yaml", sha256("x")), tier, limits: [{ ...writes, ...limit }] };
}

function uses(limit: Partial<LimitRule>, of: ToolCall = call(), nowMs = NOW_MS) {
  return limitUses(of, effect, [compilePolicy(policy(limit))], nowMs);
}

test("a decimal is counted exactly, and anything else is not an amount", () => {
  expect(["0", "0.1", "12.50", "0.0000001", "9007199254.740991"].map(decimalMicros)).toEqual([
    0, 100_000, 12_500_000, 1, 9_007_199_254_740_991,
  ]);
  expect(["-1", "1e3", "", "NaN", " 1", "1.", ".5", "9007199254.740992"].map(decimalMicros)).toEqual(
    Array(8).fill(undefined),
  );
});

test("a limit looks back over its whole window, and at most one bucket further", () => {
  const BUCKET_MS = HOUR_MS / 12;
  const [use] = uses({ sum: "/amount" });
  expect(use).toMatchObject({
    name: "spend",
    addMicros: 12_500_000,
    maxMicros: 100_000_000,
    untilMs: 11 * HOUR_MS + BUCKET_MS,
    reached: false,
  });
  expect([use?.counters.length, new Set(use?.counters).size]).toEqual([13, 13]);
  const countsAfter = (fromMs: number, laterMs: number) => {
    const [first] = uses({ sum: "/amount" }, call(), fromMs);
    const [later] = uses({ sum: "/amount" }, call(), fromMs + laterMs);
    return later?.counters.includes(first?.current ?? "none");
  };
  const lastOfBucket = 10 * HOUR_MS + BUCKET_MS - 1;
  for (const fromMs of [10 * HOUR_MS, NOW_MS, lastOfBucket]) {
    expect([countsAfter(fromMs, HOUR_MS - 1), countsAfter(fromMs, HOUR_MS + BUCKET_MS)]).toEqual([true, false]);
  }
});

test("an invalid amount counts as more than the limit", () => {
  for (const amount of [-1, "a lot", null, [], 1e21]) {
    const [use] = uses({ sum: "/amount" }, call({ args: { amount } }));
    expect(use?.addMicros).toBe(100_000_001);
  }
});

test("a call of a sub-agent counts for the limits of every agent above it, each once", () => {
  const named = (limit: Partial<LimitRule>) => uses(limit, call({ chain: ["boss", "boss", "shop"] })).length;
  expect([named({ by: "agent" }), named({ by: "workspace" }), named({ match: { agent: ["boss"] } })]).toEqual([
    2, 1, 1,
  ]);
});

test("a limit is reached when the call no longer fits, and the cause says how much is used", () => {
  const standing = {
    layers: [compilePolicy(policy({ sum: "/amount" }))],
    scopes: [],
    policyVersion: sha256("x"),
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [],
    canAsk: true,
    quarantined: false,
  };
  const full = decide(call(), effect, { ...standing, used: () => 90_000_000 }, NOW_MS);
  const fits = decide(call(), effect, { ...standing, used: () => 87_500_000 }, NOW_MS);
  expect([full.tier, full.code, fits.tier, fits.limits[0]?.reached]).toEqual(["deny", "LEEWAY_LIMIT", "auto", false]);
  expect(full.causes).toEqual([{ by: "limit", name: "spend", tier: "deny", used: 90, max: 100, at }]);
});
