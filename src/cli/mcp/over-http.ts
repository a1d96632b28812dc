import type { GatewayServer, GatewayServerOptions } from "../../mcp/http/server.ts";
import { Failure, usage } from "../failure.ts";
import type { OpenedGate } from "../gate/database.ts";
import { type CommandInput, text } from "../spec.ts";

const HOST = "127.0.0.1";
const PORT_MAX = 65_535;
/** A session ends after this time without a request. docs/mcp.md says so. */
const IDLE_MS = 30 * 60_000;

/** What is wrong with the options of `leeway mcp --http`, before any file is read. */
export function refuseWrongHttp(given: CommandInput, port: number): void {
  if (text(given, "agent") !== undefined)
    throw usage("--agent and --http exclude each other", "over HTTP the agent is the one whose token the client sends");
  if (port > PORT_MAX)
    throw usage(`there is no port ${port}`, `choose a port up to ${PORT_MAX}, or 0 for any free port`);
  const host = text(given, "host") ?? HOST;
  if (EVERY_ADDRESS.includes(host))
    throw usage(`--host ${host} is every address of this machine`, "name the one address that clients use");
}

/** `leeway mcp --http`: until somebody ends the program. */
export async function serveOverHttp(
  given: CommandInput,
  deps: OpenedGate,
  options: Omit<GatewayServerOptions, "host" | "idleMs">,
): Promise<number> {
  const host = text(given, "host") ?? HOST;
  const { port } = options;
  const { serveGateway } = await import("../../mcp/http/server.ts");
  const server = await listening({ host, port }, () => serveGateway(deps, { ...options, host, idleMs: IDLE_MS }));
  const { url, inTheClear } = server;
  const warnings = inTheClear ? [IN_THE_CLEAR] : [];
  given.out.answer({ url, pid: process.pid, ...(inTheClear && { warnings }) }, () =>
    [
      `the MCP gateway is running at ${url}`,
      ...warnings.map((warning) => given.out.colours.yellow(`warning: ${warning}`)),
      "clients send the token of an agent: `leeway tokens add --agent NAME` makes one",
      "press Ctrl-C to stop; waiting questions that need a person are kept",
    ].join("\n"),
  );
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await server.close();
  return 0;
}

/** A request must name the host that it means; nobody means these. */
const EVERY_ADDRESS = ["0.0.0.0", "::", "*", ""];

const IN_THE_CLEAR =
  "tokens are sent over the network without encryption, so others on the network can read them; listen on 127.0.0.1, and let a proxy or a tunnel on this machine encrypt";

async function listening(
  { host, port }: { host: string; port: number },
  start: () => Promise<GatewayServer>,
): Promise<GatewayServer> {
  try {
    return await start();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new Failure(
        1,
        `port ${port} on ${host} is already in use`,
        "choose another with --http, or 0 for any free port",
      );
    if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new Failure(
        1,
        `the gateway cannot listen on ${host}, port ${port} (${code})`,
        "choose another --host or --http",
      );
    throw error;
  }
}
