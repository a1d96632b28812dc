import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { WorkspaceId } from "../core/ids.ts";
import type { Seals, Signer } from "../ports.ts";

// The key that signs checkpoints, and the folder that keeps them: both beside the database, never inside it.

const KEY_FILE = "leeway.sign";
const FOLDER = "checkpoints";

/** Opens the state folder's key, making one at first use, and its folder of checkpoints. */
export function openSeals(stateFolder: string): Seals {
  const signer = openSigner(stateFolder);
  const folderOf = (workspace: WorkspaceId) => join(stateFolder, FOLDER, encodeURIComponent(workspace));
  return {
    signer,
    keep: async (workspace, size, note) => {
      mkdirSync(folderOf(workspace), { recursive: true, mode: 0o700 });
      writeDurably(join(folderOf(workspace), `${String(size).padStart(16, "0")}.note`), note, "w");
    },
    kept: async (workspace) => {
      const folder = folderOf(workspace);
      return names(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    },
    newest: async (workspace) => {
      const folder = folderOf(workspace);
      const last = names(folder).at(-1);
      return last === undefined ? undefined : readFileSync(join(folder, last), "utf8");
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
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  // Whoever reads the key can sign a rewritten ledger.
  if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o600);
  const key = createPrivateKey(readFileSync(path));
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`${path} is not an Ed25519 key; restore it from a backup`);
  return key;
}

function makeKey(path: string): KeyObject {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" });
  try {
    writeDurably(path, String(pem), "wx");
  } catch (error) {
    // Another process made it first; its key is the one.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return createPrivateKey(readFileSync(path));
}

function writeDurably(path: string, text: string, flag: "w" | "wx"): void {
  const file = openSync(path, flag, 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function names(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder).sort();
}
