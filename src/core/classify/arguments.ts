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
  for (const name of new Set(names.split(" ").map((way) => way.split(".").map(flat).join(".")))) {
    const [first = "", ...rest] = name.split(".");
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

function starts(args: JsonObject, spec: Spec): readonly (readonly [Json, readonly string[]])[] {
  const found: (readonly [Json, readonly string[]])[] = [];
  for (const key of Object.keys(args)) {
    for (const rest of spec.get(flat(key)) ?? []) found.push([args[key] as Json, rest]);
  }
  return found;
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

/** Folders that a tool may start its paths from, given in arguments that no line of the table speaks of. */
export function startFolders(args: JsonObject, named: readonly (string | undefined)[]): string[] {
  const specs = named.flatMap((names) => (names === undefined ? [] : [specOf(names)]));
  const found: string[] = [];
  for (const key of Object.keys(args)) {
    const name = flat(key);
    if (FOLDER_KEYS.has(name) && !specs.some((spec) => spec.has(name))) walk(args[key] as Json, [], found);
  }
  return found;
}

const FOLDER_KEYS: ReadonlySet<string> = new Set(
  "cwd workdir workingdirectory workingdir directory dir folder root basepath basedir rootpath".split(" "),
);

/** A command as a tool hands it over: a line for a shell, or words that no shell sees. */
export type Command = { line: string } | { words: readonly string[] };

export function commandsIn(args: JsonObject, names: string): Command[] {
  const lines: string[] = [];
  const lists: string[][] = [];
  const several = Object.keys(args).flatMap((key) => (flat(key) === "commands" ? [args[key] as Json] : []));
  for (const [start, rest] of starts(args, specOf(names))) {
    for (const value of valuesAt(start, rest)) {
      if (typeof value === "string") lines.push(value);
      else if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string")) {
        // Several commands are several lines, and words that a shell sees are one.
        if (several.includes(value)) lines.push(...(value as string[]));
        else lists.push(value as string[]);
      }
    }
  }
  const shell = Object.keys(args).some((key) => flat(key) === "shell" && args[key] !== false && args[key] !== null);
  if (shell && lists.length > 0) return [...lines, ...lists.map((words) => [...lines, ...words].join(" "))].map(asLine);
  const [line] = lines;
  const [list] = lists;
  // One program and a list beside it are one command: `{ command: "git", args: ["status"] }`.
  if (line !== undefined && list !== undefined && lines.length === 1 && lists.length === 1) {
    return /\s/.test(line) ? [{ line }, { words: [line, ...list] }] : [{ words: [line, ...list] }];
  }
  return [...lines.map((text) => ({ line: text })), ...lists.map((words) => ({ words }))];
}

function asLine(line: string): Command {
  return { line };
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
  for (const { key, text } of textsOf(args).slice(0, GUESSED_MAX)) guessOne(key, text, found);
  return found;
}

type Named = { key: string; text: string };

/** The arguments of a call are looked through several times; their texts are put in a row once. */
const texts = new WeakMap<JsonObject, readonly Named[]>();

/** Every text of the arguments with the name it stands under. */
function textsOf(args: JsonObject): readonly Named[] {
  const known = texts.get(args);
  if (known !== undefined) return known;
  const found: Named[] = [];
  const rest: { key: string; value: Json }[] = [{ key: "", value: args }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { key, value } = next;
    if (typeof value === "string") found.push({ key, text: value });
    else if (Array.isArray(value)) for (const item of value) rest.push({ key, value: item as Json });
    else if (isObject(value))
      for (const name of Object.keys(value)) rest.push({ key: flat(name), value: value[name] as Json });
  }
  texts.set(args, found);
  return found;
}

/** Texts under any name that may hold a path or a patch, however deep; for looking whether they name what is protected. */
export function tucked(args: JsonObject, kind: "file" | "patch" | "other"): { paths: string[]; patches: string[] } {
  const found: { paths: string[]; patches: string[] } = { paths: [], patches: [] };
  for (const { key, text } of textsOf(args)) {
    if (kind === "patch" || (kind === "file" && PATCH_KEY.test(key))) found.patches.push(text);
    if (text.length > 4_096 || START_KEY.test(key)) continue;
    if ((kind === "other" ? OWN_PATH_KEY : NAME_KEY).test(key) || /^file:/i.test(text)) found.paths.push(text);
  }
  return found;
}

const PATCH_KEY = /(diff|patch|patches|diffs|patchtext)$/;
const START_KEY = /^(cwd|workdir|workingdirectory|workingdir)$/;
const NAME_KEY =
  /(path|paths|file|files|dir|directory|folder|filename|location|uri|uris|name|target|to|from|dest|destination|source|src|output|out|outfile)$/;

function guessOne(key: string, text: string, found: Guess): void {
  if (COMMAND_KEY.test(key)) found.commands.push({ line: text });
  if (text.length > 4_096) return;
  if (/^file:/i.test(text)) found.paths.push(text);
  else if (/^(https?|wss?|ftp):\/\//i.test(text) || (URL_KEY.test(key) && /^[^\s]+$/.test(text))) found.urls.push(text);
  else if (PATH_KEY.test(key) || /^(\/|~|\.\.?\/)/.test(text)) found.paths.push(text);
}
