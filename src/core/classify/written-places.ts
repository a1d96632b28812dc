import type { Line, PathWord } from "../shell/path-uses.ts";
import { plain, type Word } from "../shell/script.ts";

/** A place that a command names no path for, and may write all the same; `linked` where that is so only of a link. */
export type Landing = { word: Word; act: "write" | "replace"; linked?: true };

/** What copies and moves aside, these put a file into a folder under the name it had. */
const PUTTING = /^(g?ln|link|scp|sftp|rsync|aws|gsutil|gcloud|gh release download|(kubectl|oc|docker|podman) cp)\b/;
const PACKED = /(\.(gz|z|zz|xz|bz2|bz|zst|lz4|lzma|lzo|lz|br)|-gz|[-_]z)$/i;
const HIDDEN = /(^|\/)\.[^/.][^/]*\/*$/;

/**
 * Below a folder, by the name of what is put there; what a packed file is called without its ending; and all of a
 * hidden folder, whose place another may take.
 */
export function landingsOf(line: Line): readonly Landing[] {
  if (line.class === "fs.mkdir" || !line.paths.some(isKnownWrite)) return NONE;
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

/** What is replaced may be kept under a name that the command makes up, and programs may obey it there. */
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

/** To sed a star in the suffix stands for the name of the file. */
function kept(path: string, suffix: string): string {
  if (!suffix.includes("*")) return path + suffix;
  const at = path.lastIndexOf("/") + 1;
  return path.slice(0, at) + suffix.replaceAll("*", path.slice(at));
}

/** Packed under a name with this suffix, or unpacked without it; another ending of plutil takes the place of the old one. */
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

/** `split -a1 a Makefil` makes a `Makefile` of the fifth piece. */
function piecesOf({ name, given }: Line, into: readonly PathWord[]): readonly Landing[] {
  if (!/^g?split$/.test(name)) return NONE;
  const letters = Number(given.get("-a")?.at(-1)?.text ?? "2");
  const suffix = given.get("--additional-suffix")?.at(-1)?.text ?? "";
  return into.map(({ word: { text } }) => ({
    word: named(`${text}${"?".repeat(Math.min(Math.max(letters || 0, 1), LETTERS_MAX))}${suffix}`),
    act: "write",
  }));
}

const LETTERS_MAX = 64;

/** A link that is copied as a link is a second way to whatever it leads to. */
function linksCopied({ name, given, paths }: Line): readonly Word[] {
  if (!/^(g?cp|rsync)$/.test(name) || given.has("-L") || !KEEPING_LINKS.some((option) => given.has(option))) return [];
  return paths.filter(({ act, word }) => act === "read" && word.kind === "plain").map(({ word }) => word);
}

const KEEPING_LINKS = ["-P", "-d", "-a", "-r", "-l"];

/** What a packed file is called when it is unpacked. */
export function unpackedName(path: string): string {
  return path.replace(PACKED, "");
}

const NONE: readonly Landing[] = [];

function isKnownWrite({ act, word }: PathWord): boolean {
  return act === "write" && word.kind !== "open";
}

/** What a pattern finds is put there under every name that fits it. */
function named(text: string): Word {
  return /[*?[]/.test(text) ? { kind: "glob", text } : plain(text);
}

/** The folders into which everything is poured that another folder holds, whatever that is. */
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
