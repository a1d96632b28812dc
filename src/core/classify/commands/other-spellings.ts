import type { Line } from "../../shell/path-uses.ts";
import { nameOf } from "../../shell/program.ts";
import type { Word } from "../../shell/script.ts";
import { programOf } from "../../tables/launchers.ts";
import { meantBy, signalled } from "../../tables/namesakes.ts";

// The same command in other spellings that rules may use. The result is used only by rules that deny.

type Words = readonly string[];

/** Other names of the program: `pip3`, `git.exe`, `npm@latest`, `GIT`; then other spellings of the whole command. */
export function otherNames(words: Words): readonly Words[] {
  const [first = "", ...rest] = words;
  const program = first.includes("/") ? first : nameOf(programOf(first.toLowerCase())).replace(VERSION, "");
  const named = program === first ? words : [program, ...rest];
  const found: Words[] = named === words ? [] : [named];
  if (RESPELLED.test(program) || rest[0]?.startsWith("--coreutils-prog=") === true)
    found.push(
      ...inOtherCase(named),
      ...moduleOf(named),
      ...scriptOf(named),
      ...writtenOut(named),
      ...signalled(named),
    );
  for (const one of [named, ...found]) {
    const other = meantBy(one);
    if (other !== undefined) found.push(other);
  }
  return found;
}

/** Programs whose words have other spellings. The words of other programs are not examined. */
const RESPELLED =
  /^((redis|valkey|keydb)-cli|python|pypy|py|node|nodejs|ruby|perl|bash|sh|dash|zsh|cargo|rustc|rustdoc|(g|bsd)?tar|npm|chmod|kill|pkill|killall)$/;

const VERSION = /(?<=.)@[\w.^~-]+$/;

/** Programs that ignore case in their words. */
export const SHOUTED = /^(redis|valkey|keydb)-cli$/;

function inOtherCase([program = "", ...rest]: Words): readonly Words[] {
  if (!SHOUTED.test(program)) return [];
  return [[program, ...rest.map((word) => word.toLowerCase())]];
}

/** `python -I -m pip install a` is `pip install a`. */
function moduleOf([program = "", ...rest]: Words): readonly Words[] {
  if (!/^(python|pypy|py)$/.test(program)) return [];
  const at = rest.findIndex((word) => /^-[A-Za-z]*m/.test(word));
  const attached = rest[at]?.replace(/^-[A-Za-z]*?m/, "") ?? "";
  if (at < 0 || rest.slice(0, at).some((word, i) => !word.startsWith("-") && !/^-[WX]$/.test(rest[i - 1] ?? "")))
    return [];
  return attached === "" ? [rest.slice(at + 1)] : [[attached, ...rest.slice(at + 1)]];
}

/** `node /usr/bin/npm publish` is `npm publish`: a program that an interpreter runs. */
function scriptOf([program = "", ...rest]: Words): readonly Words[] {
  if (!/^(node|nodejs|python|ruby|perl|bash|sh|dash|zsh)$/.test(program)) return [];
  const at = rest.findIndex((word) => !word.startsWith("-"));
  const [, looked] = /^"?\$\((?:which|command -v|type -[pP]) ([\w.-]+)\)"?$/.exec(rest[at] ?? "") ?? [];
  if (looked !== undefined) return [[looked, ...rest.slice(at + 1)]];
  const [, name] = /\/s?bin\/(?:.*\/)?([\w.-]+?)(?:-cli)?(?:\.[cm]?js)?$/.exec(rest[at] ?? "") ?? [];
  return name === undefined ? [] : [[name, ...rest.slice(at + 1)]];
}

/** The goals of make can be in any order, between options and variables. */
export function goalsOf([program = "", ...rest]: Words): readonly Words[] {
  const goals = rest.filter((word, i) => !/^-|=/.test(word) && !/^-[fCIoWE]$/.test(rest[i - 1] ?? ""));
  return goals.map((goal) => [program, goal]);
}

/** Commands with words that have another spelling. */
function writtenOut([program = "", ...rest]: Words): readonly Words[] {
  const [second = ""] = rest;
  if (/^(cargo|rustc|rustdoc)$/.test(program) && second.startsWith("+")) return [[program, ...rest.slice(1)]];
  if (/^(g|bsd)?tar$/.test(program) && /^[A-Za-z]+$/.test(second)) return [[program, `-${second}`, ...rest.slice(1)]];
  const [, started] = /^--coreutils-prog=(.+)$/.exec(second) ?? [];
  if (started !== undefined) return [[started, ...rest.slice(1)]];
  if (program === "npm") return apartForNpm(rest);
  if (program !== "chmod") return [];
  return [[program, ...rest.map((word) => word.replace(/^0+(?=[0-7]{3}$)/, "").replace(/^(a|ugo)?=rwx$/, "777"))]];
}

/** `npm install -gf a` is `npm install -g -f a`, and `--location=global` is `-g`. */
function apartForNpm(rest: Words): readonly Words[] {
  const apart = rest.flatMap((word, i) => {
    if (/^--location=global$/.test(word) || (word === "global" && rest[i - 1] === "--location")) return ["-g"];
    if (word === "--location") return [];
    return /^-[a-zA-Z]{2,}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
  });
  return apart.length === rest.length && apart.every((word, i) => word === rest[i]) ? [] : [["npm", ...apart]];
}

/** So many options are tried both with and without the next word as value. All further ones are tried together. */
const TRIED = 5;

/** Rules name at most this many words of a command. */
const WORDS_NEAR = 4;

/** A word, and the next word if it is or may be its value. */
type Piece = { text: string; value: string | undefined; sure: boolean };

/**
 * The words of a command without the values of its options: `aws --profile p s3 rm x` is `aws s3 rm x`. For options
 * that the tables do not know, both readings are returned. The result is used only by rules that deny.
 */
export function wordsApart(line: Line): readonly (readonly string[])[] {
  const { words } = line.simple;
  if (isFlat(line)) return attached(line);
  if (!words.slice(1, reachOf(line)).some(({ text }) => text.startsWith("-"))) return [];
  const pieces = piecesOf(words, new Set([...line.given.values()].flat()));
  const unsure = pieces.filter(({ value, sure }) => value !== undefined && !sure);
  const open = unsure.slice(0, TRIED).map((piece) => [piece]);
  if (unsure.length > TRIED) open.push(unsure.slice(TRIED));
  const written = words.map(({ text }) => text).join("\n");
  const readings: (readonly string[])[] = [];
  for (let choice = 0; choice < 2 ** open.length; choice++) {
    const taking = new Set(open.filter((_, i) => (choice & (1 << i)) !== 0).flat());
    const reading = together(words[0]?.text ?? "", pieces, taking);
    if (reading.join("\n") !== written) readings.push(reading);
  }
  return readings;
}

/** A program without subcommands: its words are files, addresses and so on. */
function isFlat({ program, name, paths, urls, operands, class: kind }: Line): boolean {
  if (program === undefined || program.subs.size > 0 || name.includes(" ")) return false;
  return paths.length > 0 || urls.some((url) => operands.includes(url)) || /^(none|fs\.)/.test(kind);
}

/** `curl -sXPOST` and `curl --reques POST` become `curl -X=POST`: options in the spelling of the tables. */
function attached({ simple: { words }, operands, given }: Line): readonly (readonly string[])[] {
  const own = [...given].flatMap(([option, values]) => values.map((value) => ({ option, value })));
  const isPlain = (value: Word | undefined) =>
    value === undefined || words[words.indexOf(value) - 1]?.text.startsWith("--") === false;
  if (own.every(({ value }) => isPlain(value))) return [];
  const options = own.map(({ option, value }) => (value === undefined ? option : `${option}=${value.text}`));
  return [[words[0], ...operands].map((word) => word?.text ?? "").concat(options)];
}

/** The position up to which options matter: before the subcommand, if the tables know it. */
function reachOf({ program, name, named, simple }: Line): number {
  if (program === undefined || simple.more === "any") return simple.words.length;
  return name.includes(" ") && program.subs.size === 0 ? named : simple.words.length;
}

function piecesOf(words: readonly Word[], values: ReadonlySet<Word | undefined>): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = 1;
  for (let i = 1; i < words.length; i++) {
    const word = words[i] as Word;
    const next = words[i + 1];
    const isOption = word.text.startsWith("-") && word.text.length > 1;
    const sure = isOption && next !== undefined && values.has(next);
    const may = isOption && next !== undefined && plain < WORDS_NEAR && mayTake(word.text, next.text);
    pieces.push({ text: word.text, value: sure || may ? next?.text : undefined, sure });
    if (sure) i++;
    // A word that may be the value of the option before it is perhaps not a word of the command.
    if (!isOption && pieces.at(-2)?.value === undefined) plain++;
  }
  return pieces;
}

function mayTake(option: string, next: string): boolean {
  return !next.startsWith("-") && !/[=]/.test(option) && !ALONE.test(option);
}

/** Options that never take a value. */
const ALONE = /^(--no-.*|--quiet|--silent|--verbose|--debug|--json|--yes|--force|-[qyf]|--)$/;

/** The words first, then the options with their values. */
function together(program: string, pieces: readonly Piece[], taking: ReadonlySet<Piece>): readonly string[] {
  const words = [program];
  const options: string[] = [];
  let taken = false;
  for (const piece of pieces) {
    const { text, value, sure } = piece;
    const takes = value !== undefined && (sure || taking.has(piece));
    if (taken) taken = false;
    else if (text.startsWith("-") && text.length > 1) options.push(takes ? `${text}=${value}` : text);
    else words.push(text);
    if (takes && !sure) taken = true;
  }
  return [...words, ...options];
}
