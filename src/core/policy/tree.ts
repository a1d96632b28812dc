import { type Message, say } from "../messages/message.ts";
import { type Language, textOf } from "../messages/text.ts";
import type { Position } from "../policy.ts";

/** A parsed text with the position of everything. Made by `config/parse/yaml.ts`, read by shapes. */
export type Tree = { at: Position } & (
  | { is: "map"; members: readonly Member[] }
  | { is: "list"; items: readonly Tree[] }
  | { is: "scalar"; value: null | boolean | number | string }
);
export type Member = { key: string; at: Position; value: Tree };

/** One error in a text: where, what, and how to fix it. */
export type Fault = Position & { message: Message; hint?: Message };

/** The same as text: for people, and in English for programs. */
export type RenderedFault = Position & { message: string; hint?: string };

export function renderFault({ message, hint, ...at }: Fault, language: Language = "en"): RenderedFault {
  const text = { ...at, message: textOf(message, language) };
  return hint === undefined ? text : { ...text, hint: textOf(hint, language) };
}

export function describeFault(fault: Fault, language: Language = "en"): string {
  const { file, line, column, message, hint } = renderFault(fault, language);
  return `${file}:${line}:${column}: ${message}${hint === undefined ? "" : `; ${hint}`}`;
}

export function memberOf(tree: Tree, key: string): Tree | undefined {
  return tree.is === "map" ? tree.members.find((member) => member.key === key)?.value : undefined;
}

/** How a tree is named in a message. */
export function nameOf(tree: Tree): Message {
  if (tree.is !== "scalar") return say(tree.is === "map" ? "found.map" : "found.list");
  const { value } = tree;
  if (value === null) return say("found.nothing");
  if (typeof value === "string") return say("found.text", { text: value });
  return typeof value === "number" ? say("found.number", { value }) : say("found.boolean", { value: String(value) });
}
