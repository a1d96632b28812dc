import { definitionHash, type ToolDefinition } from "../core/classify/definition.ts";
import { TOOL_KIND_NAMES, TOOL_KINDS, type ToolKind } from "../core/declaration.ts";
import { EFFECT_CLASSES, type EffectClass } from "../core/effect.ts";
import type { Hash } from "../core/values/hash.ts";
import type { Deps } from "../gate/deps.ts";
import type { Sure } from "../gate/people/acting.ts";
import {
  addDeclaration,
  forgetDeclaration,
  listDeclarations,
  type NewDeclaration,
} from "../gate/standing/declarations.ts";
import { definition } from "./input.ts";
import { type By, by, VOUCHED } from "./people.ts";
import { badInput, orThrow } from "./refusal.ts";
import { checked, maybe, note, oneOf, type Shape, text, textOf } from "./shape.ts";

/** What a person says of a tool: its name, with the definition where it has one, or a whole server. */
export type DeclarationInput = By & {
  tool?: string;
  /** The definition that was looked at, or its hash. Another definition of the same name asks again. */
  definition?: string | ToolDefinition;
  /** Instead of a tool: all tools of this MCP server whose names suggest nothing graver. */
  server?: string;
  /** What it does: a class, or a word such as `looks`, `sends` or `moves-money`. */
  does: EffectClass | ToolKind;
  /** Only for calls of this agent. */
  agent?: string;
  because?: string;
};

export const DECLARATION: Shape<DeclarationInput> = {
  tool: maybe(text),
  definition: maybe(definition),
  server: maybe(text),
  does: oneOf([...TOOL_KIND_NAMES, ...EFFECT_CLASSES]),
  agent: maybe(text),
  because: maybe(note),
  by: text,
};

export function toolsOf(deps: Deps, sure: Sure = VOUCHED) {
  return {
    /** Every declaration there is or was, newest first. */
    list: () => listDeclarations(deps),
    declare: async (input: DeclarationInput) =>
      orThrow(await addDeclaration(deps, { ...newDeclaration(checked(input, DECLARATION)), ...sure })),
    /** Takes a declaration back: from the next call on the tool is unknown again. */
    forget: async (id: string, who: By) => orThrow(await forgetDeclaration(deps, textOf(id, "id"), by(who))),
  };
}

function newDeclaration(input: DeclarationInput): Omit<NewDeclaration, keyof Sure> {
  const { tool, server, definition: defined, does, agent, because = "", by: person } = input;
  if ((tool === undefined) === (server === undefined)) {
    throw badInput("tool", "a declaration is about a tool or about a server", "give one of tool and server");
  }
  if (server !== undefined && (defined !== undefined || agent !== undefined)) {
    throw badInput("server", "a whole server is declared for everybody and has no definition", "leave out the rest");
  }
  const about =
    tool === undefined
      ? ({ of: "server", server: server ?? "" } as const)
      : ({ of: "tool", tool, ...(defined === undefined ? {} : { definition: hashOf(defined) }) } as const);
  return { about, class: classFor(does), because, by: person, ...(agent === undefined ? {} : { agent }) };
}

function hashOf(defined: string | ToolDefinition): Hash {
  return typeof defined === "string" ? (defined as Hash) : definitionHash(defined);
}

export function classFor(does: EffectClass | ToolKind): EffectClass {
  return Object.hasOwn(TOOL_KINDS, does) ? TOOL_KINDS[does as ToolKind] : (does as EffectClass);
}
