import type { ToolDefinition } from "../../core/classify/definition.ts";
import { EFFECT_CLASSES } from "../../core/effect.ts";
import { TOOL_KIND_NAMES } from "../../core/standing/declaration.ts";
import { maybe, note, object, oneOf, type TypeOf, text } from "../shape.ts";
import { definition } from "./call.ts";

/** What a person declares about a tool, with its definition if it has one, or about all tools of a server. */
export const DECLARATION_INPUT = object({
  tool: maybe(text),
  /** The definition that the person saw, or its hash. If the definition changes, the gate asks again. */
  definition: maybe(definition),
  /** Instead of a tool: all tools of this MCP server whose names suggest nothing more dangerous. */
  server: maybe(text),
  /** What it does: a class, or a word such as `looks`, `sends` or `moves-money`. */
  does: oneOf([...TOOL_KIND_NAMES, ...EFFECT_CLASSES]),
  /** Applies only to calls of this agent. */
  agent: maybe(text),
  because: maybe(note),
  by: text,
});
export type ReadDeclaration = TypeOf<typeof DECLARATION_INPUT>;
/** The same as a program writes it. Whether a text is a hash is checked later. */
export type DeclarationInput = Omit<ReadDeclaration, "definition"> & {
  /** The definition that the person saw, or its hash. If the definition changes, the gate asks again. */
  definition?: string | ToolDefinition;
};

/** The same without the person, for doors that know who it is. */
const { by: _, ...DECLARED_KEYS } = DECLARATION_INPUT.keys;
export const DECLARED = object(DECLARED_KEYS);
