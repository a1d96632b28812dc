import { channelMaker } from "./channels/index.ts";
import { channelTools } from "./channels/tools.ts";
import { callbackOf, type Gates, type OpenOptions, openGates, runnersOf } from "./compose.ts";
import { shownDatabase } from "./config/database-place.ts";
import { readSettings, type Variables } from "./config/environment.ts";
import { announceServer, stateFolderOf } from "./config/server-file.ts";
import { readServerSettings } from "./config/server-settings.ts";
import { ownVersion } from "./config/version.ts";
import { workspaceFolder, workspacePolicy } from "./config/workspace-folders.ts";
import { APPLY_TOOL, UNDO_TOOL } from "./core/box.ts";
import type { WorkspaceId } from "./core/ids.ts";
import { inTurn } from "./core/messages/message.ts";
import { textOf } from "./core/messages/text.ts";
import { PIN_TOOL } from "./core/standing/pin.ts";
import { PLAN_TOOL } from "./core/standing/plan.ts";
import { applyRunner, undoRunner } from "./gate/boxes/changes.ts";
import { planRunner } from "./gate/calls/plan.ts";
import type { Deps } from "./gate/deps.ts";
import { startListening } from "./gate/notices/listening.ts";
import type { Sending } from "./gate/notices/sending.ts";
import { sealWhenDue } from "./gate/record/sealing.ts";
import { pinRunner } from "./gate/standing/pins.ts";
import { startTicking } from "./gate/time/tick.ts";
import { apiRoutes } from "./http/api.ts";
import { CHANNEL_ROUTES } from "./http/routes/channels.ts";
import { type ListenOptions, listen } from "./http/server.ts";
import type { MakeSending } from "./http/workspaces.ts";
import { processMetrics } from "./observe/metrics.ts";
import { openTracing } from "./observe/tracing.ts";
import { cardOf } from "./service/views/cards.ts";
import { refusedPage } from "./web/page/refused.ts";
import { WEB_ROUTES } from "./web/pages.ts";
import { type AddedWorkspace, keepWorkspaces, type WorkspacesKept } from "./workspaces.ts";

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
  /** Serves one more workspace, with channels whose secrets `maker` reads. Closing it leaves its gate open. */
  add(deps: Deps, maker: Sending["maker"]): AddedWorkspace;
  close(): Promise<void>;
};

const IN_THE_CLEAR =
  "passphrases and tokens are sent over the network without encryption, so others on the network can read them; start the server with an https --url, or let it listen on 127.0.0.1 only";

export type ServeOptions = Omit<ListenOptions, "refusedPage"> & {
  /** Failures in the background: they are repeated, and somebody should be told. */
  warn(error: unknown): void;
};

const TICK_MS = 250;
/** What is queued wakes a workspace at once; only what the clock alone causes may be this late. */
const BESIDE_TICK_MS = 1_000;
/** How often the server looks whether the policy sets up other connections than it has. */
const LISTEN_MS = 1_000;
/** How often the server looks whether what rehearsals keep is to be removed. */
const TIDY_MS = 600_000;

/** The runners in the settings of a folder. Commands run in boxes, if this machine can make any. */
export async function ownRunners(
  env: Variables,
  folder: string = stateFolderOf(env),
): Promise<ReturnType<typeof runnersOf>> {
  const settings = readServerSettings(folder);
  if (!settings.runners.some(({ by }) => by === "command")) return runnersOf(settings);
  const { openBoxing } = await import("./box/boxing.ts");
  const { stateFolder, home } = readSettings(env, env["HOME"]);
  const { maker } = openBoxing({ stateFolder, home }, Date.now);
  return runnersOf(settings, (await maker.ability()).ok ? maker : undefined);
}

/**
 * Opens the user's database and serves its workspaces; hook, command line and library find the server by `server.json`.
 */
export async function serve(
  opening: OpenOptions,
  options: ServeOptions,
): Promise<Server & { workspaces: WorkspacesKept }> {
  const tracing = await openTracing();
  const own = observing(tracing);
  const gates = await openGates(opening, own);
  try {
    const env = opening.env ?? process.env;
    const { stateFolder } = gates.settings;
    const deps = Object.assign(gates.open(opening, own), { metrics: own.metrics });
    const callback = callbackOf(readServerSettings(stateFolder));
    if (callback !== undefined) deps.callback = callback;
    const server = await serveDeps(deps, options, env);
    const open = (name: WorkspaceId) => openBeside(gates, server, { ...opening, env, workspace: name, tracing });
    const keeping = { stateFolder, own: deps.workspace, open, warn: options.warn };
    const workspaces = await keepWorkspaces(keeping).catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
    const forget = announceServer(stateFolder, {
      url: server.url,
      pid: process.pid,
      database: shownDatabase(gates.settings.db),
    });
    const close = async () => {
      forget();
      await workspaces.close();
      await server.close();
      await deps.close();
      await gates.close();
    };
    return { ...server, workspaces, close };
  } catch (error) {
    await gates.close();
    throw error;
  }
}

/** The metrics of one workspace: who may read them may not learn how much others do. */
function observing(tracing: Tracing) {
  const metrics = processMetrics();
  return { metrics, observers: new Set(tracing === undefined ? [metrics] : [metrics, tracing]) };
}

type Tracing = Awaited<ReturnType<typeof openTracing>>;

type Beside = Pick<OpenOptions, "cwd" | "clock"> & { env: Variables; workspace: WorkspaceId; tracing: Tracing };

/** Opens another workspace of the same database, with what is in its folder, and serves it. */
async function openBeside(
  gates: Gates,
  server: Server,
  { env, workspace, cwd, clock, tracing }: Beside,
): Promise<AddedWorkspace> {
  const { stateFolder } = gates.settings;
  const folder = workspaceFolder(stateFolder, workspace);
  const callback = callbackOf(readServerSettings(folder));
  const runners = await ownRunners(env, folder);
  const policy = workspacePolicy(stateFolder, workspace);
  const same = { ...(cwd === undefined ? {} : { cwd }), ...(clock === undefined ? {} : { clock }) };
  const own = observing(tracing);
  const deps = Object.assign(gates.open({ workspace, policy, runners, ...same }, own), { metrics: own.metrics });
  if (callback !== undefined) deps.callback = callback;
  const added = server.add(deps, ownChannels(env, folder));
  const close = async () => {
    await added.close();
    await deps.close();
  };
  return { ...added, close };
}

/** Serves a gate that is already open. Closing the server leaves it open. */
export async function serveDeps(deps: Deps, options: ServeOptions, env: Variables = {}): Promise<Server> {
  const metrics = deps.metrics ?? processMetrics();
  deps.metrics = metrics;
  const routes = [...apiRoutes(ownVersion()), ...CHANNEL_ROUTES, ...WEB_ROUTES];
  equip(deps);
  const maker = ownChannels(env);
  const log: ServeOptions["log"] = (line) => {
    metrics.requested(line);
    options.log(line);
  };
  const listening = await listen(deps, routes, { ...options, log, sending: sendingWith(maker), refusedPage });
  const warnings = listening.inTheClear ? [IN_THE_CLEAR] : [];
  for (const text of warnings) options.warn(text);
  const stop = startWork(deps, maker, listening, { ...options, everyMs: TICK_MS });
  const stopTidying = startTidying(deps, options);
  const { url, pages, port } = listening;
  return {
    url,
    pages,
    port,
    deps,
    warnings,
    add: (one, theirs) => {
      equip(one);
      const added = listening.add(one, sendingWith(theirs));
      const end = startWork(one, theirs, added, { ...options, everyMs: BESIDE_TICK_MS });
      const close = async () => {
        added.remove();
        await end();
      };
      return { deps: one, pages: added.pages, close };
    },
    close: async () => {
      await listening.close();
      stopTidying();
      await stop();
    },
  };
}

/** Commands do this when they end; on a machine where none runs for a while, the server does it. */
function startTidying({ rehearsals }: Deps, { warn }: Pick<ServeOptions, "warn">): () => void {
  const tidy = () =>
    rehearsals?.tidy().then((troubles) => {
      for (const trouble of troubles) warn(`something of an earlier command in a box could not be removed: ${trouble}`);
    }, warn);
  void tidy();
  const timer = setInterval(() => void tidy(), TIDY_MS).unref();
  return () => clearInterval(timer);
}

/** The runners of every gate that a server serves. */
function equip(deps: Deps): void {
  // An MCP gateway that asked may have ended before the answer.
  deps.runners.set(PIN_TOOL, pinRunner());
  // A process may have ended between the approval of a plan and the end of its call.
  deps.runners.set(PLAN_TOOL, planRunner());
  // A command that asked about what it changed may have stopped waiting.
  if (deps.rehearsals !== undefined) {
    deps.runners.set(APPLY_TOOL, applyRunner(deps.rehearsals));
    deps.runners.set(UNDO_TOOL, undoRunner(deps.rehearsals));
  }
}

/** Timers, dispatcher, executor and the connections of channels, until stopped. */
function startWork(
  deps: Deps,
  maker: Sending["maker"],
  { sending }: { sending?: Sending },
  { warn, everyMs }: Pick<ServeOptions, "warn"> & { everyMs: number },
): () => Promise<void> {
  const sends = sending === undefined ? {} : { sending };
  const stopTicking = startTicking(deps, { everyMs, onError: warn, ...sends });
  const stopHearing =
    sending === undefined ? undefined : startListening(deps, sending, { everyMs: LISTEN_MS, onError: warn });
  return async () => {
    await stopHearing?.();
    await stopTicking();
    await maker.close();
    const sealed = await sealWhenDue(deps, 1).catch(warn);
    if (sealed?.ok === false) warn(textOf(inTurn([sealed.reason, sealed.hint]), "en"));
  };
}

function sendingWith(maker: Sending["maker"]): MakeSending {
  return (names) => sendingBy(maker, names);
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

/** The channels of the policy, with the secrets that this process can read; with `within`, only those in that folder. */
export function ownChannels(env: Variables, within?: string): Sending["maker"] {
  const write = (line: string) => void process.stderr.write(`${line}\n`);
  const more = within === undefined ? {} : { within };
  return channelMaker(channelTools(env, { stateFolder: stateFolderOf(env), write, nowMs: Date.now, ...more }));
}
