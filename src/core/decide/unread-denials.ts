import type { ToolCall } from "../call.ts";
import { EFFECT_CLASSES, type Effect, REACHES, readingsOf } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import type { Rule } from "../policy.ts";
import { saysUnread } from "../tables/unread.ts";
import { rankOf } from "../tier.ts";
import { canonicalTool } from "../tool-name.ts";
import { actorsOf } from "./actors.ts";
import { type Ground, groundOf } from "./compiled.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { mayConcern } from "./match.ts";
import { presetTier } from "./preset.ts";
import { rowMessage } from "./row-message.ts";
import type { Standing } from "./standing.ts";

const DENY = rankOf("deny");

/**
 * The unread part may contain anything. If a rule or row denies something that may be in it, the call is denied.
 * Otherwise an agent could make a command so long that nobody reads it, and turn a deny into a question.
 */
export function unreadDenials(call: ToolCall, effect: Effect, { layers, scopes }: Standing): readonly Ground[] {
  const unread = readingsOf(effect).flatMap(({ notes }) => notes.filter(saysUnread))[0];
  if (unread === undefined) return [];
  return [...layers, ...scopes].flatMap((layer) => {
    const what = actorsOf(call).flatMap((actor) => denialOf(layer, call, actor) ?? [])[0];
    return what === undefined ? [] : [groundOf(DENY, { by: "unread", what, why: unread }, { policy: layer.policy })];
  });
}

/** The first rule or row of a layer that denies something to this agent, by its name in the policy. */
function denialOf(layer: CompiledPolicy, call: ToolCall, actor: string): Message | undefined {
  const canonical = canonicalTool(call.tool);
  const denies = ({ tier, match }: Rule) => tier === "deny" && mayConcern(match, { call, actor, canonical });
  const rule = layer.policy.rules.find(denies);
  if (rule !== undefined) return say("part.rule", { name: rule.name });
  const rows = [layer.agents.get(actor)?.classes, layer.rows.classes].flatMap((classes) => classes ?? []);
  const row = rows.find((ground) => ground?.rank === DENY);
  if (row?.cause.by === "baseline" && "name" in row.cause.row) return rowMessage(row.cause.row);
  const { preset } = layer;
  return preset !== undefined && presetDenies(layer) ? say("part.preset", { name: preset.name }) : undefined;
}

function presetDenies({ preset }: CompiledPolicy): boolean {
  if (preset === undefined) return false;
  return EFFECT_CLASSES.some((kind) =>
    REACHES.some((reach) => presetTier(preset.name, { class: kind, reach }) === "deny"),
  );
}
