import { type ToolCall, tooLarge } from "../call.ts";
import type { Json, JsonObject } from "../values/json.ts";

/** No tool has as many arguments, and each of them is looked at several times. */
const ARGUMENTS_MAX = 1_000;
/** Names and texts together, however deep they stand; numbers name nothing. */
const NAMES_MAX = 10_000;
/** No argument has a longer name. */
const NAME_MAX = 4_096;

/** Whether a call holds more than the gate looks through, in bytes or in things that may name something. */
export function isTooMuch(call: ToolCall): boolean {
  const { args } = call;
  if (last?.args === args) return last.found;
  // Counting ends early; measuring takes as long as the call is large.
  const found = Object.keys(args).length > ARGUMENTS_MAX || namesMany(args) || tooLarge(call);
  last = { args, found };
  return found;
}

/** A call is looked at twice, once for the paths it names and once for what it does to them. */
let last: { args: JsonObject; found: boolean } | undefined;

function namesMany(args: JsonObject): boolean {
  const rest: Json[] = [args];
  let names = 0;
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const values: readonly Json[] = Array.isArray(next) ? next : [];
    for (const item of values) {
      if (typeof item === "string") names++;
      else if (typeof item === "object") rest.push(item);
    }
    const keys = Array.isArray(next) ? [] : Object.keys(next);
    names += keys.length;
    if (names > NAMES_MAX) return true;
    for (const key of keys) {
      if (key.length > NAME_MAX) return true;
      const item = (next as JsonObject)[key];
      if (typeof item === "object") rest.push(item);
    }
  }
  return false;
}
