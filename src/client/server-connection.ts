import { CODES, type Code } from "../core/codes.ts";
import { type Message, messageOf, say } from "../core/messages/message.ts";
import { isObject, type Json } from "../core/values/json.ts";
import type { Clock } from "../ports.ts";
import { LeewayRefusal } from "../service/refusal.ts";
import type { AnswerOf, GivenTo, RouteName, TextRouteName } from "./table.ts";

/** Options of a request. */
type How = {
  /** Sending the request twice has the same effect as once, so it is repeated after a broken connection. */
  repeatable?: true;
  /** How long an answer may take. */
  withinMs?: number;
  signal?: AbortSignal;
};

/** One request to a server. */
type Ask = How & { name: string; params?: object; query?: object; body?: unknown };

export type ServerConnection = {
  /** Sends a request by the name of a route: `GET /v1/status`. */
  ask<N extends RouteName>(name: N, given: GivenTo<N>, how?: How): Promise<AnswerOf<N>>;
  /** The lines of the response as they arrive. */
  lines(name: TextRouteName, how?: How): AsyncGenerator<string>;
  /** Aborts all requests; after that none is sent. */
  close(): void;
  isClosed(): boolean;
};

const WITHIN_MS = 30_000;
const TRIES_MAX = 3;
const PAUSE_MS = 100;

type Server = { url: string; token: string; clock: Pick<Clock, "sleep"> };

/** Sends requests with a token. A refusal of the server is thrown unchanged, and no response is a refusal too. */
export function askingOf(at: Server): ServerConnection {
  const open: Open = { asked: new Set(), isClosed: false };
  return {
    // The response has the type that the same table gives it on the server.
    ask: async <N extends RouteName>(name: N, given: GivenTo<N>, how: How = {}) =>
      (await answered(at, open, { name, ...given, ...how })) as AnswerOf<N>,
    lines: async function* (name, how = {}) {
      const what = { name, ...how };
      const asked = enter(open, what);
      try {
        const response = await send(at, what, asked.signal);
        if (!response.ok || response.body === null) answerOf(at.url, await readWhole(response));
        else yield* linesOf(response.body);
      } catch (error) {
        throw error instanceof LeewayRefusal ? error : unavailable(at.url, whyOf(error), error);
      } finally {
        asked.leave();
      }
    },
    close: () => {
      open.isClosed = true;
      for (const asked of open.asked) asked.abort();
    },
    isClosed: () => open.isClosed,
  };
}

async function answered(at: Server, open: Open, what: Ask): Promise<Json> {
  for (let tries = 1; ; tries++) {
    try {
      return await underWay(open, what, async (signal) =>
        answerOf(at.url, await readWhole(await send(at, what, signal))),
      );
    } catch (error) {
      if (error instanceof LeewayRefusal) throw error;
      if (open.isClosed) throw unavailable(at.url, say("refusal.gate_closed"), error);
      const isOver = what.signal?.aborted === true || tries === TRIES_MAX || !mayRepeat(what, error);
      if (isOver) throw unavailable(at.url, whyOf(error), error);
    }
    await at.clock.sleep(PAUSE_MS * 4 ** (tries - 1));
  }
}

/** Running requests: all of them are aborted when the client is closed. */
type Open = { asked: Set<AbortController>; isClosed: boolean };

async function underWay<T>(open: Open, what: Ask, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const asked = enter(open, what);
  try {
    return await act(asked.signal);
  } finally {
    asked.leave();
  }
}

/** Combined signals live as long as their sources, so each request gets its own signal. */
function enter(open: Open, { signal, withinMs = WITHIN_MS }: Ask): { signal: AbortSignal; leave(): void } {
  const asked = new AbortController();
  const stop = () => asked.abort();
  open.asked.add(asked);
  if (open.isClosed || signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop);
  const late = () => asked.abort(new DOMException("it does not answer in time", "TimeoutError"));
  const timer = setTimeout(late, withinMs);
  const leave = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    open.asked.delete(asked);
  };
  return { signal: asked.signal, leave };
}

function send(at: Server, what: Ask, signal: AbortSignal): Promise<Response> {
  const [method, path = ""] = what.name.split(" ");
  const url = new URL(at.url.replace(/\/$/, "") + pathOf(path, { ...what.params }));
  for (const [name, value] of Object.entries<unknown>({ ...what.query })) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return fetch(url, {
    method: method ?? "GET",
    // The token is only for this server, so redirects are not followed.
    redirect: "manual",
    headers: {
      authorization: `Bearer ${at.token}`,
      ...(what.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(what.body === undefined ? {} : { body: JSON.stringify(what.body) }),
    signal,
  });
}

/** A name with a slash is encoded, so that it cannot lead to another path. */
function pathOf(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

type Whole = { ok: boolean; status: number; text: string };

async function readWhole(response: Response): Promise<Whole> {
  return { ok: response.ok, status: response.status, text: await response.text() };
}

/** The value of a response from Leeway, or its refusal. Responses of other programs at that address are not trusted. */
function answerOf(url: string, { ok, status, text }: Whole): Json {
  const json = parsed(text);
  if (json !== undefined && ok) return json;
  const error = isObject(json) ? json["error"] : undefined;
  if (isObject(error) && isCode(error["code"])) {
    const { code, message, hint } = error;
    throw new LeewayRefusal({ code, reason: messageOf(String(message)), hint: messageOf(String(hint)) });
  }
  throw unavailable(url, say("refusal.answered_status", { status }));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // Not a response of Leeway; the caller reports this.
    return undefined;
  }
}

function isCode(code: unknown): code is Code {
  return typeof code === "string" && Object.hasOwn(CODES, code);
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = pieces.pop() ?? "";
    yield* pieces;
  }
  if (rest !== "") yield rest;
}

/** If no connection was made, every request may be tried again. */
function mayRepeat(what: Ask, error: unknown): boolean {
  return what.repeatable === true || what.name.startsWith("GET ") || causeOf(error) === "ECONNREFUSED";
}

function causeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause as { code?: string; message?: string } | undefined) : undefined;
  return cause?.code ?? cause?.message;
}

function whyOf(error: unknown): Message | string {
  if (error instanceof DOMException && error.name === "TimeoutError") return say("refusal.no_answer_in_time");
  const code = causeOf(error);
  if (code !== undefined) return say("refusal.unreachable", { code });
  return error instanceof Error ? error.message : String(error);
}

function unavailable(url: string, why: Message | string, cause?: unknown): LeewayRefusal {
  return new LeewayRefusal(
    {
      code: "LEEWAY_AUDIT_UNAVAILABLE",
      reason: say("refusal.server_unusable", { url, why }),
      hint: say("hint.start_server"),
    },
    { cause },
  );
}
