import { resolve } from "node:path";
import { classify } from "../../src/core/classify/classify.ts";
import { readCall } from "../../src/core/classify/reading.ts";
import type { Line } from "../../src/core/shell/path-uses.ts";
import type { Simple, Word } from "../../src/core/shell/script.ts";
import { understand } from "../../src/core/shell/understand.ts";
import { commandCall, knowing } from "../cases/trying.ts";
import type { Start, Trace } from "./sandbox.ts";

export function isFully(script: string): boolean {
  const call = commandCall(script);
  return classify(readCall(call), knowing(call)).understood === "fully";
}

/** What bash did with a script that the parser did not find, in words for the person who must fix it. */
export function unseen(script: string, trace: Trace): readonly string[] {
  const { lines } = understand({ line: script });
  const seen = { lines, trace };
  return [
    ...trace.starts.flatMap((start) => unseenStart(start, seen)),
    ...trace.wrote
      .filter((path) => !lines.some((line) => writes(line, path, seen)))
      .map((path) => `it wrote ${path}, which no line says`),
  ];
}

type Seen = { lines: readonly Line[]; trace: Trace };

function unseenStart(start: Start, seen: Seen): readonly string[] {
  const said = `${start.name} ${JSON.stringify(start.words)}`;
  const fitting = seen.lines.filter(({ simple }) => isStart(simple, start, seen));
  if (fitting.length === 0) return [`it started ${said}, which no line says`];
  return fitting.some((line) => isIn(line.simple.folders, start.folder, seen))
    ? []
    : [`it started ${said} in ${start.folder}, which no line says`];
}

function isStart({ words, more }: Simple, start: Start, seen: Seen): boolean {
  const [first, ...rest] = words;
  if (first?.kind !== "plain" || (first.text.split("/").at(-1) ?? "") !== start.name) return false;
  return fits(rest, start.words, { ...seen, folder: start.folder, more: more !== undefined });
}

type Fitting = Seen & { folder: string; more: boolean };

function fits(ours: readonly Word[], real: readonly string[], how: Fitting): boolean {
  const [word, ...rest] = ours;
  if (word === undefined) return how.more || real.length === 0;
  const most = mayBeMany(word) ? real.length : Math.min(1, real.length);
  const least = (word.kind === "open" && mayBeMany(word)) || word.text.includes("**") ? 0 : 1;
  for (let count = least; count <= most; count++) {
    if (count > 0 && !isWord(word, real[count - 1] ?? "", how)) return false;
    if (fits(rest, real.slice(count), how)) return true;
  }
  return false;
}

function mayBeMany(word: Word): boolean {
  return word.kind === "glob" || (word.kind === "open" && (word.split || word.text.includes("@")));
}

function isWord(word: Word, real: string, how: Fitting): boolean {
  if (word.kind === "open") return real.startsWith(word.start) || !word.split || word.start === "";
  if (word.kind === "glob") return word.text === real || patternOf(word.text).test(real.replace(/^\.\//, ""));
  const texts = [word.text, word.text.replace(/(^|[=:])~(?=\/|$)/g, `$1${how.trace.home}`)];
  if (texts.includes(real)) return true;
  // `$PWD` is the folder in which it runs, whatever its name.
  if (/^\.(\/|$)/.test(word.text) && resolve(how.folder, word.text) === resolve(real)) return real.startsWith("/");
  // The number that the shell gives to its own pipe depends on how many there are.
  return word.text.includes(PIPE) && real.replace(/\/dev\/fd\/\d+/g, PIPE) === word.text;
}

const PIPE = "/dev/fd/63";

function patternOf(glob: string): RegExp {
  const text = glob
    .replace(/^\.\//, "")
    .replace(/\*\*\//g, "*")
    .replace(/\[[!^]?\]?[^\]]*\]|[*?]|[^\w]/g, (part) =>
      part === "*" ? "[^]*" : part === "?" || part.length > 1 ? "[^]" : `\\${part}`,
    );
  return new RegExp(`^${text}$`);
}

function isIn(folders: Simple["folders"], real: string, { trace }: Seen): boolean {
  return folders === undefined || folders.some((folder) => placed(folder, "", trace) === real);
}

function placed(folder: string, path: string, { here, home }: Trace): string {
  const spelled = (text: string) => text.replace(/^~(?=\/|$)/, home);
  return resolve(here, spelled(folder), spelled(path));
}

function writes({ simple, folders, paths }: Line, path: string, seen: Seen): boolean {
  const named = [
    ...simple.redirects.filter((one) => one.writes).map(({ to }) => ({ word: to, from: simple.folders })),
    ...paths.filter(({ act }) => act !== "read").map(({ word }) => ({ word, from: folders })),
  ];
  return named.some(({ word, from }) => {
    if (word.kind === "open" || from === undefined) return true;
    return from.some((folder) => isPath(word, placed(folder, word.text, seen.trace), path, seen));
  });
}

function isPath(word: Word, text: string, path: string, { trace }: Seen): boolean {
  const real = resolve(trace.here, path);
  return text === real || (word.kind === "glob" && patternOf(text).test(real));
}
