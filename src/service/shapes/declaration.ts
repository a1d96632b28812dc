import type { ToolDefinition } from "../../core/classify/definition.ts";
import { TOOL_KIND_NAMES } from "../../core/declaration.ts";
import { EFFECT_CLASSES } from "../../core/effect.ts";
import { maybe, note, object, oneOf, type TypeOf, text } from "../shape.ts";
import { definition } from "./call.ts";

/** What a person says of a tool: its name, with the definition where it has one, or a whole server. */
export const DECLARATION_INPUT = object({
  tool: maybe(text),
  /** The definition that was looked at, or its hash. Another definition of the same name asks again. */
  definition: maybe(definition),
  /** Instead of a tool: all tools of this MCP server whose names suggest nothing graver. */
  server: maybe(text),
  /** What it does: a class, or a word such as `looks`, `sends` or `moves-money`. */
  does: oneOf([...TOOL_KIND_NAMES, ...EFFECT_CLASSES]),
  /** Only for calls of this agent. */
  agent: maybe(text),
  because: maybe(note),
  by: text,
});
export type ReadDeclaration = TypeOf<typeof DECLARATION_INPUT>;
/** The same as a program writes it: whether a text is a hash is looked at when it is declared. */
export type DeclarationInput = Omit<ReadDeclaration, "definition"> & {
  /** The definition that was looked at, or its hash. Another definition of the same name asks again. */
  definition?: string | ToolDefinition;
};

/** The same without who says it, where that is proved. */
const { by: _, ...DECLARED_KEYS } = DECLARATION_INPUT.keys;
export const DECLARED = object(DECLARED_KEYS);
