import { type OpenOptions, openDeps, runnersOf } from "./compose.ts";
import type { Variables } from "./config/environment.ts";
import { announceServer, stateFolderOf } from "./config/server-file.ts";
import { readServerSettings } from "./config/server-settings.ts";
import { ownVersion } from "./config/version.ts";
import type { Deps } from "./gate/deps.ts";
import { sealWhenDue } from "./gate/record/sealing.ts";
import { startTicking } from "./gate/time/tick.ts";
import { apiRoutes } from "./http/api.ts";
import { type ListenOptions, listen } from "./http/server.ts";
import { WEB_ROUTES } from "./web/pages.ts";
import { refusedPage } from "./web/refused.ts";

/** One process: API, inbox, dispatcher, executor and timers, on one database. */
export type Server = {
  /** Where programs find it. */
  url: string;
  /** Where people do. */
  pages: string;
  port: number;
  deps: Deps;
  /** What whoever started it should know about how it can be reached. */
  warnings: readonly string[];
  close(): Promise<void>;
};

const IN_THE_CLEAR =
  "passphrases and tokens are sent over the network without encryption, so others on the network can read them; start the server with an https --url, or let it listen on 127.0.0.1 only";

export type ServeOptions = Omit<ListenOptions, "refusedPage"> & {
  /** What fails in the background: it is tried again, and somebody should hear of it. */
  warn(error: unknown): void;
};

const TICK_MS = 250;

/** What the settings in the state folder say to carry calls out with. */
export function ownRunners(env: Variables): ReturnType<typeof runnersOf> {
  return runnersOf(readServerSettings(stateFolderOf(env)));
}

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
  const routes = [...apiRoutes(ownVersion()), ...WEB_ROUTES];
  const listening = await listen(deps, routes, { ...options, refusedPage });
  const warnings = listening.inTheClear ? [IN_THE_CLEAR] : [];
  for (const text of warnings) options.warn(text);
  const stopTicking = startTicking(deps, { everyMs: TICK_MS, onError: options.warn });
  const close = async () => {
    await listening.close();
    await stopTicking();
    const sealed = await sealWhenDue(deps, 1).catch(options.warn);
    if (sealed?.ok === false) options.warn(sealed.reason);
  };
  const { url, pages, port } = listening;
  return { url, pages, port, deps, warnings, close };
}
