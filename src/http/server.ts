import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Deps } from "../gate/deps.ts";
import { available } from "../library/available.ts";
import { badInput, LeewayRefusal } from "../library/refusal.ts";
import { checked } from "../library/shape.ts";
import { accountsOf, type Issuer } from "./accounts.ts";
import { type Address, addressOf, nothingAt } from "./address.ts";
import { type Answer, problem, refusalOf, seeOther } from "./answer.ts";
import type { Asked } from "./asked.ts";
import { BODY_BYTES_MAX, bodyOf, STRANGERS_BYTES_MAX, type Taking } from "./body.ts";
import { type Guesses, guessesOf } from "./guesses.ts";
import { forbidden, type Route, type Serving } from "./route.ts";
import { type Matched, routerOf } from "./router.ts";
import { send } from "./sending.ts";
import { pageBefore, wrongHost, wrongOrigin } from "./site.ts";
import { type Who, whoIs } from "./who.ts";

export type Listening = { url: string; port: number; close(): Promise<void> };

/** One line of the log: what was asked, by whom, how it ended. Never arguments, results, tokens or addresses' queries. */
export type Logged = { method: string; route: string; status: number; ms: number; who: string; error?: string };

export type ListenOptions = {
  host: string;
  /** 0 for any that is free. */
  port: number;
  /** Where people find the server, where that is not the address it listens on. */
  url?: string;
  /** Where people may sign in besides here. */
  issuer?: Issuer;
  log(line: Logged): void;
  /** How a refusal looks to a person, on the routes that are pages. */
  refusedPage: RefusedPage;
};

export type RefusedPage = (serving: Serving, asked: Asked, why: LeewayRefusal) => Promise<Answer>;

/** Serves routes until closed. Closing lets whoever is being answered be answered. */
export async function listen(deps: Deps, routes: readonly Route[], options: ListenOptions): Promise<Listening> {
  const server = createServer(PATIENCE);
  const port = await bound(server, options);
  const origin = options.url?.replace(/\/$/, "") ?? `http://${urlHost(options.host)}:${port}`;
  const serving: Serving = {
    deps,
    origin,
    // Cookies are shared by all ports of a host; the name keeps two servers on one machine apart.
    cookie: origin.startsWith("https:")
      ? { name: "__Host-leeway", secure: true }
      : { name: `leeway-${port}`, secure: false },
    ...(options.issuer === undefined ? {} : { accounts: accountsOf(options.issuer) }),
  };
  const gate: Entrance = {
    serving,
    match: routerOf(routes),
    ...namesOf(origin, options.host, port),
    guesses: guessesOf(() => deps.clock.nowMs()),
    log: options.log,
    refusedPage: options.refusedPage,
    present: new Set(),
    isStopping: false,
  };
  server.on("request", (request, response) => void answered(gate, request, response));
  return { url: origin, port, close: () => closed(server, gate) };
}

type Entrance = {
  serving: Serving;
  match: (method: string, path: string) => Matched;
  hosts: ReadonlySet<string>;
  origins: ReadonlySet<string>;
  guesses: Guesses;
  log: (line: Logged) => void;
  refusedPage: RefusedPage;
  /** Those who are being answered, or wait: each is told when the server stops. */
  present: Set<AbortController>;
  isStopping: boolean;
};

/** Who sends slowly, or more than an address and a handful of headers, is not waited for. */
const PATIENCE = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};

/** More at once are refused rather than kept waiting for memory to run out. */
const BUSY_MAX = 5_000;

async function answered(gate: Entrance, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startMs = performance.now();
  const gone = new AbortController();
  gate.present.add(gone);
  // Whoever comes while it stops is answered, and does not wait.
  if (gate.isStopping) gone.abort();
  response.on("close", () => {
    gate.present.delete(gone);
    // Whoever has the whole answer waits for nothing more.
    if (!response.writableFinished) gone.abort();
  });
  const note: Note = { route: "-", who: "nobody" };
  let answer: Answer;
  try {
    answer = await available(() => reply(gate, request, gone.signal, note));
  } catch (error) {
    if (!(error instanceof LeewayRefusal))
      note.error = error instanceof Error ? (error.stack ?? error.message) : String(error);
    answer = await told(note, refusalOf(error));
  }
  try {
    // Whoever is told to come back comes back to the next server, not to this one by the same connection.
    if (gate.isStopping) response.setHeader("connection", "close");
    await send(response, answer, gone.signal);
  } catch (error) {
    note.error = error instanceof Error ? error.message : String(error);
    response.destroy();
  }
  const ms = Math.round((performance.now() - startMs) * 100) / 100;
  const { asPage: _, ...line } = note;
  gate.log({ method: request.method ?? "", status: answer.status, ms, ...line });
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

async function reply(gate: Entrance, request: IncomingMessage, gone: AbortSignal, note: Note): Promise<Answer> {
  if (gate.present.size > BUSY_MAX) throw tooBusy();
  const headers = request.headers as Asked["headers"];
  const isElsewhere = wrongHost(headers, gate.hosts);
  if (isElsewhere !== undefined) throw isElsewhere;
  const address = addressOf(request.url ?? "/");
  const { path, query } = address;
  const matched = gate.match(request.method === "HEAD" ? "GET" : (request.method ?? "GET"), path);
  if (matched.is === "method") return wrongMethod(matched.methods);
  const who = await proved(gate, request);
  const asked: Asked = { params: {}, query, body: undefined, headers, who, gone };
  if (isForPerson(matched, headers)) note.asPage = (why) => gate.refusedPage(gate.serving, asked, why);
  if (matched.is === "nothing") throw nothingAt(path);
  const { route, params } = matched;
  note.route = route.path;
  note.who = who.is === "nobody" ? "nobody" : who.is === "agent" ? `agent:${who.agent}` : `person:${who.person.name}`;
  const isForeign = route.method === "GET" ? undefined : wrongOrigin(headers, gate.origins, { route, who });
  if (isForeign !== undefined) throw isForeign;
  if (headers["idempotency-key"] !== undefined && route.method !== "GET") throw noKeys();
  const no = forbidden(route, who);
  if (no !== undefined) return refusedAt(route, no, { address, headers });
  if (route.page !== true) checked(query, route.query ?? {});
  const body = route.method === "GET" ? undefined : await bodyOf(request, takes(route, who));
  if (route.body !== undefined) checked((body ?? {}) as object, route.body);
  return route.act(gate.serving, { ...asked, params, body });
}

/** Whoever shows a token is a program, whatever it asks for. */
function isForPerson(matched: Matched, headers: Asked["headers"]): boolean {
  if (headers["authorization"] !== undefined) return false;
  if (matched.is === "route") return matched.route.page === true;
  return (headers["accept"] ?? "").includes("text/html");
}

async function proved(gate: Entrance, request: IncomingMessage): Promise<Who> {
  const { authorization, cookie } = request.headers;
  const { deps, cookie: named } = gate.serving;
  const who = await whoIs(deps, { authorization, cookie }, named.name);
  if (who.is !== "nobody" || authorization === undefined) return who;
  const address = request.socket.remoteAddress ?? "";
  const locked = gate.guesses.refusal(address);
  if (locked !== undefined) throw locked;
  gate.guesses.count(address);
  return who;
}

/** Forms are for pages: a page of another site can send a form unasked, and JSON only after asking. */
function takes(route: Route, who: Who): Taking {
  const bytesMax = who.is === "nobody" ? STRANGERS_BYTES_MAX : BODY_BYTES_MAX;
  return { bytesMax, kinds: route.page === true ? ["form", "json"] : ["json"] };
}

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
  const { headers, ...rest } = problem({
    code: "LEEWAY_BAD_INPUT",
    reason: "that is not done here",
    hint: `use ${allow}`,
  });
  return { ...rest, status: 405, headers: { ...headers, allow } };
}

/** Whoever sends one relies on it: to overlook it would do a thing twice in silence. */
function noKeys(): LeewayRefusal {
  const hint =
    "leave it out: a call is the same call by its callId; for the rest, look first whether it is there already";
  return badInput("idempotency-key", "it is not looked at here", hint);
}

function tooBusy(): LeewayRefusal {
  return new LeewayRefusal({ code: "LEEWAY_BUSY", reason: "too many requests at once", hint: "try again in a moment" });
}

function bound(server: Server, { host, port }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** The names a loopback server goes by, or the one it was given; and the origins of pages under these names. */
function namesOf(origin: string, host: string, port: number): Pick<Entrance, "hosts" | "origins"> {
  const isLoopback = ["127.0.0.1", "::1", "localhost"].includes(host);
  const loopback = isLoopback ? [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`] : [];
  const { host: given, origin: from } = new URL(origin);
  return {
    hosts: new Set([given, ...loopback]),
    origins: new Set([from, ...loopback.map((name) => `http://${name}`)]),
  };
}

function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

const CLOSE_MS = 5_000;
const IDLE_MS = 20;

/** Those who wait are told to come back; those who are being answered are; then the rest is cut off. */
async function closed(server: Server, gate: Entrance): Promise<void> {
  gate.isStopping = true;
  for (const gone of gate.present) gone.abort();
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  // Each connection is done with as soon as its last answer is out, whatever its client would still like to ask.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS);
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  await ended;
  clearInterval(idle);
  clearTimeout(cut);
}
