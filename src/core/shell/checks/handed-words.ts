import { listsSecrets, mayBeSecret } from "../recursive-reads.ts";
import type { Simple, Word } from "../script.ts";

/** Words that another program prints: any words, or paths at and below these. */
export type Handed = NonNullable<Simple["more"]>;

/** The input of a command from the one before it, if that is known to list files. */
export function handedOver({ input }: Simple): Handed {
  return typeof input === "object" && "from" in input ? namesFrom(input.from) : "any";
}

/** The files that a command lists, if it prints nothing else. */
export function namesFrom(from: Simple): Handed {
  const [first, ...rest] = from.words;
  if (first?.kind !== "plain" || rest.length > WORDS_MAX || rest.some((word) => word.kind === "open")) return "any";
  if (from.folders?.length !== 1 || from.more !== undefined) return "any";
  if (passesOn(first.text, rest)) return handedOver(from);
  const lists = Object.hasOwn(LISTING, first.text) ? LISTING[first.text] : undefined;
  const under = lists?.(rest);
  return under === undefined ? "any" : under;
}

/** A lister with more words than this counts as printing anything. */
const WORDS_MAX = 16;

/** Prints some lines of its input unchanged. */
function passesOn(name: string, words: readonly Word[]): boolean {
  const plainly = words.filter((word) => !word.text.startsWith("-")).map((word) => word.text);
  if (/^(e|f)?grep$/.test(name)) {
    return plainly.length === 1 && words.every(({ text }) => /^(-[viEFwxq]+|[^-].*)$/.test(text));
  }
  return (
    /^(sort|uniq|head|tail)$/.test(name) &&
    plainly.every((text) => /^\d+$/.test(text)) &&
    words.every(({ text }) => /^(-[nuzrVf]*\d*|\d+)$/.test(text))
  );
}

type Lister = (words: readonly Word[]) => Handed | undefined;

const LISTING: Readonly<Record<string, Lister>> = {
  find: listedByFind,
  ls: listedByLs,
  fd: listedByFd,
  fdfind: listedByFd,
  grep: listedBySearch,
  rg: listedBySearch,
  git: listedByGit,
};

/** The location of a program that `which` or `command -v` prints: it is not a secret. */
export function isProgramPath({ words }: Simple): boolean {
  const [first, ...rest] = words;
  const names = first?.text === "command" && rest[0]?.text === "-v" ? rest.slice(1) : rest;
  return (
    /^(which|command)$/.test(first?.text ?? "") &&
    names.length === 1 &&
    names.every(({ kind, text }) => kind === "plain" && /^\w[\w.+-]*$/.test(text))
  );
}

/**
 * Options with which a lister still prints only names. Others make it print their value, for example
 * `ls -l --time-style=+a`, `git diff --line-prefix=a`, `fd --path-separator=a` or `grep -l --label=a`.
 */
const NAMES_ONLY = {
  ls: /^(-[1dpFRrtSUXvhkLBcu]+|--(color|sort|time|ignore|hide)=.*|--(reverse|recursive|directory|classify|group-directories-first))$/,
  fd: /^(-[tedHIsigFaLpu0ES1]+\d*|--(type|extension|max-depth|min-depth|exact-depth|exclude|size|changed-within|changed-before|color|max-results)(=.*)?|--(hidden|no-ignore|no-ignore-vcs|unrestricted|case-sensitive|ignore-case|glob|regex|fixed-strings|absolute-path|follow|full-path|print0))$/,
  search:
    /^(-[a-zA-Z0]+|--(exclude|exclude-dir|binary-files|sort|sortr|color|max-depth)=.*|--(recursive|dereference-recursive|ignore-case|case-sensitive|smart-case|word-regexp|line-regexp|fixed-strings|extended-regexp|basic-regexp|perl-regexp|files-with-matches|files-without-match|files|null|no-messages|hidden|no-ignore|no-ignore-vcs|follow|multiline|invert-match|text))$/,
  "ls-files":
    /^(-[cdmoikztvfx]+|--exclude=.*|--(cached|deleted|modified|others|ignored|killed|exclude-standard|directory|no-empty-directory|full-name|recurse-submodules|error-unmatch|deduplicate)|--)$/,
  diff: /^(-[zMCRwb]+\d*%?|--(diff-filter|find-renames|find-copies)=.*|--(name-only|cached|staged|relative|merge-base|no-renames|find-renames|find-copies|ignore-[a-z-]+|no-ext-diff|no-textconv|no-color)|--)$/,
} as const;

function printsOther(words: readonly Word[], by: keyof typeof NAMES_ONLY): boolean {
  return words.some(({ text }) => /^-./.test(text) && !NAMES_ONLY[by].test(text));
}

/** Hidden files, including secrets, are listed only with an option for that. */
function listedByLs(words: readonly Word[]): Handed | undefined {
  if (printsOther(words, "ls")) return undefined;
  return { under: [".", ...operandsOf(words)], bare: true };
}

function operandsOf(words: readonly Word[]): readonly string[] {
  return words.map((word) => word.text).filter((text) => !text.startsWith("-"));
}

/** Patterns for what `find` lists: everything below its roots, with the names that it searches for. */
function listedByFind(words: readonly Word[]): Handed | undefined {
  if (words.some(({ text }) => /^-(printf|fprintf|exec|execdir|ok|okdir|files0-from|ls)$/.test(text))) return undefined;
  const end = words.findIndex(({ text }) => /^[-!(]/.test(text) && !/^-[HLP]$/.test(text));
  const roots = operandsOf(end === -1 ? words : words.slice(0, end));
  const under = foundBelow((roots.length === 0 ? ["."] : roots).map(rooted), words);
  return under === undefined ? undefined : { under, all: listsSecrets(words) };
}

/** A root that begins with a letter is printed before every path, so none begins with a dash. */
function rooted(root: string): string {
  return /^[./~]/.test(root) ? root : `./${root}`;
}

/** With more combinations of folder and name than this, the result counts as unknown. */
const PLACES_MAX = 16;

/** Patterns for everything that `find` may find below the roots; undefined if there are too many. */
export function foundBelow(roots: readonly string[], words: readonly Word[]): readonly string[] | undefined {
  const named = words.flatMap(({ text }, i) => {
    const value = words[i + 1];
    const isName = /^-(name|iname|path|ipath|wholename|iwholename)$/.test(text) && !isNegated(words, i);
    return isName && value?.kind === "plain" ? [value.text] : [];
  });
  if (roots.length * (named.length + 1) > PLACES_MAX) return undefined;
  return roots.flatMap((root) => [root, ...named.map((name) => (name.includes("/") ? name : `${root}/**/${name}`))]);
}

/** `-not -name a` finds everything but that, and not twice. */
function isNegated(words: readonly Word[], at: number): boolean {
  const isNot = (i: number) => /^(!|-not)$/.test(words[i]?.text ?? "");
  return isNot(at - 1) && !isNot(at - 2);
}

function listedByFd(words: readonly Word[]): Handed | undefined {
  if (printsOther(words, "fd")) return undefined;
  const operands = operandsOf(words);
  if (operands.some((text) => /^[/~]|\.\./.test(text))) return undefined;
  const hidden = words.some(({ text }) => /^(-[a-zA-Z]*[Hu][a-zA-Z]*|--hidden|--unrestricted)$/.test(text));
  const named = words.some(({ text }) => /^(-e|--extension)/.test(text));
  // `fd` searches for a part of the name.
  const secret = operands[0] !== undefined && /^[\w.-]+$/.test(operands[0]) && mayBeSecret(`*${operands[0]}*`);
  return { under: ["."], bare: true, all: !named && (hidden || secret) };
}

/** A search prints names of files instead of their content only with `-l`. */
function listedBySearch(words: readonly Word[]): Handed | undefined {
  const options = words.map((word) => word.text).filter((text) => text.startsWith("-"));
  const lists = options.some((text) =>
    /^(-[rRinwsEFIHhuz]*l[rRinwsEFIHhuz]*|--files-with-matches|--files)$/.test(text),
  );
  if (
    !lists ||
    printsOther(words, "search") ||
    options.some((text) => /^(-[a-zA-Z]*[efgtTABCmMj]|--(regexp|file|glob|type|pre|include).*)$/.test(text))
  )
    return undefined;
  const operands = operandsOf(words).slice(options.includes("--files") ? 0 : 1);
  // The files with a match may include a hidden one, and then all of it is shown.
  const all = options.some((text) => /^-[a-zA-Z]*[rR]/.test(text));
  return operands.length === 0 ? { under: ["."], bare: true, all } : { under: operands.map(rooted), all };
}

function listedByGit([verb, ...words]: readonly Word[]): Handed | undefined {
  const texts = words.map((word) => word.text);
  const relative = { under: ["."], bare: true } as const;
  const lister = verb?.text === "ls-files" || verb?.text === "diff" ? verb.text : undefined;
  if (lister === undefined || printsOther(words, lister) || texts.some((text) => /^[/~]/.test(text))) return undefined;
  if (lister === "ls-files") {
    const others = texts.some((text) => /^(-[a-z]*o[a-z]*|--others)$/.test(text));
    return { ...relative, all: others };
  }
  return texts.includes("--name-only") ? relative : undefined;
}
