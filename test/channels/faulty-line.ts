import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";

// A line between the server and a service on this machine that can go wrong, whatever is spoken on it.

export type LineFault =
  /** Nobody listens. */
  | "refused"
  /** Takes the connection and what is said, and never answers (half-open). */
  | "silent"
  /** Every piece takes a second and a half. */
  | "slow"
  /** What is said arrives; the answer is lost, and the connection breaks. */
  | "answer lost";

export type FaultyLine = { port: number; breaks(how: LineFault | undefined): void; close(): Promise<void> };

const SLOW_MS = 1_500;

export async function faultyLine(toPort: number): Promise<FaultyLine> {
  let fault: LineFault | undefined;
  const open = new Set<Socket>();
  const kept = (socket: Socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => open.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    kept(near);
    const how = fault;
    if (how === "refused") return void near.destroy();
    if (how === "silent") return void near.resume();
    const far = kept(connect(toPort, "127.0.0.1"));
    const afterMs = how === "slow" ? SLOW_MS : 0;
    const pass = (from: Socket, to: Socket) => {
      from.on("data", (bytes: Buffer) => {
        if (afterMs === 0) to.write(bytes);
        else setTimeout(() => to.writable && to.write(bytes), afterMs);
      });
      from.on("close", () => setTimeout(() => to.end(), afterMs));
    };
    pass(near, far);
    if (how === "answer lost") far.once("data", () => near.destroy());
    else pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    breaks: (how) => {
      fault = how;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}
