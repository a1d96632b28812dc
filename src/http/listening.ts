import { createServer, type Server, type ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";

// Where the server listens. A browser that is asked for `localhost` tries both loopback addresses: whoever else sat on
// one of them, on our port, would be us to everybody who types that name.

export type Place = { host: string; port: number };
type Bound = { port: number; servers: readonly Server[] };

const LOOPBACKS = ["127.0.0.1", "::1"];

export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || LOOPBACKS.includes(host);
}

/** Listens on an address, and on both loopback ones where it is one. Rejects where somebody else has the port. */
export async function bound(place: Place, options: ServerOptions): Promise<Bound> {
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
      // Where any port will do, one that was free on the first address and taken on the second is not the last.
      if (place.port !== 0 || tries === TRIES_MAX || codeOf(error) !== "EADDRINUSE") throw error;
    }
  }
}

const TRIES_MAX = 10;

/** False where the machine has no such address: then nobody else can be there either. */
function listens(server: Server, { host, port }: Place): Promise<boolean> {
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
