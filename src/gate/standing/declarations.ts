import type { ToolCall } from "../../core/call.ts";
import type { Piece } from "../../core/change.ts";
import { argumentName } from "../../core/classify/arguments.ts";
import { declarationOn, rowFor, wordOn } from "../../core/classify/known-tool.ts";
import { type Suggestion, suggestionFor } from "../../core/classify/suggested-class.ts";
import { type Refused, refused } from "../../core/codes.ts";
import type { Effect, EffectClass } from "../../core/effect.ts";
import type { AgentName, PersonName } from "../../core/ids.ts";
import { redactText } from "../../core/masking/redact.ts";
import { say } from "../../core/messages/message.ts";
import type { Declaration, DeclarationSubject } from "../../core/standing/declaration.ts";
import { declareTool, forgetTool } from "../../core/steps/standing/declaring.ts";
import { approvalAt, noApproval } from "../approvals/approval-at.ts";
import { askedCall } from "../approvals/covering.ts";
import { declaredIn } from "../calls/judging.ts";
import type { Step } from "../commit.ts";
import type { Deps } from "../deps.ts";
import {
  type Acting,
  actingAdmin,
  actingPerson,
  actStep,
  type HeldStanding,
  pausedPerson,
  unsure,
} from "../people/acting.ts";
import { everyRow } from "./every-row.ts";
import { mayGrant } from "./grants.ts";

// What people declare about tools. Admins declare it for everybody, owners for their own agents.

export type NewDeclaration = Acting & {
  about: DeclarationSubject;
  agent?: AgentName;
  class: EffectClass;
  because: string;
};

type Changed = { ok: true; value: Declaration } | Refused;

/** All declarations, also ended ones, newest first. */
export async function listDeclarations(deps: Deps): Promise<readonly Declaration[]> {
  const declarations = await everyRow(deps, "declarations");
  return [...declarations].sort((a, b) => b.createdMs - a.createdMs || (a.id < b.id ? 1 : -1));
}

/** A person declares what a tool does, or what all tools of a server do. */
export function addDeclaration(deps: Deps, given: NewDeclaration): Promise<Changed> {
  return declaring(deps, async () => ({ ok: true, value: given }));
}

export type ToolAnswer = Acting & { class: EffectClass; because: string; everybody: boolean };

/** The same from a question: for its tool, with the definition that the call had. */
export function declareFromQuestion(deps: Deps, approvalId: string, answer: ToolAnswer): Promise<Changed> {
  const { everybody, ...said } = answer;
  return declaring(deps, async () => {
    const asked = await approvalAt(deps, approvalId);
    if (asked === undefined) return noApproval(approvalId);
    const { call } = await askedCall(deps, asked.row);
    const { tool, definition, agent } = call;
    const no = takesCommands(tool, [...Object.keys(call.args), ...(call.described?.arguments ?? [])], said.class);
    if (no !== undefined) return no;
    return {
      ok: true,
      value: {
        ...said,
        about: { of: "tool", tool, ...(definition === undefined ? {} : { definition }) },
        ...(everybody ? {} : { agent }),
        fromApproval: asked.row.id,
      },
    };
  });
}

type Wanted = NewDeclaration & Pick<Declaration, "fromApproval">;

function declaring(deps: Deps, ask: () => Promise<{ ok: true; value: Wanted } | Refused>): Promise<Changed> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Declaration>> => {
    const wanted = await ask();
    if (!wanted.ok) return wanted;
    const { about, agent, class: cls, by, fromApproval } = wanted.value;
    const because = redactText(wanted.value.because);
    const no =
      (await mayDeclare(deps, inForce, wanted.value)) ??
      badClass(about, cls) ??
      pausedPerson(inForce, by) ??
      unsure(inForce, wanted.value);
    if (no !== undefined) return no;
    const declaration: Declaration = {
      id: deps.mint.next("dec"),
      workspace: deps.workspace,
      about,
      ...(agent === undefined ? {} : { agent }),
      class: cls,
      because,
      declaredBy: by,
      ...(fromApproval === undefined ? {} : { fromApproval }),
      createdMs: nowMs,
      state: "live",
    };
    const before = await liveRows(deps, inForce, () => true);
    return { ok: true, pieces: declareTool(declaration, before, deps.mint, nowMs), value: declaration };
  });
}

/** Withdraws a declaration. Everybody who may answer may do this, because it only makes the gate stricter. */
export function forgetDeclaration(deps: Deps, id: string, { by }: { by: PersonName }): Promise<Changed> {
  return actStep(deps, async (nowMs, inForce): Promise<Step<Declaration>> => {
    const acting = actingPerson(inForce, by);
    if ("code" in acting) return acting;
    const [held, second] = await liveRows(deps, inForce, (row) => row.id.startsWith(id) && id.startsWith("dec_"));
    if (held === undefined) {
      return refused("LEEWAY_NOT_FOUND", say("refusal.no_declaration", { id }), say("hint.tools_list"));
    }
    if (second !== undefined)
      return refused("LEEWAY_AMBIGUOUS", say("refusal.ambiguous", { id }), say("hint.more_of_id"));
    const step = forgetTool(held, by, deps.mint, nowMs);
    return step.ok ? { ok: true, pieces: [step.piece], value: step.declaration } : step;
  });
}

/** Ends all declarations of a person who is removed. */
export async function forgottenDeclarationsOf(
  deps: Deps,
  inForce: HeldStanding,
  person: PersonName,
  how: { by: PersonName; nowMs: number },
): Promise<readonly Piece[]> {
  const held = await liveRows(deps, inForce, (row) => row.declaredBy === person);
  return held.flatMap((one) => {
    const step = forgetTool(one, how.by, deps.mint, how.nowMs);
    return step.ok ? [step.piece] : [];
  });
}

async function liveRows({ store, workspace }: Deps, inForce: HeldStanding, which: (row: Declaration) => boolean) {
  const ids = inForce.rows.declarations.filter(which).map(({ id }) => id);
  const held = await Promise.all(
    ids.map((id) => store.read({ ask: "row", workspace, table: "declarations", id } as const)),
  );
  return held.flatMap((one) => one ?? []);
}

/** The question on a card about an unknown tool, with the answer that its name and server suggest. */
export type ToolQuestion = {
  tool: string;
  description?: string;
  suggestion?: Suggestion;
  /** The tool takes commands or code, so a declaration cannot make its calls run without a question. */
  takesCommands: boolean;
};

export async function toolQuestion(deps: Deps, call: ToolCall, effect: Effect): Promise<ToolQuestion | undefined> {
  if (effect.declared !== undefined || effect.understood === "fully" || !isStranger(call.tool)) return undefined;
  const inForce = await deps.standing.current();
  const declared = declaredIn(deps, inForce);
  if (wordOn(declared, call.tool).says !== undefined || declarationOn(declared, call) !== undefined) return undefined;
  const suggestion = suggestionFor(call);
  const { description, arguments: names = [] } = call.described ?? {};
  return {
    tool: call.tool,
    ...(description === undefined ? {} : { description }),
    ...(suggestion === undefined ? {} : { suggestion }),
    takesCommands: takesCommands(call.tool, [...Object.keys(call.args), ...names], "none") !== undefined,
  };
}

/** The tool is unknown, or its name is known from another server. */
function isStranger(tool: string): boolean {
  const found = rowFor(tool);
  return found === undefined || found.doubt !== undefined;
}

async function mayDeclare(
  deps: Deps,
  inForce: HeldStanding,
  { about, agent, by }: Wanted,
): Promise<Refused | undefined> {
  if (about.of === "server") {
    const acting = actingAdmin(inForce, by, say("act.declare_server"));
    return "code" in acting ? acting : undefined;
  }
  return mayGrant(deps, inForce, by, agent === undefined ? {} : { agent });
}

/** A tool that runs commands cannot be declared as only reading, because each call decides what it does. */
function takesCommands(tool: string, names: readonly string[], cls: EffectClass): Refused | undefined {
  const row = rowFor(tool)?.row;
  const takes = row?.command ?? row?.code ?? names.find((name) => argumentName(name).holds.has("command"));
  if (takes === undefined || cls === "process.exec") return undefined;
  return refused("LEEWAY_BAD_INPUT", say("refusal.tool_runs_code", { tool }), say("hint.declare_exec"));
}

function badClass(about: DeclarationSubject, cls: EffectClass): Refused | undefined {
  if (cls === "unknown") {
    return refused("LEEWAY_BAD_INPUT", say("refusal.declares_unknown"), say("hint.name_what_tool_does"));
  }
  return about.of === "tool" ? takesCommands(about.tool, [], cls) : undefined;
}
