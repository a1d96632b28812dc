import { chmodSync, existsSync, lstatSync, mkdirSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { FIRST_WORKSPACE, isWorkspaceName, type WorkspaceId } from "../core/ids.ts";
import { databaseAt } from "./database-place.ts";
import { SettingError } from "./setting-error.ts";

/** All settings from the environment, read once. */
export type Settings = {
  stateFolder: string;
  /** A file, or an address of PostgreSQL. */
  db: string;
  keyFile: string;
  /** The key itself, if `LEEWAY_KEY` contains it. */
  key?: Uint8Array;
  /** A policy named by `LEEWAY_POLICY`. */
  policy?: string;
  /** The path of the user's own policy, whether or not it exists. */
  userPolicy: string;
  workspace: WorkspaceId;
  home: string;
};

export { SettingError };

/** The error code of the operating system, or else the message. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

export type Variables = { readonly [name: string]: string | undefined };

/** The user's home folder. An empty HOME counts as not set, as every other variable does. */
export function homeFolder(): string {
  try {
    return homedir() || userInfo().homedir;
  } catch (error) {
    throw new SettingError(`this account has no home folder (${codeOf(error)})`, "set HOME to a folder of your own");
  }
}

export function readSettings(variables: Variables = process.env, home: string = homeFolder()): Settings {
  // A relative path would be in the working folder, where agents can write, and would give them the database.
  if (!isAbsolute(home)) throw new SettingError(`HOME is not an absolute path: \`${home}\``, "start it with a slash");
  const stateFolder = join(folder(variables, "XDG_STATE_HOME", join(home, ".local", "state")), "leeway");
  const key = given(variables, "LEEWAY_KEY");
  const policy = given(variables, "LEEWAY_POLICY");
  const db = given(variables, "LEEWAY_DB");
  return {
    stateFolder,
    db: db === undefined ? join(stateFolder, "leeway.db") : databaseAt(db),
    keyFile: join(stateFolder, "leeway.key"),
    ...(key === undefined ? {} : { key: keyOf(key) }),
    ...(policy === undefined ? {} : { policy: resolve(policy) }),
    userPolicy: join(folder(variables, "XDG_CONFIG_HOME", join(home, ".config")), "leeway", "leeway.yaml"),
    workspace: workspaceOf(given(variables, "LEEWAY_WORKSPACE") ?? FIRST_WORKSPACE),
    home,
  };
}

/**
 * Creates the state folder, accessible to its owner only. A folder that others can enter is not used, because it
 * contains the keys.
 */
export function prepareStateFolder(path: string): void {
  makeFolder(path, "set XDG_STATE_HOME to a folder you may write to");
  const found = lstatSync(path);
  if (!found.isDirectory()) throw new SettingError(`${path} is not a folder`, "move it away or set XDG_STATE_HOME");
  if (process.getuid !== undefined && found.uid !== process.getuid()) {
    throw new SettingError(`${path} belongs to somebody else`, "set XDG_STATE_HOME to a folder of your own");
  }
  // An older umask may have left the folder open. Others could not read the files in it, so closing it is enough.
  if ((found.mode & 0o077) !== 0) closeToOthers(path);
}

function closeToOthers(path: string): void {
  try {
    chmodSync(path, 0o700);
  } catch (error) {
    throw new SettingError(`${path} is open to others (${codeOf(error)})`, `close it: chmod 700 ${path}`);
  }
}

/** Creates a folder and its parents, accessible to their owner only. `hint` says how to name another folder. */
export function makeFolder(path: string, hint: string): void {
  try {
    makeFolders(path);
  } catch (error) {
    throw new SettingError(`${path} cannot be created (${codeOf(error)})`, hint);
  }
}

/** Created one by one: with `recursive`, Node tries forever if one of them can never be created (below /proc). */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** XDG folders must be absolute. The standard says to ignore others, but that would hide a mistake. */
function folder(variables: Variables, name: string, otherwise: string): string {
  const value = given(variables, name);
  if (value === undefined) return otherwise;
  if (!isAbsolute(value))
    throw new SettingError(`${name} is not an absolute path: \`${value}\``, "start it with a slash");
  return value;
}

function given(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return value === undefined || value === "" ? undefined : value;
}

function workspaceOf(name: string): WorkspaceId {
  if (isWorkspaceName(name)) return name;
  throw new SettingError(`LEEWAY_WORKSPACE is not a name: \`${name}\``, "use letters, digits, `.`, `_` and `-`");
}

function keyOf(text: string): Uint8Array {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  const bytes = Buffer.from(text, "base64");
  if (bytes.length === 32 && /^[A-Za-z0-9+/]{43}=$/.test(text)) return bytes;
  throw new SettingError("LEEWAY_KEY is not a key", "give 32 bytes as 64 hex digits or as base64");
}
