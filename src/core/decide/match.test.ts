import { expect, test } from "vitest";
import type { ToolCall } from "../call.ts";
import { classify } from "../classify/classify.ts";
import { declaredTools } from "../classify/known-tool.ts";
import { readCall } from "../classify/reading.ts";
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
  return decide(call, effect, standingOf(policy), 1_000).tier;
}

function standingOf(policy: Policy) {
  return {
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
}

const NO_NUMBERS: readonly Json[] = ["600", "6e2", "1", [600], { of: 600 }, null, true, ""];
const LARGE: ArgTest = { is: "range", min: 500 };
const SMALL: ArgTest = { is: "range", max: 500 };

test("a range that forbids cannot be avoided with a value that is not a number", () => {
  const denied = NO_NUMBERS.map((value) => tierOf(value, { test: LARGE, tier: "deny" }, "auto"));
  expect(denied).toEqual(NO_NUMBERS.map(() => "deny"));
  expect([600, 499, undefined].map((value) => tierOf(value, { test: LARGE, tier: "deny" }, "auto"))).toEqual([
    "deny",
    "auto",
    "auto",
  ]);
});

test("a range that allows does not match a value that is not a number", () => {
  const asked = NO_NUMBERS.map((value) => tierOf(value, { test: SMALL, tier: "auto" }, "ask"));
  expect(asked).toEqual(NO_NUMBERS.map(() => "ask"));
  expect([1, 501, undefined].map((value) => tierOf(value, { test: SMALL, tier: "auto" }, "ask"))).toEqual([
    "auto",
    "ask",
    "ask",
  ]);
});

test("one match of several tests is enough, and an unknown result makes the decision stricter", () => {
  const any: ArgTest = { is: "any", of: [{ is: "value", value: "all" }, LARGE] };
  expect(["all", "600", 600, 1].map((value) => tierOf(value, { test: any, tier: "deny" }, "auto"))).toEqual([
    "deny",
    "deny",
    "deny",
    "auto",
  ]);
  expect(["all", "600"].map((value) => tierOf(value, { test: any, tier: "auto" }, "ask"))).toEqual(["auto", "ask"]);
});

const EXACT: ArgTest = { is: "value", value: 600 };
const OTHER_KINDS: readonly Json[] = ["600", "600.0", " 6e2", "0x258", "600 EUR", [600], { of: 600 }];

test("a forbidden value is also denied when it is written as another type", () => {
  const denied = OTHER_KINDS.map((value) => tierOf(value, { test: EXACT, tier: "deny" }, "auto"));
  expect(denied).toEqual(OTHER_KINDS.map(() => "deny"));
  expect([600, 6e2, 601, true, null, undefined].map((v) => tierOf(v, { test: EXACT, tier: "deny" }, "auto"))).toEqual([
    "deny",
    "deny",
    "auto",
    "auto",
    "auto",
    "auto",
  ]);
});

test("an allowed value does not match when it is written as another type", () => {
  const asked = OTHER_KINDS.map((value) => tierOf(value, { test: EXACT, tier: "auto" }, "ask"));
  expect(asked).toEqual(OTHER_KINDS.map(() => "ask"));
  expect(tierOf(600, { test: EXACT, tier: "auto" }, "ask")).toBe("auto");
});

test("booleans, texts and patterns treat other types in the same way", () => {
  const denied = (test: ArgTest, values: readonly Json[]) =>
    values.filter((value) => tierOf(value, { test, tier: "deny" }, "auto") === "deny");
  expect(denied({ is: "value", value: true }, [true, false, 1, 0, "true", "yes", [true], null])).toEqual([
    true,
    1,
    "true",
    "yes",
    [true],
  ]);
  expect(denied({ is: "value", value: "600" }, ["600", "601", 600, 601, true, ["600"], null])).toEqual([
    "600",
    600,
    ["600"],
  ]);
  expect(denied({ is: "value", value: "True" }, ["True", true, false, 1])).toEqual(["True", true]);
  expect(denied({ is: "value", value: null }, [null, "", "null", 0, []])).toEqual([null]);
  expect(denied({ is: "glob", glob: "6*" }, ["6", "7", 600, 700, ["600"], null])).toEqual(["6", 600, ["600"]]);
});

test("a rule for all commands matches a command without a program, but not a tool without a command", () => {
  const every = ruleFor({ command: ["*"] });
  const bash = ["> f", "A=1", "[[ -f x ]]", "case x in esac", "(( x = 1 ))", "", "# c", "for i in a; do > f; done"];
  expect(bash.map((command) => every("Bash", { command }))).toEqual(bash.map(() => "deny"));
  expect([every("Bash", {}), every("local_shell", { command: [] })]).toEqual(["deny", "deny"]);
  expect([every("Write", { file_path: "f", content: "" }), every("web_search", { query: "x" })]).toEqual([
    "auto",
    "auto",
  ]);
  const some = ruleFor({ command: ["git *"] });
  expect([some("Bash", { command: "> f" }), some("Bash", { command: "git status > f" })]).toEqual(["auto", "deny"]);
});

/** The decision if one rule denies what it matches, and everything else runs. */
function ruleFor(match: Policy["rules"][number]["match"]) {
  const rule = {
    name: "one",
    match,
    tier: "deny" as const,
    because: "it is told so",
    examples: { match: [], miss: [] },
    reviewers: [],
    human: false,
    firm: false,
    at,
  };
  const policy: Policy = { ...emptyPolicy("leeway.yaml", sha256("x")), tier: { tier: "auto", at }, rules: [rule] };
  return (tool: string, args: ToolCall["args"]): Tier => {
    const call = {
      workspace: "default",
      agent: "a",
      tool,
      args,
      callId: "c",
      traceId: "t",
      chain: [],
      claims: {},
      cwd: "/p",
    };
    const found = classify(readCall(call), {
      declared: declaredTools([policy]),
      project: "/p",
      facts: { real: { "/p/f": "/p/f" }, foldsCase: false },
    });
    return decide(call, found, standingOf(policy), 0).tier;
  };
}
