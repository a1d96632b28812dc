import { collectFaults, type Faults } from "../core/policy/shape.ts";
import type { Fault, Tree } from "../core/policy/tree.ts";
import type { JsonObject } from "../core/values/json.ts";
import { nearest } from "../core/values/nearest.ts";
import { writeYaml } from "./write-yaml.ts";

/** Another system's policy as one of ours, and what it said that ours does not say. */
export type Imported =
  | { ok: true; yaml: string; notCarriedOver: readonly string[] }
  | { ok: false; faults: readonly Fault[] };

/** What an importer made of a file: our policy, and what is missing in it. */
export type Carried = { policy: JsonObject; notCarriedOver: readonly string[] };

/** Runs an importer. One word that is not understood refuses the whole file: a guess could let something through. */
export function imported(from: string, carry: (faults: Faults) => Carried | undefined): Imported {
  const faults = collectFaults();
  const carried = carry(faults);
  if (carried === undefined || faults.all.length > 0) return { ok: false, faults: faults.all };
  const heading = [`imported from ${from}`, ...carried.notCarriedOver.map((line) => `not carried over: ${line}`)];
  return { ok: true, yaml: writeYaml(carried.policy, heading), notCarriedOver: carried.notCarriedOver };
}

/** A word of the other system translated by its table. */
export function translated<T>(
  tree: Tree,
  table: Readonly<Record<string, T>>,
  what: string,
  faults: Faults,
): T | undefined {
  const words = Object.keys(table);
  const word = tree.is === "scalar" && typeof tree.value === "string" ? tree.value : undefined;
  if (word !== undefined && Object.hasOwn(table, word)) return table[word];
  const near = word === undefined ? undefined : nearest(word, words);
  const meant = near === undefined ? "" : `did you mean \`${near}\`? `;
  faults.add(tree.at, `not ${what} of that system`, `${meant}expected one of ${words.join(", ")}`);
  return undefined;
}
