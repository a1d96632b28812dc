import { type Message, say } from "../messages/message.ts";
import { isDigits, type Script, type Simple, type Word } from "./script.ts";

/**
 * Every text is read with bash's grammar. Other shells take some texts for other words without refusing them, and then
 * what was read is not what runs. This says of which texts that is known not to happen.
 */
export function dialectDoubt(
  shell: string,
  text: string,
  script: Pick<Script, "simples" | "sets">,
): Message | undefined {
  const alike =
    isBash(shell) ||
    (SMALL.test(shell)
      ? !isOther(text, script.simples)
      : LARGE.test(shell) && !isSpecial(text) && !actsOtherwise(text, script));
  return alike ? undefined : say("note.shell_reads_differently", { shell });
}

/** The shell that a program starts which hands a text to the system. */
export const SYSTEM_SHELL = "sh";
/** The shell that the command itself stands in. */
export const SAME_SHELL = "same";

export function isBash(shell: string): boolean {
  return shell === "bash" || shell === "rbash";
}

const SMALL = /^(sh|dash|ash)$/;
const LARGE = /^(zsh|ksh|mksh)$/;

/** Signs and words that the smallest shells know in another way or not at all. */
const BASH_ONLY = new RegExp(
  [
    "\\$['\"[]",
    // Braces that no space follows become several words, or one, or the number of an open file.
    "(?<!\\$)\\{(?!\\s)",
    "&>",
    ">&(?![-\\d])",
    "\\[\\[",
    "\\(\\(",
    "\\+=",
    "\\w\\[[^\\]]*\\]=",
    // They open no file with a number of two digits: `rm 10>a` deletes 10.
    "\\d\\d[<>]",
    "\\b(function|declare|typeset|local|readonly|export|select|coproc|source|shopt|mapfile|readarray|let)\\b",
    "\\b(builtin|enable|pushd|popd|dirs|compgen|complete|caller|bind)\\b",
    // What bash counts there by itself is a variable like any other elsewhere.
    "\\b(RANDOM|SECONDS|LINENO|UID|EUID|PPID|BASHPID|EPOCHSECONDS)\\b",
  ].join("|"),
);

function isOther(text: string, simples: readonly Simple[]): boolean {
  return BASH_ONLY.test(text) || simples.some(keepsAssignment);
}

/** `A=1 export B` sets A for good everywhere but in bash. */
function keepsAssignment({ sets, words }: Simple): boolean {
  return sets.length > 0 && KEEPING.has(words[0]?.text ?? "");
}

export const KEEPING: ReadonlySet<string> = new Set(
  ": . break continue eval exec exit export readonly return set shift times trap unset command".split(" "),
);

/** Signs that mean more to one of the large shells than to bash, and two words behind `cd`, which change one in its path. */
function isSpecial(text: string): boolean {
  return /[^\w\s./:,@%+;&|<>'"$()-]|\$['"(]?\(|\$[\w+]+[:+]|\$\+|<\d|[<>]\(|\d\d[<>]|\bcd\s+[^\s;&|]+\s+[^\s;&|]/.test(
    text,
  );
}

/** Read alike, and yet done otherwise: by the shell's own variables, by its numbers, or by where a pipeline ends. */
function actsOtherwise(text: string, { simples, sets }: Pick<Script, "simples" | "sets">): boolean {
  return (
    sets.some(({ name }) => TIED.test(name)) ||
    simples.some(countsWords) ||
    simples.some(showsFile) ||
    keepsPipeline(text, simples)
  );
}

/** For a lone `< a` zsh starts the program that shows files. */
function showsFile({ words, redirects, span }: Simple): boolean {
  return span !== undefined && words.length === 0 && redirects.some(({ writes }) => !writes);
}

/** zsh finds programs, functions and folders by these, and starts what the last ones name. */
const TIED = /^(path|fpath|cdpath|manpath|mailpath|module_path|fignore|argv|TMPPREFIX|READNULLCMD|NULLCMD)$/;

/** zsh counts out the numbers that its own words are given, and so runs what stands in the subscripts within them. */
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

/** The last command of a pipeline runs in the shell itself: where it goes, and what it sets, stays. */
function keepsPipeline(text: string, simples: readonly Simple[]): boolean {
  const words = new Set(simples.flatMap((simple) => simple.words.map((word) => word.text)));
  const moves = ["cd", "chdir", "pushd", "popd", "eval"].some((word) => words.has(word));
  return /(?<!\|)\|(?!\|)/.test(text) && (moves || (words.has("read") && /\bfor\b/.test(text)));
}
