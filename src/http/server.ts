import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { say } from "../core/messages/message.ts";
import type { Deps } from "../gate/deps.ts";
import { type Proof, proofOf } from "../gate/people/token-proof.ts";
import { tokenKnown } from "../gate/people/tokens.ts";
import { ensureReady } from "../gate/ready.ts";
import { available } from "../service/available.ts";
import { badInput, LeewayRefusal } from "../service/refusal.ts";
import { accountsOf, type Issuer } from "./accounts.ts";
import { type Address, addressOf, nothingAt } from "./address.ts";
import { type Guest, nobodyYet, type Present } from "./admission.ts";
import { type Answer, problem, refusalOf, seeOther } from "./answer.ts";
import { ensureNoQuery } from "./api-route.ts";
import { BODY_BYTES_MAX, bodyOf, bytesOf, STRANGERS_BYTES_MAX } from "./body.ts";
import { newTurns, type Turns } from "./fair-turns.ts";
import { type Guesses, guessesOf } from "./guesses.ts";
import { keptBy } from "./kept-forms.ts";
import { bound } from "./listening.ts";
import { type Names, namesOf } from "./names.ts";
import type { Asked } from "./request.ts";
import { type Demo, forbidden, type Route, type Serving } from "./route.ts";
import { type Matched, routerOf } from "./router.ts";
import { send } from "./sending.ts";
import { isInTheClear, pageBefore, wrongHost, wrongOrigin } from "./site.ts";
import { bearerOf, NOBODY, type Who, whoIs } from "./who.ts";

type Listening = Pick<Serving, "inTheClear"> & {
  /** Where programs find it. */
  url: string;
  /** Where people do. */
  pages: string;
  port: number;
  close(): Promise<void>;
};

/** One line of the log: what was asked, by whom, how it ended. Never arguments, results, tokens or addresses' queries. */
export type Logged = { method: string; route: string; status: number; ms: number; who: string; error?: string };

export type ListenOptions = {
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** Where people find the server, where that is not the address it listens on. */
  url?: string;
  /** Pages and sign-ins are found only under a name that other programs do not know. */
  apart?: true;
  /** Where people may sign in besides here, by OpenID Connect. */
  issuer?: Issuer;
  /** A demo: who signs in there, said on the page where one does. */
  demo?: Demo;
  log(line: Logged): void;
  /** How a refusal looks to a person, on the routes that are pages. */
  refusedPage: RefusedPage;
};

type RefusedPage = (serving: Serving, asked: Asked, why: LeewayRefusal) => Promise<Answer>;

/** Serves routes until closed. Closing lets whoever is being answered be answered. */
export async function listen(deps: Deps, routes: readonly Route[], options: ListenOptions): Promise<Listening> {
  const { port, servers } = await bound(options, PATIENCE);
  const { url, origin, origins, ...names } = namesOf(deps, { ...options, port });
  const inTheClear = isInTheClear({ origin, host: options.host });
  const serving: Serving = {
    deps,
    origin,
    origins,
    inTheClear,
    kept: keptBy(() => deps.clock.nowMs()),
    // Cookies are shared by all ports of a host; the name keeps two servers on one machine apart.
    cookie: origin.startsWith("https:")
      ? { name: "__Host-leeway", secure: true }
      : { name: `leeway-${port}`, secure: false },
    ...(options.issuer === undefined ? {} : { accounts: accountsOf(options.issuer) }),
    ...(options.demo === undefined ? {} : { demo: options.demo }),
  };
  const gate: Entrance = {
    serving,
    match: routerOf(routes),
    ...names,
    guesses: guessesOf(() => deps.clock.nowMs()),
    log: options.log,
    refusedPage: options.refusedPage,
    present: nobodyYet(),
    turns: newTurns(),
  };
  for (const server of servers) server.on("request", (request, response) => void answered(gate, request, response));
  return { url, pages: origin, port, inTheClear, close: () => closed(servers, gate) };
}

type Entrance = Pick<Names, "hosts" | "apart"> & {
  serving: Serving;
  match: (method: string, path: string) => Matched;
  guesses: Guesses;
  log: (line: Logged) => void;
  refusedPage: RefusedPage;
  present: Present;
  turns: Turns;
};

/** Who sends slowly, or more than an address and a handful of headers, is not waited for. */
const PATIENCE = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};

async function answered(gate: Entrance, request: IncomingMessage, response: ServerResponse): Promise<void> {
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

async function answeredTo(gate: Entrance, guest: Guest, { request, response }: Exchange): Promise<void> {
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
    // Whoever is told to come back comes back to the next server, not to this one by the same connection.
    if (gate.present.isStopping()) response.setHeader("connection", "close");
    await send(response, answer, guest.gone);
  } catch (error) {
    note.error = error instanceof Error ? error.message : String(error);
    response.destroy();
  }
  const ms = Math.round((performance.now() - startMs) * 100) / 100;
  const { route, who, error } = note;
  const line = { method: request.method ?? "", status: answer.status, ms, route, who };
  gate.log(error === undefined ? line : { ...line, error });
}

/** `asPage` is there once it is known that a person asks, and who. */
type Note = { route: string; who: string; error?: string; asPage?: (why: LeewayRefusal) => Promise<Answer> };

/** A page that cannot be made, because what it shows cannot be read, is told like to a program. */
async function told(note: Note, why: LeewayRefusal): Promise<Answer> {
  if (note.asPage === undefined) return problem(why);
  try {
    return await note.asPage(why);
  } catch (error) {
    note.error = `${note.error ?? why.code}; its page: ${error instanceof Error ? error.message : String(error)}`;
    return problem(why);
  }
}

async function reply(gate: Entrance, request: IncomingMessage, guest: Guest, note: Note): Promise<Answer> {
  const headers = request.headers as Asked["headers"];
  const isElsewhere = wrongHost(headers, gate.hosts);
  if (isElsewhere !== undefined) throw isElsewhere;
  const address = addressOf(request.url ?? "/");
  const { path, query } = address;
  const method = request.method ?? "GET";
  const matched = gate.match(method === "HEAD" ? "GET" : method, path);
  if (matched.is === "method") return wrongMethod(matched.methods);
  const isApart = gate.apart !== undefined && headers["host"]?.toLowerCase() !== gate.apart;
  const asked: Asked = {
    method,
    path,
    params: NO_PARAMS,
    query,
    body: undefined,
    headers,
    who: NOBODY,
    address: addressFrom(request),
    gone: guest.gone,
    turn: gate.turns.take,
  };
  const isPerson = isForPerson(matched, headers);
  // Where not even who asks can be looked up, that is said on a page too.
  if (isPerson) note.asPage = (why) => gate.refusedPage(gate.serving, asked, why);
  if (isPerson && !path.startsWith("/assets/")) await mayDecide(gate.serving);
  const visit: Visit = { gate, request, guest, note, asked, address, matched, isApart };
  const known = matched.is === "route" && matched.route.byChange === true ? knownAgent(gate, headers) : undefined;
  if (known !== undefined && matched.is === "route") return answeredOnProof(visit, matched.route, known);
  asked.who = await proved(visit);
  return entered(visit, gate.serving);
}

/** One request, on its way to its route. */
type Visit = {
  gate: Entrance;
  request: IncomingMessage;
  guest: Guest;
  note: Note;
  asked: Asked;
  address: Address;
  matched: Exclude<Matched, { is: "method" }>;
  /** Asked under a name that has no pages. */
  isApart: boolean;
};

const NO_PARAMS: Asked["params"] = {};

type KnownAgent = { who: Who; proof: Proof };

/** An agent whose token is among what was last read. Whatever it is answered waits for the proof that it still is. */
function knownAgent({ serving: { deps } }: Entrance, headers: Asked["headers"]): KnownAgent | undefined {
  const text = bearerOf(headers["authorization"]);
  const found = text === "" ? undefined : tokenKnown(deps, text);
  if (found === undefined || !("agent" in found.token.holder)) return undefined;
  const who: Who = { is: "agent", agent: found.token.holder.agent, token: found.token };
  return { who, proof: proofOf(deps, text, found) };
}

/** Neither an answer nor a refusal goes to a token that was revoked before: it hears what any such token hears. */
async function answeredOnProof(visit: Visit, route: Route, { who, proof }: KnownAgent): Promise<Answer> {
  const { gate, asked, note } = visit;
  asked.who = who;
  let ended: { answer: Answer } | { error: unknown };
  try {
    ended = { answer: await entered(visit, { ...gate.serving, deps: proof.deps }) };
  } catch (error) {
    ended = { error };
  }
  if (!(await proof.holds())) {
    asked.who = await proved(visit);
    note.who = nameOf(asked.who);
    throw forbidden(route, asked.who) ?? new Error("a token that was lost is good again (this is a bug)");
  }
  if ("error" in ended) throw ended.error;
  return ended.answer;
}

/** The same checks for everybody, in this order; the first that fails is the answer. */
async function entered(visit: Visit, serving: Serving): Promise<Answer> {
  const { gate, request, guest, note, asked, address, matched, isApart } = visit;
  const { who, headers, path } = asked;
  if (matched.is === "nothing") throw nothingAt(path);
  const { route, params } = matched;
  // What says so is a page itself, and has its stylesheet.
  if (isApart && route.page === true && !path.startsWith("/assets/")) throw pagesAreApart();
  note.route = route.path;
  note.who = nameOf(who);
  const isFull = gate.present.seat(guest, who);
  if (isFull !== undefined) throw isFull;
  const isForeign = route.method === "GET" ? undefined : wrongOrigin(headers, gate.serving.origins, { route, who });
  if (isForeign !== undefined) throw isForeign;
  if (headers["idempotency-key"] !== undefined && route.method !== "GET") throw noKeys();
  const no = forbidden(route, who);
  if (no !== undefined) return refusedAt(route, no, { address, headers });
  if (route.page !== true && route.method !== "GET") ensureNoQuery(asked);
  const bytes = route.method === "GET" ? undefined : await bytesOf(request, bytesFrom(who));
  const length = bytes?.length ?? 0;
  if (!isQuick(who, length)) await gate.turns.take(length);
  if (bytes !== undefined)
    asked.body = bodyOf(bytes, headers["content-type"], route.page === true ? FORMS : JSON_ALONE);
  asked.params = params;
  return route.act(serving, asked);
}

/** Forms are for pages: a page of another site can send a form unasked, and JSON only after asking. */
const FORMS = ["form", "json"] as const;
const JSON_ALONE = ["json"] as const;

function bytesFrom(who: Who): number {
  return who.is === "nobody" ? STRANGERS_BYTES_MAX : BODY_BYTES_MAX;
}

function nameOf(who: Who): string {
  return who.is === "nobody" ? "nobody" : who.is === "agent" ? `agent:${who.agent}` : `person:${who.person.name}`;
}

/** Whoever comes to sign in to a gate that refuses to decide hears why, not only whoever is signed in. */
function mayDecide({ deps }: Serving): Promise<void> {
  return ensureReady(deps);
}

/** Whoever shows a token is a program, whatever it asks for. */
function isForPerson(matched: Matched, headers: Asked["headers"]): boolean {
  if (headers["authorization"] !== undefined) return false;
  if (matched.is === "route") return matched.route.page === true;
  return (headers["accept"] ?? "").includes("text/html");
}

async function proved({ gate, request, isApart }: Visit): Promise<Who> {
  const { authorization } = request.headers;
  const cookie = isApart ? undefined : request.headers.cookie;
  const { deps, cookie: named } = gate.serving;
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

/** What a person presses begins at once, whatever else has arrived. */
function isQuick(who: Who, bytes: number): boolean {
  return who.is === "person" && bytes <= QUICK_BYTES_MAX;
}

const QUICK_BYTES_MAX = 16 * 1024;

type Place = { address: Address; headers: Asked["headers"] };

/** A person is led to where they can prove themself, and back. */
function refusedAt(route: Route, no: LeewayRefusal, at: Place): Answer {
  const canSignIn = no.code === "LEEWAY_UNAUTHENTICATED" || no.code === "LEEWAY_STALE_SIGN_IN";
  if (route.page !== true || !canSignIn) throw no;
  const next = route.method === "GET" ? `${at.address.path}${at.address.search}` : pageBefore(at.headers);
  return seeOther(`/sign-in?next=${encodeURIComponent(next)}`);
}

function wrongMethod(methods: readonly string[]): Answer {
  const allow = [...new Set(methods)].join(", ");
  const { headers, ...rest } = problem(
    new LeewayRefusal({
      code: "LEEWAY_BAD_INPUT",
      reason: say("refusal.method_not_allowed"),
      hint: say("hint.use_methods", { methods: allow }),
    }),
  );
  return { ...rest, status: 405, headers: { ...headers, allow } };
}

/** Without saying where: whoever asks here may be the one it is kept from. */
function pagesAreApart(): LeewayRefusal {
  const reason = say("refusal.only_programs");
  const hint = say("hint.open_printed_inbox");
  return new LeewayRefusal({ code: "LEEWAY_NOT_FOUND", reason, hint });
}

/** Whoever sends one relies on it: to overlook it would do a thing twice in silence. */
function noKeys(): LeewayRefusal {
  const hint = say("hint.no_idempotency_key");
  return badInput("idempotency-key", say("refusal.not_looked_at"), hint);
}

const CLOSE_MS = 5_000;
const IDLE_MS = 20;

/** Those who wait are told to come back; those who are being answered are; then the rest is cut off. */
async function closed(servers: readonly Server[], gate: Entrance): Promise<void> {
  gate.present.stop();
  const ended = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  // Each connection is done with as soon as its last answer is out, whatever its client would still like to ask.
  const idle = setInterval(() => servers.forEach((server) => void server.closeIdleConnections()), IDLE_MS);
  const cut = setTimeout(() => servers.forEach((server) => void server.closeAllConnections()), CLOSE_MS);
  await ended;
  clearInterval(idle);
  clearTimeout(cut);
}
