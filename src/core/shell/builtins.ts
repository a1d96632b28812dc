import { say } from "../messages/message.ts";
import { KEEPING } from "./other-shells.ts";
import { assignUnknown, forget, moved, popped, pushedTo, type Scope, setHere, setTo, UNKNOWN } from "./scope.ts";
import { type Assigned, placedAt, plain, type Simple, type Word } from "./script.ts";

/** Builtins that may set any variable to anything. */
const SETTING = new Set(
  "read mapfile readarray getopts let unset eval source . trap printf wait shopt enable alias unalias hash".split(" "),
);
/** Builtins that set the variables that their words name. */
const DECLARING = new Set("export declare typeset local readonly".split(" "));
/** Options of `set` that change neither word splitting nor variables. */
const HARMLESS_SET = /^([-+][euxvbhmCT]*o?|pipefail|errexit|nounset|xtrace|verbose)$/;

/** What a command does to the shell that runs it: its folder afterwards, and which variables are still known. */
export function effectOnShell(simple: Simple, scope: Scope): void {
  const { words } = simple;
  const at = behindPrefix(words);
  const first = words[at];
  if (first === undefined) return;
  if (simple.sets.length > 0) keepAssignments(simple, words.slice(0, at + 1), scope);
  if (first.kind !== "plain" || scope.shadowed.has(first.text)) {
    // A function of the script, or a command known only at run time, may change anything in the shell.
    forget(scope);
    scope.wild = true;
    scope.folders = undefined;
    scope.pushed = undefined;
    return;
  }
  if (TOUCHING.has(first.text)) touchShell(first.text, words.slice(at + 1), simple, scope);
}

/** `A=1 export A` sets A permanently, and so does an assignment before other builtins in some modes. */
function keepAssignments({ sets }: Simple, named: readonly Word[], scope: Scope): void {
  if (!named.some(({ text }) => KEEPING.has(text) || DECLARING.has(text))) return;
  for (const one of sets) {
    setHere(one, scope);
    setTo(scope, one.name, undefined);
  }
}

function touchShell(name: string, rest: readonly Word[], { redirects }: Simple, scope: Scope): void {
  if (name === "cd" || name === "chdir")
    moved(
      scope,
      rest.filter((word) => !/^-([LPe@]+|-)$/.test(word.text)),
    );
  else if (name === "pushd") pushedTo(scope, rest);
  else if (name === "popd") popped(scope, rest);
  else if (name === "set" && rest.some((word) => word.kind !== "plain" || !HARMLESS_SET.test(word.text))) forget(scope);
  else if (name === "read" && isPlainRead(rest)) for (const { text } of rest) setTo(scope, text, undefined);
  else if (SETTING.has(name) && !(name === "printf" && !rest.some((word) => word.text.startsWith("-v")))) forget(scope);
  else if (DECLARING.has(name)) declareAll(name, rest, scope);
  if (name === "set" || name === "shopt") doubtReading(rest, scope);
  if (name === "read") for (const word of rest) scope.sets.push({ name: word.text, value: UNKNOWN });
  // Without a name, `read` sets this variable.
  if (name === "read" && !(isPlainRead(rest) && rest.some(isName))) assignUnknown("REPLY", scope);
  if (name === "mapfile" || name === "readarray" || (name === "read" && rest.some(readsList)))
    for (const { text } of rest) scope.lists.add(text);
  if (name === "unset") for (const one of unsetBy(rest)) scope.sets.push(one);
  if (NAMING.has(name) || DECLARING.has(name) || rest[0]?.text.startsWith("-v") === true) dropDigits(rest, scope);
  if (WILD.has(name) || (name === "read" ? rest : name === "printf" ? rest.slice(0, 1) : []).some(namesUnseen))
    scope.wild = true;
  if (name === "eval" || name === "source" || name === ".") scope.folders = scope.pushed = undefined;
  if (name === "trap" && rest.some((word) => LEADS.test(word.text))) scope.folders = undefined;
  // A shell that gets its commands as input continues with those of the file.
  if (name === "exec" && rest.length === 0 && redirects.some(({ writes }) => !writes))
    scope.doubts.add(say("note.shell_input_from_file"));
  if (name === "alias") for (const word of rest) scope.shadowed.add(word.text.split("=")[0] ?? "");
}

function readsList({ text }: Word): boolean {
  return /^-[a-zA-Z]*a/.test(text);
}

/** The variables that these words of `unset` remove from the shell. A program that reads one finds nothing or a default. */
export function unsetBy(words: readonly Word[]): readonly Assigned[] {
  if (words.some(({ text }) => /^-[vn]*f/.test(text))) return [];
  return words.flatMap(({ kind, text }) => (kind === "plain" && !text.startsWith("-") ? [unset(text)] : []));
}

export function unset(name: string): Assigned {
  return { name, value: plain(""), unset: true };
}

/** A special variable of the shell that is set or unset is an ordinary variable from then on. */
function dropDigits(words: readonly Word[], { digits }: Scope): void {
  for (const { kind, text } of words) {
    if (kind !== "plain") digits.clear();
    else if (!/=\d+$/.test(text)) digits.delete(text.split("=")[0] ?? "");
  }
}

/** `read -r a b` sets only the variables it names. */
function isPlainRead(words: readonly Word[]): boolean {
  return words.every(({ kind, text }) => kind === "plain" && text !== "IFS" && /^(-r|[A-Za-z_]\w*)$/.test(text));
}

function isName({ text }: Word): boolean {
  return !text.startsWith("-");
}

/** A text that may change the folder of the shell when it runs. */
const LEADS = /\b(cd|chdir|pushd|popd|eval|source)\b|(^|[\s;&|])\.\s/;
/** Builtins that may set variables that none of their words names. */
const WILD = new Set("mapfile readarray getopts let eval source . trap wait".split(" "));
/** All builtins with an effect on the shell that runs them. */
const TOUCHING = new Set([...SETTING, ...DECLARING, ...WILD, "cd", "chdir", "pushd", "popd", "set", "exec"]);

/** Builtins whose words are names of variables. */
const NAMING = new Set("read mapfile readarray getopts unset wait let".split(" "));

/** A name that is known only at run time, or that is joined with its option in one word. */
function namesUnseen(word: Word): boolean {
  return word.kind !== "plain" || /^-[a-zA-Z]*(a.|v)/.test(word.text);
}

/** `command cd x` and `builtin cd x` work like `cd x`. */
function behindPrefix(words: readonly Word[]): number {
  let at = 0;
  while (at < words.length - 1 && PREFIX.test(words[at]?.text ?? "")) at++;
  return at;
}

const PREFIX = /^(command|builtin|exec|time|-p*|--)$/;

/** `export A=1` sets A; `export A` makes A visible to programs. */
export function declared(word: Word): readonly Assigned[] {
  const at = word.text.indexOf("=");
  if (word.text.startsWith("-") || at < 1) return [];
  const name = word.text.slice(0, at);
  return [
    {
      name,
      value:
        word.kind === "plain" ? valueFrom(word.text.slice(at + 1)) : { ...word, kind: "open", start: "", split: false },
    },
  ];
}

function valueFrom(text: string): Word {
  return /^[~.](\/|$)/.test(text) ? placedAt(text) : plain(text);
}

/** Options that change the letters of a value, or make a name refer to another. */
const CHANGING = /^[-+][a-zA-Z]*[cilnuI]/;

const WRITTEN_LIST = /^(\w+)=\1\+?=\(/;

function declareAll(name: string, words: readonly Word[], scope: Scope): void {
  const asLists = words.some((word) => /^-[a-zA-Z]*[aA]/.test(word.text));
  const lists = asLists || (name !== "export" && name !== "readonly");
  for (const word of words) {
    const [variable = ""] = word.text.split(/\+?=/);
    if (asLists) scope.lists.add(variable);
    // A list that is written out was already parsed, and is repeated after its name.
    if (lists && word.kind === "open" && !WRITTEN_LIST.test(word.text)) scope.declared.add(variable);
  }
  for (const one of words.flatMap(declared)) declare(one, scope);
  // Outside a function `local` does nothing, and the variable keeps its value.
  if (name === "local") for (const one of words.flatMap(declared)) setTo(scope, one.name, undefined);
  if (words.some((word) => word.kind !== "plain" || CHANGING.test(word.text))) forget(scope);
}

/** Settings that do not change how a command is split into words. With `dotglob` a star also matches hidden files such as `.env`. */
const SAME_WORDS =
  /^([-+][abefhmnuvxCET]*o?|-[sqpu]+|pipefail|errexit|nounset|xtrace|verbose|noglob|allexport|noclobber|errtrace|functrace|globstar|extglob|nocaseglob|nocasematch|inherit_errexit|huponexit|checkjobs|failglob|globasciiranges|cmdhist|histappend|checkwinsize|patsub_replacement)$/;

function doubtReading(words: readonly Word[], scope: Scope): void {
  const end = words.findIndex(({ kind, text }) => kind === "plain" && (text === "--" || text === "-"));
  const settings = end === -1 ? words : words.slice(0, end);
  if (settings.some(({ kind, text }) => kind !== "plain" || !SAME_WORDS.test(text)))
    scope.doubts.add(say("note.shell_settings_change"));
}

function declare({ name, value }: Assigned, scope: Scope): void {
  scope.sets.push({ name, value });
  setTo(scope, name, value.kind === "plain" ? value : undefined);
  if (name === "IFS") scope.unruly = true;
}
