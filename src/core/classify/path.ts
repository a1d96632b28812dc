import { type Message, say } from "../messages/message.ts";
import { UNREAD } from "../tables/unread.ts";
import { urlFrom } from "../values/url.ts";

/** What the text of a path says, without a look at the file system. */
type Spelling = { ok: true; raw: string; doubts: readonly Message[] } | { ok: false; why: Message };

const DRIVE = /^[A-Za-z]:[\\/]/;
/** `.`, `..`, a double or a trailing separator. */
const UNTIDY = /\/(?:[./]|$)/;

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || DRIVE.test(path);
}

/** An absolute path without `.`, `..`, doubled or trailing separators. Nothing is above the root. */
export function normalise(path: string): string {
  if (path.startsWith("/") && !UNTIDY.test(path)) return path;
  const root = DRIVE.test(path) ? path.slice(0, 2).toLowerCase() + "/" : "/";
  const kept: string[] = [];
  for (const name of path.slice(root.length).split("/")) {
    if (name === "..") kept.pop();
    else if (name !== "" && name !== ".") kept.push(name);
  }
  return root + kept.join("/");
}

/** Compares whole path segments: `/project/src` contains itself and `/project/src/a`, but not `/project/src-backup`. */
export function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : folder + "/");
}

export function parentOf(path: string): string {
  return normalise(path + "/..");
}

const OF_SYSTEM = /^\/(bin|boot|dev|etc|lib|lib32|lib64|libx32|proc|sbin|sys|usr)(\/|$)/;
const SOURCES_OF_SYSTEM = /^\/usr\/(home|(local\/)?src)\//;
const TOO_WIDE: ReadonlySet<string> = new Set([
  "/",
  "/home",
  "/media",
  "/mnt",
  "/opt",
  "/run",
  "/srv",
  "/Users",
  "/var",
]);

/** Whether a path belongs to the system, so that it is never part of a project, whatever folder an agent works in. */
export function isOfSystem(path: string): boolean {
  return TOO_WIDE.has(path) || (OF_SYSTEM.test(path) && !SOURCES_OF_SYSTEM.test(path));
}

/** `/` or a drive: there is no folder above it. */
export function isRoot(path: string): boolean {
  return parentOf(path) === path;
}

/**
 * The path as written, only made absolute. `..` is kept, because after a link it leads to another folder than the text
 * says. A spelling that tools read in different ways is a doubt, and then the call asks.
 */
export function spellOut(text: string, from: { base?: string | undefined; home?: string | undefined }): Spelling {
  if (text.length > PATH_MAX) return { ok: false, why: UNREAD.path };
  if (ORDINARY.test(text)) return absolute(text, from.base, NO_DOUBTS);
  const doubts: Message[] = [];
  let path = text.trim();
  if (path !== text) doubts.push(say("note.path_has_outer_spaces"));
  if (path === "") return { ok: false, why: say("note.path_empty") };
  if (HIDDEN_SIGNS.test(path)) doubts.push(say("note.path_has_hidden_signs"));
  if (/^file:/i.test(path)) {
    const local = fromFileUrl(path);
    if (local === undefined) return { ok: false, why: say("note.file_address_unreadable") };
    path = local;
  }
  const home = /^(\$HOME|\$\{HOME\}|%USERPROFILE%)(?=[\\/]|$)/i.exec(path);
  if (home !== null) path = "~" + path.slice(home[0].length);
  if (home !== null || /[$%`]/.test(path)) doubts.push(say("note.path_may_have_variable"));
  if (path.includes("\\")) {
    if (!DRIVE.test(path)) doubts.push(say("note.path_has_backslashes"));
    path = path.replaceAll("\\", "/");
  }
  if (path === "~" || path.startsWith("~/")) {
    if (from.home === undefined) return { ok: false, why: say("note.home_unknown") };
    path = from.home + path.slice(1);
  } else if (path.startsWith("~")) return { ok: false, why: say("note.other_home_unknown") };
  return absolute(path, from.base, doubts);
}

/** Letters that are not seen, or change the direction or the line of others. */
export const HIDDEN_SIGNS = /[\p{Cc}\p{Cf}]/u;

/** No system opens a longer path. A tool that shortens it may open what its end says. */
export const PATH_MAX = 32_768;

/** Only letters that all tools read in the same way. */
const ORDINARY = /^[\w@+=,./-]+$/;
const NO_DOUBTS: readonly Message[] = [];

function absolute(path: string, base: string | undefined, doubts: readonly Message[]): Spelling {
  if (isAbsolute(path)) return { ok: true, raw: path, doubts };
  if (base === undefined) return { ok: false, why: say("note.working_folder_unknown") };
  return { ok: true, raw: `${base}/${path}`, doubts };
}

function fromFileUrl(text: string): string | undefined {
  const parsed = urlFrom(text);
  if (parsed === undefined || /%(?![0-9a-f]{2})/i.test(parsed.pathname)) return undefined;
  // Some tools read the host part as the beginning of the path.
  if (parsed.hostname !== "" && parsed.hostname !== "localhost") return undefined;
  // Bytes that are not valid UTF-8 stay as written. They cannot name a protected path.
  const path = isUtf8(parsed.pathname) ? decodeURIComponent(parsed.pathname) : parsed.pathname;
  return /^\/[A-Za-z]:\//.test(path) ? path.slice(1) : path;
}

function isUtf8(pathname: string): boolean {
  const bytes: number[] = [];
  for (const [, hex = ""] of pathname.matchAll(/%([0-9a-f]{2})/gi)) bytes.push(Number.parseInt(hex, 16));
  return !new TextDecoder().decode(new Uint8Array(bytes)).includes("\uFFFD");
}
