import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { flat } from "./tool-name.ts";

/** First names of arguments and, for each, the ways that go on from there. */
type Spec = ReadonlyMap<string, readonly (readonly string[])[]>;

const specs = new Map<string, Spec>();

/** Taken apart once per text: the texts are those of the tables, so there are few. */
function specOf(names: string): Spec {
  const known = specs.get(names);
  if (known !== undefined) return known;
  const spec = new Map<string, (readonly string[])[]>();
  for (const name of new Set(names.split(" "))) {
    const [first = "", ...rest] = name.split(".").map(flat);
    spec.set(first, [...(spec.get(first) ?? []), rest]);
  }
  specs.set(names, spec);
  return spec;
}

/** Values of the arguments that a table names, `edits.path` going into lists and objects. Every spelling counts. */
export function collect(args: JsonObject, names: string | undefined): string[] {
  const found: string[] = [];
  if (names !== undefined) for (const [value, rest] of starts(args, specOf(names))) walk(value, rest, found);
  return found;
}

/** Arguments that seem to hold a path and that no line of the table speaks of. */
export function unnamedPaths(args: JsonObject, named: readonly (string | undefined)[]): string[] {
  const specs = named.flatMap((names) => (names === undefined ? [] : [specOf(names)]));
  return Object.keys(args).filter((key) => {
    const name = flat(key);
    return typeof args[key] === "string" && OWN_PATH_KEY.test(name) && !specs.some((spec) => spec.has(name));
  });
}

const OWN_PATH_KEY = /(path|paths|file|files|dir|directory|folder|filename)$/;

function* starts(args: JsonObject, spec: Spec): Generator<readonly [Json, readonly string[]]> {
  for (const key of Object.keys(args)) {
    for (const rest of spec.get(flat(key)) ?? []) yield [args[key] as Json, rest];
  }
}

function walk(value: Json, way: readonly string[], found: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item as Json, way, found);
    return;
  }
  const [next, ...rest] = way;
  if (next === undefined) {
    if (typeof value === "string") found.push(value);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) if (flat(key) === next) walk(value[key] as Json, rest, found);
  }
}

/** The folder that a pattern of file names starts from, where that is not simply below the call's own. */
export function globRoots(args: JsonObject, names: string | undefined): string[] {
  return collect(args, names)
    .filter((pattern) => /^[/~\\]|^[A-Za-z]:|^file:|(^|[/\\])\.\.([/\\]|$)|[{},]/.test(pattern))
    .map((pattern) => {
      const plain = /^[^*?[{!(]*/.exec(pattern)?.[0] ?? "";
      return plain === pattern ? pattern : plain.slice(0, plain.lastIndexOf("/") + 1) || "/";
    });
}

/** A command as a tool hands it over: a line for a shell, or words that no shell sees. */
export type Command = { line: string } | { words: readonly string[] };

export function commandsIn(args: JsonObject, names: string): Command[] {
  const lines: string[] = [];
  const lists: string[][] = [];
  for (const [start, rest] of starts(args, specOf(names))) {
    for (const value of valuesAt(start, rest)) {
      if (typeof value === "string") lines.push(value);
      else if (Array.isArray(value) && value.every((word) => typeof word === "string")) lists.push(value as string[]);
    }
  }
  const [line] = lines;
  const [list] = lists;
  // One program and a list beside it are one command: `{ command: "git", args: ["status"] }`.
  if (line !== undefined && list !== undefined && lines.length === 1 && lists.length === 1) {
    return /\s/.test(line) ? [{ line }, { words: [line, ...list] }] : [{ words: [line, ...list] }];
  }
  return [...lines.map((text) => ({ line: text })), ...lists.map((words) => ({ words }))];
}

function valuesAt(value: Json, way: readonly string[]): Json[] {
  const [next, ...rest] = way;
  if (next === undefined) return [value];
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => (flat(key) === next ? valuesAt(value[key] as Json, rest) : []));
}

export type Guess = { paths: string[]; urls: string[]; commands: Command[] };

const PATH_KEY = /(path|paths|file|files|dir|directory|folder|filename|location|cwd|root)$/;
const URL_KEY = /(url|urls|uri|href|endpoint|host|hostname|domain|webhook|link)$/;
const COMMAND_KEY = /^(command|commands|cmd|commandline|shell|script|exec|argv|code|program|bash|powershell)$/;
const GUESSED_MAX = 2_000;

/** What the arguments of a tool nobody told us about seem to name. It may only raise caution. */
export function guess(args: JsonObject): Guess {
  const found: Guess = { paths: [], urls: [], commands: [] };
  const rest: { key: string; value: Json }[] = [{ key: "", value: args }];
  for (let seen = 0; rest.length > 0 && seen < GUESSED_MAX; seen++) {
    const { key, value } = rest.pop() as { key: string; value: Json };
    if (Array.isArray(value)) rest.push(...value.slice(0, GUESSED_MAX).map((item: Json) => ({ key, value: item })));
    else if (isObject(value)) {
      for (const name of Object.keys(value).slice(0, GUESSED_MAX)) {
        rest.push({ key: flat(name), value: value[name] as Json });
      }
    } else if (typeof value === "string") guessOne(key, value, found);
  }
  return found;
}

function guessOne(key: string, text: string, found: Guess): void {
  if (COMMAND_KEY.test(key)) found.commands.push({ line: text });
  if (text.length > 4_096) return;
  if (/^file:/i.test(text)) found.paths.push(text);
  else if (/^(https?|wss?|ftp):\/\//i.test(text) || (URL_KEY.test(key) && /^[^\s]+$/.test(text))) found.urls.push(text);
  else if (PATH_KEY.test(key) || /^(\/|~|\.\.?\/)/.test(text)) found.paths.push(text);
}
