// The policy and the calls with which `decide` is measured: ten agents, forty tools in twelve classes, rows for agents,
// for agents and classes, for classes and a policy-wide tier, and path and command rules from ten to ten thousand.

export const TIERS = ["deny", "shadow", "suggest", "ask", "notify", "auto"];
export const AGENTS = Array.from({ length: 10 }, (_, i) => `worker-${i}`);
export const CLASSES = [
  "fs.read",
  "fs.write",
  "fs.delete",
  "process.exec",
  "network.read",
  "network.write",
  "message.send",
  "db.read",
  "db.write",
  "git.write",
  "deploy.write",
  "schedule.write",
];
const FILE_CLASSES = CLASSES.slice(0, 3);
const TOOLS_PER_CLASS = [5, 5, 2, 4, 4, 4, 3, 3, 3, 3, 2, 2];
export const TOOLS = CLASSES.flatMap((name, i) =>
  Array.from({ length: TOOLS_PER_CLASS[i] }, (_, k) => ({ name: `${name.replace(".", "_")}_${k}`, class: name })),
);
const PROGRAMS = [
  "git",
  "npm",
  "docker",
  "kubectl",
  "terraform",
  "aws",
  "gcloud",
  "psql",
  "make",
  "cargo",
  "pip",
  "helm",
  "gh",
  "curl",
  "tar",
  "ssh",
];
const VERBS = [
  "push",
  "pull",
  "install",
  "delete",
  "apply",
  "run",
  "build",
  "status",
  "get",
  "create",
  "exec",
  "logs",
  "list",
  "destroy",
  "publish",
  "reset",
];
const WORDS = ["origin", "prod", "all", "main", "now"];
const FOLDERS = ["src", "lib", "test", "docs", "infra", "config", "scripts", "data"];
const FILES = [".env", "id_rsa", "package.json", "Dockerfile", "secrets.yaml", "main.tf", "README.md", "index.ts"];
const ENDINGS = [".pem", ".key", ".ts", ".md", ".sql", ".yaml", ".lock", ".sh"];

/** Random numbers from a seed, so that every engine and every run gets the same workload. */
export function chanceFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    let mixed = state ^ (state >>> 15);
    mixed = Math.imul(mixed, 0x2c1b3c6d);
    mixed ^= mixed >>> 12;
    return (mixed >>> 0) / 2 ** 32;
  };
  const int = (below) => Math.floor(next() * below);
  return { next, int, pick: (from) => from[int(from.length)], chance: (p) => next() < p };
}

/** A policy in the terms of the workload; `toPolicy` converts it to Leeway's terms. */
export function makeWorkload(ruleCount, seed = 5) {
  const r = chanceFrom(seed);
  const width = Math.max(4, Math.ceil(ruleCount / 6));
  const classTiers = new Map(CLASSES.filter((_, i) => i % 6 !== 5).map((name) => [name, r.pick(TIERS.slice(1))]));
  const agentTiers = new Map([
    ["worker-3", "notify"],
    ["worker-6", "ask"],
    ["worker-9", "suggest"],
  ]);
  const agentClassTiers = new Map(
    Array.from({ length: 40 }, () => [`${r.pick(AGENTS)} ${r.pick(CLASSES)}`, r.pick(TIERS)]),
  );
  const rules = Array.from({ length: ruleCount }, (_, i) => ({
    name: `rule-${i}`,
    agent: r.chance(0.5) ? undefined : r.pick(AGENTS),
    tier: r.pick(TIERS),
    ...(i % 2 === 0 ? pathRule(r, width) : commandRule(r, width)),
  }));
  return { classTiers, agentTiers, agentClassTiers, tier: "ask", rules, width };
}

function pathRule(r, width) {
  const base = `/repo/p${r.int(width)}`;
  const shape = r.next();
  const about = { kind: "path", class: r.pick(FILE_CLASSES) };
  if (shape < 0.7) return { ...about, shape: "below", prefix: r.chance(0.5) ? base : `${base}/${r.pick(FOLDERS)}` };
  if (shape < 0.85) {
    return r.chance(0.5)
      ? { ...about, shape: "file", last: `x${r.int(width)}-${r.pick(FILES)}` }
      : { ...about, shape: "ending", last: `.x${r.int(width)}${r.pick(ENDINGS)}` };
  }
  return { ...about, shape: "middle", prefix: base, middle: r.pick(FOLDERS) };
}

function commandRule(r, width) {
  const words = [r.pick(PROGRAMS)];
  if (r.chance(0.95)) words.push(`${r.pick(VERBS)}${width > 16 ? r.int(Math.ceil(width / 16)) : ""}`);
  if (r.chance(0.3)) words.push(r.pick(WORDS));
  return { kind: "command", class: "process.exec", words };
}

export function patternOf(rule) {
  switch (rule.shape) {
    case "below":
      return `${rule.prefix}/**`;
    case "file":
      return `**/${rule.last}`;
    case "ending":
      return `**/*${rule.last}`;
    case "middle":
      return `${rule.prefix}/**/${rule.middle}/**`;
    default:
      return `${rule.words.join(" ")} *`;
  }
}

/** 35 % file tools, 30 % commands, the rest without a target; a third of them match some rule. */
export function makeCalls(workload, count, seed = 17) {
  const r = chanceFrom(seed);
  const files = TOOLS.filter((tool) => FILE_CLASSES.includes(tool.class));
  const shells = TOOLS.filter((tool) => tool.class === "process.exec");
  const others = TOOLS.filter((tool) => !files.includes(tool) && !shells.includes(tool));
  return Array.from({ length: count }, () => {
    const kind = r.next();
    const tool = r.pick(kind < 0.35 ? files : kind < 0.65 ? shells : others);
    const near = workload.rules.length > 0 && r.chance(0.3) ? r.pick(workload.rules) : undefined;
    const rule = near?.class === tool.class ? near : undefined;
    const agent = rule?.agent !== undefined && r.chance(0.7) ? rule.agent : r.pick(AGENTS);
    const call = { agent, tool: tool.name, class: tool.class, path: undefined, words: undefined };
    if (FILE_CLASSES.includes(tool.class)) call.path = pathFor(r, rule, workload.width);
    if (tool.class === "process.exec") call.words = wordsFor(r, rule);
    return call;
  });
}

function pathFor(r, rule, width) {
  const tail = `${r.pick(FOLDERS)}/${r.pick(FOLDERS)}/f${r.int(1000)}`;
  switch (rule?.shape) {
    case "below":
      return `${rule.prefix}/${tail}${r.pick(ENDINGS)}`;
    case "file":
      return `/repo/p${r.int(width)}/${tail}/${rule.last}`;
    case "ending":
      return `/repo/p${r.int(width)}/${tail}${rule.last}`;
    case "middle":
      return `${rule.prefix}/${r.pick(FOLDERS)}/${rule.middle}/f${r.int(1000)}.ts`;
    default:
      return `/home/u${r.int(50)}/p${r.int(width)}/${tail}${r.pick(ENDINGS)}`;
  }
}

function wordsFor(r, rule) {
  const tail = [`--flag-${r.int(100)}`, `./dir${r.int(100)}/f${r.int(100)}`];
  return [...(rule?.words ?? [r.pick(PROGRAMS), `${r.pick(VERBS)}z`]), ...tail];
}
