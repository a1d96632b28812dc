import { definitionHash, type ToolDefinition } from "../core/classify/definition.ts";
import type { Offer } from "../core/standing/pin.ts";
import type { Hash } from "../core/values/hash.ts";
import { isObject, type Json, type JsonObject } from "../core/values/json.ts";
import { freeWords, versionIn } from "./server-words.ts";
import type { Upstream } from "./upstream.ts";

// What an upstream offers, as a person accepts it.

/** One tool of an upstream, as it was listed last. */
export type Tool = {
  upstream: Upstream;
  /** The name by which the upstream knows it. */
  name: string;
  /** The name by which the gate knows it, and rules match it. */
  gateName: string;
  definition: ToolDefinition;
  hash: Hash;
  /** The definition as the upstream sent it, with fields that only some clients know. */
  listed: JsonObject;
  offer: Offer;
};

/** Names that hosts pass on as they are. Another one could be read as something else than a name. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$/;
const RESERVED = /^leeway[_.:/-]/i;

/** Why a tool cannot be offered at all. */
export function badName(name: string): string | undefined {
  if (!NAME.test(name)) return "its name has signs that a tool's name cannot have";
  return RESERVED.test(name) ? "names that begin with leeway_ belong to the gateway" : undefined;
}

export function startOffer({ name, settings }: Pick<Upstream, "name" | "settings">): Offer {
  return { upstream: name, of: "start", name, text: settings.starts };
}

/** What the upstream says about itself to every client and model that uses it. */
export function instructionsOffer(upstream: Upstream, greeting: JsonObject): Offer | undefined {
  const says = freeWords(upstream.name, greeting);
  if (says === undefined) return undefined;
  const text = shownText({ server: originOf(upstream, greeting), says });
  return { upstream: upstream.name, of: "instructions", name: upstream.name, text };
}

/** A tool in a list; `answer` has the list. Undefined for what is no definition of a tool. */
export function toolIn(upstream: Upstream, listed: Json, answer: JsonObject): Tool | undefined {
  if (!isObject(listed) || typeof listed["name"] !== "string") return undefined;
  const { name, title, description, inputSchema, outputSchema, annotations } = listed;
  const origin = originOf(upstream, upstream.greeting() ?? answer);
  const definition: ToolDefinition = {
    server: { name: upstream.name, ...(origin.version === undefined ? {} : { version: origin.version }) },
    name,
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof description === "string" ? { description } : {}),
    ...(isObject(inputSchema) ? { inputSchema } : {}),
    ...(isObject(outputSchema) ? { outputSchema } : {}),
    ...(isObject(annotations) ? { annotations } : {}),
  };
  // Apart from each other, so that no field of the definition can take the place of what Leeway knows about the server.
  const text = shownText({ server: origin, tool: listed });
  return {
    upstream,
    name,
    gateName: `mcp:${upstream.name}/${name}`,
    definition,
    hash: definitionHash(definition),
    listed,
    offer: { upstream: upstream.name, of: "tool", name, text },
  };
}

type Origin = { starts: readonly string[]; version?: string };

function originOf({ settings }: Upstream, said: JsonObject): Origin {
  const version = versionIn(said);
  return { starts: settings.starts.split("\n"), ...(version === undefined ? {} : { version }) };
}

/** The keys in order, so that another order is not a change; one value per line, so that a change is one line. */
function shownText(value: JsonObject): string {
  return JSON.stringify(ordered(value), null, 2);
}

function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, ordered(value[key] ?? null)]));
}
