import { isObject, type Json } from "../../core/values/json.ts";
import { shown } from "../page/text.ts";
import type { Words } from "../words/words.ts";

const KINDS: { readonly [of: string]: keyof Words } = {
  agent: "agent",
  tool: "tool",
  session: "sessionWord",
  grant: "grantWord",
  reviewer: "reviewerWord",
};

/** The scope of a pause as text: its kind and names. */
export function scopeText(words: Words, scope: Json | undefined): string {
  if (!isObject(scope)) return "";
  const { of, ...names } = scope;
  if (of === "everything") return words.everything;
  const kind = KINDS[String(of)];
  const named = Object.values(names).filter((one) => typeof one === "string");
  return [kind === undefined ? String(of) : words[kind], ...named].map(shown).join(" ");
}
