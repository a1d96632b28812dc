import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import { carryingOf, holding } from "./carrying.ts";
import type { Catalogue, Shelf } from "./catalogue.ts";
import { type CallEnding, definedAs, gatedCall, told } from "./gated-call.ts";
import { BAD_PARAMS, errorLine, GATEWAY_ERROR, HEADER_MISMATCH, type RpcId, resultLine } from "./rpc.ts";
import {
  type ClientRequest,
  callerOf,
  catalogueFor,
  lineFor,
  meantBy,
  noteSent,
  ownResult,
  type Session,
} from "./session.ts";
import { register, STATUS_TOOL, WAIT_TOOL } from "./tool-list.ts";
import type { Upstream } from "./upstream.ts";
import { ownTool } from "./waiting/own-tools.ts";
import { resumed } from "./waiting/request-state.ts";

// `tools/call` and `resources/read`: nothing of them reaches an upstream before the gate has decided.

export async function callTool(session: Session, given: ClientRequest): Promise<string> {
  const { id } = given;
  const { name, arguments: args = {} } = given.params;
  if (typeof name !== "string" || !isObject(args)) {
    return errorLine(id, BAD_PARAMS, "Invalid params: `name` is a text and `arguments` is an object");
  }
  const sent = resumed(session, given, { name, args });
  if (typeof sent === "string") return errorLine(id, BAD_PARAMS, sent);
  if (name === WAIT_TOOL || name === STATUS_TOOL) {
    return lineOf(session, id, await ownTool(session, sent, name, args["id"]));
  }
  const meant = meantBy(session, name);
  if (meant === undefined) return errorLine(id, BAD_PARAMS, `Unknown tool: ${name}`);
  const catalogue = catalogueFor(session, meant.upstream);
  const shelf = await shelfUnlessLogin(session, meant);
  if (shelf === "login") {
    const needed = told(say("gateway.login_needed", { server: meant.upstream.name }), true);
    return lineOf(session, id, needed);
  }
  if (shelf === undefined) return errorLine(id, BAD_PARAMS, `Unknown tool: ${name}`);
  const fault = wrongArguments(given, shelf, args);
  if (fault !== undefined) return errorLine(id, HEADER_MISMATCH, fault);
  return lineOf(session, id, inShape(shelf, await callShelf(session, sent, catalogue, shelf, args)));
}

/** A client knows only of the definitions that were accepted which arguments they want in headers. */
function wrongArguments({ argumentFault }: ClientRequest, { tool, pin }: Shelf, args: JsonObject): string | undefined {
  const { inputSchema } = tool.definition;
  const isKnown = pin?.state === "accepted" && inputSchema !== undefined && isObject(inputSchema);
  return isKnown ? argumentFault?.(inputSchema, args) : undefined;
}

/** The tool, or `login`: nobody is asked about a call that cannot run because nobody is signed in. */
async function shelfUnlessLogin(
  session: Session,
  { upstream, name }: { upstream: Upstream; name: string },
): Promise<Shelf | undefined | "login"> {
  const { credentials } = upstream.settings;
  if (credentials?.isNeeded()) return "login";
  try {
    return await catalogueFor(session, upstream).find(name, session.client.meta);
  } catch (error) {
    if (credentials?.isNeeded()) return "login";
    throw error;
  }
}

/**
 * Clients check that a result has the form that the tool declares, unless it is an error. Words of the gateway never have
 * it, so for such a tool they are an error, also where nothing went wrong.
 */
function inShape({ tool }: Shelf, ending: CallEnding): CallEnding {
  if (ending.is === "line" || tool.definition.outputSchema === undefined) return ending;
  // A client that is asked to come back gets no result yet.
  if (ending.result["resultType"] !== undefined) return ending;
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
        noteSent(sent, upstream);
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
