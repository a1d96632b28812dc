import type { Entry } from "../ledger.ts";
import { inEnglish } from "../messages/text.ts";
import type { Json, JsonObject } from "../values/json.ts";

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
