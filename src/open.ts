import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, resolve } from "node:path";
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
import { openSeals } from "./config/signer.ts";
import type { Mint, WorkspaceId } from "./core/ids.ts";
import { remembering } from "./gate/calls/own-calls.ts";
import type { Deps } from "./gate/deps.ts";
import { guardedStore } from "./gate/record/guarded-store.ts";
import { adoptStanding } from "./gate/standing/adopt-standing.ts";
import { standingView } from "./gate/standing/standing.ts";
import { gateClock } from "./gate/time/clock.ts";
import type { PolicyLayer } from "./library/layer.ts";
import type { Channel, Clock, PolicyFiles, Runner, Store } from "./ports.ts";
import { memoryStore } from "./store/memory.ts";
import { type SqliteOptions, sqliteStore } from "./store/sqlite/index.ts";
import { aesSealer, systemClock, systemMint } from "./system.ts";

/** For a database of another program, which is only read. */
export { openDatabase } from "./store/sqlite/file/driver.ts";

// Only what every door needs to decide a call, because a command is started for each call.

/** Settings that are left out are the user's own. */
export type OpenOptions = {
  /** A file, or the policy itself. Either counts as accepted, and is then the only one. */
  policy?: string | PolicyLayer;
  /** A file, or `:memory:` for a gate that keeps nothing after it is closed. */
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
  const adopt = (one: WorkspaceId) => adoptStanding({ ...parts, store: found, workspace: one });
  const store = guardedStore({ ...parts, store: found, adopt }, how);
  const policies = policiesOf(options, settings, cwd, clock);
  return {
    workspace,
    store,
    ...parts,
    policies,
    paths: pathFacts(
      settings.home,
      [settings.stateFolder, dirname(MANAGED_PLACE.path), ...(db === MEMORY ? [] : [db])],
      env,
      keyedHashing(key),
    ),
    runners: new Map((options.runners ?? []).map((runner) => [runner.name, runner])),
    declared: new Map(),
    channels: new Map((options.channels ?? []).map((channel) => [channel.name, channel])),
    owner: `${hostname()}:${process.pid}:${randomBytes(4).toString("hex")}`,
    standing: standingView(store, workspace, policies),
    remembered: remembering(),
    close: () => store.close(),
  };
}

/** A gate that keeps nothing after it is closed. */
export const MEMORY = ":memory:";

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
  if (settings.key === undefined && existsSync(db)) await refuseLostKey(settings.keyFile, db, workspace);
  const key = settings.key ?? loadKey(settings.keyFile);
  const sealer = aesSealer(key);
  const store = sqliteStore(db, { sealer, ...(onProgress === undefined ? {} : { onProgress }) });
  return { store, key, sealer, seals: openSeals(settings.stateFolder, db) };
}

/** With a new key beside an old database, nothing sealed in it could ever be opened. */
async function refuseLostKey(keyFile: string, db: string, workspace: WorkspaceId): Promise<void> {
  if (existsSync(keyFile)) return;
  const store = sqliteStore(db);
  const head = await store.read({ ask: "head", workspace });
  await store.close();
  // Read again: the process that opened the database first created the key before the first entry.
  if (head.index === 0 || existsSync(keyFile)) return;
  throw new SettingError(
    `${keyFile} is missing, and what ${db} holds is sealed with it`,
    "restore it from a backup or set LEEWAY_KEY; to start again, move the database away",
  );
}

function policiesOf(options: OpenOptions, settings: Settings, cwd: string, clock: Clock): PolicyFiles {
  const { home, userPolicy } = settings;
  const { policy = settings.policy } = options;
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
