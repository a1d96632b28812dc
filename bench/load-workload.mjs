// The policies that `load` reads: a quarter of the rules each about paths, commands, domains and arguments, for ten
// agents, and every rule with one example that it matches and one that it misses.
import { AGENTS, chanceFrom, TIERS } from "./decide-workload.mjs";

const PROGRAMS = ["git", "npm", "docker", "kubectl", "terraform", "aws", "helm", "make"];
const FOLDERS = ["src", "lib", "test", "docs", "infra", "config", "scripts", "data"];

const KINDS = [
  (i, r) => {
    const folder = `services/s${i}/${r.pick(FOLDERS)}`;
    const call = (path) => ({ tool: "write_file", args: { path, content: "x" } });
    return {
      match: { class: "fs.write", path: `${folder}/**` },
      hit: call(`${folder}/a/b.ts`),
      miss: call(`services/z${i}/b.ts`),
    };
  },
  (i, r) => {
    const words = `${r.pick(PROGRAMS)} task${i}`;
    return { match: { command: `${words} *` }, hit: `${words} --all now`, miss: `${words}x --all now` };
  },
  (i) => {
    const call = (host) => ({ tool: "http_request", args: { url: `https://${host}/v1/items?page=2` } });
    return {
      match: { class: "network.read", domain: `*.host${i}.example` },
      hit: call(`api.host${i}.example`),
      miss: call(`host${i}.example.org`),
    };
  },
  (i, r) => {
    // The policy declares some of these tools; for the others the parser checks whether they are mistyped.
    const tool = `${r.pick(["refund", "invoice", "transfer", "payout"])}_desk_${r.int(200)}`;
    const max = 10 + r.int(1000);
    const call = (amount) => ({ tool, args: { order: `o${i}`, amount } });
    return {
      match: { tool, args: { "/order": `o${i}`, "/amount": { max } } },
      hit: call(max - 1),
      miss: call(max + 1),
    };
  },
];

/** A policy as a program would give it to the gate. */
export function makePolicy(count, seed = 11) {
  const r = chanceFrom(seed);
  return {
    version: 1,
    tier: "ask",
    tiers: { "fs.read": "auto", "message.send": "ask" },
    tools: Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`refund_desk_${i}`, { class: "payments.move" }])),
    agents: Object.fromEntries(AGENTS.map((name) => [name, { tier: r.pick(TIERS.slice(2)) }])),
    rules: Array.from({ length: count }, (_, i) => ruleAt(i, r)),
  };
}

function ruleAt(i, r) {
  const { match, hit, miss } = KINDS[i % KINDS.length](i, r);
  return {
    name: `rule-${i}`,
    match: { ...(r.chance(0.5) ? { agent: r.pick(AGENTS) } : {}), ...match },
    tier: r.pick(TIERS),
    because: `somebody decided so on day ${r.int(365)}`,
    examples: { match: [hit], miss: [miss] },
  };
}

/** The same rules without examples. */
export function withoutExamples(policy) {
  return { ...policy, rules: policy.rules.map(({ examples: _examples, ...rule }) => rule) };
}

/** The same policy as a person would write it: block style, one rule below the other, with some comments. */
export function toYaml(policy) {
  const { rules, ...head } = policy;
  const flow = (value) => JSON.stringify(value);
  const lines = Object.entries(head).map(([key, value]) => `${key}: ${flow(value)}`);
  lines.push("", "rules:");
  for (const [i, rule] of rules.entries()) {
    if (i % 50 === 0) lines.push(`  # rules from ${i}`);
    lines.push(`  - name: ${rule.name}`, "    match:");
    for (const [key, value] of Object.entries(rule.match)) lines.push(`      ${key}: ${flow(value)}`);
    lines.push(`    tier: ${rule.tier}`, `    because: ${rule.because}`);
    if (rule.examples !== undefined) lines.push("    examples:");
    for (const [key, given] of Object.entries(rule.examples ?? {}))
      lines.push(`      ${key}:`, ...given.map((one) => `        - ${flow(one)}`));
  }
  return `${lines.join("\n")}\n`;
}
