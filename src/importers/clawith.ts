import type { EffectClass } from "../core/effect.ts";
import { type Faults, whole } from "../core/policy/shape.ts";
import { nameOf, type Tree } from "../core/policy/tree.ts";
import { isStricter, strictest, type Tier } from "../core/tier.ts";
import { type Carried, EVERY_COMMAND, type Imported, imported, translated, unknownName, written } from "./imported.ts";

const TIER_OF: Readonly<Record<string, Tier>> = { L1: "auto", L2: "notify", L3: "ask" };

/** What a missing key meant there. It becomes a row of its own here, so that the file says what holds. */
const MISSING: Tier = "notify";

/** Each kind of action with our class, other classes that commands for the same have here, and the tools that were mapped to it. */
const ACTIONS: readonly {
  action: string;
  class: EffectClass;
  also?: readonly EffectClass[];
  tools: readonly string[];
}[] = [
  { action: "read_files", class: "fs.read", tools: ["read_files"] },
  {
    action: "write_workspace_files",
    class: "fs.write",
    also: ["fs.mkdir", "fs.copy", "fs.move"],
    tools: ["write_file", "move_file", "write_workspace_files"],
  },
  { action: "delete_files", class: "fs.delete", tools: ["delete_file", "delete_files"] },
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
  return imported({ from: "clawith", words: [WHOLE, ...KINDS] }, tree, (given, faults) => {
    const levels = levelsOf(policyIn(given), faults);
    return levels === undefined ? undefined : carry(levels);
  });
}

/** The field of an agent that holds its policy; a file may have it around the kinds of action. */
const WHOLE = "autonomy_policy";

function policyIn(tree: Tree): Tree {
  if (tree.is !== "map" || tree.members.length !== 1) return tree;
  const [only] = tree.members;
  return only?.key === WHOLE ? only.value : tree;
}

/** No policy at all was every key missing. */
function levelsOf(tree: Tree, faults: Faults): ReadonlyMap<string, Tier> | undefined {
  if (tree.is === "scalar" && tree.value === null) return new Map();
  if (tree.is !== "map") {
    faults.add(
      tree.at,
      `${nameOf(tree)} is not an autonomy policy`,
      "expected a map from kinds of action to L1, L2, L3",
    );
    return undefined;
  }
  const read = whole(
    tree.members.map(({ key, at, value }) => {
      const tier = translated(value, TIER_OF, "a level", faults);
      if (KINDS.includes(key)) return tier === undefined ? undefined : ([key, tier] as const);
      return unknownName(at, "kind of action", key, [...KINDS, WHOLE], faults);
    }),
  );
  return read === undefined ? undefined : new Map(read);
}

/** There a command was code to execute; here each of its programs has a class of its own, which may be let run. */
const COMMANDS_ASK = { name: "commands", match: EVERY_COMMAND, tier: "ask", because: "execute_code was L3" };

function carry(levels: ReadonlyMap<string, Tier>): Carried {
  const tierOf = (action: string) => levels.get(action) ?? MISSING;
  const byClass = new Map<EffectClass, [Tier, ...Tier[]]>();
  for (const row of ACTIONS) {
    const tier = tierOf(row.action);
    for (const name of isStricter(tier, MISSING) ? [row.class, ...(row.also ?? [])] : [row.class]) {
      const before = byClass.get(name);
      byClass.set(name, before === undefined ? [tier] : [...before, tier]);
    }
  }
  const classRows = [...byClass].map(([name, tiers]) => [name, strictest(tiers)] as const);
  const toolRows = ACTIONS.flatMap(({ action, tools }) =>
    tools.map((tool) => [written(tool), tierOf(action)] as const),
  );
  const missing = ACTIONS.filter(({ action }) => !levels.has(action)).map(({ action }) => action);
  const commands = tierOf("execute_code") === "ask" ? { rules: [COMMANDS_ASK] } : {};
  return {
    policy: { version: 1, tier: MISSING, tiers: Object.fromEntries([...classRows, ...toolRows]), ...commands },
    notCarriedOver: [
      ...(missing.length === 0
        ? []
        : [`the difference between L2 and no level at all: ${missing.join(", ")} are written out as notify`]),
      "several kinds of message, and several of agent state, share a class here: a tool that is not named takes the strictest of them",
      "levels for deleting, paying and business systems were not enforced for most tools there; here they are",
      "a tool that is not known ran under L2 or unchecked there; here it asks",
    ],
  };
}
