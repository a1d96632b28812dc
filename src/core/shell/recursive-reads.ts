import type { Line, PathWord } from "./path-uses.ts";
import type { Word } from "./script.ts";
import { isLoose, type Syntax } from "./search-pattern.ts";

/**
 * A command that prints everything below a folder also prints hidden files, and secrets are in hidden files; so the command asks.
 * A command that searches prints the matching lines, and one that counts or lists prints none.
 */
export function markWhole(line: Line): void {
  const { paths, program } = line;
  if ((line.name === "git grep" || line.name === "git diff") && showsUntracked(line)) line.besides.add("secrets.read");
  if (paths.length === 0 || program === undefined) return;
  const search = Object.hasOwn(SEARCHES, line.name) ? SEARCHES[line.name] : undefined;
  if (search === undefined) {
    if (packsToOutput(line) || comparesAll(line)) line.paths = paths.map(whole);
    else if (comparesApart(line)) line.paths = paths.map((path) => whole({ ...path, deep: true }));
    else if (SILENT.test(line.name)) line.paths = paths.map(showsVersions(line) ? notWhole : silent);
    else if (program.row.class !== "fs.read") line.paths = paths.map(notWhole);
    return;
  }
  const names = namesSought(line);
  if (names.some(mayBeSecret)) line.besides.add("secrets.read");
  const anything = (search.hidden || asksForHidden(line)) && findsAnything(line);
  const shows = names.length === 0 && !isQuiet(line, search) && (anything || searchesIgnored(line));
  const few = isQuiet(line, search) || !findsAnything(line);
  line.paths = paths.map(shows ? whole : few ? silent : names.length === 0 ? open : notWhole);
}

function whole(path: PathWord): PathWord {
  return path.act === "read" && path.deep ? { ...path, all: true } : path;
}

function notWhole(path: PathWord): PathWord {
  return path.all === true ? { ...path, all: false } : path;
}

function open(path: PathWord): PathWord {
  return path.act === "read" && path.deep ? { ...notWhole(path), open: true } : notWhole(path);
}

function silent(path: PathWord): PathWord {
  return { ...notWhole(path), silent: true };
}

/** Git shows the content of the files that it is given, and not only their names. */
function showsVersions({ name, simple }: Line): boolean {
  if (/^git (diff|show|blame|annotate|grep|cat-file|archive|diff-\w+|format-patch)$/.test(name)) return true;
  return (
    /^git (log|whatchanged|reflog|stash)/.test(name) &&
    simple.words.some(({ text }) => /^(-[pu]|--patch|-L)/.test(text))
  );
}

/** Programs that describe files and show nothing of their content. */
const SILENT =
  /^(wc|ls|stat|du|file|cksum|sum|(md5|sha\d+|b2)sum|shasum|test|\[|basename|dirname|realpath|readlink|tree|cloc|tokei|scc|find|fd|fdfind|git .*|touch|exiftool|identify)$/;

type Search = {
  /** Searches hidden files without an option. */
  hidden: boolean;
  /** Letters of options without a value, and those of them with which only names or numbers are shown. */
  letters: string;
  quiet: string;
};

const GREP: Search = { hidden: true, letters: "abcEFGHhIiLlnoPqRrsTUuvwxyZz", quiet: "lLcq" };
const SEARCHES: { readonly [name: string]: Search } = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  zgrep: GREP,
  bzgrep: GREP,
  xzgrep: GREP,
  rg: { hidden: false, letters: "abcFHIiLlNnopPqSsUuvwxz0.", quiet: "lcq" },
  ag: { hidden: false, letters: "acFHilLnQrRsSuUvwz", quiet: "lLc" },
  ack: { hidden: true, letters: "cfhHiklLnoQrRsSvwx", quiet: "lLcf" },
};

const QUIET = /^--(files|files-with(out)?-match(es)?|count|count-matches|quiet|silent)$/;

function isQuiet(line: Line, { letters, quiet }: Search): boolean {
  return optionsOf(line).some(
    (text) =>
      QUIET.test(text) ||
      (/^-[^-]/.test(text) &&
        [...text.slice(1)].every((letter) => letters.includes(letter)) &&
        [...text.slice(1)].some((letter) => quiet.includes(letter))),
  );
}

/** The words that are options, and neither the value of one nor after the last. */
function optionsOf({ simple, given }: Line): readonly string[] {
  const values = new Set([...given.values()].flat());
  const end = simple.words.findIndex(({ text }) => text === "--");
  const words = end === -1 ? simple.words : simple.words.slice(0, end);
  return words.filter((word) => word.text.startsWith("-") && !values.has(word)).map(({ text }) => text);
}

/** Patterns of the file names that are searched; patterns that exclude files do not limit it. */
function namesSought({ given, name }: Line): readonly string[] {
  if (name === "rg" && given.has("-t")) return ["*.a", ...typesMade(given)];
  return ["--include", "-g", "--iglob", "-G"]
    .flatMap((option) => given.get(option) ?? [])
    .map((word) => word?.text ?? "")
    .filter((text) => !text.startsWith("!"));
}

/** A type has the names that it is given, including hidden ones: `--type-add 'a:.env*'`. */
function typesMade(given: Line["given"]): readonly string[] {
  return (given.get("--type-add") ?? []).map((word) => word?.text.replace(/^[^:]*:/, "") ?? "*");
}

/** `-.`, or `-u` twice, with other letters around; compared letter by letter, because options may be very long. */
function wantsHidden(text: string): boolean {
  if (text === "--hidden" || text === "--unrestricted") return true;
  const letters = /^-([a-zA-Z]*)/.exec(text)?.[1];
  if (letters === undefined) return false;
  const [first, last] = [letters.indexOf("u") + 1, text.lastIndexOf("u")];
  const twice = first > 0 && last > first && /^[a-zA-Z.]*$/.test(text.slice(last + 1));
  return twice || /^\.[a-zA-Z.]*$/.test(text.slice(letters.length + 1));
}

function asksForHidden(line: Line): boolean {
  return optionsOf(line).some((text) => wantsHidden(text) || (line.name === "ag" && /^-[a-zA-Z]*[ua]/.test(text)));
}

/** A search of hidden and ignored files in a whole project shows its secrets. */
function searchesIgnored(line: Line): boolean {
  if (!line.paths.some(({ word }) => /^[./]*$|^[/~]|^\.\.\//.test(word.text))) return false;
  const options = optionsOf(line);
  if (line.name === "ag") return options.some((text) => /^(--unrestricted|-[a-zA-Z]*u[a-zA-Z]*)$/.test(text));
  if (line.name !== "rg") return false;
  const times = options.reduce((sum, text) => sum + unrestricted(text), 0);
  return times > 1 || (asksForHidden(line) && (times > 0 || options.some((text) => text.startsWith("--no-ignore"))));
}

function unrestricted(text: string): number {
  return text === "--unrestricted" ? 1 : /^-[a-zA-Z.]+$/.test(text) ? text.split("u").length - 1 : 0;
}

/** With more context lines than this, a search shows most of a file. */
const AROUND_MAX = 50;
/** More patterns at once than a specific search has. */
const PATTERNS_MAX = 32;

/** Whether the search matches nearly every line. */
function findsAnything(line: Line): boolean {
  const { given, operands } = line;
  const options = optionsOf(line);
  if (given.has("-f") || options.some((text) => INVERTED.test(text)) || showsAround(line, options)) return true;
  const [first] = operands;
  const patterns = given.get("-e") ?? given.get("--match") ?? (first === undefined ? [] : [first]);
  // With several lines at once, whatever is repeated continues to the end of the file.
  const lines = line.name === "rg" && options.some((text) => /^(--multiline|-[a-zA-Z.]*U[a-zA-Z.]*)$/.test(text));
  const isAny = (text: string) => isLoose(text, syntaxOf(line, options)) || (lines && /[*+{]/.test(text));
  return (
    patterns.length > PATTERNS_MAX || patterns.some((word) => word === undefined || isOpen(word) || isAny(word.text))
  );
}

const AROUND = ["-A", "-B", "-C"];
/** Options that show lines without a match, or all lines, or that change where a line ends. */
const INVERTED = /^(--inv.*|--passt.*|--null-d.*|--multiline-dotall|-[a-zA-Z]*[vz][a-zA-Z]*)$/;
const LITERAL = /^(--fixed-strings|-[a-zA-Z]*F[a-zA-Z]*)$/;
const EXTENDED = /^(--ext.*|--perl.*|-[a-zA-Z]*[EP][a-zA-Z]*)$/;

/** `-99` and `-r99` mean as many context lines, and so does a number after `-C` as a separate word. */
function showsAround({ given, simple, name }: Line, options: readonly string[]): boolean {
  if (AROUND.some((option) => given.get(option)?.some((word) => Number(word?.text) > AROUND_MAX))) return true;
  const numbers = options.map((text) => /^(?:-[a-zA-Z.]*?|--(?:cont|before|after)[a-z-]*=)(\d+)/.exec(text));
  if (
    numbers.some(
      (found) =>
        found !== null && !(/grep$/.test(name) ? COUNTED : COUNTING).test(found[0]) && Number(found[1]) > AROUND_MAX,
    )
  )
    return true;
  return simple.words.some(({ text }, i) => /^-\w*[ABC]$/.test(text) && Number(simple.words[i + 1]?.text) > AROUND_MAX);
}

/** Numbers of something else: of matches, columns, threads, levels. */
const COUNTED = /^-[a-zA-Z]*[mdD]\d/;
const COUNTING = /^-[a-zA-Z]*[mMjdrtTgEW]\d/;

/** The language of the pattern. */
function syntaxOf({ name }: Line, options: readonly string[]): Syntax {
  if (name === "fgrep" || options.some((text) => LITERAL.test(text))) return "literal";
  return /^(|z|bz|xz)grep$/.test(name) && !options.some((text) => EXTENDED.test(text)) ? "basic" : "extended";
}

function isOpen(word: Word): boolean {
  return word.kind === "open";
}

/** `tar c .`, `zip -r - .`, `gzip -rc .` and `zcat -rf .` print what they pack or unpack. */
function packsToOutput({ name, paths }: Line): boolean {
  return PACKERS.test(name) && !paths.some(({ act, word }) => act === "write" && !OUTPUT.test(word.text));
}

const PACKERS =
  /^(g?tar|bsdtar|zip|cpio|pax|gzip|gunzip|g?zcat|pigz|unpigz|(bzip|bunzip)2|bzcat|(un)?(xz|lzma)|(xz|lz)cat|(un)?zstd(mt|cat)?|pzstd|(un)?lz4|lz4cat)$/;
const OUTPUT = /^\/(dev\/(stdout|stderr|tty|fd\/\d+)|proc\/.*)$/;

/** Git searches tracked files, and with this option any folder, like the programs with the same name. */
function showsUntracked({ name, simple, operands }: Line): boolean {
  if (!simple.words.some(({ text }) => /^--(no-ind|untr)/.test(text))) return false;
  const ignored = name === "git grep" && simple.words.some(({ text }) => /^--no-(ind|ex)/.test(text));
  if (ignored && operands.length < 2) return true;
  if (name === "git diff") return operands.some(({ kind, text }) => kind !== "plain" || /^[./]+$|^[/~]/.test(text));
  return operands[0] === undefined || isOpen(operands[0]) || isLoose(operands[0].text, "extended");
}

/** Compared with an empty folder every file is new, and then shown. */
function comparesAll({ name, deep, simple }: Line): boolean {
  return (
    /^(colordiff|diff)$/.test(name) &&
    deep &&
    simple.words.some(({ text }) => /^(--new-file|--unidirectional-new-file|-[a-zA-Z]*[NP][a-zA-Z]*)$/.test(text))
  );
}

/** Untracked folders are compared with all their content. */
function comparesApart({ name, simple }: Line): boolean {
  return name === "git diff" && simple.words.some(({ text }) => /^--no-ind/.test(text));
}

/** Names of secrets. */
const SECRETS =
  ".env .env.local .env.production .npmrc .netrc .pypirc .pgpass .htpasswd .secrets .git-credentials id_rsa id_ecdsa id_ed25519 server.key server.pem credentials".split(
    " ",
  );

/** Whether a pattern of names matches one of the names of secrets. */
export function mayBeSecret(pattern: string): boolean {
  // A pattern that is too complex counts as a match.
  if (pattern.length > PATTERN_MAX || pattern.split("*").length > STARS_MAX || !FLAT_BRACES.test(pattern)) return true;
  const fits = new RegExp(`^${sourceOf(pattern.toLowerCase())}$`);
  return SECRETS.some((name) => fits.test(name) || fits.test(`./${name}`) || fits.test(`./a/${name}`));
}

const PATTERN_MAX = 256;
const STARS_MAX = 8;
const FLAT_BRACES = /^[^{}]*(\{[^{}]*\}[^{}]*)*$/;

function sourceOf(pattern: string): string {
  return pattern
    .replace(/\[[^\]]*\]|[[\]]/g, "?")
    .replace(/[.+^$()|\\]/g, "\\$&")
    .replace(/\{[^{}]*\}/g, (braces) => `(${braces.slice(1, -1).replaceAll(",", "|")})`)
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
}

/**
 * Whether `find` may find secrets after these words of its expression: it also finds hidden files, unless every branch
 * requires a name that is not a secret's. What follows does not limit it.
 */
export function findsSecrets(words: readonly Word[]): boolean {
  let named = false;
  for (let at = 0; at < words.length; at = behind(words, at)) {
    const text = words[at]?.text ?? "";
    if (/^(-o|-or|,)$/.test(text)) {
      if (!named) return true;
      named = false;
    }
    const value = words[at + 1];
    if (/^(!|-not)$/.test(text)) {
      if (value?.text === "(") return true;
    } else if (NAME.test(text) && !/^(!|-not)$/.test(words[at - 1]?.text ?? "")) {
      if (value?.kind === "plain" && !mayBeSecret(value.text)) named = true;
    }
  }
  return !named;
}

/** The next part of the expression: values and the words of a started command are skipped. */
function behind(words: readonly Word[], at: number): number {
  const text = words[at]?.text ?? "";
  if (!STARTS.test(text)) return at + (text === "-fprintf" ? 3 : TAKES_VALUE.test(text) ? 2 : 1);
  const end = words.findIndex((word, i) => i > at && /^[;+]$/.test(word.text));
  return end === -1 ? words.length : end + 1;
}

const STARTS = /^-(exec|ok)(dir)?$/;
const TAKES_VALUE =
  /^-(i?(name|path|wholename|regex|lname)|regextype|x?type|size|[acm](time|min)|[ac]?newer|newer[aBcmt]{2}|m(ax|in)depth|perm|user|group|[ug]id|links|inum|printf|fstype|samefile|used|context|fprint0?|fls|files0-from)$/;
const NAME = /^-(name|iname|path|ipath|wholename|iwholename)$/;

/** Whether what `find` prints may be secrets: for every print action, what came before it counts. */
export function listsSecrets(words: readonly Word[]): boolean {
  const prints = words.flatMap(({ text }, i) => (/^-print0?$/.test(text) ? [i] : []));
  return prints.length === 0 ? findsSecrets(words) : prints.some((at) => findsSecrets(words.slice(0, at)));
}
