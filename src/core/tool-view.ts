import { type Ground, groundOf } from "./compiled.ts";
import { isGlob } from "./glob.ts";
import type { RuleIndex } from "./indexes/rules.ts";
import { addTo, newSlot, type Slot } from "./indexes/slot.ts";
import { toolHolds } from "./match.ts";
import type { Policy } from "./policy.ts";
import { TIERS } from "./tier.ts";
import { type TierRows, toolRow } from "./tier-rows.ts";
import { toolGlobMatches } from "./tool-glob.ts";
import { canonicalTool } from "./tool-name.ts";

/** All that a layer says of one tool by its name, looked up once per name and kept. */
export type ToolView = {
  readonly canonical: string;
  readonly row: Ground | undefined;
  readonly slots: readonly Slot[];
  readonly human: Ground | undefined;
};

export type ToolViews = { of(tool: string): ToolView };

/** Agents choose tool names, so the views kept are bounded. */
const VIEWS_MAX = 4096;

export function newToolViews(rules: RuleIndex, rows: TierRows, policy: Policy): ToolViews {
  const kept = new Map<string, ToolView>();
  return {
    of: (tool) => {
      const known = kept.get(tool);
      if (known !== undefined) return known;
      if (kept.size >= VIEWS_MAX) kept.clear();
      const view = viewOf(tool, rules, rows, policy);
      kept.set(tool, view);
      return view;
    },
  };
}

function viewOf(tool: string, rules: RuleIndex, rows: TierRows, policy: Policy): ToolView {
  const canonical = canonicalTool(tool);
  const exact = rules.tools.get(canonical);
  const globbed = rules.toolGlobs.filter(({ match }) => toolHolds(match, tool, canonical));
  const slot = newSlot();
  for (const { rule } of globbed) addTo(slot, rule);
  return {
    canonical,
    row: toolRow(rows, tool, canonical),
    slots: [...(exact === undefined ? [] : [exact]), ...(globbed.length === 0 ? [] : [slot])],
    human: humanMark(tool, canonical, policy),
  };
}

function humanMark(tool: string, canonical: string, policy: Policy): Ground | undefined {
  const { tools, at } = policy.human;
  const name = tools.find((marked) =>
    isGlob(marked) ? toolGlobMatches(marked, tool) : canonicalTool(marked) === canonical,
  );
  if (name === undefined) return undefined;
  const mark = `tool ${name}`;
  return groundOf(
    TIERS.length,
    { by: "human", mark, layer: policy.source, ...(at === undefined ? {} : { at }) },
    { policy },
  );
}
