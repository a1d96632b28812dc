import type { Line, PathWord } from "../../shell/path-uses.ts";
import type { Input, Redirect, Simple, Word } from "../../shell/script.ts";
import { normalise } from "../path.ts";

// If a file is opened for writing and nothing is written, its content is lost, as with `truncate`.

/** Whether a command prints nothing: `: > a`, `echo -n > a` and `head -c0 b > a` all leave an empty file. */
export function printsNothing({ words, redirects, input, within }: Simple): boolean {
  const [first, ...rest] = words.map(textOf);
  if (first === undefined) return within === undefined || within.every(printsNothing);
  if (SHELLS.test(first)) return SAYS_NOTHING.test(rest.filter((text) => text !== "-c").join(" "));
  if (PREFIXES.has(first) && rest[0]?.startsWith("-") === false)
    return printsNothing({ words: words.slice(1), sets: [], redirects, input, folders: undefined });
  if (SILENT.has(first) || (QUIET.has(first) && !rest.some((text) => /^-\w*v|^--(verb|help|vers|back)/.test(text))))
    return true;
  const told = SAID_NOTHING[first];
  if (told !== undefined) return told.test(rest.join(" "));
  if (!PASSING.has(first)) return false;
  if (NO_LINES.test(` ${rest.join(" ")} `)) return first === "head" || first === "tail";
  const names = rest.filter((text) => !text.startsWith("-"));
  const handed = redirects.some(({ writes, to }) => !writes && to.text === NULL) || isEmpty(input);
  return names.length > 0 ? names.every((name) => name === NULL) : handed;
}

const NULL = "/dev/null";

/** Programs that run a text, and texts that print nothing. */
const SHELLS = /^(eval|bash|sh|dash|zsh|ksh)$/;
const SAYS_NOTHING = /^\s*(:|true|false|exit)(\s+\d+)?\s*$/;

/** A value that is known only at run time counts as some text. */
function textOf(word: Word): string {
  return word.kind === "plain" ? word.text : "?";
}

function isEmpty(input: Input | undefined): boolean {
  if (typeof input !== "object") return false;
  return "from" in input ? printsNothing(input.from) : "text" in input && input.text === "";
}

/** Programs that run the words after them. */
const PREFIXES: ReadonlySet<string> = new Set(["command", "builtin", "exec", "env", "nohup"]);
/** Programs that print nothing; those in the second list only without certain options. */
const SILENT: ReadonlySet<string> = new Set(
  ": true false test [ cd exit return sleep wait shift unset export umask trap read set".split(" "),
);
const QUIET: ReadonlySet<string> = new Set("touch mkdir rmdir rm cp mv ln chmod install".split(" "));
/** The words with which these programs print nothing. */
const SAID_NOTHING: Readonly<Record<string, RegExp>> = {
  echo: /^-[eE]*n[neE]*( -[neE]+)* *( \\c.*)?$|^-[neE]*e[neE]* \\c/,
  printf: /^(-- )?(|%s|%b|%s%s)( )?$|^(-- )?%\.0s( |$)/,
  grep: /^-[a-zA-Z]*q|^-v +[^ ]*$|^-v {2}/,
  seq: /^(\d+ )?([1-9]\d*) 0$/,
  awk: /^( |'' |NR ?< ?0 )/,
  comm: /^-(123|132|213|231|312|321) /,
  diff: /^(\S+) \1$/,
  cmp: /^-s /,
  jq: /^(-[a-z]+ )*empty( |$)/,
  dd: /(^| )count=0( |$)/,
  sed: /^(-[nE]+ )*(d|1,\$d|\/\.\*\/d)( |$)|^-n( |$)(?!.*p)/,
};
/** Programs that print only their input. */
const PASSING: ReadonlySet<string> = new Set("cat tac tee sort uniq head tail nl rev cut tr".split(" "));
const NO_LINES = / (-[cn] ?0|-0|--(bytes|lines)=0) /;

/** The shell empties a file before a program of the pipe reads it: after `sort a > a` the file is empty. */
export function readsWhatItEmpties({ simple, paths }: Line, { to, empties }: Redirect): boolean {
  if (empties !== true || to.kind === "open") return false;
  const same = sameAs(to);
  return paths.some(({ act, word }) => act === "read" && same(word)) || isRead(simple, same);
}

function sameAs(file: Word): (word: Word) => boolean {
  const path = normalise(`/${file.text}`);
  return (word) => word.kind === file.kind && normalise(`/${word.text}`) === path;
}

function isRead({ words, redirects, input }: Simple, same: (word: Word) => boolean, isPiped = false): boolean {
  if (redirects.some(({ writes, to }) => !writes && same(to))) return true;
  if (isPiped && !TELLS.has(words[0]?.text ?? "") && words.slice(1).some(same)) return true;
  return typeof input === "object" && "from" in input && isRead(input.from, same, true);
}

/** Programs whose words are not files. */
const TELLS: ReadonlySet<string> = new Set(["echo", "printf", "test", "[", "basename", "dirname", "ls", "stat"]);

/** Whether a file that a command writes is empty afterwards: `cp /dev/null a`, `sed -i d a`, `: | tee a`. */
export function isEmptied(line: Line, { act, word }: PathWord): boolean {
  if (act === "read" || act === "delete" || word.text.startsWith("/dev/")) return false;
  const { name, operands, simple, given } = line;
  const texts = simple.words.slice(1).map(textOf);
  switch (name) {
    case "cp":
    case "install":
      return operands.slice(0, -1).some(({ text }) => text === NULL);
    case "tee":
      return !given.has("-a") && (isEmptyHanded(simple) || isRead(simple, sameAs(word)));
    case "dd":
      if (texts.some((text) => /notrunc/.test(text))) return false;
      return (
        texts.some((text) => text === `if=${NULL}` || text === "count=0") ||
        (!texts.some((text) => text.startsWith("if=")) && isEmptyHanded(simple))
      );
    case "ed":
    case "ex":
      return typeof simple.input === "object" && "text" in simple.input && CLEARS.test(simple.input.text);
    case "sed":
      return given.has("-i") ? deletesAll(line) : readsNothing(line);
    default:
      return FILTERS.has(name) && readsNothing(line);
  }
}

/** An editor command that deletes every line. */
const CLEARS = /^\s*(1,\$|,|%)\s*d\s*$/m;

/** Programs that write their input to a file that an option or the second word names. */
const FILTERS: ReadonlySet<string> = new Set("sort uniq shuf iconv sponge xxd tr nl base64 unexpand expand".split(" "));

function readsNothing({ paths, simple, given }: Line): boolean {
  if (given.get("-n")?.some((word) => word?.text === "0") === true) return true;
  const read = paths.filter(({ act }) => act === "read");
  return read.length > 0 ? read.every(({ word }) => word.text === NULL) : isEmptyHanded(simple);
}

function isEmptyHanded({ redirects, input }: Simple): boolean {
  return redirects.some(({ writes, to }) => !writes && to.text === NULL) || isEmpty(input);
}

/** `d` without an address deletes every line. With `-n` only printed lines stay. */
function deletesAll({ given, operands }: Line): boolean {
  const scripts = given.get("-e") ?? operands.slice(0, 1);
  const text = scripts.map((word) => word?.text ?? "").join(";");
  if (/(^|[;{}\s])(1,\$|0,\$|\/\.?\*?\/|1!?,\$)?\s*d\s*([;}]|$)/.test(text)) return true;
  if (/(^|[;{}\s])1?\s*Q\s*([;}]|$)/.test(text) || /^s(.)\.\*\1\1g?$/.test(text)) return true;
  return given.has("-n") && !/[pPwi=]/.test(text);
}
