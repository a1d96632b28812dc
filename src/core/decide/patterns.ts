import type { OpenWord } from "../effect.ts";
import type { Policy } from "../policy.ts";
import { PROGRAM_FOLDERS, PROGRAM_OPTIONS, type ProgramOptions } from "../tables/options.ts";
import type { Tier } from "../tier.ts";
import { globMatches, isGlob } from "../values/glob.ts";

/**
 * A command pattern. Words must be in order. An option may be anywhere after the word that it follows in the pattern,
 * in every spelling of the table. `rest` (a final word `*`) allows more words and options.
 */
export type CommandPattern = {
  words: readonly string[];
  options: readonly PatternOption[];
  rest: boolean;
};

type PatternOption = { spellings: readonly string[]; value?: string; after: number };

type TypedOption = { text: string; value?: string; after: number };

export function commandPattern(pattern: string): CommandPattern {
  const parts = pattern.split(/\s+/).filter((part) => part !== "");
  const rest = parts.at(-1) === "*";
  return patternOf(rest ? parts.slice(0, -1) : parts, rest);
}

/**
 * The pattern as a rule with this tier uses it. A rule that denies `terraform destroy` also denies `terraform destroy
 * -auto-approve`. A rule with another tier might make the decision looser, so it covers exactly its words.
 */
export function commandPatternFor(pattern: string, tier: Tier): CommandPattern {
  const exact = commandPattern(pattern);
  return exact.rest || tier !== "deny" ? exact : { ...exact, rest: true };
}

function patternOf(line: readonly string[], rest: boolean): CommandPattern {
  const table = optionsOf(line[0]);
  const { words, options } = takeApart(line, table);
  const subcommand = words[1] ?? "";
  return {
    words,
    rest,
    options: options.flatMap((option) =>
      uncluster(option.text, table).map((text) => ({
        spellings: spellingsOf(text, table, subcommand),
        after: option.after,
        ...(option.value === undefined ? {} : { value: option.value }),
      })),
    ),
  };
}

/** `*` alone. */
export function isEveryCommand({ words, options, rest }: CommandPattern): boolean {
  return rest && words.length === 0 && options.length === 0;
}

/** Compares a pattern with a simple command directly; the word index gives the same result. */
export function commandMatches(pattern: CommandPattern, line: readonly string[]): boolean {
  const table = optionsOf(line[0]);
  const { words, options } = takeApart(line, table);
  if (words.length < pattern.words.length || (!pattern.rest && words.length > pattern.words.length)) return false;
  if (!pattern.words.every((word, i) => wordMatches(word, words[i] ?? ""))) return false;
  if (!pattern.options.every((wanted) => options.some((option) => sameOption(wanted, option, table)))) return false;
  return pattern.rest || options.every((option) => isWanted(option, pattern.options, table));
}

/** Whether a pattern matches a command that begins with one of the first `begins` words. */
export function beginsAmong(
  pattern: CommandPattern,
  { words, begins }: { words: readonly string[]; begins: number },
): boolean {
  const [program = "*"] = pattern.words;
  return words
    .slice(0, begins)
    .some((word, i) => wordMatches(program, programOf(word)) && commandMatches(pattern, shortened(words.slice(i), 0)));
}

/** Whether a pattern could match if the words that are known only at run time are the missing ones. */
export function commandMayMatch(
  pattern: CommandPattern,
  { words, open }: { words: readonly string[]; open: readonly OpenWord[] },
): boolean {
  if (!wordMatches(pattern.words[0] ?? "*", programOf(words[0] ?? ""))) return false;
  const options = pattern.options.map(({ spellings, value }) => spelled(spellings[0] ?? "", value));
  const missing = [...pattern.words.slice(1), ...options];
  if (missing.length > MISSING_MAX) return true;
  if (open.length > OPEN_MAX) return mayBegin(pattern, words.slice(0, open[0]?.at));
  const line = shortened(words, open.at(-1)?.at ?? 0);
  // From the end, so that earlier positions do not change.
  const all = open.toReversed();
  const fill = (i: number, filled: number, text: readonly string[]): boolean => {
    const one = all[i];
    if (one === undefined) return commandMatches(pattern, text);
    if (filled < OPEN_TRIED || all.length <= OPEN_TRIED)
      if (standsFor(one, missing).some((texts) => fill(i + 1, filled + 1, text.toSpliced(one.at, 1, ...texts))))
        return true;
    return (
      all.length > OPEN_TRIED &&
      fill(i + 1, filled, text.toSpliced(one.at, 1, ...(one.start === "" ? [] : [one.start])))
    );
  };
  return fill(0, 0, line);
}

/** Whether the words before the first open word fit the beginning of the pattern. */
function mayBegin(pattern: CommandPattern, words: readonly string[]): boolean {
  const plain = takeApart(words, optionsOf(words[0])).words.slice(0, pattern.words.length);
  return plain.every((word, i) => wordMatches(pattern.words[i] ?? "*", word));
}

/** No pattern has so many words. Far behind, only options can matter, and each only once. */
function shortened(words: readonly string[], from: number): readonly string[] {
  const near = from + WORDS_NEAR;
  if (words.length <= near) return words;
  return [...words.slice(0, near), ...new Set(words.slice(near).filter((word) => word.startsWith("-")))];
}

const WORDS_NEAR = 16;

/** A rule with more words is assumed to match. */
const MISSING_MAX = 5;

/**
 * Up to OPEN_TRIED open words, whichever they are, are tried in all combinations; with more than OPEN_MAX only the
 * words before them count.
 */
const OPEN_TRIED = 2;

const OPEN_MAX = 8;

function spelled(option: string, value: string | undefined): string {
  return value === undefined ? option : `${option}=${value}`;
}

/** An open word may be itself, nothing, one of the missing words, or several if the shell splits it. */
function standsFor({ start, split }: OpenWord, missing: readonly string[]): readonly (readonly string[])[] {
  const runs = missing.flatMap((_, from) =>
    missing.slice(from).map((_, length) => missing.slice(from, from + length + 1)),
  );
  const letters = missing.filter((word) => /^-[A-Za-z]$/.test(word)).map((word) => word.slice(1));
  if (letters.length > 1) runs.push([`-${letters.join("")}`]);
  const fitting = runs.filter((run) => (split || run.length === 1) && (run[0] ?? "").startsWith(start));
  return [
    [start],
    ...(start === "" ? [[]] : []),
    ...fitting.map((run) => run.map((word) => word.replaceAll("*", "x"))),
  ];
}

function wordMatches(pattern: string, word: string): boolean {
  return isGlob(pattern) ? globMatches(pattern, word) : pattern === word;
}

/** `/usr/bin/git` is `git`; a program in another folder matches only by its full path. */
export function programOf(word: string): string {
  if (word.charCodeAt(0) !== SLASH) return word;
  const folder = PROGRAM_FOLDERS.find((start) => word.startsWith(start));
  return folder === undefined || word.includes("/", folder.length) ? word : word.slice(folder.length);
}

function optionsOf(word: string | undefined): ProgramOptions | undefined {
  const program = programOf(word ?? "");
  return Object.hasOwn(PROGRAM_OPTIONS, program) ? PROGRAM_OPTIONS[program] : undefined;
}

/**
 * The position of the next word that is neither an option nor an option's value; the length of the line if there is
 * none.
 */
export function nextWord(line: readonly string[], from: number, end = endOf(line)): number {
  let i = from;
  while (i < line.length) {
    const word = line[i] ?? "";
    if (word.charCodeAt(0) !== DASH || word.length === 1 || i > end) return i;
    i += isValued(line, word) ? 2 : 1;
  }
  return line.length;
}

/** The position of `--`: after it everything is a word. */
function endOf(line: readonly string[]): number {
  const end = line.indexOf("--", 1);
  return end < 0 ? line.length : end;
}

function isValued(line: readonly string[], option: string): boolean {
  return takesNext(option, optionsOf(line[0]));
}

/** `-O` and, if letters can be combined, `-qO`: the value is the next word. */
function takesNext(option: string, table: ProgramOptions | undefined): boolean {
  if (table === undefined) return false;
  if (table.valued.includes(option)) return true;
  if (!table.clusters || option.length === 2 || option.charCodeAt(1) === DASH) return false;
  const letters = uncluster(option, table);
  return letters.length === option.length - 1 && table.valued.includes(letters.at(-1) ?? "");
}

function takeApart(line: readonly string[], table: ProgramOptions | undefined) {
  const words = line.length === 0 ? [] : [programOf(line[0] ?? "")];
  const options: TypedOption[] = [];
  const end = endOf(line);
  let i = 1;
  while (i < line.length) {
    const at = nextWord(line, i, end);
    for (let o = i; o < at; o++) {
      const text = line[o] ?? "";
      if (text === "--") continue;
      const value = takesNext(text, table) ? line[++o] : undefined;
      options.push({ text, after: words.length, ...(value === undefined ? {} : { value }) });
    }
    if (at < line.length) words.push(line[at] ?? "");
    i = at + 1;
  }
  return { words, options };
}

/** `-rf` is `-r -f`; if a letter takes a value, the rest is its value: `-c'select 1'` is `-c`. */
function uncluster(text: string, table: ProgramOptions | undefined): readonly string[] {
  if (table?.clusters !== true || !/^-[A-Za-z0-9]./.test(text)) return [text];
  const [letters = ""] = /^[A-Za-z0-9]+/.exec(text.slice(1)) ?? [];
  const each = [...letters].map((letter) => `-${letter}`);
  if (letters.length === text.length - 1) return each;
  const valued = each.findIndex((option) => table.valued.includes(option));
  return valued < 0 ? [text] : each.slice(0, valued + 1);
}

function spellingsOf(text: string, table: ProgramOptions | undefined, subcommand: string): readonly string[] {
  const groups = [...(table?.same[subcommand] ?? []), ...(table?.same[""] ?? [])];
  return groups.find((group) => group.includes(text)) ?? [text];
}

function sameOption(wanted: PatternOption, typed: TypedOption, table: ProgramOptions | undefined): boolean {
  if (typed.after < wanted.after) return false;
  const [name = "", inline] = splitOnce(typed.text);
  const given = inline ?? typed.value;
  if (wanted.value !== undefined && wanted.value !== given) return false;
  return wanted.spellings.some(
    (spelling) =>
      spelling === typed.text ||
      spelling === name ||
      (spelling.length === 2 && uncluster(typed.text, table).includes(spelling)) ||
      (table?.abbreviates === true && name.length > 2 && name.startsWith("--") && spelling.startsWith(name)),
  );
}

/** All letters of a combined option must be wanted; otherwise a pattern without `rest` would allow an extra option. */
function isWanted(typed: TypedOption, all: readonly PatternOption[], table: ProgramOptions | undefined): boolean {
  return uncluster(typed.text, table).every((text) =>
    all.some((wanted) => sameOption(wanted, { ...typed, text }, table)),
  );
}

function splitOnce(text: string): readonly [string, string | undefined] {
  const equals = text.indexOf("=");
  return equals < 0 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)];
}

const DASH = 45;

const SLASH = 47;

/** `api.github.com` exactly; `*.github.com` the domain and everything below it; `*` any. */
export type DomainPattern = { is: "exact" | "below"; domain: string } | { is: "any" };

export function domainPattern(pattern: string): DomainPattern {
  const lower = pattern.toLowerCase();
  if (lower === "*") return { is: "any" };
  return lower.startsWith("*.") ? { is: "below", domain: lower.slice(2) } : { is: "exact", domain: lower };
}

export function domainMatches(pattern: DomainPattern, domain: string): boolean {
  if (pattern.is === "any") return true;
  return domain === pattern.domain || (pattern.is === "below" && domain.endsWith(`.${pattern.domain}`));
}

/** Where home folders are, for a `~` in a policy that does not say whose home. */
const HOMES = ["/home/*", "/root", "/Users/*"];

/**
 * A path pattern as absolute segments. Relative patterns start at the policy's root. Without a root they may match
 * anywhere, because a rule that silently matches nothing looks like one that works.
 */
export function pathPatterns(pattern: string, policy: Pick<Policy, "root" | "home">): readonly (readonly string[])[] {
  if (pattern.startsWith("/")) return [segmentsOf(pattern)];
  if (pattern === "~" || pattern.startsWith("~/")) {
    const homes = policy.home === undefined ? HOMES : [policy.home];
    return homes.map((home) => segmentsOf(home + pattern.slice(1)));
  }
  return policy.root === undefined
    ? [["**", ...segmentsOf(pattern)]]
    : [[...segmentsOf(policy.root), ...segmentsOf(pattern)]];
}

export function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "" && segment !== ".");
}
