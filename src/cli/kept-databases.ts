import { statSync } from "node:fs";
import { isServerAddress } from "../config/database-place.ts";
import { homeFolder, readSettings, type Settings, type Variables } from "../config/environment.ts";
import type { Observers } from "../observer-port.ts";
import { type Gates, openGates } from "../open.ts";
import type { OpenedGate } from "./gate/database.ts";

/**
 * Databases that stay open between calls that come soon after each other: opening and closing a database syncs the disk four
 * times. Nothing else is kept. Policy files, pauses, grants and people are read for each call, as if the gate were new.
 */
export type KeptDatabases = {
  /** A gate for agents that work in `cwd`, with the variables of their hook. */
  use<T>(by: { env: Variables; cwd: string }, act: (deps: OpenedGate) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** Long enough for the next call of a busy agent. Whoever restores or moves the database has to wait no longer than this. */
const KEPT_MS = 3_000;

/** `files`: those that the settings lead to; undefined until the first call has made them. */
type Kept = { gates: Gates; users: number; files: string | undefined; closing: NodeJS.Timeout | undefined };

/** `closed`: called after a database was closed. */
export function keptDatabases(observers: Observers, closed: () => void): KeptDatabases {
  const kept: AllKept = { at: new Map(), closed };
  const opened = async (env: Variables, settings: Settings): Promise<Kept> => {
    const files = filesOf(settings);
    return { gates: await openGates({ env }, { observers }), users: 0, files, closing: undefined };
  };
  return {
    use: async ({ env, cwd }, act) => {
      const settings = readSettings(env, env["HOME"] || homeFolder());
      const one = keptFor(kept, settings) ?? (await opened(env, settings));
      one.users++;
      clearTimeout(one.closing);
      try {
        return await act(one.gates.open({ env, cwd }, { observers }));
      } finally {
        one.users--;
        if (one.users === 0) await rest(kept, settings, one);
      }
    },
    close: async () => {
      for (const [name, one] of [...kept.at]) await drop(kept, name, one);
    },
  };
}

type AllKept = { at: Map<string, Kept>; closed: () => void };

/** A database or a key that was put in place of another one is opened anew. */
function keptFor(kept: AllKept, settings: Settings): Kept | undefined {
  const one = kept.at.get(nameOf(settings));
  return one?.files === filesOf(settings) ? one : undefined;
}

async function rest(kept: AllKept, settings: Settings, one: Kept): Promise<void> {
  const name = nameOf(settings);
  const files = filesOf(settings);
  const other = kept.at.get(name);
  const isSecond = other !== undefined && other !== one && other.files === files;
  const isReplaced = one.files !== undefined && one.files !== files;
  if (isSecond || isReplaced || files === undefined) return drop(kept, name, one);
  one.files = files;
  kept.at.set(name, one);
  // What was recorded is on disk; only the file could not be closed.
  one.closing = setTimeout(() => drop(kept, name, one).catch((error) => process.emitWarning(error)), KEPT_MS);
  // The one from before the files were replaced; if a call still uses it, that call closes it.
  if (other !== undefined && other !== one && other.users === 0) await drop(kept, name, other);
}

async function drop(kept: AllKept, name: string, one: Kept): Promise<void> {
  clearTimeout(one.closing);
  if (kept.at.get(name) === one) kept.at.delete(name);
  await one.gates.close();
  kept.closed();
}

function nameOf(settings: Settings): string {
  return JSON.stringify(settings);
}

/** Undefined if one of them is not there. */
function filesOf({ keyFile, key, db }: Settings): string | undefined {
  const paths = [...(key === undefined ? [keyFile] : []), ...(isServerAddress(db) ? [] : [db])];
  const found = paths.map((path) => statSync(path, { throwIfNoEntry: false }));
  return found.includes(undefined) ? undefined : found.map((one) => `${one?.dev} ${one?.ino}`).join();
}
