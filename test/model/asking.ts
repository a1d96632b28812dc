import type { ToolCall } from "../../src/core/call.ts";
import type { Standing } from "../../src/core/decide/standing.ts";
import type { Asking, Cause } from "../../src/core/decision.ts";
import type { ApprovalSettings, Policy, Position, Rule } from "../../src/core/policy.ts";

// How people are asked, written from the design page: for each setting the strictest value of the files that have it, else the default.

export function modelAsking(call: ToolCall, { layers, scopes }: Standing, causes: readonly Cause[]): Asking {
  const all = [...layers, ...scopes].map((layer) => layer.policy);
  const files = layers.map((layer) => layer.policy).filter((policy) => policy.beside !== true);
  const others = all.filter((policy) => !files.includes(policy));
  const strictest = <T>(said: (policy: Policy) => readonly T[], fallback: T, pick: (values: readonly T[]) => T): T => {
    const ofFiles = files.flatMap(said);
    return pick([ofFiles.length === 0 ? fallback : pick(ofFiles), ...others.flatMap(said)]);
  };
  const plain =
    <K extends keyof ApprovalSettings>(key: K) =>
    ({ approvals }: Policy) =>
      approvals[key] === undefined ? [] : [approvals[key] as ApprovalSettings[K]];
  const most = (values: readonly number[]) => Math.max(...values);
  const least = (values: readonly number[]) => Math.min(...values);
  return {
    quorum: strictest((policy) => ruled(policy, causes, "quorum"), 1, most),
    expiresMs: strictest((policy) => ruled(policy, causes, "expiresMs"), 86_400_000, least),
    permitMs: strictest(plain("permitMs"), 3_600_000, least),
    selfReview: strictest(plain("selfReview"), false, (values) => !values.includes(false)),
    assurance: strictest(plain("assurance"), "person", (values) => (values.includes("person") ? "person" : "any")),
    reviewers: distinct(all.flatMap((policy) => listsOf(policy, call, causes))),
  };
}

/** What a policy says if some of its rules decide: the values of the deciding rules, else the policy's setting. */
function ruled(policy: Policy, causes: readonly Cause[], key: "quorum" | "expiresMs"): readonly number[] {
  const own = policy.approvals[key];
  const rules = decidingRules(policy, causes);
  const byRules = rules.map((rule) => rule[key] ?? own);
  const byRows = causes.some((cause) => belongs(cause, rowsOf(policy))) ? [own] : [];
  const said = [...byRules, ...byRows].filter((value) => value !== undefined);
  if (said.length > 0) return said;
  return own === undefined ? [] : [own];
}

function listsOf(policy: Policy, call: ToolCall, causes: readonly Cause[]): readonly (readonly string[])[] {
  const agents = policy.agents.filter(({ name }) => [call.agent, ...call.chain].includes(name));
  const places = [decidingRules(policy, causes), agents, [policy]];
  const lists = places.map((ones) => ones.map((one) => one.reviewers).filter((list) => list.length > 0));
  return lists.find((found) => found.length > 0) ?? [];
}

/** The order of the lists does not matter. */
export function distinct(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Set(lists.map((list) => JSON.stringify(list)))].sort().map((text) => JSON.parse(text));
}

function decidingRules(policy: Policy, causes: readonly Cause[]): readonly Rule[] {
  return policy.rules.filter((rule) => causes.some((cause) => belongs(cause, [rule.at])));
}

/** A cause has the exact position at which it was written; a reached limit says nothing about how to ask. */
function belongs(cause: Cause, positions: readonly (Position | undefined)[]): boolean {
  return cause.by !== "limit" && "at" in cause && positions.includes(cause.at);
}

function rowsOf({ tier, preset, tiers, agents, human }: Policy): readonly (Position | undefined)[] {
  const rows = [...tiers, ...agents.flatMap((agent) => [...agent.tiers, ...(agent.tier ? [agent.tier] : [])])];
  return [tier?.at, preset?.at, human.at, ...rows.map((row) => row.at)].filter((at) => at !== undefined);
}
