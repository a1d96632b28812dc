import { channelMaker } from "./channels/index.ts";
import { type ChannelTools, channelTools } from "./channels/tools.ts";
import { callbackOf, type OpenOptions, openDeps, runnersOf } from "./compose.ts";
import type { Variables } from "./config/environment.ts";
import { announceServer, stateFolderOf } from "./config/server-file.ts";
import { readServerSettings } from "./config/server-settings.ts";
import { ownVersion } from "./config/version.ts";
import { PIN_TOOL } from "./core/standing/pin.ts";
import type { Deps } from "./gate/deps.ts";
import { startListening } from "./gate/notices/listening.ts";
import type { Sending } from "./gate/notices/sending.ts";
import { sealWhenDue } from "./gate/record/sealing.ts";
import { pinRunner } from "./gate/standing/pins.ts";
import { startTicking } from "./gate/time/tick.ts";
import { apiRoutes } from "./http/api.ts";
import { CHANNEL_ROUTES } from "./http/routes/channels.ts";
import { type ListenOptions, listen } from "./http/server.ts";
import { cardOf } from "./service/views/cards.ts";
import { refusedPage } from "./web/page/refused.ts";
import { WEB_ROUTES } from "./web/pages.ts";

/** One process: API, inbox, dispatcher, executor and timers, on one database. */
export type Server = {
  /** The address for programs. */
  url: string;
  /** The address for people. */
  pages: string;
  port: number;
  deps: Deps;
  /** What the person who started it should know about how it can be reached. */
  warnings: readonly string[];
  close(): Promise<void>;
};

const IN_THE_CLEAR =
  "passphrases and tokens are sent over the network without encryption, so others on the network can read them; start the server with an https --url, or let it listen on 127.0.0.1 only";

export type ServeOptions = Omit<ListenOptions, "refusedPage"> & {
  /** Failures in the background: they are repeated, and somebody should be told. */
  warn(error: unknown): void;
};

const TICK_MS = 250;
/** How often the server looks whether the policy sets up other connections than it has. */
const LISTEN_MS = 1_000;

/** The runners in the settings of the state folder. */
export function ownRunners(env: Variables): ReturnType<typeof runnersOf> {
  return runnersOf(readServerSettings(stateFolderOf(env)));
}

/** Opens the user's database and serves it; hook, command line and library find the server by `server.json`. */
export async function serve(opening: OpenOptions, options: ServeOptions): Promise<Server> {
  const deps = await openDeps(opening);
  try {
    const env = opening.env ?? process.env;
    const callback = callbackOf(readServerSettings(stateFolderOf(env)));
    if (callback !== undefined) deps.callback = callback;
    const server = await serveDeps(deps, options, env);
    const forget = announceServer(stateFolderOf(env), { url: server.url, pid: process.pid });
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

/** Serves a gate that is already open. Closing the server leaves it open. */
export async function serveDeps(deps: Deps, options: ServeOptions, env: Variables = {}): Promise<Server> {
  const routes = [...apiRoutes(ownVersion()), ...CHANNEL_ROUTES, ...WEB_ROUTES];
  // An MCP gateway that asked may have ended before the answer.
  deps.runners.set(PIN_TOOL, pinRunner());
  const maker = ownChannels(env);
  const sending = (names: Pick<Sending, "origin" | "url">): Sending => sendingBy(maker, names);
  const listening = await listen(deps, routes, { ...options, sending, refusedPage });
  const warnings = listening.inTheClear ? [IN_THE_CLEAR] : [];
  for (const text of warnings) options.warn(text);
  const stopTicking = startTicking(deps, {
    everyMs: TICK_MS,
    onError: options.warn,
    ...(listening.sending === undefined ? {} : { sending: listening.sending }),
  });
  const stopHearing =
    listening.sending === undefined
      ? undefined
      : startListening(deps, listening.sending, { everyMs: LISTEN_MS, onError: options.warn });
  const close = async () => {
    await listening.close();
    await stopHearing?.();
    await stopTicking();
    await maker.close();
    const sealed = await sealWhenDue(deps, 1).catch(options.warn);
    if (sealed?.ok === false) options.warn(sealed.reason);
  };
  const { url, pages, port } = listening;
  return { url, pages, port, deps, warnings, close };
}

/** Makes what sends notices to channels. */
export function sendingBy(maker: Sending["maker"], { origin, url }: Pick<Sending, "origin" | "url">): Sending {
  return {
    maker,
    origin,
    url,
    cardOf,
    downUntilMs: new Map(),
    underWay: new Map(),
    last: new Map(),
    connections: new Map(),
  };
}

/** The channels of the policy, with the secrets that this process can read. */
export function ownChannels(env: Variables): Sending["maker"] {
  return channelMaker(toolsOf(env));
}

/** The secrets of channels come from the variables and files of this process. */
function toolsOf(env: Variables): ChannelTools {
  const write = (line: string) => void process.stderr.write(`${line}\n`);
  return channelTools(env, { stateFolder: stateFolderOf(env), write, nowMs: Date.now });
}
