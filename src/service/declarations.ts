import { definitionHash, type ToolDefinition } from "../core/classify/definition.ts";
import type { EffectClass } from "../core/effect.ts";
import { say } from "../core/messages/message.ts";
import { TOOL_KINDS, type ToolKind } from "../core/standing/declaration.ts";
import type { Hash } from "../core/values/hash.ts";
import type { Deps } from "../gate/deps.ts";
import type { Assured } from "../gate/people/acting.ts";
import {
  addDeclaration,
  forgetDeclaration,
  listDeclarations,
  type NewDeclaration,
} from "../gate/standing/declarations.ts";
import { by, VOUCHED } from "./people.ts";
import { badInput, orThrow } from "./refusal.ts";
import { parse, textOf } from "./shape.ts";
import { DECLARATION_INPUT, type DeclarationInput, type ReadDeclaration } from "./shapes/declaration.ts";
import type { ActingPerson } from "./shapes/people.ts";

export function toolsOf(deps: Deps, sure: Assured = VOUCHED) {
  return {
    /** All declarations, also ended ones, newest first. */
    list: () => listDeclarations(deps),
    declare: async (input: DeclarationInput) => declare(deps, parse(DECLARATION_INPUT, input), sure),
    /** Withdraws a declaration: from the next call on the tool is unknown again. */
    forget: async (id: string, who: ActingPerson) => orThrow(await forgetDeclaration(deps, textOf(id, "id"), by(who))),
  };
}

/** A declaration that was checked, by a person who proved who they are. */
export async function declare(deps: Deps, declaration: ReadDeclaration, sure: Assured) {
  return orThrow(await addDeclaration(deps, { ...newDeclaration(declaration), ...sure }));
}

function newDeclaration(input: ReadDeclaration): Omit<NewDeclaration, keyof Assured> {
  const { tool, server, definition: defined, does, agent, because = "", by: person } = input;
  if ((tool === undefined) === (server === undefined)) {
    throw badInput("tool", say("refusal.declaration_about"), say("hint.tool_or_server"));
  }
  if (server !== undefined && (defined !== undefined || agent !== undefined)) {
    throw badInput("server", say("refusal.server_for_everybody"), say("hint.leave_out_rest"));
  }
  const about =
    tool === undefined
      ? ({ of: "server", server: server ?? "" } as const)
      : ({ of: "tool", tool, ...(defined === undefined ? {} : { definition: hashOf(defined) }) } as const);
  return { about, class: classFor(does), because, by: person, ...(agent === undefined ? {} : { agent }) };
}

function hashOf(defined: Hash | ToolDefinition): Hash {
  return typeof defined === "string" ? defined : definitionHash(defined);
}

export function classFor(does: EffectClass | ToolKind): EffectClass {
  return Object.hasOwn(TOOL_KINDS, does) ? TOOL_KINDS[does as ToolKind] : (does as EffectClass);
}
