import type { ToolCall } from "../call.ts";
import type { Part } from "../effect.ts";
import { rankOf } from "../tier.ts";
import type { Ground } from "./compiled.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { presetTier } from "./preset.ts";
import type { Promoted } from "./promotion.ts";
import { toolRow } from "./tier-rows.ts";
import type { ToolView } from "./tool-view.ts";

const DENY = rankOf("deny");

/** The agent and the part; and the tool's row, if the agent's general row was found first. */
export type PartAsked = {
  readonly call: ToolCall;
  readonly actor: string;
  readonly part: Part;
  readonly classAt: number;
  passedOver: Ground | undefined;
};

/**
 * What the rows of one layer say about one part. The first match wins: agent+tool, agent+class, agent, tool, class,
 * policy, preset.
 */
export function baselineOf(
  layer: CompiledPolicy,
  view: ToolView,
  unit: PartAsked,
  promoted: Promoted | undefined,
): Ground | undefined {
  const { part, classAt: at } = unit;
  const agent = layer.agents.get(unit.actor);
  if (agent !== undefined && (agent.tools.size > 0 || agent.globs.length > 0)) {
    const row = toolRow(agent, unit.call.tool, view.canonical);
    if (row !== undefined) return row;
  }
  const ofClass = promoted?.classes[at] ?? agent?.classes[at];
  if (ofClass !== undefined) return ofClass;
  const general = promotedRow(promoted, at) ?? agent?.tier;
  if (general !== undefined) unit.passedOver = view.row;
  return generalRow(layer, view, general, at) ?? presetGround(layer, part);
}

/** A `deny` for the tool or the class applies even if the other one, or the agent's general row, was found first. */
function generalRow(layer: CompiledPolicy, view: ToolView, agent: Ground | undefined, at: number): Ground | undefined {
  const tool = view.row;
  const ofClass = layer.rows.classes[at];
  if (tool !== undefined && tool.rank === DENY) return tool;
  if (ofClass !== undefined && ofClass.rank === DENY) return ofClass;
  return agent ?? tool ?? ofClass ?? layer.tier;
}

function promotedRow(promoted: Promoted | undefined, at: number): Ground | undefined {
  return promoted !== undefined && (promoted.reaches & (1 << at)) !== 0 ? promoted.general : undefined;
}

function presetGround(layer: CompiledPolicy, part: Part): Ground | undefined {
  return layer.preset?.grounds[rankOf(presetTier(layer.preset.name, part))];
}
