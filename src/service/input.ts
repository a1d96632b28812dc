import type { ToolCall } from "../core/call.ts";
import { definitionHash, descriptionOf, type ToolDefinition } from "../core/classify/definition.ts";
import type { Mint, WorkspaceId } from "../core/ids.ts";
import type { Hash } from "../core/values/hash.ts";
import { type ProgramScope, within } from "./scope.ts";
import type { ReadCall } from "./shapes/call.ts";

type Around = { scope: ProgramScope; agent: string; cwd?: string; workspace: WorkspaceId; mint: Mint };

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A call that was looked at, with what holds around it. Key by key, because this is made for every call. */
export function callOf(said: Omit<ReadCall, "runBy">, around: Around): ToolCall {
  const scope = within(around.scope, said);
  const call: Mutable<ToolCall> = {
    workspace: around.workspace,
    agent: scope.agent ?? around.agent,
    tool: said.tool,
    args: said.args ?? {},
    callId: said.callId ?? around.mint.next("call"),
    traceId: scope.traceId ?? around.mint.next("trace"),
    chain: scope.chain,
    claims: said.claims ?? {},
  };
  if (said.definition !== undefined) define(call, said.definition);
  // Without a folder, whoever carries the call out elsewhere would start its relative paths from another one.
  const cwd = scope.cwd ?? around.cwd;
  if (cwd !== undefined) call.cwd = cwd;
  if (scope.session !== undefined) call.session = scope.session;
  if (scope.run !== undefined) call.run = scope.run;
  // Words for the reviewer may be missing, and an agent without any sends none.
  if (said.says !== undefined && said.says !== "") call.says = said.says;
  if (scope.requestedBy !== undefined) call.requestedBy = scope.requestedBy;
  if (said.replayOf !== undefined) call.replayOf = said.replayOf;
  return call;
}

function define(call: Mutable<ToolCall>, given: Hash | ToolDefinition): void {
  if (typeof given === "string") {
    call.definition = given;
    return;
  }
  call.definition = definitionHash(given);
  call.described = descriptionOf(given);
}
