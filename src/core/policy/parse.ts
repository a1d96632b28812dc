import type { BoxLimits } from "../box.ts";
import {
  type AgentRow,
  type ApprovalSettings,
  type BoxSettings,
  type HumanMarks,
  NO_MARKS,
  type Policy,
  type ToolDeclaration,
} from "../policy.ts";
import type { Hash } from "../values/hash.ts";
import { type ApprovalPlaces, checkPolicy } from "./check.ts";
import { document, type RawPolicy } from "./document.ts";
import type { Named } from "./map-shape.ts";
import { match, type RawMatch } from "./match-shape.ts";
import { type KnownNames, knownNames, tierRow, toolName } from "./names.ts";
import { type CompileWhen, firstCallOf, limitOf, matchOf, ruleOf } from "./rule.ts";
import { collectFaults, type Faults } from "./shape.ts";
import type { Fault, Tree } from "./tree.ts";

type ParseOptions = {
  version: Hash;
  /** Expressions are compiled outside core. */
  compileWhen: CompileWhen;
};

type Parsed =
  | { ok: true; policy: Policy }
  /** `soFar`: the parts without faults, for later checks; never used as a policy. */
  | { ok: false; faults: readonly Fault[]; soFar?: Policy };

/** Reads a policy and reports all errors. A policy with any error is not loaded at all. */
export function parsePolicy(tree: Tree, options: ParseOptions): Parsed {
  const faults = collectFaults();
  const raw = document.read(tree, faults);
  const policy = raw === undefined ? undefined : policyOf(raw, tree, options, faults);
  if (raw !== undefined && policy !== undefined) {
    checkPolicy(policy, approvalPlaces(raw, tree), faults);
    if (faults.all.length === 0) return { ok: true, policy };
  }
  const found = { ok: false as const, faults: inOrder(faults.all) };
  const tellsToolsAndFolder = raw?.tools?.sound !== false && !(has(tree, "root") && raw?.root === undefined);
  return policy !== undefined && tellsToolsAndFolder ? { ...found, soFar: policy } : found;
}

export function inOrder(faults: readonly Fault[]): readonly Fault[] {
  return [...faults].sort((a, b) => a.line - b.line || a.column - b.column);
}

function policyOf(raw: RawPolicy, tree: Tree, options: ParseOptions, faults: Faults): Policy {
  // Tools with an invalid declaration are included, because their names are intended.
  const known = knownNames(membersOf(valueAt(tree, "tools")).map(({ key }) => key));
  const tools = raw.tools?.value ?? [];
  const { compileWhen } = options;
  matchesOfUnread(tree, raw, (match) => matchOf(match, known, compileWhen, faults));
  return {
    source: tree.at.file,
    version: options.version,
    ...(raw.preset === undefined ? {} : { preset: { name: raw.preset.value, at: raw.preset.at } }),
    ...(raw.tier === undefined ? {} : { tier: { tier: raw.tier.value, at: raw.tier.at } }),
    tiers: there(raw.tiers, (row) => tierRow(row, known, faults)),
    tools: tools.map(({ name, at, value: { first: _first, ...said } }): ToolDeclaration => ({ name, ...said, at })),
    agents: there(raw.agents, (agent) => agentRow(agent, known, faults)),
    human: marksOf(raw.human, known, faults),
    reviewers: raw.reviewers ?? [],
    rules: [
      ...there(raw.rules, (rule) => soundly(rule, ruleOf(rule, known, compileWhen, faults))),
      ...tools.flatMap(({ name, at, value }) => (value.first === undefined ? [] : [firstCallOf(name, at)])),
    ],
    approvals: approvalsOf(raw.approvals?.value),
    ...(raw.headless === undefined ? {} : { headless: raw.headless }),
    limits: there(raw.limits, (limit) => soundly(limit, limitOf(limit, known, compileWhen, faults))),
    ...(raw.channels === undefined ? {} : { channels: raw.channels }),
    ...(raw.box === undefined ? {} : { box: boxOf(raw.box) }),
    ...(raw.root === undefined ? {} : { root: raw.root }),
  };
}

/** The parts without errors. */
function there<T, U>(items: readonly T[] | undefined, read: (item: T) => U | undefined): readonly U[] {
  return (items ?? []).map(read).filter((item) => item !== undefined);
}

/** Parts read after an error are checked for further errors, and then dropped. */
function soundly<T>({ sound }: { sound: boolean }, made: T): T | undefined {
  return sound ? made : undefined;
}

/** An unreadable rule or limit may still have a match with a typing mistake in it. */
function matchesOfUnread(tree: Tree, raw: RawPolicy, look: (match: RawMatch) => void): void {
  const told = collectFaults();
  for (const key of ["rules", "limits"] as const) {
    const read = new Set((raw[key] ?? []).map(({ at }) => at));
    const list = valueAt(tree, key);
    for (const item of list?.is === "list" ? list.items : []) {
      const given = read.has(item.at) ? undefined : valueAt(item, "match");
      const found = given === undefined ? undefined : match.read(given, told);
      if (found !== undefined) look(found);
    }
  }
}

function membersOf(tree: Tree | undefined) {
  return tree?.is === "map" ? tree.members : [];
}

function valueAt(tree: Tree, key: string): Tree | undefined {
  return membersOf(tree).find((member) => member.key === key)?.value;
}

function has(tree: Tree, key: string): boolean {
  return valueAt(tree, key) !== undefined;
}

/** The positions of settings that are compared with others; undefined if they have errors. */
function approvalPlaces({ approvals }: RawPolicy, tree: Tree): ApprovalPlaces | undefined {
  if (approvals?.sound === false) return undefined;
  return { quorum: approvals?.value.quorum?.at ?? tree.at, escalate: approvals?.value.escalate?.at ?? tree.at };
}

type RawAgent = NonNullable<RawPolicy["agents"]>[number] extends Named<infer T> ? Named<T> : never;

function agentRow({ name, at, value }: RawAgent, known: KnownNames, faults: Faults): AgentRow {
  const tiers = there(value.tiers, (row) => tierRow(row, known, faults));
  return {
    name,
    ...(value.tier === undefined ? {} : { tier: { tier: value.tier.value, at: value.tier.at } }),
    tiers,
    ...(value.owner === undefined ? {} : { owner: value.owner }),
    reviewers: value.reviewers ?? [],
    ...(value.channels === undefined ? {} : { channels: value.channels }),
    at,
  };
}

function marksOf(raw: RawPolicy["human"], known: KnownNames, faults: Faults): HumanMarks {
  if (raw === undefined) return NO_MARKS;
  if (raw.value === true) return { ...NO_MARKS, all: true, at: raw.at };
  const { tools = [], classes = [], agents = [], not = [] } = raw.value;
  const names = there(tools, (tool) => toolName(tool, known, faults));
  return { all: false, tools: names, classes, agents, not, at: raw.at };
}

function boxOf({ value, at }: NonNullable<RawPolicy["box"]>): BoxSettings {
  const { write = [], network = [], limits, ...rest } = value;
  return { ...rest, write, network, ...(limits === undefined ? {} : { limits: boxLimitsOf(limits) }), at };
}

function boxLimitsOf({
  memory,
  processes,
  time,
}: NonNullable<NonNullable<RawPolicy["box"]>["value"]["limits"]>): BoxLimits {
  return {
    ...(memory === undefined ? {} : { memoryBytes: memory }),
    ...(processes === undefined ? {} : { processes }),
    ...(time === undefined ? {} : { timeMs: time }),
  };
}

function approvalsOf(raw: NonNullable<RawPolicy["approvals"]>["value"] | undefined): Partial<ApprovalSettings> {
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
