import { isObject, type Json } from "../values/json.ts";
import { type GraphRecord, sortedJson } from "./opentrustgraph.ts";

// Version 0.1 of the format: which agent started which, and what it was allowed to use.

/** A child may use only what its parent was granted, and acts in its parent's name, extended by its own. */
export function lineageFault(record: GraphRecord, before: readonly GraphRecord[]): string | undefined {
  const { parent_record_id: parentId, effects_used: used, effects_grant: given } = record.metadata;
  const actors = actorsOf(record);
  if (actors === "broken") return "parentage mismatch: the actor chain is not well formed";
  if (parentId === undefined) return undefined;
  const parent = before.find((candidate) => candidate.record_id === parentId);
  if (parent === undefined) {
    return used === undefined && given === undefined && actors === undefined
      ? undefined
      : "parentage mismatch: the parent is not in the chain";
  }
  const held = new Set(textsOf(parent.metadata["effects_grant"]));
  const beyond = textsOf(used).find((effect) => !held.has(effect));
  if (beyond !== undefined) return `effects mismatch: ${beyond} was not granted by the parent`;
  const above = actorsOf(parent);
  if (above === undefined && actors === undefined) return undefined;
  const extended = Array.isArray(above) && Array.isArray(actors) && isExtended(above, actors);
  return extended ? undefined : "parentage mismatch: the actor chain does not extend its parent's by one";
}

function textsOf(effects: Json | undefined): string[] {
  return Array.isArray(effects) ? effects.map((effect) => sortedJson(effect)) : [];
}

/** The subject, then the actors, the newest first, as RFC 8693 nests them. */
function actorsOf(record: GraphRecord): readonly string[] | "broken" | undefined {
  const chain = record.metadata["actor_chain"];
  if (chain === undefined) return undefined;
  const names: string[] = [];
  for (let here: Json | undefined = chain; here !== undefined; here = here["act"]) {
    if (!isObject(here) || typeof here["sub"] !== "string") return "broken";
    names.push(here["sub"]);
  }
  return names;
}

function isExtended(above: readonly string[], own: readonly string[]): boolean {
  const [subject, , ...rest] = own;
  return own.length === above.length + 1 && [subject, ...rest].every((name, i) => name === above[i]);
}
