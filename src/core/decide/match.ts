import type { ToolCall } from "../call.ts";
import type { Effect, Part, Target } from "../effect.ts";
import type { ArgTest, Match, WhenInput } from "../policy.ts";
import { canonicalTool, maySameTool, toolGlobMatches, toolGlobMayMatch } from "../tool-name.ts";
import { globMatches, isGlob } from "../values/glob.ts";
import { atPointer, type Json } from "../values/json.ts";
import type { Checks } from "./ground.ts";

/** One thing to judge: a target of a part, for one agent of the call's chain. */
export type Unit = {
  readonly call: ToolCall;
  readonly effect: Effect;
  readonly nowMs: number;
  canonicalTool: string;
  actor: string;
  part: Part;
  /** Undefined if the part has no target. */
  target: Target | undefined;
};

/**
 * Whether the keys that no index checks match. `undefined`: unknown, because the expression failed or an argument has
 * another type than its test. `allows`: they belong to something that lets a call run.
 */
export function checksHold(checks: Checks, unit: Unit, allows = false): boolean | undefined {
  const { part, effect } = unit;
  if (checks.agent !== undefined && !checks.agent.some((name) => nameMatches(name, unit.actor))) return false;
  if (checks.tool !== undefined || checks.mcp !== undefined) {
    if (!toolHolds(checks, { tool: unit.call.tool, canonical: unit.canonicalTool, allows })) return false;
  }
  if (checks.capability !== undefined && !checks.capability.some((name) => nameMatches(name, part.capability))) {
    return false;
  }
  if (checks.method !== undefined && !checks.method.some((name) => sameMethod(name, part.method))) return false;
  if (checks.reversible !== undefined && checks.reversible !== part.reversible) return false;
  if (checks.reach !== undefined && !checks.reach.includes(part.reach)) return false;
  if (checks.understood !== undefined && !checks.understood.includes(effect.understood)) return false;
  const args = checks.args === undefined ? true : argsHold(checks.args, unit.call);
  if (args === false || checks.when === undefined) return args;
  const when = checks.when.holds(whenInput(unit));
  return when === true ? args : when;
}

/** Whether a rule could be about an unread part of the call: only what is known about every part can rule it out. */
export function mayConcern(match: Match, by: { call: ToolCall; actor: string; canonical: string }): boolean {
  if (match.agent !== undefined && !match.agent.some((name) => nameMatches(name, by.actor))) return false;
  if (!toolHolds(match, { tool: by.call.tool, canonical: by.canonical, allows: false })) return false;
  return match.args === undefined || argsHold(match.args, by.call) !== false;
}

function argsHold(tests: NonNullable<Match["args"]>, call: ToolCall): boolean | undefined {
  const each = tests.map(({ pointer, test }) => argHolds(test, atPointer(call.args, pointer)));
  if (each.includes(false)) return false;
  return each.includes(undefined) ? undefined : true;
}

/** A tool's name, and whether it is compared for something that lets a call run. */
type Named = { tool: string; canonical: string; allows: boolean };

export function toolHolds(match: Pick<Match, "tool" | "mcp">, named: Named): boolean {
  return (
    (match.tool === undefined || match.tool.some((name) => namesTool(name, named))) &&
    (match.mcp === undefined || match.mcp.some((name) => namesTool(`mcp:${name}`, named)))
  );
}

function namesTool(pattern: string, { tool, canonical, allows }: Named): boolean {
  if (!allows) return mayNameTool(pattern, tool);
  return isGlob(pattern) ? toolGlobMatches(pattern, tool) : canonicalTool(pattern) === canonical;
}

/** Whether a name or pattern is about a tool in at least one reading of both. */
export function mayNameTool(pattern: string, tool: string): boolean {
  return isGlob(pattern) ? toolGlobMayMatch(pattern, tool) : maySameTool(pattern, tool);
}

function nameMatches(pattern: string, name: string): boolean {
  return isGlob(pattern) ? globMatches(pattern, name) : pattern === name;
}

function sameMethod(wanted: string, method: string | undefined): boolean {
  return method !== undefined && wanted.toUpperCase() === method.toUpperCase();
}

function argHolds(test: ArgTest, value: Json | undefined): boolean | undefined {
  switch (test.is) {
    case "value":
      return isValue(test.value, value);
    case "glob":
      return likeGlob(test.glob, value);
    case "range":
      return inRange(test, value);
    case "any": {
      const each = test.of.map((one) => argHolds(one, value));
      return each.includes(true) || (each.includes(undefined) ? undefined : false);
    }
  }
}

/** Text can be read as a number or a boolean in many ways; a number or a boolean can be read as text in few. */
function isValue(wanted: Json, value: Json | undefined): boolean | undefined {
  if (value === wanted) return true;
  if (value === undefined || value === null || wanted === null || typeof value === typeof wanted) return false;
  if (typeof value === "object" || typeof value === "string") return undefined;
  return Number(wanted) === Number(value) || String(wanted).toLowerCase() === String(value) ? undefined : false;
}

function likeGlob(glob: string, value: Json | undefined): boolean | undefined {
  if (value === undefined || value === null) return false;
  if (typeof value === "string") return globMatches(glob, value);
  return typeof value === "object" || globMatches(glob, String(value)) ? undefined : false;
}

/**
 * The program that runs the call may read "600" or [600] as 600. So if there is a value that is not a number, the
 * result is unknown.
 */
function inRange({ min, max }: { min?: number; max?: number }, value: Json | undefined): boolean | undefined {
  if (value === undefined) return false;
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return (min === undefined || value >= min) && (max === undefined || value <= max);
}

/** The input of a `when` expression, with the names of `policy/when-fields.ts`; missing values are empty. */
function whenInput(unit: Unit): WhenInput {
  const { call, effect, part, target } = unit;
  const { tool, args, chain, claims, cwd = "", session = "", run = "", requestedBy = "" } = call;
  return {
    call: {
      agent: unit.actor,
      tool,
      args,
      cwd,
      session,
      run,
      chain,
      claims,
      requestedBy,
    },
    effect: {
      class: part.class,
      capability: part.capability,
      level: part.level,
      reversible: part.reversible,
      reach: part.reach,
      method: part.method ?? "",
      understood: effect.understood,
      path: target?.kind === "path" ? target.path : "",
      command: target?.kind === "command" ? target.words : [],
      domain: target?.kind === "domain" ? target.domain : "",
    },
    context: { workspace: call.workspace, nowMs: unit.nowMs },
  };
}
