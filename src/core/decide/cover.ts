import type { ToolCall } from "../call.ts";
import { isAbsolute, isUnder, normalise, parentOf } from "../classify/path.ts";
import { canonicalDomain, isAddressLiteral } from "../classify/url.ts";
import { type CommandTarget, type Effect, type Level, levelSatisfies, type Part, type Target } from "../effect.ts";
import { GRANT_MS_DEFAULT, type Grant, type GrantCover, type GrantPattern, type GrantSubject } from "../grant.ts";
import { isEverydayRun } from "../tables/runners.ts";
import { actorsOf } from "./actors.ts";

/** Whether a grant covers this call: it must cover every target of every part. */
export function covers(grant: Grant, call: ToolCall, effect: Effect, nowMs: number): boolean {
  return (
    isLive(grant, nowMs) &&
    grant.workspace === call.workspace &&
    isFor(grant.subject, call) &&
    saysSomething(grant.covers) &&
    toolFits(grant.covers, call) &&
    isUnderstoodEnough(grant.covers, effect) &&
    effect.parts.every((part) => coversPart(grant.covers, part, call))
  );
}

function isLive(grant: Grant, nowMs: number): boolean {
  if (grant.state !== "live") return false;
  const bounded = grant.untilMs !== undefined || grant.usesMax !== undefined;
  const untilMs = grant.untilMs ?? (bounded ? Number.POSITIVE_INFINITY : grant.createdMs + GRANT_MS_DEFAULT);
  return nowMs < untilMs;
}

/**
 * A call of a sub-agent belongs to its whole chain; a grant for one agent never covers another agent with the same
 * name.
 */
function isFor(subject: GrantSubject, call: ToolCall): boolean {
  return (
    (subject.agent === undefined || actorsOf(call).every((agent) => agent === subject.agent)) &&
    (subject.session === undefined || subject.session === call.session) &&
    (subject.run === undefined || subject.run === call.run) &&
    (subject.person === undefined || subject.person === call.requestedBy)
  );
}

/** A grant without class, tool and target covers nothing, not everything. */
function saysSomething(cover: GrantCover): boolean {
  return cover.class !== undefined || cover.tool !== undefined || cover.targets.length > 0;
}

/** The exact name and definition that were granted; a changed definition is another tool. */
function toolFits({ tool }: GrantCover, call: ToolCall): boolean {
  return tool === undefined || (tool.name === call.tool && tool.definition === call.definition);
}

/**
 * A call that is not fully understood is covered only by a grant for exactly that tool, and never if the tool takes
 * commands.
 */
function isUnderstoodEnough(cover: GrantCover, effect: Effect): boolean {
  if (effect.understood === "fully") return true;
  const commands = effect.parts.some((part) => part.class === "process.exec" || part.targets.some(isCommand));
  return cover.tool !== undefined && !commands;
}

function isCommand(target: Target): target is CommandTarget {
  return target.kind === "command";
}

function coversPart(cover: GrantCover, part: Part, call: ToolCall): boolean {
  if (cover.class !== undefined && cover.class !== part.class) return false;
  if (!levelSatisfies(cover.level, part.level)) return false;
  if (cover.targets.length === 0) return part.targets.every((target) => levelSatisfies(cover.level, target.level));
  return (
    part.targets.length > 0 && part.targets.every((target) => coversTarget(cover.targets, cover.level, target, call))
  );
}

function coversTarget(patterns: readonly GrantPattern[], level: Level, target: Target, call: ToolCall): boolean {
  return levelSatisfies(level, target.level) && patterns.some((pattern) => patternCovers(pattern, target, call));
}

/** Kinds never cover each other. */
function patternCovers(pattern: GrantPattern, target: Target, call: ToolCall): boolean {
  if (pattern.kind === "path" && target.kind === "path") return pathCovers(pattern, target);
  if (pattern.kind === "domain" && target.kind === "domain") return domainCovers(pattern.pattern, target);
  if (pattern.kind === "command" && target.kind === "command") return commandCovers(pattern, target, call);
  return pattern.kind === "tool" && target.kind === "tool" && pattern.tool === target.tool;
}

/** Compared by whole path segments. A grant that is not recursive does not cover a call that is. */
function pathCovers(
  pattern: Extract<GrantPattern, { kind: "path" }>,
  target: Extract<Target, { kind: "path" }>,
): boolean {
  // `.` or an empty path would mean whatever the current folder is.
  if (!isAbsolute(pattern.path) || !isAbsolute(target.path)) return false;
  const folder = normalise(pattern.path);
  const path = normalise(target.path);
  if (pattern.recursive) return isUnder(path, folder);
  return !target.recursive && (path === folder || parentOf(path) === folder);
}

/**
 * `*.x` is x and all its subdomains. A port must be named, unless it is the default port or the grant is for any
 * domain.
 */
function domainCovers(pattern: string, target: Extract<Target, { kind: "domain" }>): boolean {
  if (pattern === "*") return true;
  const [, name = "", port] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? [];
  if ((port === undefined ? undefined : Number(port)) !== target.port) return false;
  const wanted = canonicalDomain(name);
  if (!wanted.startsWith("*.")) return wanted !== "" && wanted === target.domain;
  const below = wanted.slice(2);
  if (below === "" || isAddressLiteral(target.domain)) return false;
  return target.domain === below || target.domain.endsWith("." + below);
}

/** Compared by words. With another folder or a variable in front it is another command. */
function commandCovers(
  pattern: Extract<GrantPattern, { kind: "command" }>,
  target: CommandTarget,
  call: ToolCall,
): boolean {
  if (target.words.length === 0 || target.env.length > 0) return false;
  if (!isSameFolder(pattern.cwd ?? call.cwd, target.cwd)) return false;
  if (pattern.rest === "everyday" && !isEverydayRun(target.words)) return false;
  const rest = pattern.words.at(-1) === "*";
  const words = rest ? pattern.words.slice(0, -1) : pattern.words;
  if (rest ? target.words.length < words.length : target.words.length !== words.length) return false;
  return (rest || words.length > 0) && words.every((word, i) => word === target.words[i]);
}

function isSameFolder(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return isAbsolute(a) && isAbsolute(b) && normalise(a) === normalise(b);
}
