import type { AgentRow, ApprovalSettings, HumanMarks, Policy, ToolDeclaration } from "../policy.ts";
import { NO_MARKS } from "../policy.ts";
import type { Hash } from "../values/hash.ts";
import { type ApprovalPlaces, checkPolicy } from "./check.ts";
import { document, type RawPolicy } from "./document.ts";
import type { Named } from "./map-shape.ts";
import { type KnownNames, knownNames, tierRow, toolName } from "./names.ts";
import { type CompileWhen, limitOf, ruleOf } from "./rule.ts";
import { collectFaults, type Faults, whole } from "./shape.ts";
import type { Fault, Tree } from "./tree.ts";

export type ParseOptions = {
  version: Hash;
  /** Expressions are compiled outside core. */
  compileWhen: CompileWhen;
};

export type Parsed = { ok: true; policy: Policy } | { ok: false; faults: readonly Fault[] };

/** Reads a policy and reports everything that is wrong with it. A policy with any fault does not load at all. */
export function parsePolicy(tree: Tree, options: ParseOptions): Parsed {
  const faults = collectFaults();
  const raw = document.read(tree, faults);
  const policy = raw === undefined ? undefined : policyOf(raw, tree, options, faults);
  if (raw !== undefined && policy !== undefined) checkPolicy(policy, approvalPlaces(raw, tree), faults);
  if (policy !== undefined && faults.all.length === 0) return { ok: true, policy };
  return { ok: false, faults: faults.all.sort((a, b) => a.line - b.line || a.column - b.column) };
}

function policyOf(raw: RawPolicy, tree: Tree, options: ParseOptions, faults: Faults): Policy | undefined {
  const known = knownNames((raw.tools ?? []).map(({ name }) => name));
  const tiers = whole((raw.tiers ?? []).map((row) => tierRow(row, known, faults)));
  const agents = whole((raw.agents ?? []).map((agent) => agentRow(agent, known, faults)));
  const rules = whole((raw.rules ?? []).map((rule) => ruleOf(rule, known, options.compileWhen, faults)));
  const limits = whole((raw.limits ?? []).map((limit) => limitOf(limit, known, options.compileWhen, faults)));
  const human = marksOf(raw.human, known, faults);
  if (!tiers || !agents || !rules || !limits || !human) return undefined;
  return {
    source: tree.at.file,
    version: options.version,
    ...(raw.preset === undefined ? {} : { preset: { name: raw.preset.value, at: raw.preset.at } }),
    ...(raw.tier === undefined ? {} : { tier: { tier: raw.tier.value, at: raw.tier.at } }),
    tiers,
    tools: (raw.tools ?? []).map(({ name, at, value }): ToolDeclaration => ({ name, ...value, at })),
    agents,
    human,
    reviewers: raw.reviewers ?? [],
    rules,
    approvals: approvalsOf(raw.approvals),
    ...(raw.headless === undefined ? {} : { headless: raw.headless }),
    limits,
    ...(raw.root === undefined ? {} : { root: raw.root }),
  };
}

/** Where the settings stand that are compared with others. */
function approvalPlaces({ approvals }: RawPolicy, tree: Tree): ApprovalPlaces {
  return { quorum: approvals?.quorum?.at ?? tree.at, escalate: approvals?.escalate?.at ?? tree.at };
}

type RawAgent = NonNullable<RawPolicy["agents"]>[number] extends Named<infer T> ? Named<T> : never;

function agentRow({ name, at, value }: RawAgent, known: KnownNames, faults: Faults): AgentRow | undefined {
  const tiers = whole((value.tiers ?? []).map((row) => tierRow(row, known, faults)));
  if (tiers === undefined) return undefined;
  return {
    name,
    ...(value.tier === undefined ? {} : { tier: { tier: value.tier.value, at: value.tier.at } }),
    tiers,
    ...(value.owner === undefined ? {} : { owner: value.owner }),
    reviewers: value.reviewers ?? [],
    at,
  };
}

function marksOf(raw: RawPolicy["human"], known: KnownNames, faults: Faults): HumanMarks | undefined {
  if (raw === undefined) return NO_MARKS;
  if (raw.value === true) return { ...NO_MARKS, all: true, at: raw.at };
  const { tools = [], classes = [], agents = [], not = [] } = raw.value;
  const names = whole(tools.map((tool) => toolName(tool, known, faults)));
  return names === undefined ? undefined : { all: false, tools: names, classes, agents, not, at: raw.at };
}

function approvalsOf(raw: RawPolicy["approvals"]): Partial<ApprovalSettings> {
  if (raw === undefined) return {};
  const { quorum, expires, permit, escalate, ...rest } = raw;
  return {
    ...rest,
    ...(quorum === undefined ? {} : { quorum: quorum.value }),
    ...(expires === undefined ? {} : { expiresMs: expires }),
    ...(permit === undefined ? {} : { permitMs: permit }),
    ...(escalate === undefined ? {} : { escalate: { afterMs: escalate.value.after, to: escalate.value.to } }),
  };
}
