import { actorsOf, digestOf, type ToolCall } from "../call.ts";
import { canonicalDomain, isAddressLiteral } from "../classify/addresses/url.ts";
import { boundEffect } from "../classify/facts.ts";
import { isAbsolute, isUnder, normalise, parentOf } from "../classify/path.ts";
import { type CommandTarget, type Effect, type Level, levelSatisfies, type Part, type Target } from "../effect.ts";
import { say } from "../messages/message.ts";
import { endMs, type Grant, type GrantCover, type GrantPattern, type GrantSubject } from "../standing/grant.ts";
import { pushedTo } from "../tables/project/branch-push.ts";
import { isEverydayRun } from "../tables/project/runners.ts";
import { rankOf } from "../tier.ts";
import { isForOutside } from "./box/fits.ts";
import { grantedBox, markBareCall } from "./box/walls.ts";
import { type Ground, groundOf } from "./ground.ts";
import { judge, judgeTrusted } from "./judge.ts";
import type { Standing } from "./standing.ts";

const ASK = rankOf("ask");

const NOTIFY = rankOf("notify");

const AUTO = rankOf("auto");

/** Everything that turns an `ask` into something looser. */
export type Lift = { ground: Ground; grant?: Grant };

/**
 * A lift changes an ordinary `ask`, and `notify` if it leads to `auto`. The loosest lift counts; a person's grant
 * comes first. If an effect is not fully understood, only `teacher` is possible, because the cap would undo every
 * other lift.
 */
export function liftOf(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  from: number,
  teacher: Grant | undefined,
  nowMs: number,
): Lift | undefined {
  if ((from !== ASK && from !== NOTIFY) || (standing.grants.length === 0 && standing.callback === undefined)) {
    return undefined;
  }
  const granted = effect.understood === "fully" ? bestGrant(call, effect, standing, from, nowMs) : taught(teacher);
  const useful = granted !== undefined && granted.rank > from ? liftBy(granted.grant, granted.rank) : undefined;
  if (useful !== undefined && (teacher !== undefined || useful.ground.rank === AUTO)) return useful;
  return allowed(standing) ?? useful;
}

/** Whether a live grant covers the call, needed or not: one of a person, or one of this policy callback. */
export function isCoveredBy(
  by: "person" | { callback: string },
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  nowMs: number,
): boolean {
  const isTheirs = ({ grantedBy }: Grant) =>
    by === "person" ? "person" in grantedBy : "callback" in grantedBy && grantedBy.callback === by.callback;
  const own = { ...standing, grants: standing.grants.filter(({ grant }) => isTheirs(grant)) };
  if (own.grants.length === 0) return false;
  const found =
    effect.understood === "fully"
      ? bestGrant(call, effect, own, BELOW_ALL, nowMs)
      : teacherOf(call, effect, own, nowMs);
  return found !== undefined;
}

const BELOW_ALL = -1;

/** The grant that explains an unknown tool, if there is one. */
export function teacherOf(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Grant | undefined {
  if (effect.understood === "fully") return undefined;
  const teaching = standing.grants.filter(({ grant }) => teaches(grant, call, effect));
  return bestGrant(call, effect, { ...standing, grants: teaching }, 0, nowMs)?.grant;
}

function taught(teacher: Grant | undefined): Lifting | undefined {
  return teacher === undefined ? undefined : { grant: teacher, rank: rankOf(teacher.tier) };
}

export function liftBy(grant: Grant, rank: number = rankOf(grant.tier)): Lift {
  const tier = rank === NOTIFY ? "notify" : grant.tier;
  return { ground: groundOf(rank, { by: "grant", id: grant.id, tier }), grant };
}

function allowed({ callback }: Standing): Lift | undefined {
  if (callback?.answer !== "allow") return undefined;
  const because = say("reason.program_allows");
  return { ground: groundOf(AUTO, { by: "callback", name: callback.name, tier: "auto", because }) };
}

/** A grant, and the tier to which it lifts the call. */
type Lifting = { grant: Grant; rank: number };

function bestGrant(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  from: number,
  nowMs: number,
): Lifting | undefined {
  let best: (Held & Lifting) | undefined;
  for (const held of standing.grants) {
    const { grant, usesLeft } = held;
    if (usesLeft <= 0 || rankOf(grant.tier) <= from || isPaused(grant, standing)) continue;
    const rank = liftedTo(grant, call, effect, standing, nowMs);
    if (rank === undefined || rank <= from) continue;
    if (best === undefined || isBetter({ ...held, rank }, best)) best = { ...held, rank };
  }
  return best;
}

type Held = Standing["grants"][number];

/**
 * A grant for a command does not mean that nobody should be told about the files it writes: `notify` for other parts
 * stays.
 */
function liftedTo(grant: Grant, call: ToolCall, effect: Effect, standing: Standing, nowMs: number): number | undefined {
  const whole = rankOf(grant.tier);
  const ranks = whole === NOTIFY ? [NOTIFY] : [whole, NOTIFY];
  return ranks.find((rank) => {
    const needed = neededFor(grant, rank, { call, effect, standing, nowMs });
    return (
      covers(grant, call, needed, nowMs, effect) &&
      conditionsHold(grant, call, { effect, needed, rank }, standing, nowMs)
    );
  });
}

/** Whether a grant lets this call run without a question: it covers what asks, and its conditions hold. */
export function answers(
  grant: Grant,
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  nowMs: number,
  asking: Effect = askingParts(call, effect, standing, nowMs),
): boolean {
  const isTrust = grant.covers.projectContainers !== undefined;
  const needed = isTrust ? neededFor(grant, NOTIFY, { call, effect, standing, nowMs }) : asking;
  return (
    covers(grant, call, needed, nowMs) && conditionsHold(grant, call, { effect, needed, rank: NOTIFY }, standing, nowMs)
  );
}

/**
 * The parts that this grant must cover. Containers of the project change its files without walls anyway, so whoever trusts them is not
 * asked about the files beside them.
 */
function neededFor(
  { covers: { projectContainers } }: Grant,
  rank: number,
  { call, effect, standing, nowMs }: { call: ToolCall; effect: Effect; standing: Standing; nowMs: number },
): Effect {
  const here = projectContainers === undefined ? markBareCall(call, effect, standing) : unmarkBareCall(standing);
  return needing(rank, call, effect, here, nowMs);
}

function unmarkBareCall({ box, ...standing }: Standing): Standing {
  if (box === undefined) return standing;
  const { bare: _, ...given } = box;
  return { ...standing, box: given };
}

/** What a grant needs besides covering the parts: a box for the call, and for what is a project's own the question of a preset. */
function conditionsHold(
  { covers: { inBox, projectCode, projectContainers }, grantedBy }: Grant,
  call: ToolCall,
  { effect, needed, rank }: { effect: Effect; needed: Effect; rank: number },
  standing: Standing,
  nowMs: number,
): boolean {
  if (inBox === true && grantedBox(call, effect, standing) === undefined) return false;
  if (projectCode === undefined && projectContainers === undefined) return true;
  // Trust is for commands that Leeway reads itself, not for a tool that a person had to explain.
  if (effect.declared !== undefined || effect.byOrganisation !== undefined) return false;
  // Only a preset asks because nobody can read code; whoever wrote a row or a rule means it.
  return "person" in grantedBy && judgeTrusted(call, needed, standing, nowMs).rank >= rank;
}

/** The parts that ask or are stricter: a grant must cover them for the call to run. */
export function askingParts(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Effect {
  return needing(NOTIFY, call, effect, markBareCall(call, effect, standing), nowMs);
}

/**
 * The parts that only a grant of this rank would allow: `cd src && npm test` needs one only for the tests. A part
 * judged alone is never looser than together with others, because the strictest wins.
 */
function needing(rank: number, call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Effect {
  // What the organisation asks about a tool that others have explained is about the whole call.
  if (effect.parts.length === 1 || effect.understood !== "fully" || effect.byOrganisation !== undefined) return effect;
  const [first, ...rest] = effect.parts.filter(
    (part) => judge(call, { ...effect, parts: [part] }, standing, nowMs).rank < rank,
  );
  return first === undefined ? effect : { ...effect, parts: [first, ...rest] };
}

/**
 * The looser one first, then the one that needs no box, then the one with more uses left, then the one for exactly this call, because a wider one may be
 * needed for another call, then the older id.
 */
function isBetter(a: Held & Lifting, b: Held & Lifting): boolean {
  if (a.rank !== b.rank) return a.rank > b.rank;
  const [boxedA, boxedB] = [a.grant.covers.inBox === true, b.grant.covers.inBox === true];
  if (boxedA !== boxedB) return boxedB;
  if (a.usesLeft !== b.usesLeft) return a.usesLeft > b.usesLeft;
  const [exactA, exactB] = [a.grant.covers.exact !== undefined, b.grant.covers.exact !== undefined];
  return exactA === exactB ? a.grant.id < b.grant.id : exactA;
}

/**
 * A person's grant for exactly this tool and definition counts as understanding an unknown tool. This is never so for
 * a tool that takes commands, because its name does not say what runs.
 */
function teaches(grant: Grant, call: ToolCall, effect: Effect): boolean {
  const { tool } = grant.covers;
  return (
    "person" in grant.grantedBy &&
    tool !== undefined &&
    tool.name === call.tool &&
    tool.definition === call.definition &&
    effect.parts.every((part) => part.class === "unknown" && part.targets.every((one) => one.kind !== "command"))
  );
}

function isPaused(grant: Grant, standing: Standing): boolean {
  return standing.pauses.some(({ scope, state }) => state === "set" && scope.of === "grant" && scope.name === grant.id);
}

/**
 * Whether a grant covers this call: it must cover every target of every part. `whole` is the effect of the call with the
 * parts that need no grant.
 */
export function covers(grant: Grant, call: ToolCall, effect: Effect, nowMs: number, whole: Effect = effect): boolean {
  return (
    isLive(grant, nowMs) &&
    grant.workspace === call.workspace &&
    isFor(grant.subject, call) &&
    saysSomething(grant.covers) &&
    toolFits(grant.covers, call) &&
    isExactly(grant.covers, call, whole) &&
    isUnderstoodEnough(grant.covers, effect) &&
    effect.parts.every((part) => coversPart(grant.covers, part, call))
  );
}

function isLive(grant: Grant, nowMs: number): boolean {
  return grant.state === "live" && nowMs < endMs(grant);
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

/** A grant without class, tool, project and target covers nothing, not everything. */
export function saysSomething({ targets, ...cover }: GrantCover): boolean {
  const named = [cover.class, cover.tool, cover.projectCode, cover.projectContainers];
  return named.some((one) => one !== undefined) || targets.length > 0;
}

/** The exact name and definition that were granted; a changed definition is another tool. */
function toolFits({ tool }: GrantCover, call: ToolCall): boolean {
  return tool === undefined || (tool.name === call.tool && tool.definition === call.definition);
}

/** A step of a plan was approved as it was shown: for the same bytes, paths and files. */
function isExactly({ exact }: GrantCover, call: ToolCall, effect: Effect): boolean {
  return exact === undefined || (exact.digest === digestOf(call) && exact.effect === boundEffect(effect));
}

/** The cover of a grant for exactly this call, which would do exactly this. */
export function exactCover(call: ToolCall, effect: Effect): GrantCover {
  const { tool: name, definition } = call;
  const tool = { name, ...(definition === undefined ? {} : { definition }) };
  return { exact: { digest: digestOf(call), effect: boundEffect(effect) }, tool, targets: [], level: "admin" };
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
  if (cover.projectCode !== undefined && !runsCodeOf(cover.projectCode, part)) return false;
  if (cover.projectContainers !== undefined && part.projectContainers !== cover.projectContainers) return false;
  if (!levelSatisfies(cover.level, part.level)) return false;
  if (cover.targets.length === 0) return part.targets.every((target) => levelSatisfies(cover.level, target.level));
  return (
    part.targets.length > 0 && part.targets.every((target) => coversTarget(cover.targets, cover.level, target, call))
  );
}

/** A script whose name says that it sends something away is asked about, as it is where boxes are made. */
function runsCodeOf(project: string, part: Part): boolean {
  return part.projectCode === project && !isForOutside(part);
}

function coversTarget(patterns: readonly GrantPattern[], level: Level, target: Target, call: ToolCall): boolean {
  return levelSatisfies(level, target.level) && patterns.some((pattern) => patternCovers(pattern, target, call));
}

/** A pattern covers only targets of its own kind. */
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
  if (pattern.rest === "branches") return isPushOf(pattern.words, target.words);
  const rest = pattern.words.at(-1) === "*";
  const words = rest ? pattern.words.slice(0, -1) : pattern.words;
  if (rest ? target.words.length < words.length : target.words.length !== words.length) return false;
  return (rest || words.length > 0) && words.every((word, i) => word === target.words[i]);
}

/** Options may stand before the remote, so these words are not compared one by one. */
function isPushOf(granted: readonly string[], words: readonly string[]): boolean {
  const [git, push, remote, rest] = granted;
  const isBranches = git === "git" && push === "push" && rest === "*" && granted.length === 4;
  return isBranches && remote !== undefined && pushedTo(words) === remote;
}

function isSameFolder(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return isAbsolute(a) && isAbsolute(b) && normalise(a) === normalise(b);
}
