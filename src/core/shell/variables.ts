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
  SETTINGS,
} from "../tables/variables.ts";
import { INTEGERS, isNumber } from "./arithmetic.ts";
import { declared } from "./builtins.ts";
import type { Line } from "./path-uses.ts";
import { UNKNOWN } from "./scope.ts";
import type { Assigned, Simple, Word } from "./script.ts";

/** Why setting these variables keeps a command from being understood: programs read their orders from many of them. */
export function doubtsOfSets(sets: readonly Assigned[]): readonly Message[] {
  return sets.length === 0 ? NONE : sets.filter(changesPrograms).map(doubtOf);
}

const NONE: readonly Message[] = [];

/**
 * The same for variables that one command alone is given. Somebody who sets them there means that very program, so
 * only those that are known to be mild are.
 */
export function doubtsOfGiven({ words, sets }: Pick<Simple, "words" | "sets">): readonly Message[] {
  if (sets.length === 0) return NONE;
  const reads = /^(read|mapfile|readarray)$/.test(words[0]?.text ?? "");
  const isDeaf = startsDeaf(words[0]);
  return sets
    .filter((one) => !(reads && one.name === "IFS"))
    .filter((one) => !isDeaf || HEARD_BY_ALL.test(one.name) || one.name === SHOWN_BEFORE)
    .filter((one) => changesPrograms(one) || !(one.unset === true || MILD.test(one.name) || isComfort(one)))
    .map(doubtOf);
}

/** The shell that shows its commands runs what stands in this one, whichever program it is given to. */
const SHOWN_BEFORE = "PS4";

/** The same for what a program finds in the environment it is started in: it counts for the programs that read it. */
export function doubtsOfInherited(program: string, sets: readonly Assigned[]): readonly Message[] {
  return doubtsOfGiven({ words: NO_WORDS, sets: sets.filter((one) => reads(program, one.name)) });
}

const NO_WORDS: readonly Word[] = [];

/** Every program that is started after a variable was exported is given it, as if it stood in front of its name. */
export function doubtExported(lines: readonly Line[], sets: readonly Assigned[]): void {
  const all = lines.some(exportsAll) ? sets : NO_SETS;
  const exported = new Map([...all, ...lines.flatMap(exportedBy)].map((one) => [one.name, one]));
  const heard = [...exported.values()].filter((one) => doubtsOfInherited("", [one]).length > 0);
  if (heard.length === 0) return;
  for (const line of lines) {
    const [first] = line.simple.words;
    if (first === undefined || IN_SHELL.test(line.name) || (line.class === "none" && line.inner.length > 0)) continue;
    // Of so many nobody says which ones a program hears.
    const program = heard.length > EXPORTED_MAX ? "" : usualName(first.text);
    for (const why of doubtsOfInherited(program, heard.slice(0, EXPORTED_MAX))) line.doubts.add(why);
  }
}

const NO_SETS: readonly Assigned[] = [];
const EXPORTED_MAX = 64;

/** Words of the shell itself, which start no program. */
const IN_SHELL =
  /^(export|declare|typeset|local|readonly|unset|set|shopt|read|mapfile|readarray|test|\[|:|cd|pushd|popd|exit|return|break|continue|shift|wait|trap|type|hash|alias|unalias|let|jobs|eval|command|builtin|exec)$/;

function exportedBy({ name, given, operands }: Line): readonly Assigned[] {
  if (name !== "export" && !(DECLARING.test(name) && given.has("-x"))) return NO_SETS;
  if (given.has("-n") || given.has("-f")) return NO_SETS;
  return operands.flatMap((word) => {
    const { text } = word;
    if (text.includes("=")) return declared(word);
    // These are exported already, and whoever sets one is asked.
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

/** Found where the machine keeps its programs, a name says which one it is. */
export function usualName(program: string): string {
  return program.replace(/^(\/usr)?\/bin\//, "");
}

function doubtOf({ name }: Assigned): Message {
  return say("note.variable_changes_programs", { name });
}

function changesPrograms(one: Assigned): boolean {
  const { name, value } = one;
  // A value that nobody knows is like none that would be harmless.
  const text = value.kind === "plain" ? value.text : "?";
  if (isComfort(one) || (one.unset === true && MILD_UNSET.test(name))) return false;
  if (INTEGERS.has(name) && !isNumber(value)) return true;
  // Old shells run what follows such a beginning, and a name that is put together may be any.
  if (text.startsWith("() {") || /[$`]/.test(name)) return true;
  return PLACES.test(name) || SETTINGS.test(name) || ORDERS.test(name) || changesRuns(name, text);
}

/** Nearly everybody looks and writes with one of these; a program of any other name may be anything. */
function isComfort({ name, value }: Assigned): boolean {
  const which = /^(LESS|(?:\w+_)?(PAGER|EDITOR)|VISUAL)$/.test(name) ? (name === "LESS" ? "LESS" : "PAGER") : undefined;
  return which !== undefined && value.kind === "plain" && !changesRuns(which, value.text);
}
