import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasPassword } from "../config/database-place.ts";
import { type ServerMeant, serverMeant, stateFolderOf } from "../config/server-file.ts";
import { maskText } from "../core/masking/redact.ts";
import { diffLines } from "../core/show/diff.ts";
import { nearest } from "../core/values/nearest.ts";
import type { HookCommand } from "../hooks/install/command.ts";
import {
  dangerText,
  formerFiles,
  type HostFile,
  hostFiles,
  INSTALLABLE,
  type Places,
} from "../hooks/install/host-files.ts";
import { installedHook } from "../hooks/install/installed-hook.ts";
import { settingsDangers } from "./doctor/settings-dangers.ts";
import { Failure, usage } from "./failure.ts";
import { clientFiles } from "./mcp/clients.ts";
import { namesServers } from "./mcp/listed-servers.ts";
import { gatewayFile } from "./mcp/put-behind.ts";
import { type CommandInput, flag } from "./spec.ts";
import { behindLinks, placeOf, settingsText } from "./terminal/files.ts";
import { hasPerson } from "./terminal/io.ts";
import { askYesNo } from "./terminal/prompt.ts";

// `leeway init HOST`: puts the hook into the settings of an agent program, shows the change first, and can undo it.

/**
 * What was changed, kept so that undoing restores the file byte for byte. `before` is null if there was no file;
 * `folder` is the uppermost folder that had to be made for it.
 */
type Kept = { file: string; before: string | null; after: string; folder?: string };

/**
 * `wouldChange`: a dry run left the file as it is. `leadsTo`: the file behind a link. `isTakenOut`: the hook is taken out, which
 * an earlier version wrote there.
 */
export type HostChange = {
  host: string;
  file: string;
  leadsTo?: string;
  changed: boolean;
  wouldChange?: true;
  isTakenOut?: true;
  dangers: readonly string[];
};

/** Not a host: the MCP servers in the settings of every MCP client. */
export const MCP = "mcp";
export const SET_UP: readonly string[] = [...INSTALLABLE, MCP];

export function refuseUnknownHosts(hosts: readonly string[]): void {
  for (const name of hosts) {
    if (SET_UP.includes(name)) continue;
    const near = nearest(name, SET_UP);
    throw usage(
      `unknown host \`${name}\``,
      near === undefined ? `use one of: ${SET_UP.join(", ")}` : `did you mean ${near}?`,
    );
  }
}

/** One file to change. `after` is null if it is to be deleted. */
type FileChange = { file: HostFile; before: string | undefined; after: string | null };

/** Installs the hook for one host. Nothing is written before the person has seen the change and agreed. */
export async function installHost(given: CommandInput, host: string): Promise<HostChange[]> {
  const written: { [path: string]: string } = {};
  // The gateway works with the database of this machine only.
  const server = host === MCP ? undefined : serverMeant(given.io.env);
  const files = filesOf(given, host);
  const command = hookCommand(given, host, serverSettings(given, host, files, server));
  const changes = files.map((file): FileChange & { after: string } => {
    const before = settingsText(file.path);
    const made = file.withHook(before ?? "", command, written);
    if (!made.ok) throw unchanged(file.path, made.why);
    written[file.path] = made.after;
    return { file, before, after: made.after };
  });
  const former = formerChanges(given, host);
  const isWritten = await agreed(given, host, [...changes.filter(isNew), ...former]);
  if (server !== undefined && !flag(given, "dryRun")) keepToken(given, host, files, server);
  if (isWritten) {
    writeHooks(given, host, changes.filter(isNew), former);
    takeOut(given, host, former);
  }
  // Other files of the same host can switch the hook off.
  const besides = host === "claude-code" ? settingsDangers(host, placesOf(given), changes) : [];
  return [
    ...changes.map((change, at) => ({
      ...madeOf(given, host, { change, isWritten }),
      dangers: [...change.file.dangers(change.after), ...(at === 0 ? besides : [])].map(dangerText),
    })),
    ...former.map((change) => ({
      ...madeOf(given, host, { change, isWritten }),
      isTakenOut: true as const,
      dangers: [],
    })),
  ];
}

/** Where an earlier version wrote the hook, it is taken out: otherwise it would stand in two files. */
function formerChanges(given: CommandInput, host: string): readonly FileChange[] {
  if (host === MCP) return [];
  return formerFiles(host, flag(given, "user") ? "user" : "project", placesOf(given))
    .filter((file) => hasHook(file, settingsText(file.path) ?? null))
    .map((file) => withoutHook(given, host, file));
}

function writeHooks(
  given: CommandInput,
  host: string,
  changes: readonly (FileChange & { after: string })[],
  former: readonly FileChange[],
): void {
  // A folder that was made for the former file is removed together with the new one.
  const madeBefore = former.map(({ file }) => keptFor(given, host, file.path)?.folder).find((one) => one !== undefined);
  for (const { file, before, after } of changes) {
    const folder = write(file.path, after) ?? madeBefore;
    keep(given, host, file, {
      file: file.path,
      before: before ?? null,
      after,
      ...(folder === undefined ? {} : { folder }),
    });
  }
}

/**
 * Whether the hook in a file is what `init` writes here, or has written. Settings can come with a project, and then they name
 * whatever program, server and token a stranger wants.
 */
export function isFromInit(given: CommandInput, host: string, file: HostFile, text: string): boolean {
  const startIn = (settings: string) => JSON.stringify(installedHook(host, settings)?.start);
  const kept = keptFor(given, host, file.path);
  if (kept !== undefined && startIn(kept.after) === startIn(text)) return true;
  const made = file.withHook(text, hookCommand(given, host, []), {});
  return made.ok && startIn(made.after) === startIn(text);
}

/** Takes the hook out. A file that nobody changed since becomes what it was, byte for byte. */
export async function removeHost(given: CommandInput, host: string): Promise<HostChange[]> {
  const now = filesOf(given, host).map((file) => withoutHook(given, host, file));
  const changes = [...now, ...formerChanges(given, host)];
  const isWritten = await agreed(given, host, changes.filter(isNew));
  if (isWritten) takeOut(given, host, changes.filter(isNew));
  return changes.map((change) => ({ ...madeOf(given, host, { change, isWritten }), dangers: [] }));
}

function withoutHook(given: CommandInput, host: string, file: HostFile): FileChange {
  const before = settingsText(file.path);
  if (before === undefined) return { file, before, after: null };
  const kept = keptFor(given, host, file.path);
  const bare = file.withoutHook(before);
  if (!bare.ok) throw unchanged(file.path, bare.why);
  return { file, before, after: kept?.after === before ? kept.before : bare.after };
}

function takeOut(given: CommandInput, host: string, changes: readonly FileChange[]): void {
  // The hook last: what lets the host run calls must not stay without it.
  for (const { file, after } of changes.toReversed()) {
    if (after === null) removeFile(file.path, keptFor(given, host, file.path)?.folder);
    else write(file.path, after);
    for (const kind of ["json", "token"] as const) rmSync(keptFile(given, host, file.path, kind), { force: true });
  }
}

function madeOf(
  given: CommandInput,
  host: string,
  { change, isWritten }: { change: FileChange; isWritten: boolean },
): Omit<HostChange, "dangers"> {
  const { path } = change.file;
  const wouldChange = flag(given, "dryRun") && isNew(change) ? { wouldChange: true as const } : {};
  const real = existsSync(path) ? behindLinks(path) : path;
  const leadsTo = real === path ? {} : { leadsTo: real };
  return { host, file: path, ...leadsTo, changed: isWritten && isNew(change), ...wouldChange };
}

/** Also removes the folders that were made for the file, from the innermost up to `made`, as long as they are empty. */
function removeFile(file: string, made: string | undefined): void {
  rmSync(file);
  if (made === undefined) return;
  for (let folder = dirname(file); folder.startsWith(made); folder = dirname(folder)) {
    if (readdirSync(folder).length > 0) return;
    rmdirSync(folder);
  }
}

function isNew({ before, after }: FileChange): boolean {
  return (before ?? null) !== after;
}

function unchanged(path: string, why: string): Failure {
  return new Failure(1, `${path} was not changed: ${why}`, "repair the file, then run the command again");
}

/** Shows all changes at once. False if they are only to be shown, or if there are none. */
async function agreed(given: CommandInput, host: string, changes: readonly FileChange[]): Promise<boolean> {
  for (const { file, before, after } of changes)
    given.out.note(
      `${host}: this ${flag(given, "dryRun") ? "would" : "will"} change ${placeOf(file.path)}:\n${difference(before ?? "", after ?? "")}`,
    );
  if (changes.length === 0 || flag(given, "dryRun")) return false;
  await consent(given);
  return true;
}

function filesOf(given: CommandInput, host: string): readonly HostFile[] {
  const isUser = flag(given, "user");
  if (host === MCP)
    return clientFiles(placesOf(given), isUser ? ["user"] : ["user", "project"])
      .filter((file) => namesServers(file, settingsText(file.path) ?? ""))
      .map(gatewayFile);
  return hostFiles(host, isUser ? "user" : "project", placesOf(given));
}

/** Whether the MCP servers were meant, and no settings file has one. */
export function isMcpMissing(names: readonly string[], changes: readonly HostChange[]): boolean {
  return names.includes(MCP) && !changes.some(({ host }) => host === MCP);
}

export function noServersText(given: CommandInput): string {
  const { home, project } = placesOf(given);
  const where = flag(given, "user") ? home : `${project} and ${home}`;
  return `No MCP server was found: Leeway looked in the settings files of MCP clients in ${where}, which docs/mcp.md lists.`;
}

export function placesOf({ io }: Pick<CommandInput, "io">): Places {
  return { home: io.env["HOME"] || homedir(), project: io.cwd, env: io.env };
}

/** Variables that say which gate decides. A project must not be able to choose another one for the hook. */
const SETTINGS = ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "LEEWAY_DB", "LEEWAY_WORKSPACE", "LEEWAY_RESIDENT"] as const;

/**
 * Variables that Node or the driver of PostgreSQL reads by itself: how a server or a database is reached and believed. The hook has
 * them as the person had them.
 */
const CONNECTION = [
  ...["NODE_EXTRA_CA_CERTS", "PGPASSFILE", "PGSSLMODE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY"],
] as const;

/**
 * The program that runs now, by its full path: a host may start its hooks without the user's PATH. The variables go
 * with it, because some hosts let a project set the variables of their hooks.
 */
function hookCommand({ io }: CommandInput, host: string, more: readonly string[]): HookCommand {
  const here = dirname(fileURLToPath(import.meta.url));
  const entry = ["../bin", "../../bin", "../../../bin"]
    .map((place) => join(here, place, "leeway.cjs"))
    .find((path) => existsSync(path));
  refusePassword(io.env["LEEWAY_DB"] ?? "", host);
  const set = SETTINGS.flatMap((name) => (io.env[name] ? [`${name}=${io.env[name]}`] : []));
  const env = [`HOME=${io.env["HOME"] || homedir()}`, ...set, ...more].flatMap((one) => ["--env", one]);
  const command = host === MCP ? ["mcp"] : ["hook", host];
  return {
    program: process.execPath,
    args: [entry ?? process.argv[1] ?? "leeway", ...command, ...env],
    env: CONNECTION.flatMap((name) => (io.env[name] ? [`${name}=${io.env[name]}`] : [])),
  };
}

/** The token is not in the settings of the host: others may read them, and the arguments of programs. */
function serverSettings(
  given: CommandInput,
  host: string,
  [first]: readonly HostFile[],
  server?: ServerMeant,
): readonly string[] {
  if (server === undefined || first === undefined) return [];
  return [`LEEWAY_URL=${server.url}`, `LEEWAY_TOKEN_FILE=${keptFile(given, host, first.path, "token")}`];
}

/** A new token may come with the same settings. */
function keepToken(given: CommandInput, host: string, [first]: readonly HostFile[], { token }: ServerMeant): void {
  if (first === undefined) return;
  const file = keptFile(given, host, first.path, "token");
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: "wx" });
}

/** The agent can read the settings of its host, and with the password it could change the record and its own rights. */
function refusePassword(db: string, host: string): void {
  if (!hasPassword(db)) return;
  throw new Failure(
    2,
    `LEEWAY_DB has a password, and it would stand in the settings of ${host}, where the agent can read it`,
    "leave the password out of LEEWAY_DB and put it into ~/.pgpass (mode 0600)",
  );
}

async function consent(given: CommandInput): Promise<void> {
  if (flag(given, "yes")) return;
  if (!hasPerson(given.io))
    throw new Failure(
      5,
      "a person at a terminal must confirm this change, and this is not a terminal",
      "run the command in a terminal, or use --yes",
    );
  if (!(await askYesNo(given.io, "write this change?"))) throw new Failure(1, "cancelled", "nothing was changed");
}

/** Lines that go and lines that come, with the lines between them left out and secrets hidden. */
function difference(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const shown: string[] = [];
  let isInside = false;
  for (const line of diffLines(old, now)) {
    const at = line.is === "added" ? line.after : line.before;
    if (line.is !== "same" && !isInside) shown.push(`  line ${at + 1}:`);
    isInside = line.is !== "same";
    if (line.is === "removed") shown.push(`  - ${maskText(old[at] ?? "")}`);
    if (line.is === "added") shown.push(`  + ${maskText(now[at] ?? "")}`);
  }
  return shown.join("\n");
}

/**
 * Whole or not at all: a host that reads a half-written file would run without its hooks. The new file has a name that
 * nobody can guess and must not exist, so that no link in a project can lead the text elsewhere.
 * Returns the uppermost folder that had to be made.
 */
function write(file: string, text: string): string | undefined {
  const real = behindLinks(file);
  const folder = mkdirSync(dirname(real), { recursive: true });
  const next = `${real}.${randomBytes(8).toString("hex")}`;
  const mode = statSync(real, { throwIfNoEntry: false })?.mode;
  try {
    writeFileSync(next, text, { flag: "wx", ...(mode === undefined ? {} : { mode: 0o600 }) });
    if (mode !== undefined) chmodSync(next, mode & 0o777);
    renameSync(next, real);
    return folder;
  } finally {
    rmSync(next, { force: true });
  }
}

/** Hooks and MCP servers can be in one file, and each of them is undone alone. */
function keptFile({ io }: CommandInput, host: string, file: string, kind: "json" | "token" = "json"): string {
  const what = host === MCP ? `${MCP} ${file}` : file;
  const name = createHash("sha256").update(what).digest("hex").slice(0, 32);
  return join(stateFolderOf(io.env), "hosts", `${name}.${kind}`);
}

/**
 * Undoing restores what was there before the first install. Where somebody else changed a file that already had the
 * hook, nobody knows that text; then nothing is kept, and undoing only takes the hook out.
 */
function keep(given: CommandInput, host: string, file: HostFile, made: Kept): void {
  const place = keptFile(given, host, made.file);
  const earlier = keptFor(given, host, made.file);
  const isOurs = earlier !== undefined && earlier.after === made.before;
  if (!isOurs && hasHook(file, made.before)) {
    rmSync(place, { force: true });
    return;
  }
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const { before, folder } = isOurs ? earlier : made;
  const { file: path, after } = made;
  writeFileSync(place, JSON.stringify({ file: path, before, after, folder }), { mode: 0o600 });
}

function hasHook(file: HostFile, text: string | null): boolean {
  if (text === null) return false;
  const bare = file.withoutHook(text);
  return bare.ok && bare.after !== text;
}

function keptFor(given: CommandInput, host: string, file: string): Kept | undefined {
  const text = settingsText(keptFile(given, host, file));
  return text === undefined ? undefined : (JSON.parse(text) as Kept);
}
