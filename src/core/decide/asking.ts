import type { ToolCall } from "../call.ts";
import type { Asking } from "../decision.ts";
import { APPROVAL_DEFAULTS, type ApprovalSettings, type Policy } from "../policy.ts";
import { actorsOf } from "./actors.ts";
import type { Ground } from "./compiled.ts";
import type { CompiledPolicy } from "./compiled-policy.ts";
import type { Standing } from "./standing.ts";

/**
 * How people are asked. Of the accepted files only those that set something count, and of them the strictest;
 * otherwise the default. Layers from code and files that nobody accepted can then make the result stricter.
 */
export function askingOf(call: ToolCall, standing: Standing, deciding: readonly Ground[]): Asking {
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

/** The policy's own settings, if no rule or agent row has more; computed once. */
export function ordinaryAsking(policy: Policy): Asking {
  return Object.freeze({
    ...APPROVAL_DEFAULTS,
    ...policy.approvals,
    reviewers: policy.reviewers.length === 0 ? [] : [policy.reviewers],
  });
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
