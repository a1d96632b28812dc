import fc from "fast-check";
import { expect, test, vi } from "vitest";
import {
  anyCall,
  anyEffect,
  anyLayers,
  anyStanding,
  compiledLayers,
  NOW_MS,
  withExact,
} from "../../../test/model/calls.ts";
import { holds } from "../../../test/model/match.ts";
import { anyPolicy } from "../../../test/model/policies.ts";
import { type Random, random } from "../../../test/model/random.ts";
import type { ToolCall } from "../call.ts";
import type { Decision } from "../decision.ts";
import { EFFECT_CLASSES, type Effect, type Part, REACHES, type Target } from "../effect.ts";
import type { Policy, Rule, When } from "../policy.ts";
import { presetTier } from "../tables/presets.ts";
import { rankOf, TIERS } from "../tier.ts";
import { decide } from "./decide.ts";
import { exactCover } from "./grants.ts";
import type { Standing } from "./standing.ts";
import { imagined } from "./suggest/suggest.ts";

// The laws of the decision. They are about the tier before `headless` applies, so here everybody can be asked.

vi.setConfig({ testTimeout: 1_200_000 });

type World = { files: Policy[]; scopes: Policy[]; call: ToolCall; effect: Effect; standing: Standing; r: Random };

function world(seed: number): World {
  const r = random(seed);
  const layers = anyLayers(r);
  const call = anyCall(r);
  const any = { ...anyStanding(r, compiledLayers(layers)), canAsk: true };
  const effect = anyEffect(r, call);
  return { ...layers, call, effect, standing: withExact(r, any, call, effect), r };
}

function decided(w: World, over: Partial<Standing> = {}): Decision {
  return decide(w.call, w.effect, { ...w.standing, ...compiledLayers(w), ...over }, NOW_MS);
}

/** A needs-human refusal ranks with `suggest`. */
function rank(decision: Decision): number {
  return decision.code === "LEEWAY_NEEDS_HUMAN" ? rankOf("suggest") : rankOf(decision.tier);
}

function law(claim: (w: World) => void): void {
  fc.assert(
    fc.property(fc.nat(), (seed) => claim(world(seed))),
    { numRuns: process.env.LEEWAY_PROVE === undefined ? 300 : 10_000 },
  );
}

const AT = { file: "added", line: 1, column: 1 };

function ruleFor(over: Partial<Rule>): Rule {
  const examples = { match: [], miss: [] };
  return {
    name: "added",
    match: {},
    tier: "deny",
    because: "law",
    examples,
    human: false,
    firm: false,
    reviewers: [],
    at: AT,
    ...over,
  };
}

function withRule(w: World, rule: Rule): World {
  const all = [...w.files, ...w.scopes];
  const chosen = w.r.pick(all);
  const changed = all.map((policy) => (policy === chosen ? { ...policy, rules: [...policy.rules, rule] } : policy));
  return { ...w, files: changed.slice(0, w.files.length), scopes: changed.slice(w.files.length) };
}

function cases(w: World) {
  const { call, effect } = w;
  return [call.agent, ...call.chain].flatMap((actor) =>
    effect.parts.flatMap((part) =>
      (part.targets.length === 0 ? [undefined] : part.targets).map((target) => ({
        call,
        effect,
        actor,
        part,
        target,
        nowMs: NOW_MS,
      })),
    ),
  );
}

test("a matching deny rule always denies", () => {
  law((w) => {
    const match = w.r.pick([
      { tool: [w.call.tool] },
      { class: [w.effect.parts[0].class] },
      { agent: [w.call.agent] },
      { agent: ["*"] },
    ]);
    expect(decided(withRule(w, ruleFor({ match }))).tier).toBe("deny");
    const denies = [...w.files, ...w.scopes].some((policy) =>
      policy.rules.some(
        (rule) => rule.tier === "deny" && cases(w).some((one) => holds(rule.match, one, policy) === "yes"),
      ),
    );
    if (denies) expect(decided(w).tier).toBe("deny");
  });
});

test("an unknown effect runs only if a person approved the call or granted its tool", () => {
  law((w) => {
    const part: Part = { ...w.effect.parts[0], class: "unknown" };
    const decision = decided({ ...w, effect: { parts: [part], understood: "not", notes: [] } });
    if (decision.outcome !== "run" || decision.permit !== undefined) return;
    const held = w.standing.grants.find(({ grant }) => grant.id === decision.grant)?.grant;
    expect(held?.grantedBy).toEqual({ person: "ana" });
    expect(held?.covers.tool).toEqual({ name: w.call.tool });
  });
});

test("a declaration of a tool only removes the question that unknown tools get by default", () => {
  law((w) => {
    const { permit: _permit, ...standing } = { ...w.standing, grants: [] };
    const { declared: _declared, ...effect } = w.effect;
    const without: Effect = { parts: [{ ...effect.parts[0], class: "unknown" }], understood: "not", notes: [] };
    const before = decided({ ...w, standing, effect: without });
    const after = decided({ ...w, standing, effect: { ...effect, declared: { id: "dec_1", without } } });
    if (before.tier !== "ask") expect(rank(after)).toBeLessThanOrEqual(rank(before));
    if (before.needsHuman) expect(after.needsHuman || after.tier === "deny").toBe(true);
  });
});

test("the order of rules does not matter", () => {
  law((w) => {
    const turned = (policy: Policy): Policy => ({
      ...policy,
      rules: [...policy.rules].reverse(),
      tiers: [...policy.tiers].reverse(),
      agents: [...policy.agents].reverse(),
    });
    const [a, b] = [decided(w), decided({ ...w, files: w.files.map(turned), scopes: w.scopes.map(turned) })];
    const sorted = (decision: Decision) => [...decision.causes].map((cause) => JSON.stringify(cause)).sort();
    const sameRules = (decision: Decision) => sorted(decision).filter((text) => text.includes('"by":"rule"'));
    expect({ ...b, causes: sameRules(b), considered: [] }).toEqual({
      ...a,
      causes: sameRules(a),
      considered: [],
      asking: b.asking,
    });
  });
});

test("an inner layer never makes the decision looser", () => {
  law((w) => {
    const inner = anyPolicy(w.r, "inner");
    const before = decided(w);
    const beside = decided({ ...w, files: [...w.files, { ...inner, beside: true }] });
    expect(rank(beside)).toBeLessThanOrEqual(rank(before));
    expect(rank(decided({ ...w, scopes: [...w.scopes, inner] }))).toBeLessThanOrEqual(rank(before));
    // An accepted file may decide where the outer ones say nothing, and include a promotion of an agent that only it names.
    const speaks = {
      ...w,
      files: [{ ...w.files[0], tier: { tier: w.r.pick(TIERS), at: AT } } as Policy, ...w.files.slice(1)],
    };
    const promotions = w.standing.promotions.filter((one) => one.kind === "demote");
    const accepted = decided({ ...speaks, files: [...speaks.files, inner] }, { promotions });
    expect(rank(accepted)).toBeLessThanOrEqual(rank(decided(speaks, { promotions })));
  });
});

test("a scope in code, or an unaccepted file, never makes the question easier to answer", () => {
  law((w) => {
    const inner: Policy = { ...anyPolicy(w.r, "inner"), rules: [], agents: [], tiers: [], reviewers: ["cfo"] };
    const added = w.r.chance(0.5)
      ? { scopes: [...w.scopes, inner] }
      : { files: [...w.files, { ...inner, beside: true as const }] };
    const [before, after] = [decided(w), decided({ ...w, ...added })];
    if (before.code === "LEEWAY_PAUSED" || JSON.stringify(before.causes) !== JSON.stringify(after.causes)) return;
    expect(after.asking.quorum).toBeGreaterThanOrEqual(before.asking.quorum);
    expect(after.asking.expiresMs).toBeLessThanOrEqual(before.asking.expiresMs);
    expect(Number(after.asking.selfReview)).toBeLessThanOrEqual(Number(before.asking.selfReview));
    expect(before.asking.assurance === "person" ? after.asking.assurance : "person").toBe("person");
    expect(after.asking.reviewers).toEqual(expect.arrayContaining([...before.asking.reviewers]));
  });
});

test("a lift changes only a plain ask, and notify to auto", () => {
  law((w) => {
    const callback = w.standing.callback?.answer === "allow" ? undefined : w.standing.callback;
    const { callback: _, ...without } = w.standing;
    const plainStanding = {
      ...without,
      ...compiledLayers(w),
      grants: [],
      ...(callback === undefined ? {} : { callback }),
    };
    const [base, lifted] = [decide(w.call, w.effect, plainStanding, NOW_MS), decided(w)];
    expect(rank(lifted)).toBeGreaterThanOrEqual(rank(base));
    if (rank(lifted) === rank(base)) return;
    expect(["ask notify", "ask auto", "notify auto"]).toContain(`${base.tier} ${lifted.tier}`);
    expect(base.needsHuman).toBe(false);
    const firm = [...w.files, ...w.scopes].some((policy) =>
      policy.rules.some((rule) => rule.firm && cases(w).some((one) => holds(rule.match, one, policy) !== "no")),
    );
    expect(firm).toBe(false);
  });
});

test("a grant for exactly one call changes nothing about other calls, or about a call that would now do something else", () => {
  law((w) => {
    const { covers: _, ...grant } = imagined(
      { label: "", subject: {}, covers: exactCover(w.call, w.effect) },
      { workspace: "default", nowMs: NOW_MS },
    );
    const without = { ...w, standing: { ...w.standing, grants: [] } };
    const before = decided(without);
    const other = exactCover({ ...w.call, args: { ...w.call.args, more: true } }, w.effect);
    const elsewhere = exactCover(w.call, { ...w.effect, facts: [{ of: "folder", path: "/elsewhere" }] });
    for (const covers of [other, elsewhere]) {
      expect(decided(without, { grants: [{ grant: { ...grant, covers }, usesLeft: 1 }] })).toEqual(before);
    }
  });
});

test("nothing lifts a decision after a cap was applied", () => {
  law((w) => {
    const decision = decided(w);
    for (const limit of decision.limits) {
      if (limit.reached) expect(rankOf(decision.tier)).toBeLessThanOrEqual(rankOf(limit.then));
    }
    if (w.standing.callback?.answer === "ask") expect(rankOf(decision.tier)).toBeLessThanOrEqual(rankOf("ask"));
    if (w.standing.callback?.answer === "deny") expect(decision.tier).toBe("deny");
    if (w.effect.understood !== "fully" && decision.grant === undefined && decision.box?.because !== "enough") {
      expect(rankOf(decision.tier)).toBeLessThanOrEqual(rankOf("ask"));
    }
  });
});

test("a needs-human call never runs without a fresh review", () => {
  law((w) => {
    const marked = w.files.map((policy) => ({ ...policy, human: { ...policy.human, agents: [w.call.agent] } }));
    const decision = decided({ ...w, files: marked });
    if (decision.outcome === "run") expect(w.standing.permit).toMatchObject({ approvedInBulk: false });
  });
});

test("adding a rule that is stricter than the decision never makes it looser", () => {
  law((w) => {
    const before = decided(w);
    const stricter = TIERS.filter((tier) => rankOf(tier) < rank(before));
    if (stricter.length === 0) return;
    const { match } = w.r.pick(
      anyPolicy(w.r, "rules").rules.concat(ruleFor({ match: { class: [w.effect.parts[0].class] } })),
    );
    expect(rank(decided(withRule(w, ruleFor({ match, tier: w.r.pick(stricter) }))))).toBeLessThanOrEqual(rank(before));
  });
});

test("adding a target never makes a decision looser", () => {
  law((w) => {
    const [first, ...rest] = w.effect.parts;
    if (first.targets.length === 0) return;
    const more = anyEffect(w.r, w.call).parts.flatMap((part): readonly Target[] => part.targets);
    const effect: Effect = { ...w.effect, parts: [{ ...first, targets: [...first.targets, ...more] }, ...rest] };
    // Expressions see all targets of a part, so the same ones fail here.
    expect(rank(decided({ ...w, effect }))).toBeLessThanOrEqual(rank(decided(w)));
  });
});

test("an expression that fails never makes the decision looser", () => {
  law((w) => {
    const rule = (holdsNow: boolean | undefined, tier: Rule["tier"]) => {
      const when: When = { text: "x", readsClaims: false, holds: () => holdsNow };
      return ruleFor({ match: { class: [w.effect.parts[0].class], when }, tier });
    };
    const tier = w.r.pick(TIERS);
    const place = w.r.int(w.files.length);
    const having = (extra: Rule) =>
      decided({
        ...w,
        files: w.files.map((policy, i) => (i === place ? { ...policy, rules: [...policy.rules, extra] } : policy)),
      });
    const failing = rank(having(rule(undefined, tier)));
    expect(failing).toBeLessThanOrEqual(Math.min(rank(having(rule(true, tier))), rank(having(rule(false, tier)))));
  });
});

test("in every cell, conservative is at least as strict as standard, and standard as autonomous", () => {
  for (const name of EFFECT_CLASSES) {
    for (const reach of REACHES) {
      const ranks = (["conservative", "standard", "autonomous"] as const).map((preset) =>
        rankOf(presetTier(preset, { class: name, reach })),
      );
      expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    }
  }
});

test("what the organisation knows about a tool makes a decision stricter, never looser", () => {
  law((w) => {
    const { byOrganisation: _, ...effect } = w.effect;
    expect(rank(decided(w))).toBeLessThanOrEqual(rank(decided({ ...w, effect })));
  });
});

test("the same inputs give the same decision, byte for byte", () => {
  law((w) => {
    expect(JSON.stringify(decided(w))).toBe(JSON.stringify(decided(w)));
    expect(JSON.parse(JSON.stringify(decided(w)))).toEqual(decided(w));
  });
});

test("deciding never throws, whatever the targets are", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("", "/", "//", "..", "-", "--", "a/b//c", "."));
  const target = fc.oneof(
    fc.record({
      kind: fc.constant("path" as const),
      path: text,
      level: fc.constant("write" as const),
      recursive: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("command" as const),
      words: fc.array(text),
      env: fc.constant([]),
      level: fc.constant("execute" as const),
    }),
    fc.record({ kind: fc.constant("domain" as const), domain: text, level: fc.constant("read" as const) }),
  );
  fc.assert(
    fc.property(fc.nat(), fc.array(target), text, (seed, targets, tool) => {
      const w = world(seed);
      const call = { ...w.call, tool };
      expect(TIERS).toContain(
        decided({ ...w, call, effect: { ...w.effect, parts: [{ ...w.effect.parts[0], targets }] } }).tier,
      );
    }),
    { numRuns: 1_000 },
  );
});
