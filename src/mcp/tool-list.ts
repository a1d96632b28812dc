import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import type { JsonObject } from "../core/values/json.ts";
import { type CallTool, mcpRunner } from "../runners/mcp.ts";
import type { Shelf } from "./catalogue.ts";
import { errorText } from "./error-text.ts";
import { endingOf } from "./gated-call.ts";
import type { Tool } from "./offers.ts";
import { BAD_PARAMS, errorLine, type RpcId, resultLine } from "./rpc.ts";
import { catalogueFor, openUpstreams, type Session, shownName } from "./session.ts";
import type { Upstream } from "./upstream.ts";

// `tools/list`: what a person has accepted is shown as the upstream wrote it; of the rest the model reads only the name.

/** The gateway's own tools, for clients that cannot wait as long as people need. */
export const WAIT_TOOL = "leeway_wait";
export const STATUS_TOOL = "leeway_status";

function ownTools(): readonly JsonObject[] {
  const inputSchema = {
    type: "object",
    properties: { id: { type: "string", description: textOf(say("gateway.about_id"), "en") } },
    required: ["id"],
    additionalProperties: false,
  };
  return [
    { name: WAIT_TOOL, description: textOf(say("gateway.about_wait"), "en"), inputSchema },
    { name: STATUS_TOOL, description: textOf(say("gateway.about_status"), "en"), inputSchema },
  ];
}

export async function listTools(session: Session, id: RpcId, params: JsonObject): Promise<string> {
  if (params["cursor"] !== undefined) return errorLine(id, BAD_PARAMS, "Invalid cursor: all tools are on one page");
  const lists = await Promise.all(openUpstreams(session).map((upstream) => listOf(session, upstream)));
  const tools = lists.flatMap(({ tools }) => tools);
  const more = session.options.isAlone ? lists[0]?.more : {};
  return resultLine(id, { ...more, tools: [...tools, ...ownTools()] });
}

async function listOf(session: Session, upstream: Upstream) {
  try {
    const { shelves, more } = await catalogueFor(session, upstream).list(session.client.meta);
    for (const shelf of shelves) register(session, shelf);
    return { tools: shelves.map((shelf) => shownTool(session, shelf)), more };
  } catch (error) {
    if (session.options.isAlone) throw error;
    if (upstream.settings.credentials?.isNeeded()) session.unlisted.add(upstream);
    session.options.note(`${errorText(error)}\n`);
    return { tools: [], more: {} };
  }
}

function shownTool(session: Session, { tool, pin }: Shelf): JsonObject {
  const name = shownName(session, tool.upstream, tool.name);
  if (pin?.state === "accepted") return { ...tool.listed, name };
  const description = textOf(say("gateway.hidden", { server: tool.upstream.name }), "en");
  return { name, description, inputSchema: { type: "object" } };
}

/** Tells the gate how an approved call runs that nobody waits for, and what a trusted server says about its tool. */
export function register(session: Session, { tool, pin }: Shelf): void {
  const { deps } = session;
  if (!deps.runners.has(tool.gateName))
    deps.runners.set(tool.gateName, mcpRunner(tool.gateName, laterCall(session, tool)));
  const { annotations = {} } = tool.definition;
  const isReader = annotations["readOnlyHint"] === true && annotations["destructiveHint"] !== true;
  const isBelieved = tool.upstream.settings.trust && pin?.state === "accepted" && isReader;
  const known = deps.declared.get(tool.gateName);
  if (!isBelieved) deps.declared.delete(tool.gateName);
  else if (known === undefined) {
    const at = { file: `mcp:${tool.upstream.name}`, line: 1, column: 1 };
    deps.declared.set(tool.gateName, { name: tool.gateName, class: "network.read", idempotent: true, at });
  }
}

function laterCall(session: Session, { upstream, name }: Tool): CallTool {
  return async (args, definition, signal) => {
    const shelf = await catalogueFor(session, upstream)
      .find(name, session.client.meta)
      .catch(() => undefined);
    if (shelf?.tool.hash !== definition || shelf?.pin?.state !== "accepted") {
      return { is: "refused", why: textOf(say("gateway.drifted"), "en") };
    }
    if (signal.aborted) return { is: "refused", why: "the claim was lost" };
    try {
      const answer = await upstream.ask("tools/call", { ...session.client.meta, name, arguments: args });
      return { is: "ended", ending: endingOf(answer) };
    } catch (error) {
      return { is: "gone", why: errorText(error) };
    }
  };
}
