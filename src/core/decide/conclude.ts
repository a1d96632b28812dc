import { actorsOf, type ToolCall } from "../call.ts";
import type { Code } from "../codes.ts";
import type { Asking, Cause, Decision, Outcome } from "../decision.ts";
import { classesOf, type Effect, type EffectClass, type Part, readingsFor } from "../effect.ts";
import { APPROVAL_DEFAULTS, type ApprovalSettings, type Policy } from "../policy.ts";
import type { Grant } from "../standing/grant.ts";
import { rankOf, type Tier, tierAt } from "../tier.ts";
import type { Hash } from "../values/hash.ts";
import { type Caps, NO_CAPS } from "./caps.ts";
import type { CompiledPolicy } from "./compile.ts";
import { causesOf, type Ground, hasGround, NO_GROUNDS, type Tally, withGround } from "./ground.ts";
import type { Standing } from "./standing.ts";
import { viewOf } from "./tool-view.ts";

const DENY = rankOf("deny");

const SUGGEST = rankOf("suggest");

const ASK = rankOf("ask");

/** From a tier to an outcome: needs-human, permit and headless, in that order. */
export function concluded(
  call: ToolCall,
  tally: Tally,
  standing: Standing,
  human: HumanGrounds,
  caps: Caps,
  grant: Grant | undefined,
): Decision {
  const { permit } = standing;
  const needsHuman = human.marks.length > 0;
  const waits = tally.rank === ASK || tally.rank === SUGGEST || (needsHuman && tally.rank > ASK);
  const reviewed = waits && permit !== undefined && !(needsHuman && permit.approvedInBulk);
  const headless = tally.rank === ASK && !needsHuman && !reviewed && !standing.canAsk;
  const tier = headless ? headlessTier(standing) : tierAt(tally.rank);
  const code = reviewed ? undefined : headless ? "LEEWAY_HEADLESS" : codeOf(tally, needsHuman);
  const outcome = reviewed ? "run" : code === "LEEWAY_NEEDS_HUMAN" ? "denied" : outcomeOf(tier);
  const rests = needsHuman ? [...tally.deciding, ...human.marks] : tally.deciding;
  const causes = causesOf(rests);
  const considered = consideredOf(tally, human.lifted);
  const asking = askingOf(call, standing, rests);
  const { limits } = caps;
  const { policyVersion } = standing;
  // Two complete literals without spreading, because this object is created for every call.
  const decision: Mutable<Decision> =
    code === undefined
      ? { tier, outcome, needsHuman, causes, considered, limits, asking, policyVersion }
      : { tier, outcome, code, needsHuman, causes, considered, limits, asking, policyVersion };
  if (headless) decision.causes = [...causes, { by: "headless", tier }];
  if (outcome === "run" && grant !== undefined) decision.grant = grant.id;
  if (outcome === "run" && permit !== undefined) {
    decision.permit = permit.executionId;
    decision.causes = [...causes, { by: "permit", executionId: permit.executionId }];
  }
  return decision;
}

/** The same as `concluded`, for calls without a needs-human mark, a permit or a limit, and with people to ask. */
export function concludedPlainly(
  rank: number,
  causes: readonly Cause[],
  considered: readonly Cause[],
  asking: Asking,
  policyVersion: Hash,
): Decision {
  const tier = tierAt(rank);
  const outcome = outcomeOf(tier);
  const code = rank === DENY ? "LEEWAY_DENIED" : CODE_OF[tier];
  const { limits } = NO_CAPS;
  return code === undefined
    ? { tier, outcome, needsHuman: false, causes, considered, limits, asking, policyVersion }
    : { tier, outcome, code, needsHuman: false, causes, considered, limits, asking, policyVersion };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function codeOf(tally: Tally, needsHuman: boolean): Code | undefined {
  if (tally.rank === DENY) return denialCode(tally);
  if (needsHuman && tally.rank >= ASK) return "LEEWAY_NEEDS_HUMAN";
  return tally.rank > SUGGEST ? undefined : CODE_OF[tierAt(tally.rank)];
}

const CODE_OF: { readonly [T in Tier]?: Code } = { shadow: "LEEWAY_SHADOWED", suggest: "LEEWAY_SUGGESTED" };

/** Retryable only if limits are the only reason for the refusal. */
function denialCode(tally: Tally): Code {
  return tally.deciding.every(({ cause }) => cause.by === "limit") ? "LEEWAY_LIMIT" : "LEEWAY_DENIED";
}

/** The strictest setting of any layer for what `ask` becomes if nobody can answer. */
function headlessTier({ layers, scopes }: Standing): "deny" | "suggest" {
  const denies = (layer: Standing["layers"][number]) => layer.policy.headless === "deny";
  return layers.some(denies) || scopes.some(denies) ? "deny" : "suggest";
}

function consideredOf({ outweighed, deciding }: Tally, lifted: readonly Ground[]): readonly Cause[] {
  if (lifted.length === 0 && outweighed.length === 0) return causesOf(outweighed);
  const told = deciding.some((ground) => hasGround(outweighed, ground))
    ? outweighed.filter((ground) => !hasGround(deciding, ground))
    : outweighed;
  return causesOf(lifted.length === 0 ? told : [...told, ...lifted]);
}

function outcomeOf(tier: Tier): Outcome {
  switch (tier) {
    case "deny":
      return "denied";
    case "shadow":
    case "suggest":
      return "not_executed";
    case "ask":
      return "pending";
    case "notify":
    case "auto":
      return "run";
  }
}

/** The needs-human marks, and the preset marks that the outermost layer removed. */
type HumanGrounds = { marks: readonly Ground[]; lifted: readonly Ground[] };

type Lifts = ReadonlyMap<EffectClass, Ground> | undefined;

const NONE: HumanGrounds = { marks: NO_GROUNDS, lifted: NO_GROUNDS };

/** Marks of all layers add up. `not` counts only in the outermost layer, and only against a mark of a preset. */
export function humanMarks(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  fromRules: readonly Ground[],
): HumanGrounds {
  const { layers, scopes } = standing;
  if (fromRules.length === 0 && !anyMark(layers, effect) && !anyMark(scopes, effect)) return NONE;
  const actors = actorsOf(call);
  const found = { marks: fromRules, lifted: NO_GROUNDS };
  const not = layers[0]?.marks.not;
  for (const layer of layers) addMarks(found, layer, call, effect, actors, not);
  for (const layer of scopes) addMarks(found, layer, call, effect, actors, not);
  return found;
}

function anyMark(layers: readonly CompiledPolicy[], effect: Effect): boolean {
  for (let i = 0; i < layers.length; i++) {
    const { marks, policy } = layers[i] as CompiledPolicy;
    const { byName, bits } = marks;
    if (byName || (bits !== 0 && (bits & classesOf(partsOf(effect, policy))) !== 0)) return true;
  }
  return false;
}

function addMarks(
  found: HumanGrounds,
  layer: CompiledPolicy,
  call: ToolCall,
  effect: Effect,
  actors: readonly string[],
  not: Lifts,
): void {
  const { all, agents, classes, preset } = layer.marks;
  mark(found, all);
  mark(found, viewOf(layer.tools, call.tool).human);
  for (const actor of actors) mark(found, agents.get(actor));
  for (const part of partsOf(effect, layer.policy)) {
    mark(found, classes.get(part.class));
    const lift = preset.has(part.class) ? not?.get(part.class) : undefined;
    if (lift === undefined) mark(found, preset.get(part.class));
    else found.lifted = withGround(found.lifted, lift);
  }
}

function mark(found: HumanGrounds, ground: Ground | undefined): void {
  if (ground !== undefined) found.marks = withGround(found.marks, ground);
}

/**
 * The parts of the call in every reading that counts for the policy, including what a program may be if it only has the name of a known one. What a
 * text among its words would be as a command is a guess, and marks nothing.
 */
function partsOf(effect: Effect, policy: Policy): readonly Part[] {
  return readingsFor(effect, policy).flatMap(({ parts, maybe }) =>
    maybe === undefined ? parts : [...parts, ...maybe.parts],
  );
}

/**
 * How people are asked. Of the accepted files only those that set something count, and of them the strictest;
 * otherwise the default. Layers from code and files that nobody accepted can then make the result stricter.
 */
function askingOf(call: ToolCall, standing: Standing, deciding: readonly Ground[]): Asking {
  const { layers, scopes } = standing;
  const only = layers.length === 1 && scopes.length === 0 ? layers[0] : undefined;
  if (only !== undefined && isOrdinary(only, deciding, call)) return only.asking;
  const said = (some: readonly CompiledPolicy[]) => some.map((layer) => settingsIn(layer, deciding));
  const files = layers.filter((layer) => layer.policy.beside !== true);
  const beside = layers.filter((layer) => layer.policy.beside === true);
  const ofFiles = { ...APPROVAL_DEFAULTS, ...said(files).reduce(stricter, {}) };
  const settings = { ...ofFiles, ...said([...beside, ...scopes]).reduce(stricter, ofFiles) };
  return { ...settings, reviewers: reviewerLists([...layers, ...scopes], deciding, actorsOf(call)) };
}

function isOrdinary(layer: CompiledPolicy, deciding: readonly Ground[], call: ToolCall): boolean {
  if (layer.policy.beside === true) return false;
  if (layer.agentsNameReviewers && actorsOf(call).some((actor) => layer.agents.get(actor)?.row.reviewers.length))
    return false;
  return !deciding.some((ground) => ground.saysHow);
}

type Settings = Partial<ApprovalSettings>;

/**
 * A rule's own quorum and expiry replace those of its layer. Of several deciding rules, the larger quorum and the
 * shorter expiry apply.
 */
function settingsIn({ policy }: CompiledPolicy, deciding: readonly Ground[]): Settings {
  const own = policy.approvals;
  const mine = deciding.filter((ground) => ground.policy === policy);
  const quorums = mine.flatMap(({ rule }) => rule?.quorum ?? own.quorum ?? []);
  const expiries = mine.flatMap(({ rule }) => rule?.expiresMs ?? own.expiresMs ?? []);
  return {
    ...own,
    ...(quorums.length === 0 ? {} : { quorum: Math.max(...quorums) }),
    ...(expiries.length === 0 ? {} : { expiresMs: Math.min(...expiries) }),
  };
}

/** Combined setting by setting: a layer without the setting does not count; of two values the stricter one applies. */
function stricter(outer: Settings, inner: Settings): Settings {
  const all: Settings = { ...inner, ...outer };
  if (outer.quorum !== undefined && inner.quorum !== undefined) all.quorum = Math.max(outer.quorum, inner.quorum);
  if (outer.expiresMs !== undefined && inner.expiresMs !== undefined) {
    all.expiresMs = Math.min(outer.expiresMs, inner.expiresMs);
  }
  if (outer.permitMs !== undefined && inner.permitMs !== undefined) {
    all.permitMs = Math.min(outer.permitMs, inner.permitMs);
  }
  if (outer.selfReview === false || inner.selfReview === false) all.selfReview = false;
  if (outer.assurance === "person" || inner.assurance === "person") all.assurance = "person";
  return all;
}

/**
 * The lists from each of which a review is needed: those of deciding rules, else of the agent's row, else of the
 * layer; each list once.
 */
function reviewerLists(
  layers: readonly CompiledPolicy[],
  deciding: readonly Ground[],
  actors: readonly string[],
): readonly (readonly string[])[] {
  const lists = layers.flatMap((layer) => {
    const ofRules = deciding.flatMap(({ rule, policy }) =>
      rule !== undefined && policy === layer.policy ? [rule.reviewers] : [],
    );
    const ofAgents = actors.map((actor) => layer.agents.get(actor)?.row.reviewers ?? []);
    return [ofRules, ofAgents, [layer.policy.reviewers]].map(filled).find((found) => found.length > 0) ?? [];
  });
  const seen = new Map(lists.map((list) => [JSON.stringify(list), list]));
  return [...seen.values()];
}

function filled(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.filter((list) => list.length > 0);
}
