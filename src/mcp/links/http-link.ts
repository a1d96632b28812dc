import { errorText } from "../error-text.ts";
import { LINE_BYTES_MAX } from "../lines.ts";
import { challengeIn } from "../login/challenge.ts";
import { type Credentials, LoginNeeded } from "../login/credentials.ts";
import { errorLine, GATEWAY_ERROR, type Rpc, readUpstreamLine, resultLine } from "../rpc.ts";
import type { Connect, Hearing, UpstreamLink } from "./link.ts";

// An MCP server behind an address (streamable HTTP): every message of the client is a POST, the answers come in its
// response or as a stream of events, and a stream that stays open carries what the server says on its own.

type Address = { url: string; headers: Readonly<Record<string, string>>; credentials?: Credentials };

type State = Address & {
  hearing: Hearing;
  over: AbortController;
  session: string | undefined;
  version: string | undefined;
  listening: boolean;
};

export function httpLink(by: Address): Connect {
  return (hearing) => {
    const state: State = {
      ...by,
      hearing,
      over: new AbortController(),
      session: undefined,
      version: undefined,
      listening: false,
    };
    // What is sent one after the other arrives in this order until the server has answered `initialize`.
    let first: Promise<void> | undefined;
    const link: UpstreamLink = {
      send: (line) => {
        const sent = first === undefined ? post(state, line) : first.then(() => post(state, line));
        if (first === undefined) first = sent;
      },
      close: async () => {
        state.over.abort();
        await endSession(state);
      },
    };
    return link;
  };
}

const END_MS = 2_000;

async function endSession(state: State): Promise<void> {
  if (state.session === undefined) return;
  const signal = AbortSignal.timeout(END_MS);
  await send(state, { method: "DELETE", headers: headersOf(state), signal }).catch(() => undefined);
}

type Request = RequestInit & { headers: Record<string, string> };

/**
 * Every request goes through here. A redirect could carry the credentials to another server. If the server refuses the
 * token, it is renewed and the request is sent once more: a server that answers 401 has not acted on it.
 */
async function send({ url, credentials }: State, request: Request): Promise<Response> {
  const sent = (token: string | undefined) => {
    const headers = token === undefined ? request.headers : { ...request.headers, authorization: `Bearer ${token}` };
    return fetch(url, { ...request, headers, redirect: "manual" }).then(notRedirected);
  };
  if (credentials === undefined) return sent(undefined);
  const token = await credentials.token();
  const first = await sent(token);
  if (token === undefined && first.ok) credentials.notWanted();
  if (first.status !== 401) return allowed(first, credentials);
  await first.body?.cancel();
  const second = await sent(await credentials.renewed(token, challengeIn(first.headers)));
  if (second.status !== 401) return allowed(second, credentials);
  await second.body?.cancel();
  throw credentials.refusedAgain();
}

/** What a redirect says comes from the server, and a model may read it: only its origin is repeated. */
async function notRedirected(response: Response): Promise<Response> {
  const to = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
  if (to === null) return response;
  await response.body?.cancel();
  throw new Redirected(URL.canParse(to, response.url) ? new URL(to, response.url).origin : "another address");
}

class Redirected extends Error {
  override readonly name = "Redirected";
  constructor(to: string) {
    super(
      `the MCP server answered with a redirect to ${to}. It is not followed, because the credentials of the server would go there too. ` +
        "If that is the right place, a person must write the new address as `url` in mcp.json",
    );
  }
}

async function allowed(response: Response, credentials: Credentials): Promise<Response> {
  const challenge = response.status === 403 ? challengeIn(response.headers) : {};
  if (challenge.error !== "insufficient_scope") return response;
  await response.body?.cancel();
  throw credentials.lacking(challenge);
}

/** One message. Whatever fails is the answer to this message, so that nobody waits for it forever. */
async function post(state: State, line: string): Promise<void> {
  const asked = requestIn(line);
  const fail = (why: string) => {
    if (asked !== undefined) state.hearing.line(errorLine(asked.id, GATEWAY_ERROR, why));
  };
  try {
    const response = await send(state, {
      method: "POST",
      headers: {
        ...headersOf(state),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: line,
      signal: state.over.signal,
    });
    state.session ??= response.headers.get("mcp-session-id") ?? undefined;
    if (response.status === 404 && state.session !== undefined) {
      await response.body?.cancel();
      state.hearing.gone("the server has ended the session");
      return;
    }
    if (!response.ok) {
      await response.body?.cancel();
      return fail(`the MCP server answered with status ${response.status}`);
    }
    const seen = await heardIn(state, response, asked);
    if (asked !== undefined && !seen) fail("the MCP server ended its answer before it was complete");
    if (asked === undefined) listen(state);
  } catch (error) {
    if (error instanceof LoginNeeded && asked?.method === "tools/call") {
      // A model reads the result of its call; of an error, some clients show it nothing.
      const content = [{ type: "text", text: error.message }];
      state.hearing.line(resultLine(asked.id, { content, isError: true }));
    } else if (error instanceof LoginNeeded || error instanceof Redirected) fail(error.message);
    else if (!state.over.signal.aborted) fail(`the MCP server cannot be reached: ${errorText(error)}`);
  }
}

function requestIn(line: string): Extract<Rpc, { is: "request" }> | undefined {
  const read = readUpstreamLine(line);
  return read.ok && read.rpc.is === "request" ? read.rpc : undefined;
}

function headersOf({ headers, session, version }: State): Record<string, string> {
  return {
    ...headers,
    ...(session === undefined ? {} : { "mcp-session-id": session }),
    ...(version === undefined ? {} : { "mcp-protocol-version": version }),
  };
}

/** Passes on what a response contains. True if the answer to the request was in it. */
async function heardIn(
  state: State,
  response: Response,
  asked: Extract<Rpc, { is: "request" }> | undefined,
): Promise<boolean> {
  let isAnswered = false;
  const hear = (line: string) => {
    const read = readUpstreamLine(line);
    if (read.ok && read.rpc.is === "answer" && read.rpc.id === asked?.id) {
      isAnswered = true;
      const { answer } = read.rpc;
      const version = answer.ok ? answer.result["protocolVersion"] : undefined;
      if (asked.method === "initialize" && typeof version === "string") state.version = version;
    }
    state.hearing.line(line);
  };
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("text/event-stream")) await eachEvent(response, hear);
  else {
    const text = (await response.text()).trim();
    // One line, whatever the server's way to write JSON is.
    if (text !== "") hear(text.includes("\n") ? JSON.stringify(JSON.parse(text)) : text);
  }
  return isAnswered;
}

/** The stream for what the server says on its own. A server may have none. */
function listen(state: State): void {
  if (state.listening) return;
  state.listening = true;
  void (async () => {
    try {
      const headers = { ...headersOf(state), accept: "text/event-stream" };
      const response = await send(state, { headers, signal: state.over.signal });
      if (response.ok) await eachEvent(response, state.hearing.line);
      else await response.body?.cancel();
    } catch {
      // Without this stream only what belongs to a request is heard.
    } finally {
      state.listening = false;
    }
  })();
}

/** The data of each event of a stream of server-sent events. */
async function eachEvent(response: Response, hear: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LINE_BYTES_MAX) throw new Error("an event is too long");
    const events = text.split(/\r?\n\r?\n/);
    text = events.pop() ?? "";
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).replace(/^ /, "")] : []));
      if (data.length > 0 && data.join("").trim() !== "") hear(data.join("\n"));
    }
  }
}
