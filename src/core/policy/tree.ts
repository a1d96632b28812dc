import type { Position } from "../policy.ts";

/** A parsed text that remembers where everything stood. Made by `config/yaml.ts`, read by shapes. */
export type Tree = { at: Position } & (
  | { is: "map"; members: readonly Member[] }
  | { is: "list"; items: readonly Tree[] }
  | { is: "scalar"; value: null | boolean | number | string }
);
export type Member = { key: string; at: Position; value: Tree };

/** One thing that is wrong with a text, where, and what to do about it. */
export type Fault = Position & { message: string; hint?: string };

export function describeFault(fault: Fault): string {
  const hint = fault.hint === undefined ? "" : `; ${fault.hint}`;
  return `${fault.file}:${fault.line}:${fault.column}: ${fault.message}${hint}`;
}

export function memberOf(tree: Tree, key: string): Tree | undefined {
  return tree.is === "map" ? tree.members.find((member) => member.key === key)?.value : undefined;
}

/** How a tree is named in a message. */
export function nameOf(tree: Tree): string {
  if (tree.is !== "scalar") return tree.is === "map" ? "a map" : "a list";
  if (tree.value === null) return "nothing";
  return typeof tree.value === "string" ? `\`${tree.value}\`` : `the ${typeof tree.value} ${tree.value}`;
}
