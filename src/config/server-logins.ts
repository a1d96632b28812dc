import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sealed } from "../core/secret.ts";
import type { ServerLogin, ServerLogins } from "../core/standing/server-login.ts";
import { sha256 } from "../core/values/hash.ts";
import type { Sealer } from "../ports.ts";
import { codeOf, makeFolder, SettingError } from "./environment.ts";

// Logins at MCP servers, in the state folder: one encrypted file for each server, readable for its owner only.

const FOLDER = "mcp-logins";
const ENDING = ".sealed";

/** The name of the file also is what the content is encrypted for, so no file can take the place of another. */
function keyOf(server: string, url: string): string {
  return sha256(JSON.stringify([server, url])).replace(/^\w+:/, "");
}

export function openServerLogins(stateFolder: string, sealer: Sealer): ServerLogins {
  const folder = join(stateFolder, FOLDER);
  const fileOf = (key: string) => join(folder, `${key}${ENDING}`);
  const made = () => makeFolder(folder, "set XDG_STATE_HOME to a folder you may write to");
  const read = (key: string): ServerLogin | undefined => {
    const text = textAt(fileOf(key));
    return text === undefined ? undefined : opened(sealer, text, key);
  };
  return {
    find: (server, url) => read(keyOf(server, url)),
    list: () => keysIn(folder).flatMap((key) => read(key) ?? []),
    keep: (login) => {
      made();
      const key = keyOf(login.server, login.url);
      replace(fileOf(key), sealer.seal(JSON.stringify(login), about(key)));
    },
    forget: (server, url) => {
      const file = fileOf(keyOf(server, url));
      const isThere = textAt(file) !== undefined;
      rmSync(file, { force: true });
      return isThere;
    },
    alone: async (server, url, act) => {
      made();
      const unlock = await locked(join(folder, `${keyOf(server, url)}.lock`));
      try {
        return await act();
      } finally {
        unlock();
      }
    },
  };
}

function about(key: string): string {
  return `login at an MCP server ${key}`;
}

/** What the key of this gate does not decrypt was not stored by it, and signs nobody in. */
function opened(sealer: Sealer, text: string, key: string): ServerLogin | undefined {
  try {
    return JSON.parse(sealer.open(text as Sealed, about(key)));
  } catch {
    return undefined;
  }
}

function keysIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith(ENDING) ? [name.slice(0, -ENDING.length)] : []));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw new SettingError(`${folder} cannot be read (${codeOf(error)})`, "make it readable for you");
  }
}

function textAt(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new SettingError(`${file} cannot be read (${codeOf(error)})`, "make it readable for you: chmod 600");
  }
}

/** Written completely or not at all. */
function replace(file: string, text: string): void {
  const own = `${file}.${process.pid}.${randomBytes(6).toString("hex")}`;
  try {
    const fd = openSync(own, "wx", 0o600);
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(own, file);
  } catch (error) {
    const todo = ["ENOSPC", "EDQUOT"].includes(codeOf(error))
      ? "its disk is full; free some space"
      : "make its folder writable for you";
    throw new SettingError(`${file} cannot be written (${codeOf(error)})`, todo);
  } finally {
    rmSync(own, { force: true });
  }
}

const LOCK_POLL_MS = 50;
const LOCK_WAIT_MS = 60_000;

/** A file that names the process which has the lock. The lock of a process that has died counts for nothing. */
async function locked(file: string): Promise<() => void> {
  for (let waitedMs = 0; waitedMs < LOCK_WAIT_MS; waitedMs += LOCK_POLL_MS) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx", mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (codeOf(error) !== "EEXIST")
        throw new SettingError(`${file} cannot be written (${codeOf(error)})`, "make its folder writable for you");
    }
    if (!isHeld(file)) rmSync(file, { force: true });
    else await sleep(LOCK_POLL_MS);
  }
  throw new SettingError(`another process does not release ${file}`, "end that process, or remove the file");
}

function isHeld(file: string): boolean {
  const pid = Number(textAt(file) ?? "0");
  // Between creating the file and writing into it, a lock has no process yet.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
