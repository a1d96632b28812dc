import { forEachChild, type SyntaxNode } from "unbash";
import { NESTED_MAX } from "./script.ts";

/** What stands within one of these the grammar reads only when somebody looks, each time from its beginning. */
const EXPANSIONS: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "CommandExpansion",
  "ProcessSubstitution",
  "ParameterExpansion",
  "ArithmeticExpansion",
  "BraceExpansion",
  "ExtendedGlob",
]);

/**
 * Shows every node at and below one, words that are all letters aside, until it is told to stop. False where it was, or
 * where expansions stand within expansions deeper than they are followed.
 */
export function everyNode(top: SyntaxNode, visit: (node: SyntaxNode) => "on" | "past" | "stop", depth = 0): boolean {
  if (depth > NESTED_MAX) return false;
  const rest: SyntaxNode[] = [top];
  const inner: SyntaxNode[] = [];
  const keep = (child: SyntaxNode) => {
    if (child.type !== "Word" || child.parts !== undefined) rest.push(child);
  };
  const keepInner = (child: SyntaxNode) => void inner.push(child);
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    const next = visit(node);
    if (next === "stop") return false;
    if (next === "on") forEachChild(node, EXPANSIONS.has(node.type) ? keepInner : keep);
  }
  return inner.every((node) => everyNode(node, visit, depth + 1));
}
