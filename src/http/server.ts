import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { WorkspaceId } from "../core/ids.ts";
import type { Deps } from "../gate/deps.ts";
import { proofOf, type TokenProof } from "../gate/people/token-proof.ts";
import { tokenKnown } from "../gate/people/tokens.ts";
import { ensureReady } from "../gate/ready.ts";
import { available, LeewayRefusal } from "../service/refusal.ts";
import { type Answer, problem, refusalOf, seeOther } from "./answer.ts";
import { ensureNoQuery } from "./api-route.ts";
import { type Address, addressOf, nothingAt } from "./connection/address.ts";
import { nobodyYet, type OpenRequest, type OpenRequests } from "./connection/admission.ts";
import { BODY_BYTES_MAX, bodyOf, bytesOf, STRANGERS_BYTES_MAX } from "./connection/body.ts";
import { type FairTurns, newTurns } from "./connection/fair-turns.ts";
import { givenTwice } from "./connection/given-twice.ts";
import { bound } from "./connection/listening.ts";
import { namesOf, type ServerNames } from "./connection/names.ts";
import { noKeys, pagesAreApart, wrongMethod } from "./connection/refusals.ts";
import { send } from "./connection/sending.ts";
import { isInTheClear, pageBefore, wrongHost, wrongOrigin } from "./connection/site.ts";
import type { Issuer } from "./identity/accounts.ts";
import { guessesOf, type TokenGuesses } from "./identity/token-guesses.ts";
import { bearerOf, NOBODY, type Requester, whoIs } from "./identity/who.ts";
import type { HttpRequest } from "./request.ts";
import { type Demo, forbidden, type Route, type Serving } from "./route.ts";
import { type Matched, routerOf } from "./router.ts";
import { arrivedAt, baseOf, type MakeSending, newWorkspaces, type ServedWorkspaces, within } from "./workspaces.ts";

type Listening = Pick<Serving, "inTheClear" | "sending"> & {
  /** The address for programs. */
  url: string;
  /** The address for people. */
  pages: string;
  port: number;
  /** Serves one more workspace. */
  add(deps: Deps, sending: MakeSending): AddedWorkspace;
  close(): Promise<void>;
};

/** A workspace besides the server's own, and how to stop serving it. */
type AddedWorkspace = Pick<Serving, "sending"> & { pages: string; remove(): void };

/** One line of the log: the route, who sent the request, the status. Never arguments, results, tokens or queries. */
export type Logged = {
  method: string;
  route: string;
  status: number;
  ms: number;
  who: string;
  /** Left out for the server's own workspace. */
  workspace?: WorkspaceId;
  error?: string;
};

export type ListenOptions = {
  host: string;
  /** 0 means any free port. */
  port: number;
  /** The address of the server for people, if it differs from the address it listens on. */
  url?: string;
  /** Pages and sign-in are available only under a host name that other programs do not know. */
  apart?: true;
  /** An OpenID Connect issuer with which people may sign in. */
  issuer?: Issuer;
  /** Makes what sends notices to channels, once the addresses of the server are known. */
  sending?: MakeSending;
  /** A demo: the person and passphrase to sign in with, shown on the sign-in page. */
  demo?: Demo;
  log(line: Logged): void;
  /** Makes the page that shows a refusal to a person. */
  refusedPage: RefusedPage;
};

type RefusedPage = (serving: Serving, asked: HttpRequest, why: LeewayRefusal) => Promise<Answer>;

/** Serves routes until it is closed. Requests that are being answered are answered before it closes. */
export async function listen(deps: Deps, routes: readonly Route[], options: ListenOptions): Promise<Listening> {
  const { port, servers } = await bound(options, PATIENCE);
  const { url, origin, origins, ...names } = namesOf(deps, { ...options, port });
  const inTheClear = isInTheClear({ origin, host: options.host });
  const workspaces = newWorkspaces({ url, origin, origins, port, inTheClear }, options);
  const own = workspaces.add(deps, options.sending, "");
  const gate: ServerContext = {
    own,
    all: workspaces.all,
    match: routerOf(routes),
    ...names,
    guesses: guessesOf(() => deps.clock.nowMs()),
    log: options.log,
    refusedPage: options.refusedPage,
    present: nobodyYet(),
    turns: newTurns(),
  };
  for (const server of servers) server.on("request", (request, response) => void answered(gate, request, response));
  return {
    url,
    pages: origin,
    port,
    inTheClear,
    ...sendingIn(own),
    add: (one, sending) => {
      const added = workspaces.add(one, sending, baseOf(one.workspace));
      return { ...sendingIn(added), pages: added.origin, remove: () => void workspaces.all.delete(one.workspace) };
    },
    close: () => closed(servers, gate),
  };
}

function sendingIn({ sending }: Serving): Pick<Serving, "sending"> {
  return sending === undefined ? {} : { sending };
}

type ServerContext = Pick<ServerNames, "hosts" | "apart"> & {
  own: Serving;
  all: ServedWorkspaces;
  match: (method: string, path: string) => Matched;
  guesses: TokenGuesses;
  log: (line: Logged) => void;
  refusedPage: RefusedPage;
  present: OpenRequests;
  turns: FairTurns;
};

/** Limits for clients that send slowly or send large headers. */
export const PATIENCE = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};

async function answered(gate: ServerContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const guest = gate.present.enter(request, response);
  if (guest === undefined) return;
  try {
    await answeredTo(gate, guest, { request, response });
    await guest.over;
  } finally {
    gate.present.leave(guest);
  }
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

async function answeredTo(gate: ServerContext, guest: OpenRequest, { request, response }: Exchange): Promise<void> {
  const startMs = performance.now();
  const note: Note = { route: "-", who: "nobody" };
  let answer: Answer;
  try {
    answer = await available(() => reply(gate, request, guest, note));
  } catch (error) {
    if (!(error instanceof LeewayRefusal))
      note.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
    answer = await told(note, refusalOf(error));
  }
  try {
    // A client that must send its request again should reach the next server, not this one by the same connection.
    if (gate.present.isStopping()) response.setHeader("connection", "close");
    await send(response, answer, guest.gone);
  } catch (error) {
    note.error = error instanceof Error ? error.message : String(error);
    response.destroy();
  }
  const ms = Math.round((performance.now() - startMs) * 100) / 100;
  const { route, who, workspace, error } = note;
  const line = { method: request.method ?? "", status: answer.status, ms, route, who, ...(workspace && { workspace }) };
  gate.log(error === undefined ? line : { ...line, error });
}

/** `asPage` is set once it is known that the request is from a person. */
type Note = {
  route: string;
  who: string;
  workspace?: WorkspaceId;
  error?: string;
  asPage?: (why: LeewayRefusal) => Promise<Answer>;
};

/** If the page of a refusal cannot be made either, the refusal is sent as JSON. */
async function told(note: Note, why: LeewayRefusal): Promise<Answer> {
  if (note.asPage === undefined) return problem(why);
  try {
    return await note.asPage(why);
  } catch (error) {
    note.error = `${note.error ?? why.code}; its page: ${error instanceof Error ? error.message : String(error)}`;
    return problem(why);
  }
}

async function reply(gate: ServerContext, request: IncomingMessage, guest: OpenRequest, note: Note): Promise<Answer> {
  const headers = request.headers as HttpRequest["headers"];
  const unclear = givenTwice(request.rawHeaders) ?? wrongHost(headers, gate.hosts);
  if (unclear !== undefined) throw unclear;
  const { serving, address } = arrivedAt(gate, addressOf(request.url ?? "/"), headers);
  if (serving !== gate.own) note.workspace = serving.deps.workspace;
  const { path, query } = address;
  const method = request.method ?? "GET";
  const matched = gate.match(method === "HEAD" ? "GET" : method, path);
  if (matched.is === "method") return wrongMethod(matched.methods);
  const isApart = gate.apart !== undefined && headers["host"]?.toLowerCase() !== gate.apart;
  const asked: HttpRequest = {
    method,
    path,
    params: NO_PARAMS,
    query,
    body: undefined,
    headers,
    who: NOBODY,
    address: addressFrom(request),
    gone: guest.gone,
    turn: (bytes) => gate.turns.take(bytes, serving.deps.workspace),
  };
  const isPerson = isForPerson(matched, headers);
  // If not even the sender can be looked up, this is also shown on a page.
  if (isPerson) note.asPage = async (why) => within(serving, await gate.refusedPage(serving, asked, why));
  if (isPerson && !path.startsWith("/assets/")) await mayDecide(serving);
  const visit: Visit = { gate, serving, request, guest, note, asked, address, matched, isApart };
  const known = matched.is === "route" && matched.route.byChange === true ? knownAgent(serving, headers) : undefined;
  if (known !== undefined && matched.is === "route") return answeredOnProof(visit, matched.route, known);
  asked.who = await proved(visit);
  return within(serving, await entered(visit, serving));
}

/** One request before it reaches its route. */
type Visit = {
  gate: ServerContext;
  serving: Serving;
  request: IncomingMessage;
  guest: OpenRequest;
  note: Note;
  asked: HttpRequest;
  address: Address;
  matched: Exclude<Matched, { is: "method" }>;
  /** The request uses a host name that has no pages. */
  isApart: boolean;
};

const NO_PARAMS: HttpRequest["params"] = {};

type KnownAgent = { who: Requester; proof: TokenProof };

/** An agent whose token is in the cache. No answer is sent before it is proved that the token is still valid. */
function knownAgent({ deps }: Serving, headers: HttpRequest["headers"]): KnownAgent | undefined {
  const text = bearerOf(headers["authorization"]);
  const found = text === "" ? undefined : tokenKnown(deps, text);
  if (found === undefined || !("agent" in found.token.holder)) return undefined;
  const who: Requester = { is: "agent", agent: found.token.holder.agent, token: found.token };
  return { who, proof: proofOf(deps, text, found) };
}

/** A token that was revoked meanwhile gets neither the answer nor the refusal, but the usual refusal for such a token. */
async function answeredOnProof(visit: Visit, route: Route, { who, proof }: KnownAgent): Promise<Answer> {
  const { serving, asked, note } = visit;
  asked.who = who;
  let ended: { answer: Answer } | { error: unknown };
  try {
    ended = { answer: await entered(visit, { ...serving, deps: proof.deps }) };
  } catch (error) {
    ended = { error };
  }
  if (!(await proof.holds())) {
    asked.who = await proved(visit);
    note.who = nameOf(asked.who);
    throw (
      forbidden(route, asked.who, asked.headers) ?? new Error("a token that was refused is valid again (this is a bug)")
    );
  }
  if ("error" in ended) throw ended.error;
  return ended.answer;
}

/** The checks for every request, in this order. The first that fails is the answer. */
async function entered(visit: Visit, serving: Serving): Promise<Answer> {
  const { gate, request, guest, note, asked, address, matched, isApart } = visit;
  const { who, headers, path } = asked;
  if (matched.is === "nothing") throw nothingAt(path);
  const { route, params } = matched;
  // The page that says this needs its stylesheet.
  if (isApart && route.page === true && !path.startsWith("/assets/")) throw pagesAreApart();
  note.route = route.path;
  note.who = nameOf(who);
  const { workspace } = serving.deps;
  const isFull = gate.present.seat(guest, who, workspace);
  if (isFull !== undefined) throw isFull;
  const isForeign = route.method === "GET" ? undefined : wrongOrigin(headers, serving.origins, { route, who });
  if (isForeign !== undefined) throw isForeign;
  if (headers["idempotency-key"] !== undefined && route.method !== "GET") throw noKeys();
  const no = forbidden(route, who, headers);
  if (no !== undefined) return refusedAt(route, no, { address, headers });
  if (route.page !== true && route.method !== "GET") ensureNoQuery(asked);
  const bytes =
    route.method === "GET" ? undefined : await bytesOf(request, route.raw === true ? RAW_BYTES_MAX : bytesFrom(who));
  const length = bytes?.length ?? 0;
  if (!isQuick(who, length)) await gate.turns.take(length, workspace);
  if (route.raw === true && bytes !== undefined) asked.raw = bytes;
  else if (bytes !== undefined)
    asked.body = bodyOf(bytes, headers["content-type"], route.page === true ? FORMS : JSON_ALONE);
  asked.params = params;
  return route.act(serving, asked);
}

/** Only pages accept forms, because a page of another site can send a form without asking; for JSON it must ask first. */
const FORMS = ["form", "json"] as const;
const JSON_ALONE = ["json"] as const;

/** A service sends back the whole message with its buttons, and what was typed into it, so its body may be large. */
const RAW_BYTES_MAX = 256 * 1024;

function bytesFrom(who: Requester): number {
  return who.is === "nobody" ? STRANGERS_BYTES_MAX : BODY_BYTES_MAX;
}

function nameOf(who: Requester): string {
  return who.is === "nobody" ? "nobody" : who.is === "agent" ? `agent:${who.agent}` : `person:${who.person.name}`;
}

/** If the gate refuses to decide, people hear why also before they sign in. */
function mayDecide({ deps }: Serving): Promise<void> {
  return ensureReady(deps);
}

/** A request with a token is from a program, whatever it asks for. */
function isForPerson(matched: Matched, headers: HttpRequest["headers"]): boolean {
  if (headers["authorization"] !== undefined) return false;
  if (matched.is === "route") return matched.route.page === true;
  return (headers["accept"] ?? "").includes("text/html");
}

async function proved({ gate, serving, request, isApart }: Visit): Promise<Requester> {
  const { authorization } = request.headers;
  const cookie = isApart ? undefined : request.headers.cookie;
  const { deps, cookie: named } = serving;
  const who = await whoIs(deps, { authorization, cookie }, named.name);
  if (who.is !== "nobody" || authorization === undefined) return who;
  const address = addressFrom(request);
  const locked = gate.guesses.refusal(address);
  if (locked !== undefined) throw locked;
  gate.guesses.count(address);
  return who;
}

function addressFrom({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? "";
}

/** Small requests of people begin at once, however many other requests have arrived. */
function isQuick(who: Requester, bytes: number): boolean {
  return who.is === "person" && bytes <= QUICK_BYTES_MAX;
}

const QUICK_BYTES_MAX = 16 * 1024;

type Place = { address: Address; headers: HttpRequest["headers"] };

/** A person is sent to the sign-in page, and back after it. */
function refusedAt(route: Route, no: LeewayRefusal, at: Place): Answer {
  const canSignIn = no.code === "LEEWAY_UNAUTHENTICATED" || no.code === "LEEWAY_STALE_SIGN_IN";
  if (route.page !== true || !canSignIn) throw no;
  const next = route.method === "GET" ? `${at.address.path}${at.address.search}` : pageBefore(at.headers);
  return seeOther(`/sign-in?next=${encodeURIComponent(next)}`);
}

const CLOSE_MS = 5_000;
const IDLE_MS = 20;

/** Waiting requests are told to come back; requests that are being answered are answered; the rest is cut after a while. */
async function closed(servers: readonly Server[], gate: ServerContext): Promise<void> {
  gate.present.stop();
  const ended = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  // A connection is closed as soon as its last answer is sent.
  const idle = setInterval(() => servers.forEach((server) => void server.closeIdleConnections()), IDLE_MS);
  const cut = setTimeout(() => servers.forEach((server) => void server.closeAllConnections()), CLOSE_MS);
  await ended;
  clearInterval(idle);
  clearTimeout(cut);
}
