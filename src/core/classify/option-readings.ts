import type { Line } from "../shell/path-uses.ts";
import type { Word } from "../shell/script.ts";

/** So many options of which nobody knows whether the next word is theirs are tried both ways; all further ones alike. */
const TRIED = 5;
/** Commands that rules name have no more words than these. */
const WORDS_NEAR = 4;

/** An option, with the word behind it that is its value, surely or perhaps. */
type Piece = { text: string; value: string | undefined; sure: boolean };

/**
 * The words of a command without the values of its options: `aws --profile p s3 rm x` is `aws s3 rm x`. Of options that
 * the tables do not know both readings are given. Nobody relies on this; it is for rules that deny.
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

/** A program without subcommands: its words are files, addresses and the like. Of clouds the table knows no subcommand. */
function isFlat({ program, name, paths, urls, operands, class: kind }: Line): boolean {
  if (program === undefined || program.subs.size > 0 || name.includes(" ")) return false;
  return paths.length > 0 || urls.some((url) => operands.includes(url)) || /^(none|fs\.)/.test(kind);
}

/** `curl -sXPOST` and `curl --reques POST` are `curl -X=POST`: options by the spelling that the tables have for them. */
function attached({ simple: { words }, operands, given }: Line): readonly (readonly string[])[] {
  const own = [...given].flatMap(([option, values]) => values.map((value) => ({ option, value })));
  const isPlain = (value: Word | undefined) =>
    value === undefined || words[words.indexOf(value) - 1]?.text.startsWith("--") === false;
  if (own.every(({ value }) => isPlain(value))) return [];
  const options = own.map(({ option, value }) => (value === undefined ? option : `${option}=${value.text}`));
  return [[words[0], ...operands].map((word) => word?.text ?? "").concat(options)];
}

/** Where the options stand that matter: before the subcommand, if the tables know it. */
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
    // A word that may be the value of the option before it may be no word of the command.
    if (!isOption && pieces.at(-2)?.value === undefined) plain++;
  }
  return pieces;
}

function mayTake(option: string, next: string): boolean {
  return !next.startsWith("-") && !/[=]/.test(option) && !ALONE.test(option);
}

/** Options that stand alone with every program. */
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
