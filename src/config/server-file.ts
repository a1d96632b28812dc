import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { homeFolder, readSettings, SettingError, type Variables } from "./environment.ts";

/** A server on this machine, as its file says. */
type Announced = { url: string; pid: number };
/** A server to ask, and as whom. */
export type ServerMeant = { url: string; token: string };

/** The server that announced itself in the state folder and still runs. What a dead one left behind is nobody. */
export function announcedServer(stateFolder: string): Announced | undefined {
  const said = readAnnounced(join(stateFolder, "server.json"));
  return said !== undefined && isAlive(said.pid) ? said : undefined;
}

/** Says where a server is. Taken back, it leaves the word to whoever had it before and still runs. */
export function announceServer(stateFolder: string, server: Announced): () => void {
  const file = join(stateFolder, "server.json");
  const before = announcedServer(stateFolder);
  const put = (one: Announced) => writeFileSync(file, `${JSON.stringify(one)}\n`, { mode: 0o600 });
  put(server);
  return () => {
    const now = readAnnounced(file);
    // A second server has taken it over, or has come and gone, meanwhile.
    if (now?.url !== server.url || now.pid !== server.pid) return;
    if (before !== undefined && isAlive(before.pid)) put(before);
    else rmSync(file);
  };
}

function readAnnounced(file: string): Announced | undefined {
  try {
    const { url, pid } = JSON.parse(readFileSync(file, "utf8")) as Partial<Announced>;
    return typeof url === "string" && URL.canParse(url) && Number.isSafeInteger(pid)
      ? { url, pid: Number(pid) }
      : undefined;
  } catch {
    // No file, or half of one that is just being written: no server that anybody could ask.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Where the servers of whoever has these variables announce themselves. */
export function stateFolderOf(env: Variables): string {
  return readSettings(env, env["HOME"] || homeFolder()).stateFolder;
}

/**
 * The server that the environment says to ask, if it says so: `LEEWAY_URL` and `LEEWAY_TOKEN`. With the token alone it is
 * the one that runs on this machine. Deciding here what somebody wanted decided there would be a way around their policy,
 * so half of it is an error.
 */
export function serverMeant(env: Variables, named?: string): ServerMeant | undefined {
  const token = env["LEEWAY_TOKEN"] || undefined;
  const url = named ?? (env["LEEWAY_URL"] || undefined);
  if (url === undefined && token === undefined) return undefined;
  if (token === undefined) {
    const hint = "set LEEWAY_TOKEN; `leeway tokens add --agent NAME` makes one on the server's machine";
    throw new SettingError(`${named === undefined ? "LEEWAY_URL is set" : "a server is named"} and no token`, hint);
  }
  const found = url ?? announcedServer(stateFolderOf(env))?.url;
  if (found !== undefined) return { url: found, token };
  throw new SettingError(
    "LEEWAY_TOKEN is set, and no server runs on this machine",
    "set LEEWAY_URL to where it is, start one with `leeway up`, or unset LEEWAY_TOKEN",
  );
}
