import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import { approvalAt } from "../gate/approvals/approval-at.ts";
import { wait } from "../gate/calls/wait.ts";
import type { Catalogue, Shelf } from "./catalogue.ts";
import { type CallEnding, type Carrying, definedAs, gatedCall, goOn, told } from "./gated-call.ts";
import { hold } from "./hold.ts";
import { BAD_PARAMS, errorLine, GATEWAY_ERROR, type RpcId, resultLine } from "./rpc.ts";
import {
  type ActiveCall,
  callerOf,
  catalogueFor,
  lineFor,
  meantBy,
  openUpstreams,
  ownResult,
  type Session,
} from "./session.ts";
import { progressToken, register, STATUS_TOOL, WAIT_TOOL } from "./tool-list.ts";
import type { Upstream } from "./upstream.ts";

// `tools/call` and `resources/read`: nothing of them reaches an upstream before the gate has decided.

/** One request of the client, as it came. */
export type ClientRequest = { id: RpcId; params: JsonObject; line: string; active: ActiveCall };

export async function callTool(session: Session, sent: ClientRequest): Promise<string> {
  const { id, params } = sent;
  const { name, arguments: args = {} } = params;
  if (typeof name !== "string" || !isObject(args)) {
    return errorLine(id, BAD_PARAMS, "Invalid params: `name` is a text and `arguments` is an object");
  }
  if (name === WAIT_TOOL || name === STATUS_TOOL) {
    return lineOf(session, id, await ownTool(session, sent, name, args["id"]));
  }
  const meant = meantBy(session, name);
  const catalogue = meant && catalogueFor(session, meant.upstream);
  const shelf = meant && (await catalogue?.find(meant.name, session.client.meta));
  if (catalogue === undefined || shelf === undefined) return errorLine(id, BAD_PARAMS, `Unknown tool: ${name}`);
  return lineOf(session, id, inShape(shelf, await callShelf(session, sent, catalogue, shelf, args)));
}

/**
 * Clients check that a result has the form that the tool declares, unless it is an error. Words of the gateway never have
 * it, so for such a tool they are an error, also where nothing went wrong.
 */
function inShape({ tool }: Shelf, ending: CallEnding): CallEnding {
  if (ending.is === "line" || tool.definition.outputSchema === undefined) return ending;
  return ending.result["structuredContent"] !== undefined
    ? ending
    : { is: "result", result: { ...ending.result, isError: true } };
}

function lineOf(session: Session, id: RpcId, ending: CallEnding): string {
  return ending.is === "line" ? ending.line : resultLine(id, ownResult(session, ending.result));
}

async function callShelf(
  session: Session,
  sent: ClientRequest,
  catalogue: Catalogue,
  found: Shelf,
  args: JsonObject,
): Promise<CallEnding> {
  const shelf = found.pin?.state === "accepted" ? found : await lookedAgain(session, catalogue, found);
  register(session, shelf);
  const { tool, pin } = shelf;
  const wanted = { tool: tool.gateName, args, definition: definedAs(tool.hash, tool.definition) };
  const quarantined = pin?.state !== "accepted";
  const ending = await gatedCall(
    session.deps,
    callerOf(session),
    { ...wanted, quarantined },
    carryingOf(session, sent, shelf),
  );
  return quarantined ? withQuestion(catalogue, shelf, ending) : ending;
}

/** Somebody may have answered since the pins were read. */
async function lookedAgain(session: Session, catalogue: Catalogue, shelf: Shelf): Promise<Shelf> {
  await catalogue.readAnswers();
  return (await catalogue.find(shelf.tool.name, session.client.meta)) ?? shelf;
}

/** A tool that nobody has accepted: people are asked once about its definition, and the model is told so. */
async function withQuestion(catalogue: Catalogue, shelf: Shelf, ending: CallEnding): Promise<CallEnding> {
  const { pin } = shelf;
  if (ending.is === "line") throw new Error("a call of a hidden tool ran (this is a bug)");
  const asked = await catalogue.ask(shelf);
  const said =
    pin?.state === "refused"
      ? say("gateway.refused", { person: pin.by })
      : asked === undefined
        ? undefined
        : say("gateway.asked", { id: asked });
  const { content } = ending.result;
  const more = said === undefined ? [] : [{ type: "text", text: textOf(said, "en") }];
  return { is: "result", result: { ...ending.result, content: [...(Array.isArray(content) ? content : []), ...more] } };
}

function carryingOf(session: Session, sent: ClientRequest, { tool }: Shelf): Carrying {
  const { upstream } = tool;
  const catalogue = catalogueFor(session, upstream);
  return {
    ...holding(session, sent, upstream),
    forward: (edited) => {
      sent.active.upstream = upstream;
      const isPlain = edited === undefined && session.options.isAlone;
      const line = isPlain
        ? sent.line
        : withParams(sent, { name: tool.name, ...(edited === undefined ? {} : { arguments: edited }) });
      return upstream.forward(sent.id, isPlain ? lineFor(upstream, line, sent.params) : line);
    },
    isSame: async () => {
      const now = await catalogue.find(tool.name, session.client.meta);
      return now?.tool.hash === tool.hash && now.pin?.state === "accepted";
    },
  };
}

function withParams({ id, params }: ClientRequest, over: JsonObject): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { ...params, ...over } });
}

function holding(session: Session, { params, active }: ClientRequest, { name }: Upstream) {
  const { withProgress, without } = session.options.holdMs;
  const token = progressToken(params);
  return {
    server: name,
    holdMs: token === undefined ? without : withProgress,
    signal: active.abort.signal,
    asked: (approvalId: string) => void session.questions.add(approvalId),
    held: (approvalId: string) => hold(session, approvalId, token),
  };
}

/** `leeway_wait` and `leeway_status`: how a question stands, and the result of the call once it is approved. */
async function ownTool(session: Session, sent: ClientRequest, tool: string, asked: unknown): Promise<CallEnding> {
  const { deps } = session;
  const { agent } = callerOf(session);
  const id = typeof asked === "string" ? asked : "";
  // Every client chooses its own name, so the name of the agent alone does not show whose question it is.
  const found = session.questions.has(id) ? (await approvalAt(deps, id))?.row : undefined;
  if (found === undefined || found.agent !== agent) return told(say("gateway.not_yours", { id }), true);
  const waits = tool === WAIT_TOOL;
  const token = progressToken(sent.params);
  const { withProgress, without } = session.options.holdMs;
  const timeoutMs = !waits ? 0 : token === undefined ? without : withProgress;
  const release = waits ? hold(session, id, token) : () => undefined;
  try {
    const receipt = await wait(deps, id, { timeoutMs, signal: sent.active.abort.signal });
    const isReady = receipt.outcome === "run" && receipt.result === undefined && receipt.error === undefined;
    if (isReady && !waits) return told(say("gateway.wait", { id }), false);
    const shelf = isReady ? await shelfOf(session, found.tool) : undefined;
    if (isReady && shelf === undefined) return told(say("gateway.drifted"), true);
    const about = { agent, tool: found.tool };
    if (shelf === undefined) return goOn(deps, receipt, about, NOTHING_TO_CARRY);
    // The client sent `leeway_wait`, so the call is written anew from what was approved.
    const args = await approvedArgs(session, found.id);
    const params = { ...sent.params, name: shelf.tool.name, arguments: args };
    const carrying = carryingOf(session, { ...sent, params, line: withParams({ ...sent, params }, {}) }, shelf);
    return await goOn(deps, receipt, about, carrying);
  } finally {
    release();
  }
}

const NOTHING_TO_CARRY: Carrying = {
  server: "",
  forward: async () => ({ is: "gone", why: "there is nothing to run" }),
  isSame: async () => false,
  holdMs: 0,
  signal: new AbortController().signal,
  asked: () => undefined,
  held: () => () => undefined,
};

async function approvedArgs({ deps }: Session, approvalId: string): Promise<JsonObject> {
  const { askedCall } = await import("../gate/approvals/covering.ts");
  const row = (await approvalAt(deps, approvalId))?.row;
  if (row === undefined) throw new Error(`the question ${approvalId} is gone (this is a bug)`);
  return (await askedCall(deps, row)).call.args;
}

/** The tool that the gate knows by this name. */
async function shelfOf(session: Session, gateName: string): Promise<Shelf | undefined> {
  for (const upstream of openUpstreams(session)) {
    const prefix = `mcp:${upstream.name}/`;
    if (!gateName.startsWith(prefix)) continue;
    return catalogueFor(session, upstream).find(gateName.slice(prefix.length), session.client.meta);
  }
  return undefined;
}

/** The tool as which reading a resource is decided. */
const READ_TOOL = "resources.read";
/** Addresses with a meaning outside of the server. All others are names that only the server can resolve. */
const ADDRESS = /^(https?|file|ftps?|sftp|wss?|data|gs|s3|git|ssh):/i;

export async function readResource(session: Session, sent: ClientRequest, upstream: Upstream): Promise<string> {
  const { deps } = session;
  const { uri } = sent.params;
  if (typeof uri !== "string") return errorLine(sent.id, BAD_PARAMS, "Invalid params: `uri` is a text");
  const tool = `mcp:${upstream.name}/${READ_TOOL}`;
  if (!deps.declared.has(tool)) {
    const at = { file: `mcp:${upstream.name}`, line: 1, column: 1 };
    deps.declared.set(tool, { name: tool, class: "network.read", idempotent: true, at });
  }
  const key = ADDRESS.test(uri) ? "uri" : "resource";
  const ending = await gatedCall(
    deps,
    callerOf(session),
    { tool, args: { [key]: uri }, quarantined: false },
    {
      ...holding(session, sent, upstream),
      forward: (edited) => {
        sent.active.upstream = upstream;
        const params = { ...sent.params, uri: edited?.[key] ?? uri };
        const line =
          edited === undefined
            ? sent.line
            : JSON.stringify({ jsonrpc: "2.0", id: sent.id, method: "resources/read", params });
        return upstream.forward(sent.id, lineFor(upstream, line, params));
      },
      isSame: async () => true,
    },
  );
  if (ending.is === "line") return ending.line;
  if (ending.result["contents"] !== undefined) return resultLine(sent.id, ending.result);
  const [first] = Array.isArray(ending.result["content"]) ? ending.result["content"] : [];
  return errorLine(
    sent.id,
    GATEWAY_ERROR,
    isObject(first ?? null) ? String((first as JsonObject)["text"]) : "not read",
  );
}
