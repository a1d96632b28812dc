import type { EffectClass } from "../core/effect.ts";
import { type Message, say } from "../core/messages/message.ts";
import { collectFaults, didYouMean, type Faults, type Thing } from "../core/policy/shape.ts";
import { type Fault, nameOf, type Tree } from "../core/policy/tree.ts";
import { namesIn, paragraphsOf } from "../core/tables/facts.ts";
import { TOOL_TABLES } from "../core/tables/tools.ts";
import { isStricter, type Tier } from "../core/tier.ts";
import { canonicalTool } from "../core/tool-name.ts";
import { canonical } from "../core/values/canonical.ts";
import type { JsonObject } from "../core/values/json.ts";
import { nearest } from "../core/values/nearest.ts";
import { visible } from "../core/values/text.ts";
import { writeYaml } from "./write-yaml.ts";

/** Another system's policy as a Leeway policy, and what could not be expressed. */
export type Imported =
  | { ok: true; yaml: string; notCarriedOver: readonly string[] }
  | { ok: false; faults: readonly Fault[] };

/** The result of an importer: our policy, and what is missing in it. */
export type Carried = { policy: JsonObject; notCarriedOver: readonly string[] };

/**
 * Another system. `unset`: where `null` means the same as no key there; `empty`: where `[]` does. Paths are written with dots,
 * `*` stands for any key or item. Everywhere else a `null` is an error: left out, it could allow what that system refused.
 */
type Source = { from: string; unset?: readonly string[]; empty?: readonly string[] };

/** Runs an importer. One unknown word refuses the whole file, because a guess could allow something. */
export function imported(
  { from, unset = [], empty = [] }: Source,
  tree: Tree,
  carry: (tree: Tree, faults: Faults) => Carried | undefined,
): Imported {
  const faults = collectFaults();
  refuseMerges(tree, faults);
  const carried = carry(withoutUnset(tree, [...unset.map(pathTo(isNull)), ...empty.map(pathTo(isEmptyList))]), faults);
  if (carried === undefined || faults.all.length > 0) return { ok: false, faults: faults.all };
  // The lines have names from the file, and are printed in a terminal.
  const notCarriedOver = carried.notCarriedOver.map(visible);
  const heading = [`imported from ${from}`, ...notCarriedOver.map((line) => `not converted: ${line}`)];
  return { ok: true, yaml: writeYaml(carried.policy, heading), notCarriedOver };
}

/** Keys on the way to a value, and the values that count as not given there. */
type UnsetPath = { keys: readonly string[]; isUnset: (tree: Tree) => boolean };

function pathTo(isUnset: UnsetPath["isUnset"]): (path: string) => UnsetPath {
  return (path) => ({ keys: path.split("."), isUnset });
}

function withoutUnset(tree: Tree, paths: readonly UnsetPath[]): Tree {
  if (paths.length === 0 || tree.is === "scalar") return tree;
  const below = (key: string) =>
    paths.flatMap(({ keys: [first, ...rest], isUnset }) =>
      first === "*" || first === key ? [{ keys: rest, isUnset }] : [],
    );
  if (tree.is === "list") return { ...tree, items: tree.items.map((item) => withoutUnset(item, below("*"))) };
  const members = tree.members.filter(
    ({ key, value }) => !below(key).some(({ keys, isUnset }) => keys.length === 0 && isUnset(value)),
  );
  return { ...tree, members: members.map((one) => ({ ...one, value: withoutUnset(one.value, below(one.key)) })) };
}

function isNull(tree: Tree): boolean {
  return tree.is === "scalar" && tree.value === null;
}

function isEmptyList(tree: Tree): boolean {
  return tree.is === "list" && tree.items.length === 0;
}

/** Other systems may read YAML 1.1, where `<<` puts the keys of another map here. */
function refuseMerges(tree: Tree, faults: Faults): void {
  if (tree.is === "list") for (const item of tree.items) refuseMerges(item, faults);
  if (tree.is !== "map") return;
  for (const { key, at, value } of tree.members) {
    if (key === "<<") faults.add(at, say("import.merge_key"), say("import.write_keys_out"));
    refuseMerges(value, faults);
  }
}

/**
 * Settings that are no permissions are left out by name, but not one that decides about a part of the system only: without it,
 * the import would allow more there.
 */
export function refuseDecidersBelow(tree: Tree, deciders: readonly string[], faults: Faults): void {
  if (tree.is === "list") for (const item of tree.items) refuseDecidersBelow(item, deciders, faults);
  if (tree.is !== "map") return;
  for (const { key, at, value } of tree.members) {
    if (deciders.includes(key))
      faults.add(at, say("import.decides_elsewhere", { key }), say("import.move_or_remove", { key }));
    else refuseDecidersBelow(value, deciders, faults);
  }
}

/** A word of the other system translated by its table. */
export function translated<T>(
  tree: Tree,
  table: Readonly<Record<string, T>>,
  what: Thing,
  faults: Faults,
): T | undefined {
  const words = Object.keys(table);
  const word = tree.is === "scalar" && typeof tree.value === "string" ? tree.value : undefined;
  if (word !== undefined && Object.hasOwn(table, word)) return table[word];
  const near = word === undefined ? undefined : nearest(word, words);
  const message = say("import.unknown_value", { value: nameOf(tree), what: say(what) });
  faults.add(tree.at, message, didYouMean(near, say("policy.use_one_of", { words })));
  return undefined;
}

/** A name that the other system does not know protected nothing there. Converted, it would look as if it did. */
export function unknownName(
  at: Tree["at"],
  name: string,
  o: { message: Message; known: readonly string[] },
  faults: Faults,
): undefined {
  faults.add(at, o.message, didYouMean(nearest(name, o.known), say("policy.use_one_of", { words: o.known })));
  return undefined;
}

/** A rule about every command, whichever tool runs it, because commands have their own classes in Leeway. */
export const EVERY_COMMAND: JsonObject = { command: "*" };

/**
 * The classes of writing, moving or deleting a file with a special meaning: a build, a start-up file, a scheduled
 * task.
 */
export const GRAVER_WRITES = ["deploy.write", "permissions.change", "schedule.write"] as const satisfies EffectClass[];
/** The class of reading a file with secrets. */
export const GRAVER_READS = ["secrets.read"] as const satisfies EffectClass[];

const OURS = new Set(TOOL_TABLES.flatMap(paragraphsOf).flatMap(namesIn).map(canonicalTool));

/** A tool's name for our file: a name that only the other system knows is marked as intended. */
export function written(tool: string): string {
  return OURS.has(canonicalTool(tool)) ? tool : `tool:${tool}`;
}

/** Of rules with the same match only the strictest has an effect, so only that one is written. */
export function withoutOutweighed<R extends { match: JsonObject; tier: Tier; firm?: true }>(rules: readonly R[]): R[] {
  const heard = new Map<string, R>();
  for (const rule of rules) {
    const key = canonical(rule.match);
    const held = heard.get(key);
    if (held === undefined || isStricter(rule.tier, held.tier) || (rule.tier === held.tier && rule.firm === true)) {
      heard.set(key, rule);
    }
  }
  return rules.filter((rule) => heard.get(canonical(rule.match)) === rule);
}
