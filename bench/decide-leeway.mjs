// The workload for Leeway: its policy compiled and its calls classified, as `submit` passes them to `decide`.
import { patternOf } from "./decide-workload.mjs";

const dist = process.env.LEEWAY_DIST ?? new URL("../dist/", import.meta.url).href;
const { compilePolicy } = await import(new URL("core/decide/compile.js", dist).href);
export const { decide } = await import(new URL("core/decide/decide.js", dist).href);

export function toPolicy(workload) {
  const at = { file: "leeway.yaml", line: 1, column: 1 };
  const agents = new Set([
    ...workload.agentTiers.keys(),
    ...[...workload.agentClassTiers.keys()].map((key) => key.split(" ")[0]),
  ]);
  return {
    source: "leeway.yaml",
    version: `sha256:${"0".repeat(64)}`,
    tier: { tier: workload.tier, at },
    tiers: [...workload.classTiers].map(([name, tier]) => ({ for: "class", name, tier, at })),
    tools: [],
    agents: [...agents].map((name) => ({
      name,
      ...(workload.agentTiers.has(name) ? { tier: { tier: workload.agentTiers.get(name), at } } : {}),
      tiers: [...workload.agentClassTiers]
        .filter(([key]) => key.startsWith(`${name} `))
        .map(([key, tier]) => ({ for: "class", name: key.split(" ")[1], tier, at })),
      reviewers: [],
      at,
    })),
    human: { all: false, tools: [], classes: [], agents: [], not: [] },
    reviewers: [],
    rules: workload.rules.map((rule, i) => ({
      name: rule.name,
      match: {
        ...(rule.agent === undefined ? {} : { agent: [rule.agent] }),
        class: [rule.class],
        ...(rule.kind === "path" ? { path: [patternOf(rule)] } : { command: [patternOf(rule)] }),
      },
      tier: rule.tier,
      because: "measured",
      examples: NO_EXAMPLES,
      human: false,
      firm: false,
      reviewers: [],
      at: { file: "leeway.yaml", line: i, column: 1 },
    })),
    approvals: {},
    limits: [],
    root: "/",
  };
}
// Shared, as for a caller in a loop, so that deciding is measured and not the creation of empty objects.
const NOTHING = [];
const NONE = {};
const NO_EXAMPLES = { match: [], miss: [] };

/** A call with its effect, as `submit` passes it on after classifying. */
export function prepare(call) {
  const targets =
    call.path !== undefined
      ? [{ kind: "path", path: call.path, level: "write", recursive: false }]
      : call.words !== undefined
        ? [{ kind: "command", words: call.words, env: NOTHING, level: "execute" }]
        : NOTHING;
  const part = {
    class: call.class,
    capability: call.class,
    level: "write",
    targets,
    reversible: true,
    reach: "project",
  };
  return {
    call: {
      workspace: "default",
      agent: call.agent,
      tool: call.tool,
      args: NONE,
      callId: "c",
      traceId: "t",
      chain: NOTHING,
      claims: NONE,
    },
    effect: { parts: [part], understood: "fully", notes: NOTHING },
  };
}

export function standingOf(policy) {
  return {
    layers: [compilePolicy(policy)],
    scopes: [],
    policyVersion: policy.version,
    pauses: [],
    pausesFresh: true,
    promotions: [],
    grants: [],
    used: () => 0,
    canAsk: true,
    quarantined: false,
  };
}
