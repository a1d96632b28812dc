import { parentOf } from "../../core/classify/path.ts";

// How paths are written in a profile of Seatbelt. What is opened is named exactly: a wrong spelling opens nothing. What is closed
// is named in every spelling that macOS could take for the same file: in other letters (`.GIT`), composed otherwise, and by the
// second name that the folders of a disk have.

/** macOS refuses the whole profile if one text in it has more than 1025 bytes. */
const TEXT_BYTES_MAX = 1000;

/** A place by its exact path, with everything in it. Throws if the path cannot be written, so that no path can add a rule. */
export function exactly(path: string): string {
  if (!isPlain(path)) {
    throw new Error(
      `${JSON.stringify(path)} cannot be opened in a box on macOS: its name has control characters, is no UTF-8 or is too long`,
    );
  }
  return `(subpath ${quoted(placeOf(path))})`;
}

/** The filters for a place that is closed, with everything in it. */
export function inAnySpelling(path: string): readonly string[] {
  return [...(isPlain(path) ? [exactly(path)] : []), `(regex ${quoted(anySpelling(path, "(/.*)?$"))})`];
}

/** The filters for a folder itself, without what is in it. */
export function itselfInAnySpelling(path: string): readonly string[] {
  return [
    ...(isPlain(path) ? [`(literal ${quoted(placeOf(path))})`] : []),
    `(regex ${quoted(anySpelling(path, "$"))})`,
  ];
}

/** The folders above a path, from the nearest on, up to the root. */
export function foldersAbove(path: string): readonly string[] {
  const above: string[] = [];
  for (let folder = parentOf(path); folder !== "/"; folder = parentOf(folder)) above.push(folder);
  return above;
}

function isPlain(path: string): boolean {
  return !/\p{Cc}|\ufffd/u.test(path) && Buffer.byteLength(quoted(placeOf(path))) <= TEXT_BYTES_MAX;
}

export function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

/** The folders of the data disk are also found below this one. */
const DATA = "/System/Volumes/Data";
const PRIVATE = "/private";

/** The path by which macOS itself names a place: `/etc`, `/var` and `/tmp` are links. */
function placeOf(path: string): string {
  const whole = path.startsWith(`${DATA}/`) ? path.slice(DATA.length) : path;
  return /^\/(etc|var|tmp)(\/|$)/.test(whole) ? `${PRIVATE}${whole}` : whole;
}

/** A pattern for a path. If it is too long, names in it stand for any name: then more is closed. */
function anySpelling(path: string, end: string): string {
  const whole = placeOf(path);
  const isPrivate = whole.startsWith(`${PRIVATE}/`);
  const start = `^(${DATA})?${isPrivate ? `(${PRIVATE})?` : ""}`;
  const names = whole
    .slice(isPrivate ? PRIVATE.length : 0)
    .split("/")
    .map(spelled);
  const pattern = () => `${start}${names.join("/")}${end}`;
  while (Buffer.byteLength(quoted(pattern())) > TEXT_BYTES_MAX) {
    const longest = names.reduce((best, name, at) => (name.length > (names[best] ?? "").length ? at : best), 0);
    if ((names[longest] ?? "").length <= ANY_NAME.length)
      throw new Error(`${JSON.stringify(path)} is too long for a box on macOS; use a folder with a shorter path`);
    names[longest] = ANY_NAME;
  }
  return pattern();
}

const ANY_NAME = "[^/]+";
const OTHER_LETTERS = "[^ -~/]+";

/**
 * Other letters can mean these: `ſ` is an s to macOS, the sign of Kelvin a k, and `ß`, `ﬁ` and `ﬆ` are two letters each. All letters
 * that are not ASCII, and signs that mean something in a pattern, stand for any letter.
 */
const PIECES = /[fislt]*(?:ff|fi|fl|ss|st)[fislt]*|[sk]|[a-z]|[.]|[0-9_,@%=~ :#!&';<>/-]|[\x20-\x7e]|[^\x20-\x7e]+/gi;

function spelled(name: string): string {
  return name.normalize("NFC").replace(PIECES, (piece) => {
    if (/^[^\x20-\x7e]/.test(piece)) return ANY_NAME;
    if (piece === ".") return "[.]";
    if (/^[0-9_,@%=~ :#!&';<>/-]$/.test(piece)) return piece;
    if (!/^[a-z]+$/i.test(piece)) return "[^/]";
    const letters = [...piece].map((letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`).join("");
    if (piece.length > 1) return `(${letters}|[^/]*${OTHER_LETTERS}[^/]*)`;
    return /[sk]/i.test(piece) ? `(${letters}|${OTHER_LETTERS})` : letters;
  });
}
