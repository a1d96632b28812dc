import { rowFor } from "../classify/tool-row.ts";
import { say } from "../messages/message.ts";
import type { Policy } from "../policy.ts";
import { TIERS } from "../tier.ts";
import { canonicalTool, otherToolNames, toolGlobMatches } from "../tool-name.ts";
import { isGlob } from "../values/glob.ts";
import { type Ground, groundOf } from "./compiled.ts";
import type { RuleIndex } from "./indexes/rules.ts";
import { addTo, newSlot, type RuleSlot } from "./indexes/slot.ts";
import { toolHolds } from "./match.ts";
import { type TierRows, toolRow } from "./tier-rows.ts";

/** Everything that a layer says about one tool by its name, looked up once per name and kept. */
export type ToolView = {
  readonly canonical: string;
  readonly row: Ground | undefined;
  readonly slots: readonly RuleSlot[];
  readonly human: Ground | undefined;
  /** It may be another tool with this name; the fast path does not handle that. */
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
  const globbed = rules.toolGlobs.filter(({ match }) => toolHolds(match, tool, canonical));
  const slot = newSlot();
  for (const { rule } of globbed) addTo(slot, rule);
  const view: ToolView = {
    canonical,
    row: toolRow(rows, tool, canonical),
    slots: [...(exact === undefined ? [] : [exact]), ...(globbed.length === 0 ? [] : [slot])],
    human: humanMark(tool, canonical, policy),
    renamed: otherToolNames(tool).length > 0,
    givesCommands: givesCommands(tool),
  };
  if (kept.size >= VIEWS_MAX) kept.clear();
  kept.set(tool, view);
  return view;
}

function humanMark(tool: string, canonical: string, policy: Policy): Ground | undefined {
  const { tools, at } = policy.human;
  const name = tools.find((marked) =>
    isGlob(marked) ? toolGlobMatches(marked, tool) : canonicalTool(marked) === canonical,
  );
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
