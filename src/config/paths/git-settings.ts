import { type Dirent, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isUnder } from "../../core/classify/path.ts";
import { type GitSetting, gitSettings, isMildGit } from "../../core/classify/settings.ts";
import { FILES_OF_GIT } from "../../core/tables/obeyed.ts";
import { GIT_HOOKS } from "../../core/tables/protected/row.ts";
import { plainFile } from "../plain-file.ts";
import { kindOf, leadsTo, newLooking, readSettings, type SettingsSearch, strays, upwards } from "./disk.ts";

/** The folder where git keeps a repository, and the folder whose files it tracks. */
type Repository = { folder: string; top: string };

/** Nested submodules are followed this deep. */
const SUBMODULES_DEEP_MAX = 3;

/** The repository that git would find from a folder, and everything that git would start there. */
export function lookAtGit(folder: string, look: SettingsSearch): void {
  for (const top of upwards(folder)) {
    const kept = repositoriesAt(top, look);
    for (const one of kept) inspect({ folder: one, top }, look, 0);
    if (!kept.some((one) => isComplete(one, look))) continue;
    look.own = isUnder(look.project, top) && !isHookedElsewhere(top, look);
    return;
  }
}

/**
 * Hooks of a repository outside of the project, as in a worktree or in a part of a repository, cannot be rehearsed: what they
 * change there is changed at once.
 */
function isHookedElsewhere(top: string, look: SettingsSearch): boolean {
  const isInProject = statSync(join(look.project, ".git"), { throwIfNoEntry: false })?.isDirectory() === true;
  return look.hooks.size > 0 && !(isInProject && isUnder(top, look.project));
}

/** `.git` may be a folder or a file that names one; and any folder with a HEAD may be a repository itself. */
function repositoriesAt(top: string, look: SettingsSearch): readonly string[] {
  const named = gitFolderAt(top, look);
  const bare = kindOf(join(top, "HEAD"), look) === "missing" ? [] : [top];
  return named === undefined ? bare : [named, ...bare];
}

function gitFolderAt(top: string, look: SettingsSearch): string | undefined {
  const path = join(top, ".git");
  const found = statSync(path, { throwIfNoEntry: false });
  look.left.looks--;
  if (found === undefined) {
    look.facts.set(path, { of: "missing", use: "looked for", path });
    return undefined;
  }
  if (found.isDirectory()) {
    if (kindOf(path, look) === "link" && strays(path, "read", look)) look.leads.add(path);
    return path;
  }
  const leads = /^gitdir: ([^\n]+)\n*$/.exec(readSettings(path, look) ?? "")?.[1];
  if (leads === undefined) look.starts.add(path);
  return leads === undefined ? undefined : resolve(top, leads);
}

/** Git ignores what is not a repository, and looks in the parent folder. */
function isComplete(folder: string, look: SettingsSearch): boolean {
  if (kindOf(join(folder, "HEAD"), look) === "missing") return false;
  return ["objects", "commondir"].some((name) => kindOf(join(folder, name), look) !== "missing");
}

function inspect(repository: Repository, look: SettingsSearch, deep: number): void {
  const { folder, top } = repository;
  const leads = readSettings(join(folder, "commondir"), look, false);
  const common = leads === undefined ? folder : resolve(folder, leads.trim());
  const files = new Set([join(common, "config"), join(folder, "config.worktree"), join(common, "config.worktree")]);
  const settings = [...files].flatMap((file) => settingsIn(file, look));
  const places = [join(common, "hooks")];
  for (const { file, ...setting } of settings) {
    const name = setting.name.toLowerCase();
    if (name === "core.hookspath") places.push(resolve(top, setting.value), resolve(folder, setting.value));
    const isPlace = name === "core.hookspath" && !setting.value.startsWith("~");
    const isOwnTree = name === "core.worktree" && resolve(folder, setting.value) === top;
    if (FILES_OF_GIT.test(name)) lookAtNamed(setting, file, top, look);
    else if (!isPlace && !isOwnTree && !isMildGit(setting)) look.starts.add(`${file}: ${setting.name}`);
  }
  for (const one of new Set([folder, common])) lookForGitLinks(one, look);
  for (const place of places) {
    for (const name of GIT_HOOKS) {
      const hook = join(place, name);
      if (kindOf(hook, look) !== "missing") look.hooks.add(hook);
    }
  }
  inspectSubmodules(repository, settings, look, deep);
}

/**
 * A file that a setting names may be shown or written. This is harmless inside the repository's own folder, if the
 * file is not a secret.
 */
function lookAtNamed({ name, value }: GitSetting, file: string, top: string, look: SettingsSearch): void {
  const path = resolve(top, value);
  const isWithin = !value.startsWith("~") && isUnder(path, top);
  const act = /directory$/i.test(name) ? "write" : "read";
  if (value !== "" && (!isWithin || strays(path, act, look))) look.leads.add(`${file}: ${name}`);
}

function settingsIn(file: string, look: SettingsSearch): readonly (GitSetting & { file: string })[] {
  const text = readSettings(file, look);
  const found = text === undefined ? [] : gitSettings(text);
  if (found === undefined) look.starts.add(file);
  return (found ?? []).map((one) => ({ ...one, file }));
}

/** Git also works in every submodule, with the settings there. */
function inspectSubmodules(
  { folder, top }: Repository,
  settings: readonly GitSetting[],
  look: SettingsSearch,
  deep: number,
): void {
  const wide = settings.some(({ name, value }) => /^extensions\.objectformat$/i.test(name) && value !== "sha1");
  const index = join(folder, "index");
  for (const path of gitlinks(index, wide, look)) {
    const inner = join(top, path);
    const kept = gitFolderAt(inner, look);
    if (kept === undefined) continue;
    if (deep >= SUBMODULES_DEEP_MAX || look.left.looks <= 0) look.starts.add(inner);
    else inspect({ folder: kept, top: inner }, look, deep + 1);
  }
}

/**
 * The index is read again only if it changed; size and change time cannot be reset by somebody who may only write it.
 */
const known = new Map<string, { state: string; links: readonly string[] | undefined }>();
const KNOWN_MAX = 64;
const INDEX_BYTES_MAX = 64 * 1024 * 1024;

function gitlinks(index: string, wide: boolean, look: SettingsSearch): readonly string[] {
  look.left.looks--;
  const found = statSync(index, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return [];
  const state = `${found.ino} ${found.size} ${found.ctimeNs} ${wide}`;
  const before = known.get(index);
  const links = before?.state === state ? before.links : readIndex(index, Number(found.size), wide);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(index, { state, links });
  if (links === undefined) look.starts.add(index);
  return links ?? [];
}

function readIndex(index: string, bytes: number, wide: boolean): readonly string[] | undefined {
  if (bytes > INDEX_BYTES_MAX) return undefined;
  try {
    return gitlinksIn(plainFile(index, INDEX_BYTES_MAX), wide);
  } catch {
    // Not readable, or no plain file: nobody knows which repositories are inside, and the call asks.
    return undefined;
  }
}

/** Only the top of git's own folder is searched; submodules and hooks are checked separately. */
const KEPT = /^(objects\/(?!info$|pack$).*|objects\/(info|pack)\/.*|modules|hooks|lfs|annex)$/;

/** Git reads and writes files in its own folder, also through links, so no link there may lead out of it. */
function lookForGitLinks(folder: string, look: SettingsSearch): void {
  const own = leadsTo(folder, newLooking())?.place;
  const waiting = [""];
  for (let at = waiting.pop(); at !== undefined && look.left.looks > 0; at = waiting.pop()) {
    look.left.looks--;
    for (const entry of entriesOf(join(folder, at))) {
      const inner = at === "" ? entry.name : `${at}/${entry.name}`;
      const path = join(folder, inner);
      if (entry.isDirectory() && !KEPT.test(inner)) waiting.push(inner);
      if (!entry.isSymbolicLink() || inner === "hooks") continue;
      const place = leadsTo(path, newLooking())?.place;
      if (own === undefined || place === undefined || !isUnder(place, own)) look.leads.add(path);
    }
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not an error: git finds nothing there either.
    return [];
  }
}

const GITLINK = 0o160000;
/** The fixed fields before the hash of an index entry: times, device, inode, mode, owner, size. */
const STAT_BYTES = 40;
const MODE_AT = 24;
const EXTENDED = 0x4000;

/**
 * The paths in a git index that are repositories of their own (submodules). Undefined if the index cannot be read to
 * the end, or is split over several files. `wide`: hashes are SHA-256.
 */
function gitlinksIn(index: Buffer, wide: boolean): readonly string[] | undefined {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const hash = wide ? 32 : 20;
  const found: string[] = [];
  let at = 12;
  let name = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + STAT_BYTES + hash;
    if (flagsAt + 4 > index.length) return undefined;
    const mode = index.readUInt32BE(at + MODE_AT);
    const extended = version > 2 && (index.readUInt16BE(flagsAt) & EXTENDED) !== 0;
    let nameAt = flagsAt + (extended ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      const cut = readCut(index, nameAt);
      if (cut === undefined || cut.value > name.length) return undefined;
      nameAt = cut.next;
      kept = name.length - cut.value;
    }
    const end = index.indexOf(0, nameAt);
    if (end === -1) return undefined;
    name = Buffer.concat([name.subarray(0, kept), index.subarray(nameAt, end)]);
    if ((mode & 0o170000) === GITLINK) found.push(name.toString("utf8"));
    // Older formats pad each entry to eight bytes, and end every name with at least one zero.
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8;
  }
  return index.indexOf("link", at, "latin1") === at ? undefined : found;
}

/** How many letters of the previous name are dropped, in git's number format. */
function readCut(index: Buffer, start: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let at = start; at < index.length && at < start + 5; at++) {
    const byte = index[at] ?? 0;
    value = value * 128 + (byte & 127);
    if ((byte & 128) === 0) return { value, next: at + 1 };
    value += 1;
  }
  return undefined;
}
