import { plain, type Word } from "../shell/script.ts";
import type { Line, PathWord } from "../shell/uses.ts";

/** A place that a command names no path for, and may write all the same. */
export type Landing = { word: Word; act: "write" | "replace" };

/** What copies and moves aside, these put a file into a folder under the name it had. */
const PUTTING = /^(g?ln|link|scp|sftp|rsync|aws|gsutil|gcloud|gh release download|(kubectl|oc|docker|podman) cp)\b/;
const PACKED = /\.(gz|xz|bz2|zst|lz4|lzma|lzo|Z)$/;
const HIDDEN = /(^|\/)\.[^/.][^/]*\/*$/;

/**
 * Below a folder, by the name of what is put there; what a packed file is called without its ending; and all of a
 * hidden folder, whose place another may take.
 */
export function landingsOf(line: Line): readonly Landing[] {
  if (line.class === "fs.mkdir" || !line.paths.some(isKnownWrite)) return NONE;
  const into = line.paths.filter(isKnownWrite);
  const names = puts(line) ? namesPut(line) : [];
  return into.flatMap(({ word: { text } }) => [
    ...names.map((name): Landing => ({ word: named(`${text.replace(/\/+$/, "")}/${name}`), act: "write" })),
    ...(PACKED.test(text) ? [{ word: plain(text.replace(PACKED, "")), act: "write" } as const] : []),
    ...(HIDDEN.test(text) ? [{ word: plain(text), act: "replace" } as const] : []),
    ...names
      .filter((name) => HIDDEN.test(name))
      .map((name): Landing => ({ word: named(`${text.replace(/\/+$/, "")}/${name}`), act: "replace" })),
  ]);
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
