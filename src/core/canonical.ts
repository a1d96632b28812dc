import type { Json } from "./json.ts";

/**
 * RFC 8785 canonical JSON: keys in UTF-16 order, no space, numbers and strings as ECMAScript writes them. Two values
 * have one canonical text exactly when they are the same JSON value, so its hash can stand for the value.
 */
export function canonical(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i++) text += (i === 0 ? "" : ",") + canonical(value[i] as Json);
    return text + "]";
  }
  const members = value as { readonly [key: string]: Json };
  let text = "{";
  for (const key of Object.keys(members).sort()) {
    const member = members[key];
    if (member === undefined) continue;
    text += (text.length === 1 ? "" : ",") + JSON.stringify(key) + ":" + canonical(member);
  }
  return text + "}";
}
