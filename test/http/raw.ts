import { connect, type Socket } from "node:net";

// Raw bytes over the connection, for requests that no normal client would send.

export type Line = { socket: Socket; send(text: string | Uint8Array): void; received(): string; closed: Promise<void> };

export function dial(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    // Many of these tests are about a peer that disconnects while we still write.
    const closed = new Promise<void>((done) => socket.on("close", () => done()));
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.on("error", () => undefined);
      resolve({
        socket,
        send: (text) => void socket.write(text),
        received: () => Buffer.concat(chunks).toString("latin1"),
        closed,
      });
    });
  });
}

/** Sends one request that asks for the connection to be closed, and returns everything that was received. */
export async function exchanged(port: number, bytes: string | Uint8Array): Promise<string> {
  const line = await dial(port);
  line.send(bytes);
  await line.closed;
  return line.received();
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}
