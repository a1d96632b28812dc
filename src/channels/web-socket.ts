import { createHash, randomBytes } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { ChannelFailure } from "../ports.ts";
import { farLookup, isNear, nearby } from "../runners/addresses.ts";
import { closingOf, type Frame, frameOf, frameReader, OPCODES } from "./web-socket-frames.ts";

// A client for WebSocket (RFC 6455), as far as services need it that send texts. Node has none before version 22, and none
// that can refuse addresses in the network of this machine.

const OPENING_MS = 10_000;
/** How often the other side is asked whether it is still there, and after how long without a word it is not. */
const [ASKED_MS, SILENT_MS] = [15_000, 40_000];
/** The number of an ordinary goodbye (1000), as bytes. */
const GOING = [0x03, 0xe8];
/** How long the other side has to answer a goodbye. */
const CLOSING_MS = 1_000;
const GOODBYE = "the service closed the connection";
const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export type WebSocketLink = {
  send(text: string): void;
  /** Says goodbye; the other side may still finish. */
  close(): void;
  /** Why it ended. Never rejects. */
  ended: Promise<string>;
};

export type WebSocketOptions = {
  url: string;
  /** Whether the address may be on this machine or in its network. */
  nearby: boolean;
  onText(text: string): void;
  /** Less than usual, for tests. */
  silentMs?: number;
};

/** Throws a `ChannelFailure` if the connection does not open. */
export async function openWebSocket(options: WebSocketOptions): Promise<WebSocketLink> {
  const { socket, head } = await upgraded(options);
  return linkOver(socket, head, options);
}

function upgraded({ url: text, nearby: mayBeNear }: WebSocketOptions): Promise<{ socket: Duplex; head: Buffer }> {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!mayBeNear && isIP(host) !== 0 && isNear(host)) throw new ChannelFailure("refused", nearby(host).message);
  const isPlain = url.protocol === "ws:";
  // A connection that others can read proves nothing about who sends.
  if (isPlain && !mayBeNear) throw new ChannelFailure("refused", "the address of the connection is not wss");
  const key = randomBytes(16).toString("base64");
  url.protocol = isPlain ? "http:" : "https:";
  return new Promise((resolve, reject) => {
    const failed = (why: string) => reject(new ChannelFailure("down", `the connection did not open: ${why}`));
    const going = (isPlain ? requestHttp : requestHttps)(url, {
      agent: false,
      headers: { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": key },
      signal: AbortSignal.timeout(OPENING_MS),
      ...(mayBeNear ? {} : { lookup: farLookup }),
    });
    going.on("error", (error) => failed(error.message));
    going.on("response", (response) => {
      response.resume();
      failed(`the service answered ${response.statusCode ?? 0}`);
    });
    going.on("upgrade", (response, socket, head) => {
      const wanted = createHash("sha1").update(`${key}${MAGIC}`).digest("base64");
      if (response.headers["sec-websocket-accept"] === wanted) return resolve({ socket, head });
      socket.destroy();
      failed("the service does not speak WebSocket");
    });
    going.end();
  });
}

function linkOver(socket: Duplex, head: Buffer, { onText, silentMs = SILENT_MS }: WebSocketOptions): WebSocketLink {
  const { because, ended } = endOf(socket);
  const write = (opcode: number, payload: Buffer) => {
    if (socket.writable) socket.write(frameOf(opcode, payload));
  };
  const heard = (frame: Frame) => {
    if (frame.opcode === OPCODES.text) onText(frame.text);
    if (frame.opcode === OPCODES.ping) write(OPCODES.pong, frame.payload);
    if (frame.opcode !== OPCODES.close) return;
    because(`${GOODBYE}${closingOf(frame.payload)}`);
    write(OPCODES.close, frame.payload.subarray(0, 2));
    socket.end();
  };
  const read = frameReader();
  const take = (bytes: Buffer) => {
    try {
      for (const frame of read(bytes)) heard(frame);
    } catch (error) {
      because(error instanceof Error ? error.message : String(error));
      socket.destroy();
    }
  };
  socket.on("data", take);
  if (head.length > 0) take(head);
  watchSilence(socket, silentMs, {
    ask: () => write(OPCODES.ping, Buffer.alloc(0)),
    silent: () => {
      because("the service is silent");
      socket.destroy();
    },
  });
  return {
    send: (text) => write(OPCODES.text, Buffer.from(text)),
    close: () => {
      because("closed here");
      write(OPCODES.close, Buffer.from(GOING));
      socket.end();
      setTimeout(() => socket.destroy(), CLOSING_MS).unref();
    },
    ended,
  };
}

/** The first reason is the cause; what follows from it is not told. */
function endOf(socket: Duplex): { because(why: string): void; ended: Promise<string> } {
  let cause: string | undefined;
  const because = (why: string) => {
    cause ??= why;
  };
  socket.on("error", (error: Error) => because(error.message));
  // The other side will say no more: there is nothing left to wait for.
  socket.on("end", () => socket.destroy());
  const ended = new Promise<string>((resolve) => socket.on("close", () => resolve(cause ?? GOODBYE)));
  return { because, ended };
}

/** A connection that was cut somewhere between looks like one on which nothing happens: so the other side is asked. */
function watchSilence(socket: Duplex, silentMs: number, say: { ask(): void; silent(): void }): void {
  let heardMs = performance.now();
  socket.on("data", () => {
    heardMs = performance.now();
  });
  const asking = setInterval(
    () => (performance.now() - heardMs > silentMs ? say.silent() : say.ask()),
    Math.min(ASKED_MS, silentMs / 2),
  ).unref();
  socket.on("close", () => clearInterval(asking));
}
