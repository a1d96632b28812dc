import { EFFECT_CLASSES, type EffectClass } from "../core/effect.ts";
import { type Named, object, optional, record } from "../core/policy/map-shape.ts";
import { flag, list, type PolicyShape, type Read, text } from "../core/policy/shape.ts";
import type { Tree } from "../core/policy/tree.ts";
import type { Tier } from "../core/tier.ts";
import type { Json, JsonObject } from "../core/values/json.ts";
import { type Carried, type Imported, imported, translated } from "./imported.ts";

const TIER_OF: Readonly<Record<string, Tier>> = {
  act_auto: "auto",
  act_with_approval: "ask",
  suggest: "suggest",
  shadow: "shadow",
};

const tier: PolicyShape<Tier> = {
  schema: { enum: Object.keys(TIER_OF) },
  read: (tree, faults) => translated(tree, TIER_OF, "a tier", faults),
};
const names = list(text("a name"));
const tiers = record("a table of tiers", tier);

/** The fields of `with_autonomy_policy`. Unknown ones were ignored there; here they are faults like any other. */
const policy = object("an autonomy policy", {
  agent_id: optional(text("an agent's name")),
  autonomy_tier: optional(tier),
  tier: optional(tier),
  action_tiers: optional(tiers),
  agent_tiers: optional(tiers),
  agent_action_tiers: optional(record("a table of agents", tiers)),
  reviewers: optional(names),
  requires_human: optional(flag),
  requires_human_actions: optional(names),
  action_requires_human: optional(names),
  requires_human_agents: optional(names),
});
type HarnPolicy = Read<typeof policy>;

export function importHarn(tree: Tree): Imported {
  return imported("harn", (faults) => {
    const read = policy.read(tree, faults);
    return read === undefined ? undefined : carry(read);
  });
}

function carry(harn: HarnPolicy): Carried {
  const general = harn.autonomy_tier ?? harn.tier;
  return {
    policy: {
      version: 1,
      ...(general === undefined ? {} : { tier: general }),
      ...(harn.action_tiers === undefined ? {} : { tiers: rows(harn.action_tiers) }),
      ...agentsOf(harn),
      ...humanOf(harn),
      ...(harn.reviewers === undefined ? {} : { reviewers: harn.reviewers }),
    },
    notCarriedOver: [
      ...(harn.agent_id === undefined
        ? []
        : [
            `agent_id ${harn.agent_id}: a call is judged by the agent that makes it, so start that agent under this name`,
          ]),
      ...(general === undefined ? ["a call that no row names ran ungated there; here it asks"] : []),
      "tools outside its action table ran ungated there; here a tool that is not known asks",
    ],
  };
}

function agentsOf({ agent_tiers = [], agent_action_tiers = [] }: HarnPolicy): { agents?: JsonObject } {
  const agents: Record<string, JsonObject> = {};
  for (const { name, value } of agent_tiers) agents[name] = { tier: value };
  for (const { name, value } of agent_action_tiers) agents[name] = { ...agents[name], tiers: rows(value) };
  return Object.keys(agents).length === 0 ? {} : { agents };
}

function humanOf(harn: HarnPolicy): { human?: Json } {
  if (harn.requires_human === true) return { human: true };
  const actions = [...new Set([...(harn.requires_human_actions ?? []), ...(harn.action_requires_human ?? [])])];
  const classes = actions.filter(isClass);
  const tools = actions.filter((name) => !isClass(name)).map((name) => `tool:${name}`);
  const human = {
    ...(tools.length === 0 ? {} : { tools }),
    ...(classes.length === 0 ? {} : { classes }),
    ...(harn.requires_human_agents === undefined ? {} : { agents: harn.requires_human_agents }),
  };
  return Object.keys(human).length === 0 ? {} : { human };
}

/** A key is a class or a builtin; ours says which, so that a builtin is never taken for something mistyped. */
function rows(named: readonly Named<Tier>[]): JsonObject {
  return Object.fromEntries(named.map(({ name, value }) => [isClass(name) ? name : `tool:${name}`, value]));
}

function isClass(name: string): name is EffectClass {
  return (EFFECT_CLASSES as readonly string[]).includes(name);
}
