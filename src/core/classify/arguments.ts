import { type ToolCall, tooLarge } from "../call.ts";
import { flat } from "../tool-name.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";

/** The arguments of a call, read once. */
export type Arguments = {
  readonly json: JsonObject;
  readonly list: readonly Argument[];
  /** Every text at any depth, with the name of the argument it is in. At most one more than `NAMED_MAX`. */
  readonly texts: readonly { name: ArgumentName; text: string }[];
};

/** One argument of a call. */
export type Argument = { name: ArgumentName; value: Json };

/** The name of an argument, and what arguments of this name usually hold. */
type ArgumentName = {
  /** Lower case, without separators, so that all spellings of a name are equal. */
  flat: string;
  holds: ReadonlySet<Holding>;
};

type Holding = keyof typeof NAMES;

const NAMES = {
  command: /^(command|commands|cmd|commandline|shell|script|exec|argv|code|program|bash|powershell)$/,
  folder: /^(cwd|workdir|workingdirectory|workingdir|directory|dir|folder|root|basepath|basedir|rootpath)$/,
  patch: /(diff|patch|patches|diffs|patchtext)$/,
  path: /(path|paths|file|files|dir|directory|folder|filename)$/,
  place: /(path|paths|file|files|dir|directory|folder|filename|location|cwd|root)$/,
  shell: /^(shell|shellpath|shellprogram|executable|interpreter|stdin|stdininput|standardinput)$/,
  start: /^(cwd|workdir|workingdirectory|workingdir)$/,
  target:
    /(path|paths|file|files|dir|directory|folder|filename|location|uri|uris|name|target|to|from|dest|destination|source|src|output|out|outfile)$/,
  url: /(url|urls|uri|href|endpoint|host|hostname|domain|webhook|link)$/,
} as const satisfies Record<string, RegExp>;

/** At most this many texts of a call are examined for what they may name. */
export const NAMED_MAX = 2_000;

export function readArguments(json: JsonObject): Arguments {
  const list = argumentsOf(json);
  const texts: { name: ArgumentName; text: string }[] = [];
  const rest: Argument[] = [...list];
  for (let next = rest.pop(); next !== undefined && texts.length <= NAMED_MAX; next = rest.pop()) {
    const { name, value } = next;
    if (typeof value === "string") texts.push({ name, text: value });
    else if (Array.isArray(value)) for (const item of value) rest.push({ name, value: item as Json });
    else if (isObject(value))
      for (const key of Object.keys(value)) rest.push({ name: argumentName(key), value: value[key] as Json });
  }
  return { json, list, texts };
}

export function argumentsOf(json: JsonObject): readonly Argument[] {
  return Object.keys(json).map((key) => ({ name: argumentName(key), value: json[key] as Json }));
}

/** Tools use few argument names, so a cache pays off. Agents can invent names, so the cache is bounded. */
const CACHED_MAX = 4096;
const CACHED_LENGTH_MAX = 64;
const cached = new Map<string, ArgumentName>();

const HOLDS_NOTHING: ReadonlySet<Holding> = new Set();

/** Matches every name that says what it holds. Most names do not match. */
const MAY_HOLD = new RegExp(
  Object.values(NAMES)
    .map(({ source }) => source)
    .join("|"),
);

export function argumentName(key: string): ArgumentName {
  const known = cached.get(key);
  if (known !== undefined) return known;
  const name = flat(key);
  const found = { flat: name, holds: MAY_HOLD.test(name) ? holdsOf(name) : HOLDS_NOTHING };
  if (cached.size >= CACHED_MAX) cached.clear();
  if (key.length <= CACHED_LENGTH_MAX) cached.set(key, found);
  return found;
}

function holdsOf(name: string): ReadonlySet<Holding> {
  return new Set((Object.keys(NAMES) as Holding[]).filter((holding) => NAMES[holding].test(name)));
}

/** The names of arguments in a row of the tables. `edits.path` is stored under `edits`, with `path` as the rest of the way. */
type Spec = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Each text is parsed once. The texts come from the tables, so there are few. */
const specs = new Map<string, Spec>();

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

/** The texts in the arguments that a table names, in every spelling of the names. `edits.path` goes into lists and objects. */
export function collect(args: Arguments, names: string | undefined): readonly string[] {
  if (names === undefined) return NONE;
  const spec = specOf(names);
  const found: string[] = [];
  for (const { name, value } of args.list) {
    const ways = spec.get(name.flat);
    if (ways !== undefined) for (const way of ways) addTextsAt(value, way, 0, found);
  }
  return found;
}

const NONE: readonly string[] = [];

/** Adds every text that a way leads to, starting with its name at `at`. */
function addTextsAt(value: Json, way: readonly string[], at: number, found: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) addTextsAt(item as Json, way, at, found);
    return;
  }
  const next = way[at];
  if (next === undefined) {
    if (typeof value === "string") found.push(value);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) if (flat(key) === next) addTextsAt(value[key] as Json, way, at + 1, found);
  }
}

/** Whether an argument seems to hold a path although the table does not name it. */
export function hasUnnamedPath(args: Arguments, named: readonly (string | undefined)[]): boolean {
  return args.list.some(
    ({ name, value }) => typeof value === "string" && name.holds.has("path") && !isNamed(name, named),
  );
}

function isNamed({ flat: name }: ArgumentName, named: readonly (string | undefined)[]): boolean {
  return named.some((names) => names !== undefined && specOf(names).has(name));
}

/** Folders that a tool may start its paths from, given in arguments that the table does not name. */
export function startFolders(args: Arguments, named: readonly (string | undefined)[]): readonly string[] {
  const found: string[] = [];
  for (const { name, value } of args.list)
    if (name.holds.has("folder") && !isNamed(name, named)) addTextsAt(value, NONE, 0, found);
  return found;
}

/** A command as a tool gets it: a line for a shell, or words that are not given to a shell. */
export type Command = { line: string } | { words: readonly string[] };

/** Arguments with these names hold further words of a command. Next to a program they belong to it. */
const MORE_WORDS = new Set(
  "args arguments argv params parameters flags options arg argument extraargs commandargs cmdargs".split(" "),
);

export function commandsIn(args: readonly Argument[], names: string): readonly Command[] {
  const spec = specOf(names);
  const lines: string[] = [];
  const lists: string[][] = [];
  const more: string[] = [];
  for (const { name, value } of args) {
    for (const way of spec.get(name.flat) ?? NO_WAYS) {
      for (const one of valuesAt(value, way)) {
        if (typeof one === "string") (MORE_WORDS.has(name.flat) ? more : lines).push(one);
        else if (Array.isArray(one) && one.length > 0 && one.every((word) => typeof word === "string")) {
          // `commands` is a list of lines. Any other list holds the words of one command.
          if (args.some((it) => it.name.flat === "commands" && it.value === one)) lines.push(...(one as string[]));
          else lists.push(one as string[]);
        }
      }
    }
  }
  // Further words that are given as one text are split into words by the tool, as a shell would split them.
  const whole = lines.length === 0 ? more : more.length === 0 ? lines : lines.map((line) => [line, ...more].join(" "));
  return lists.length === 0 ? whole.map((line) => ({ line })) : joined(args, whole, lists);
}

const NO_WAYS: readonly (readonly string[])[] = [];

/** Whether `commandsIn` can read this value of an argument for commands. */
export function isCommandValue(value: Json): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((word) => typeof word === "string"));
}

function joined(args: readonly Argument[], lines: readonly string[], lists: readonly string[][]): readonly Command[] {
  const asLine = (line: string): Command => ({ line });
  const shell = args.some(({ name, value }) => name.flat === "shell" && value !== false && value !== null);
  if (shell) return [...lines, ...lists.map((words) => [...lines, ...words].join(" "))].map(asLine);
  const [line] = lines;
  const [list] = lists;
  // One program with a list next to it is one command: `{ command: "git", args: ["status"] }`.
  if (line !== undefined && list !== undefined && lines.length === 1 && lists.length === 1) {
    const words = [line, ...list];
    // The tool may give the words to a shell, and a shell would act on these signs.
    const pasted = list.some((word) => SHELL_SIGNS.test(word)) ? [{ line: words.join(" ") }] : [];
    return [...(/\s/.test(line) ? [{ line }] : []), { words }, ...pasted];
  }
  const together = lines.length === 1 && line !== undefined ? lists.map((words) => ({ words: [line, ...words] })) : [];
  return [...lines.map(asLine), ...lists.map((words) => ({ words })), ...together];
}

/** With these signs a shell starts something else than the first program. */
const SHELL_SIGNS = /[;&|<>`\n]|\$\(/;

function valuesAt(value: Json, way: readonly string[]): readonly Json[] {
  const [next, ...rest] = way;
  if (next === undefined) return [value];
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => (flat(key) === next ? valuesAt(value[key] as Json, rest) : []));
}

type Guess = { paths: string[]; urls: string[]; commands: { line: string }[] };

/** What the arguments of an unknown tool seem to name. The guess can only make a decision stricter. */
export function guess({ texts }: Pick<Arguments, "texts">): Guess {
  const found: Guess = { paths: [], urls: [], commands: [] };
  for (const { name, text } of texts.slice(0, NAMED_MAX)) {
    const { holds } = name;
    if (holds.has("command")) found.commands.push({ line: text });
    if (text.length > GUESSED_LENGTH_MAX) continue;
    if (FILE.test(text)) found.paths.push(text);
    else if (WEB.test(text) || (holds.has("url") && /^[^\s]+$/.test(text))) found.urls.push(text);
    else if (holds.has("place") || PATH.test(text)) found.paths.push(text);
  }
  return found;
}

/** A longer text is not a path and not an address. */
const GUESSED_LENGTH_MAX = 4_096;
const FILE = /^file:/i;
const WEB = /^(https?|wss?|ftp):\/\//i;
const PATH = /^(\/|~|\.\.?\/)/;

/** The texts in arguments with these names, at any depth. */
export function textsCalled({ texts }: Arguments, names: ReadonlySet<string>): readonly string[] {
  return texts.flatMap(({ name, text }) => (names.has(name.flat) ? [text] : []));
}

/** The first `NAMED_MAX` texts, at any depth, if they are in arguments whose name passes the test. */
export function textsUnder({ texts }: Arguments, isMeant: (flat: string) => boolean): readonly string[] {
  return texts.slice(0, NAMED_MAX).flatMap(({ name, text }) => (isMeant(name.flat) ? [text] : []));
}

/** Texts at any depth that may hold a path or a patch, under any name. They are checked for protected files. */
export function tucked({ texts }: Arguments, kind: "file" | "patch" | "other"): { paths: string[]; patches: string[] } {
  const found: { paths: string[]; patches: string[] } = { paths: [], patches: [] };
  for (const { name, text } of texts.slice(0, NAMED_MAX)) {
    if (kind === "patch" || (kind === "file" && name.holds.has("patch"))) found.patches.push(text);
    if (text.length > GUESSED_LENGTH_MAX || name.holds.has("start")) continue;
    if (name.holds.has(kind === "other" ? "path" : "target") || FILE.test(text)) found.paths.push(text);
  }
  return found;
}

/** No tool has so many arguments, and each one is examined several times. */
const ARGUMENTS_MAX = 1_000;
/** Names and texts together, at any depth. Numbers are not counted, because they name nothing. */
const NAMES_MAX = 10_000;
/** No argument has a longer name. */
const NAME_LENGTH_MAX = 4_096;

/** Whether a call holds more than the gate examines, in bytes or in names and texts. */
export function isTooMuch(call: ToolCall): boolean {
  // Counting stops early. Measuring the bytes takes as long as the call is large, so it comes last.
  return Object.keys(call.args).length > ARGUMENTS_MAX || namesMany(call.args) || tooLarge(call);
}

function namesMany(args: JsonObject): boolean {
  const rest: Json[] = [args];
  let names = 0;
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const values: readonly Json[] = Array.isArray(next) ? next : [];
    for (const item of values) {
      if (typeof item === "string") names++;
      else if (typeof item === "object") rest.push(item);
    }
    const keys = Array.isArray(next) ? [] : Object.keys(next);
    names += keys.length;
    if (names > NAMES_MAX) return true;
    for (const key of keys) {
      if (key.length > NAME_LENGTH_MAX) return true;
      const item = (next as JsonObject)[key];
      if (typeof item === "object") rest.push(item);
    }
  }
  return false;
}
