import { type Message, say } from "../messages/message.ts";
import { UNREAD } from "../tables/unread.ts";
import { type Assigned, isDigits, plain, type Script, type Simple, TEXT_MAX, type Word } from "./script.ts";

/**
 * A text for PowerShell, cmd or an unknown shell. It is split wherever any of them might start a command, and never
 * counts as understood: rules that refuse see every piece, and the call asks.
 */
export function readForeign(text: string): Script {
  const long = text.length > TEXT_MAX;
  // Backtick and caret continue a line at its end, and otherwise only hide a letter.
  const unescaped = text.replace(/[`^]\r?\n/g, " ").replace(/[`^]/g, "");
  const texts = long ? [] : unescaped === text ? [text] : [text, unescaped];
  const pieces = texts.flatMap((one) => one.split(/[;&|\n\r(){}`]|\$\(/));
  const simples = pieces.flatMap((piece): Simple[] => {
    const words = piece
      .replace(/["'^]/g, "")
      .replaceAll("\\", "/")
      .split(/\s+/)
      .filter((word) => word !== "");
    return namesOf(words).map((one) => ({ words: one.map(plain), sets: [], redirects: [], folders: undefined }));
  });
  return {
    simples,
    sets: [],
    shadowed: new Set(),
    digits: new Set(),
    doubts: [long ? UNREAD.long : say("note.shell_grammar_not_examined")],
    readable: !long,
  };
}

/** The words as they are written, and with the bare name of the program: programs are in any folder on Windows. */
function namesOf(words: readonly string[]): readonly (readonly string[])[] {
  const [program, ...rest] = words;
  if (program === undefined) return [];
  const bare = program.slice(program.lastIndexOf("/") + 1);
  return bare === program || bare === "" ? [words] : [words, [bare, ...rest]];
}

/**
 * Why a text may mean something else in a shell that is not bash. Every text is parsed with bash's grammar. Other shells read some texts as other words without refusing them, and then
 * what was parsed is not what runs. This says for which texts this cannot happen.
 */
export function dialectDoubt(
  shell: string,
  text: string,
  script: Pick<Script, "simples" | "sets">,
): Message | undefined {
  const alike =
    shell === "rbash" ||
    (SMALL.test(shell)
      ? !isOther(text, script.simples)
      : LARGE.test(shell) && !isSpecial(text) && !actsOtherwise(text, script));
  return alike ? undefined : say("note.shell_reads_differently", { shell });
}

/** The shell that a program starts when it gives a text to the system. */
export const SYSTEM_SHELL = "sh";

/** The shell in which the command itself is. */
export const SAME_SHELL = "same";

const SMALL = /^(sh|dash|ash)$/;

const LARGE = /^(zsh|ksh|mksh)$/;

/** Characters and words that the smallest shells read in another way or do not know. */
const BASH_ONLY = new RegExp(
  [
    "\\$['\"[]",
    // Braces without a following space become several words, or one, or the number of an open file.
    "(?<!\\$)\\{(?!\\s)",
    "&>",
    ">&(?![-\\d])",
    "\\[\\[",
    "\\(\\(",
    "\\+=",
    "\\w\\[[^\\]]*\\]=",
    // Small shells do not redirect a descriptor with two digits: `rm 10>a` deletes the file 10.
    "\\d\\d[<>]",
    "\\b(function|declare|typeset|local|readonly|export|select|coproc|source|shopt|mapfile|readarray|let)\\b",
    // A program, and not a part of the grammar: it starts programs only, so what builtins and functions would do does not happen.
    "(?<=^|[\\s;&|(){}!])time\\s",
    "\\b(builtin|enable|pushd|popd|dirs|compgen|complete|caller|bind)\\b",
    // Bash sets these variables by itself; in other shells they are ordinary variables.
    "\\b(RANDOM|SECONDS|LINENO|UID|EUID|PPID|BASHPID|EPOCHSECONDS)\\b",
  ].join("|"),
);

function isOther(text: string, simples: readonly Simple[]): boolean {
  return BASH_ONLY.test(text) || simples.some(keepsAssignment);
}

/** `A=1 export B` sets A permanently in every shell except bash. */
function keepsAssignment({ sets, words }: Simple): boolean {
  return sets.length > 0 && KEEPING.has(words[0]?.text ?? "");
}

export const KEEPING: ReadonlySet<string> = new Set(
  ": . break continue eval exec exit export readonly return set shift times trap unset command".split(" "),
);

/** Characters that mean more in one of the large shells than in bash, and two words after `cd`, which replace a part of the path. */
function isSpecial(text: string): boolean {
  return /[^\w\s./:,@%+;&|<>'"$()-]|\$['"(]?\(|\$[\w+]+[:+]|\$\+|<\d|[<>]\(|\d\d[<>]|\bcd\s+[^\s;&|]+\s+[^\s;&|]/.test(
    text,
  );
}

/** Parsed in the same way, but executed differently: because of the shell's variables, its numbers, or the end of a pipeline. */
function actsOtherwise(text: string, { simples, sets }: Pick<Script, "simples" | "sets">): boolean {
  return (
    sets.some(({ name }) => TIED.test(name)) ||
    simples.some(countsWords) ||
    simples.some(showsFile) ||
    keepsPipeline(text, simples)
  );
}

/** For `< a` without a command zsh starts a pager. */
function showsFile({ words, redirects, span }: Simple): boolean {
  return span !== undefined && words.length === 0 && redirects.some(({ writes }) => !writes);
}

/** Variables by which zsh finds programs, functions and folders; it starts the programs that the last two name. */
const TIED = /^(path|fpath|cdpath|manpath|mailpath|module_path|fignore|argv|TMPPREFIX|READNULLCMD|NULLCMD)$/;

/** zsh evaluates the numbers that its builtins get, and so runs commands in the subscripts within them. */
function countsWords({ words }: Simple): boolean {
  const at = words.findIndex(({ text }) => COUNTS.test(text));
  if (at === -1) return false;
  const [first, ...others] = words.slice(at);
  if (first?.text !== "printf") return others.some(isUnsure);
  return others.some(({ text }) => TIED.test(text)) || (others.some(isUnsure) && others.some(mayFormatNumbers));
}

const COUNTS = /^(exit|return|break|continue|shift|logout|bye|read|test|printf)$/;

function isUnsure(word: Word): boolean {
  return word.kind !== "plain" && !isDigits(word);
}

function mayFormatNumbers({ kind, text }: Word): boolean {
  return kind === "plain" && /%[^%sbqc]/.test(text.replaceAll("%%", ""));
}

/** The last command of a pipeline runs in the shell itself: its changes of folder and variables stay. */
function keepsPipeline(text: string, simples: readonly Simple[]): boolean {
  const words = new Set(simples.flatMap((simple) => simple.words.map((word) => word.text)));
  const moves = ["cd", "chdir", "pushd", "popd", "eval"].some((word) => words.has(word));
  return /(?<!\|)\|(?!\|)/.test(text) && (moves || (words.has("read") && /\bfor\b/.test(text)));
}

/**
 * A host that runs commands itself chooses the shell, and on many machines that is zsh. Both shells read most texts in
 * the same way. These are texts that mean little to bash but make zsh run, write or find something else.
 */
export const ZSH_DOUBT = say("note.shell_reads_differently", { shell: "zsh" });

export function isOtherInZsh(text: string, { simples, sets }: Pick<Script, "simples" | "sets">): boolean {
  return simples.some(isCountedOrNamed) || sets.some(isTied) || changesValue(text, sets);
}

/** Variables by which zsh finds programs, functions and folders; it starts the programs that the last two name. */
const ZSH_TIED = /^(fpath|cdpath|mailpath|module_path|TMPPREFIX|READNULLCMD|NULLCMD)$/;

/** `path=a` is common in bash, `path=(a b)` and `path[1]=a` are not. */
function isTied({ name, value }: Assigned): boolean {
  const listed = name === "path" && value.kind === "open" && /^path(\[|\+?=\()/.test(value.text);
  return listed || ZSH_TIED.test(name) || holdsCommand(value.text);
}

function isCountedOrNamed({ words, sets }: Simple): boolean {
  const [first, ...others] = words;
  if (sets.some(isTied) || others.some(({ text }) => SUBSCRIPTED.test(text))) return true;
  if (first?.text === "hash") return others.some(({ text }) => text.includes("="));
  return COUNTING.test(first?.text ?? "") && others.some(({ kind, text }) => kind === "plain" && holdsCommand(text));
}

/** `$a[…]` is one element in zsh, and the content of the brackets is evaluated. */
const SUBSCRIPTED = /\$\w+\[[\s\S]*(\$\(|`)/;

/** Builtins that take numbers or names, for which zsh runs commands in the subscripts within them. */
const COUNTING =
  /^(exit|return|break|continue|shift|logout|printf|read|test|\[|unset|export|declare|typeset|local|readonly|getopts|let|ulimit|kill|wait|umask|sleep)$/;

/** A text with a command in the subscript of a variable: evaluating it runs that command. */
function holdsCommand(text: string): boolean {
  return /\w\[[^\]]*(\$\(|`)/.test(text);
}

/** `$a:r` is a without its last extension, if a is a variable of the text itself. */
function changesValue(text: string, sets: readonly Assigned[]): boolean {
  if (sets.length === 0 || !text.includes(":")) return false;
  return [...text.matchAll(CHANGED)].some(([, name]) => sets.some((one) => one.name === name));
}

const CHANGED = /\$(\w+):(?:[hrtaAcelPqQux](?![\w.])|g?s[^\w\s])/g;
