import type { Line, PathWord } from "../../shell/path-uses.ts";
import { inFolder, plain, type Word } from "../../shell/script.ts";
import { type GivenCommand, type Understanding, understand } from "../../shell/understand.ts";
import { expanded, globRoot, isWild } from "../glob.ts";
import { type MentionedPaths, mentionedBy } from "./mentioned.ts";

/** A command, read once: the programs that it would start, and the places that each of them names. */
export type ReadCommand = {
  readonly given: GivenCommand;
  readonly found: Understanding;
  /** For each line of `found`. */
  readonly places: readonly Places[];
};

export function readCommand(given: GivenCommand): ReadCommand {
  const found = understand(given);
  return { given, found, places: found.lines.map(placesIn) };
}

/** The places that a line names, in the order of its paths, its redirections and its landings. */
export type Places = {
  paths: readonly (readonly string[])[];
  /** Patterns for everything below these paths that the program reaches. */
  searched: readonly (readonly string[])[];
  /** Patterns for links below these paths that the program treats like files of its own kind. */
  linked: readonly (readonly string[])[];
  redirects: readonly (readonly string[])[];
  landings: readonly (Landing & { places: readonly string[] })[];
  mentioned: MentionedPaths | undefined;
};

export function placesIn(line: Line): Places {
  const { simple, folders } = line;
  const isNamed = line.paths.length > 0;
  return {
    paths: isNamed ? pathsOf(line) : [],
    searched: line.paths.map((path) => searchedFrom(path, line)),
    linked: line.paths.map((path) => linkedFrom(path, line)),
    redirects: simple.redirects.map(({ to }) => placesOf(to, simple.folders)),
    landings: (isNamed ? landingsOf(line) : NO_LANDINGS).map((one) => ({
      ...one,
      places: placesOf(one.word, folders),
    })),
    mentioned: mentionedBy(line),
  };
}

/**
 * If the program follows links, or if it gets the names of files from another program, every link below counts. If it
 * shows everything, every secret below counts.
 */
function searchedFrom({ word, deep, handed, all, open }: PathWord, line: Line): readonly string[] {
  const shown = all === true || open === true;
  if (word.kind === "open" || !deep || (handed !== true && !shown && !followsLinks(line))) return NONE;
  return placesOf(word, line.folders).map((place) => `${place}/**`);
}

function linkedFrom({ word, act }: PathWord, line: Line): readonly string[] {
  const names = act === "delete" || word.kind === "open" ? undefined : formattedNames(line);
  return names === undefined ? NONE : placesOf(word, line.folders).map((place) => `${place}/**/${names}`);
}

const NONE: readonly string[] = [];

/** If several words of a line stand for the same place and the same is done to it, the place is listed once. */
function pathsOf(line: Line): readonly (readonly string[])[] {
  const { paths, folders } = line;
  const places = (path: PathWord) => placesOf(wordOf(path, line), folders);
  if (paths.length < SEVERAL) return paths.map(places);
  const seen = new Set<string>();
  return paths.map((path) => {
    const { word, act, deep, all } = path;
    return places(path).filter((place) => {
      const key = `${act} ${deep} ${all} ${word.kind} ${place}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  });
}

/**
 * `rm` without its option for folders removes the files that a pattern at the end of its word matches: neither the folder that the
 * pattern starts from, nor what is in folders below.
 */
function wordOf({ act, deep, word }: PathWord, { name }: Line): Word {
  if (name !== "rm" || act !== "delete" || deep || word.kind !== "glob") return word;
  return isWild(word.text.slice(0, word.text.lastIndexOf("/") + 1)) ? word : { ...word, named: true };
}

/** Paths are compared only if there are at least this many. */
const SEVERAL = 4;

/** The paths that a word stands for, from every folder that the program may work in. Without a folder: the word as it is. */
export function placesOf(word: Word, folders: Line["folders"] = ANYWHERE): readonly string[] {
  if (word.kind !== "glob" || !isWild(word.text)) return folders.map((folder) => inFolder(folder, word.text));
  const texts = expanded(word.text);
  if (word.named !== true) texts.push(...texts.map(globRoot));
  return folders.flatMap((folder) => texts.map((text) => inFolder(folder, text)));
}

const ANYWHERE: readonly string[] = [""];

/** A place that no word of the command names, but that it may write. `linked`: only if the place is a link. */
type Landing = { word: Word; act: "write" | "replace"; linked?: true };

/** Besides copying and moving, these programs put a file into a folder under its own name. */
const PUTTING = /^(g?ln|link|scp|sftp|rsync|aws|gsutil|gcloud|gh release download|(kubectl|oc|docker|podman) cp)\b/;

const PACKED = /(\.(gz|z|zz|xz|bz2|bz|zst|lz4|lzma|lzo|lz|br)|-gz|[-_]z)$/i;

const HIDDEN = /(^|\/)\.[^/.][^/]*\/*$/;

/**
 * The landings of a line: a file in a folder, under the name of what is put there; the name of a packed file without
 * its ending; and everything in a hidden folder, because another folder may replace it.
 */
function landingsOf(line: Line): readonly Landing[] {
  if (line.class === "fs.mkdir" || !line.paths.some(isKnownWrite)) return NO_LANDINGS;
  const into = line.paths.filter(isKnownWrite);
  const names = puts(line) ? namesPut(line) : [];
  const links = linksCopied(line).map((word): Landing => ({ word, act: "write", linked: true }));
  const landings = into.flatMap(({ word: { text } }): readonly Landing[] => [
    ...names.map((name): Landing => ({ word: named(`${text.replace(/\/+$/, "")}/${name}`), act: "write" })),
    ...(PACKED.test(text) ? [{ word: plain(unpackedName(text)), act: "write" } as const] : []),
    ...(HIDDEN.test(text) ? [{ word: plain(text), act: "replace" } as const] : []),
    ...names
      .filter((name) => HIDDEN.test(name))
      .map((name): Landing => ({ word: named(`${text.replace(/\/+$/, "")}/${name}`), act: "replace" })),
  ]);
  return [...landings, ...links, ...backupsOf(line, into, names), ...piecesOf(line, into), ...suffixedBy(line, into)];
}

/** A file that is replaced may be kept under a new name, and programs may obey it there. */
function backupsOf(line: Line, into: readonly PathWord[], names: readonly string[]): readonly Landing[] {
  const options = /^(g?sed)$/.test(line.name)
    ? ["-i", "-I"]
    : /^(g?(cp|mv|ln|install)|rsync)$/.test(line.name)
      ? ["--suffix"]
      : [];
  const suffixes = options.flatMap((option) => line.given.get(option) ?? []).map((word) => word?.text ?? "");
  return suffixes
    .filter((suffix) => suffix !== "")
    .flatMap((suffix) =>
      into.flatMap(({ word: { text } }) =>
        [text, ...names.map((name) => `${text}/${name}`)].map((path) => kept(path, suffix)),
      ),
    )
    .map((text) => ({ word: named(text), act: "write" }));
}

/** For sed, a star in the suffix stands for the name of the file. */
function kept(path: string, suffix: string): string {
  if (!suffix.includes("*")) return path + suffix;
  const at = path.lastIndexOf("/") + 1;
  return path.slice(0, at) + suffix.replaceAll("*", path.slice(at));
}

/** A packer adds the suffix that is given to it, or removes it. plutil replaces the old ending. */
function suffixedBy({ name, given }: Line, into: readonly PathWord[]): readonly Landing[] {
  const endings = (name === "plutil" ? given.get("-e") : PACKING.test(name) ? given.get("-S") : undefined) ?? [];
  return endings.flatMap((ending) =>
    into.flatMap(({ word: { text } }): readonly Landing[] => {
      const suffix = ending?.kind === "open" ? "*" : (ending?.text ?? "");
      const names =
        name === "plutil"
          ? [`${text.replace(/\.[^./]*$/, "")}.${suffix}`]
          : [`${text}${suffix}`, ...(suffix !== "" && text.endsWith(suffix) ? [text.slice(0, -suffix.length)] : [])];
      return names.map((made) => ({ word: named(made), act: "write" }));
    }),
  );
}

const PACKING = /^(g(un)?zip|(un)?pigz|b(un)?zip2|(un)?compress|(un)?xz|(un)?lzma|pixz|(un)?brotli)$/;

/** `split -a1 a Makefil` names the fifth piece `Makefile`. */
function piecesOf({ name, given }: Line, into: readonly PathWord[]): readonly Landing[] {
  if (!/^g?split$/.test(name)) return NO_LANDINGS;
  const letters = Number(given.get("-a")?.at(-1)?.text ?? "2");
  const suffix = given.get("--additional-suffix")?.at(-1)?.text ?? "";
  return into.map(({ word: { text } }) => ({
    word: named(`${text}${"?".repeat(Math.min(Math.max(letters || 0, 1), LETTERS_MAX))}${suffix}`),
    act: "write",
  }));
}

const LETTERS_MAX = 64;

/** A link that is copied as a link also leads to the same file. */
function linksCopied({ name, given, paths }: Line): readonly Word[] {
  if (!/^(g?cp|rsync)$/.test(name) || given.has("-L") || !KEEPING_LINKS.some((option) => given.has(option))) return [];
  return paths.filter(({ act, word }) => act === "read" && word.kind === "plain").map(({ word }) => word);
}

const KEEPING_LINKS = ["-P", "-d", "-a", "-r", "-l"];

/** The name of a packed file after unpacking. */
export function unpackedName(path: string): string {
  return path.replace(PACKED, "");
}

const NO_LANDINGS: readonly Landing[] = [];

function isKnownWrite({ act, word }: PathWord): boolean {
  return act === "write" && word.kind !== "open";
}

/** Files found by a pattern are put there under any name that matches it. */
function named(text: string): Word {
  return /[*?[]/.test(text) ? { kind: "glob", text } : plain(text);
}

/** The folders that get everything that is in another folder. */
export function pouredInto(line: Line): readonly PathWord[] {
  if (line.paths.length < 2 || !puts(line)) return [];
  const isWhole = line.given.has("-T") && (line.given.has("-r") || line.given.has("-a"));
  const pours = isWhole || line.paths.some(({ act, word }) => act !== "write" && /(^|\/)(\.|\*{0,2})$/.test(word.text));
  return pours ? line.paths.filter(({ act }) => act === "write") : [];
}

function puts(line: Line): boolean {
  return line.class === "fs.copy" || line.class === "fs.move" || PUTTING.test(line.name);
}

function namesPut({ simple, given }: Line): readonly string[] {
  const texts = simple.words.slice(1).map((word) => word.text);
  const whole = given.has("--parents") ? texts : [];
  const last = texts.map((text) => text.replace(/\/+$/, "").split(/[/:]/).at(-1) ?? "");
  return [...new Set([...whole, ...last])].filter((name) => !/^(-.*|\.{0,2}|\*+)$/.test(name));
}

/** The normalised folder in which a command runs, and the names of the variables that the tool sets for it. */
export type Where = { cwd: string | undefined; env: readonly string[] };

/** Options with which programs that go through folders also follow links there. */
const FOLLOWING: readonly (readonly [programs: RegExp, option: RegExp])[] = [
  [/^([efz]|bz|xz)?grep$/, /^(-[a-zA-Z\d]*R|--deref)/],
  [/^(rg|ripgrep|fd|fdfind)$/, /^(-[a-zA-Z\d.]*L|--follow)/],
  [/^(ag|ack)$/, /^(-[a-zA-Z\d]*f|--follow)/],
  [/^(ug|ugrep)$/, /^(-[a-zA-Z\d]*[RS]|--deref)/],
  [/^(g?tar|bsdtar|pax|cpio)\b/, /^(-?[a-zA-Z\d]*[hHL]|--deref)/],
  [/^g?cp$/, /^(-[a-zA-Z]*[HL]|--deref)/],
  [/^rsync$/, /^(-[a-zA-Z\d]*[Lk]|--copy-(links|unsafe-links|dirlinks))/],
  [/^zip$/, /^(-[a-zA-Z\d]*[rR]|--recurse)/],
  [/^7z[arz]?\b/, /^[au]$/],
  [/^(g?diff|colordiff|sdiff)$/, /^(-[a-zA-Z\d]*r|--rec)/],
];

/** Programs that show or rewrite files with these names in given folders, and follow links with such names. */
const FORMATTED: readonly (readonly [programs: RegExp, names: string])[] = [
  [/^(gofmt|goimports|gofumpt)$/, "*.go"],
  [/^(terraform|tofu) fmt$/, "*.tf*"],
  [/^(ruff (check|format)|black|isort|bandit|pyflakes3?|pycodestyle|pydocstyle|vulture)$/, "*.py*"],
  [/^shfmt$/, "*sh"],
  [/^(biome \w+|deno fmt)$/, "*.*s*"],
  [/^yamllint$/, "*.y*ml"],
];

/** The programs in `FORMATTED`. */
const FORMATTING =
  /^(gofmt|goimports|gofumpt|terraform|tofu|ruff|black|isort|bandit|pyflakes|pycodestyle|pydocstyle|vulture|shfmt|biome|deno|yamllint)/;

/** A pattern for the file names that a program looks for in folders. */
function formattedNames({ name }: Line): string | undefined {
  if (!FORMATTING.test(name)) return undefined;
  return FORMATTED.find(([programs]) => programs.test(name))?.[1];
}

/** Options with which links are not followed. */
const KEEPING = /^(--no-dereference|--symlinks|-snl|-[a-zA-Z\d]*y)$/;

export function followsLinks({ name, simple }: Line): boolean {
  const option = FOLLOWING.find(([programs]) => programs.test(name))?.[1];
  if (option === undefined) return false;
  const words = simple.words.slice(1).map(({ text }) => text);
  return words.some((text) => option.test(text)) && !words.some((text) => KEEPING.test(text));
}
