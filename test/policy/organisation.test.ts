import { expect, test } from "vitest";
import { parsePolicyText } from "../../src/config/policy/policy-text.ts";
import type { ToolCall } from "../../src/core/call.ts";
import { classify } from "../../src/core/classify/classify.ts";
import { declaredTools } from "../../src/core/classify/known-tool.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import { decide } from "../../src/core/decide/decide.ts";
import { namedLayers } from "../../src/core/decide/layers.ts";
import { bareStanding } from "../../src/core/decide/standing.ts";
import type { Decision } from "../../src/core/decision.ts";
import type { EffectClass } from "../../src/core/effect.ts";
import type { Policy } from "../../src/core/policy.ts";
import type { Declaration } from "../../src/core/standing/declaration.ts";
import type { Grant } from "../../src/core/standing/grant.ts";

// An organisation's policy by class, on a machine whose people say that an unknown tool is harmless.

function policy(text: string, path: string): Policy {
  const loaded = parsePolicyText(`version: 1\n${text}\n`, path);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  return loaded.policy;
}

function personSays(kind: EffectClass): Declaration {
  return {
    id: "dec_1",
    workspace: "default",
    about: { of: "tool", tool: "refund" },
    class: kind,
    because: "ana knows it",
    declaredBy: "ana",
    createdMs: 0,
    state: "live",
  };
}

type World = { organisation: string; own?: string; people?: readonly Declaration[]; grants?: readonly Grant[] };

const CALL: ToolCall = {
  workspace: "default",
  agent: "coder",
  tool: "refund",
  args: { amount: 900 },
  callId: "c1",
  traceId: "t1",
  chain: [],
  claims: {},
};

function decided({ organisation, own = "tier: auto", people = [], grants = [] }: World): Decision {
  const managed = { ok: true as const, policy: policy(organisation, "/etc/leeway/leeway.yaml") };
  const { layers, version } = namedLayers(policy(own, "/project/leeway.yaml"), managed);
  const declared = declaredTools(
    layers.map((layer) => layer.policy),
    people,
  );
  const effect = classify(readCall(CALL), { declared, project: "/project" });
  const standing = { ...bareStanding(layers, version), grants: grants.map((grant) => ({ grant, usesLeft: 1 })) };
  return decide(CALL, effect, standing, 0);
}

const tier = (world: World) => decided(world).tier;

const MILD = "tier: auto\ntools: { refund: { class: fs.read } }";
const RULE = (row: string, match = "{ class: unknown }") =>
  `rules: [{ name: r, match: ${match}, tier: ${row}, because: b }]`;

test("without an organisation a declaration in a policy, or by a person, explains the tool", () => {
  const none = "reviewers: []";
  expect(tier({ organisation: none })).toBe("ask");
  expect(tier({ organisation: none, own: MILD })).toBe("auto");
  expect(tier({ organisation: none, people: [personSays("fs.read")] })).toBe("auto");
});

test.each([
  ["a row for unknown tools that asks", "tiers: { unknown: ask }", "ask"],
  ["a row for unknown tools that denies", "tiers: { unknown: deny }", "deny"],
  ["a row for unknown tools that proposes", "tiers: { unknown: suggest }", "suggest"],
  ["a rule for unknown tools", RULE("deny"), "deny"],
  ["a rule for what is not understood", RULE("ask", "{ understood: [not] }"), "ask"],
  ["a preset", "preset: standard", "ask"],
  ["a tier for everything else", "tier: ask\ntiers: { fs.read: auto }", "ask"],
])("%s holds, whatever the machine's people declare", (_, organisation, expected) => {
  expect(tier({ organisation, own: MILD })).toBe(expected);
  expect(tier({ organisation, people: [personSays("fs.read")] })).toBe(expected);
  expect(tier({ organisation, own: MILD, people: [personSays("none")] })).toBe(expected);
});

test("the decision names the organisation's row as its reason", () => {
  const { causes } = decided({ organisation: "tiers: { unknown: deny }", own: MILD });
  expect(causes).toEqual([
    expect.objectContaining({
      by: "baseline",
      layer: "/etc/leeway/leeway.yaml",
      row: { of: "class", name: "unknown" },
    }),
  ]);
});

test("needs-human marks and limits of the organisation count unknown tools that others have declared", () => {
  const human = "human: { classes: [unknown] }";
  expect(decided({ organisation: human, own: MILD }).needsHuman).toBe(true);
  const limits = "limits: [{ name: few, match: { class: unknown }, max: 1, per: 1h, by: agent, then: deny }]";
  expect(decided({ organisation: limits, own: MILD }).limits.map(({ name }) => name)).toEqual(["few"]);
});

test("a graver class that others declare counts too", () => {
  const organisation = "tiers: { payments.move: deny, unknown: ask }";
  expect(tier({ organisation, own: "tier: auto\ntools: { refund: { class: payments.move } }" })).toBe("deny");
  expect(tier({ organisation, people: [personSays("payments.move")] })).toBe("deny");
});

test("what the organisation itself declares explains the tool for its policy", () => {
  const organisation = "tiers: { unknown: deny }\ntools: { refund: { class: fs.read } }";
  expect(tier({ organisation })).toBe("auto");
  expect(tier({ organisation, own: MILD })).toBe("auto");
});

test("a rule of the organisation that allows unknown tools makes nothing looser", () => {
  expect(tier({ organisation: RULE("auto"), own: "tier: ask\ntools: { refund: { class: fs.read } }" })).toBe("ask");
  expect(tier({ organisation: "tiers: { unknown: auto }", own: "tier: ask" })).toBe("ask");
});

test("the question of the organisation can be granted like any other, unless its rule is firm", () => {
  const grant: Grant = {
    id: "grt_1",
    workspace: "default",
    subject: { agent: "coder" },
    covers: { class: "fs.read", level: "read", targets: [], tool: { name: "refund" } },
    tier: "auto",
    because: "b",
    grantedBy: { person: "ana" },
    createdMs: 0,
    state: "live",
  } as unknown as Grant;
  const asks = { own: MILD, grants: [grant] };
  expect(tier({ organisation: "tiers: { unknown: ask }", ...asks })).toBe("auto");
  const firm = "rules: [{ name: r, match: { class: unknown }, tier: ask, because: b, firm: true }]";
  expect(tier({ organisation: firm, ...asks })).toBe("ask");
});
