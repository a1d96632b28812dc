import type { EffectClass } from "../core/effect.ts";
import { type Faults, whole } from "../core/policy/shape.ts";
import { nameOf, type Tree } from "../core/policy/tree.ts";
import { strictest, type Tier } from "../core/tier.ts";
import { nearest } from "../core/values/nearest.ts";
import { type Carried, type Imported, imported, translated } from "./imported.ts";

const TIER_OF: Readonly<Record<string, Tier>> = { L1: "auto", L2: "notify", L3: "ask" };

/** What a missing key meant there. It becomes a row of its own here, so that the file says what holds. */
const MISSING: Tier = "notify";

/** Each kind of action with our class, and the tools that were mapped to it. */
const ACTIONS: readonly { action: string; class: EffectClass; tools: readonly string[] }[] = [
  { action: "read_files", class: "fs.read", tools: [] },
  { action: "write_workspace_files", class: "fs.write", tools: ["write_file", "move_file"] },
  { action: "delete_files", class: "fs.delete", tools: ["delete_file"] },
  { action: "send_feishu_message", class: "message.send", tools: ["send_feishu_message"] },
  { action: "send_external_message", class: "message.send", tools: ["send_external_message"] },
  { action: "send_message_to_agent", class: "message.send", tools: ["send_message_to_agent"] },
  { action: "send_file_to_agent", class: "message.send", tools: ["send_file_to_agent"] },
  { action: "web_search", class: "network.read", tools: ["web_search"] },
  { action: "execute_code", class: "process.exec", tools: ["execute_code", "execute_code_e2b"] },
  { action: "modify_soul", class: "agent_state.write", tools: ["modify_soul"] },
  { action: "manage_tasks", class: "agent_state.write", tools: ["manage_tasks"] },
  { action: "access_business_system_read", class: "db.read", tools: [] },
  { action: "access_business_system_write", class: "db.write", tools: [] },
  { action: "financial_operations", class: "payments.move", tools: [] },
  { action: "create_calendar_event", class: "schedule.write", tools: [] },
];

export function importClawith(tree: Tree): Imported {
  return imported("clawith", (faults) => {
    const levels = levelsOf(tree, faults);
    return levels === undefined ? undefined : carry(levels);
  });
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
  const known = ACTIONS.map(({ action }) => action);
  const read = whole(
    tree.members.map(({ key, at, value }) => {
      const tier = translated(value, TIER_OF, "a level", faults);
      if (known.includes(key)) return tier === undefined ? undefined : ([key, tier] as const);
      const near = nearest(key, known);
      faults.add(
        at,
        `unknown kind of action \`${key}\``,
        `${near === undefined ? "" : `did you mean \`${near}\`? `}there are ${known.join(", ")}`,
      );
      return undefined;
    }),
  );
  return read === undefined ? undefined : new Map(read);
}

function carry(levels: ReadonlyMap<string, Tier>): Carried {
  const tierOf = (action: string) => levels.get(action) ?? MISSING;
  const byClass = new Map<EffectClass, [Tier, ...Tier[]]>();
  for (const row of ACTIONS) {
    const before = byClass.get(row.class);
    const tier = tierOf(row.action);
    byClass.set(row.class, before === undefined ? [tier] : [...before, tier]);
  }
  const classRows = [...byClass].map(([name, tiers]) => [name, strictest(tiers)] as const);
  const toolRows = ACTIONS.flatMap(({ action, tools }) =>
    tools.map((tool) => [`tool:${tool}`, tierOf(action)] as const),
  );
  const missing = ACTIONS.filter(({ action }) => !levels.has(action)).map(({ action }) => action);
  return {
    policy: { version: 1, tier: MISSING, tiers: Object.fromEntries([...classRows, ...toolRows]) },
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
