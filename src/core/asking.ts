import { actorsOf } from "./actors.ts";
import type { ToolCall } from "./call.ts";
import type { CompiledPolicy } from "./compile.ts";
import type { Ground } from "./compiled.ts";
import type { Asking } from "./decision.ts";
import { APPROVAL_DEFAULTS, type ApprovalSettings, type Policy } from "./policy.ts";
import type { Standing } from "./standing.ts";

/** How people are to be asked: the strictest of what the layers and the deciding rules say. */
export function askingOf(call: ToolCall, standing: Standing, deciding: readonly Ground[]): Asking {
  const { layers, scopes } = standing;
  const outermost = layers[0];
  if (layers.length === 1 && scopes.length === 0 && outermost !== undefined && isOrdinary(outermost, deciding, call)) {
    return outermost.asking;
  }
  const inner = [...layers.slice(1), ...scopes];
  const first = outermost === undefined ? outermostSettings({}) : settingsIn(outermost, deciding, outermostSettings);
  let settings: ApprovalSettings = first;
  for (const layer of inner)
    settings = tightened(
      settings,
      settingsIn(layer, deciding, (own) => own),
    );
  return { ...settings, reviewers: reviewerLists([...layers, ...scopes], deciding, actorsOf(call)) };
}

/** What a policy says by itself, where no rule or agent row says more: made once. */
export function ordinaryAsking(policy: Policy): Asking {
  return {
    ...outermostSettings(policy.approvals),
    reviewers: policy.reviewers.length === 0 ? [] : [policy.reviewers],
  };
}

function isOrdinary(layer: CompiledPolicy, deciding: readonly Ground[], call: ToolCall): boolean {
  if (layer.agentsNameReviewers && actorsOf(call).some((actor) => layer.agents.get(actor)?.row.reviewers.length))
    return false;
  for (let i = 0; i < deciding.length; i++) {
    const rule = deciding[i]?.rule;
    if (rule !== undefined && saysHow(rule)) return false;
  }
  return true;
}

function saysHow(rule: NonNullable<Ground["rule"]>): boolean {
  return rule.quorum !== undefined || rule.expiresMs !== undefined || rule.reviewers.length > 0;
}

function outermostSettings(own: Partial<ApprovalSettings>): ApprovalSettings {
  return { ...APPROVAL_DEFAULTS, ...own };
}

/** A rule's own quorum and expiry replace its layer's; of several deciding rules the larger and the shorter count. */
function settingsIn<S extends Partial<ApprovalSettings>>(
  layer: CompiledPolicy,
  deciding: readonly Ground[],
  base: (own: Partial<ApprovalSettings>) => S,
): S {
  const settings = base(layer.policy.approvals);
  const mine = deciding.filter((ground) => ground.policy === layer.policy);
  if (!mine.some(({ rule }) => rule !== undefined && saysHow(rule))) return settings;
  const quorums = mine.flatMap(({ rule }) => rule?.quorum ?? settings.quorum ?? []);
  const expiries = mine.flatMap(({ rule }) => rule?.expiresMs ?? settings.expiresMs ?? []);
  return {
    ...settings,
    ...(quorums.length === 0 ? {} : { quorum: Math.max(...quorums) }),
    ...(expiries.length === 0 ? {} : { expiresMs: Math.min(...expiries) }),
  };
}

/** An inner layer never loosens: it may ask more people, sooner, and surer, never fewer. */
function tightened(outer: ApprovalSettings, own: Partial<ApprovalSettings>): ApprovalSettings {
  const escalate = outer.escalate ?? own.escalate;
  return {
    quorum: Math.max(outer.quorum, own.quorum ?? 0),
    expiresMs: Math.min(outer.expiresMs, own.expiresMs ?? outer.expiresMs),
    permitMs: Math.min(outer.permitMs, own.permitMs ?? outer.permitMs),
    ...(escalate === undefined ? {} : { escalate }),
    selfReview: outer.selfReview && own.selfReview !== false,
    assurance: outer.assurance === "person" || own.assurance === "person" ? "person" : "any",
  };
}

/** A review from each list: those of deciding rules, else of the agent's row, else of the layer; each list once. */
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
