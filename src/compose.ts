import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";
import { createClient } from "./client/index.ts";
import {
  homeFolder,
  makeFolder,
  prepareStateFolder,
  readSettings,
  SettingError,
  type Settings,
  type Variables,
} from "./config/environment.ts";
import { keyedHashing } from "./config/file-facts.ts";
import { loadKey } from "./config/key-file.ts";
import { pathFacts } from "./config/path-facts.ts";
import { inlinePolicyFiles, policyFiles } from "./config/policy-files.ts";
import { type ServerMeant, serverMeant } from "./config/server-file.ts";
import { faultyFile, type RunnerSettings, type ServerSettings } from "./config/server-settings.ts";
import { openSeals } from "./config/signer.ts";
import type { Mint, WorkspaceId } from "./core/ids.ts";
import type { Fault } from "./core/policy/tree.ts";
import { adoptStanding } from "./gate/adopting.ts";
import type { Deps } from "./gate/deps.ts";
import { closable, guardedStore } from "./gate/guarded.ts";
import { markedStore } from "./gate/marked.ts";
import { sealWhenDue } from "./gate/sealing.ts";
import { standingView } from "./gate/standing.ts";
import { startTicking } from "./gate/tick.ts";
import { gateClock } from "./gate/time.ts";
import type { PolicyCallback } from "./library/callbacks.ts";
import { createGate, type Gate, type GateOptions, gateOptions } from "./library/gate.ts";
import { invalidPolicy, type PolicyLayer } from "./library/layer.ts";
import { badInput, LeewayRefusal } from "./library/refusal.ts";
import { shaped } from "./library/shape.ts";
import type { Channel, Clock, PolicyFiles, Runner, Store } from "./ports.ts";
import { commandRunner } from "./runners/command.ts";
import { type HttpOptions, httpRunner } from "./runners/http.ts";
import { memoryStore } from "./store/memory.ts";
import { type SqliteOptions, sqliteStore } from "./store/sqlite/index.ts";
import { aesSealer, systemClock, systemMint } from "./system.ts";

export { functionRunner } from "./runners/function.ts";
export { commandRunner, type HttpOptions, httpRunner };

/** What is left out is the user's own. */
export type OpenOptions = {
  /** A file, or the policy itself. Either is accepted by being named, and is the only one then. */
  policy?: string | PolicyLayer;
  /** A file, or `:memory:` for a gate that forgets everything when it is closed. */
  db?: string;
  workspace?: WorkspaceId;
  /** The folder that the agents work in, where the project's policy is looked for; the current one when left out. */
  cwd?: string;
  clock?: Clock;
  mint?: Mint;
  /** What can carry calls out on the gate's behalf, besides the functions given to `guard`; each by its tool's name. */
  runners?: readonly Runner[];
  channels?: readonly Channel[];
  /** The environment's variables; the process's own when left out. */
  env?: Variables;
};

/**
 * Everything the verbs need, from the state folder, the files and the environment. `unguarded` is for the two commands
 * that put right a database which went back: no other door gets it.
 */
export async function openDeps(
  options: OpenOptions = {},
  how: { unguarded?: true; onProgress?: (done: number, of: number) => void } = {},
): Promise<Deps & { close(): Promise<void> }> {
  const env = options.env ?? process.env;
  const settings = readSettings(env, env["HOME"] || homeFolder());
  const cwd = resolve(options.cwd ?? process.cwd());
  const clock = options.clock ?? systemClock;
  const workspace = options.workspace ?? settings.workspace;
  const db = options.db ?? settings.db;
  const opened = db === MEMORY ? inMemory() : await onDisk(settings, resolve(db), workspace, how.onProgress);
  const { store: found, key, ...sealing } = opened;
  const parts = { ...sealing, clock: gateClock(clock), mint: options.mint ?? systemMint() };
  const marked = markedStore({
    ...parts,
    store: found,
    adopt: (one) => adoptStanding({ ...parts, store: found, workspace: one }),
  });
  const store = closable(how.unguarded ? marked : guardedStore({ ...parts, store: marked }));
  const policies = policiesOf(options, settings, cwd, clock);
  return {
    workspace,
    store,
    ...parts,
    policies,
    paths: pathFacts(settings.home, [settings.stateFolder, ...(db === MEMORY ? [] : [db])], env, keyedHashing(key)),
    runners: new Map((options.runners ?? []).map((runner) => [runner.name, runner])),
    declared: new Map(),
    channels: new Map((options.channels ?? []).map((channel) => [channel.name, channel])),
    owner: `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`,
    standing: standingView(store, workspace, policies),
    close: () => store.close(),
  };
}

const MEMORY = ":memory:";

type Sealing = { store: Store; key: Uint8Array } & Pick<Deps, "sealer" | "seals">;

function inMemory(): Sealing {
  const key = randomBytes(32);
  return { store: memoryStore(), key, sealer: aesSealer(key) };
}

async function onDisk(
  settings: Settings,
  db: string,
  workspace: WorkspaceId,
  onProgress: SqliteOptions["onProgress"],
): Promise<Sealing> {
  prepareStateFolder(settings.stateFolder);
  makeFolder(dirname(db), "set LEEWAY_DB to a file in a folder you may write to");
  const known = existsSync(db);
  const store = sqliteStore(db, onProgress === undefined ? {} : { onProgress });
  if (settings.key === undefined && known) await refuseLostKey(settings.keyFile, db, store, workspace);
  const key = settings.key ?? loadKey(settings.keyFile);
  return {
    store,
    key,
    sealer: aesSealer(key),
    seals: openSeals(settings.stateFolder, db),
  };
}

/** A new key beside an old database would leave everything sealed in it closed for good. */
async function refuseLostKey(keyFile: string, db: string, store: Store, workspace: WorkspaceId): Promise<void> {
  if (existsSync(keyFile)) return;
  const head = await store.read({ ask: "head", workspace });
  // Looked for again: whoever opened the database first made the key before the first entry.
  if (head.index === 0 || existsSync(keyFile)) return;
  await store.close();
  throw new SettingError(
    `${keyFile} is missing, and what ${db} holds is sealed with it`,
    "restore it from a backup or set LEEWAY_KEY; to begin anew, move the database away",
  );
}

function policiesOf(options: OpenOptions, settings: Settings, cwd: string, clock: Clock): PolicyFiles {
  const { home, userPolicy } = settings;
  const { policy = settings.policy } = options;
  if (typeof policy === "object") return inlinePolicyFiles({ version: 1, ...policy }, { cwd, home });
  return policyFiles({
    cwd,
    userPolicy,
    home,
    clock,
    ...(policy === undefined ? {} : { named: resolve(cwd, policy) }),
  });
}

export type GateOpening = OpenOptions & {
  /** The name of whoever asks without having said so; `runtime` when left out. */
  agent?: string;
  /** The program's own say in decisions: `autoApprove`, `denyAll()`, `interactive(…)`, or your own. */
  callback?: PolicyCallback;
  /** The address of a server to ask instead, as whoever `LEEWAY_TOKEN` is; `LEEWAY_URL` when left out, if that is set. */
  server?: string;
};

const OPTION_KEYS = ["policy", "db", "workspace", "cwd", "clock", "mint", "runners", "channels", "env"];
const OPENING_KEYS = [...OPTION_KEYS, "agent", "callback", "server"];

/** How often a gate looks after what only time brings: expiry, lost leases, calls approved later, notices. */
const TICK_MS = 1_000;

/**
 * Opens a gate: the user's database and the policy of this project, unless told otherwise.
 *
 * @example
 * ```ts
 * const gate = await openGate();
 * const writeFile = gate.guard("write_file", (args: { path: string; text: string }) => fs.writeFile(args.path, args.text));
 * await gate.as({ agent: "coder", session: "s1" }, () => writeFile({ path: "src/a.ts", text: "…" }));
 * await gate.close();
 * ```
 */
export async function openGate(opening: GateOpening = {}): Promise<Gate> {
  shaped(opening, OPENING_KEYS);
  const { agent, callback, server, ...options } = opening;
  const asking = { ...(agent === undefined ? {} : { agent }), ...(callback === undefined ? {} : { callback }) };
  const cwd = resolve(options.cwd ?? process.cwd());
  const asked = gateOptions({ cwd, ...asking }, (options.clock ?? systemClock).nowMs());
  const meant = settled(() => serverMeant(options.env ?? process.env, server));
  if (meant !== undefined) return clientOf(opening, meant, asked);
  const deps = await opened(options);
  const warn = warnOnce();
  // A store that cannot be used just now, or that refuses to decide, is told with each call; the gate opens all the same.
  if (options.db !== MEMORY) await warnOfNobody(deps, callback).catch(warn);
  const stop = startTicking(deps, { everyMs: TICK_MS, onError: warn });
  const close = async () => {
    await stop();
    // Whatever happened since the last checkpoint gets one of its own; without one it only waits for the next.
    await sealWhenDue(deps, 1).then((sealed) => (sealed?.ok === false ? warn(sealed.reason) : undefined), warn);
    await deps.close();
  };
  let closing: Promise<void> | undefined;
  return createGate(deps, {
    ...asked,
    close: () => {
      closing ??= close();
      return closing;
    },
  });
}

/** Whoever runs a program finds out now, and not by its first refused call. In memory nobody can be there yet. */
async function warnOfNobody({ standing }: Deps, callback: GateOpening["callback"]): Promise<void> {
  const { people } = (await standing.current()).rows;
  const isSomebody = people.some((person) => person.state === "active" && !person.auditor);
  if (isSomebody || callback?.supportsInteraction === false) return;
  process.emitWarning(
    "nobody is set up who could answer, so a call that has to be asked about cannot run; " +
      "run `leeway init`, or add somebody with gate.people.add({ name })",
    { code: "LEEWAY_NO_REVIEWER" },
  );
}

const WARNINGS_MAX = 20;

/** What fails in the background is tried again each second; the program hears of each kind of failure once. */
function warnOnce(): (error: unknown) => void {
  const said = new Set<string>();
  return (error) => {
    const text = error instanceof Error ? error.message : String(error);
    if (said.has(text) || said.size === WARNINGS_MAX) return;
    said.add(text);
    process.emitWarning(`leeway could not look after what is due: ${text}`, { code: "LEEWAY_TICK" });
  };
}

/** What is decided with, kept and run by the gate is the server's own: whoever gives it means another gate. */
const EMBEDDED_ONLY = ["policy", "db", "workspace", "clock", "mint", "runners", "channels", "callback"] as const;

function clientOf(opening: GateOpening, meant: ServerMeant, { agent, cwd }: Pick<GateOptions, "agent" | "cwd">): Gate {
  for (const key of EMBEDDED_ONLY) {
    if (opening[key] === undefined) continue;
    throw badInput(key, `the server at ${meant.url} has its own`, "leave it out, or name no server");
  }
  return createClient({ ...meant, ...(agent === undefined ? {} : { agent }), ...(cwd === undefined ? {} : { cwd }) });
}

/** A setting that cannot be used is a refusal like any other to a program. */
function settled<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw refusedSetting(error);
  }
}

async function opened(options: OpenOptions): ReturnType<typeof openDeps> {
  try {
    const deps = await openDeps(options);
    refuseBrokenPolicy(deps.policies);
    return deps;
  } catch (error) {
    throw refusedSetting(error);
  }
}

function refusedSetting(error: unknown): unknown {
  if (!(error instanceof SettingError)) return error;
  const { message, hint } = error;
  const reason = message.replace(`; ${hint}`, "");
  return new LeewayRefusal({ code: "LEEWAY_BAD_INPUT", reason, hint }, { cause: error });
}

/** A named policy that does not load would deny every call; the program had better hear of it now. */
function refuseBrokenPolicy(policies: PolicyFiles): void {
  const { named, files } = policies.current();
  for (const { loaded } of named ? files : []) if (!loaded.ok) throw invalidPolicy(loaded.faults);
}

/** What the server's settings name to carry calls out with; what none of them can be made of is told with its place. */
export function runnersOf({ runners }: ServerSettings): readonly Runner[] {
  const faults: Fault[] = [];
  const made = runners.flatMap((settings) => {
    try {
      return [runnerOf(settings)];
    } catch (error) {
      faults.push({ ...settings.at, message: error instanceof Error ? error.message : String(error) });
      return [];
    }
  });
  if (faults.length > 0) throw faultyFile(faults);
  return made;
}

function runnerOf({ tool, ...settings }: RunnerSettings): Runner {
  if (settings.by === "command") return commandRunner(tool, settings);
  const { url, secret, idempotent, nearby } = settings;
  return httpRunner(tool, { url, secret, idempotent, ...(nearby ? { nearby } : {}) });
}

export { backupDatabase, restoreDatabase } from "./store/sqlite/index.ts";
