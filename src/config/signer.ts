import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { WorkspaceId } from "../core/ids.ts";
import { sha256Hex } from "../core/values/hash.ts";
import type { Seals, Signer } from "../ports.ts";
import { codeOf, makeFolder, SettingError } from "./environment.ts";

// The key that signs checkpoints, and the folder that keeps them: both beside the database, never inside it.

const KEY_FILE = "leeway.sign";
const FOLDER = "checkpoints";
const DATABASE = "leeway.db";
const NOTE = /^\d{16}\.note$/;

/**
 * Opens the state folder's key, making one at first use, and the folder of checkpoints. Another database under the same
 * state folder is another ledger, and its checkpoints lie apart, in a folder that no workspace's name can be.
 */
export function openSeals(stateFolder: string, db: string = join(stateFolder, DATABASE)): Seals {
  const signer = openSigner(stateFolder);
  const folderOf = (workspace: WorkspaceId) => {
    const path = realPath(db);
    const apart = path === realPath(join(stateFolder, DATABASE)) ? [] : [`@${sha256Hex(path).slice(0, 16)}`];
    return join(stateFolder, FOLDER, ...apart, encodeURIComponent(workspace));
  };
  return {
    signer,
    keep: async (workspace, size, note) => {
      makeFolder(folderOf(workspace), "make its folder writable for you");
      replaceDurably(join(folderOf(workspace), `${String(size).padStart(16, "0")}.note`), note);
    },
    kept: async (workspace) => {
      const folder = folderOf(workspace);
      return names(folder).map((name) => noteAt(join(folder, name)));
    },
    newest: async (workspace) => {
      const folder = folderOf(workspace);
      const last = names(folder).at(-1);
      return last === undefined ? undefined : noteAt(join(folder, last));
    },
  };
}

export function openSigner(stateFolder: string): Signer {
  const path = join(stateFolder, KEY_FILE);
  const key = readKey(path) ?? makeKey(path);
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return {
    name: "leeway",
    publicKey: new Uint8Array(spki.subarray(-32)),
    sign: (text) => sign(null, Buffer.from(text), key),
  };
}

function readKey(path: string): KeyObject | undefined {
  const stat = reading(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) return undefined;
  // Whoever reads the key can sign a rewritten ledger.
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
    // What the library says of it are words about its own insides.
    throw new SettingError(
      `${path} is not a key`,
      "restore it from a backup; without one, move it away: checkpoints so far then count as signed by somebody else",
    );
  }
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new SettingError(
      `${path} cannot be read (${codeOf(error)})`,
      "make it what `leeway backup` copied, or move it away",
    );
  }
}

function makeKey(path: string): KeyObject {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" });
  try {
    writeDurably(path, String(pem));
  } catch (error) {
    // Another process made it first; its key is the one.
    if (codeOf(error) !== "EEXIST")
      throw new SettingError(`${path} cannot be made (${codeOf(error)})`, "make its folder writable for you");
  }
  return privateKey(path);
}

/** Whole or not at all: a full disk leaves no half of a note, and who reads meanwhile sees none. */
function replaceDurably(path: string, text: string): void {
  const own = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    writeDurably(own, text);
    renameSync(own, path);
  } finally {
    rmSync(own, { force: true });
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function noteAt(path: string): string {
  return reading(path, () => readFileSync(path, "utf8"));
}

/** What others leave in a folder, and what was not finished, are no notes. */
function names(folder: string): string[] {
  const found = reading(folder, () =>
    statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder, { withFileTypes: true }),
  );
  return found
    .filter((found) => NOTE.test(found.name) && !found.isDirectory())
    .map((found) => found.name)
    .sort();
}

/** One file has one name here, by whatever link it is reached and whether or not it is there yet. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return join(existsSync(folder) ? realpathSync(folder) : folder, basename(path));
}
