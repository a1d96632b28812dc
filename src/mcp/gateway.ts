import { say } from "../core/messages/message.ts";
import { textOf } from "../core/messages/text.ts";
import { isObject, type JsonObject } from "../core/values/json.ts";
import { visible, visibleText } from "../core/values/text.ts";
import { endSession } from "../gate/calls/sessions.ts";
import { wait } from "../gate/calls/wait.ts";
import type { Deps } from "../gate/deps.ts";
import { pinRunner } from "../gate/standing/pins.ts";
import { startTicking } from "../gate/time/tick.ts";
import { type Catalogue, catalogueOf } from "./catalogue.ts";
import { errorText } from "./error-text.ts";
import { heardFrom, keepTaskToken, passAnswer, passProgress } from "./from-upstream.ts";
import { initialize, openWhatIsAccepted, reviewedGreeting } from "./greeting.ts";
import { answerForMany, noPlaces, type Places, placeOf } from "./many.ts";
import { asNewer, discover, greetedForAll, isTranslated } from "./newer/answers.ts";
import { listen, toldListeners } from "./newer/listening.ts";
import { claimedVersion, NEWER } from "./newer/versions.ts";
import {
  BAD_MESSAGE,
  BAD_PARAMS,
  errorLine,
  GATEWAY_ERROR,
  NO_METHOD,
  notificationLine,
  oneLine,
  type Rpc,
  readClientLine,
  resultLine,
} from "./rpc.ts";
import {
  type ActiveCall,
  type ArgumentFault,
  type ClientRequest,
  callerOf,
  type GatewayOptions,
  lineFor,
  noteMeta,
  noteSent,
  openUpstreams,
  type Session,
} from "./session.ts";
import { callTool, readResource } from "./tool-call.ts";
import { listTools } from "./tool-list.ts";
import { type Upstream, upstreamOf } from "./upstream.ts";
import { isOwnTask, withTasks } from "./waiting/task.ts";
import { answerTask } from "./waiting/tasks.ts";

// The gateway: a client on one side, MCP servers (upstreams) on the other. Calls of tools and reads of resources are
// decided by the gate; everything else passes as it came.

export type Gateway = {
  /** One message of the client, and what else can be wrong with the arguments of a call. */
  hear(line: string, argumentFault?: ArgumentFault): void;
  /** People still have a question of this session, or an answer waits for the client. */
  isAwaited(): Promise<boolean>;
  /** Ends the upstreams and the session, after a short time for what is under way. A call without a result is then unknown. */
  close(): Promise<void>;
};

const TICK_MS = 1_000;
const ANSWERS_MS = 1_000;

export function openGateway(deps: Deps, given: GatewayOptions): Gateway {
  const options = withVisibleNotes(given);
  const catalogues = new Map<Upstream, Catalogue>();
  const upstreams = options.upstreams.map((settings) =>
    upstreamOf(settings, {
      heard: (upstream, rpc, line) => heardFrom(session, upstream, rpc, line),
      changed: (upstream) => catalogues.get(upstream)?.forget(),
      said: (upstream, text) => options.note(text.replace(/^(?=.)/gm, `[${upstream.name}] `)),
    }),
  );
  for (const upstream of upstreams) catalogues.set(upstream, catalogueOf(deps, upstream, options.note));
  const session: Session = {
    deps,
    options,
    id: deps.mint.next("ses"),
    upstreams,
    catalogues,
    isOpen: new Map(),
    unlisted: new Set(),
    greeting: undefined,
    listeners: new Map(),
    client: { capabilities: {}, meta: {} },
    isInitialized: "no",
    active: new Map(),
    questions: new Set(),
    asked: new Map(),
    askedCount: 0,
    taskTokens: new Map(),
    usedStates: new Map(),
    tasks: new Map(),
  };
  deps.runners.set(pinRunner().name, pinRunner());
  const warn = (error: unknown) => options.note(`leeway: ${errorText(error)}\n`);
  const stopTicking = startTicking(deps, { everyMs: TICK_MS, onError: warn });
  const answers = setInterval(() => void tellAccepted(session).catch(warn), ANSWERS_MS).unref();
  const places = noPlaces();
  return {
    hear: (line, argumentFault) => hear(session, places, line, argumentFault),
    isAwaited: () => isAwaited(session),
    close: async () => {
      clearInterval(answers);
      for (const { end } of session.listeners.values()) end();
      await idle(session);
      for (const { abort } of session.active.values()) abort.abort();
      await Promise.all(upstreams.map((upstream) => upstream.close()));
      await ended(session).catch(warn);
      await stopTicking();
    },
  };
}

/** Many notes contain words of upstreams, and a terminal obeys some characters. */
function withVisibleNotes(options: GatewayOptions): GatewayOptions {
  return { ...options, note: (text) => options.note(visibleText(text)) };
}

/** The client has gone, so nobody waits for its questions. A session without calls was never recorded: nothing ends. */
async function ended(session: Session): Promise<void> {
  const { agent } = callerOf(session);
  await endSession(session.deps, { session: session.id, agent, by: agent, isHost: true });
}

const LAST_ANSWERS_MS = 2_000;

/** The client may have closed its side while it still reads: what is nearly done is done. */
async function idle({ active }: Session): Promise<void> {
  const untilMs = Date.now() + LAST_ANSWERS_MS;
  while (active.size > 0 && Date.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** When a person has answered about a tool or has signed in, the client is told to list the tools again. */
async function tellAccepted(session: Session): Promise<void> {
  let isChanged = false;
  for (const upstream of session.unlisted) {
    if (upstream.settings.credentials?.isNeeded() !== false) continue;
    session.unlisted.delete(upstream);
    isChanged = true;
  }
  for (const catalogue of session.catalogues.values()) {
    if (catalogue.tools().length > 0 && catalogue.isWaiting() && (await catalogue.readAnswers())) isChanged = true;
  }
  if (!isChanged) return;
  if (isTranslated(session)) toldListeners(session, "notifications/tools/list_changed", {});
  else session.options.send(notificationLine("notifications/tools/list_changed"));
}

async function isAwaited({ deps, questions }: Session): Promise<boolean> {
  for (const id of questions) {
    const { outcome, result, error } = await wait(deps, id, { timeoutMs: 0, looksOn: true });
    if (outcome === "pending") return true;
    if (outcome === "run" && result === undefined && error === undefined) return true;
  }
  return false;
}

function hear(session: Session, places: Places, sent: string, argumentFault?: ArgumentFault): void {
  const read = readClientLine(sent);
  if (!read.ok) {
    session.options.send(errorLine(read.id, read.code, read.why));
    return;
  }
  const { rpc } = read;
  const line = oneLine(sent);
  if (rpc.is === "answer") passAnswer(session, rpc);
  else if (rpc.is === "notification") notified(session, rpc, line);
  else {
    const more = argumentFault === undefined ? {} : { argumentFault };
    void answered(session, places, rpc, { line, ...more }).then((answer) => {
      if (answer !== undefined) session.options.send(answer);
    });
  }
}

function notified(session: Session, { method, params }: Extract<Rpc, { is: "notification" }>, line: string): void {
  // Some servers also carry out a request that has no id, so only true notifications may pass undecided.
  if (!method.startsWith("notifications/")) {
    session.options.note(`a message was dropped: ${JSON.stringify(method)} needs an id\n`);
    return;
  }
  if (method === "notifications/progress") {
    passProgress(session, params);
    return;
  }
  if (method !== "notifications/cancelled") {
    for (const upstream of openUpstreams(session)) upstream.tell(line);
    return;
  }
  const id = params["requestId"];
  const active = typeof id === "string" || typeof id === "number" ? session.active.get(id) : undefined;
  if (active === undefined || (typeof id !== "string" && typeof id !== "number")) return;
  active.abort.abort();
  if (active.upstream === undefined) return;
  active.upstream.tell(line);
  active.upstream.forget(id, "the client cancelled it");
}

/** Undefined if the client does not wait for an answer any more. */
async function answered(
  session: Session,
  places: Places,
  { id, method, params }: Extract<Rpc, { is: "request" }>,
  came: Pick<ClientRequest, "line" | "argumentFault">,
): Promise<string | undefined> {
  if (session.active.has(id)) return errorLine(id, BAD_PARAMS, `the id ${id} is already in use`);
  const active: ActiveCall = { abort: new AbortController() };
  session.active.set(id, active);
  noteMeta(session, params);
  try {
    const answer = await answerTo(session, places, method, { id, params, active, ...came });
    if (active.abort.signal.aborted) return undefined;
    keepTaskToken(session, active, answer);
    return isTranslated(session) ? asNewer(session, method, answer) : answer;
  } catch (error) {
    const why = errorText(error);
    if (active.abort.signal.aborted) return undefined;
    if (method !== "tools/call") return errorLine(id, GATEWAY_ERROR, why);
    const text = textOf(say("gateway.undecided", { why }), "en");
    return resultLine(id, { content: [{ type: "text", text }], isError: true });
  } finally {
    session.active.delete(id);
  }
}

async function answerTo(session: Session, places: Places, method: string, sent: ClientRequest): Promise<string> {
  const { id, params } = sent;
  if (method === "initialize") return firstInitialize(session, sent);
  if (!hasBegun(session)) return method === "ping" ? resultLine(id, {}) : errorLine(id, BAD_MESSAGE, NOT_BEGUN);
  if (session.isOpen.size === 0) await openWhatIsAccepted(session);
  if (isTranslated(session)) {
    await greetedForAll(session);
    if (method === "server/discover") return discover(session, sent);
    if (method === "subscriptions/listen") return listen(session, places, sent);
  }
  if (method === "tools/list") return listTools(session, id, params);
  if (method === "tools/call") return callTool(session, sent);
  if (isAlmostDecided(method)) return errorLine(id, NO_METHOD, `Leeway knows no method ${visible(method)}`);
  if (method === "resources/read") {
    const upstream = await upstreamWith(session, places, params);
    return upstream === undefined
      ? errorLine(id, BAD_PARAMS, "No MCP server here has it")
      : readResource(session, sent, upstream);
  }
  if (isOwnTask(method, params)) return answerTask(session, method, sent);
  if (!session.options.isAlone) return answerForMany(session, places, method, sent);
  return passed(session, method, sent);
}

const NOT_BEGUN = "this session has not begun; send `initialize` first";
const BEGUN = "this session has begun already; to be another client, connect again";

/** In the newer protocol every request says who the client is. */
function hasBegun({ isInitialized, client }: Session): boolean {
  return isInitialized === "yes" || Object.keys(client.meta).length > 0;
}

/** Once in a session; it may be tried again if it failed. */
async function firstInitialize(session: Session, { id, params }: ClientRequest): Promise<string> {
  // Upstreams would take the client for one of the older protocol from then on, and so all clients that share this session.
  if (claimedVersion(params) === NEWER) return errorLine(id, NO_METHOD, `the protocol ${NEWER} has no initialize`);
  if (session.isInitialized !== "no") return errorLine(id, BAD_MESSAGE, BEGUN);
  session.isInitialized = "now";
  try {
    const answer = await initialize(session, id, params);
    // A client of both protocols may have tried the newer one before.
    session.client.meta = {};
    session.isInitialized = "yes";
    return answer;
  } finally {
    if (session.isInitialized === "now") session.isInitialized = "no";
  }
}

/** A tolerant server may take it for a call of a tool: another spelling, or another verb for tools. */
function isAlmostDecided(method: string): boolean {
  const name = method.normalize("NFKC").trim().toLowerCase();
  return name.startsWith("tools/") || (name === "resources/read" && method !== name);
}

async function upstreamWith(session: Session, places: Places, { uri }: JsonObject): Promise<Upstream | undefined> {
  if (session.options.isAlone) return openUpstreams(session)[0];
  return typeof uri === "string" ? placeOf(session, places, uri) : undefined;
}

/** Everything that is not decided: the upstream's own line is the answer. */
async function passed(session: Session, method: string, sent: ClientRequest): Promise<string> {
  const { id, params, line } = sent;
  const [upstream] = openUpstreams(session);
  if (upstream === undefined) return errorLine(id, GATEWAY_ERROR, "nobody has accepted how this MCP server is started");
  noteSent(sent, upstream);
  const answer = await upstream.forward(id, lineFor(upstream, line, params));
  if (answer.is === "gone")
    return errorLine(id, GATEWAY_ERROR, `the MCP server ${upstream.name} stopped: ${answer.why}`);
  if (method !== "server/discover" || !answer.answer.ok || !isObject(answer.answer.result)) return answer.line;
  const { capabilities, ...greeting } = await reviewedGreeting(session, upstream, answer.answer.result);
  const own = withTasks(capabilities !== undefined && isObject(capabilities) ? capabilities : {});
  return resultLine(id, { ...greeting, capabilities: own });
}
