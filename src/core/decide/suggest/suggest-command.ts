import { type EffectClass, onlyReads } from "../../effect.ts";
import { type Program, programCalled, STARTING } from "../../shell/program.ts";
import { understand } from "../../shell/understand.ts";
import { GRAVE, INTERPRETERS, programOf } from "../../tables/launchers.ts";
import { pushedTo } from "../../tables/project/branch-push.ts";
import { isEverydayRun, runnerWords } from "../../tables/project/runners.ts";

/** How much a grant covers: exactly these words, this subcommand with any further words, or this program with any words. */
export const WIDTHS = ["exact", "near", "wide"] as const;
export type Width = (typeof WIDTHS)[number];

/**
 * Programs that start other programs named by their words or files, and programs that control the machine: a grant
 * for one of them would allow anything.
 */
export function launches(words: readonly string[]): boolean {
  if (runnerWords(words) !== undefined) return false;
  const [first = "", ...rest] = words;
  if (isNever(first)) return true;
  const [line] = understand({ words }).lines;
  // Any word of an unknown program may be a program that it starts.
  if (line?.program === undefined)
    return rest.some((word) => isNever(word) || startsWords(programCalled(programOf(word))));
  return line.inner.length > 0 || startsWords(line.program) || readsCode(line.program);
}

/** Whether it is refused because of what it does itself, and not because of what it could start. */
export function isGrave([first = ""]: readonly string[]): boolean {
  const program = programOf(first);
  return GRAVE.has(program) && !startsWords(programCalled(program));
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

/** The words of a grant of this width, with a final `*` for any further words; undefined if no such grant is safe. */
export function widened(
  words: readonly string[],
  width: Width,
  effectClass: EffectClass,
): readonly (readonly string[])[] | undefined {
  // A literal star would be read as "any further words".
  if (width === "exact") return words.at(-1) === "*" ? undefined : [words];
  // Leeway does not examine what such a program does, so it cannot know which other words are similar.
  if (effectClass === "process.exec") return width === "near" ? (scriptWords(words) ?? runnerRest(words)) : undefined;
  if (UNLIKE.has(effectClass)) return undefined;
  const remote = pushedTo(words);
  if (remote !== undefined) return width === "near" ? [["git", "push", remote, "*"]] : undefined;
  const [line] = understand({ words }).lines;
  if (line?.program === undefined) return undefined;
  const isRead = onlyReads(effectClass);
  if (!isRead && hasLasting(line.program)) return undefined;
  // A program with subcommands does many different things, so it is offered as a whole only if all of it reads.
  const [name = ""] = line.name.split(" ");
  if (width === "wide" && (MANAGERS.has(name) || (!isRead && hasSubcommands(name)))) return undefined;
  return [[...words.slice(0, width === "near" ? line.named : 1), "*"]];
}

/** Classes whose danger depends on the words: one statement inserts a row, the next drops the table. */
const UNLIKE: ReadonlySet<EffectClass> = new Set<EffectClass>(["db.write", "message.send"]);

/** Whether the program could do something that cannot be undone with other options or words. */
function hasLasting({ row, options }: Program): boolean {
  return row.reversible === false || [...options.values()].some((option) => option.lasting);
}

function hasSubcommands(name: string): boolean {
  return (programCalled(name)?.subs.size ?? 0) > 0;
}

const MANAGERS: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
const RUNS_NAMED: ReadonlySet<string> = new Set(["run", "run-script"]);
const RUNS_ITSELF: ReadonlySet<string> = new Set(["test", "start", "stop", "restart"]);

/**
 * A package script by its name, with any arguments for the script itself; what comes before `--` is for the package
 * manager.
 */
function scriptWords(words: readonly string[]): readonly (readonly string[])[] | undefined {
  const [manager = "", verb = "", name = "-"] = words;
  if (!MANAGERS.has(manager)) return undefined;
  const length = RUNS_NAMED.has(verb) && !name.startsWith("-") ? 3 : RUNS_ITSELF.has(verb) ? 2 : undefined;
  if (length === undefined) return undefined;
  const script = words.slice(0, length);
  return [script, [...script, "--", "*"]];
}

/** A test runner with common arguments, as a `GrantPattern`. */
function runnerRest(words: readonly string[]): readonly (readonly string[])[] | undefined {
  const runner = isEverydayRun(words) ? runnerWords(words) : undefined;
  return runner === undefined ? undefined : [[...runner, "*"]];
}
