import type { IncomingMessage, ServerResponse } from "node:http";

// The response to one request of a client: one JSON text, or a stream of events whose last one is the answer.

export type Reply = {
  /** A message before the answer. False if this client reads no events, or has gone. */
  tell(line: string): boolean;
  /** The answer, which ends the response. The status counts only if no event was sent before. */
  end(line: string, status?: number): void;
  /** Ends the response without an answer. */
  stop(): void;
  /** Called when the client has gone before its answer. */
  onGone(act: () => void): void;
};

/** A response that is silent for longer becomes a stream, because clients and proxies give up on silence. */
const STREAM_AFTER_MS = 5_000;
const ALIVE_MS = 15_000;
/** A client that reads more slowly than this is disconnected. */
const BEHIND_BYTES_MAX = 64 * 1024 * 1024;

const SAFE = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
const JSON_TYPE = { ...SAFE, "content-type": "application/json" };
const EVENTS_TYPE = { ...SAFE, "content-type": "text/event-stream", "x-accel-buffering": "no" };

type Headers = Readonly<Record<string, string>>;

export function replyOf(
  request: IncomingMessage,
  response: ServerResponse,
  headers: () => Headers = () => ({}),
): Reply {
  const canStream = /text\/event-stream/i.test(request.headers.accept ?? "");
  let isOver = false;
  let gone: () => void = () => undefined;
  const stream = () => {
    if (response.headersSent) return;
    response.writeHead(200, { ...EVENTS_TYPE, ...headers() });
    response.flushHeaders();
  };
  const late = canStream ? setTimeout(stream, STREAM_AFTER_MS) : undefined;
  const alive = setInterval(() => response.headersSent && write(response, ": waiting\n\n"), ALIVE_MS);
  const over = () => {
    isOver = true;
    clearTimeout(late);
    clearInterval(alive);
  };
  response.once("close", () => {
    if (isOver) return;
    over();
    gone();
  });
  return {
    tell: (line) => {
      if (isOver || !canStream) return false;
      stream();
      return write(response, eventOf(line));
    },
    end: (line, status = 200) => {
      if (isOver) return;
      over();
      if (response.headersSent) response.end(eventOf(line));
      else response.writeHead(status, { ...JSON_TYPE, ...headers() }).end(line);
    },
    stop: () => {
      over();
      response.end();
    },
    onGone: (act) => {
      gone = act;
    },
  };
}

/** A stream for what is said without being asked. */
export function openStream(request: IncomingMessage, response: ServerResponse): Reply {
  const reply = replyOf(request, response);
  response.writeHead(200, EVENTS_TYPE);
  response.flushHeaders();
  return reply;
}

export function sendJson(response: ServerResponse, status: number, body: string, headers: Headers = {}): void {
  response.writeHead(status, { ...JSON_TYPE, ...headers }).end(body);
}

function write(response: ServerResponse, text: string): boolean {
  if (response.destroyed) return false;
  if (response.writableLength > BEHIND_BYTES_MAX) {
    response.destroy();
    return false;
  }
  response.write(text);
  return true;
}

/** An upstream may write its JSON in several lines. */
function eventOf(line: string): string {
  return `event: message\ndata: ${line.replaceAll(/\r\n|\r|\n/g, "\ndata: ")}\n\n`;
}
