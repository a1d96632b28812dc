import type { ToolCall } from "../call.ts";
import { toolsNamedIn } from "../classify/guessed.ts";
import type { Effect } from "../effect.ts";
import type { Match, Rule } from "../policy.ts";
import { rankOf } from "../tier.ts";
import { canonicalTool, namesServer, otherToolNames, saysServed } from "../tool-name.ts";
import { actorsOf } from "./actors.ts";
import { type Ground, groundOf } from "./compiled.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import { mayConcern } from "./match.ts";
import type { Standing } from "./standing.ts";
import { toolRow } from "./tier-rows.ts";

const ASK = rankOf("ask");

/**
 * What a policy denies or asks about a tool applies under every name that a host may give it, and when an unknown
 * tool is told to call it. Otherwise another spelling of its server, or a tool that calls tools, could bypass the
 * policy.
 */
export function renamedGrounds(call: ToolCall, effect: Effect, { layers, scopes }: Standing): readonly Ground[] {
  const isUnknown = effect.parts.some(({ class: kind }) => kind === "unknown");
  const told = (isUnknown ? toolsNamedIn(call.args) : undefined) ?? [];
  const names = [...told.map((tool): Meant => ({ tool, sure: true })), ...[call.tool, ...told].flatMap(meantBy)];
  if (names.length === 0) return [];
  return [...layers, ...scopes].flatMap((layer) => names.flatMap((meant) => groundsOf(layer, call, meant)));
}

/** A tool that may be meant; if this is not certain, only rules that name its server count. */
type Meant = { tool: string; sure: boolean };

function meantBy(name: string): readonly Meant[] {
  return otherToolNames(name).map((tool) => ({ tool, sure: saysServed(name) || !tool.startsWith("mcp__") }));
}

/** Every rule and row of a layer that asks about a tool or is stricter. */
function groundsOf({ policy, rows, agents }: CompiledPolicy, by: ToolCall, { tool, sure }: Meant): readonly Ground[] {
  const call = { ...by, tool };
  const canonical = canonicalTool(tool);
  const actors = actorsOf(call);
  const named = (match: Match): Match =>
    sure || match.tool === undefined ? match : { ...match, tool: match.tool.filter(namesServer) };
  const holds = ({ tier, match }: Rule) =>
    rankOf(tier) <= ASK &&
    isForTools(match) &&
    (sure || match.mcp === undefined || match.mcp.some((name) => namesServer(`mcp:${name}`))) &&
    actors.some((actor) => mayConcern(named(match), { call, actor, canonical }));
  const ruled = policy.rules.filter(holds).map((rule) => {
    const { name, tier, because, at } = rule;
    return groundOf(rankOf(tier), { by: "rule", name, tier, because, layer: policy.source, at }, { rule, policy });
  });
  const own = actors.flatMap((actor) => agents.get(actor) ?? []);
  const said = [...own, rows].flatMap((one) => {
    const globs = sure ? one.globs : one.globs.filter(({ glob }) => namesServer(glob));
    return toolRow({ ...one, globs }, tool, canonical) ?? [];
  });
  return [...ruled, ...said.filter(({ rank }) => rank <= ASK)];
}

/** Other conditions of a rule are unknown for a tool that is called by another tool. */
function isForTools(match: Match): boolean {
  const { tool, mcp, agent: _agent, args: _args, ...others } = match;
  return (tool !== undefined || mcp !== undefined) && Object.keys(others).length === 0;
}
