import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { codeOf, SettingError } from "./environment.ts";

// Files beside the database that must outlive a crash: the signing key, checkpoints, and what is written down beside them.

/** Written completely or not at all: a full disk leaves no partial note, and readers never see one. */
export function replaceDurably(path: string, text: string): void {
  const own = `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    writeDurably(own, text);
    renameSync(own, path);
    syncFolder(dirname(path));
  } finally {
    rmSync(own, { force: true });
  }
}

export function writeDurably(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (error) {
    // Of an open file the system does not say which one it is.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  } finally {
    closeSync(file);
  }
}

/** A file name that is not synced can be lost in a power failure, together with the note. */
export function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

export function noteAt(path: string): string {
  return reading(path, () => readFileSync(path, "utf8"));
}

export function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new SettingError(
      `${path} cannot be read (${codeOf(error)})`,
      "make it what `leeway backup` copied, or move it away",
    );
  }
}
