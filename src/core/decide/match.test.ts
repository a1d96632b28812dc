import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import type { Effect } from "../effect.ts";
import { type ArgTest, emptyPolicy, type Policy } from "../policy.ts";
import type { Tier } from "../tier.ts";
import { sha256 } from "../values/hash.ts";
import type { Json } from "../values/json.ts";
import { compilePolicy } from "./compile.ts";
import { decide } from "./decide.ts";

const at = { file: "leeway.yaml", line: 3, column: 5 };
const effect: Effect = {
  parts: [
    { class: "db.write", capability: "db.write", level: "write", targets: [], reversible: true, reach: "project" },
  ],
  understood: "fully",
  notes: [],
};

function tierOf(value: Json | undefined, rule: { test: ArgTest; tier: Tier }, otherwise: Tier): Tier {
  const args = value === undefined ? {} : { amount: value };
  const call: ToolCall = {
    workspace: "default",
    agent: "shop",
    tool: "refund",
    args,
    callId: "c",
    traceId: "t",
    chain: [],
    claims: {},
  };
  const policy: Policy = {
    ...emptyPolicy("leeway.yaml", sha256("x")),
    tier: { tier: otherwise, at },
    rules: [
      {
        name: "large",
        match: { tool: ["refund"], args: [{ pointer: "/amount", test: rule.test }] },
        tier: rule.tier,
        because: "it is much",
        examples: { match: [], miss: [] },
        reviewers: [],
        human: false,
        firm: false,
        at,
      },
    ],
  };
  const standing = {
    layers: [compilePolicy(policy)],
    scopes: [],
    policyVersion: sha256("x"),
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [],
    canAsk: true,
    quarantined: false,
    used: () => 0,
  };
  return decide(call, effect, standing, 1_000).tier;
}

const NO_NUMBERS: readonly Json[] = ["600", "6e2", "1", [600], { of: 600 }, null, true, ""];
const LARGE: ArgTest = { is: "range", min: 500 };
const SMALL: ArgTest = { is: "range", max: 500 };

test("a range that forbids cannot be dodged by what is not a number", () => {
  const denied = NO_NUMBERS.map((value) => tierOf(value, { test: LARGE, tier: "deny" }, "auto"));
  expect(denied).toEqual(NO_NUMBERS.map(() => "deny"));
  expect([600, 499, undefined].map((value) => tierOf(value, { test: LARGE, tier: "deny" }, "auto"))).toEqual([
    "deny",
    "auto",
    "auto",
  ]);
});

test("a range that allows is not met by what is not a number", () => {
  const asked = NO_NUMBERS.map((value) => tierOf(value, { test: SMALL, tier: "auto" }, "ask"));
  expect(asked).toEqual(NO_NUMBERS.map(() => "ask"));
  expect([1, 501, undefined].map((value) => tierOf(value, { test: SMALL, tier: "auto" }, "ask"))).toEqual([
    "auto",
    "ask",
    "ask",
  ]);
});

test("of several tests one that holds is enough, and one that nobody can answer tightens", () => {
  const any: ArgTest = { is: "any", of: [{ is: "value", value: "all" }, LARGE] };
  expect(["all", "600", 600, 1].map((value) => tierOf(value, { test: any, tier: "deny" }, "auto"))).toEqual([
    "deny",
    "deny",
    "deny",
    "auto",
  ]);
  expect(["all", "600"].map((value) => tierOf(value, { test: any, tier: "auto" }, "ask"))).toEqual(["auto", "ask"]);
});
