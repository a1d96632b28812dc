import { type Node, parseTree } from "jsonc-parser";
import { readToml } from "../../config/parse/toml.ts";
import { textOf } from "../../core/messages/text.ts";
import type { Tree } from "../../core/policy/tree.ts";
import { parsedSettings } from "../../hooks/install/settings-json.ts";

// A settings file as values that know where they stand in the text, so that a change leaves everything else as it is.

/** From the first character to the one after the last. The end of tables, lists and numbers is not needed, and left out. */
export type Value =
  | { is: "text"; text: string; from: number; to: number }
  | { is: "list"; items: readonly Value[]; from: number }
  | { is: "table"; members: readonly Member[] }
  | { is: "other" };
export type Member = { key: string; keyFrom: number; value: Value };

export type Spans = { ok: true; value: Value } | { ok: false; why: string };

export function jsonSpans(text: string): Spans {
  if (text.trim() === "") return { ok: true, value: { is: "table", members: [] } };
  const parsed = parsedSettings(text);
  if (!parsed.ok) return parsed;
  const root = parseTree(text, [], { allowTrailingComma: true });
  return { ok: true, value: root === undefined ? { is: "other" } : fromNode(root) };
}

function fromNode({ type, offset, length, value, children = [] }: Node): Value {
  if (type === "string") return { is: "text", text: String(value), from: offset, to: offset + length };
  if (type === "array") return { is: "list", items: children.map(fromNode), from: offset };
  if (type !== "object") return { is: "other" };
  const members = children.flatMap(({ children: [key, held] = [] }) =>
    key === undefined || held === undefined
      ? []
      : [{ key: String(key.value), keyFrom: key.offset, value: fromNode(held) }],
  );
  return { is: "table", members };
}

export function tomlSpans(text: string, file: string): Spans {
  const read = readToml(text, file);
  if (read.ok) return { ok: true, value: fromTree(text, lineStarts(text), read.tree) };
  const [fault] = read.faults;
  return {
    ok: false,
    why: fault === undefined ? "it is not TOML" : `line ${fault.line}: ${textOf(fault.message, "en")}`,
  };
}

const TOML_TEXT = /"""(?:[^\\]|\\[\s\S])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'/y;

function fromTree(text: string, starts: readonly number[], tree: Tree): Value {
  const from = offsetOf(starts, tree.at);
  if (tree.is === "list") return { is: "list", items: tree.items.map((item) => fromTree(text, starts, item)), from };
  if (tree.is === "map") {
    const members = tree.members.map(({ key, at, value }) => ({
      key,
      keyFrom: offsetOf(starts, at),
      value: fromTree(text, starts, value),
    }));
    return { is: "table", members };
  }
  TOML_TEXT.lastIndex = from;
  const written = typeof tree.value === "string" ? TOML_TEXT.exec(text)?.[0] : undefined;
  return written === undefined
    ? { is: "other" }
    : { is: "text", text: String(tree.value), from, to: from + written.length };
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}

function offsetOf(starts: readonly number[], { line, column }: { line: number; column: number }): number {
  return (starts[line - 1] ?? 0) + column - 1;
}
