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
import type { Assigned, Simple, Word } from "./script.ts";

/** Why setting these variables keeps a command from being understood: programs read their orders from many of them. */
export function doubtsOfSets(sets: readonly Assigned[]): readonly string[] {
  return sets.length === 0 ? NONE : sets.filter(changesPrograms).map(doubtOf);
}

const NONE: readonly string[] = [];

/**
 * The same for variables that one command alone is given. Somebody who sets them there means that very program, so
 * only those that are known to be mild are.
 */
export function doubtsOfGiven({ words, sets }: Pick<Simple, "words" | "sets">): readonly string[] {
  if (sets.length === 0) return NONE;
  const reads = /^(read|mapfile|readarray)$/.test(words[0]?.text ?? "");
  const isDeaf = startsDeaf(words[0]);
  return sets
    .filter((one) => !(reads && one.name === "IFS") && !(isDeaf && !HEARD_BY_ALL.test(one.name)))
    .filter((one) => changesPrograms(one) || !(one.unset === true || MILD.test(one.name) || isComfort(one)))
    .map(doubtOf);
}

/** The same for what a program finds in the environment it is started in: it counts for the programs that read it. */
export function doubtsOfInherited(program: string, sets: readonly Assigned[]): readonly string[] {
  return doubtsOfGiven({ words: NO_WORDS, sets: sets.filter((one) => reads(program, one.name)) });
}

const NO_WORDS: readonly Word[] = [];

function startsDeaf(first: Word | undefined): boolean {
  return first?.kind === "plain" && DEAF.has(usualName(first.text));
}

/** Found where the machine keeps its programs, a name says which one it is. */
export function usualName(program: string): string {
  return program.replace(/^(\/usr)?\/bin\//, "");
}

function doubtOf({ name }: Assigned): string {
  return `the variable ${name} may change what programs do`;
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
