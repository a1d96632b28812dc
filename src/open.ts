import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";
import type { Rehearsals } from "./box-port.ts";
import { databaseAt, isServerAddress, shownDatabase } from "./config/database-place.ts";
import {
  homeFolder,
  makeFolder,
  prepareStateFolder,
  readSettings,
  SettingError,
  type Settings,
  type Variables,
} from "./config/environment.ts";
import { loadKey } from "./config/key-file.ts";
import { keyedHashing } from "./config/paths/file-facts.ts";
import { pathFacts } from "./config/paths/path-facts.ts";
import { MANAGED_PLACE } from "./config/policy/managed-policy.ts";
import { inlinePolicyFiles, policyFiles } from "./config/policy/policy-files.ts";
import { openServerLogins } from "./config/server-logins.ts";
import { type AskPlace, openSeals } from "./config/signer.ts";
import { hasFolder, workspacePolicy } from "./config/workspace-folders.ts";
import type { Mint, WorkspaceId } from "./core/ids.ts";
import { remembering } from "./gate/calls/own-calls.ts";
import type { Deps } from "./gate/deps.ts";
import { guardedStore, markedStore } from "./gate/record/guarded-store.ts";
import { notingWrites } from "./gate/record/last-write.ts";
import { adoptStanding } from "./gate/standing/adopt-standing.ts";
import { standingView } from "./gate/standing/standing.ts";
import { gateClock } from "./gate/time/clock.ts";
import type { PolicyLayer } from "./library/layer.ts";
import type { Observers } from "./observer-port.ts";
import type { Channel, Clock, PolicyFiles, Runner, Sealer, Store } from "./ports.ts";
import { memoryStore } from "./store/memory.ts";
import { observedStore } from "./store/observed.ts";
import { type SqliteOptions, sqliteStore } from "./store/sqlite/index.ts";
import { aesSealer, systemClock, systemMint } from "./system.ts";

/** For a database of another program, which is only read; and for processes that go on after they closed a database. */
export { openDatabase, releaseClosed } from "./store/sqlite/file/driver.ts";

// Only what every door needs to decide a call, because a command is started for each call.

/** Settings that are left out are the user's own. */
export type OpenOptions = {
  /** A file, or the policy itself. Either counts as accepted, and is then the only one. */
  policy?: string | PolicyLayer;
  /** A file, an address of PostgreSQL, or `:memory:` for a gate that keeps nothing after it is closed. */
  db?: string;
  workspace?: WorkspaceId;
  /** The folder in which the agents work, where the project's policy is searched; by default the current one. */
  cwd?: string;
  clock?: Clock;
  mint?: Mint;
  /** Runners of the gate besides the functions given to `guard`; each by its tool's name. */
  runners?: readonly Runner[];
  channels?: readonly Channel[];
  /** The environment variables; by default those of the process. */
  env?: Variables;
};

/**
 * Everything the verbs need, from the state folder, the files and the environment. `unguarded` is for the two commands
 * that repair a database which went back: no other door gets it.
 */
export async function openDeps(
  options: OpenOptions = {},
  how: Opened & { unguarded?: true; onProgress?: (done: number, of: number) => void } = {},
): Promise<OpenDeps> {
  return depsOn(await openBase(options, how), options, how);
}

/** `observers`: are told what the gate does. */
type Opened = { observers?: Observers };

/** Several gates on one database, one for each workspace. */
export type Gates = {
  settings: Settings;
  /** Closing a gate leaves the database open. */
  open(options: OpenOptions, how?: Opened): OpenDeps;
  close(): Promise<void>;
};

/** `observers`: are told about the transactions of all gates. */
export async function openGates(
  shared: Pick<OpenOptions, "db" | "workspace" | "env">,
  how: Opened = {},
): Promise<Gates> {
  const base = await openBase(shared, how);
  const { settings, store } = base;
  const held = { ...base, store: { ...store, close: async () => undefined } };
  return { settings, open: (options, own = {}) => depsOn(held, options, own), close: () => store.close() };
}

type OpenDeps = Deps & { close(): Promise<void> };

/** What all gates of a process share: the database and the keys. */
type Base = Sealing & { env: Variables; settings: Settings; db: string; workspace: WorkspaceId };

async function openBase(options: OpenOptions, how: StoreOptions): Promise<Base> {
  const env = options.env ?? process.env;
  const settings = readSettings(env, env["HOME"] || homeFolder());
  const workspace = options.workspace ?? settings.workspace;
  const db = options.db === undefined || options.db === MEMORY ? (options.db ?? settings.db) : databaseAt(options.db);
  const opened = db === MEMORY ? inMemory() : await durable(settings, db, workspace, how);
  return { ...opened, env, settings, db, workspace };
}

function depsOn(base: Base, options: OpenOptions, how: Opened & { unguarded?: true }): OpenDeps {
  const { settings, db, store: bare, key, sealer, seals } = base;
  const env = options.env ?? base.env;
  const { observers } = how;
  const found = observers === undefined ? bare : observedStore(bare, observers);
  const workspace = options.workspace ?? base.workspace;
  const cwd = resolve(options.cwd ?? process.cwd());
  const clock = options.clock ?? systemClock;
  const sealing = { sealer, ...(seals === undefined ? {} : { seals }) };
  const parts = { ...sealing, clock: gateClock(clock), mint: options.mint ?? systemMint() };
  const adopt = (one: WorkspaceId) => adoptStanding({ ...parts, store: found, workspace: one });
  const others = base.anew === undefined ? {} : { pauseOthers: pausingOthers(base.anew, parts) };
  const store = notingWrites(guardedStore({ ...parts, ...others, store: found, adopt }, how));
  const policies = policiesOf({ ...options, workspace }, settings, cwd, clock);
  return {
    workspace,
    store,
    ...parts,
    policies,
    paths: pathFacts(
      settings.home,
      [settings.stateFolder, dirname(MANAGED_PLACE.path), ...(db === MEMORY || isServerAddress(db) ? [] : [db])],
      env,
      keyedHashing(key),
    ),
    runners: new Map((options.runners ?? []).map((runner) => [runner.name, runner])),
    declared: new Map(),
    channels: new Map((options.channels ?? []).map((channel) => [channel.name, channel])),
    owner: `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`,
    standing: standingView(store, workspace, policies),
    remembered: remembering(),
    ...(observers === undefined ? {} : { observers }),
    ...(db === MEMORY
      ? {}
      : {
          rehearsals: keptRehearsals(settings.stateFolder, parts.clock),
          logins: openServerLogins(settings.stateFolder, sealing.sealer),
        }),
    close: () => store.close(),
  };
}

/** With a connection of its own: the one that noticed that entries are missing refuses everything. */
function pausingOthers(anew: () => Store, parts: Pick<Deps, "sealer" | "clock" | "mint">) {
  return async (workspace: WorkspaceId, lastMs: number) => {
    const { pauseForLost } = await import("./gate/record/lost-entries.ts");
    const store = markedStore({ store: anew(), sealer: parts.sealer });
    try {
      await pauseForLost({ ...parts, store, machine: hostname() }, workspace, lastMs);
    } finally {
      await store.close();
    }
  };
}

/** Loaded on first use, because few commands look at what was rehearsed. */
function keptRehearsals(stateFolder: string, clock: Clock): Rehearsals {
  let opened: Promise<Rehearsals> | undefined;
  const at = () => {
    opened ??= import("./box/rehearsal/rehearsals.ts").then(({ openRehearsals }) =>
      openRehearsals(stateFolder, () => clock.nowMs()),
    );
    return opened;
  };
  return {
    read: async (name) => (await at()).read(name),
    bytes: async (...asked) => (await at()).bytes(...asked),
    moved: async (name) => (await at()).moved(name),
    applied: async (name) => (await at()).applied(name),
    made: async (...asked) => (await at()).made(...asked),
    repositories: async (...asked) => (await at()).repositories(...asked),
    apply: async (name) => (await at()).apply(name),
    undo: async (name) => (await at()).undo(name),
    drop: async (name) => (await at()).drop(name),
    keep: async (...asked) => (await at()).keep(...asked),
    canKeep: async (...asked) => (await at()).canKeep(...asked),
    noteWritten: async (name) => (await at()).noteWritten(name),
    forget: async (name) => (await at()).forget(name),
    recover: async (project) => (await at()).recover(project),
    interrupted: async () => (await at()).interrupted(),
    tidy: async () => (await at()).tidy(),
  };
}

/** A gate that keeps nothing after it is closed. */
export const MEMORY = ":memory:";

/** `anew`: another connection to a database that other machines may use too. */
type Sealing = { store: Store; key: Uint8Array; anew?: () => Store } & Pick<Deps, "sealer" | "seals">;

function inMemory(): Sealing {
  const key = randomBytes(32);
  return { store: memoryStore(), key, sealer: aesSealer(key) };
}

async function durable(settings: Settings, db: string, workspace: WorkspaceId, how: StoreOptions): Promise<Sealing> {
  prepareStateFolder(settings.stateFolder);
  const open = isServerAddress(db) ? await postgresAt(db, how) : sqliteAt(db, how);
  if (settings.key === undefined && open.mayExist()) await refuseLostKey(settings.keyFile, db, workspace, open.store);
  const key = settings.key ?? loadKey(settings.keyFile);
  const sealer = aesSealer(key);
  const store = open.store({ sealer });
  const anew = isServerAddress(db) ? { anew: () => open.store({ sealer }) } : {};
  return { store, key, sealer, ...anew, seals: openSeals(settings.stateFolder, db, store.place) };
}

/** `mayExist`: false if it is certain that there is no database yet. */
type Opening = { mayExist(): boolean; store(options: { sealer?: Sealer }): Store & { place?: AskPlace } };

type StoreOptions = Pick<SqliteOptions, "onProgress" | "observers">;

function sqliteAt(db: string, { onProgress, observers }: StoreOptions): Opening {
  makeFolder(dirname(db), "set LEEWAY_DB to a file in a folder you may write to");
  const more = {
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(observers === undefined ? {} : { observers }),
  };
  return { mayExist: () => existsSync(db), store: (options) => sqliteStore(db, { ...options, ...more }) };
}

/** Loaded only where it is used, because a command is started for each call. */
async function postgresAt(db: string, { observers }: StoreOptions): Promise<Opening> {
  const { postgresStore } = await import("./store/postgres/index.ts");
  const more = observers === undefined ? {} : { observers };
  return { mayExist: () => true, store: (options) => postgresStore(db, { ...options, ...more }) };
}

/** With a new key beside an old database, nothing sealed in it could ever be opened. */
async function refuseLostKey(
  keyFile: string,
  db: string,
  workspace: WorkspaceId,
  open: Opening["store"],
): Promise<void> {
  if (existsSync(keyFile)) return;
  const store = open({});
  const head = await store.read({ ask: "head", workspace });
  await store.close();
  // Read again: the process that opened the database first created the key before the first entry.
  if (head.index === 0 || existsSync(keyFile)) return;
  throw new SettingError(
    `${keyFile} is missing, and what ${shownDatabase(db)} holds is sealed with it`,
    isServerAddress(db)
      ? "copy it from a machine that uses this database, restore it from a backup, or set LEEWAY_KEY"
      : "restore it from a backup or set LEEWAY_KEY; to start again, move the database away",
  );
}

function policiesOf(
  options: OpenOptions & { workspace: WorkspaceId },
  settings: Settings,
  cwd: string,
  clock: Clock,
): PolicyFiles {
  const { home, userPolicy } = settings;
  const { policy = settings.policy ?? ownPolicy(settings, options.workspace) } = options;
  const managed = MANAGED_PLACE;
  if (typeof policy === "object") return inlinePolicyFiles({ version: 1, ...policy }, { cwd, home, managed });
  return policyFiles({
    cwd,
    managed,
    userPolicy,
    home,
    clock,
    ...(policy === undefined ? {} : { named: resolve(cwd, policy) }),
  });
}

/** The policy in the folder of the workspace, if it has one. */
function ownPolicy({ stateFolder }: Settings, workspace: WorkspaceId): string | undefined {
  return hasFolder(stateFolder, workspace) ? workspacePolicy(stateFolder, workspace) : undefined;
}
