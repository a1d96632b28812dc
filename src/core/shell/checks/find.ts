import { say } from "../../messages/message.ts";
import { UNREAD } from "../../tables/unread.ts";
import { type Line, startInner } from "../path-uses.ts";
import { findsSecrets, mayBeSecret } from "../recursive-reads.ts";
import type { Word } from "../script.ts";
import { foundBelow } from "./handed-words.ts";

const VALUED =
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -printf -fstype -lname -ilname -samefile -used -context";
const PLAIN =
  "-print -print0 -ls -prune -quit -empty -depth -d -daystart -follow -mount -xdev -noleaf -nouser -nogroup -readable -writable -executable -true -false -not -and -or -a -o ! ( ) , -H -L -P -nowarn -warn -ignore_readdir_race -noignore_readdir_race -E -X -s -x";
const valued = new Set(VALUED.split(" "));
const plain = new Set(PLAIN.split(" "));
const starting = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const writing = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"]);

/** Paths first, then an expression whose actions may delete, write or start other programs. */
export function checkFind(line: Line): void {
  const words = line.simple.words.slice(1);
  let at = 0;
  while (at < words.length && /^-[HLP]$/.test(words[at]?.text ?? "")) at++;
  const roots: Word[] = [];
  for (; at < words.length && !/^[-!(),]/.test(words[at]?.text ?? ""); at++) roots.push(words[at] as Word);
  if (roots.length === 0) roots.push({ kind: "plain", text: "." });
  for (const word of roots) {
    if (word.kind === "open" || (word.kind === "glob" && /^[*?[]/.test(word.text)))
      line.doubts.add(say("note.search_folder_known_only_at_run"));
    line.paths.push({ act: "read", deep: true, word });
  }
  while (at < words.length) at = takeExpression(line, words, at, roots);
  if (line.simple.more !== undefined) line.doubts.add(say("note.more_words_known_only_at_run"));
}

function takeExpression(line: Line, words: readonly Word[], at: number, roots: readonly Word[]): number {
  const { text, kind } = words[at] as Word;
  if (kind === "open") line.doubts.add(say("note.search_known_only_at_run"));
  else if (plain.has(text) || /^-O\d$/.test(text)) return at + 1;
  else if (valued.has(text) || /^-newer[aBcmt][aBcmt]$/.test(text)) return at + 2;
  else if (text === "-files0-from") {
    line.doubts.add(say("note.search_folder_known_only_at_run"));
    return at + 2;
  } else if (text === "-delete") {
    const found = roots.map((root) => foundByName(root, words.slice(0, at)) ?? root);
    for (const word of found) line.paths.push({ act: "delete", deep: true, word });
  } else if (writing.has(text)) {
    line.paths.push({
      act: "write",
      deep: false,
      word: words[at + 1] ?? { kind: "open", text: "", start: "", split: false },
    });
    return at + (text === "-fprintf" ? 3 : 2);
  } else if (starting.has(text)) {
    const folders = line.folders;
    // With `-execdir` the command runs in the folder of each file.
    if (text.endsWith("dir")) line.folders = undefined;
    const next = takeStarted(line, words, at + 1, roots);
    line.folders = folders;
    return next;
  } else line.doubts.add(say("note.search_part_unknown", { part: text }));
  return at + 1;
}

/** In a longer command the found names are not inserted word by word. */
const COMMAND_MAX = 32;

/** `-exec rm {} +` runs rm on everything found below the roots. */
function takeStarted(line: Line, words: readonly Word[], from: number, roots: readonly Word[]): number {
  let end = from;
  while (end < words.length && !/^[;+]$/.test(words[end]?.text ?? "")) end++;
  const byName = roots.map((root) => foundByName(root, words.slice(0, from - 1)));
  const found = foundBelow(
    roots.map((root) => root.text),
    words,
  );
  if (end - from > COMMAND_MAX) line.doubts.add(UNREAD.started);
  // `find` evaluates its expression from left to right: conditions after the command do not limit it.
  const all = findsSecrets(words.slice(0, from - 1));
  const command = words.slice(from, end).flatMap((word): readonly Word[] => {
    if (!word.text.includes("{}")) return [word];
    if (word.text !== "{}" || found === undefined || end - from > COMMAND_MAX)
      return [{ kind: "open", text: word.text, start: word.text.slice(0, word.text.indexOf("{}")), split: false }];
    if (byName.every((one) => one !== undefined)) return byName.map((one) => ({ ...one, all }));
    return found.map((text) => ({ kind: "glob", text: deeply(text), all }));
  });
  startInner(line, command, undefined);
  return end + 1;
}

/** A test, which is true or false for one file, and has a value. */
const TESTS =
  /^-(type|size|[acm](time|min)|newer|perm|user|group|maxdepth|mindepth|not|!|prune|empty|a|and|d|depth|xdev|mount)$/;

/**
 * If all tests before an action must be true, and one of them is a name, then only files and folders with that name are found.
 * Undefined in every other case, and if the root itself could have the name.
 */
function foundByName(root: Word, words: readonly Word[]): Extract<Word, { kind: "glob" }> | undefined {
  const start = words.findIndex(({ text }) => /^[-!(),]/.test(text) && !/^-[HLP]$/.test(text));
  if (root.kind !== "plain" || start === -1 || words.some(({ kind, text }) => kind !== "plain" || text === "-L"))
    return undefined;
  let name: string | undefined;
  for (let at = start; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    const isNot = /^(!|-not)$/.test(words[at - 1]?.text ?? "");
    if (/^-(i?name|i?path|wholename)$/.test(text)) {
      if (text === "-name" && !isNot) name = words[at + 1]?.text;
      at++;
    } else if (!TESTS.test(text) && text !== "!") return undefined;
    else if (valued.has(text)) at++;
  }
  const last = root.text.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const isClear = name !== undefined && /^[\w.*-]*[\w]{2}[\w.*-]*$/.test(name) && /^\.{0,2}$/.test(last);
  return isClear ? { kind: "glob", text: `${root.text.replace(/\/+$/, "")}/**/${name}`, named: true } : undefined;
}

/** `fd pattern folder -x rm` runs rm on what it finds. */
export function checkFd(line: Line, operands: () => void): void {
  operands();
  const [inner] = line.inner;
  if (inner === undefined || !("words" in inner)) return;
  line.inner.length = 0;
  const end = inner.words.findIndex((word) => word.text === ";");
  if (end !== -1 && end < inner.words.length - 1) line.doubts.add(say("note.after_command_not_examined"));
  const command = end === -1 ? inner.words : inner.words.slice(0, end);
  const roots = line.paths.filter((path) => path.act === "read" && path.deep).map(({ word }) => word);
  const names = namesFound(line);
  const endings = (line.given.get("-e") ?? []).map((word) => `*.${word?.text}`);
  const hidden = line.given.has("-H") || line.given.has("-u");
  const open = names.some(mayBeSecret) && (endings.length === 0 || endings.some(mayBeSecret));
  // A search for a part of a secret's name finds the secret.
  const all = open && (hidden || names.some((name) => /\w\w/.test(name) && mayBeSecret(name)));
  const named = names.filter((name) => name !== "*");
  const strips = line.given.get("--strip-cwd-prefix")?.some((word) => word?.text !== "never") === true;
  const found = roots.flatMap((root): readonly Word[] =>
    ["", ...named, ...endings].map((name) => {
      const start = strips && /^(\.\/*)+$/.test(root.text) ? "" : `${root.text}/`;
      return { kind: "glob", text: deeply(`${start}**/${name}`), all, open };
    }),
  );
  if (command.length > COMMAND_MAX || found.length > COMMAND_MAX) {
    line.doubts.add(UNREAD.started);
    startInner(line, command, undefined);
    return;
  }
  const filled = command.flatMap((word) => (word.text === "{}" ? found : [marked(word)]));
  startInner(line, command.some((word) => MARK.test(word.text)) ? filled : [...filled, ...found], undefined);
}

/** Patterns of the names that `fd` searches: a part of the name, or of the whole path, as a regular expression or literally. */
function namesFound({ operands, given }: Line): readonly string[] {
  const text = operands[0]?.text ?? "";
  if (given.has("-g")) return [text === "" ? "*" : text];
  const part = given.has("-F")
    ? text
    : text
        .replace(/\\(?=\W)|[\^$]/g, "")
        .replace(/.\*/g, "*")
        .replaceAll(".", "?");
  const names = /^[\w.*?-]+$/.test(part) ? [`*${part}*`.replace(/\*{2,}/g, "*")] : [];
  return names.length === 0 || given.has("-p") ? [...names, "*"] : names;
}

/** A root stands for everything below it; a name at the end only for itself. */
function deeply(text: string): string {
  const path = text.replace(/\/$/, "");
  return path.includes("*") ? path : `${path}/**`;
}

const MARK = /\{(\/{0,2}|\.|\/\.)\}/;

function marked(word: Word): Word {
  const at = word.text.search(MARK);
  return at === -1 ? word : { kind: "open", text: word.text, start: word.text.slice(0, at), split: false };
}
