import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCall, anyEffect, compiledLayers, NOW_MS, quietStanding } from "../../../test/model/calls.ts";
import { anyPolicy } from "../../../test/model/policies.ts";
import { type Random, random } from "../../../test/model/random.ts";
import type { Decision } from "../decision.ts";
import type { Effect } from "../effect.ts";
import { NO_MARKS, type Policy } from "../policy.ts";
import type { Grant } from "../standing/grant.ts";
import { TIERS } from "../tier.ts";
import { sha256 } from "../values/hash.ts";
import { decide, decideInFull, ordinaryDecision } from "./decide.ts";
import type { Standing } from "./standing.ts";

const CALLS_EACH = 20;

const numRuns = process.env.LEEWAY_PROVE === undefined ? 300 : 20_000;

/** Policies under which many calls take the short path, and some calls almost do. */
function plainerPolicy(r: Random): Policy {
  const policy = anyPolicy(r, "leeway.yaml");
  return {
    ...policy,
    ...(r.chance(0.8) ? { limits: [], human: NO_MARKS } : {}),
    ...(r.chance(0.8) ? { agents: policy.agents.map((agent) => ({ ...agent, reviewers: [] })) } : {}),
    ...r.maybe(0.05, "beside", () => true as const),
  };
}

/** One thing that prevents the short path, or none. */
function disturbed(r: Random, standing: Standing): Standing {
  const noise: readonly Partial<Standing>[] = [
    { pausesFresh: false },
    { noPolicy: "nothing loads" },
    { quarantined: true },
    { canAsk: false },
    { permit: { executionId: "exe_1", approvedInBulk: false } },
    { callback: { name: "program", answer: "ask" } },
    { layers: [...standing.layers, ...standing.layers] },
    { scopes: standing.layers },
    { policyVersion: sha256("another") },
  ];
  return r.chance(0.8) ? standing : { ...standing, ...r.pick(noise) };
}

/** How many causes, and how many considered ones. */
function shapeOf({ causes, considered }: Decision): string {
  const many = (list: readonly unknown[]) => (list.length > 1 ? "many" : list.length);
  return `${many(causes)} over ${many(considered)}`;
}

test("the fast path and the full path give the same decision, byte for byte", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const r = random(seed);
      const layers = compiledLayers({ files: [plainerPolicy(r)], scopes: [] });
      for (let i = 0; i < CALLS_EACH; i++) {
        const call = anyCall(r);
        const effect = anyEffect(r, call);
        const standing = disturbed(r, quietStanding(layers));
        const long = decideInFull(call, effect, standing, NOW_MS);
        expect(JSON.stringify(decide(call, effect, standing, NOW_MS))).toBe(JSON.stringify(long));
        const short = ordinaryDecision(call, effect, standing, NOW_MS);
        for (const kind of short === undefined ? ["not ordinary"] : [short.tier, shapeOf(short)]) seen.add(kind);
      }
    }),
    { numRuns },
  );
  // Random cases prove nothing about cases that they never reach.
  const shapes = ["1 over 0", "1 over 1", "1 over many", "many over 0", "many over 1"];
  expect([...seen]).toEqual(expect.arrayContaining([...TIERS, ...shapes, "not ordinary"]));
}, 600_000);

test("a decision that depends only on one row is computed once and is frozen", () => {
  const row = { tier: "notify", at: { file: "leeway.yaml", line: 1, column: 1 } } as const;
  const policy: Policy = { ...anyPolicy(random(1), "leeway.yaml"), ...NOTHING_ELSE, tier: row };
  const standing = quietStanding(compiledLayers({ files: [policy], scopes: [] }));
  const call = { ...anyCall(random(2)), chain: [] };
  const part = { class: "fs.read", capability: "fs", level: "read", targets: [], reversible: true } as const;
  const effect = { parts: [{ ...part, reach: "project" }], understood: "fully", notes: [] } as const;
  const first = decide(call, effect, standing, NOW_MS);
  expect(decide({ ...call, callId: "another" }, effect, standing, NOW_MS)).toBe(first);
  for (const shared of [first, first.causes, first.considered, first.limits, first.asking]) {
    expect(Object.isFrozen(shared)).toBe(true);
  }
  const later = decide(call, effect, { ...standing, policyVersion: sha256("another") }, NOW_MS);
  expect(later).toEqual({ ...first, policyVersion: sha256("another") });
});

const NOTHING_ELSE = { rules: [], agents: [], tiers: [], limits: [], human: NO_MARKS } as const;

test("a program's yes to an unknown tool uses up the person's grant that explains the tool, and names both", () => {
  const row = { tier: "notify", at: { file: "leeway.yaml", line: 1, column: 1 } } as const;
  const policy: Policy = { ...anyPolicy(random(1), "leeway.yaml"), ...NOTHING_ELSE, tier: row };
  const call = { ...anyCall(random(1)), agent: "coder", tool: "brew_tea", chain: [] };
  const effect: Effect = {
    parts: [{ ...anyEffect(random(1), call).parts[0], ...UNKNOWN }],
    understood: "not",
    notes: [],
  };
  const standing: Standing = {
    ...quietStanding(compiledLayers({ files: [policy], scopes: [] })),
    grants: [{ grant: TEA, usesLeft: 2 }],
    callback: { name: "program", answer: "allow" },
  };
  const { tier, outcome, grant, causes } = decide(call, effect, standing, NOW_MS);
  expect({ tier, outcome, grant, by: causes.map(({ by }) => by) }).toEqual({
    tier: "auto",
    outcome: "run",
    grant: TEA.id,
    by: ["callback", "grant"],
  });
});

const UNKNOWN = { class: "unknown", targets: [] } as const;

const TEA: Grant = {
  id: "grt_tea",
  workspace: "default",
  subject: {},
  covers: { tool: { name: "brew_tea" }, targets: [], level: "admin" },
  tier: "notify",
  grantedBy: { person: "ana" },
  because: "harmless",
  createdMs: NOW_MS - 1,
  state: "live",
};
