import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { chmodSync, existsSync, linkSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ExecutionId, WorkspaceId } from "../core/ids.ts";
import type { Sealed } from "../core/secret.ts";
import { sha256Hex } from "../core/values/hash.ts";
import { once } from "../core/values/once.ts";
import type { SeenEntry } from "../ports.ts";
import type { Seals, Signer } from "../seals-port.ts";
import { isServerAddress, shownDatabase } from "./database-place.ts";
import { noteAt, reading, replaceDurably, syncFolder, writeDurably } from "./durable-file.ts";
import { codeOf, makeFolder, SettingError } from "./environment.ts";

// The key that signs checkpoints, and the folder that keeps them: next to the database, never inside it.

const KEY_FILE = "leeway.sign";
const FOLDER = "checkpoints";
const DATABASE = "leeway.db";
/** Next to the workspace's folder; the name of a workspace never contains a plus. */
const ADMINS = "+admins.sealed";
/** One small file for each execution that was claimed; the name of a workspace never contains a plus. */
const USED = "+used";
/** An entry that the database has lost; the name of a workspace never contains a plus. */
const LOST = "+lost";
/** The latest time that was seen; the name of a workspace never contains a plus. */
const TIME = "+time";
/** The name of a workspace never begins with this. */
const APART = "@";
const NOTE = /^\d{16}\.note$/;

/**
 * Opens the key of the state folder, creating it on first use, and the folder of checkpoints. Another database with
 * the same state folder is another ledger; its checkpoints are in a separate folder whose name cannot be a workspace.
 * `place`: which database it is that answers at an address.
 */
export function openSeals(stateFolder: string, db: string = join(stateFolder, DATABASE), place?: AskPlace): Seals {
  const signer = openSigner(stateFolder);
  const base = join(stateFolder, FOLDER);
  const { ownFolder, notePlace } = placed({ stateFolder, db, ...(place === undefined ? {} : { place }) });
  const folderOf = async (workspace: WorkspaceId) => join(await ownFolder(), encodeURIComponent(workspace));
  const keep = async (workspace: WorkspaceId, size: number, note: string) => {
    const folder = await folderOf(workspace);
    makeFolder(folder, "make its folder writable for you");
    replaceDurably(join(folder, fileOf(size)), note);
    thin(folder);
    await notePlace();
  };
  return {
    signer,
    keep,
    kept: async (workspace) => {
      const folder = await folderOf(workspace);
      return names(folder).map((name) => noteAt(join(folder, name)));
    },
    newest: async (workspace) => newestIn(await folderOf(workspace)),
    elsewhere: async (workspace) => {
      const own = await ownFolder();
      const folders = [base, ...foldersApart(base)].filter((folder) => folder !== own);
      return folders.flatMap((folder) => newestIn(join(folder, encodeURIComponent(workspace))) ?? []);
    },
    beginAnew: async (workspace, size, note, name) => {
      const folder = await folderOf(workspace);
      const before = names(folder);
      // Copied before anything is removed, and the newest is removed last, so that an interruption leaves the old
      // state.
      makeFolder(join(folder, name), "make its folder writable for you");
      for (const one of before) replaceDurably(join(folder, name, one), noteAt(join(folder, one)));
      await keep(workspace, size, note);
      for (const one of before) if (one !== fileOf(size)) rmSync(join(folder, one), { force: true });
      rmSync(`${folder}${LOST}`, { force: true });
      syncFolder(folder);
    },
    latestMs: async (nowMs) => latestIn(await ownFolder(), nowMs),
    keepAdmins: async (workspace, sealed) => {
      makeFolder(await ownFolder(), "make its folder writable for you");
      replaceDurably(`${await folderOf(workspace)}${ADMINS}`, sealed);
    },
    admins: async (workspace) => {
      const path = `${await folderOf(workspace)}${ADMINS}`;
      return existsSync(path) ? (noteAt(path) as Sealed) : undefined;
    },
    ...lostIn(async (workspace) => `${await folderOf(workspace)}${LOST}`),
    ...usesIn(async (workspace) => `${await folderOf(workspace)}${USED}`),
  };
}

/**
 * Which database answers at an address of PostgreSQL: the same text for another name of the same machine, another port, and a
 * standby that took over; another text for a copy. Undefined if PostgreSQL does not say it.
 */
export type AskPlace = () => Promise<string | undefined>;

/** Says in a folder of checkpoints which database they are of. It is not copied with them. */
const PLACE = `${APART}place`;

/**
 * The folder of checkpoints of a database. The one that is named after the address counts, if it exists: whatever answers there must
 * be what was signed there. Otherwise the one of the same database under another address, if there is one.
 */
function placed({ stateFolder, db, place }: SealsPlace) {
  const named = () => sealsFolder(stateFolder, db);
  if (place === undefined) return { ownFolder: async () => named(), notePlace: async () => undefined };
  const sayPlace = untilAnswered(place);
  const ownFolder = untilAnswered(async () => {
    const is = isFolder(named()) ? undefined : await sayPlace();
    const known = is === undefined ? [] : foldersApart(join(stateFolder, FOLDER)).filter((one) => placeIn(one) === is);
    return known[0] ?? named();
  });
  /** Written again if the same address leads to another database, as after a restore into another server. */
  const notePlace = async () => {
    const [folder, is] = [await ownFolder(), await sayPlace().catch(() => undefined)];
    if (is !== undefined && placeIn(folder) !== is) replaceDurably(join(folder, PLACE), is);
  };
  return { ownFolder, notePlace };
}

/** Asks once; after a failure, the next time again. */
function untilAnswered<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask().catch((error) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

function placeIn(folder: string): string | undefined {
  const path = join(folder, PLACE);
  return existsSync(path) ? noteAt(path) : undefined;
}

/** The folder with the checkpoints of a database, by its path or address. */
export function sealsFolder(stateFolder: string, db: string): string {
  const base = join(stateFolder, FOLDER);
  const path = isServerAddress(db) ? shownDatabase(db) : realPath(db);
  return path === realPath(join(stateFolder, DATABASE)) ? base : join(base, `${APART}${sha256Hex(path).slice(0, 16)}`);
}

/** A state folder, and a database whose checkpoints are in it. */
export type SealsPlace = { stateFolder: string; db: string; place?: AskPlace };

/**
 * The same checkpoints for a copy of a database. Refuses if there are checkpoints of another ledger, because they prove
 * what was in that database before.
 */
export async function copySeals(from: SealsPlace, to: SealsPlace): Promise<void> {
  const [source, target] = [await placed(from).ownFolder(), sealsFolder(to.stateFolder, to.db)];
  if (!isFolder(source)) return;
  for (const workspace of readdirSync(source).filter((name) => !name.startsWith(APART))) {
    const [ours, theirs] = [source, target].map((folder) => originIn(join(folder, workspace)));
    if (ours === undefined || theirs === undefined || ours === theirs) continue;
    throw new SettingError(
      `${join(target, workspace)} has checkpoints of another ledger, which was at ${shownDatabase(to.db)}`,
      "use another database; or, if you know why that one is empty, move that folder away",
    );
  }
  copyFiles(source, target);
}

/** The first line of the newest checkpoint names the ledger. */
function originIn(folder: string): string | undefined {
  return isFolder(folder) ? newestIn(folder)?.split("\n")[0] : undefined;
}

function copyFiles(from: string, to: string): void {
  makeFolder(to, "make its folder writable for you");
  for (const found of readdirSync(from, { withFileTypes: true })) {
    if (found.name.startsWith(APART)) continue;
    const [source, target] = [join(from, found.name), join(to, found.name)];
    if (found.isDirectory()) copyFiles(source, target);
    else replaceDurably(target, noteAt(source));
  }
}

function lostIn(fileFor: (workspace: WorkspaceId) => Promise<string>): Pick<Seals, "keepLost" | "lost"> {
  return {
    keepLost: async (workspace, entry, sinceMs) => {
      const path = await fileFor(workspace);
      if (begunAnewMs(path.slice(0, -LOST.length)) > sinceMs) return;
      makeFolder(dirname(path), "make its folder writable for you");
      replaceDurably(path, JSON.stringify(entry));
    },
    lost: async (workspace) => {
      const path = await fileFor(workspace);
      return existsSync(path) ? (JSON.parse(noteAt(path)) as SeenEntry) : undefined;
    },
  };
}

/** When a person last began anew in this folder of checkpoints; 0 if never. */
function begunAnewMs(folder: string): number {
  const before = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return before.reduce(
    (ms, one) => (one.isDirectory() ? Math.max(ms, statSync(join(folder, one.name)).mtimeMs) : ms),
    0,
  );
}

function usesIn(folderOf: (workspace: WorkspaceId) => Promise<string>): Pick<Seals, "keepUse" | "uses"> {
  return {
    keepUse: async (workspace, id, attempts) => {
      const folder = await folderOf(workspace);
      makeFolder(folder, "make its folder writable for you");
      replaceDurably(join(folder, useFileOf(id)), String(attempts));
      thinUses(folder);
    },
    uses: async (workspace, id) => {
      const path = join(await folderOf(workspace), useFileOf(id));
      return existsSync(path) ? Number(noteAt(path)) : 0;
    },
  };
}

const USES_MAX = 10_000;

/** A permission lasts hours or days: of so many files, the older half is no longer needed. */
function thinUses(folder: string): void {
  const all = readdirSync(folder);
  if (all.length <= USES_MAX) return;
  const aged = all.map((name) => ({ name, ms: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  const old = aged.sort((a, b) => a.ms - b.ms).slice(0, USES_MAX / 2);
  for (const { name } of old) rmSync(join(folder, name), { force: true });
}

/** A row written by somebody else may have any id. */
function useFileOf(id: ExecutionId): string {
  return sha256Hex(id).slice(0, 32);
}

const EVERY_MS = 60_000;

/** Nothing is kept before the first checkpoint: nothing could have expired yet. */
function latestIn(folder: string, nowMs: number): number {
  const path = join(folder, TIME);
  const kept = existsSync(path) ? Number(noteAt(path)) : 0;
  if (isFolder(folder) && nowMs - kept >= EVERY_MS) replaceDurably(path, String(Math.floor(nowMs)));
  return Number.isSafeInteger(kept) ? kept : 0;
}

/** If a file is in the folder's place, reading the checkpoints reports it. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function fileOf(size: number): string {
  return `${String(size).padStart(16, "0")}.note`;
}

function newestIn(folder: string): string | undefined {
  const last = names(folder).at(-1);
  return last === undefined ? undefined : noteAt(join(folder, last));
}

function foldersApart(base: string): string[] {
  if (!isFolder(base)) return [];
  return readdirSync(base)
    .filter((name) => name.startsWith(APART))
    .map((name) => join(base, name));
}

const NOTES_MAX = 512;
const NOTES_NEWEST = 64;

/**
 * The newest checkpoint shows whether the ledger went back, and the ledger lists all of them. So when there are many,
 * every second one of the older ones is deleted.
 */
function thin(folder: string): void {
  const all = names(folder);
  if (all.length <= NOTES_MAX) return;
  for (const [at, name] of all.slice(0, -NOTES_NEWEST).entries()) {
    if (at % 2 === 1) rmSync(join(folder, name), { force: true });
  }
}

export function openSigner(stateFolder: string): Signer {
  const path = join(stateFolder, KEY_FILE);
  const key = readKey(path) ?? makeKey(path);
  const publicKey = once(() => {
    const spki = createPublicKey(key).export({ format: "der", type: "spki" });
    return new Uint8Array(spki.subarray(-32));
  });
  return {
    name: "leeway",
    // Loaded on first use: most commands neither sign nor verify.
    get publicKey() {
      return publicKey();
    },
    sign: (text) => sign(null, Buffer.from(text), key),
  };
}

function readKey(path: string): KeyObject | undefined {
  const stat = reading(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) return undefined;
  // Anyone who can read the key can sign a rewritten ledger.
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o600);
  const key = privateKey(path);
  if (key.asymmetricKeyType === "ed25519") return key;
  throw new SettingError(`${path} is not an Ed25519 key`, "restore it from a backup");
}

function privateKey(path: string): KeyObject {
  const pem = reading(path, () => readFileSync(path));
  try {
    return createPrivateKey(pem);
  } catch {
    // The library's message is about its own internals.
    throw new SettingError(
      `${path} is not a key`,
      "restore it from a backup; without one, move it away: checkpoints so far then count as signed by somebody else",
    );
  }
}

function makeKey(path: string): KeyObject {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" });
  const own = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    writeDurably(own, String(pem));
    linkSync(own, path);
    syncFolder(dirname(path));
  } catch (error) {
    // Another process created it first; its key is used. Nobody ever reads half a key.
    if (codeOf(error) !== "EEXIST")
      throw new SettingError(`${path} cannot be created (${codeOf(error)})`, "make its folder writable for you");
  } finally {
    rmSync(own, { force: true });
  }
  return privateKey(path);
}

/** Foreign files and unfinished ones are not notes. */
function names(folder: string): string[] {
  const found = reading(folder, () =>
    statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder, { withFileTypes: true }),
  );
  return found
    .filter((found) => NOTE.test(found.name) && !found.isDirectory())
    .map((found) => found.name)
    .sort();
}

/** One file has one name here, whichever link leads to it and whether or not it exists yet. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
}
