import type { Offer } from "../../core/standing/pin.ts";
import { isObject, type Json, type JsonObject, toJson } from "../../core/values/json.ts";
import { visible, visibleLines } from "../../core/values/text.ts";

// What an MCP server offers, as a person reads it before accepting it.

/** All of it, as it is compared when the server offers it again. */
export function offerLines({ text }: Offer): readonly string[] {
  return text.split("\n").map((line) => visible(line));
}

/** The texts that models read, wherever they are in the definition, and the arguments; other fields are only named. */
export function offerSummary(offer: Offer): readonly string[] {
  const whole = offer.of === "start" ? undefined : objectIn(offer.text);
  if (whole === undefined) return offerLines(offer);
  if (offer.of === "instructions") return allTexts(whole, []);
  const read = whole["tool"];
  if (!isObject(read)) return offerLines(offer);
  const { description, inputSchema } = read;
  const left = Object.keys(read).filter((key) => !SHOWN.includes(key));
  return [
    ...textLines(description),
    ...argumentLines(inputSchema),
    ...otherTexts(read, []),
    ...(left.length === 0 ? [] : [`not shown here: ${left.map(visible).join(", ")}`]),
  ];
}

/** Everything that a server says about itself; how it is started is a question of its own. */
function allTexts(value: Json, path: readonly string[]): readonly string[] {
  if (path[0] === "starts" || path[0] === "server") return [];
  if (typeof value === "string") {
    const [first = "", ...rest] = visibleLines(value);
    return [`${visible(path.join("."))}: ${first}`, ...rest.map((line) => `  ${line}`)];
  }
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => allTexts(inner, [...path, key]));
}

/** Shown above. */
const SHOWN = ["name", "description", "inputSchema"];
/** A text of this many characters can be an instruction to a model, in whatever field it is. */
const INSTRUCTION_MIN = 60;

/** Texts that are not in their usual place: an instruction to models could be hidden there. */
function otherTexts(value: Json, path: readonly string[]): readonly string[] {
  if (typeof value === "string") {
    const isText = path.at(-1) === "description" || value.length >= INSTRUCTION_MIN;
    return isText && !USUAL.test(path.join(".")) ? [`${visible(path.join("."))}: ${visible(value)}`] : [];
  }
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => otherTexts(inner, [...path, key]));
}

const USUAL = /^(description|inputSchema\.properties\.[^.]*\.description)$/;

function argumentLines(schema: Json | undefined): readonly string[] {
  const properties = isObject(schema) ? schema["properties"] : undefined;
  if (!isObject(properties)) return ["arguments: none"];
  const required = isObject(schema) ? schema["required"] : undefined;
  return Object.entries(properties).flatMap(([name, form]) => {
    const isNeeded = Array.isArray(required) && required.includes(name);
    const [first = "", ...rest] = isObject(form) ? textLines(form["description"]) : [];
    const head = `argument ${visible(name)}${isNeeded ? "" : " (optional)"}${first === "" ? "" : `: ${first}`}`;
    return [head, ...rest.map((line) => `  ${line}`)];
  });
}

function textLines(text: Json | undefined): readonly string[] {
  return typeof text === "string" ? visibleLines(text) : [];
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const read = toJson(JSON.parse(text));
    return read.ok && isObject(read.value) ? read.value : undefined;
  } catch {
    // An offer that is not a definition is shown as it is.
    return undefined;
  }
}
