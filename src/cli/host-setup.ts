import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stateFolderOf } from "../config/server-file.ts";
import { nearest } from "../core/values/nearest.ts";
import { INSTALLABLE, type Scope, settingsFile, withHook, withoutHook } from "../hooks/install.ts";
import { Failure, usage } from "./failure.ts";
import { type CommandInput, flag } from "./spec.ts";
import { fileText } from "./terminal/files.ts";
import { hasPerson } from "./terminal/io.ts";
import { askYesNo } from "./terminal/prompt.ts";

// `leeway init HOST`: puts the hook into the settings of an agent program, shows the change first, and can undo it.

/** What was changed, kept so that undoing restores the file byte for byte. `before` is null if there was no file. */
type Kept = { file: string; before: string | null; after: string };

export type HostChange = { host: string; file: string; changed: boolean; dangers: readonly string[] };

export function refuseUnknownHosts(hosts: readonly string[]): void {
  for (const name of hosts) {
    if (INSTALLABLE.includes(name)) continue;
    const near = nearest(name, INSTALLABLE);
    throw usage(
      `unknown host \`${name}\``,
      near === undefined ? `use one of: ${INSTALLABLE.join(", ")}` : `did you mean ${near}?`,
    );
  }
}

/** Installs the hook for one host. Nothing is written before the person has seen the change and agreed. */
export async function installHost(given: CommandInput, host: string): Promise<HostChange> {
  const file = fileOf(given, host);
  const before = textAt(file);
  const made = withHook(host, before ?? "", hookCommand(host));
  if (!made.ok)
    throw new Failure(1, `${file} was not changed: ${made.why}`, "repair the file, then run the command again");
  const { after, isNew, dangers } = made;
  const result = { host, file, changed: isNew, dangers };
  if (!isNew) return result;
  given.out.note(`${host}: this will change ${placeOf(file)}:\n${difference(before ?? "", after)}`);
  if (flag(given, "dryRun")) return { ...result, changed: false };
  await consent(given);
  write(file, after);
  keep(given, host, { file, before: before ?? null, after });
  return result;
}

/** Takes the hook out. A file that nobody changed since becomes what it was, byte for byte. */
export async function removeHost(given: CommandInput, host: string): Promise<HostChange> {
  const file = fileOf(given, host);
  const now = textAt(file);
  const none = { host, file, changed: false, dangers: [] };
  if (now === undefined) return none;
  const kept = keptFor(given, file);
  const isUntouched = kept?.after === now;
  const bare = withoutHook(host, now);
  if (!bare.ok)
    throw new Failure(1, `${file} was not changed: ${bare.why}`, "repair the file, then run the command again");
  const target = isUntouched ? (kept?.before ?? null) : bare.after;
  if (target === now) return none;
  given.out.note(`${host}: this will change ${placeOf(file)}:\n${difference(now, target ?? "")}`);
  if (flag(given, "dryRun")) return none;
  await consent(given);
  if (target === null) rmSync(file);
  else write(file, target);
  rmSync(keptFile(given, file), { force: true });
  return { ...none, changed: true };
}

function fileOf(given: CommandInput, host: string): string {
  const scope: Scope = flag(given, "user") ? "user" : "project";
  return settingsFile(host, scope, { home: given.io.env["HOME"] || homedir(), project: given.io.cwd });
}

/** The program that runs now, by its full path: a host may start its hooks without the user's PATH. */
function hookCommand(host: string): { program: string; args: readonly string[] } {
  const here = dirname(fileURLToPath(import.meta.url));
  const entry = ["../bin", "../../bin", "../../../bin"]
    .map((place) => join(here, place, "leeway.cjs"))
    .find((path) => existsSync(path));
  return { program: process.execPath, args: [entry ?? process.argv[1] ?? "leeway", "hook", host] };
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

/** Lines that go and lines that come, with their neighbours left out. */
function difference(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const gone = old.slice(head, old.length - tail).map((line) => `  - ${line}`);
  const come = now.slice(head, now.length - tail).map((line) => `  + ${line}`);
  return [`  line ${head + 1}:`, ...gone, ...come].join("\n");
}

function textAt(file: string): string | undefined {
  return existsSync(file) ? fileText(file) : undefined;
}

/** Where the text of this file is: behind links, because some people keep their settings in another folder. */
function behindLinks(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return file;
  throw new Failure(1, `${file} is a link to a file that does not exist`, "repair or remove the link");
}

/** The file as a person should see it before agreeing: a link may lead out of the project. */
function placeOf(file: string): string {
  const real = behindLinks(file);
  return real === file ? file : `${file}, which is the file ${real}`;
}

/**
 * Whole or not at all: a host that reads a half-written file would run without its hooks. The new file has a name that
 * nobody can guess and must not exist, so that no link in a project can lead the text elsewhere.
 */
function write(file: string, text: string): void {
  const real = behindLinks(file);
  mkdirSync(dirname(real), { recursive: true });
  const next = `${real}.${randomBytes(8).toString("hex")}`;
  const mode = statSync(real, { throwIfNoEntry: false })?.mode;
  try {
    writeFileSync(next, text, { flag: "wx", ...(mode === undefined ? {} : { mode: 0o600 }) });
    if (mode !== undefined) chmodSync(next, mode & 0o777);
    renameSync(next, real);
  } finally {
    rmSync(next, { force: true });
  }
}

function keptFile({ io }: CommandInput, file: string): string {
  const name = createHash("sha256").update(file).digest("hex").slice(0, 32);
  return join(stateFolderOf(io.env), "hosts", `${name}.json`);
}

/**
 * Undoing restores what was there before the first install. Where somebody else changed a file that already had the
 * hook, nobody knows that text; then nothing is kept, and undoing only takes the hook out.
 */
function keep(given: CommandInput, host: string, made: Kept): void {
  const place = keptFile(given, made.file);
  const earlier = keptFor(given, made.file);
  const isOurs = earlier !== undefined && earlier.after === made.before;
  if (!isOurs && hasHook(host, made.before)) {
    rmSync(place, { force: true });
    return;
  }
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const before = isOurs ? earlier.before : made.before;
  writeFileSync(place, JSON.stringify({ ...made, before }), { mode: 0o600 });
}

function hasHook(host: string, text: string | null): boolean {
  if (text === null) return false;
  const bare = withoutHook(host, text);
  return bare.ok && bare.after !== text;
}

function keptFor(given: CommandInput, file: string): Kept | undefined {
  const text = textAt(keptFile(given, file));
  return text === undefined ? undefined : (JSON.parse(text) as Kept);
}
