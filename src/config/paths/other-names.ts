import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isUnder, normalise } from "../../core/classify/path.ts";
import { type GitSetting, gitSettings } from "../../core/classify/settings.ts";
import { plainFile } from "../plain-file.ts";
import { newLooking, type PathSearch, statOf, whereItLeads } from "./disk.ts";

/** A path, and the other name under which programs reach it and everything below it. */
type Naming = { place: string; name: string };

/**
 * Other names under which programs find the same files: through a link in the project (`CLAUDE.md` that leads to
 * `docs/agents.md`), through a setting of git, or as part of a repository whose folder may have any name.
 */
export function otherNames(
  places: readonly string[],
  { project, home }: { project: string; home: string },
): { readonly [place: string]: readonly string[] } {
  const looking = newLooking();
  const namings = [...linksOf(project, looking), ...namedByGit(project, home, looking)];
  const found: Record<string, readonly string[]> = Object.create(null);
  for (const place of places) {
    const names = namings.filter((one) => isUnder(place, one.place)).map((one) => one.name + rest(place, one.place));
    const inside = inRepository(place, looking);
    if (inside !== undefined) names.push(inside);
    if (names.length > 0) found[place] = [...new Set(names)];
  }
  return found;
}

function rest(path: string, above: string): string {
  return path.slice(above.length);
}

/** The number of folders that are searched; no project keeps settings in more than this. */
const FOLDERS_MAX = 64;

/** Settings are at the top of a project and in its hidden folders. A link to a parent of all of them is ignored. */
function linksOf(project: string, looking: PathSearch): readonly Naming[] {
  const top = listingOf(project);
  const links = [...top.links, ...top.hidden.flatMap((folder) => listingOf(folder).links)];
  return links.flatMap((name) => {
    const place = whereItLeads(name, looking);
    return place === undefined || isUnder(project, place) ? [] : [{ place, name }];
  });
}

/** The relevant names of a folder, as full paths. */
type Listing = { links: readonly string[]; hidden: readonly string[] };

/**
 * A folder is listed again only if its time changed, which happens when something in it is created, renamed or
 * deleted.
 */
const listed = new Map<string, { state: string; listing: Listing }>();
const LISTED_MAX = 256;

function listingOf(folder: string): Listing {
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
  listed.set(folder, { state, listing: { links, hidden } });
  return { links, hidden };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not an error: in a folder that cannot be listed no other name is found, and writing in it asks anyway.
    return [];
  }
}

/** The files that git reads as settings, attributes and hooks, wherever they are. */
function namedByGit(project: string, home: string, looking: PathSearch): readonly Naming[] {
  const folder = gitFolderOf(project);
  const file = join(folder, "config");
  const settings = readAt(file)?.settings() ?? [];
  const at = (value: string, ...from: readonly string[]) =>
    from.flatMap((base) => {
      const written = value.startsWith("~/") ? join(home, value.slice(2)) : resolve(base, value);
      return whereItLeads(normalise(written), looking) ?? [];
    });
  return settings.flatMap(({ name, value }) => {
    const setting = name.toLowerCase();
    if (/^include(if\..*)?\.path$/s.test(setting)) return at(value, folder).map((place) => ({ place, name: file }));
    if (setting === "core.attributesfile")
      return at(value, project).map((place) => ({ place, name: join(folder, "info/attributes") }));
    if (setting === "core.hookspath")
      return at(value, project, folder)
        .filter((place) => !isUnder(project, place))
        .map((place) => ({ place, name: join(folder, "hooks") }));
    return [];
  });
}

/** Where the repository of a project is, following working trees; `.git` if there is none. */
function gitFolderOf(project: string): string {
  const own = join(project, ".git");
  const leads = /^gitdir: ([^\n]+)\n*$/.exec(readAt(own)?.text ?? "")?.[1];
  const folder = leads === undefined ? own : resolve(project, leads);
  const common = readAt(join(folder, "commondir"))?.text;
  return common === undefined ? folder : resolve(folder, common.trim());
}

/** Settings are short. Longer files are not read here; git commands that use them ask. */
const SETTINGS_BYTES_MAX = 256 * 1024;

type ReadFile = { text: string; settings: () => readonly GitSetting[] };

/** A file is read again only if it changed; somebody who may only write it cannot reset these times. */
const files = new Map<string, { state: string; file: ReadFile }>();
const FILES_MAX = 256;

function readAt(path: string): ReadFile | undefined {
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

/** The maximum depth of a file in a repository: `refs/heads/a/b`. */
const DEEP_MAX = 4;

/** Git treats any folder with a HEAD and objects as a repository, so its files are treated like those of a `.git`. */
function inRepository(place: string, looking: PathSearch): string | undefined {
  let folder = dirname(place);
  for (let up = 0; up < DEEP_MAX && folder !== dirname(folder); up++, folder = dirname(folder)) {
    if (basename(folder) === ".git") return undefined;
    if (
      isThere(join(folder, "HEAD"), looking) &&
      ["objects", "commondir"].some((one) => isThere(join(folder, one), looking))
    )
      return join(folder, ".git") + rest(place, folder);
  }
  return undefined;
}

function isThere(path: string, looking: PathSearch): boolean {
  const known = looking.seen.get(path) ?? statOf(path);
  looking.seen.set(path, known);
  return known !== "missing";
}
