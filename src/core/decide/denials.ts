import { actorsOf, type ToolCall } from "../call.ts";
import { readArguments } from "../classify/arguments.ts";
import { toolsNamedIn } from "../classify/guessed.ts";
import { type Effect, type Maybe, type MaybeTarget, readingsFor } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import type { Match, Policy, Rule } from "../policy.ts";
import { presetDenies } from "../tables/presets.ts";
import { saysUnread } from "../tables/unread.ts";
import { rankOf } from "../tier.ts";
import { canonicalTool, namesServer, otherToolNames, saysServed } from "../tool-name.ts";
import { globMatches, mayMeet } from "../values/glob.ts";
import type { CompiledPolicy } from "./compile.ts";
import { rowMessage } from "./explain.ts";
import { type Ground, groundOf } from "./ground.ts";
import { judge } from "./judge.ts";
import { mayConcern } from "./match.ts";
import {
  beginsAmong,
  commandMayMatch,
  commandPatternFor,
  domainMatches,
  domainPattern,
  pathPatterns,
  segmentsOf,
} from "./patterns.ts";
import type { Standing } from "./standing.ts";
import { toolRow } from "./tool-view.ts";
import { isAboutClass } from "./ways-of-writing.ts";

const DENY = rankOf("deny");

const ASK = rankOf("ask");

/**
 * The unread part may contain anything. If a rule or row denies something that may be in it, the call is denied.
 * Otherwise an agent could make a command so long that nobody reads it, and turn a deny into a question.
 */
export function unreadDenials(call: ToolCall, effect: Effect, { layers, scopes }: Standing): readonly Ground[] {
  return [...layers, ...scopes].flatMap((layer) => {
    const unread = readingsFor(effect, layer.policy).flatMap(({ notes }) => notes.filter(saysUnread))[0];
    if (unread === undefined) return [];
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
  return preset !== undefined && presetDenies(preset.name) ? say("part.preset", { name: preset.name }) : undefined;
}

/** If a word is known only at run time and could be something that is denied, the call is denied. */
export function maybeDenials(
  call: ToolCall,
  effect: Effect,
  maybe: Maybe,
  standing: Standing,
  nowMs: number,
): readonly Ground[] {
  const found = partDenials(call, effect, maybe, standing, nowMs);
  return maybe.targets.length === 0 ? found : [...found, ...targetDenials(call, maybe.targets, standing)];
}

function partDenials(
  call: ToolCall,
  effect: Effect,
  maybe: Maybe,
  standing: Standing,
  nowMs: number,
): readonly Ground[] {
  const [first, ...rest] = maybe.guesses === undefined ? maybe.parts : [...maybe.parts, ...maybe.guesses];
  if (first === undefined) return [];
  const { rank, deciding } = judge(call, { ...effect, parts: [first, ...rest] }, standing, nowMs);
  return rank === DENY ? deciding : [];
}

function targetDenials(call: ToolCall, targets: readonly MaybeTarget[], standing: Standing): readonly Ground[] {
  const canonical = canonicalTool(call.tool);
  const actors = actorsOf(call);
  return [...standing.layers, ...standing.scopes].flatMap(({ policy }) => {
    const denies = ({ tier, match }: Rule) =>
      tier === "deny" && actors.some((actor) => mayConcern(match, { call, actor, canonical }));
    const rule = policy.rules.find((one) => denies(one) && targets.some((target) => mayBe(one, target, policy)));
    const why = say("note.open_word_may_be_denied");
    return rule === undefined
      ? []
      : [groundOf(DENY, { by: "unread", what: say("part.rule", { name: rule.name }), why }, { policy })];
  });
}

function mayBe(rule: Rule, target: MaybeTarget, policy: Policy): boolean {
  const { match, tier } = rule;
  if (target.class !== undefined && !isAboutClass(rule, target.class)) return false;
  switch (target.kind) {
    case "path":
      return mayLead(match, [target.path], target.recursive, policy);
    case "paths":
      return mayLead(match, target.paths, target.recursive, policy);
    case "command":
      return match.command?.some((pattern) => commandMayMatch(commandPatternFor(pattern, tier), target)) === true;
    case "commands":
      return match.command?.some((pattern) => beginsAmong(commandPatternFor(pattern, tier), target)) === true;
    case "domain":
      return match.domain?.some((pattern) => mayBeHost(pattern, target)) === true;
    case "mentioned":
      return match.domain?.some((pattern) => isMentioned(pattern, target)) === true;
  }
}

function mayLead(match: Match, paths: readonly string[], recursive: boolean, policy: Policy): boolean {
  const patterns = match.path?.flatMap((pattern) => pathPatterns(pattern, policy)) ?? [];
  if (patterns.length === 0) return false;
  return paths
    .map(segmentsOf)
    .some((path) => patterns.some((one) => namesAny(one, path) && mayMeet(one, path, recursive)));
}

function mayBeHost(text: string, { domain, open }: Extract<MaybeTarget, { kind: "domain" }>): boolean {
  const pattern = domainPattern(text);
  if (!open) return domainMatches(pattern, domain);
  // A pattern for all subdomains allows anything before the domain.
  return pattern.is !== "exact" || pattern.domain.startsWith(domain);
}

/**
 * A word with a dot may also be a file. A word with a file extension counts as a domain only if a rule names that
 * domain in full.
 */
function isMentioned(text: string, { addresses, names }: Extract<MaybeTarget, { kind: "mentioned" }>): boolean {
  const pattern = domainPattern(text);
  if (addresses.some((host) => domainMatches(pattern, host))) return true;
  if (pattern.is === "any" || (!pattern.domain.includes(".") && FILE_ENDINGS.has(pattern.domain))) return false;
  return names.some((name) => domainMatches(pattern, name));
}

/**
 * A name in an unknown folder does not match a rule for everything in another folder, unless the rule names that
 * file.
 */
function namesAny(pattern: readonly string[], path: readonly string[]): boolean {
  if (path[0] !== "**" || path.length === 1 || pattern.at(-1) !== "**") return true;
  const folder = pattern.findLast((segment) => segment !== "**");
  const mayHold = (i: number) => i > 1 && path[i] === "**" && pattern.includes(path[i - 1] ?? "");
  return folder === undefined || path.some((name, i) => globMatches(folder, name) || mayHold(i));
}

/**
 * What a policy denies or asks about a tool applies under every name that a host may give it, and when an unknown
 * tool is told to call it. Otherwise another spelling of its server, or a tool that calls tools, could bypass the
 * policy.
 */
export function renamedGrounds(call: ToolCall, effect: Effect, { layers, scopes }: Standing): readonly Ground[] {
  const isUnknown = effect.parts.some(({ class: kind }) => kind === "unknown");
  const told = (isUnknown ? toolsNamedIn(readArguments(call.args)) : undefined) ?? [];
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

/** File endings that are also ends of domains: a word such as `build.sh` does not look like a host. */
const FILE_ENDINGS: ReadonlySet<string> = new Set(
  (
    "sh py rs md zip pl so ai ps cc ml mk in la js ts tf as bz cat cd cs doc el ex fs go gz hs java jar json kt log lua mo mov nim nu pm " +
    "pub rb sc sql st tar tex toml txt vi vim vue bin exe lock bat cmd"
  ).split(" "),
);
