import type { CommandTarget, Effect, EffectClass, FileUse } from "../effect.ts";
import { programOf, WRAPPERS } from "../tables/launchers.ts";
import { SCRIPT_ROWS, type ScriptRow } from "../tables/scripts.ts";
import { type Environment, runChanging } from "../tables/variables.ts";

/** A file that a call would run or change, by the name it has in the call; a program without a folder is looked for in PATH. */
export type FileUsed = {
  use: FileUse;
  name: string;
  cwd?: string;
  /** Counts only while the file may be run as it is. */
  executable?: true;
};

/** The shell that a runner hands a text to: bash, by whose grammar it was read. */
export const BASH_USED: FileUsed = { use: "shell", name: "bash" };

/** More than this are not looked at for one call, and the call says so. */
const FILES_MAX = 500;

/** The files whose content decides what the call does, as far as its words and variables say; and how many more there are. */
export function filesUsed(effect: Effect, env: Environment): { files: readonly FileUsed[]; beyond: number } {
  const found = new Map<string, FileUsed>();
  let named: readonly string[] | undefined;
  for (const part of effect.parts) {
    for (const target of part.targets) {
      if (target.kind === "path" && CHANGES.has(part.class)) add(found, { use: "changed", name: target.path });
      if (target.kind !== "command") continue;
      named ??= namedIn(env);
      for (const used of [...runBy(target, part.class), ...placedAt(named, target)]) add(found, used);
    }
  }
  if (found.size === 0) return NO_FILES;
  return { files: [...found.values()].slice(0, FILES_MAX), beyond: Math.max(found.size - FILES_MAX, 0) };
}

const NO_FILES: { files: readonly FileUsed[]; beyond: number } = { files: [], beyond: 0 };

/** Classes that change the files they name, or take them as they are to another place. */
const CHANGES: ReadonlySet<EffectClass> = new Set<EffectClass>([
  "fs.write",
  "fs.copy",
  "fs.move",
  "fs.delete",
  "permissions.change",
  "deploy.write",
]);

function add(found: Map<string, FileUsed>, used: FileUsed): void {
  if (used.name !== "") found.set(`${used.use} ${used.cwd ?? ""} ${used.name}`, used);
}

/** `NODE_OPTIONS=--require=./a.js` and the like name files that are run before the program is; one too many is enough to say so. */
function namedIn(env: Environment): readonly string[] {
  const pieces = Object.values(runChanging(env)).flatMap((value) => value.split(/[\s:=,;]+/));
  return pieces.filter((piece) => piece.includes("/")).slice(0, FILES_MAX + 1);
}

function placedAt(names: readonly string[], { cwd }: CommandTarget): readonly FileUsed[] {
  return names.map((name) => ({ use: "looked for", name, ...(cwd === undefined ? {} : { cwd }) }));
}

function runBy({ words, cwd }: CommandTarget, kind: EffectClass): readonly FileUsed[] {
  const [first = "", ...rest] = words;
  const at = cwd === undefined ? {} : { cwd };
  const program = programOf(first);
  const row = rows.get(program);
  // Which word a wrapper runs depends on the wrapper; one with a folder in it may be it.
  const wraps = WRAPPERS.has(program) && row?.script !== true;
  const wrapped = wraps ? rest.filter((word) => /^\.{0,2}\//.test(word)) : [];
  return [
    { use: "program", name: first, ...at },
    ...wrapped.map((name): FileUsed => ({ use: "looked for", name, executable: true, ...at })),
    ...(row === undefined ? [] : scriptsOf(row, rest, cwd).map((used) => (READS.has(kind) ? onlyRead(used) : used))),
  ];
}

/** `bash -n a.sh`, `node --check a.js` and `docker compose -f a.yml logs` read what others of their commands run. */
const READS: ReadonlySet<EffectClass> = new Set<EffectClass>(["none", "fs.read", "network.read"]);

function onlyRead(used: FileUsed): FileUsed {
  return used.use === "script" ? { ...used, use: "looked for" } : used;
}

const rows = new Map(SCRIPT_ROWS.flatMap((row) => row.programs.split(" ").map((program) => [program, row] as const)));

type Found = { use: FileUse; name: string };

/** Walks the words as the program would. An option that the table does not know may take the next word, or may not. */
function scriptsOf(row: ScriptRow, words: readonly string[], cwd: string | undefined): readonly FileUsed[] {
  const found: Found[] = [];
  let folder = "";
  let doubtful = false;
  let at = 0;
  const value = (text: string | undefined) => text ?? words[++at] ?? "";
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!isOption(word)) {
      if (named(row.verbs, word)) continue;
      if (named(row.code, word)) break;
      if (row.script !== true) continue;
      found.push(...(doubtful ? [{ use: "looked for" as const, name: word }] : scriptNames(row, word)));
      if (!doubtful) break;
      doubtful = false;
      continue;
    }
    doubtful = false;
    if (word === "--") {
      if (row.script === true) found.push(...scriptNames(row, value(undefined)));
      break;
    }
    const { name, text } = optionOf(row, word);
    if (named(row.code, name)) break;
    if (named(row.modules, name)) {
      found.push(...moduleNames(value(text)));
      break;
    }
    if (named(row.folder, name)) folder = value(text);
    else if (named(row.files, name)) found.push({ use: "script", name: value(text) });
    else if (named(row.valued, name)) value(text);
    else if (!isPlain(row, name)) {
      if (text !== undefined) found.push({ use: "looked for", name: text });
      doubtful = text === undefined;
    }
  }
  for (const name of (row.looksFor ?? "").split(" ")) found.push({ use: "looked for", name });
  return found.flatMap((one) => (one.name === "" ? [] : [placed(one, folder, cwd)]));
}

function isOption(word: string): boolean {
  return /^[-+]./.test(word);
}

/** `--file=x` is an option and its value, and of `-euo` the last letter may take the next word. */
function optionOf(row: ScriptRow, word: string): { name: string; text?: string } {
  const sign = word.indexOf("=");
  if (word.startsWith("--") && sign > 0) return { name: word.slice(0, sign), text: word.slice(sign + 1) };
  if (word.startsWith("--") || takesValue(row, word)) return { name: word };
  const letters = [...word.slice(1)];
  const first = letters.findIndex((letter) => row.letters?.includes(letter) !== true);
  if (first === -1) return { name: word };
  const name = `${word[0]}${letters[first]}`;
  const rest = letters.slice(first + 1).join("");
  // `-ffile` holds its value, `-eu` its other letters.
  return takesValue(row, name) ? { name, ...(rest === "" ? {} : { text: rest }) } : { name: word };
}

function takesValue(row: ScriptRow, name: string): boolean {
  return [row.valued, row.files, row.code, row.modules, row.folder].some((names) => named(names, name));
}

function isPlain(row: ScriptRow, name: string): boolean {
  if (named(row.plain, name)) return true;
  return /^[-+]\w+$/.test(name) && [...name.slice(1)].every((letter) => row.letters?.includes(letter) === true);
}

function named(names: string | undefined, name: string): boolean {
  return names?.split(" ").includes(name) === true;
}

function scriptNames(row: ScriptRow, name: string): readonly Found[] {
  // `-` is the input, which the caller holds.
  if (name === "-") return [];
  if (row.endings === undefined) return [{ use: "script", name }];
  const longer = row.endings.split(" ").map((ending): Found => ({ use: "looked for", name: name + ending }));
  return [{ use: /\.\w+$/.test(name) ? "script" : "looked for", name }, ...longer];
}

function moduleNames(module: string): readonly Found[] {
  const path = module.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__init__.py`, `${path}/__main__.py`].map((name) => ({ use: "looked for", name }));
}

function placed({ use, name }: Found, folder: string, cwd: string | undefined): FileUsed {
  const path = folder === "" || name.startsWith("/") ? name : `${folder}/${name}`;
  // A name without a folder is a file here, not a program in PATH.
  return { use, name: /[/]/.test(path) ? path : `./${path}`, ...(cwd === undefined ? {} : { cwd }) };
}
