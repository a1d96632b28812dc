import type { PackageSource } from "../../src/core/box.ts";
import { type EffectClass, REACHES, UNDERSTANDINGS } from "../../src/core/effect.ts";
import {
  BOXED_CLASSES,
  type LimitRule,
  type Match,
  type Policy,
  PRESETS,
  type Rule,
  type TierRow,
  type When,
} from "../../src/core/policy.ts";
import { TIERS } from "../../src/core/tier.ts";
import { sha256 } from "../../src/core/values/hash.ts";
import type { Random } from "./random.ts";

// A small world, so that random values coincide: few names, short paths, and every feature of a policy.

export const AGENTS = ["coder", "release-bot", "intern"] as const;
export const TOOLS = [
  "write_file",
  "Write.File",
  "exec",
  "refund",
  "mcp:github/push",
  "mcp__github__get",
  "zap",
] as const;
export const CLASSES: readonly EffectClass[] = [
  "fs.read",
  "fs.write",
  "fs.copy",
  "fs.delete",
  "deploy.write",
  "process.exec",
  "network.read",
  "git.write",
  "payments.move",
  "unknown",
];
export const PATHS = [
  "/p",
  "/p/src",
  "/p/src/a.ts",
  "/p/src/lib/a.ts",
  "/p/secrets/k.pem",
  "/p/.env",
  "/home/ana/.ssh/id",
  "/etc/hosts",
  "/tmp/a",
] as const;
const PATH_PATTERNS = [
  "src/**",
  "/p/**",
  "**/*.ts",
  "**/.env",
  "src/*",
  "src/*/a.ts",
  "~/.ssh/**",
  "/p/**/lib/**",
  "/etc/hosts",
  "**",
  "s*/**/a.*",
  "?rc/a.ts",
];
export const COMMANDS = [
  "git push",
  "git push -f origin",
  "git -C sub push --force",
  "git status",
  "/usr/bin/git push origin",
  "rm -rf x",
  "rm -r -f x",
  "ls",
  "npm run test:unit",
  "git commit -m x",
  "npm install",
  "kill 1",
  "env",
];
const COMMAND_PATTERNS = [
  "git push *",
  "git push --force *",
  "git *",
  "git push",
  "rm -rf *",
  "* ",
  "ls",
  "npm run test:*",
  "git push origin",
].map((one) => one.trim());
export const DOMAINS = ["github.com", "api.github.com", "evil-github.com", "example.org"] as const;
const DOMAIN_PATTERNS = ["api.github.com", "*.github.com", "*"];
const SOURCES: readonly PackageSource[] = [
  { kind: "npm", from: "https://registry.npmjs.org/" },
  { kind: "npm", from: "https://npm.example/" },
  { kind: "go", from: "https://proxy.golang.org/" },
];
const WHENS: readonly When[] = [
  { text: "small", readsClaims: false, holds: ({ call }) => (call as { args: { n?: number } }).args.n === 1 },
  { text: "fails", readsClaims: false, holds: () => undefined },
  { text: "claims", readsClaims: true, holds: ({ call }) => (call as { claims: { x?: boolean } }).claims.x === true },
];

/** A policy names one address for each kind. */
function oneOfEachKind(sources: readonly PackageSource[]): readonly PackageSource[] {
  return sources.filter(({ kind }, i) => sources.findIndex((one) => one.kind === kind) === i);
}

/** Somebody may have accepted an older version of the preset. */
export function anyPolicy(r: Random, source: string): Policy {
  const { preset, ...policy } = newPolicy(r, source);
  if (preset === undefined) return policy;
  const isOlder = preset.name === "autonomous" && policy.rules.length % 2 === 0;
  return { ...policy, preset: isOlder ? { ...preset, version: 1 } : preset };
}

function newPolicy(r: Random, source: string): Policy {
  let line = 0;
  const at = () => ({ file: source, line: ++line, column: 1 });
  return {
    source,
    version: sha256(source),
    ...r.maybe(0.4, "preset", () => ({ name: r.pick(PRESETS), at: at() })),
    ...r.maybe(0.25, "tier", () => ({ tier: r.pick(TIERS), at: at() })),
    tiers: r.upTo(3, () => anyRow(r, at())),
    tools: [],
    agents: AGENTS.filter(() => r.chance(0.3)).map((name) => ({
      name,
      ...r.maybe(0.6, "tier", () => ({ tier: r.pick(TIERS), at: at() })),
      tiers: r.upTo(2, () => anyRow(r, at())),
      reviewers: r.chance(0.2) ? ["ben"] : [],
      at: at(),
    })),
    human: {
      all: r.chance(0.03),
      tools: r.chance(0.1) ? [r.pick([...TOOLS, "mcp:github/*"])] : [],
      classes: r.chance(0.1) ? [r.pick(CLASSES)] : [],
      agents: r.chance(0.05) ? [r.pick(AGENTS)] : [],
      not: r.chance(0.3) ? ["payments.move"] : [],
      at: at(),
    },
    reviewers: r.chance(0.3) ? ["ana"] : [],
    rules: r.upTo(6, () => anyRule(r, at())),
    approvals: {
      ...r.maybe(0.2, "quorum", () => 1 + r.int(3)),
      ...r.maybe(0.2, "expiresMs", () => 1000 * (1 + r.int(5))),
      ...r.maybe(0.1, "permitMs", () => 1000 * (1 + r.int(5))),
      ...r.maybe(0.2, "selfReview", () => r.chance(0.5)),
      ...r.maybe(0.2, "assurance", () => r.pick(["person", "any"] as const)),
    },
    ...r.maybe(0.2, "headless", () => r.pick(["deny", "suggest"] as const)),
    limits: r.chance(0.25) ? r.upTo(2, () => anyLimit(r, at())) : [],
    ...r.maybe(0.3, "box", () => ({
      ...r.maybe(0.6, "for", () => r.upTo(3, () => r.pick(BOXED_CLASSES))),
      write: [],
      network: [],
      ...r.maybe(0.2, "rehearse", () => r.pick(["auto", "never"] as const)),
      ...r.maybe(0.3, "packages", () => oneOfEachKind(r.upTo(2, () => r.pick(SOURCES)))),
      at: at(),
    })),
    ...r.maybe(0.8, "root", () => "/p"),
    ...r.maybe(0.5, "home", () => "/home/ana"),
  };
}

function anyRow(r: Random, at: TierRow["at"]): TierRow {
  const kind = r.pick(["class", "tool", "glob"] as const);
  const names = { class: CLASSES, tool: TOOLS, glob: ["mcp:github/*", "mcp:*", "write*", "w*", "*"] }[kind];
  return { for: kind, name: r.pick<string>(names), tier: r.pick(TIERS), at };
}

function anyRule(r: Random, at: Rule["at"]): Rule {
  return {
    name: `rule-${at.line}`,
    match: anyMatch(r),
    tier: r.pick(TIERS),
    because: "reasons",
    examples: { match: [], miss: [] },
    human: r.chance(0.05),
    firm: r.chance(0.1),
    reviewers: r.chance(0.1) ? ["cfo"] : [],
    ...r.maybe(0.1, "quorum", () => 1 + r.int(3)),
    ...r.maybe(0.1, "expiresMs", () => 1000 * (1 + r.int(5))),
    at,
  };
}

function anyLimit(r: Random, at: LimitRule["at"]): LimitRule {
  return {
    name: r.pick(["writes", "spend"]),
    match: anyMatch(r),
    ...r.maybe(0.4, "sum", () => "/n"),
    max: r.int(8),
    perMs: 12_000,
    by: r.pick(["agent", "session", "tool", "workspace"] as const),
    // biome-ignore lint/suspicious/noThenProperty: the word of the policy file; a limit is never awaited
    then: r.pick(TIERS.slice(0, -1)),
    at,
  };
}

function anyMatch(r: Random): Match {
  return {
    ...r.maybe(0.3, "agent", () => r.some([...AGENTS, "*-bot"], 2)),
    ...r.maybe(0.2, "tool", () => r.some([...TOOLS, "mcp:github/*", "write*"], 2)),
    ...r.maybe(0.3, "class", () => r.some(CLASSES, 3)),
    ...r.maybe(0.05, "capability", () => ["workspace.*"]),
    ...r.maybe(0.05, "method", () => ["post"]),
    ...r.maybe(0.05, "mcp", () => [r.pick(["github/push", "github/*"])]),
    ...r.maybe(0.1, "args", () => [
      {
        pointer: "/n",
        test: r.pick([
          { is: "value", value: 1 },
          { is: "range", min: 2 },
          { is: "value", value: "1" },
          { is: "value", value: true },
          { is: "value", value: null },
          { is: "glob", glob: "?" },
          { is: "any", of: [{ is: "value", value: 3 }] },
          {
            is: "any",
            of: [
              { is: "value", value: "many" },
              { is: "range", min: 2 },
            ],
          },
        ] as const),
      },
    ]),
    ...r.maybe(0.05, "reversible", () => r.chance(0.5)),
    ...r.maybe(0.1, "reach", () => r.some(REACHES, 2)),
    ...r.maybe(0.1, "understood", () => r.some(UNDERSTANDINGS, 2)),
    ...r.maybe(0.15, "when", () => r.pick(WHENS)),
    ...anyTargetPattern(r),
  };
}

function anyTargetPattern(r: Random): Match {
  const kind = r.int(6);
  if (kind < 2) return { path: r.some(PATH_PATTERNS, 2) };
  if (kind === 2) return { command: r.some(COMMAND_PATTERNS, 2) };
  return kind === 3 ? { domain: r.some(DOMAIN_PATTERNS, 2) } : {};
}
