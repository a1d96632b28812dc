import { type Message, say } from "../messages/message.ts";
import {
  changesRuns,
  DEAF,
  HEARD_BY_ALL,
  MILD,
  MILD_UNSET,
  ORDERS,
  PLACES,
  reads,
  SENT,
  SETTINGS,
} from "../tables/variables.ts";
import { INTEGERS, isNumber } from "./arithmetic.ts";
import { declared } from "./builtins.ts";
import type { Line } from "./path-uses.ts";
import { UNKNOWN } from "./scope.ts";
import type { Assigned, Simple, Word } from "./script.ts";

/** Why setting these variables puts a command in doubt: many of them control programs. */
export function doubtsOfSets(sets: readonly Assigned[]): readonly Message[] {
  return sets.filter(changesPrograms).map(doubtOf);
}

/**
 * The same for variables set for one command only. Somebody who sets them there means that program, so only variables
 * that are known to be harmless are accepted.
 */
export function doubtsOfGiven({ words, sets }: Pick<Simple, "words" | "sets">): readonly Message[] {
  const reads = /^(read|mapfile|readarray)$/.test(words[0]?.text ?? "");
  const isDeaf = startsDeaf(words[0]);
  return sets
    .filter((one) => !(reads && one.name === "IFS"))
    .filter((one) => !isDeaf || HEARD_BY_ALL.test(one.name) || one.name === SHOWN_BEFORE)
    .filter((one) => changesPrograms(one) || !(one.unset === true || MILD.test(one.name) || isComfort(one)))
    .map(doubtOf);
}

/** A shell that shows its commands runs the content of this variable, whichever program started the shell. */
const SHOWN_BEFORE = "PS4";

/** The same for the environment in which a program is started: it counts for the programs that read it. */
export function doubtsOfInherited(program: string, sets: readonly Assigned[]): readonly Message[] {
  return doubtsOfGiven({ words: NO_WORDS, sets: sets.filter((one) => reads(program, one.name)) });
}

const NO_WORDS: readonly Word[] = [];

/** Every program that is started after a variable was exported is given it, as if it stood in front of its name. */
export function doubtExported(lines: readonly Line[], sets: readonly Assigned[]): void {
  if (!lines.some(({ name }) => EXPORTING.test(name))) return;
  const all = lines.some(exportsAll) ? sets : NO_SETS;
  const exported = new Map([...all, ...lines.flatMap(exportedBy)].map((one) => [one.name, one]));
  const heard = [...exported.values()].filter((one) => doubtsOfInherited("", [one]).length > 0);
  if (heard.length === 0) return;
  for (const line of lines) {
    const [first] = line.simple.words;
    if (first === undefined || IN_SHELL.test(line.name) || (line.class === "none" && line.inner.length > 0)) continue;
    // With so many variables it is not determined which of them a program reads.
    const program = heard.length > EXPORTED_MAX ? "" : usualName(first.text);
    for (const why of doubtsOfInherited(program, heard.slice(0, EXPORTED_MAX))) line.doubts.add(why);
  }
}

/** The commands of `exportsAll` and `exportedBy`. */
const EXPORTING = /^(export|declare|typeset|local|set|shopt|(r?ba|da|a|k|mk|z)?sh)$/;

const NO_SETS: readonly Assigned[] = [];

const EXPORTED_MAX = 64;

/** Builtins that start no program. */
const IN_SHELL =
  /^(export|declare|typeset|local|readonly|unset|set|shopt|read|mapfile|readarray|test|\[|:|cd|pushd|popd|exit|return|break|continue|shift|wait|trap|type|hash|alias|unalias|let|jobs|eval|command|builtin|exec)$/;

function exportedBy({ name, given, operands }: Line): readonly Assigned[] {
  if (name !== "export" && !(DECLARING.test(name) && given.has("-x"))) return NO_SETS;
  if (given.has("-n") || given.has("-f")) return NO_SETS;
  return operands.flatMap((word) => {
    const { text } = word;
    if (text.includes("=")) return declared(word);
    // These are already exported, and setting one asks.
    return PLACES.test(text) ? NO_SETS : [{ name: text, value: UNKNOWN }];
  });
}

const DECLARING = /^(declare|typeset|local)$/;

/** `set -a` exports every variable that is set from there on. */
function exportsAll({ name, simple: { words } }: Line): boolean {
  return (
    /^(set|shopt|(r?ba|da|a|k|mk|z)?sh)$/.test(name) &&
    words.some(({ text }) => /^(-[a-zA-Z]*a[a-zA-Z]*|allexport)$/.test(text))
  );
}

function startsDeaf(first: Word | undefined): boolean {
  return first?.kind === "plain" && DEAF.has(usualName(first.text));
}

/** A name that is found among the system's programs identifies the program. */
export function usualName(program: string): string {
  return program.replace(/^(\/usr)?\/bin\//, "");
}

function doubtOf({ name }: Assigned): Message {
  return name === "LEEWAY_BOX" ? say("note.without_box") : say("note.variable_changes_programs", { name });
}

function changesPrograms(one: Assigned): boolean {
  const { name, value } = one;
  // An unknown value does not count as harmless.
  const text = value.kind === "plain" ? value.text : "?";
  if (value.kind !== "plain" && one.unset !== true && SENT.test(name)) return true;
  if (isComfort(one) || (one.unset === true && MILD_UNSET.test(name))) return false;
  if (INTEGERS.has(name) && !isNumber(value)) return true;
  // Old shells run what follows such a beginning, and a composed name may be anything.
  if (text.startsWith("() {") || /[$`]/.test(name)) return true;
  return PLACES.test(name) || SETTINGS.test(name) || ORDERS.test(name) || changesRuns(name, text);
}

/** The usual pagers and editors; a program with any other name may be anything. */
function isComfort({ name, value }: Assigned): boolean {
  if (name === "LEEWAY_BOX") return asksForBox({ name, value });
  const which = /^(LESS|(?:\w+_)?(PAGER|EDITOR)|VISUAL)$/.test(name) ? (name === "LESS" ? "LESS" : "PAGER") : undefined;
  return which !== undefined && value.kind === "plain" && !changesRuns(which, value.text);
}

/** `LEEWAY_BOX=on` says nothing new: a command gets a box anyway. */
export function asksForBox({ name, value }: Assigned): boolean {
  return name === "LEEWAY_BOX" && value.kind === "plain" && !changesRuns(name, value.text);
}

/** Variables with these words in their name, split at underscores and capitals, count as secrets. */
const TELLING = new Set(
  "KEY KEYS TOKEN TOKENS SECRET SECRETS PASS PASSWD PASSWORD PASSPHRASE PASSCODE CREDENTIAL CREDENTIALS CREDS AUTH COOKIE JWT PAT DSN".split(
    " ",
  ),
);

/** Words that are joined with others, as in `PGPASSWORD`, and addresses that contain a password. */
const ANYWHERE =
  /PASSW(OR)?D|PASSPHRASE|APIKEY|ACCESSKEY|SECRET|CREDENTIAL|TOKEN$|_PWD$|CONNECTION_?STRING|^(\w*DATABASE|DB|MONGO\w*|POSTGRES\w*|PG|MYSQL|REDIS|AMQP|RABBITMQ)_UR[LI]$/;

/** These are named like secrets but say where something is, or how it is done. */
const PLACE_NAMES = /_(FILE|PATH|DIR|NAME|ID|SOCK|TYPE|LENGTH|COUNT|LIMIT|URL|URI|ENDPOINT|ALGORITHM)$/;

export function isSecretVariable(name: string): boolean {
  // Scripts use `key` or `token` for loop variables; the environment does not use such names.
  if (/^[a-z]+$/.test(name)) return false;
  const spelled = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
  if (ANYWHERE.test(spelled)) return true;
  return !PLACE_NAMES.test(spelled) && spelled.split("_").some((word) => TELLING.has(word));
}

/** Assignments from variable to variable against the order of the text are followed this far. */
const ROUNDS = 3;

/** Variables that got the value of another variable that seems to be a secret. */
export function secretNames(sets: readonly Assigned[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, value } of sets) if (holdsSecret(value, found)) found.add(name);
  }
  return found;
}

/** Whether a command gets such a variable, among its words or as its input. */
export function getsSecret({ words, input }: Simple, names: ReadonlySet<string>): boolean {
  if (words.some(({ kind, text }) => kind === "open" && namesSecret(text, names))) return true;
  return typeof input === "object" && "written" in input && namesSecret(input.written, names);
}

export function holdsSecret(word: Word, names: ReadonlySet<string>): boolean {
  return word.kind === "open" && namesSecret(word.text, names);
}

/** `${A+x}` only says whether A is set, and `${!A[@]}` which subscripts it has; `${!A}` may be any variable. */
const NAMED = /\$(?:\{(!?)(\w+)|(\w+))(?=([^}]{0,2}))/g;

function namesSecret(text: string, names: ReadonlySet<string>): boolean {
  if (!text.includes("$")) return false;
  for (const [, other, braced, bare, after = ""] of text.matchAll(NAMED)) {
    const name = braced ?? bare ?? "";
    if (braced !== undefined && /^:?\+/.test(after)) continue;
    if (other === "!" ? !/^[[*@]/.test(after) : names.has(name) || isSecretVariable(name)) return true;
  }
  return false;
}
