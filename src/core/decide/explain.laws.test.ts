import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCall, anyEffect, anyLayers, anyStanding, compiledLayers, NOW_MS } from "../../../test/model/calls.ts";
import { random } from "../../../test/model/random.ts";
import type { Decision } from "../decision.ts";
import { textOf } from "../messages/text.ts";
import type { Policy } from "../policy.ts";
import { decide } from "./decide.ts";
import { sentencesOf } from "./explain.ts";

const PROVING_MS = 1_200_000;

/** Every policy with one thing removed, and what names that thing in an explanation. */
function shortened(policy: Policy): { named: string; policy: Policy }[] {
  const where = (at: { line: number }) => `${policy.source}:${at.line}`;
  const less = <T>(list: readonly T[], gone: T) => list.filter((one) => one !== gone);
  const { preset: _preset, ...withoutPreset } = policy;
  const { tier: _tier, ...withoutTier } = policy;
  const { human } = policy;
  return [
    ...policy.rules.map((rule) => ({ named: where(rule.at), policy: { ...policy, rules: less(policy.rules, rule) } })),
    ...policy.tiers.map((row) => ({ named: where(row.at), policy: { ...policy, tiers: less(policy.tiers, row) } })),
    ...policy.agents.flatMap((agent) =>
      agent.tiers.map((row) => ({
        named: where(row.at),
        policy: {
          ...policy,
          agents: policy.agents.map((one) => (one === agent ? { ...one, tiers: less(one.tiers, row) } : one)),
        },
      })),
    ),
    ...(policy.preset === undefined ? [] : [{ named: where(policy.preset.at), policy: withoutPreset }]),
    ...(policy.tier === undefined ? [] : [{ named: where(policy.tier.at), policy: withoutTier }]),
    ...human.classes.map((name) => ({
      named: `class ${name}`,
      policy: { ...policy, human: { ...human, classes: less(human.classes, name) } },
    })),
    ...human.tools.map((name) => ({
      named: `tool ${name}`,
      policy: { ...policy, human: { ...human, tools: less(human.tools, name) } },
    })),
    ...human.agents.map((name) => ({
      named: `agent ${name}`,
      policy: { ...policy, human: { ...human, agents: less(human.agents, name) } },
    })),
    ...human.not.map((name) => ({
      named: `not class ${name}`,
      policy: { ...policy, human: { ...human, not: less(human.not, name) } },
    })),
  ];
}

/** File and line of everything an explanation names, the words of its marks, and the ids of grants. */
function namesIn(decision: Decision): Set<string> {
  return new Set(
    [...decision.causes, ...decision.considered].flatMap((cause) => [
      ...("at" in cause && cause.at !== undefined ? [`${cause.at.file}:${cause.at.line}`] : []),
      ...(cause.by === "human" ? [textOf(cause.mark, "en")] : []),
      ...(cause.by === "grant" ? [cause.id] : []),
    ]),
  );
}

function essence({ tier, outcome, code, needsHuman, grant, permit }: Decision) {
  return { tier, outcome, code, needsHuman, grant, permit };
}

test(
  "removing anything that the explanation does not name never changes the decision",
  () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const r = random(seed);
        const drawn = anyLayers(r);
        const all = [...drawn.files, ...drawn.scopes].map((policy, i) => renamed(policy, `layer-${i}`));
        const call = anyCall(r);
        const effect = anyEffect(r, call);
        const rest = anyStanding(r, { layers: [], scopes: [] });
        const run = (policies: readonly Policy[], grants = rest.grants) => {
          const layers = compiledLayers({
            files: policies.slice(0, drawn.files.length),
            scopes: policies.slice(drawn.files.length),
          });
          // Counters are named by file, and the files keep their names here.
          return decide(call, effect, { ...rest, ...layers, grants, used: () => 2e6 }, NOW_MS);
        };
        const decision = run(all);
        const names = namesIn(decision);
        for (const whole of all) {
          for (const { named, policy } of shortened(whole)) {
            if (names.has(named)) continue;
            expect(essence(run(all.map((one) => (one === whole ? policy : one)))), `without ${named}`).toEqual(
              essence(decision),
            );
          }
        }
        for (const held of rest.grants) {
          if (names.has(held.grant.id)) continue;
          expect(
            essence(
              run(
                all,
                rest.grants.filter((one) => one !== held),
              ),
            ),
          ).toEqual(essence(decision));
        }
      }),
      // The example: the organisation and others explain the same tool.
      { examples: [[1313162286]], numRuns: process.env.LEEWAY_PROVE === undefined ? 300 : 10_000 },
    );
  },
  PROVING_MS,
);

function renamed(policy: Policy, source: string): Policy {
  const at = (position: { line: number; column: number }) => ({ ...position, file: source });
  return {
    ...policy,
    source,
    rules: policy.rules.map((rule) => ({ ...rule, at: at(rule.at) })),
    tiers: policy.tiers.map((row) => ({ ...row, at: at(row.at) })),
    agents: policy.agents.map((agent) => ({ ...agent, tiers: agent.tiers.map((row) => ({ ...row, at: at(row.at) })) })),
    ...(policy.preset === undefined ? {} : { preset: { ...policy.preset, at: at(policy.preset.at) } }),
    ...(policy.tier === undefined ? {} : { tier: { ...policy.tier, at: at(policy.tier.at) } }),
  };
}

test("every cause becomes a sentence that names its file and line", () => {
  const at = { file: "leeway.yaml", line: 12, column: 3 };
  expect(
    sentencesOf([
      {
        by: "rule",
        name: "never-force-push",
        tier: "deny",
        because: "the server's history is shared",
        layer: "leeway.yaml",
        at,
      },
      { by: "baseline", row: { of: "agent+class", name: "coder fs.write" }, tier: "auto", layer: "leeway.yaml", at },
      { by: "silent" },
      { by: "limit", name: "spend", tier: "deny", used: 90.5, max: 100, at },
      { by: "human", mark: "class secrets.read", layer: "leeway.yaml", at },
      { by: "understanding", understood: "partly", notes: ["a variable names the program"] },
    ]),
  ).toEqual([
    "rule never-force-push says deny: the server's history is shared (leeway.yaml:12)",
    'the row for agent+class "coder fs.write" is auto (leeway.yaml:12)',
    "no policy file covers this call, so a person is asked",
    "limit spend is reached (90.5 of 100), so the tier is deny (leeway.yaml:12)",
    "needs a person: class secrets.read (leeway.yaml:12)",
    "the call is only partly understood: a variable names the program",
  ]);
});
