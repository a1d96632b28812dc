import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shownDatabase } from "./database-place.ts";
import { codeOf, homeFolder, readSettings, SettingError, type Settings, type Variables } from "./environment.ts";

/**
 * A server on this machine, as its file describes it. `database`: as people see it; servers of older versions do not say it.
 * `before`: the one that was announced before it, for the case that this one dies without a word.
 */
type Announced = { url: string; pid: number; database?: string; before?: Announced };
type Elsewhere = Announced & { database: string };
/** The address of a server, and the token for it. */
export type ServerMeant = { url: string; token: string };

/** The server that is announced in the state folder and still runs. The file of a server that has died is ignored. */
export function announcedServer(stateFolder: string): Announced | undefined {
  const { before: _, ...server } = runningServer(join(stateFolder, "server.json")) ?? {};
  return "url" in server ? server : undefined;
}

function runningServer(file: string): Announced | undefined {
  let said = readAnnounced(file);
  while (said !== undefined && !isAlive(said.pid)) said = said.before;
  return said;
}

/** The server that is announced, if it uses another database than these settings name. */
export function serverElsewhere({ stateFolder, db }: Pick<Settings, "stateFolder" | "db">): Elsewhere | undefined {
  const server = announcedServer(stateFolder);
  const { database = shownDatabase(db) } = server ?? {};
  return server === undefined || database === shownDatabase(db) ? undefined : { ...server, database };
}

/** Announces where a server is. On withdrawal, the previous server is announced again if it still runs. */
export function announceServer(stateFolder: string, server: Announced): () => void {
  const file = join(stateFolder, "server.json");
  const before = runningServer(file);
  const put = (one: Announced) => writeFileSync(file, `${JSON.stringify(one)}\n`, { mode: 0o600 });
  put({ ...server, ...(before && { before }) });
  return () => {
    const now = readAnnounced(file);
    // Another server has announced itself meanwhile.
    if (now?.url !== server.url || now.pid !== server.pid) return;
    if (before !== undefined && isAlive(before.pid)) put(before);
    else rmSync(file);
  };
}

function readAnnounced(file: string): Announced | undefined {
  try {
    return announcedIn(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // No file, or a file that is just being written: no server to ask.
    return undefined;
  }
}

function announcedIn(said: Partial<Announced>): Announced | undefined {
  const { url, pid, database, before } = said;
  if (typeof url !== "string" || !URL.canParse(url) || !Number.isSafeInteger(pid)) return undefined;
  const earlier = before && announcedIn(before);
  return {
    ...{ url, pid: Number(pid) },
    ...(typeof database === "string" && { database }),
    ...(earlier && { before: earlier }),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The folder in which servers with these variables announce themselves. */
export function stateFolderOf(env: Variables): string {
  return readSettings(env, env["HOME"] || homeFolder()).stateFolder;
}

/**
 * The server that the environment names, if it does: `LEEWAY_URL` and `LEEWAY_TOKEN`, or `LEEWAY_TOKEN_FILE`, the file
 * with the token. With only the token, it is the server on this machine. If only the address is set, this is an error: deciding locally would bypass the server's
 * policy.
 */
export function serverMeant(env: Variables, named?: string): ServerMeant | undefined {
  const token = tokenIn(env);
  const url = named ?? (env["LEEWAY_URL"] || undefined);
  if (url === undefined && token === undefined) return undefined;
  if (token === undefined) {
    const hint =
      "set LEEWAY_TOKEN. On the server's machine, `leeway tokens add --person NAME` makes one for a person's commands, and `leeway tokens add --agent NAME` one for the calls of an agent";
    const what =
      named === undefined
        ? "LEEWAY_URL is set, but LEEWAY_TOKEN is not"
        : "a server is named, but LEEWAY_TOKEN is not set";
    throw new SettingError(what, hint);
  }
  const found = url ?? announcedServer(stateFolderOf(env))?.url;
  if (found !== undefined) return { url: found, token };
  throw new SettingError(
    "LEEWAY_TOKEN is set, and no server runs on this machine",
    "set LEEWAY_URL to where it is, start one with `leeway up`, or unset LEEWAY_TOKEN",
  );
}

/** A token that is an argument or a variable of a program can be seen by others on some machines; one in a file cannot. */
function tokenIn(env: Variables): string | undefined {
  const file = env["LEEWAY_TOKEN_FILE"] || undefined;
  const given = env["LEEWAY_TOKEN"] || undefined;
  if (file === undefined) return given;
  if (given !== undefined)
    throw new SettingError("LEEWAY_TOKEN and LEEWAY_TOKEN_FILE are both set", "unset one of them");
  const read = tokenAt(file);
  if (/^[\x21-\x7e]+$/.test(read)) return read;
  throw new SettingError(`${file} contains no token`, "write the token on its only line");
}

function tokenAt(file: string): string {
  try {
    const { mode } = statSync(file);
    if (process.platform === "win32" || (mode & 0o077) === 0) return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new SettingError(`the token cannot be read from ${file} (${codeOf(error)})`, "set LEEWAY_TOKEN_FILE to it");
  }
  throw new SettingError(`others can read the token in ${file}`, `close it: chmod 600 ${file}`);
}
