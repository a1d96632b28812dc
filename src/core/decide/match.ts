import type { ToolCall } from "../call.ts";
import { canonicalTool } from "../classify/tool-name.ts";
import type { Effect, Part } from "../effect.ts";
import type { ArgTest, Match } from "../policy.ts";
import { globMatches, isGlob } from "../values/glob.ts";
import { atPointer, type Json } from "../values/json.ts";
import type { Checks } from "./compiled.ts";
import { toolGlobMatches } from "./tool-glob.ts";
import { whenInput } from "./when-input.ts";

/** One thing to judge: a target of a part, for one agent of the call's chain. */
export type Unit = {
  readonly call: ToolCall;
  readonly effect: Effect;
  readonly nowMs: number;
  canonicalTool: string;
  actor: string;
  part: Part;
};

/** Do the keys that no index answers for hold? `undefined`: the expression failed, and nobody knows. */
export function checksHold(checks: Checks, unit: Unit): boolean | undefined {
  const { part, effect } = unit;
  if (checks.agent !== undefined && !checks.agent.some((name) => nameMatches(name, unit.actor))) return false;
  if (checks.tool !== undefined || checks.mcp !== undefined) {
    if (!toolHolds(checks, unit.call.tool, unit.canonicalTool)) return false;
  }
  if (checks.capability !== undefined && !checks.capability.some((name) => nameMatches(name, part.capability))) {
    return false;
  }
  if (checks.method !== undefined && !checks.method.some((name) => sameMethod(name, part.method))) return false;
  if (checks.reversible !== undefined && checks.reversible !== part.reversible) return false;
  if (checks.reach !== undefined && !checks.reach.includes(part.reach)) return false;
  if (checks.understood !== undefined && !checks.understood.includes(effect.understood)) return false;
  if (checks.args?.every(({ pointer, test }) => argHolds(test, atPointer(unit.call.args, pointer))) === false) {
    return false;
  }
  return checks.when === undefined ? true : checks.when.holds(whenInput(unit));
}

export function toolHolds(match: Pick<Match, "tool" | "mcp">, tool: string, canonical: string): boolean {
  return (
    (match.tool === undefined || match.tool.some((name) => namesTool(name, tool, canonical))) &&
    (match.mcp === undefined || match.mcp.some((name) => namesTool(`mcp:${name}`, tool, canonical)))
  );
}

function namesTool(pattern: string, tool: string, canonical: string): boolean {
  return isGlob(pattern) ? toolGlobMatches(pattern, tool) : canonicalTool(pattern) === canonical;
}

export function nameMatches(pattern: string, name: string): boolean {
  return isGlob(pattern) ? globMatches(pattern, name) : pattern === name;
}

function sameMethod(wanted: string, method: string | undefined): boolean {
  return method !== undefined && wanted.toUpperCase() === method.toUpperCase();
}

function argHolds(test: ArgTest, value: Json | undefined): boolean {
  switch (test.is) {
    case "value":
      return value === test.value;
    case "glob":
      return typeof value === "string" && globMatches(test.glob, value);
    case "range":
      return (
        typeof value === "number" &&
        (test.min === undefined || value >= test.min) &&
        (test.max === undefined || value <= test.max)
      );
    case "any":
      return test.of.some((one) => argHolds(one, value));
  }
}
