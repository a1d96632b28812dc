import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, SettingError } from "./environment.ts";

const KEY_BYTES = 32;

/**
 * The key that encrypts stored arguments. It is created on first use: written completely under a temporary name and
 * then linked into place. So if two processes start at the same time, both use the first key, and nobody ever reads
 * half a key.
 */
export function loadKey(path: string): Uint8Array {
  return readKey(path) ?? makeKey(path);
}

function makeKey(path: string): Uint8Array {
  const own = join(dirname(path), `.leeway.key.${process.pid}.${randomBytes(6).toString("hex")}`);
  const fd = openNew(own, path);
  try {
    writeSync(fd, randomBytes(KEY_BYTES));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  try {
    linkSync(own, path);
  } catch (error) {
    if (!isCode(error, "EEXIST")) {
      throw new SettingError(
        `${path} cannot be created: ${String(error)}`,
        "use a disk that knows links, or set LEEWAY_KEY",
      );
    }
  } finally {
    unlinkSync(own);
  }
  const key = readKey(path);
  if (key === undefined) throw new SettingError(`${path} disappeared while it was created`, "try again");
  return key;
}

function openNew(own: string, path: string): number {
  try {
    return openSync(own, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (error) {
    throw new SettingError(
      `${path} cannot be created (${codeOf(error)})`,
      "make its folder writable for you, or set LEEWAY_KEY",
    );
  }
}

function readKey(path: string): Uint8Array | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    if (isCode(error, "ELOOP")) throw new SettingError(`${path} is a link`, "put the key itself there");
    throw new SettingError(`${path} cannot be read`, "make it readable for you alone: chmod 600");
  }
  try {
    checkKey(path, fd);
    const key = Buffer.alloc(KEY_BYTES);
    readSync(fd, key, 0, KEY_BYTES, 0);
    return new Uint8Array(key);
  } finally {
    closeSync(fd);
  }
}

/** Permissions are checked on the open file, because the name may point to another file a moment later. */
function checkKey(path: string, fd: number): void {
  const found = fstatSync(fd);
  if (!found.isFile()) throw new SettingError(`${path} is not a file`, "move it away; a new key is made");
  if (process.getuid !== undefined && found.uid !== process.getuid()) {
    throw new SettingError(
      `${path} belongs to somebody else`,
      "use a key of your own: set XDG_STATE_HOME or LEEWAY_KEY",
    );
  }
  if (process.getuid !== undefined && (found.mode & 0o077) !== 0) {
    throw new SettingError(
      `${path} can be read by others`,
      `close it: chmod 600 ${path}; if others may have read it, replace it`,
    );
  }
  if (found.size !== KEY_BYTES) {
    throw new SettingError(`${path} holds ${found.size} bytes instead of ${KEY_BYTES}`, "restore it from a backup");
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
