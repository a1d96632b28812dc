import { createServer, type Server, type ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";

// Where the server listens. For `localhost` a browser tries both loopback addresses. If another program listened on one of
// them at the same port, people who type that name could reach that program instead of ours.

export type ListenAddress = { host: string; port: number };
type Bound = { port: number; servers: readonly Server[] };

const LOOPBACKS = ["127.0.0.1", "::1"];

export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || LOOPBACKS.includes(host);
}

/** Listens on an address; for a loopback address, on both of them. Rejects if another program uses the port. */
export async function bound(place: ListenAddress, options: ServerOptions): Promise<Bound> {
  const hosts = isLoopbackHost(place.host) ? LOOPBACKS : [place.host];
  for (let tries = 1; ; tries++) {
    const servers: Server[] = [];
    let { port } = place;
    try {
      for (const host of hosts) {
        const server = createServer(options);
        if (!(await listens(server, { host, port }))) continue;
        servers.push(server);
        port = (server.address() as AddressInfo).port;
      }
      return { port, servers };
    } catch (error) {
      for (const server of servers) server.close();
      // If any port is allowed, a port that is used on the second address only means that another one is tried.
      if (place.port !== 0 || tries === TRIES_MAX || codeOf(error) !== "EADDRINUSE") throw error;
    }
  }
}

const TRIES_MAX = 10;

/** False if the machine does not have this address: then no other program can listen there. */
function listens(server: Server, { host, port }: ListenAddress): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      host === "::1" && ABSENT.includes(codeOf(error)) ? resolve(false) : reject(error),
    );
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      resolve(true);
    });
  });
}

const ABSENT = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "";
}
