import { setTimeout as wait } from "node:timers/promises";
import type { Json, JsonObject } from "../../core/values/json.ts";
import { ChannelFailure } from "../../ports.ts";
import { fieldAt, jsonIn, textAt } from "../read-json.ts";
import { openWebSocket, type WebSocketLink } from "../web-socket.ts";

// Socket mode: Slack sends what people do over a connection that this server opens, so that it needs no address of its own.
// The connection is the proof of who sends: only whoever has the app's token is given its address.

const [BACK_OFF_MS, BACK_OFF_MAX_MS] = [1_000, 30_000];
/** Slack says hello at once. */
const HELLO_MS = 10_000;

export type SocketMode = {
  /** The address of a new connection, good for one use. */
  address(): Promise<string>;
  nearby: boolean;
  /** What is answered to a message of the connection. Slack sends it again if it gets no answer. */
  hear(envelope: unknown): Promise<Json>;
  /** Nothing: connected. Else why not; it is tried again. */
  stands(failure: string | undefined): void;
};

/** Keeps a connection until stopped. Slack replaces each after some hours: the next one opens before the old one ends. */
export function keepConnected(mode: SocketMode): () => Promise<void> {
  const stopping = new AbortController();
  const links = new Set<Promise<unknown>>();
  const connected = async () => {
    const one = await connect(mode, stopping.signal);
    const done: Promise<unknown> = one.ended.finally(() => links.delete(done));
    links.add(done);
    return one;
  };
  const pause = (ms: number) => wait(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
  const loop = async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        const openedMs = performance.now();
        const { replaced } = await connected();
        failures = 0;
        mode.stands(undefined);
        await replaced;
        // If each connection were replaced at once, there would be no end of it.
        if (performance.now() - openedMs < BACK_OFF_MAX_MS) await pause(BACK_OFF_MS);
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures += 1;
        mode.stands(error instanceof Error ? error.message : String(error));
        await pause(waitMs(error, failures));
      }
    }
  };
  const looping = loop();
  return async () => {
    stopping.abort();
    await looping;
    await Promise.all(links);
  };
}

function waitMs(error: unknown, failures: number): number {
  const asked = error instanceof ChannelFailure ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, Math.min(BACK_OFF_MS * 2 ** (failures - 1), BACK_OFF_MAX_MS) * (0.75 + Math.random() / 2));
}

type Connected = {
  /** Resolves when Slack asks for the next connection; rejects when this one is lost. */
  replaced: Promise<void>;
  ended: Promise<unknown>;
};

/** A connection on which Slack has said hello. */
async function connect(mode: SocketMode, stopping: AbortSignal): Promise<Connected> {
  const url = await mode.address();
  const hello = signalled();
  const replaced = signalled();
  const link = await openWebSocket({
    url,
    nearby: mode.nearby,
    onText: (text) => {
      const message = jsonIn(text);
      const type = textAt(message, "type");
      if (type === "hello") hello.done();
      else if (type === "disconnect") ending(message, link, replaced);
      else void answer(mode, message, link);
    },
  });
  const stop = () => link.close();
  stopping.addEventListener("abort", stop, { once: true });
  const late = setTimeout(() => hello.failed("Slack did not say hello"), HELLO_MS).unref();
  const ended = link.ended.then((why) => {
    clearTimeout(late);
    stopping.removeEventListener("abort", stop);
    for (const one of [hello, replaced]) one.failed(`the connection to Slack ended: ${why}`);
  });
  if (stopping.aborted) stop();
  await hello.promise.catch((error: unknown) => {
    link.close();
    throw error;
  });
  clearTimeout(late);
  return { replaced: replaced.promise, ended };
}

type Signalled = { promise: Promise<void>; done(): void; failed(why: string): void };

function signalled(): Signalled {
  let [done, failed]: [() => void, (why: string) => void] = [() => undefined, () => undefined];
  const promise = new Promise<void>((resolve, reject) => {
    done = resolve;
    failed = (why) => reject(new ChannelFailure("down", why));
  });
  // Whoever waits for it is told; if nobody does any more, nobody has to be.
  promise.catch(() => undefined);
  return { promise, done: () => done(), failed: (why) => failed(why) };
}

/** Slack ends this connection: because it is old, or because somebody switched socket mode off. */
function ending(message: unknown, link: WebSocketLink, replaced: Signalled): void {
  if (textAt(message, "reason") === "link_disabled")
    replaced.failed("socket mode is switched off: switch it on at the page Socket Mode of the app");
  else replaced.done();
  // What is on its way is still answered: Slack itself ends it soon.
  setTimeout(() => link.close(), HELLO_MS).unref();
}

async function answer(mode: SocketMode, envelope: unknown, link: WebSocketLink): Promise<void> {
  const id = textAt(envelope, "envelope_id");
  if (id === undefined) return;
  try {
    const payload = await mode.hear(envelope);
    const takes = fieldAt(envelope, "accepts_response_payload") === true;
    link.send(JSON.stringify({ envelope_id: id, ...(takes && !isEmpty(payload) ? { payload } : {}) }));
  } catch {
    // Without an answer Slack tells the person that it failed, or sends it again.
  }
}

function isEmpty(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value as JsonObject).length === 0;
}
