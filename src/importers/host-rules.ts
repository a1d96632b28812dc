import type { EffectClass } from "../core/effect.ts";
import { say } from "../core/messages/message.ts";
import type { Faults, PolicyShape } from "../core/policy/shape.ts";
import type { Tree } from "../core/policy/tree.ts";
import type { Tier } from "../core/tier.ts";
import type { JsonObject } from "../core/values/json.ts";
import { nearest } from "../core/values/nearest.ts";
import type { HostRule, Named } from "./host-commands.ts";
import { fixedText } from "./host-paths.ts";
import { GRAVER_READS, GRAVER_WRITES, withoutOutweighed } from "./imported.ts";

// What the importers of agent programs (Claude Code, Codex, Gemini CLI, opencode) share.

/** What a tool that edits files does in Leeway's words, without files that have a special meaning. */
export const EDITS = ["fs.write", "fs.mkdir"] as const satisfies EffectClass[];
export const WRITES: readonly EffectClass[] = [
  ...EDITS,
  "fs.copy",
  "fs.move",
  "fs.delete",
  ...GRAVER_WRITES,
  "agent_state.write",
];
export const READS: readonly EffectClass[] = ["fs.read", ...GRAVER_READS];

/**
 * Files that the host did not let be read. A command is denied if it names the file; a command or a search that only
 * could reach it, like `grep -r`, asks.
 */
export function restrictedPaths(
  paths: readonly string[],
  tier: Tier,
  named: Named,
  o: { search: readonly string[]; classes?: readonly EffectClass[] | undefined },
): HostRule[] {
  const match = { path: [...paths], ...(o.classes === undefined ? {} : { class: [...o.classes] }) };
  if (tier !== "deny") return [{ ...named, match, tier }];
  const text = paths.map(fixedText).reduce((a, b) => (b.length > a.length ? b : a), "");
  const searches = `!(call.tool in ${JSON.stringify(o.search)})`;
  const names =
    text === "" ? "true" : `(!has(call.args.command) || call.args.command.contains(${JSON.stringify(text)}))`;
  return [
    { ...named, match: { ...match, when: `${searches} && ${names}` }, tier },
    { ...named, name: `${named.name} (reached by a search)`, match, tier: "ask" },
  ];
}

/** Rules with names that nobody uses twice. Of several with the same match only the strictest stays. */
export function distinct(rules: readonly HostRule[]): HostRule[] {
  const used = new Map<string, number>();
  return withoutOutweighed(rules).map((rule) => {
    const count = (used.get(rule.name) ?? 0) + 1;
    used.set(rule.name, count);
    return count === 1 ? rule : { ...rule, name: `${rule.name} (${count})` };
  });
}

/** The parts of a host's settings that we read; other keys are the host's own business, unless they look like a slip. */
export function partsOf<T>(shape: PolicyShape<T>, keys: readonly string[], tree: Tree, faults: Faults): T | undefined {
  if (tree.is !== "map") return shape.read(tree, faults);
  let isSound = true;
  for (const { key, at } of tree.members) {
    // A short key is almost every other short key: `model` is not a slip for `mode`.
    const near = keys.includes(key)
      ? undefined
      : nearest(
          key,
          keys.filter((known) => known.length > 4),
        );
    if (near === undefined) continue;
    faults.add(at, say("import.other_host_key", { key, word: near }), say("import.fix_key", { word: near }));
    isSound = false;
  }
  const read = shape.read({ ...tree, members: tree.members.filter(({ key }) => keys.includes(key)) }, faults);
  return isSound ? read : undefined;
}

/** The same for a part of the settings. */
export function partial<T>(shape: PolicyShape<T>, keys: readonly string[]): PolicyShape<T> {
  return { schema: shape.schema, read: (tree, faults) => partsOf(shape, keys, tree, faults) };
}

/** Keys that the importer did not read, for the list of what was not converted. */
export function otherKeys(tree: Tree, keys: readonly string[]): readonly string[] {
  return tree.is === "map" ? tree.members.map(({ key }) => key).filter((key) => !keys.includes(key)) : [];
}

/** Tools of an MCP server in every spelling that hosts use. */
export function serverTools(server: string, tool = "*"): string[] {
  return [`mcp__${server}__${tool}`];
}

export function toolRule(tools: readonly string[], tier: Tier, named: Named, more: JsonObject = {}): HostRule {
  return { ...named, match: { tool: [...tools], ...more }, tier };
}
