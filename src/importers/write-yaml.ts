import type { Json, JsonObject } from "../core/values/json.ts";

/** A policy as YAML for people to read and edit: block style, plain words without quotes. */
export function writeYaml(value: JsonObject, heading: readonly string[]): string {
  const comments = heading.map((line) => `# ${line.replace(/[\r\n]+/g, " ")}\n`).join("");
  return comments + members(value, "");
}

function members(value: JsonObject, indent: string): string {
  return Object.entries(value)
    .map(([key, member]) => `${indent}${scalar(key)}:${below(member, indent)}`)
    .join("");
}

function below(value: Json, indent: string): string {
  if (isMap(value) && Object.keys(value).length > 0) return `\n${members(value, `${indent}  `)}`;
  if (Array.isArray(value) && value.some((item) => typeof item === "object" && item !== null)) {
    return `\n${value.map((item: Json) => entry(item, `${indent}  `)).join("")}`;
  }
  return ` ${inline(value)}\n`;
}

/** A list item: its first key is after the dash, the others below it. */
function entry(value: Json, indent: string): string {
  if (!isMap(value) || Object.keys(value).length === 0) return `${indent}- ${inline(value)}\n`;
  return `${indent}- ${members(value, `${indent}  `).slice(indent.length + 2)}`;
}

function inline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((item: Json) => inline(item)).join(", ")}]`;
  if (isMap(value)) {
    const parts = Object.entries(value).map(([key, member]) => `${scalar(key)}: ${inline(member)}`);
    return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
  }
  return typeof value === "string" ? scalar(value) : JSON.stringify(value);
}

/** JSON quoting is valid YAML, so everything ambiguous is written as JSON. */
function scalar(text: string): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return plain ? text : JSON.stringify(text);
}

function isMap(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
