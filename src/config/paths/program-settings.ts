import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isUnder, normalise, spellOut } from "../../core/classify/path.ts";
import { protectionOf } from "../../core/classify/protect.ts";
import {
  lookedForBy,
  type SettingsAsked,
  type SettingsFound,
  settingLines,
  settingsKey,
  typescriptSettings,
} from "../../core/classify/settings.ts";
import { say } from "../../core/messages/message.ts";
import { NAMING_ROWS } from "../../core/tables/naming.ts";
import { type Obeying, SETTINGS_ROWS, type SettingsRow } from "../../core/tables/obeyed.ts";
import type { Environment } from "../../core/tables/variables.ts";
import { type Hashing, isStrayLink, kindOf, readSettings, type SettingsSearch, upwards } from "./disk.ts";
import { lookAtGit } from "./git-settings.ts";
import { lookAtNaming, lookForNames } from "./named-files.ts";

const REPOSITORY = ["GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"];

/** Enough for a few commands in deep folders; beyond the limit there is no answer, and the call asks. */
const LOOKS_MAX = 6_000;

/**
 * What programs of a call would start because of settings in their folders. Settings that cannot be read completely
 * count as starting something. A folder that does not exist gets no answer.
 */
export function settingsFacts(
  asked: readonly SettingsAsked[],
  { home, project, env, hashed }: { home: string; project: string; env: Environment; hashed: Hashing },
): { readonly [key: string]: SettingsFound } {
  const found: Record<string, SettingsFound> = Object.create(null);
  const left = { looks: LOOKS_MAX };
  for (const { by, folder, base } of asked) {
    // The variables name another repository than the folder.
    if (REPOSITORY.some((name) => env[name] !== undefined) && lookedForBy(by).includes("git")) continue;
    const spelled = spellOut(folder, { base, home });
    if (!spelled.ok) continue;
    const path = normalise(spelled.raw);
    const here = sameFolder(path, spelled.raw) ?? (BESIDE.has(by) ? besideMissing(path, spelled.raw) : undefined);
    if (here === undefined) continue;
    const look: SettingsSearch = {
      starts: new Set(),
      leads: new Set(),
      hooks: new Set(),
      facts: new Map(),
      project,
      own: false,
      left,
      hashed,
    };
    for (const one of lookedForBy(by)) lookBy(one, here, look);
    found[settingsKey(by, path)] = {
      starts: left.looks <= 0 ? [...look.starts, say("thing.more_settings")] : [...look.starts],
      leads: [...look.leads].slice(0, STARTS_MAX),
      hooks: [...look.hooks],
      own: look.own,
      facts: [...look.facts.values()],
    };
  }
  return found;
}

/** The real path; undefined if it is missing, or if a link makes it ambiguous. */
function sameFolder(path: string, raw: string): string | undefined {
  try {
    const here = realpathSync.native(path);
    return here === realpathSync.native(raw) ? here : undefined;
  } catch {
    return undefined;
  }
}

/** Settings next to a file count even before the file exists. */
const BESIDE: ReadonlySet<Obeying> = new Set<Obeying>(["sqlite", "linter"]);

function besideMissing(path: string, raw: string): string | undefined {
  const folder = sameFolder(dirname(path), dirname(raw));
  return folder === undefined ? undefined : join(folder, basename(path));
}

function lookBy(by: Obeying, here: string, look: SettingsSearch): void {
  const naming = NAMING_ROWS.find((row) => row.by === by);
  if (naming !== undefined) lookAtNaming(naming, here, look);
  else if (by === "content") lookInside(here, look);
  else if (by === "typescript") lookAtTypescript(here, look, 0);
  else if (by === "git") lookAtGit(folderOf(here), look);
  else if (by === "sqlite") lookBeside(here, look);
  else {
    for (const row of SETTINGS_ROWS.filter((one) => one.by === by))
      for (const folder of upwards(folderOf(here))) lookByRow(row, folder, folder === here, look);
  }
}

function lookByRow(row: SettingsRow, folder: string, binds: boolean, look: SettingsSearch): void {
  for (const name of namesIn(row.files)) {
    const text = readSettings(join(folder, name), look, binds);
    if (text === undefined) continue;
    const lines = settingLines(text);
    if (lines?.every((line) => row.mild?.test(line) === true) !== true) look.starts.add(join(folder, name));
  }
  for (const name of namesIn(row.present))
    if (kindOf(join(folder, name), look) !== "missing") look.starts.add(join(folder, name));
  // Somebody who works in the project cannot write files above it.
  if (!isUnder(folder, look.project)) return;
  for (const name of namesIn(row.opens)) {
    const file = join(folder, name);
    if (isStrayLink(file, look)) look.leads.add(file);
    else if (row.names !== undefined) lookForNames(file, readSettings(file, look, false) ?? "", row.names, look);
  }
}

/** SQLite rolls back a journal next to a database when it opens it, and deletes the file that the journal names. */
function lookBeside(database: string, look: SettingsSearch): void {
  const journal = `${database}-journal`;
  const found = statSync(journal, { throwIfNoEntry: false });
  look.left.looks--;
  if (found !== undefined && found.size > 0) look.leads.add(journal);
}

function namesIn(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(" ");
}

/** A program that is given a file uses the settings of that file's folder. */
function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : dirname(path);
}

/** A file, or a folder with only plain content: no link, and nothing that programs run or use as settings. */
function lookInside(path: string, look: SettingsSearch): void {
  const kind = kindOf(path, look);
  if (kind === "file") return;
  if (kind !== "folder") {
    look.starts.add(path);
    return;
  }
  const waiting = [path];
  for (let folder = waiting.pop(); folder !== undefined && look.left.looks > 0; folder = waiting.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const inner = join(folder, entry.name);
      look.left.looks--;
      const plain = entry.isFile() || entry.isDirectory();
      // By its path inside the copied folder: the parent folders are not copied.
      if (!plain || protectionOf(inner.slice(dirname(path).length), "write") !== undefined) look.starts.add(inner);
      if (look.starts.size > STARTS_MAX) return;
      if (entry.isDirectory()) waiting.push(inner);
    }
  }
}

/** A longer list would not be read. */
const STARTS_MAX = 8;
const EXTENDED_DEEP_MAX = 8;

/** The file, or one that it extends, says where the program writes. */
function lookAtTypescript(path: string, look: SettingsSearch, deep: number): void {
  const file = deep === 0 && kindOf(path, look) === "folder" ? nearest(path, look) : path;
  const text = file === undefined ? undefined : readSettings(file, look);
  if (file === undefined || text === undefined) return;
  const { starts, extended } = typescriptSettings(text);
  for (const name of starts) look.starts.add(`${file}: ${name}`);
  for (const name of extended) {
    const next = extendedFile(name, dirname(file), look);
    if (next === undefined || deep >= EXTENDED_DEEP_MAX) look.starts.add(`${file}: extends ${name}`);
    else lookAtTypescript(next, look, deep + 1);
  }
}

function nearest(folder: string, look: SettingsSearch): string | undefined {
  return upwards(folder)
    .map((one) => join(one, "tsconfig.json"))
    .find((file) => kindOf(file, look) !== "missing");
}

function extendedFile(name: string, folder: string, look: SettingsSearch): string | undefined {
  const isPath = /^\.{0,2}\//.test(name);
  const starts = isPath ? [resolve(folder, name)] : upwards(folder).map((one) => join(one, "node_modules", name));
  const files = starts.flatMap((one) => [one, `${one}.json`, join(one, "tsconfig.json")]);
  return files.find((file) => {
    look.left.looks--;
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  });
}
