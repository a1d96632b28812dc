import { flat } from "../tool-name.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { type ArgumentName, argumentName } from "./argument-name.ts";

/** First names of arguments and, for each, the ways that go on from there. */
type Spec = ReadonlyMap<string, readonly (readonly string[])[]>;

const specs = new Map<string, Spec>();

/** Taken apart once per text: the texts are those of the tables, so there are few. */
function specOf(names: string): Spec {
  const known = specs.get(names);
  if (known !== undefined) return known;
  const spec = new Map<string, (readonly string[])[]>();
  for (const name of new Set(names.split(" ").map((way) => way.split(".").map(flat).join(".")))) {
    const [first = "", ...rest] = name.split(".");
    spec.set(first, [...(spec.get(first) ?? []), rest]);
  }
  specs.set(names, spec);
  return spec;
}

/** One argument of a call. */
type Argument = { name: ArgumentName; value: Json };

/** The arguments of a call are looked through many times; what they are called is looked up once. */
let last: { args: JsonObject; found: readonly Argument[] } | undefined;

export function argumentsIn(args: JsonObject): readonly Argument[] {
  if (last?.args === args) return last.found;
  const found = Object.keys(args).map((key) => ({ name: argumentName(key), value: args[key] as Json }));
  last = { args, found };
  return found;
}

/** Values of the arguments that a table names, `edits.path` going into lists and objects. Every spelling counts. */
export function collect(args: JsonObject, names: string | undefined): readonly string[] {
  if (names === undefined) return NONE;
  const spec = specOf(names);
  const found: string[] = [];
  for (const { name, value } of argumentsIn(args)) {
    const ways = spec.get(name.flat);
    if (ways !== undefined) for (const way of ways) walk(value, way, 0, found);
  }
  return found;
}

const NONE: readonly string[] = [];

/** Whether an argument that seems to hold a path is one that no line of the table speaks of. */
export function hasUnnamedPath(args: JsonObject, named: readonly (string | undefined)[]): boolean {
  return argumentsIn(args).some(
    ({ name, value }) => typeof value === "string" && name.holds.has("path") && !isNamed(name, named),
  );
}

function isNamed({ flat: name }: ArgumentName, named: readonly (string | undefined)[]): boolean {
  return named.some((names) => names !== undefined && specOf(names).has(name));
}

/** Every text that a way leads to, from one of its names on. */
function walk(value: Json, way: readonly string[], at: number, found: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item as Json, way, at, found);
    return;
  }
  const next = way[at];
  if (next === undefined) {
    if (typeof value === "string") found.push(value);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) if (flat(key) === next) walk(value[key] as Json, way, at + 1, found);
  }
}

/** Folders that a tool may start its paths from, given in arguments that no line of the table speaks of. */
export function startFolders(args: JsonObject, named: readonly (string | undefined)[]): readonly string[] {
  const found: string[] = [];
  for (const { name, value } of argumentsIn(args))
    if (name.holds.has("folder") && !isNamed(name, named)) walk(value, NONE, 0, found);
  return found;
}

/** A command as a tool hands it over: a line for a shell, or words that no shell sees. */
export type Command = { line: string } | { words: readonly string[] };

/** Names under which tools take further words of a command: beside a program they belong to it. */
const MORE_WORDS = new Set(
  "args arguments argv params parameters flags options arg argument extraargs commandargs cmdargs".split(" "),
);

export function commandsIn(args: JsonObject, names: string): readonly Command[] {
  const spec = specOf(names);
  const lines: string[] = [];
  const lists: string[][] = [];
  const more: string[] = [];
  for (const { name, value } of argumentsIn(args)) {
    for (const way of spec.get(name.flat) ?? NO_WAYS) {
      for (const one of valuesAt(value, way)) {
        if (typeof one === "string") (MORE_WORDS.has(name.flat) ? more : lines).push(one);
        else if (Array.isArray(one) && one.length > 0 && one.every((word) => typeof word === "string")) {
          // Several commands are several lines, and words that a shell sees are one.
          if (isSeveral(args, one)) for (const line of one as string[]) lines.push(line);
          else lists.push(one as string[]);
        }
      }
    }
  }
  // A text of further words is one that somebody takes apart, as a shell would.
  const whole = lines.length === 0 ? more : more.length === 0 ? lines : lines.map((line) => [line, ...more].join(" "));
  return lists.length === 0 ? whole.map(asLine) : joined(args, whole, lists);
}

/** Whether a value under a name for commands is one that `commandsIn` reads. */
export function isCommandValue(value: Json): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((word) => typeof word === "string"));
}

const NO_WAYS: readonly (readonly string[])[] = [];

function isSeveral(args: JsonObject, value: Json): boolean {
  return argumentsIn(args).some((one) => one.name.flat === "commands" && one.value === value);
}

function joined(args: JsonObject, lines: readonly string[], lists: readonly string[][]): readonly Command[] {
  const shell = argumentsIn(args).some(({ name, value }) => name.flat === "shell" && value !== false && value !== null);
  if (shell) return [...lines, ...lists.map((words) => [...lines, ...words].join(" "))].map(asLine);
  const [line] = lines;
  const [list] = lists;
  // One program and a list beside it are one command: `{ command: "git", args: ["status"] }`.
  if (line !== undefined && list !== undefined && lines.length === 1 && lists.length === 1) {
    const words = [line, ...list];
    // Nobody knows whether the tool hands the words to a shell, which would make more of these signs.
    const pasted = list.some((word) => OBEYED.test(word)) ? [{ line: words.join(" ") }] : [];
    return [...(/\s/.test(line) ? [{ line }] : []), { words }, ...pasted];
  }
  const together = lines.length === 1 && line !== undefined ? lists.map((words) => ({ words: [line, ...words] })) : [];
  return [...lines.map(asLine), ...lists.map((words) => ({ words })), ...together];
}

/** Signs by which a shell starts something else than the program in front. */
const OBEYED = /[;&|<>`\n]|\$\(/;

function asLine(line: string): Command {
  return { line };
}

function valuesAt(value: Json, way: readonly string[]): readonly Json[] {
  const [next, ...rest] = way;
  if (next === undefined) return [value];
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => (flat(key) === next ? valuesAt(value[key] as Json, rest) : []));
}

type Guess = { paths: string[]; urls: string[]; commands: Command[] };

/** A call that names more things than this is larger than the gate examines. */
export const NAMED_MAX = 2_000;

/** What the arguments of a tool nobody told us about seem to name. It may only raise caution. */
export function guess(args: JsonObject): Guess {
  const found: Guess = { paths: [], urls: [], commands: [] };
  for (const { name, text } of textsOf(args).slice(0, NAMED_MAX)) guessOne(name, text, found);
  return found;
}

type Named = { name: ArgumentName; text: string };

/** They too are looked through several times. */
let lastTexts: { args: JsonObject; found: readonly Named[] } | undefined;

/** The texts of the arguments with the names they stand under; one more than are looked through says that there are many. */
function textsOf(args: JsonObject): readonly Named[] {
  if (lastTexts?.args === args) return lastTexts.found;
  const found: Named[] = [];
  const rest: Argument[] = [...argumentsIn(args)];
  for (let next = rest.pop(); next !== undefined && found.length <= NAMED_MAX; next = rest.pop()) {
    const { name, value } = next;
    if (typeof value === "string") found.push({ name, text: value });
    else if (Array.isArray(value)) for (const item of value) rest.push({ name, value: item as Json });
    else if (isObject(value))
      for (const key of Object.keys(value)) rest.push({ name: argumentName(key), value: value[key] as Json });
  }
  lastTexts = { args, found };
  return found;
}

/** The texts under these names, however deep they stand. */
export function textsCalled(args: JsonObject, names: ReadonlySet<string>): readonly string[] {
  return textsOf(args).flatMap(({ name, text }) => (names.has(name.flat) ? [text] : []));
}

/** The texts under names of a kind, however deep they stand, as far as they are looked through. */
export function textsUnder(args: JsonObject, isMeant: (flat: string) => boolean): readonly string[] {
  const found = textsOf(args).slice(0, NAMED_MAX);
  return found.flatMap(({ name, text }) => (isMeant(name.flat) ? [text] : []));
}

/** Every text in the arguments, as far as they are looked through. */
export function textsIn(args: JsonObject): readonly string[] {
  return textsOf(args).map(({ text }) => text);
}

/** Whether the arguments hold more texts than are looked through for what they may name. */
export function holdsMany(args: JsonObject): boolean {
  return textsOf(args).length > NAMED_MAX;
}

/** Texts under any name that may hold a path or a patch, however deep; for looking whether they name what is protected. */
export function tucked(args: JsonObject, kind: "file" | "patch" | "other"): { paths: string[]; patches: string[] } {
  const found: { paths: string[]; patches: string[] } = { paths: [], patches: [] };
  for (const { name, text } of textsOf(args).slice(0, NAMED_MAX)) {
    if (kind === "patch" || (kind === "file" && name.holds.has("patch"))) found.patches.push(text);
    if (text.length > 4_096 || name.holds.has("start")) continue;
    if (name.holds.has(kind === "other" ? "path" : "target") || FILE.test(text)) found.paths.push(text);
  }
  return found;
}

const FILE = /^file:/i;
const WEB = /^(https?|wss?|ftp):\/\//i;
const PATH = /^(\/|~|\.\.?\/)/;

function guessOne({ holds }: ArgumentName, text: string, found: Guess): void {
  if (holds.has("command")) found.commands.push({ line: text });
  if (text.length > 4_096) return;
  if (FILE.test(text)) found.paths.push(text);
  else if (WEB.test(text) || (holds.has("url") && /^[^\s]+$/.test(text))) found.urls.push(text);
  else if (holds.has("place") || PATH.test(text)) found.paths.push(text);
}
