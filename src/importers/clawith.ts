import type { EffectClass } from "../core/effect.ts";
import { say } from "../core/messages/message.ts";
import { type Faults, unexpected, whole } from "../core/policy/shape.ts";
import type { Tree } from "../core/policy/tree.ts";
import { isStricter, strictest, type Tier } from "../core/tier.ts";
import type { JsonObject } from "../core/values/json.ts";
import { otherKeys } from "./host-rules.ts";
import {
  type Carried,
  EVERY_COMMAND,
  GRAVER_READS,
  GRAVER_WRITES,
  type Imported,
  imported,
  refuseDecidersBelow,
  translated,
  unknownName,
  written,
} from "./imported.ts";

const TIER_OF: Readonly<Record<string, Tier>> = { L1: "auto", L2: "notify", L3: "ask" };

/** What a missing key meant in Clawith. It becomes a row, so that the file says what applies. */
const MISSING: Tier = "notify";

/**
 * Each kind of action with our class, other classes that it has in Leeway for commands and special files, and the
 * tools that were mapped to it.
 */
const ACTIONS: readonly {
  action: string;
  class: EffectClass;
  also?: readonly EffectClass[];
  tools: readonly string[];
}[] = [
  { action: "read_files", class: "fs.read", also: GRAVER_READS, tools: ["read_files"] },
  {
    action: "write_workspace_files",
    class: "fs.write",
    also: ["fs.mkdir", "fs.copy", "fs.move", ...GRAVER_WRITES],
    tools: ["write_file", "move_file", "write_workspace_files"],
  },
  { action: "delete_files", class: "fs.delete", also: GRAVER_WRITES, tools: ["delete_file", "delete_files"] },
  { action: "send_feishu_message", class: "message.send", tools: ["send_feishu_message"] },
  { action: "send_external_message", class: "message.send", tools: ["send_external_message"] },
  { action: "send_message_to_agent", class: "message.send", tools: ["send_message_to_agent"] },
  { action: "send_file_to_agent", class: "message.send", tools: ["send_file_to_agent"] },
  { action: "web_search", class: "network.read", tools: ["web_search"] },
  { action: "execute_code", class: "process.exec", tools: ["execute_code", "execute_code_e2b"] },
  { action: "modify_soul", class: "agent_state.write", tools: ["modify_soul"] },
  { action: "manage_tasks", class: "agent_state.write", tools: ["manage_tasks"] },
  { action: "access_business_system_read", class: "db.read", tools: ["access_business_system_read"] },
  { action: "access_business_system_write", class: "db.write", tools: ["access_business_system_write"] },
  { action: "financial_operations", class: "payments.move", tools: ["financial_operations"] },
  { action: "create_calendar_event", class: "schedule.write", tools: ["create_calendar_event"] },
];

const KINDS = ACTIONS.map(({ action }) => action);

export function importClawith(tree: Tree): Imported {
  return imported({ from: "clawith" }, tree, (given, faults) => {
    const whole = given.is === "map" && given.members.some(({ key }) => WHOLE.includes(key)) ? given : undefined;
    const policy = whole === undefined ? given : policyIn(whole, faults);
    const levels = policy === undefined ? undefined : levelsOf(policy, faults);
    return levels === undefined ? undefined : carry(levels, whole === undefined ? [] : otherKeys(whole, WHOLE));
  });
}

/** The fields of an agent and a template that contain the policy: a file may be a whole agent or template. */
const WHOLE = ["autonomy_policy", "default_autonomy_policy"];

function policyIn(tree: Tree & { is: "map" }, faults: Faults): Tree | undefined {
  const [first, second] = tree.members.filter(({ key }) => WHOLE.includes(key));
  if (second !== undefined) {
    faults.add(second.at, say("import.two_policies", { keys: WHOLE }), say("import.keep_one_policy"));
    return undefined;
  }
  const others = tree.members.filter((member) => member !== first);
  refuseDecidersBelow({ ...tree, members: others }, [...WHOLE, ...KINDS], faults);
  return first?.value;
}

/** A level, and the original word if it was not a level: Clawith refused such words. */
type Level = { tier: Tier; unknown?: string };

function levelOf(tree: Tree, faults: Faults): Level | undefined {
  const word = tree.is === "scalar" && typeof tree.value === "string" ? tree.value : undefined;
  if (word !== undefined && !Object.hasOwn(TIER_OF, word)) return { tier: "deny", unknown: word };
  const tier = translated(tree, TIER_OF, "thing.level", faults);
  return tier === undefined ? undefined : { tier };
}

/** No policy at all means that every key is missing. */
function levelsOf(tree: Tree, faults: Faults): ReadonlyMap<string, Level> | undefined {
  if (tree.is === "scalar" && tree.value === null) return new Map();
  if (tree.is !== "map") {
    faults.add(tree.at, unexpected("thing.autonomy_policy", tree), say("import.write_levels"));
    return undefined;
  }
  const read = whole(
    tree.members.map(({ key, at, value }) => {
      const level = levelOf(value, faults);
      if (KINDS.includes(key)) return level === undefined ? undefined : ([key, level] as const);
      const message = say("import.unknown_kind_of_action", { name: key });
      return unknownName(at, key, { message, known: [...KINDS, ...WHOLE] }, faults);
    }),
  );
  return read === undefined ? undefined : new Map(read);
}

/** In Clawith a command was one action; in Leeway each of its programs has its own class, which may be allowed. */
function commandRules(tier: Tier): JsonObject[] {
  if (!isStricter(tier, MISSING)) return [];
  const because = tier === "deny" ? "execute_code had no level" : "execute_code was L3";
  return [{ name: "commands", match: EVERY_COMMAND, tier, because }];
}

/**
 * Several kinds may share a class. A `deny` for a class would also override the row of each tool, so a kind that was
 * refused only asks for tools that are not named.
 */
function sharedTier(tiers: readonly [Tier, ...Tier[]]): Tier {
  const held = strictest(tiers);
  return held === "deny" && tiers.some((tier) => tier !== "deny") ? "ask" : held;
}

function carry(levels: ReadonlyMap<string, Level>, others: readonly string[]): Carried {
  const tierOf = (action: string) => levels.get(action)?.tier ?? MISSING;
  const byClass = new Map<EffectClass, [Tier, ...Tier[]]>();
  for (const row of ACTIONS) {
    const tier = tierOf(row.action);
    for (const name of isStricter(tier, MISSING) ? [row.class, ...(row.also ?? [])] : [row.class]) {
      const before = byClass.get(name);
      byClass.set(name, before === undefined ? [tier] : [...before, tier]);
    }
  }
  const classRows = [...byClass].map(([name, tiers]) => [name, sharedTier(tiers)] as const);
  const toolRows = ACTIONS.flatMap(({ action, tools }) =>
    tools.map((tool) => [written(tool), tierOf(action)] as const),
  );
  const missing = ACTIONS.filter(({ action }) => !levels.has(action)).map(({ action }) => action);
  const rules = commandRules(tierOf("execute_code"));
  const unknown = [...levels].flatMap(([action, level]) =>
    level.unknown === undefined ? [] : [`${action}: ${level.unknown}`],
  );
  return {
    policy: {
      version: 1,
      tier: MISSING,
      tiers: Object.fromEntries([...classRows, ...toolRows]),
      ...(rules.length === 0 ? {} : { rules }),
    },
    notCarriedOver: [
      ...(unknown.length === 0
        ? []
        : [
            `unknown levels (${unknown.join(", ")}): Clawith refused such calls, so they are deny; for another tier write L1, L2 or L3`,
          ]),
      ...(missing.length === 0
        ? []
        : [`the difference between L2 and no level at all: ${missing.join(", ")} are written out as notify`]),
      "several kinds of message, and several kinds of agent state, share a class in Leeway: a tool that is not named gets the strictest of them",
      "Clawith did not enforce the levels for deleting, paying and business systems for most tools; Leeway does",
      ...(others.length === 0 ? [] : [`settings that are not levels: ${others.join(", ")}`]),
      "in Clawith an unknown tool ran under L2 or unchecked; in Leeway it asks",
    ],
  };
}
