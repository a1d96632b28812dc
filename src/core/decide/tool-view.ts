import { rowFor } from "../classify/known-tool.ts";
import type { BaselineRow } from "../decision.ts";
import { classIndex, type EffectClass, forEachClass } from "../effect.ts";
import { say } from "../messages/message.ts";
import type { AgentRow, Policy, TierRow } from "../policy.ts";
import { rankOf, TIERS } from "../tier.ts";
import { canonicalTool, otherToolNames, toolGlobMatches, toolReadings } from "../tool-name.ts";
import { literalPrefixLength } from "../values/glob.ts";
import { type CompiledRule, type Ground, groundOf } from "./ground.ts";
import { mayNameTool, toolHolds } from "./match.ts";
import { addTo, newSlot, type RuleIndex, type RuleSlot } from "./rule-index.ts";

const ASK = rankOf("ask");

/** Rows of `tiers`, by class and by tool. */
export type TierRows = {
  readonly classes: readonly (Ground | undefined)[];
  readonly tools: ReadonlyMap<string, Ground>;
  readonly globs: readonly { glob: string; ground: Ground }[];
};

export type AgentRows = TierRows & { readonly row: AgentRow; readonly tier: Ground | undefined };

export function tierRows(rows: readonly TierRow[], policy: Policy, agent?: string): TierRows {
  const classes = forEachClass<Ground>();
  const tools = new Map<string, Ground>();
  const globs: { glob: string; ground: Ground }[] = [];
  for (const row of rows) {
    const ground = groundOfRow(row, policy, agent);
    // What denies or asks is found by every reading of the name in the row.
    const names = row.for === "class" || ground.rank > ASK ? [row.name] : [row.name, ...toolReadings(row.name)];
    if (row.for === "glob") globs.push(...[...new Set(names)].map((glob) => ({ glob, ground })));
    else if (row.for === "tool") {
      for (const key of names.map(canonicalTool)) tools.set(key, stricter(ground, tools.get(key)));
    } else {
      const index = classIndex(row.name as EffectClass);
      classes[index] = stricter(ground, classes[index]);
    }
  }
  // Best first: the longer literal prefix, then the stricter tier.
  globs.sort((a, b) => literalPrefixLength(b.glob) - literalPrefixLength(a.glob) || a.ground.rank - b.ground.rank);
  return { classes, tools, globs };
}

export function agentRows(row: AgentRow, policy: Policy): AgentRows {
  const tier =
    row.tier === undefined
      ? undefined
      : ground(policy, { of: "agent", name: row.name }, row.tier.tier, row.tier.at, { named: true });
  return { ...tierRows(row.tiers, policy, row.name), row, tier };
}

/** Exact names beat globs. */
export function toolRow(rows: TierRows, tool: string, canonical: string): Ground | undefined {
  return rows.tools.get(canonical) ?? rows.globs.find(({ glob }) => toolGlobMatches(glob, tool))?.ground;
}

function stricter(a: Ground, b: Ground | undefined): Ground {
  return b === undefined || a.rank < b.rank ? a : b;
}

function groundOfRow(row: TierRow, policy: Policy, agent: string | undefined): Ground {
  const kind = row.for === "class" ? "class" : "tool";
  const named: BaselineRow =
    agent === undefined ? { of: kind, name: row.name } : { of: `agent+${kind}`, name: `${agent} ${row.name}` };
  return ground(policy, named, row.tier, row.at, { named: agent !== undefined });
}

function ground(policy: Policy, row: BaselineRow, tier: TierRow["tier"], at: TierRow["at"], by: { named: boolean }) {
  return groundOf(rankOf(tier), { by: "baseline", row, tier, layer: policy.source, at }, { policy, ...by });
}

/** Everything that a layer says about one tool by its name, looked up once per name and kept. */
export type ToolView = {
  readonly canonical: string;
  readonly row: Ground | undefined;
  readonly slots: readonly RuleSlot[];
  readonly human: Ground | undefined;
  /** True if another tool may be meant by this name; the fast path does not handle such a tool. */
  readonly renamed: boolean;
  /** A call of this tool is a command, even if no program is found in it. */
  readonly givesCommands: boolean;
};

export type ToolViews = {
  readonly kept: Map<string, ToolView>;
  readonly rules: RuleIndex;
  readonly rows: TierRows;
  readonly policy: Policy;
};

/** Agents choose tool names, so the size of this cache is limited. */
const VIEWS_MAX = 4096;

export function newToolViews(rules: RuleIndex, rows: TierRows, policy: Policy): ToolViews {
  return { kept: new Map(), rules, rows, policy };
}

export function viewOf(views: ToolViews, tool: string): ToolView {
  return views.kept.get(tool) ?? keep(views, tool);
}

function keep(views: ToolViews, tool: string): ToolView {
  const { kept, rules, rows, policy } = views;
  const canonical = canonicalTool(tool);
  const exact = rules.tools.get(canonical);
  const globbed = rules.toolGlobs
    .filter(({ match, rule }) => toolHolds(match, { tool, canonical, allows: rule.rank > ASK }))
    .map(({ rule }) => rule);
  const found = [...globbed, ...strictUnderOtherReadings(rules, tool)];
  const slot = newSlot();
  for (const rule of found) addTo(slot, rule);
  const view: ToolView = {
    canonical,
    row: toolRow(rows, tool, canonical),
    slots: [...(exact === undefined ? [] : [exact]), ...(found.length === 0 ? [] : [slot])],
    human: humanMark(tool, policy),
    renamed: otherToolNames(tool).length > 0,
    givesCommands: givesCommands(tool),
  };
  if (kept.size >= VIEWS_MAX) kept.clear();
  kept.set(tool, view);
  return view;
}

/** Rules with an exact name that deny or ask, if the name may be that of this tool. */
function strictUnderOtherReadings(rules: RuleIndex, tool: string): readonly CompiledRule[] {
  const readings = toolReadings(tool);
  if (readings.length < 2) return [];
  const slots = readings.flatMap((name) => rules.tools.get(canonicalTool(name)) ?? []);
  const found = slots.flatMap(({ all, own }) => [...all, ...[...(own?.values() ?? [])].flat()]);
  return [...new Set(found)].filter(({ rank }) => rank <= ASK);
}

function humanMark(tool: string, policy: Policy): Ground | undefined {
  const { tools, at } = policy.human;
  const name = tools.find((marked) => mayNameTool(marked, tool));
  if (name === undefined) return undefined;
  const mark = say("part.tool", { name });
  return groundOf(
    TIERS.length,
    { by: "human", mark, layer: policy.source, ...(at === undefined ? {} : { at }) },
    { policy },
  );
}

/** A call of such a tool is a command, even if no program is found in it. */
export function givesCommands(tool: string): boolean {
  return rowFor(tool)?.row.command !== undefined;
}
