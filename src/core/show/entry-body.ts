import type { Entry } from "../ledger.ts";
import { maskArgs } from "../masking/redact.ts";
import { inEnglish } from "../messages/text.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";

/** Where an entry contains messages. The rest are names, and values from people and programs. */
const SAID: ReadonlySet<string> = new Set(["effect", "decision", "because", "why", "reason", "found", "to"]);

/** The content of an entry, for programs. The ledger stores messages; programs get their English text. */
export function bodyInEnglish(body: JsonObject): JsonObject {
  const told: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(body)) told[name] = SAID.has(name) ? inEnglish(value) : value;
  return told;
}

/** As programs get it. To verify the chain, use an export, which is unchanged so that hashes match. */
export function entryInEnglish(entry: Entry): Entry {
  const { body } = entry;
  return body === undefined ? entry : { ...entry, body: { ...body, json: bodyInEnglish(body.json) } };
}

/**
 * The content of an entry as people see it: what looks like a secret is masked, and the possible meanings of its call, in which a
 * value is separate from its name, are left out.
 */
export function shownBody(body: JsonObject): JsonObject {
  const told = bodyInEnglish(body);
  const { effect } = told;
  if (!isObject(effect)) return maskArgs(told);
  const { maybe: _, guessed: __, byOrganisation: ___, ...rest } = effect;
  return maskArgs({ ...told, effect: rest });
}

/** An entry as people and their programs see it. To verify the chain, use an export, which has the text that was hashed. */
export function shownEntry(entry: Entry): Entry {
  const { body } = entry;
  return body === undefined ? entry : { ...entry, body: { ...body, json: shownBody(body.json) } };
}
