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
import { keyedHashing } from "./config/file-facts.ts";
import { loadKey } from "./config/key-file.ts";
import { pathFacts } from "./config/path-facts.ts";
import { inlinePolicyFiles, policyFiles } from "./config/policy-files.ts";
import { openSeals } from "./config/signer.ts";
import type { Mint, WorkspaceId } from "./core/ids.ts";
import { remembering } from "./gate/calls/recent-calls.ts";
import type { Deps } from "./gate/deps.ts";
import { closable, guardedStore } from "./gate/record/guarded-store.ts";
import { adoptStanding } from "./gate/standing/adopt-standing.ts";
import { markedStore } from "./gate/standing/marked-store.ts";
import { standingView } from "./gate/standing/standing.ts";
import { gateClock } from "./gate/time/clock.ts";
import type { PolicyLayer } from "./library/layer.ts";
import type { Channel, Clock, PolicyFiles, Runner, Store } from "./ports.ts";
import { memoryStore } from "./store/memory.ts";
import { type SqliteOptions, sqliteStore } from "./store/sqlite/index.ts";
import { aesSealer, systemClock, systemMint } from "./system.ts";

// What every door needs to decide a call, and no more: a command of the shell is started for each.

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
    remembered: remembering(),
    close: () => store.close(),
  };
}

/** A gate that forgets everything when it is closed. */
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

/** A new key beside an old database would leave everything sealed in it closed for good. */
async function refuseLostKey(keyFile: string, db: string, workspace: WorkspaceId): Promise<void> {
  if (existsSync(keyFile)) return;
  const store = sqliteStore(db);
  const head = await store.read({ ask: "head", workspace });
  await store.close();
  // Looked for again: whoever opened the database first made the key before the first entry.
  if (head.index === 0 || existsSync(keyFile)) return;
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
