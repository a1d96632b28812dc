import type { ToolCall } from "../../core/call.ts";
import type { AgentName } from "../../core/ids.ts";
import { say } from "../../core/messages/message.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { traceParentOf } from "../../core/values/trace-parent.ts";
import { approvalAt } from "../../gate/approvals/approval-at.ts";
import { callAt, executionAt } from "../../gate/calls/call-at.ts";
import { type CallerOptions, DEFAULT_CALLER } from "../../gate/calls/judging.ts";
import { wait } from "../../gate/calls/wait.ts";
import type { Deps } from "../../gate/deps.ts";
import { liveTokensOf } from "../../gate/people/tokens.ts";
import { layerOf } from "../../service/policy-layer.ts";
import { badInput, LeewayRefusal, refusalOf } from "../../service/refusal.ts";
import { callOf, type ProgramScope, within } from "../../service/scope.ts";
import {
  inside,
  jsonObject,
  listOf,
  maybe,
  object,
  type Shape,
  shapeOf,
  type TypeOf,
  text,
} from "../../service/shape.ts";
import { CALL } from "../../service/shapes/call.ts";
import type { HttpRequest } from "../request.ts";

// A call as an agent sends it, and the calls and executions that a request names: what all routes about calls share.

/** The server cannot check what an agent says about its own files, so this is refused (decision 18). */
const facts: Shape<never> = shapeOf(
  { not: {}, description: "Refused: the server looks up facts itself." },
  (_value, path) => {
    throw badInput(path, say("refusal.agent_says_files"), say("hint.server_looks_itself"));
  },
);

/**
 * `chain`: the agents between the agent of the token and the agent of the call, outermost first. `layers`: the policies of
 * `withPolicy`, outermost first; they can only make the decision stricter. `requestedBy` needs a token that may name people.
 */
export const SENT = object({
  ...CALL.keys,
  chain: maybe(listOf(text)),
  layers: maybe(listOf(jsonObject)),
  facts: maybe(facts),
});
export type Sent = TypeOf<typeof SENT>;

const LAYERS_MAX = 16;

/** What the decision depends on besides the call. The layers can only make it stricter, so every agent may send them. */
export function callerOf(deps: Deps, { runBy, layers = [] }: Pick<Sent, "runBy" | "layers">, path = ""): CallerOptions {
  if (layers.length > LAYERS_MAX) {
    const hint = say("hint.send_at_most", { max: LAYERS_MAX });
    throw badInput(inside(path, "layers"), say("refusal.there_are", { count: layers.length }), hint);
  }
  const at = inside(path, "layers");
  const scopes = layers.map((layer, n) => layerOf(deps.policies.parse, layer, inside(at, String(n))));
  return { ...DEFAULT_CALLER, scopes, ...(runBy === undefined ? {} : { runBy }) };
}

/**
 * The agent of the token is the root: another name in the call is a sub-agent of it, and what the call says can only make
 * decisions stricter. The input was checked with the body.
 */
export async function callFrom(
  deps: Deps,
  input: Sent,
  request: Pick<HttpRequest, "who" | "headers">,
  path = "",
): Promise<ToolCall> {
  const call = scopedCall(deps, input, request, path);
  await ensureOwnName(deps, call, path);
  return call;
}

/** The call of an agent, in the name that it gave itself. */
export function scopedCall(
  { workspace, mint }: Deps,
  input: Omit<Sent, "layers" | "facts" | "runBy">,
  { who, headers }: Pick<HttpRequest, "who" | "headers">,
  path: string,
): ToolCall {
  const agent = agentOf({ who });
  if (input.requestedBy !== undefined) ensureNamesRequesters(who, path);
  const traceId = input.traceId ?? tracedBy(headers);
  const said = traceId === undefined ? input : { ...input, traceId };
  return callOf(said, { scope: under(agent, input.chain), agent, workspace, mint });
}

/** The trace of the request, if the client sent one. A header that cannot be read is ignored, as its standard asks. */
function tracedBy(headers: HttpRequest["headers"]): string | undefined {
  const traceparent = headers["traceparent"];
  return traceparent !== undefined && traceParentOf(traceparent) !== undefined ? traceparent : undefined;
}

export async function ensureOwnName(deps: Deps, call: ToolCall, path: string): Promise<void> {
  const borrowed = call.chain.length === 0 ? undefined : await borrowedName(deps, call);
  if (borrowed === undefined) return;
  const hint = say("hint.sub_agent_otherwise");
  throw badInput(inside(path, "agent"), say("refusal.name_is", { name: borrowed.name, what: borrowed.is }), hint);
}

/** The scope of an agent, inside the agents between it and the agent of the token. */
export function under(agent: AgentName, chain: readonly AgentName[] = []): ProgramScope {
  let scope: ProgramScope = { agent, chain: [], layers: [] };
  for (const name of chain) scope = within(scope, { agent: name });
  return scope;
}

/**
 * An agent cannot say who requested its work: a grant may be for one person, and a requester may not review. Only a token
 * that an admin made for a program that verifies people may name them.
 */
function ensureNamesRequesters(who: HttpRequest["who"], path: string): void {
  const holder = who.is === "agent" ? who.token.holder : undefined;
  if (holder !== undefined && "agent" in holder && holder.can === "name-requesters") return;
  const hint = say("hint.token_names_requesters");
  throw badInput(inside(path, "requestedBy"), say("refusal.agent_tells_requester"), hint);
}

/** A sub-agent may not have the name of a person, or of an agent that has its own token. */
async function borrowedName(deps: Deps, { agent, chain: [, ...between] }: ToolCall) {
  const { people } = (await deps.standing.current()).rows;
  for (const name of [agent, ...between]) {
    if (people.some((one) => one.name === name && one.state === "active"))
      return { name, is: say("refusal.is_person") };
    if ((await liveTokensOf(deps, { agent: name })).length > 0) return { name, is: say("refusal.is_agent") };
  }
  return undefined;
}

export function agentOf({ who }: Pick<HttpRequest, "who">): AgentName {
  if (who.is !== "agent") throw new Error("a route for agents let somebody else in (this is a bug)");
  return who.agent;
}

/** A request about a call, and the call. */
export type OneCall = Pick<HttpRequest, "who"> & { params: { id: string } };

/** An agent finds only its own calls and those of its sub-agents. */
export async function ownCall(deps: Deps, { params: { id }, who }: OneCall): Promise<CallRow> {
  const found = await callAt(deps, await callIdOf(deps, id));
  if (found === undefined) throw noCall(id);
  const { agent, chain } = found;
  if (who.is === "agent" && agent !== who.agent && !chain.includes(who.agent)) throw noCall(id);
  return found;
}

/** Finds a call by its id, by the id of its question, or by the id of its execution. */
async function callIdOf(deps: Deps, id: string): Promise<string> {
  const find = id.startsWith("apr_") ? approvalAt : id.startsWith("exe_") ? executionAt : undefined;
  return (await find?.(deps, id))?.row.call ?? id;
}

export async function executionOf(deps: Deps, asked: OneCall): Promise<string> {
  const named = asked.params.id;
  if (named.startsWith("exe_") && (await isOwnRight(deps, named, agentOf(asked)))) return named;
  const { id, agent, tool, executionId } = await ownCall(deps, asked);
  if (named.startsWith("exe_")) return named;
  if (executionId !== undefined) return executionId;
  const receipt = await wait(deps, id, { timeoutMs: 0 });
  if (receipt.executionId === undefined) throw refusalOf(receipt, { agent, tool });
  return receipt.executionId;
}

/** An execution names its agent, but not the agents above it; for these the call is read. */
async function isOwnRight(deps: Deps, id: string, agent: AgentName): Promise<boolean> {
  const held = deps.remembered.right(id) ?? (await executionAt(deps, id));
  return held !== undefined && (held.row.agent === agent || held.row.root === agent);
}

export function noCall(id: string): LeewayRefusal {
  const hint = say("hint.other_agent_or_workspace");
  return new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason: say("refusal.no_call", { id }), hint });
}
