import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type GitSetting, gitSettings } from "../../core/classify/settings.ts";
import { plainFile } from "../plain-file.ts";
import { statOf } from "./disk.ts";

// Folders and settings files of a project, read again only if they changed, because nearly every call needs them.

/** The number of folders that are searched; no project keeps settings in more than this. */
const FOLDERS_MAX = 64;

/** What is in a folder: links and the first hidden folders by their full paths, files and everything by their names. */
type Listing = {
  links: readonly string[];
  hidden: readonly string[];
  files: readonly string[];
  names: ReadonlySet<string>;
};

/**
 * A folder is listed again only if its time changed, which happens when something in it is created, renamed or
 * deleted.
 */
const listed = new Map<string, { state: string; listing: Listing }>();
const LISTED_MAX = 256;

export function listingOf(folder: string): Listing {
  const found = statOf(folder);
  const state = typeof found === "string" ? found : `${found.dev} ${found.ino} ${found.ctimeMs}`;
  const before = listed.get(folder);
  if (before?.state === state) return before.listing;
  const entries = entriesOf(folder);
  const links = entries.filter((one) => one.isSymbolicLink()).map((one) => join(folder, one.name));
  const hidden = entries
    .filter((one) => one.isDirectory() && one.name.startsWith(".") && one.name !== ".git")
    .slice(0, FOLDERS_MAX)
    .map((one) => join(folder, one.name));
  if (listed.size >= LISTED_MAX) listed.clear();
  const files = entries.filter((one) => one.isFile()).map((one) => one.name);
  const listing = { links, hidden, files, names: new Set(entries.map((one) => one.name)) };
  listed.set(folder, { state, listing });
  return listing;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not an error: in a folder that cannot be listed no other name is found, and writing in it asks anyway.
    return [];
  }
}

/** Where the repository of a project is, following working trees; `.git` if there is none. */
export function gitFolderOf(project: string): string {
  const own = join(project, ".git");
  const leads = /^gitdir: ([^\n]+)\n*$/.exec(readAt(own)?.text ?? "")?.[1];
  const folder = leads === undefined ? own : resolve(project, leads);
  const common = readAt(join(folder, "commondir"))?.text;
  return common === undefined ? folder : resolve(folder, common.trim());
}

/** Settings are short. Longer files are not read here; git commands that use them ask. */
const SETTINGS_BYTES_MAX = 256 * 1024;

export type ReadFile = { text: string; settings: () => readonly GitSetting[] };

/** A file is read again only if it changed; somebody who may only write it cannot reset these times. */
const files = new Map<string, { state: string; file: ReadFile }>();
const FILES_MAX = 256;

export function readAt(path: string): ReadFile | undefined {
  const found = statOf(path);
  if (typeof found === "string" || !found.isFile() || found.size > SETTINGS_BYTES_MAX) return undefined;
  const state = `${found.dev} ${found.ino} ${found.size} ${found.ctimeMs}`;
  const before = files.get(path);
  if (before?.state === state) return before.file;
  const text = textAt(path);
  if (text === undefined) return undefined;
  let parsed: readonly GitSetting[] | undefined;
  const file = {
    text,
    settings: () => {
      parsed ??= gitSettings(text) ?? [];
      return parsed;
    },
  };
  if (files.size >= FILES_MAX) files.clear();
  files.set(path, { state, file });
  return file;
}

function textAt(path: string): string | undefined {
  try {
    return plainFile(path, SETTINGS_BYTES_MAX).toString("utf8");
  } catch {
    // Not an error: git cannot read the file either, and ignores it.
    return undefined;
  }
}
