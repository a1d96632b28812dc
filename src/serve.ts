import { readFileSync } from "node:fs";
import { type OpenOptions, openDeps } from "./compose.ts";
import { announceServer, stateFolderOf } from "./config/server-file.ts";
import type { Deps } from "./gate/deps.ts";
import { sealWhenDue } from "./gate/ledger.ts";
import { startTicking } from "./gate/tick.ts";
import type { Issuer } from "./http/accounts.ts";
import { apiRoutes } from "./http/api.ts";
import { type Logged, listen } from "./http/server.ts";
import { WEB_ROUTES } from "./web/pages.ts";
import { refusedPage } from "./web/refused.ts";

/** One process: API, inbox, dispatcher, executor and timers, on one database. */
export type Server = { url: string; port: number; deps: Deps; close(): Promise<void> };

export type ServeOptions = {
  host: string;
  port: number;
  /** Where people find it, where that is not the address it listens on. */
  url?: string;
  /** Where people may sign in besides here, by OpenID Connect. */
  issuer?: Issuer;
  log(line: Logged): void;
  /** What fails in the background: it is tried again, and somebody should hear of it. */
  warn(error: unknown): void;
};

const TICK_MS = 250;

/** Opens the user's database and serves it; hook, command line and library find the server by `server.json`. */
export async function serve(opening: OpenOptions, options: ServeOptions): Promise<Server> {
  const deps = await openDeps(opening);
  try {
    const server = await serveDeps(deps, options);
    const forget = announceServer(stateFolderOf(opening.env ?? process.env), { url: server.url, pid: process.pid });
    const close = async () => {
      forget();
      await server.close();
      await deps.close();
    };
    return { ...server, close };
  } catch (error) {
    await deps.close();
    throw error;
  }
}

/** Serves a gate that is open already. Closing leaves it open. */
export async function serveDeps(deps: Deps, options: ServeOptions): Promise<Server> {
  const routes = [...apiRoutes(versionOf()), ...WEB_ROUTES];
  const listening = await listen(deps, routes, { ...options, refusedPage });
  const stopTicking = startTicking(deps, { everyMs: TICK_MS, onError: options.warn });
  const close = async () => {
    await listening.close();
    await stopTicking();
    const sealed = await sealWhenDue(deps, 1).catch(options.warn);
    if (sealed?.ok === false) options.warn(sealed.reason);
  };
  return { url: listening.url, port: listening.port, deps, close };
}

function versionOf(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}
