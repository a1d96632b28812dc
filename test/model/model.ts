import type { ToolCall } from "../../src/core/call.ts";
import type { Code } from "../../src/core/codes.ts";
import {
  type BoxOffer,
  isAboutProcesses,
  isFileDatabase,
  isForOutside,
  walledAs,
  worksOffline,
} from "../../src/core/decide/box/fits.ts";
import { readableFor, spareIn } from "../../src/core/decide/box/packages.ts";
import { boxFor } from "../../src/core/decide/box/walls.ts";
import type { CompiledPolicy } from "../../src/core/decide/compile.ts";
import { covers } from "../../src/core/decide/grants.ts";
import { mayConcern } from "../../src/core/decide/match.ts";
import type { Standing } from "../../src/core/decide/standing.ts";
import { givesCommands } from "../../src/core/decide/tool-view.ts";
import type { Outcome } from "../../src/core/decision.ts";
import type { Effect, Part, Target } from "../../src/core/effect.ts";
import type { Match, Policy } from "../../src/core/policy.ts";
import type { Grant } from "../../src/core/standing/grant.ts";
import type { Promotion } from "../../src/core/standing/standing.ts";
import { UNREAD as UNREAD_NOTES } from "../../src/core/tables/unread.ts";
import { strictest, type Tier } from "../../src/core/tier.ts";
import { canonicalTool } from "../../src/core/tool-name.ts";
import { ALL_BOXED, answerOf, baselineOf, boxIn, isBoxPreset, PRESET_MARKED } from "./layer.ts";
import { limitsReached } from "./limits.ts";
import { type Case, ruleHolds, toolMatches } from "./match.ts";
import { isNewer, looser } from "./order.ts";

// The decision, written from the design page: no index, nothing shared between steps, every policy is evaluated each time.

export type Modelled = {
  tier: Tier;
  outcome: Outcome;
  code?: Code;
  needsHuman: boolean;
  grant?: string;
  permit?: string;
  /** It runs because a box is enough. */
  isBoxed?: boolean;
  /** It runs because of a grant that holds only in a box. */
  isGrantedInBox?: boolean;
};

/** What is asked only about some file below a folder is asked after the call ran, if then everything that it wrote is decided about. */
export function modelDecide(call: ToolCall, effect: Effect, offered: Standing, nowMs: number): Modelled {
  const atOnce = modelAtOnce(call, effect, offered, nowMs);
  const isAsked = atOnce.outcome === "pending" || atOnce.code === "LEEWAY_HEADLESS";
  if (!isAsked || offered.box?.rehearses !== true || !givesCommands(call.tool)) return atOnce;
  const trying: Standing = { ...offered, box: { ...offered.box, seesLater: true } };
  const later = modelAtOnce(call, effect, trying, nowMs);
  if (later.outcome !== "run") return atOnce;
  const lifted = later.isBoxed ? "box" : later.isGrantedInBox ? "grant" : undefined;
  const isSeen = boxFor(call, effect, offered, { outcome: "run" }, lifted)?.rehearsed === true;
  return isSeen ? { ...later, isBoxed: lifted !== "grant" } : atOnce;
}

function modelAtOnce(call: ToolCall, effect: Effect, offered: Standing, nowMs: number): Modelled {
  const given = isKeepUsable(call, effect, offered) ? offered : withoutBox(offered);
  const box = isBareCall(call, effect, given) ? given.box : undefined;
  const standing: Standing = box === undefined ? given : { ...given, box: { ...box, bare: true } };
  const closed = closedCode(call, effect, standing);
  if (closed !== undefined) return { tier: "deny", outcome: "denied", code: closed, needsHuman: false };
  const actors = [call.agent, ...call.chain];
  const later = laterIn(standing);
  const seen = (cases: readonly Case[]) => cases.map((one) => ({ ...one, later }));
  const declared = actors.flatMap((actor) => seen(casesOf(call, effect, actor, nowMs)));
  const undeclared = actors.flatMap((actor) =>
    effect.declared === undefined ? [] : seen(casesOf(call, effect.declared.without, actor, nowMs)),
  );
  const byOrganisation = actors.flatMap((actor) =>
    effect.byOrganisation === undefined ? [] : casesOf(call, effect.byOrganisation, actor, nowMs),
  );
  const policies = [...standing.layers, ...standing.scopes].map((layer) => layer.policy);
  /** The organisation's policy also counts what it knows itself about the tool. */
  const casesFor = (policy: Policy) => [
    ...declared,
    ...undeclared,
    ...(policy.organisation === true ? byOrganisation : []),
  ];
  const judged = strictest([
    ...declared.map((one) => judge(one, standing, nowMs)),
    ...heldFor(undeclared, policies, standing, nowMs),
    ...policies
      .filter((policy) => policy.organisation === true)
      .flatMap((policy) => saidAlone(policy, byOrganisation, nowMs)),
  ] as [Tier, ...Tier[]]);
  const matching = policies.flatMap((policy) =>
    policy.rules.filter((rule) => casesFor(policy).some((one) => ruleHolds(rule, one, policy) !== "no")),
  );
  const needsHuman =
    matching.some((rule) => rule.human) || policies.some((policy) => isMarked(policy, call, effect, standing));
  const plain = !needsHuman && !matching.some((rule) => rule.firm) && standing.permit === undefined;
  const grants = plain ? grantsFor(call, effect, standing, nowMs) : [];
  const teacher =
    effect.understood === "fully" ? undefined : grants.find(({ grant }) => teaches(grant, call, effect))?.grant;
  const other = plain ? bestLift(judged, grants, effect, teacher, standing) : undefined;
  // What a program allows does not help a call that is not understood.
  const needsBox = other === undefined || effect.understood !== "fully";
  const boxed =
    plain && needsBox && teacher === undefined ? inBox(judged, declared, effect, standing, nowMs) : undefined;
  const lift = boxed === undefined ? other : undefined;
  const reached = policies.flatMap((policy, i) =>
    limitsReached(policy, policies.slice(0, i), casesFor(policy), call, standing, nowMs),
  );
  const unread = [...standing.layers, ...standing.scopes].some((layer) => deniesUnread(layer, call, effect));
  const caps: Tier[] = [
    ...(unread ? (["deny"] as const) : []),
    ...(effect.understood !== "fully" && boxed === undefined && teacher === undefined ? (["ask"] as const) : []),
    ...actors.flatMap((actor) => demotedTo(standing.promotions, actor, effect, nowMs)),
    ...reached,
    ...(standing.callback?.answer === "ask" ? (["ask"] as const) : []),
    ...(standing.callback?.answer === "deny" ? (["deny"] as const) : []),
  ];
  const lifted = boxed ?? lift?.tier ?? judged;
  const tier = strictest([lifted, ...caps]);
  const onlyLimits =
    tier === "deny" &&
    lifted !== "deny" &&
    !unread &&
    standing.callback?.answer !== "deny" &&
    !actors.some((actor) => demotedTo(standing.promotions, actor, effect, nowMs).includes("deny"));
  const raisedBy = lift !== undefined && looser(tier, judged) ? lift.grant : undefined;
  const used = raisedBy ?? (looser(tier, "ask") ? teacher?.id : undefined);
  const isKept =
    plain && needsBox && teacher === undefined && judged === "notify" && keepsBox(call, effect, standing, nowMs);
  const isBoxed = (boxed !== undefined || isKept) && looser(tier, "ask");
  const usedGrant = standing.grants.find(({ grant }) => grant.id === used)?.grant;
  const isGrantedInBox = usedGrant?.covers.inBox === true && looser(tier, "ask");
  return { ...ending(tier, needsHuman, onlyLimits, standing), ...grantOf(used, tier), isBoxed, isGrantedInBox };
}

/** Former bytes are kept of everything that a tool, which gives no commands, writes by its name. */
function isKeepUsable({ tool }: ToolCall, { parts, understood }: Effect, { box }: Standing): boolean {
  if (box?.kept === undefined) return true;
  const { paths } = box.kept;
  if (givesCommands(tool) || understood !== "fully" || paths.length === 0) return false;
  return parts.every(
    ({ targets }) =>
      targets.length > 0 &&
      targets.every(
        (target) =>
          target.kind === "path" &&
          (["none", "read"].includes(target.level) || (!target.recursive && paths.includes(target.path))),
      ),
  );
}

function withoutBox({ box: _, ...rest }: Standing): Standing {
  return rest;
}

/** What only tightens cannot take away the box that the accepted files want. */
function keepsBox(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): boolean {
  const layers = standing.layers.filter(({ policy }) => policy.beside !== true);
  const accepted = { ...standing, layers, scopes: [] };
  const cases = [call.agent, ...call.chain].flatMap((actor) => casesOf(call, effect, actor, nowMs));
  const judged = strictest(cases.map((one) => judge(one, accepted, nowMs)) as [Tier, ...Tier[]]);
  return inBox(judged, cases, effect, accepted, nowMs) !== undefined;
}

/** What the call is in a box: only a question about code that nobody reads gets looser, and only if every layer wants boxes. */
function inBox(
  judged: Tier,
  cases: readonly Case[],
  effect: Effect,
  standing: Standing,
  nowMs: number,
): Tier | undefined {
  const box = boxIn(standing);
  const from = effect.understood !== "fully" && looser(judged, "ask") ? "ask" : judged;
  if (box === undefined || (from !== "ask" && from !== "notify")) return undefined;
  if (effect.understood === "not" && !(box.rehearses && isUnreadText(cases, effect, standing))) return undefined;
  if (effect.declared !== undefined) return undefined;
  if (!takesCommands(cases) && box.kept === undefined) return undefined;
  if (wantsNoBox(effect)) return undefined;
  const layers = [...standing.layers, ...standing.scopes].map(({ policy }) => policy);
  const wants = (policy: Policy) => policy.box?.for ?? (isBoxPreset(policy) ? ALL_BOXED : []);
  const refuses = (policy: Policy) =>
    policy.box?.for === undefined ? policy.preset?.name === "conservative" : policy.box.for.length === 0;
  const files = standing.layers.map(({ policy }) => policy).filter(({ beside }) => beside !== true);
  const general = files.filter(({ preset, tier, box: own }) => (preset ?? tier ?? own?.for) !== undefined)[0];
  if (layers.some(refuses) || general === undefined || wants(general).length === 0) return undefined;
  const applies = cases.every(({ call }) => !givesCommands(call.tool));
  const offer = isWalledIn(effect, { ...box, packages: readableFor(effect, standing), applies });
  if (offer === undefined) return undefined;
  const { bare: _, ...walled } = box;
  const inside = { ...standing, box: walled };
  // What could not be read may be code, for every agent of the chain.
  const unread = effect.understood === "fully" ? [] : cases.map((one) => ({ ...one, part: UNREAD, target: undefined }));
  const all = [...cases, ...unread];
  const tier = strictest(
    all.map((one) => judge({ ...one, walledAs: walledAs(one.part, offer) }, inside, nowMs)) as [Tier, ...Tier[]],
  );
  return looser(tier, from) ? tier : undefined;
}

/** Bash refuses the text, and no policy may want a person for something in it. */
function isUnreadText(cases: readonly Case[], { notes }: Effect, { layers, scopes }: Standing): boolean {
  const wantsHuman = ({ policy: { human, rules } }: CompiledPolicy) =>
    human.classes.length > 0 || rules.some((rule) => rule.human && cases.some((one) => mayBeAbout(rule.match, one)));
  return notes.some((note) => note === UNREAD_NOTES.invalid) && ![...layers, ...scopes].some(wantsHuman);
}

/** Only the agent, the tool and its arguments are known about what nobody could read. */
function mayBeAbout({ agent, tool, mcp, args }: Match, one: Case): boolean {
  const known = { ...(agent && { agent }), ...(tool && { tool }), ...(mcp && { mcp }), ...(args && { args }) };
  return mayConcern(known, { call: one.call, actor: one.actor, canonical: canonicalTool(one.call.tool) });
}

/** A rule that denies, or a class that is denied, may be about what nobody could read. */
function deniesUnread({ policy }: CompiledPolicy, call: ToolCall, effect: Effect): boolean {
  if (!effect.notes.some((note) => note === UNREAD_NOTES.invalid)) return false;
  const actors = [call.agent, ...call.chain];
  const cases = actors.flatMap((actor) => casesOf(call, effect, actor, 0));
  const denied = policy.rules.some(({ tier, match }) => tier === "deny" && cases.some((one) => mayBeAbout(match, one)));
  const own = policy.agents.filter(({ name }) => actors.includes(name)).flatMap(({ tiers }) => tiers);
  return denied || [...own, ...policy.tiers].some((row) => row.for === "class" && row.tier === "deny");
}

/** What the walls are around, if they bound every part. */
function isWalledIn(effect: Effect, given: BoxOffer) {
  const box = { ...given, spare: spareIn(effect, given.packages ?? []) };
  const startsCode = effect.parts.some((part) => walledAs(part, box) === "process.exec");
  const offer = { ...box, startsCode, understood: effect.understood === "fully" };
  const fits = effect.parts.every((part) => {
    if (walledAs(part, offer) !== undefined || worksOffline(part)) return true;
    if (["none", "fs.read"].includes(part.class)) return !isForOutside(part) && !isAboutProcesses(part);
    return part.class.startsWith("fs.") && ["local", "project"].includes(part.reach);
  });
  return fits ? offer : undefined;
}

function wantsNoBox(effect: Effect): boolean {
  const commands = effect.parts.flatMap(({ targets }) => targets.filter((target) => target.kind === "command"));
  return commands.some(({ env }) => env.includes("LEEWAY_BOX"));
}

const UNREAD: Part = {
  class: "process.exec",
  capability: "process.exec",
  level: "execute",
  targets: [],
  reversible: false,
  reach: "local",
};

function takesCommands(cases: readonly Case[]): boolean {
  return cases.every(({ call }) => givesCommands(call.tool) || ["leeway.apply", "leeway.undo"].includes(call.tool));
}

/** What one policy says, whatever the others say. Nothing if it is silent. */
function saidAlone(policy: Policy, cases: readonly Case[], nowMs: number): Tier[] {
  const answers = cases.map((one) => answerOf(policy, one, baselineOf(policy, one, [], nowMs)));
  return answers.flatMap(({ says, tightens }) => [...(says === undefined ? [] : [says]), ...tightens]);
}

/** What applies to an unknown tool still applies after a declaration: every rule that does not let it run, and everything that refuses it. */
function heldFor(undeclared: readonly Case[], policies: readonly Policy[], standing: Standing, nowMs: number): Tier[] {
  const rules = policies.flatMap((policy) =>
    policy.rules.filter((rule) => undeclared.some((one) => ruleHolds(rule, one, policy) !== "no")),
  );
  return [...rules.map((rule) => rule.tier), ...undeclared.map((one) => judge(one, standing, nowMs))].filter(
    (tier, at) => (at < rules.length ? !looser(tier, "ask") : looser("ask", tier)),
  );
}

function grantOf(grant: string | undefined, tier: Tier) {
  return grant === undefined || (tier !== "auto" && tier !== "notify") ? {} : { grant };
}

function ending(
  tier: Tier,
  needsHuman: boolean,
  onlyLimits: boolean,
  { permit, canAsk, layers, scopes }: Standing,
): Modelled {
  const passes = permit !== undefined && !(needsHuman && permit.approvedInBulk);
  const withPermit = permit === undefined ? {} : { permit: permit.executionId };
  const stopped = needsHuman || tier === "ask" || tier === "suggest";
  if (tier === "deny")
    return { tier, outcome: "denied", code: onlyLimits ? "LEEWAY_LIMIT" : "LEEWAY_DENIED", needsHuman };
  if (tier === "shadow") return { tier, outcome: "not_executed", code: "LEEWAY_SHADOWED", needsHuman };
  if (!stopped || passes) return { tier, outcome: "run", needsHuman, ...withPermit };
  if (tier === "suggest") return { tier, outcome: "not_executed", code: "LEEWAY_SUGGESTED", needsHuman };
  if (needsHuman) return { tier, outcome: "denied", code: "LEEWAY_NEEDS_HUMAN", needsHuman };
  if (canAsk) return { tier, outcome: "pending", needsHuman };
  const denies = [...layers, ...scopes].some(({ policy }) => policy.headless === "deny");
  return denies
    ? { tier: "deny", outcome: "denied", code: "LEEWAY_HEADLESS", needsHuman }
    : { tier: "suggest", outcome: "not_executed", code: "LEEWAY_HEADLESS", needsHuman };
}

function closedCode(call: ToolCall, effect: Effect, standing: Standing): Code | undefined {
  const paused = standing.pauses.some(({ state, scope }) => {
    if (state !== "set") return false;
    if (scope.of === "everything") return true;
    if (scope.of === "agent") return [call.agent, ...call.chain].includes(scope.name);
    if (scope.of === "session") return scope.name === call.session;
    if (scope.of !== "tool" || canonicalTool(scope.name) !== canonicalTool(call.tool)) return false;
    const isOfAgent = scope.agent === undefined || [call.agent, ...call.chain].includes(scope.agent);
    return isOfAgent && (scope.session === undefined || scope.session === call.session);
  });
  if (paused || !standing.pausesFresh) return "LEEWAY_PAUSED";
  if (standing.noPolicy !== undefined) return "LEEWAY_POLICY_INVALID";
  if (effect.refused !== undefined) return effect.refused.code;
  return standing.quarantined ? "LEEWAY_QUARANTINED" : undefined;
}

function casesOf(call: ToolCall, effect: Effect, actor: string, nowMs: number): Case[] {
  return effect.parts.flatMap((part: Part) =>
    (part.targets.length === 0 ? [undefined] : part.targets).map((target: Target | undefined) => ({
      call,
      effect,
      actor,
      part,
      target,
      nowMs,
    })),
  );
}

/** The accepted files are asked again about each file that a rehearsed call wrote. */
function laterIn({ box, layers }: Standing): Case["later"] {
  if (box?.seesLater !== true) return undefined;
  const policies = layers.map(({ policy }) => policy).filter(({ beside }) => beside !== true);
  return { project: box.project, policies };
}

/** First the files that have an opinion, else `ask`; then scopes and unaccepted files that have one. Rules that only tighten come last. */
function judge(given: Case, standing: Standing, nowMs: number): Tier {
  const one = { ...given, later: laterIn(standing) };
  const files = standing.layers.map((layer) => layer.policy).filter((policy) => policy.beside !== true);
  const tighteners = [...standing.layers, ...standing.scopes]
    .map((layer) => layer.policy)
    .filter((policy) => !files.includes(policy));
  const named = files.filter((policy) => policy.agents.some((agent) => agent.name === one.actor));
  const promoted = named.length > 0 ? named : files.slice(0, 1);
  const promotions = standing.promotions.filter((promotion) => promotion.agent === one.actor);
  const bare = standing.box?.bare === true ? standing.box : undefined;
  const ofFiles = files.map((policy) =>
    answerOf(policy, one, baselineOf(policy, { ...one, bare }, promoted.includes(policy) ? promotions : [], nowMs)),
  );
  const ofScopes = tighteners.map((policy) => answerOf(policy, one, baselineOf(policy, { ...one, bare }, [], nowMs)));
  const spoken = ofFiles.flatMap((answer) => answer.says ?? []);
  const all = [
    ...(spoken.length === 0 ? (["ask"] as const) : spoken),
    ...ofScopes.flatMap((answer) => answer.says ?? []),
  ];
  return strictest([...all, ...[...ofFiles, ...ofScopes].flatMap((answer) => answer.tightens)] as [Tier, ...Tier[]]);
}

function isMarked(policy: Policy, call: ToolCall, effect: Effect, standing: Standing): boolean {
  const { human, preset, organisation } = policy;
  const parts = [...allParts(effect), ...(organisation === true ? (effect.byOrganisation?.parts ?? []) : [])];
  const lifted = standing.layers[0]?.policy.human.not ?? [];
  return (
    human.all ||
    human.tools.some((name) => toolMatches(name, call.tool)) ||
    parts.some((part) => human.classes.includes(part.class)) ||
    [call.agent, ...call.chain].some((actor) => human.agents.includes(actor)) ||
    (preset !== undefined && parts.some(({ class: name }) => PRESET_MARKED.includes(name) && !lifted.includes(name)))
  );
}

/** With its declaration, and as it would be without it. */
function allParts(effect: Effect): readonly Part[] {
  return [...effect.parts, ...(effect.declared?.without.parts ?? [])];
}

type Lift = { tier: Tier; grant?: string };

/** Without the parts that would run as freely by themselves. */
function needing(tier: Tier, call: ToolCall, effect: Effect, standing: Standing, nowMs: number): Effect {
  if (effect.understood !== "fully" || effect.byOrganisation !== undefined) return effect;
  const parts = effect.parts.filter((part) => {
    const alone = [call.agent, ...call.chain].flatMap((actor) =>
      casesOf(call, { ...effect, parts: [part] }, actor, nowMs),
    );
    return looser(tier, strictest(alone.map((one) => judge(one, standing, nowMs)) as [Tier, ...Tier[]]));
  });
  return parts.length === 0 ? effect : { ...effect, parts: parts as [Part, ...Part[]] };
}

/** Containers change the project's files without walls, so whoever trusts them is not asked about files beside them. */
function trusting({ covers: { projectContainers } }: Grant, standing: Standing): Standing {
  if (projectContainers === undefined || standing.box === undefined) return standing;
  const { bare: _, ...box } = standing.box;
  return { ...standing, box };
}

/** A grant, and the tier that it lifts the call to. */
type Lifting = { grant: Grant; tier: Tier };

/**
 * Live, usable, not paused, covering everything that needs it, even if only for `notify`; the one that lifts furthest first,
 * then the one with more uses, then the one for exactly this call, then the older one.
 */
function grantsFor(call: ToolCall, effect: Effect, standing: Standing, nowMs: number): readonly Lifting[] {
  const { grants, pauses } = standing;
  const paused = pauses.flatMap(({ state, scope }) => (state === "set" && scope.of === "grant" ? [scope.name] : []));
  return grants
    .filter(({ grant, usesLeft }) => usesLeft > 0 && !paused.includes(grant.id))
    .flatMap(({ grant, usesLeft }) => {
      const tiers: readonly Tier[] = [grant.tier, "notify"];
      const tier = tiers.find((one) => {
        const needed = needing(one, call, effect, trusting(grant, standing), nowMs);
        if (!covers(grant, call, needed, nowMs, effect)) return false;
        if (grant.covers.inBox && !isBoxable(call, effect, standing)) return false;
        const isTrust = grant.covers.projectCode !== undefined || grant.covers.projectContainers !== undefined;
        return !isTrust || isTrusted(one, { grant, call, needed }, standing, nowMs);
      });
      return tier === undefined ? [] : [{ grant, usesLeft, tier }];
    })
    .sort((a, b) =>
      a.tier === b.tier
        ? boxness(a) - boxness(b) ||
          b.usesLeft - a.usesLeft ||
          exactness(b) - exactness(a) ||
          (a.grant.id < b.grant.id ? -1 : 1)
        : looser(a.tier, b.tier)
          ? -1
          : 1,
    );
}

/** A person trusts the code, nobody had to explain the tool, and nothing but presets asks about it. */
function isTrusted(
  tier: Tier,
  { grant, call, needed }: { grant: Grant; call: ToolCall; needed: Effect },
  standing: Standing,
  nowMs: number,
): boolean {
  if (needed.declared !== undefined || needed.byOrganisation !== undefined) return false;
  const cases = [call.agent, ...call.chain].flatMap((actor) => casesOf(call, needed, actor, nowMs));
  const tiers = cases.map((one) => judge({ ...one, isTrusted: true }, standing, nowMs));
  return "person" in grant.grantedBy && !looser(tier, strictest(tiers as [Tier, ...Tier[]]));
}

/** Walls can be exactly as wide as the call, or they bound all the code in it. */
function isBoxable(call: ToolCall, effect: Effect, standing: Standing): boolean {
  const box = boxIn(standing);
  if (box === undefined || effect.understood !== "fully" || !givesCommands(call.tool) || wantsNoBox(effect))
    return false;
  const offer = { ...box, packages: readableFor(effect, standing) };
  return effect.parts.every(isDescribed) || isWalledIn(effect, offer) !== undefined;
}

/** Walls can be exactly as wide as the part. */
function isDescribed(part: Part): boolean {
  if (isForOutside(part) || isAboutProcesses(part) || fetches(part)) return false;
  if (["none", "fs.read", "secrets.read", "network.read"].includes(part.class) || isFileDatabase(part)) return true;
  return part.class.startsWith("fs.") || (part.class === "git.write" && part.reach === "project");
}

/** Boxes are made here and the policy wants walls around what runs anyway, but no walls are exactly as wide as the call. */
function isBareCall(call: ToolCall, effect: Effect, standing: Standing): boolean {
  if (standing.box === undefined || !givesCommands(call.tool) || effect.understood !== "fully") return false;
  const files = standing.layers.map(({ policy }) => policy).filter(({ beside }) => beside !== true);
  const opener = files.find(({ box }) => box !== undefined);
  const others = [...standing.layers, ...standing.scopes].map(({ policy }) => policy).filter((one) => one !== opener);
  const enforces = opener?.box?.enforce !== false || others.some(({ box }) => box?.enforce === true);
  return enforces && (wantsNoBox(effect) || !effect.parts.every(isDescribed));
}

/** Git signs in to get something, and keeps it in the repository; only a clone makes a new one. */
function fetches({ class: kind, targets }: Part): boolean {
  const commands = targets.flatMap((target) => (target.kind === "command" ? [target.words] : []));
  return kind === "network.read" && commands.some(([program, verb]) => program === "git" && verb !== "clone");
}

function boxness({ grant }: Lifting): number {
  return grant.covers.inBox === true ? 1 : 0;
}

function exactness({ grant }: Lifting): number {
  return grant.covers.exact === undefined ? 0 : 1;
}

/** A person's grant of exactly this tool and definition; never of one that takes commands. */
function teaches(grant: Grant, call: ToolCall, effect: Effect): boolean {
  const { tool } = grant.covers;
  const unknown = effect.parts.every(
    (part) => part.class === "unknown" && !part.targets.some((target) => target.kind === "command"),
  );
  return unknown && "person" in grant.grantedBy && tool?.name === call.tool && tool.definition === call.definition;
}

function bestLift(
  judged: Tier,
  grants: readonly Lifting[],
  effect: Effect,
  teacher: Grant | undefined,
  standing: Standing,
): Lift | undefined {
  if (judged !== "ask" && judged !== "notify") return undefined;
  const taught = teacher === undefined ? [] : [{ grant: teacher, tier: teacher.tier }];
  const candidates = effect.understood === "fully" ? grants : taught;
  const granted = candidates.find(({ tier }) => looser(tier, judged));
  const lift = granted && { tier: granted.tier, grant: granted.grant.id };
  if (lift !== undefined && (lift.tier === "auto" || teacher !== undefined)) return lift;
  return standing.callback?.answer === "allow" ? { tier: "auto" } : lift;
}

function demotedTo(promotions: readonly Promotion[], actor: string, effect: Effect, nowMs: number): Tier[] {
  const live = promotions.filter((one) => one.agent === actor && (one.untilMs === undefined || nowMs < one.untilMs));
  return live
    .filter(
      (one) =>
        one.kind === "demote" && (one.class === undefined || allParts(effect).some((part) => part.class === one.class)),
    )
    .filter((one) => live.every((other) => other.class !== one.class || other === one || isNewer(one, other)))
    .map((one) => one.tier);
}
