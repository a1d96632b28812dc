import { graver } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { type Line, takeWord } from "../path-uses.ts";
import { mayBeSecret } from "../recursive-reads.ts";
import { inFolder, plain, type Word } from "../script.ts";

const INSIDE = say("note.files_named_in_archive");

/** The content of an archive is unknown: it may contain settings that programs follow, and links, at any depth. */
function doubtUnpacked(line: Line, to: Word | undefined): void {
  line.doubts.add(INSIDE);
  line.brings.push(to ?? plain("."));
}

/** A file that is shown from an archive is as secret as its name says. */
function showMember(line: Line, word: Word): void {
  if (word.kind !== "open" && /[*?[]/.test(word.text) && mayBeSecret(word.text)) line.besides.add("secrets.read");
  takeWord(line, "read", word);
}

/** Extracted files are put into the named folder, or else into the working folder. */
export function checkUnpack(line: Line, operands: () => void): void {
  operands();
  if (line.given.has("-p") || line.given.has("-c")) for (const word of line.operands.slice(1)) showMember(line, word);
  if (line.class !== "fs.write") return;
  doubtUnpacked(line, line.given.get("-d")?.at(-1));
  if (line.given.has("-:")) line.doubts.add(say("note.archive_may_write_outside"));
}

/** Of several options the last one counts: `-t -z` packs. */
export function checkModes(line: Line, operands: () => void): void {
  const looks = ["-t", "-l", "--list"].some((name) => line.given.has(name));
  if (looks && ["-d", "-z"].some((name) => line.given.has(name))) line.class = graver(line.class, "fs.write");
  operands();
  const unpacks = line.given.has("-d") || /^un|^gun/.test(line.name);
  // The original name of a packed file is stored in it, and may be anything.
  if (line.given.has("-N") && unpacks && !looks && line.class !== "fs.read")
    line.doubts.add(say("note.files_named_in_archive"));
  if (line.given.has("-r") && unpacks && !looks && line.class !== "fs.read")
    line.doubts.add(say("note.unpacked_files_not_examined"));
  if (line.given.has("-r") && line.given.has("-S") && line.class === "fs.write")
    line.doubts.add(say("note.suffix_names_not_examined"));
  if (line.given.has("-r") && line.class === "fs.write" && line.operands.some(({ text }) => WHOLE.test(text)))
    line.doubts.add(say("note.all_files_replaced"));
  // A packed file can be unpacked under another name.
  if (line.class === "fs.write") for (const word of line.operands) takeWord(line, "read", word);
}

/** The working folder, or one above it. */
const WHOLE = /^(\.{1,2}\/*)+$/;

/** Only listing an archive of this machine changes no file. */
export function checkCpio(line: Line, operands: () => void): void {
  operands();
  const archives = [...(line.given.get("-F") ?? []), ...(line.given.get("-I") ?? []), ...(line.given.get("-O") ?? [])];
  if (archives.some((word) => word?.text.includes(":"))) line.doubts.add(say("note.archive_may_be_on_other_machine"));
  if (line.class === "fs.read" && !line.given.has("-o") && !line.given.has("-p")) return;
  if (line.class === "none") return;
  line.doubts.add(say("note.files_named_in_input"));
  line.brings.push(plain("/"));
}

type Tar = {
  line: Line;
  mode: "" | "create" | "extract" | "list" | "change";
  archives: Word[];
  /** What is packed or extracted, and from which folder. */
  members: { folder: string; word: Word }[];
  folder: string;
  shown: boolean;
  loose: boolean;
};

const MODES: Readonly<Record<string, Tar["mode"]>> = {
  ...{ c: "create", create: "create", x: "extract", extract: "extract", get: "extract", t: "list", list: "list" },
  ...{ d: "list", diff: "list", compare: "list", r: "change", append: "change", u: "change", update: "change" },
  ...{ A: "change", catenate: "change", concatenate: "change", delete: "change" },
};
const LETTERS = /[zjJaZvpkmowhlWSiBnO]/;
const FLAGS = new Set(
  "gzip gunzip ungzip bzip2 xz zstd lzma lzip lzop compress uncompress auto-compress verbose totals keep-old-files skip-old-files keep-newer-files overwrite no-overwrite-dir no-same-owner no-same-permissions preserve-permissions same-permissions same-owner numeric-owner no-recursion recursion dereference one-file-system wildcards no-wildcards anchored no-anchored ignore-case sparse xattrs no-xattrs acls no-acls selinux no-selinux exclude-vcs exclude-vcs-ignores exclude-backups exclude-caches touch full-time utc show-transformed-names verify no-mac-metadata null force-local version help checkpoint".split(
    " ",
  ),
);
const VALUED = new Set(
  "exclude exclude-tag exclude-tag-all exclude-ignore strip-components owner group mode mtime sort format warning quoting-style blocking-factor record-size level newer newer-mtime after-date label hole-detection totals".split(
    " ",
  ),
);
const STARTING =
  "checkpoint-action to-command use-compress-program info-script new-volume-script rsh-command rmt-command".split(" ");

/** The options of tar are written with or without a dash, and some of them run programs. */
export function checkTar(line: Line): void {
  const tar: Tar = { line, mode: "", archives: [], members: [], folder: "", shown: false, loose: false };
  const words = line.simple.words.slice(1);
  const [first] = words;
  let at = 0;
  if (first?.kind === "plain" && /^[a-zA-Z]+$/.test(first.text)) at = takeLetters(tar, words, first.text, 1, true);
  while (at < words.length) at = takeTarWord(tar, words, at);
  if (line.simple.more !== undefined) line.doubts.add(say("note.more_words_known_only_at_run"));
  concludeTar(tar);
}

function takeTarWord(tar: Tar, words: readonly Word[], at: number): number {
  const word = words[at] as Word;
  const text = word.kind === "open" ? word.start : word.text;
  if (text.startsWith("--")) return takeLong(tar, words, at, text.slice(2));
  if (/^-./.test(text) && word.kind !== "open") return takeLetters(tar, words, text.slice(1), at + 1, false);
  // A file that a pattern matches may be named like an option that runs a program.
  if (word.kind === "open" ? text === "" : word.kind === "glob" && /^[*?[]/.test(text))
    tar.line.doubts.add(say("note.word_may_be_option"));
  tar.members.push({ folder: tar.folder, word });
  return at + 1;
}

/** Without a dash the values follow one after the other; with one, the rest of the word is the value. */
function takeLetters(tar: Tar, words: readonly Word[], letters: string, next: number, old: boolean): number {
  let at = next;
  for (const [i, letter] of [...letters].entries()) {
    const mode = MODES[letter];
    if (mode !== undefined) tar.mode = mode;
    else if (/[fCTXIb]/.test(letter)) {
      const rest = old ? "" : letters.slice(i + 1);
      takeValue(tar, letter, rest === "" ? words[at++] : plain(rest));
      if (rest !== "") break;
    } else if (letter === "P") tar.loose = true;
    else if (!LETTERS.test(letter))
      tar.line.doubts.add(say("note.option_unknown", { option: `-${letter}`, program: "tar" }));
    if (letter === "O") tar.shown = true;
  }
  return at;
}

const LONG: Readonly<Record<string, string>> = {
  ...{ file: "f", directory: "C", "files-from": "T", "exclude-from": "X", "use-compress-program": "I" },
};

function takeLong(tar: Tar, words: readonly Word[], at: number, text: string): number {
  const [name = "", value] = text.split(/=([\s\S]*)/);
  const given = value === undefined ? undefined : plain(value);
  const letter = LONG[name];
  const mode = MODES[name];
  const open = (words[at] as Word).kind === "open";
  if (open) tar.line.doubts.add(say("note.option_value_known_only_at_run"));
  if (letter !== undefined && name.length > 1) takeValue(tar, letter, given ?? words[at + 1]);
  else if (mode !== undefined && name.length > 1) tar.mode = mode;
  else if (name === "to-stdout") tar.shown = true;
  else if (name === "absolute-names" || name === "transform" || name === "xform") tar.loose = true;
  else if (name === "remove-files") tar.line.class = "fs.delete";
  else if (name.length > 1 && STARTING.some((one) => one.startsWith(name))) takeStarted(tar.line);
  else if (!FLAGS.has(name) && !VALUED.has(name))
    tar.line.doubts.add(say("note.option_unknown", { option: `--${name}`, program: "tar" }));
  const takesNext = letter !== undefined || VALUED.has(name) || name === "transform" || name === "xform";
  return at + (takesNext && given === undefined ? 2 : 1);
}

function takeStarted(line: Line): void {
  line.besides.add("process.exec");
  line.doubts.add(say("note.option_starts_program"));
}

function takeValue(tar: Tar, letter: string, word: Word | undefined): void {
  const { line } = tar;
  if (word === undefined) line.doubts.add(say("note.option_without_value", { option: `-${letter}`, program: "tar" }));
  else if (letter === "f") tar.archives.push(word);
  else if (letter === "C") {
    if (word.kind === "plain") tar.folder = inFolder(tar.folder, word.text);
    else line.doubts.add(say("note.folder_known_only_at_run"));
  } else if (letter === "T") takeWord(line, "list", word);
  else if (letter === "X") takeWord(line, "read", word);
  else if (letter === "I") takeWord(line, "program", word);
}

function concludeTar(tar: Tar): void {
  const { line, mode, members, folder } = tar;
  if (mode === "") line.doubts.add(say("note.tar_action_missing"));
  const writes = mode === "create" || mode === "change";
  for (const word of tar.archives) {
    if (/^[^/]*:/.test(word.text)) takeRemote(line);
    else takeWord(line, writes ? "write" : "read", word);
  }
  const place = ({ folder: from, word }: Tar["members"][number]): Word =>
    from === "" || word.kind === "open" ? word : { ...word, text: inFolder(from, word.text) };
  if (writes) for (const one of members) takeWord(line, "deep", place(one));
  if (mode === "extract" && tar.shown) for (const { word } of members) showMember(line, word);
  if (mode !== "extract" || tar.shown) return;
  if (members.length > 0) for (const one of members) takeWord(line, "write", place(one), { deep: true });
  else takeWord(line, "write", plain(folder === "" ? "." : folder), { deep: true });
  doubtUnpacked(line, plain(folder === "" ? "." : folder));
  if (tar.loose) line.doubts.add(say("note.archive_may_write_outside"));
}

/** `host:file` is an archive on another machine. */
function takeRemote(line: Line): void {
  line.class = graver(line.class, "network.write");
  line.doubts.add(say("note.archive_on_other_machine"));
}

const REMOTE = /^(?:rsync:\/\/(?:[^@/]*@)?([^/:]+)|(?:[^@/:]*@)?([^/:]*):)/;

/** The last word is the destination, the others are sources; each may be on another machine. */
export function checkRsync(line: Line): void {
  const { operands } = line;
  const dry = line.given.has("-n");
  if (dry) line.class = "fs.read";
  const deletes = line.class === "fs.delete" && line.given.has("--delete");
  const empties = line.class === "fs.delete" && line.given.has("--remove-source-files");
  for (const word of line.given.get("-f") ?? []) takeFilter(line, word);
  for (const [i, word] of operands.entries()) {
    const to = i === operands.length - 1 && i > 0 && !dry;
    const remote = REMOTE.exec(word.kind === "open" ? word.start : word.text);
    if (remote !== null) {
      // What is written here or deleted is recorded for its path.
      if (to || line.class !== "network.write") line.class = to ? "network.write" : "network.read";
      if (!to && !dry && operands.length > 1) line.doubts.add(say("note.other_machine_names_files"));
      line.hosts.push(plain(remote[1] ?? remote[2] ?? ""));
    } else if (!to) {
      takeWord(line, "deep", word);
      if (empties) takeWord(line, "delete", word, { deep: true });
    } else takeWord(line, deletes ? "delete" : "write", word, { deep: true });
  }
  if ((deletes || empties) && line.class !== "fs.delete") line.lasting = true;
  if (line.simple.more !== undefined) line.doubts.add(say("note.more_words_known_only_at_run"));
}

/** `merge name` and `. name` read further rules from a file, and print invalid lines. */
function takeFilter(line: Line, word: Word | undefined): void {
  if (word?.kind !== "plain") return void line.doubts.add(say("note.filter_known_only_at_run"));
  const named = /^\s*(?:(?:dir-)?merge|[.:])[^\s_]*[\s_]+(.*)$/s.exec(word.text)?.[1];
  if (named !== undefined) takeWord(line, "read", plain(named));
}
