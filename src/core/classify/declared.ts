import type { ToolDeclaration } from "../policy.ts";
import { graver } from "./protect.ts";

/** Everybody's word on each tool, the first given first. Of several on one tool the gravest counts: a later one only tightens. */
export function gravest(declarations: Iterable<ToolDeclaration>): Map<string, ToolDeclaration> {
  const found = new Map<string, ToolDeclaration>();
  for (const tool of declarations) {
    const held = found.get(tool.name);
    const milder = held !== undefined && graver(held.class, tool.class) === held.class;
    if (!milder) found.set(tool.name, tool);
  }
  return found;
}
