import type { ToolCall } from "../../src/core/call.ts";
import { rowFor } from "../../src/core/classify/known-tool.ts";
import { isUnder } from "../../src/core/classify/path.ts";
import type { BoxOffer } from "../../src/core/decide/box/fits.ts";
import { commandMatches, commandPatternFor } from "../../src/core/decide/patterns.ts";
import type { Effect, Part, Target } from "../../src/core/effect.ts";
import type { ArgTest, BoxedClass, Match, Policy } from "../../src/core/policy.ts";
import { isStricter, type Tier } from "../../src/core/tier.ts";
import { canonicalTool, toolGlobMatches } from "../../src/core/tool-name.ts";
import { atPointer, type Json } from "../../src/core/values/json.ts";

/** One target of one part, for one agent of the chain. */
export type Case = {
  call: ToolCall;
  effect: Effect;
  actor: string;
  part: Part;
  target: Target | undefined;
  nowMs: number;
  /** Set if the call is judged as it would be in a box, and walls bound this part. */
  walledAs?: BoxedClass | undefined;
  /** Set if a person trusts the code: presets let it run. */
  isTrusted?: true;
  /** Set if the call would run without the walls that could be made here. */
  bare?: BoxOffer | undefined;
  /** Set if it is tried what the call is in a rehearsal: its project, and the policies that are asked again about every file in it. */
  later?: { project: string; policies: readonly Policy[] } | undefined;
};

/**
 * `tightens`: it is unknown whether it applies, or it reads claims, or it is about something below a recursive target, or it says
 * `fs.write` and the file is written in another way.
 */
export function ruleHolds(rule: Policy["rules"][number], one: Case, policy: Policy): "yes" | "no" | "tightens" {
  const { match, tier } = rule;
  const found = holds(match, one, policy, tier);
  const named = found === "tightens" && isOfNoWrittenFile(rule, one, policy) ? "no" : found;
  const { part, target } = one;
  const writes = target?.kind === "path" && ["write", "execute", "admin"].includes(target.level);
  const asks = rule.human || !isStricter("ask", tier);
  if (named !== "no" || !asks || !writes || !match.class?.includes("fs.write") || !WAYS.includes(part.class))
    return named;
  const { class: _, ...others } = match;
  if (match.path === undefined) return holds(others, one, policy, tier) === "no" ? "no" : "tightens";
  const path = split(target.path);
  const counts = match.path.filter((written) =>
    absolute(written, policy).some(
      (pattern) => segments(pattern, path) || pattern.indexOf("**") === -1 || pattern.indexOf("**") > path.length,
    ),
  );
  return counts.some((written) => holds({ ...others, path: [written] }, one, policy, tier) !== "no")
    ? "tightens"
    : "no";
}

/** It asks about writing alone, and what it found is only read, or is some file below that will be asked about by its name. */
function isOfNoWrittenFile({ match, tier, human }: Policy["rules"][number], one: Case, policy: Policy): boolean {
  const { part, target, later } = one;
  const isAboutWriting = match.class?.every((name) => name === "fs.write" || WAYS.includes(name));
  if (part.class !== "fs.write" || target?.kind !== "path" || match.path === undefined) return false;
  if (human || tier === "deny" || match.class?.includes("fs.write") !== true || isAboutWriting !== true) return false;
  const path = split(target.path);
  const patterns = match.path.flatMap((written) => absolute(written, policy));
  if (patterns.some((pattern) => segments(pattern, path))) return false;
  const writes = (level: string) => ["write", "execute", "admin"].includes(level);
  const isWritten = part.targets.some(
    (other) => other.kind === "path" && other.path === target.path && writes(other.level),
  );
  if (!isWritten) return true;
  const isIn = later !== undefined && isUnder(target.path, later.project) && later.policies.includes(policy);
  const { class: _, path: __, agent, ...others } = match;
  const isPlain = Object.keys(others).length === 0 && agent?.every((name) => !/[*?]/.test(name)) !== false;
  const holding = patterns.filter((pattern) => below(pattern, path));
  return isIn && isPlain && holding.every((pattern) => pattern.slice(0, path.length + 1).includes("**"));
}

const WAYS = ["fs.copy", "fs.move", "deploy.write", "permissions.change", "schedule.write"];

export function holds(match: Match, one: Case, policy: Policy, tier: Tier = "auto"): "yes" | "no" | "tightens" {
  const { part, call } = one;
  const plain =
    any(match.agent, (name) => glob(name, one.actor)) &&
    any(match.tool, (name) => toolMatches(name, call.tool)) &&
    any(match.mcp, (name) => toolMatches(`mcp:${name}`, call.tool)) &&
    any(match.class, (name) => name === part.class) &&
    any(match.capability, (name) => glob(name, part.capability)) &&
    any(match.method, (name) => name.toUpperCase() === part.method?.toUpperCase()) &&
    any(match.reach, (name) => name === part.reach) &&
    any(match.understood, (name) => name === one.effect.understood) &&
    (match.reversible === undefined || match.reversible === part.reversible);
  const args = (match.args ?? []).map(({ pointer, test }) => argHolds(test, atPointer(call.args, pointer)));
  if (!plain || args.includes("no")) return "no";
  const aimed = aims(match, one, policy, tier);
  const when = match.when?.holds({ call: { claims: call.claims, args: call.args }, effect: {}, context: {} });
  if (aimed === "no" || (match.when !== undefined && when === false)) return "no";
  if (match.when !== undefined && (when === undefined || match.when.readsClaims)) return "tightens";
  return args.includes("unknown") ? "tightens" : aimed;
}

export function toolMatches(pattern: string, tool: string): boolean {
  return /[*?]/.test(pattern) ? toolGlobMatches(pattern, tool) : canonicalTool(pattern) === canonicalTool(tool);
}

function any<T>(wanted: readonly T[] | undefined, test: (one: T) => boolean): boolean {
  return wanted === undefined || wanted.some(test);
}

function aims(match: Match, { call, target }: Case, policy: Policy, tier: Tier): "yes" | "no" | "tightens" {
  if (match.path !== undefined) {
    if (target?.kind !== "path") return "no";
    const path = split(target.path);
    const patterns = match.path.flatMap((pattern) => absolute(pattern, policy));
    if (patterns.some((pattern) => segments(pattern, path))) return "yes";
    return target.recursive && patterns.some((pattern) => below(pattern, path)) ? "tightens" : "no";
  }
  if (match.command !== undefined) {
    // A command without a program, which only a rule for every command matches.
    if (target?.kind === "tool" && (target.tool === "" || rowFor(call.tool)?.row.command !== undefined))
      return match.command.some((pattern) => pattern.trim() === "*") ? "yes" : "no";
    if (target?.kind !== "command") return "no";
    const matches = (pattern: string) => commandMatches(commandPatternFor(pattern, tier), target.words);
    return match.command.some(matches) ? "yes" : "no";
  }
  if (match.domain === undefined) return "yes";
  if (target?.kind !== "domain") return "no";
  return match.domain.some((pattern) => domain(pattern, target.domain)) ? "yes" : "no";
}

function absolute(pattern: string, { root, home }: Policy): string[][] {
  if (pattern.startsWith("/")) return [split(pattern)];
  if (pattern.startsWith("~")) {
    return (home === undefined ? ["/home/*", "/root", "/Users/*"] : [home]).map((at) => split(at + pattern.slice(1)));
  }
  return [root === undefined ? ["**", ...split(pattern)] : [...split(root), ...split(pattern)]];
}

function split(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function segments([first, ...rest]: readonly string[], path: readonly string[]): boolean {
  if (first === undefined) return path.length === 0;
  if (first === "**") return path.some((_, i) => segments(rest, path.slice(i))) || segments(rest, []);
  return path.length > 0 && glob(first, path[0] ?? "") && segments(rest, path.slice(1));
}

/** Whether the pattern could match anything below the path. */
function below([first, ...rest]: readonly string[], path: readonly string[]): boolean {
  if (path.length === 0 || first === "**") return true;
  return first !== undefined && glob(first, path[0] ?? "") && below(rest, path.slice(1));
}

const regexes = new Map<string, RegExp>();

function glob(pattern: string, text: string): boolean {
  const known = regexes.get(pattern);
  if (known !== undefined) return known.test(text);
  const source = [...pattern].map((c) =>
    c === "*" ? ".*" : c === "?" ? "." : c.replace(/[.+^${}()|[\]\\/-]/g, "\\$&"),
  );
  regexes.set(pattern, new RegExp(`^${source.join("")}$`, "s"));
  return glob(pattern, text);
}

function domain(pattern: string, name: string): boolean {
  if (pattern === "*") return true;
  return pattern.startsWith("*.") ? `.${name}`.endsWith(pattern.slice(1)) : pattern === name;
}

function argHolds(test: ArgTest, value: Json | undefined): "yes" | "no" | "unknown" {
  if (test.is === "any") {
    const answers = test.of.map((one) => argHolds(one, value));
    return (["yes", "unknown"] as const).find((answer) => answers.includes(answer)) ?? "no";
  }
  if (test.is !== "range" && (value === undefined || value === null))
    return test.is === "value" && value === test.value ? "yes" : "no";
  if (test.is !== "range" && typeof value === "object")
    return test.is === "value" && test.value === null ? "no" : "unknown";
  if (test.is === "glob")
    return glob(test.glob, String(value)) ? (typeof value === "string" ? "yes" : "unknown") : "no";
  if (test.is === "value") return scalarHolds(test.value, value as Scalar);
  if (value !== undefined && typeof value !== "number") return "unknown";
  return value !== undefined && value >= (test.min ?? -Infinity) && value <= (test.max ?? Infinity) ? "yes" : "no";
}

type Scalar = string | number | boolean;

/** Values of the same type are equal or not. Text may be read as any type, and a text that reads as the value may be it. */
function scalarHolds(wanted: Json, value: Scalar): "yes" | "no" | "unknown" {
  if (wanted === null || typeof wanted === typeof value) return wanted === value ? "yes" : "no";
  const alike = [`${wanted}`.toLowerCase() === `${value}`, Number(wanted) === Number(value), typeof value === "string"];
  return alike.includes(true) ? "unknown" : "no";
}
