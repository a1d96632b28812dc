import { type EffectClass, onlyReads } from "../effect.ts";
import { type Program, programCalled, STARTING } from "../shell/program.ts";
import { understand } from "../shell/understand.ts";
import { GRAVE, INTERPRETERS, programOf } from "../tables/launchers.ts";
import { isEverydayRun, runnerWords } from "../tables/runners.ts";

/** Exactly this; this subcommand with any rest; this program with any rest. */
export const WIDTHS = ["exact", "near", "wide"] as const;
export type Width = (typeof WIDTHS)[number];

/**
 * Programs that start what their words or their files say, and those that rule over the machine: a grant for one of them
 * would be a grant for anything.
 */
export function launches(words: readonly string[]): boolean {
  if (runnerWords(words) !== undefined) return false;
  const [first = "", ...rest] = words;
  if (isNever(first)) return true;
  const [line] = understand({ words }).lines;
  // Of a program that nobody knows any word may be what it starts.
  if (line?.program === undefined)
    return rest.some((word) => isNever(word) || startsWords(programCalled(programOf(word))));
  return line.inner.length > 0 || startsWords(line.program) || readsCode(line.program);
}

function isNever(word: string): boolean {
  const program = programOf(word);
  return INTERPRETERS.has(program) || GRAVE.has(program);
}

function startsWords(program: Program | undefined): boolean {
  return program?.slots.some((slot) => STARTING.has(slot.role)) === true;
}

function readsCode({ row, options }: Program): boolean {
  return row.class === "process.exec" && [...options.values()].some((option) => STARTING.has(option.role));
}

/** The words of a grant of that width, a last `*` being any rest; undefined where there is none that one could answer for. */
export function widened(
  words: readonly string[],
  width: Width,
  effectClass: EffectClass,
): readonly (readonly string[])[] | undefined {
  // A star that was meant as itself would be taken for any rest.
  if (width === "exact") return words.at(-1) === "*" ? undefined : [words];
  // What such a program does is not examined, so that no other words of it are known to be like these.
  if (effectClass === "process.exec") return width === "near" ? (scriptWords(words) ?? runnerRest(words)) : undefined;
  if (UNLIKE.has(effectClass)) return undefined;
  const [line] = understand({ words }).lines;
  if (line?.program === undefined) return undefined;
  const isRead = onlyReads(effectClass);
  if (!isRead && hasLasting(line.program)) return undefined;
  // Too many things of too many kinds go by the name of a program with subcommands; of those that only look, any will do.
  const [name = ""] = line.name.split(" ");
  if (width === "wide" && (MANAGERS.has(name) || (!isRead && hasSubcommands(name)))) return undefined;
  return [[...words.slice(0, width === "near" ? line.named : 1), "*"]];
}

/** Of these nothing but the words says how grave they are: one statement inserts a row, the next drops the table. */
const UNLIKE: ReadonlySet<EffectClass> = new Set<EffectClass>(["db.write", "message.send"]);

/** With other options, or other words, it would do what cannot be undone. */
function hasLasting({ row, options }: Program): boolean {
  return row.reversible === false || [...options.values()].some((option) => option.lasting);
}

function hasSubcommands(name: string): boolean {
  return (programCalled(name)?.subs.size ?? 0) > 0;
}

const MANAGERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
const RUNS_NAMED: ReadonlySet<string> = new Set(["run", "run-script"]);
const RUNS_ITSELF: ReadonlySet<string> = new Set(["test", "start", "stop", "restart"]);

/** A script of a package by its name, with anything handed to the script itself: what stands before `--` is the manager's. */
function scriptWords(words: readonly string[]): readonly (readonly string[])[] | undefined {
  const [manager = "", verb = "", name = "-"] = words;
  if (!MANAGERS.has(manager)) return undefined;
  const length = RUNS_NAMED.has(verb) && !name.startsWith("-") ? 3 : RUNS_ITSELF.has(verb) ? 2 : undefined;
  if (length === undefined) return undefined;
  const script = words.slice(0, length);
  return [script, [...script, "--", "*"]];
}

/** A runner with everyday arguments, as `GrantPattern` says it. */
function runnerRest(words: readonly string[]): readonly (readonly string[])[] | undefined {
  const runner = isEverydayRun(words) ? runnerWords(words) : undefined;
  return runner === undefined ? undefined : [[...runner, "*"]];
}
