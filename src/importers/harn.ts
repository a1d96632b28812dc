import { say } from "../core/messages/message.ts";
import { type Named, object, optional, record } from "../core/policy/map-shape.ts";
import {
  type Faults,
  flag,
  list,
  type PolicyShape,
  positioned,
  type Read,
  refine,
  text,
} from "../core/policy/shape.ts";
import type { Tree } from "../core/policy/tree.ts";
import { compareTiers, isStricter, strictest, type Tier } from "../core/tier.ts";
import type { Json, JsonObject } from "../core/values/json.ts";
import { ACTIONS, COMMANDS, FILES, GIT, NAMES } from "./harn-actions.ts";
import {
  type Carried,
  EVERY_COMMAND,
  GRAVER_WRITES,
  type Imported,
  imported,
  translated,
  unknownName,
} from "./imported.ts";

const TIER_OF: Readonly<Record<string, Tier>> = {
  act_auto: "auto",
  act_with_approval: "ask",
  suggest: "suggest",
  shadow: "shadow",
};

const tier: PolicyShape<Tier> = {
  schema: { enum: Object.keys(TIER_OF) },
  read: (tree, faults) => translated(tree, TIER_OF, "thing.tier", faults),
};
const names = list(text("thing.name"));
const actionName = refine(positioned(text("thing.action")), ({ value, at }, _tree, faults) =>
  NAMES.includes(value) ? value : unknownAction(value, at, faults),
);
const actions = list(actionName);
const actionTiers = refine(record("thing.table_of_tiers", tier), (rows, _tree, faults) => knownRows(rows, faults));

/** The fields of `with_autonomy_policy`. Harn ignored unknown fields; here they are errors. */
const FIELDS = {
  agent_id: optional(text("thing.agent_name")),
  autonomy_tier: optional(tier),
  tier: optional(tier),
  action_tiers: optional(actionTiers),
  agent_tiers: optional(record("thing.table_of_tiers", tier)),
  agent_action_tiers: optional(record("thing.table_of_agents", actionTiers)),
  reviewers: optional(names),
  requires_human: optional(flag),
  requires_human_actions: optional(actions),
  action_requires_human: optional(actions),
  requires_human_agents: optional(names),
};
const policy = object("thing.autonomy_policy", FIELDS);
type HarnPolicy = Read<typeof policy>;

function knownRows(rows: readonly Named<Tier>[], faults: Faults): ReadonlyMap<string, Tier> | undefined {
  const unknown = rows.filter(({ name }) => !NAMES.includes(name));
  for (const { name, at } of unknown) unknownAction(name, at, faults);
  return unknown.length > 0 ? undefined : new Map(rows.map(({ name, value }) => [name, value]));
}

function unknownAction(name: string, at: Tree["at"], faults: Faults): undefined {
  return unknownName(at, name, { message: say("import.unknown_action", { name }), known: NAMES }, faults);
}

/** Not its tables, lists and flags: what a `null` there meant depends on who made the file. */
const WORDS = ["agent_id", "autonomy_tier", "tier"];
const LISTS = ["reviewers", "requires_human_actions", "action_requires_human", "requires_human_agents"];

export function importHarn(tree: Tree): Imported {
  return imported({ from: "harn", unset: WORDS, empty: LISTS }, tree, (given, faults) => {
    const read = policy.read(given, faults);
    return read === undefined ? undefined : carry(asIfForAll(read), agentNotes(read));
  });
}

/**
 * If the policy named an agent, every call under it belonged to that agent. In Leeway a call is judged by the agent
 * that makes it. So what applied to that agent applies to every agent, and rows of other agents, which had no effect,
 * are left out.
 */
function asIfForAll(harn: HarnPolicy): HarnPolicy {
  const { agent_id: agent, requires_human_agents } = harn;
  if (agent === undefined) return harn;
  const own = ownRows(harn, agent) ?? new Map<string, Tier>();
  const general = agentTier(harn, agent);
  const classes = new Set(ACTIONS.flatMap(({ class: name, builtins }) => (own.has(name) ? builtins : [])));
  // The agent's own rows came first, and its general tier before those for all agents.
  const others = [...(general === undefined ? (harn.action_tiers ?? []) : [])].filter(([name]) => !classes.has(name));
  const { agent_tiers: _tiers, agent_action_tiers: _rows, requires_human_agents: _agents, ...rest } = harn;
  return {
    ...rest,
    action_tiers: new Map([...others, ...own]),
    ...(general === undefined ? {} : { autonomy_tier: general }),
    ...(requires_human_agents?.includes(agent) ? { requires_human: true } : {}),
  };
}

/** Notes about the agent that the policy names, and about rows without effect. */
function agentNotes(harn: HarnPolicy): string[] {
  const { agent_id: agent } = harn;
  if (agent === undefined) return [];
  const others = [...new Set([...agentNames(harn), ...(harn.requires_human_agents ?? [])])].filter(
    (name) => name !== agent,
  );
  return [
    `agent_id ${agent}: a call is judged by the agent that makes it, so what applied to ${agent} applies to every agent`,
    ...(others.length === 0 ? [] : [`rows of ${others.join(", ")}: every call under this policy was ${agent}'s`]),
  ];
}

function carry(harn: HarnPolicy, aboutAgents: readonly string[]): Carried {
  const general = harn.autonomy_tier ?? harn.tier;
  const tiers = rowsFor(harn);
  const commands = commandRules(harn);
  const rules = [...commands, ...gitRules(harn)];
  return {
    policy: {
      version: 1,
      ...(general === undefined ? {} : { tier: general }),
      ...(Object.keys(tiers).length === 0 ? {} : { tiers }),
      ...agentsOf(harn),
      ...humanOf(harn),
      ...(harn.reviewers === undefined ? {} : { reviewers: harn.reviewers }),
      ...(rules.length === 0 ? {} : { rules }),
    },
    notCarriedOver: [
      ...aboutAgents,
      ...(general === undefined ? ["in Harn a call without a row ran without a check; in Leeway it asks"] : []),
      ...(commands.length === 0
        ? []
        : ["a difference between exec, exec_at, shell and shell_at: commands take the strictest of their tiers"]),
      "in Harn tools outside its action table ran without a check; in Leeway an unknown tool asks",
    ],
  };
}

/** Its own order: agent and builtin, agent and class, agent, builtin, class, policy. */
function tierFor(harn: HarnPolicy, { class: name, builtin }: { class: string; builtin: string }, agent?: string) {
  const own = ownRows(harn, agent);
  return (
    own?.get(builtin) ??
    own?.get(name) ??
    agentTier(harn, agent) ??
    harn.action_tiers?.get(builtin) ??
    harn.action_tiers?.get(name) ??
    harn.autonomy_tier ??
    harn.tier
  );
}

function ownRows(harn: HarnPolicy, agent: string | undefined): ReadonlyMap<string, Tier> | undefined {
  return harn.agent_action_tiers?.find(({ name }) => name === agent)?.value;
}

function agentTier(harn: HarnPolicy, agent: string | undefined): Tier | undefined {
  return harn.agent_tiers?.find(({ name }) => name === agent)?.value;
}

/** The rows of the file, and one for each wide builtin that another row would allow more than Harn did. */
function rowsFor(harn: HarnPolicy, agent?: string): JsonObject {
  const named = (agent === undefined ? harn.action_tiers : ownRows(harn, agent)) ?? new Map<string, Tier>();
  if (named.size === 0) return {};
  // In Leeway a call without a row asks.
  const held = [...named.values(), ...(harn.action_tiers?.values() ?? []), agentTier(harn, agent)].concat(
    harn.autonomy_tier ?? harn.tier ?? "ask",
  );
  const made: Record<string, Tier> = {};
  for (const { class: name, ours, builtins, wide } of ACTIONS) {
    const ofClass = named.get(name);
    const loosest = loosestOf(builtins.map((builtin) => tierFor(harn, { class: name, builtin }, agent)));
    const general = tierFor(harn, { class: name, builtin: "" }, agent) ?? "ask";
    // If no builtin of a class was allowed something, no command that does the same is allowed.
    if (ours !== undefined && loosest !== undefined && isStricter(loosest, general)) made[ours] = loosest;
    else if (ours !== undefined && ofClass !== undefined) made[ours] = ofClass;
    for (const builtin of builtins) {
      const tier = tierFor(harn, { class: name, builtin }, agent);
      const own = named.get(builtin) ?? (ours === undefined ? ofClass : undefined);
      const isWider = wide === true && tier !== undefined && held.some((one) => one && isStricter(tier, one));
      if (own !== undefined) made[builtin] = own;
      else if (isWider) made[builtin] = tier;
    }
  }
  const graver = graverTier(harn, agent);
  if (graver !== undefined) for (const name of GRAVER_WRITES) made[name] = graver;
  return made;
}

/**
 * Files with a special meaning have another class in Leeway: the tiers of their action class and of other file
 * actions apply to them as well. Undefined if that is not stricter than without a row.
 */
function graverTier(harn: HarnPolicy, agent: string | undefined): Tier | undefined {
  const general = agentTier(harn, agent) ?? harn.autonomy_tier ?? harn.tier ?? "ask";
  const held = ACTIONS.filter((action) => FILES.has(action.class)).flatMap(({ class: name, builtins }) => {
    const loosest = loosestOf(builtins.map((builtin) => tierFor(harn, { class: name, builtin }, agent)));
    return [tierFor(harn, { class: name, builtin: "" }, agent), loosest].filter((tier) => tier !== undefined);
  });
  const tier = strictest([general, ...held]);
  const forAll = agent === undefined ? undefined : graverTier(harn, undefined);
  return tier === (agentTier(harn, agent) ?? forAll ?? general) ? undefined : tier;
}

/** The loosest tier that all of them have in common; undefined if one of them was not controlled. */
function loosestOf(tiers: readonly (Tier | undefined)[]): Tier | undefined {
  return tiers.reduce((held, tier) =>
    held === undefined || tier === undefined ? undefined : isStricter(held, tier) ? tier : held,
  );
}

function agentsOf(harn: HarnPolicy): { agents?: JsonObject } {
  const agents: [string, JsonObject][] = [];
  for (const name of agentNames(harn)) {
    const tier = agentTier(harn, name);
    const tiers = rowsFor(harn, name);
    const row = { ...(tier === undefined ? {} : { tier }), ...(Object.keys(tiers).length === 0 ? {} : { tiers }) };
    if (Object.keys(row).length > 0) agents.push([name, row]);
  }
  // An agent may be named `__proto__`, which an assignment would treat specially.
  return agents.length === 0 ? {} : { agents: Object.fromEntries(agents) };
}

function agentNames(harn: HarnPolicy): readonly string[] {
  const named = [...(harn.agent_tiers ?? []), ...(harn.agent_action_tiers ?? [])];
  return [...new Set(named.map(({ name }) => name))];
}

function humanActions(harn: HarnPolicy): ReadonlySet<string> {
  return new Set([...(harn.requires_human_actions ?? []), ...(harn.action_requires_human ?? [])]);
}

function humanOf(harn: HarnPolicy): { human?: Json } {
  if (harn.requires_human === true) return { human: true };
  const marked = humanActions(harn);
  const tools = ACTIONS.flatMap(({ class: name, ours, builtins, wide }) =>
    builtins.filter((builtin) => marked.has(builtin) || (marked.has(name) && (wide === true || ours === undefined))),
  );
  const classes = ACTIONS.flatMap(({ class: name, ours, builtins }) =>
    ours !== undefined && (marked.has(name) || builtins.every((builtin) => marked.has(builtin))) ? [ours] : [],
  );
  const human = {
    ...(tools.length === 0 ? {} : { tools }),
    ...(classes.length === 0
      ? {}
      : { classes: classes.some((name) => FILES.has(name)) ? [...classes, ...GRAVER_WRITES] : classes }),
    ...(harn.requires_human_agents === undefined ? {} : { agents: harn.requires_human_agents }),
  };
  return Object.keys(human).length === 0 ? {} : { human };
}

/**
 * In Harn a command was one action. In Leeway each of its programs has its own class, and other tools run commands
 * too. So what applied to commands becomes a rule for every command: one for all, and one for each agent with its own
 * setting.
 */
function commandRules(harn: HarnPolicy): JsonObject[] {
  const builtins = ACTIONS.find((action) => action.class === COMMANDS)?.builtins ?? [];
  const marked = humanActions(harn);
  return rulesOf(harn, {
    name: "commands",
    match: EVERY_COMMAND,
    because: "Harn had this tier for commands",
    human: [COMMANDS, ...builtins].some((name) => marked.has(name)),
    tierOf: (agent) => commandTier(harn, builtins, agent),
  });
}

/** Git actions are builtins in Harn and commands in Leeway: a command must be at least as strict as the builtin. */
function gitRules(harn: HarnPolicy): JsonObject[] {
  const marked = humanActions(harn);
  const commands = ACTIONS.find((action) => action.class === COMMANDS)?.builtins ?? [];
  const allMarked = [COMMANDS, ...commands].some((name) => marked.has(name));
  return Object.entries(GIT).flatMap(([builtin, command]) => {
    const tierOf = (agent?: string) => {
      const tier = tierFor(harn, { class: "git.write", builtin }, agent);
      // What applies to every command is not repeated.
      return tier !== undefined && isStricter(tier, commandTier(harn, commands, agent) ?? "auto") ? tier : undefined;
    };
    const human = !allMarked && (marked.has(builtin) || marked.has("git.write"));
    return rulesOf(harn, {
      name: builtin,
      match: { command },
      because: `Harn had this tier for ${builtin}`,
      human,
      tierOf,
    });
  });
}

type Ruled = {
  name: string;
  match: JsonObject;
  because: string;
  human: boolean;
  tierOf: (agent?: string) => Tier | undefined;
};

function rulesOf(harn: HarnPolicy, { name, match, because, human, tierOf }: Ruled): JsonObject[] {
  const forAll = tierOf() ?? (human ? "ask" : undefined);
  const apart = agentNames(harn).filter((agent) => tierOf(agent) !== forAll);
  const looser = apart.filter((agent) => isStricter(forAll ?? "auto", tierOf(agent) ?? "auto"));
  const ruleOf = (called: string, tier: Tier | undefined, when?: string): JsonObject[] =>
    tier === undefined || (tier === "auto" && !human)
      ? []
      : [
          {
            name: called,
            match: { ...match, ...(when === undefined ? {} : { when }) },
            tier,
            because,
            ...(human ? { human } : {}),
          },
        ];
  const but = looser.length === 0 ? undefined : `!(call.agent in ${JSON.stringify(looser)})`;
  return [
    ...ruleOf(name, forAll, but),
    ...apart.flatMap((agent) => ruleOf(`${name} of ${agent}`, tierOf(agent), `call.agent == ${JSON.stringify(agent)}`)),
  ];
}

function commandTier(harn: HarnPolicy, builtins: readonly string[], agent: string | undefined): Tier | undefined {
  const tiers = builtins.map((builtin) => tierFor(harn, { class: COMMANDS, builtin }, agent));
  const [first, ...rest] = tiers.filter((one) => one !== undefined).sort(compareTiers);
  return first === undefined ? undefined : strictest([first, ...rest]);
}
