import type { Entry } from "../ledger.ts";
import { inEnglish } from "../messages/in-english.ts";
import type { Json, JsonObject } from "../values/json.ts";

/** Where an entry keeps messages. The rest are names, and what people and programs sent. */
const SAID: ReadonlySet<string> = new Set(["effect", "decision", "because", "why", "reason", "found", "to"]);

/** What an entry says, for programs. The ledger keeps messages; programs get their English text. */
export function bodyInEnglish(body: JsonObject): JsonObject {
  const told: { [name: string]: Json } = {};
  for (const [name, value] of Object.entries(body)) told[name] = SAID.has(name) ? inEnglish(value) : value;
  return told;
}

/** As programs get it. Who verifies the chain takes an export, which is as it was hashed. */
export function entryInEnglish(entry: Entry): Entry {
  const { body } = entry;
  return body === undefined ? entry : { ...entry, body: { ...body, json: bodyInEnglish(body.json) } };
}
