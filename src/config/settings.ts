import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isUnder, normalise, spellOut } from "../core/classify/path.ts";
import { protectionOf } from "../core/classify/protect.ts";
import {
  lookedForBy,
  type SettingsAsked,
  type SettingsFound,
  settingLines,
  settingsKey,
  typescriptSettings,
} from "../core/classify/settings.ts";
import { NAMING_ROWS } from "../core/tables/naming.ts";
import { type Obeying, SETTINGS_ROWS, type SettingsRow } from "../core/tables/obeyed.ts";
import type { Environment } from "../core/tables/variables.ts";
import type { Hashing } from "./file-facts.ts";
import { lookAtGit } from "./git-settings.ts";
import { isStrayLink, kindOf, type Look, readSettings, upwards } from "./look.ts";
import { lookAtNaming, lookForNames } from "./named-files.ts";

const REPOSITORY = ["GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"];

/** As many as a few commands in deep folders need; what is asked beyond gets no answer, and asks. */
const LOOKS_MAX = 6_000;

/**
 * What the settings start that programs of a call would obey in their folders. Whatever cannot be read to the end is
 * said to start something, and a folder that is not there gets no answer.
 */
export function settingsFacts(
  asked: readonly SettingsAsked[],
  { home, project, env, hashed }: { home: string; project: string; env: Environment; hashed: Hashing },
): { readonly [key: string]: SettingsFound } {
  const found: Record<string, SettingsFound> = Object.create(null);
  const left = { looks: LOOKS_MAX };
  for (const { by, folder, base } of asked) {
    // The variables name another repository than the folder does.
    if (REPOSITORY.some((name) => env[name] !== undefined) && lookedForBy(by).includes("git")) continue;
    const spelled = spellOut(folder, { base, home });
    if (!spelled.ok) continue;
    const path = normalise(spelled.raw);
    const here = sameFolder(path, spelled.raw) ?? (BESIDE.has(by) ? besideMissing(path, spelled.raw) : undefined);
    if (here === undefined) continue;
    const look: Look = {
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
    if (left.looks <= 0) look.starts.add("more settings than are looked at");
    found[settingsKey(by, path)] = {
      starts: [...look.starts],
      leads: [...look.leads].slice(0, STARTS_MAX),
      hooks: [...look.hooks],
      own: look.own,
      facts: [...look.facts.values()],
    };
  }
  return found;
}

/** Where it really is; undefined where it is missing, or where a link makes two spellings lead to two places. */
function sameFolder(path: string, raw: string): string | undefined {
  try {
    const here = realpathSync.native(path);
    return here === realpathSync.native(raw) ? here : undefined;
  } catch {
    return undefined;
  }
}

/** What lies beside a file counts before the file is there. */
const BESIDE: ReadonlySet<Obeying> = new Set<Obeying>(["sqlite", "linter"]);

function besideMissing(path: string, raw: string): string | undefined {
  const folder = sameFolder(dirname(path), dirname(raw));
  return folder === undefined ? undefined : join(folder, basename(path));
}

function lookBy(by: Obeying, here: string, look: Look): void {
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

function lookByRow(row: SettingsRow, folder: string, binds: boolean, look: Look): void {
  for (const name of namesIn(row.files)) {
    const text = readSettings(join(folder, name), look, binds);
    if (text === undefined) continue;
    const lines = settingLines(text);
    if (lines?.every((line) => row.mild?.test(line) === true) !== true) look.starts.add(join(folder, name));
  }
  for (const name of namesIn(row.present))
    if (kindOf(join(folder, name), look) !== "missing") look.starts.add(join(folder, name));
  // What lies above the project nobody who works in it has put there.
  if (!isUnder(folder, look.project)) return;
  for (const name of namesIn(row.opens)) {
    const file = join(folder, name);
    if (isStrayLink(file, look)) look.leads.add(file);
    else if (row.names !== undefined) lookForNames(file, readSettings(file, look, false) ?? "", row.names, look);
  }
}

/** A journal beside a database is undone when the database is opened, and deletes the file that it names. */
function lookBeside(database: string, look: Look): void {
  const journal = `${database}-journal`;
  const found = statSync(journal, { throwIfNoEntry: false });
  look.left.looks--;
  if (found !== undefined && found.size > 0) look.leads.add(journal);
}

function namesIn(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(" ");
}

/** A program that is given a file works in the folder of that file. */
function folderOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : dirname(path);
}

/** A file, or a folder all of whose content is plain: no link, and nothing that programs run or obey. */
function lookInside(path: string, look: Look): void {
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
      // By its place in what is copied: the folders above it stay where they are.
      if (!plain || protectionOf(inner.slice(dirname(path).length), "write") !== undefined) look.starts.add(inner);
      if (look.starts.size > STARTS_MAX) return;
      if (entry.isDirectory()) waiting.push(inner);
    }
  }
}

/** Nobody reads a longer list. */
const STARTS_MAX = 8;
const EXTENDED_DEEP_MAX = 8;

/** Where it writes stands in the file, or in one that it builds on. */
function lookAtTypescript(path: string, look: Look, deep: number): void {
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

function nearest(folder: string, look: Look): string | undefined {
  return upwards(folder)
    .map((one) => join(one, "tsconfig.json"))
    .find((file) => kindOf(file, look) !== "missing");
}

function extendedFile(name: string, folder: string, look: Look): string | undefined {
  const isPath = /^\.{0,2}\//.test(name);
  const starts = isPath ? [resolve(folder, name)] : upwards(folder).map((one) => join(one, "node_modules", name));
  const files = starts.flatMap((one) => [one, `${one}.json`, join(one, "tsconfig.json")]);
  return files.find((file) => {
    look.left.looks--;
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  });
}
