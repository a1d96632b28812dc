import type { JsonObject } from "../core/values/json.ts";
import { errorText } from "./error-text.ts";
import type { Connect, UpstreamLink } from "./links/link.ts";
import type { Credentials } from "./login/credentials.ts";
import { asOlder, olderParams } from "./newer/older-message.ts";
import {
  answerLine,
  notificationLine,
  oneLine,
  type Rpc,
  type RpcAnswer,
  type RpcId,
  readUpstreamLine,
  requestLine,
} from "./rpc.ts";
import { answerWithInput } from "./upstream-requests.ts";

// One upstream: an MCP server behind the gateway. It is started when it is first needed, and again after it ended.

/** How an upstream is reached and what a person allows it. */
export type UpstreamSettings = {
  name: string;
  connect: Connect;
  /** For a server behind an address at which a person may have to sign in. */
  credentials?: Credentials;
  /** How it is started, as a person reads it; without secrets. */
  starts: string;
  /** The program that starts the gateway named it itself, so nobody has to accept how it is started. */
  isNamed: boolean;
  allowSampling: boolean;
  allowElicitation: boolean;
  /** A person trusts what it says about its own tools, once these are accepted. */
  trust: boolean;
};

/** How a request to an upstream ended. `gone`: it ended before it answered, so what it did is not known. */
export type Answered = { is: "answer"; answer: RpcAnswer; line: string } | { is: "gone"; why: string };

export type UpstreamEvents = {
  /** A request or notification of the upstream. */
  heard(upstream: Upstream, rpc: Exclude<Rpc, { is: "answer" }>, line: string): void;
  /** It ended, or was started again: what it listed before may no longer be true. */
  changed(upstream: Upstream): void;
  said(upstream: Upstream, text: string): void;
};

export type Upstream = {
  readonly name: string;
  readonly settings: UpstreamSettings;
  /** The result of `initialize`; undefined for a protocol without it. */
  greeting(): JsonObject | undefined;
  /** Says hello in the client's words. After a restart the same words are said again. */
  greet(params: JsonObject): Promise<RpcAnswer>;
  /** It did not take the hello, and is not greeted again: it may speak only the protocol without one. */
  ungreet(): void;
  /** A request of the gateway's own. */
  ask(method: string, params: JsonObject): Promise<RpcAnswer>;
  /** A request of the client; `line` has this id. */
  forward(id: RpcId, line: string): Promise<Answered>;
  /** A notification or an answer of the client. */
  tell(line: string): void;
  /** Nobody waits for the answer to this request any more. */
  forget(id: RpcId, why: string): void;
  close(): Promise<void>;
};

const BACK_OFF_MS = 250;
const BACK_OFF_MS_MAX = 30_000;
/** An upstream that lived this long may be started again at once. */
const SETTLED_MS = 10_000;

type State = {
  link: UpstreamLink | undefined;
  starting: Promise<UpstreamLink> | undefined;
  hello: JsonObject | undefined;
  greeting: JsonObject | undefined;
  waiting: Map<RpcId, (answered: Answered) => void>;
  failures: number;
  startedMs: number;
  asked: number;
  isClosed: boolean;
};

export function upstreamOf(settings: UpstreamSettings, events: UpstreamEvents): Upstream {
  const state = notStarted();
  const live = () => ready(state) ?? started(upstream, state, events);
  const upstream: Upstream = {
    name: settings.name,
    settings,
    greeting: () => state.greeting,
    greet: async (params) => {
      state.hello = params;
      state.greeting = undefined;
      return greetedFirst(state, connected(upstream, state, events), params);
    },
    ungreet: () => {
      state.hello = undefined;
    },
    ask: async (method, params) => {
      const link = await live();
      const own = state.hello === undefined ? params : olderParams(params);
      return plain(settings.name, await sent(state, link, ownId(state), method, own));
    },
    forward: async (id, line) => {
      const link = ready(state) ?? (await started(upstream, state, events).catch(errorText));
      return typeof link === "string" ? { is: "gone", why: link } : forwarded(upstream, state, link, { id, line });
    },
    tell: (line) => {
      if (state.link !== undefined) state.link.send(line);
      // Without a link nobody is there who could know what the message is about.
    },
    forget: (id, why) => {
      const tell = state.waiting.get(id);
      state.waiting.delete(id);
      tell?.({ is: "gone", why });
    },
    close: async () => {
      state.isClosed = true;
      lose(state, "the gateway is closing");
      await state.link?.close();
    },
  };
  return upstream;
}

function notStarted(): State {
  return {
    link: undefined,
    starting: undefined,
    hello: undefined,
    greeting: undefined,
    waiting: new Map(),
    failures: 0,
    startedMs: 0,
    asked: 0,
    isClosed: false,
  };
}

async function forwarded(
  upstream: Upstream,
  state: State,
  link: UpstreamLink,
  { id, line }: { id: RpcId; line: string },
): Promise<Answered> {
  // Who was greeted with `initialize` speaks the older protocol.
  const answered = await awaited(state, link, id, state.hello === undefined ? line : asOlder(line));
  const answer = answered.is === "gone" ? undefined : answerWithInput(upstream, answered.answer);
  return answer === undefined ? answered : { is: "answer", answer, line: answerLine(id, answer) };
}

/** Requests that come meanwhile wait until the server has been greeted. */
async function greetedFirst(state: State, connecting: Promise<UpstreamLink>, params: JsonObject): Promise<RpcAnswer> {
  const greeting = connecting.then((link) => greeted(state, link, params));
  await starting(
    state,
    greeting.then(() => connecting),
  );
  return greeting;
}

/** No client uses such an id, so its answers are never mistaken for the client's. */
function ownId(state: State): string {
  state.asked += 1;
  return `leeway:${state.asked}`;
}

function sent(state: State, link: UpstreamLink, id: RpcId, method: string, params: JsonObject): Promise<Answered> {
  return awaited(state, link, id, requestLine(id, method, params));
}

function awaited(state: State, link: UpstreamLink, id: RpcId, line: string): Promise<Answered> {
  return new Promise((resolve) => {
    if (state.waiting.has(id)) return resolve({ is: "gone", why: `the id ${id} is already in use` });
    state.waiting.set(id, resolve);
    link.send(line);
  });
}

function plain(name: string, answered: Answered): RpcAnswer {
  if (answered.is === "answer") return answered.answer;
  throw new Error(`the MCP server ${name} is not there: ${answered.why}`);
}

/** The link, unless the server still has to be greeted: it may have refused that because nobody was signed in. */
function ready({ link, hello, greeting }: State): UpstreamLink | undefined {
  return hello === undefined || greeting !== undefined ? link : undefined;
}

/** Starts it if it does not run, and says hello again if the client did before. */
function started(upstream: Upstream, state: State, events: UpstreamEvents): Promise<UpstreamLink> {
  return state.starting ?? starting(state, greetedAgain(upstream, state, events));
}

async function starting(state: State, link: Promise<UpstreamLink>): Promise<UpstreamLink> {
  state.starting = link;
  try {
    return await link;
  } finally {
    state.starting = undefined;
  }
}

async function greetedAgain(upstream: Upstream, state: State, events: UpstreamEvents): Promise<UpstreamLink> {
  const link = await connected(upstream, state, events);
  if (state.hello !== undefined && state.greeting === undefined) {
    const answer = await greeted(state, link, state.hello);
    if (!answer.ok) throw new Error(`the MCP server ${upstream.name} answers: ${String(answer.error["message"])}`);
    link.send(notificationLine("notifications/initialized"));
  }
  return link;
}

async function greeted(state: State, link: UpstreamLink, hello: JsonObject): Promise<RpcAnswer> {
  const answered = await sent(state, link, ownId(state), "initialize", hello);
  if (answered.is === "gone") throw new Error(answered.why);
  if (answered.answer.ok) state.greeting = answered.answer.result;
  return answered.answer;
}

async function connected(upstream: Upstream, state: State, events: UpstreamEvents): Promise<UpstreamLink> {
  if (state.isClosed) throw new Error("the gateway is closing");
  if (state.link !== undefined) return state.link;
  if (state.failures > 0) await pause(Math.min(BACK_OFF_MS_MAX, BACK_OFF_MS * 2 ** (state.failures - 1)));
  state.startedMs = Date.now();
  const link = upstream.settings.connect({
    line: (text) => hear(upstream, state, events, text),
    gone: (why) => {
      if (state.link !== link) return;
      state.link = undefined;
      state.greeting = undefined;
      state.failures = Date.now() - state.startedMs < SETTLED_MS ? state.failures + 1 : 1;
      lose(state, why);
      events.changed(upstream);
    },
    said: (text) => events.said(upstream, text),
  });
  state.link = link;
  return link;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

function lose(state: State, why: string): void {
  const lost = [...state.waiting.values()];
  state.waiting.clear();
  for (const tell of lost) tell({ is: "gone", why });
}

function hear(upstream: Upstream, state: State, events: UpstreamEvents, sent: string): void {
  const read = readUpstreamLine(sent);
  if (!read.ok) {
    events.said(upstream, `a line was dropped that is no MCP message: ${read.why}\n`);
    return;
  }
  const { rpc } = read;
  const line = oneLine(sent);
  if (rpc.is !== "answer") {
    events.heard(upstream, rpc, line);
    return;
  }
  // An answer to nothing that was asked is dropped: results belong to exactly one call.
  const tell = state.waiting.get(rpc.id);
  state.waiting.delete(rpc.id);
  tell?.({ is: "answer", answer: rpc.answer, line });
}
