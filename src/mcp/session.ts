import { isObject, type JsonObject } from "../core/values/json.ts";
import type { Deps } from "../gate/deps.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CallEnding, Caller } from "./gated-call.ts";
import { CLIENT_CAPABILITIES, CLIENT_INFO, VERSION_KEY } from "./newer/versions.ts";
import { progressToken, type RpcId } from "./rpc.ts";
import type { Upstream, UpstreamSettings } from "./upstream.ts";

// One client of the gateway, and the upstreams that it reaches.

export type GatewayOptions = {
  upstreams: readonly UpstreamSettings[];
  /** One upstream under its own names, as if the client were connected to it directly. */
  isAlone: boolean;
  /** The name of the agent; by default what the client calls itself. */
  agent?: string;
  /** False once the client may not use the gateway any more; nothing that was held for it runs then. */
  isProven?(): Promise<boolean>;
  cwd: string;
  version: string;
  /** How long a call waits for people if the client hears of progress, and if it does not. */
  holdMs: { withProgress: number; without: number };
  /** The page of a question, if a server shows one. */
  linkTo(approvalId: string): string | undefined;
  /** To the client. */
  send(line: string): void;
  /** To the person who looks at the terminal or the log of the client. */
  note(text: string): void;
};

export type Session = {
  deps: Deps;
  options: GatewayOptions;
  id: string;
  upstreams: readonly Upstream[];
  catalogues: ReadonlyMap<Upstream, Catalogue>;
  /** Upstreams that may be used: a person has accepted how they are started. */
  isOpen: Map<Upstream, boolean>;
  /** Upstreams whose tools could not be listed because nobody is signed in there. */
  unlisted: Set<Upstream>;
  client: { name?: string; capabilities: JsonObject; meta: JsonObject };
  /** `now`: its `initialize` is under way. In the newer protocol there is none. */
  isInitialized: "no" | "now" | "yes";
  /** What the upstreams said when they were greeted for a client of the newer protocol. */
  greeting: Promise<JsonObject> | undefined;
  /** Clients of the newer protocol that listen to changes, by the id of their request. */
  listeners: Map<RpcId, Listener>;
  /** Requests of the client that have no answer yet. */
  active: Map<RpcId, ActiveCall>;
  /** Questions that calls of this session opened or wait for. */
  questions: Set<string>;
  /** Requests of upstreams that the client has not answered yet. */
  asked: Map<RpcId, AskedOfClient>;
  askedCount: number;
  /** Progress tokens of calls that an upstream goes on with after its answer, as a task of its own. */
  taskTokens: Map<RpcId, Upstream>;
  /** Request states that were used, with the time until which they would have been valid. */
  usedStates: Map<string, number>;
  /** Approved calls that run as tasks, by their question; `ending` once they have ended. */
  tasks: Map<string, RunningTask>;
};

/** A client that listens to changes: to lists, and to single resources. */
export type Listener = { wants: JsonObject; uris: ReadonlySet<string>; end(): void };

export type RunningTask = { sent: ClientRequest; ending?: CallEnding };

/** A request of an upstream, with the id and the progress token that it chose; the client sees an id of the gateway's in place of both. */
export type AskedOfClient = { upstream: Upstream; id: RpcId; token?: RpcId };

/** A request under way; once it was sent to an upstream, also where, and under which token the client hears of progress. */
export type ActiveCall = { abort: AbortController; upstream?: Upstream; token?: RpcId };

/** One request of the client, as it came. */
export type ClientRequest = {
  id: RpcId;
  params: JsonObject;
  line: string;
  active: ActiveCall;
  /** How often the client came back with this call because it was asked to. */
  round?: number;
  argumentFault?: ArgumentFault;
};

/** What is wrong with the arguments of a call besides their meaning; `schema` is the one of its tool. */
export type ArgumentFault = (schema: JsonObject, args: JsonObject) => string | undefined;

/** From now on this upstream may tell the client about the request. */
export function noteSent({ active, params }: Pick<ClientRequest, "active" | "params">, upstream: Upstream): void {
  active.upstream = upstream;
  const token = progressToken(params);
  if (token !== undefined) active.token = token;
}

/** The agent of a client that gives itself no name. */
const UNNAMED = "mcp";

export function callerOf({ options, client, id }: Session): Caller {
  return { agent: options.agent ?? client.name ?? UNNAMED, session: id, cwd: options.cwd };
}

export function catalogueFor({ catalogues }: Session, upstream: Upstream): Catalogue {
  const found = catalogues.get(upstream);
  if (found === undefined) throw new Error(`${upstream.name} has no catalogue (this is a bug)`);
  return found;
}

/** The upstreams in use. */
export function openUpstreams({ upstreams, isOpen }: Session): readonly Upstream[] {
  return upstreams.filter((upstream) => isOpen.get(upstream) !== false);
}

const SEPARATOR = "__";

/** The name of something of an upstream, as the client knows it. */
export function shownName({ options }: Session, upstream: Upstream, name: string): string {
  return options.isAlone ? name : `${upstream.name}${SEPARATOR}${name}`;
}

/** The upstream and the own name of something that the client names. */
export function meantBy(session: Session, name: string): { upstream: Upstream; name: string } | undefined {
  const open = openUpstreams(session);
  if (session.options.isAlone) return open[0] && { upstream: open[0], name };
  const upstream = open.find((one) => name.startsWith(`${one.name}${SEPARATOR}`));
  return upstream && { upstream, name: name.slice(upstream.name.length + SEPARATOR.length) };
}

/** A result of the gateway's own. The protocol without `initialize` wants to know that it is complete. */
export function ownResult({ client }: Session, result: JsonObject): JsonObject {
  return Object.keys(client.meta).length === 0 ? result : { resultType: "complete", ...result };
}

/** In the protocol without `initialize`, every request says who the client is. */
export function noteMeta(session: Session, params: JsonObject): void {
  const meta = params["_meta"];
  if (!isObject(meta)) return;
  const { progressToken: _, ...rest } = meta;
  const info = meta[CLIENT_INFO];
  if (info === undefined && meta[VERSION_KEY] === undefined) return;
  session.client.meta = { _meta: rest };
  noteClient(session, info !== undefined && isObject(info) ? info : {}, meta[CLIENT_CAPABILITIES]);
}

export function noteClient(session: Session, info: JsonObject, capabilities: unknown): void {
  const { name } = info;
  const said = typeof name === "string" ? name.trim().slice(0, 100) : "";
  // The agent of a session stays the same: rules, grants and the record are about this name.
  session.client.name ??= said === "" ? UNNAMED : said;
  session.client.capabilities = isObject(capabilities as JsonObject) ? (capabilities as JsonObject) : {};
}

/** What the upstream is told that the client can do: only what a person allows this upstream. */
export function capabilitiesFor({ settings }: Upstream, capabilities: JsonObject): JsonObject {
  // With `tasks` an upstream could make further requests, about those that it made before.
  const { sampling, elicitation, tasks: _, ...rest } = capabilities;
  return {
    ...rest,
    ...(settings.allowSampling && sampling !== undefined ? { sampling } : {}),
    ...(settings.allowElicitation && elicitation !== undefined ? { elicitation } : {}),
  };
}

/** What the client can do, if it says so in this request. */
export function saidCapabilities(params: JsonObject): JsonObject | undefined {
  const meta = params["_meta"];
  const said = meta !== undefined && isObject(meta) ? meta[CLIENT_CAPABILITIES] : undefined;
  return said !== undefined && isObject(said) ? said : undefined;
}

/** The line for the upstream. It is the client's own, unless the client says there what it can do. */
export function lineFor(upstream: Upstream, line: string, params: JsonObject): string {
  const meta = params["_meta"];
  const said = saidCapabilities(params);
  if (said === undefined || meta === undefined || !isObject(meta)) return line;
  const allowed = capabilitiesFor(upstream, said);
  if (Object.keys(allowed).length === Object.keys(said).length) return line;
  const parsed = JSON.parse(line);
  return JSON.stringify({ ...parsed, params: { ...params, _meta: { ...meta, [CLIENT_CAPABILITIES]: allowed } } });
}
