import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

// The server's side of WebSocket (RFC 6455), as strict as the standard: what a client must not do ends the connection and is
// kept as a fault.

export type Peer = {
  path: string;
  /** What the client wrote, as texts. */
  texts: string[];
  pings: number;
  faults: string[];
  isOpen(): boolean;
  send(text: string): void;
  /** Bytes as they are, for what a server should not send. */
  raw(bytes: Buffer): void;
  ping(payload?: string): void;
  pongs: string[];
  close(code: number): void;
  /** The connection breaks without a word. */
  break(): void;
};

type Accept = (path: string) => 101 | 403;

/** A frame as a server writes it: without a mask. */
export function serverFrame(opcode: number, payload: Buffer | string, { isLast = true } = {}): Buffer {
  const bytes = Buffer.from(payload);
  const head =
    bytes.length < 126
      ? Buffer.from([0, bytes.length])
      : bytes.length < 65_536
        ? Buffer.from([0, 126, bytes.length >> 8, bytes.length & 255])
        : Buffer.concat([
            Buffer.from([0, 127, 0, 0, 0, 0]),
            Buffer.from(Uint32Array.of(bytes.length).buffer).reverse(),
          ]);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  return Buffer.concat([head, bytes]);
}

/** Takes the upgrades of an HTTP server. */
export function acceptWebSockets(server: Server, accept: Accept, opened: (peer: Peer) => void): readonly Peer[] {
  const peers: Peer[] = [];
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    const path = request.url ?? "";
    const key = request.headers["sec-websocket-key"] ?? "";
    const isAsked =
      request.method === "GET" &&
      request.headers.upgrade?.toLowerCase() === "websocket" &&
      request.headers.connection?.toLowerCase().includes("upgrade") === true &&
      request.headers["sec-websocket-version"] === "13" &&
      Buffer.from(key, "base64").length === 16;
    if (!isAsked || accept(path) !== 101) return void socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    const proof = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${proof}\r\n\r\n`,
    );
    const peer = peerOf(path, socket);
    peers.push(peer);
    opened(peer);
  });
  return peers;
}

function peerOf(path: string, socket: Duplex): Peer {
  const peer: Peer = {
    path,
    texts: [],
    pings: 0,
    pongs: [],
    faults: [],
    isOpen: () => socket.writable,
    send: (text) => void socket.write(serverFrame(1, text)),
    raw: (bytes) => void socket.write(bytes),
    ping: (payload = "") => void socket.write(serverFrame(9, payload)),
    close: (code) => void socket.end(serverFrame(8, Buffer.from([code >> 8, code & 255]))),
    break: () => void socket.destroy(),
  };
  let left = Buffer.alloc(0);
  socket.on("error", () => undefined);
  socket.on("data", (bytes: Buffer) => {
    left = Buffer.concat([left, bytes]);
    for (;;) {
      const size = frameSize(left);
      if (size === undefined || left.length < size) return;
      const frame = left.subarray(0, size);
      left = left.subarray(size);
      take(peer, frame, socket);
    }
  });
  return peer;
}

const START = { short: 6, two: 8, eight: 14 };

function frameSize(bytes: Buffer): number | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  if (short < 126) return START.short + short;
  if (short === 126) return bytes.length < 4 ? undefined : START.two + bytes.readUInt16BE(2);
  return bytes.length < 10 ? undefined : START.eight + Number(bytes.readBigUInt64BE(2));
}

function take(peer: Peer, frame: Buffer, socket: Duplex): void {
  const [first = 0, second = 0] = [frame[0], frame[1]];
  const short = second & 0x7f;
  const start = short < 126 ? START.short : short === 126 ? START.two : START.eight;
  const mask = frame.subarray(start - 4, start);
  const payload = Buffer.from(frame.subarray(start).map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  const opcode = first & 0x0f;
  if ((second & 0x80) === 0 || (first & 0x70) !== 0) {
    peer.faults.push("a client masks every frame, and sets no reserved bit");
    socket.destroy();
  } else if (opcode === 1 && (first & 0x80) !== 0) peer.texts.push(payload.toString("utf8"));
  else if (opcode === 8) socket.end(serverFrame(8, payload));
  else if (opcode === 9) {
    peer.pings += 1;
    socket.write(serverFrame(10, payload));
  } else if (opcode === 10) peer.pongs.push(payload.toString("utf8"));
  else peer.faults.push(`a frame of the kind ${opcode}`);
}
