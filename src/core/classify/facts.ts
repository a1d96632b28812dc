import {
  type CommandTarget,
  type Effect,
  type EffectClass,
  type Fact,
  type FileUse,
  lessUnderstood,
} from "../effect.ts";
import { type Message, Notes, say } from "../messages/message.ts";
import { programOf, WRAPPERS } from "../tables/launchers.ts";
import { SCRIPT_ROWS, type ScriptRow } from "../tables/scripts.ts";
import { type Environment, runChanging } from "../tables/variables.ts";
import { canonical } from "../values/canonical.ts";
import { type Hash, sha256 } from "../values/hash.ts";
import type { Json } from "../values/json.ts";

/** Files are read up to this size. It takes a few milliseconds, and no person reads a longer script. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024;

/** The limit for all files of one call together. */
export const CALL_BYTES_MAX = 32 * 1024 * 1024;

/** Adds the files that an effect depends on. A file that could not be examined makes it less understood. */
export function withFacts(effect: Effect<Message>, facts: readonly Fact[], beyond = 0): Effect<Message> {
  if (facts.length === 0) return effect;
  const doubts: Message[] = [];
  for (const fact of facts) {
    const why = doubtAbout(fact, effect);
    if (why !== undefined) doubts.push(why);
  }
  if (beyond > 0) doubts.push(say("note.more_files_not_examined", { count: beyond }));
  if (doubts.length === 0) return { ...effect, facts };
  const understood = lessUnderstood(effect.understood, "partly");
  return { ...effect, understood, notes: [...new Notes([...effect.notes, ...doubts])], facts };
}

/** Uses of files that must exist and be readable. */
const LOOKED_INTO: ReadonlySet<FileUse> = new Set<FileUse>(["program", "script", "shell"]);

/**
 * The note says neither which file nor why; the card shows people both. Agents do not get it: their output is searched
 * for this sentence, and older entries contain it as text, so its English words must not change.
 */
export const UNEXAMINED = say("note.file_not_examined");

function doubtAbout(fact: Fact, effect: Effect<Message>): Message | undefined {
  if (fact.of === "found") {
    if (fact.loose) return say("note.program_found_in_agent_folder", { program: fact.name });
    const isNamesake = fact.installed === true && !isCode(fact.name, effect);
    return isNamesake ? say("note.program_from_package", { program: fact.name }) : undefined;
  }
  if (!("use" in fact) || !LOOKED_INTO.has(fact.use)) return undefined;
  if (fact.of === "missing" && fact.use === "shell") return say("note.bash_missing");
  // A name without a folder may be a builtin of the shell.
  if (fact.of === "missing") return fact.path.includes("/") ? UNEXAMINED : undefined;
  if (fact.of === "unreadable") return UNEXAMINED;
  // A program of that size is not read by people anyway. A script would be.
  return fact.of === "large" && fact.use === "script" ? UNEXAMINED : undefined;
}

/** A package may call its program `docker` or `ss`. That is no matter if the program counts as code that nobody can read anyway. */
function isCode(name: string, { parts }: Effect<Message>): boolean {
  const naming = parts.filter(({ targets }) => targets.some((one) => one.kind === "command" && one.words[0] === name));
  return naming.length > 0 && naming.every((part) => part.class === "process.exec");
}

const LEADS_ELSEWHERE = "a path leads elsewhere than when it was approved";

/** Why the same call would now do something else than what was approved. Undefined if it would not. */
export function changedSince(approved: Effect, now: Effect): string | undefined {
  if (pathsOf(approved) !== pathsOf(now)) return LEADS_ELSEWHERE;
  if (classesOf(approved) !== classesOf(now)) return OF_ANOTHER_CLASS;
  const other = onlyIn(now, approved) ?? onlyIn(approved, now);
  return other === undefined ? undefined : `${nameOf(other)} is not what it was when it was approved`;
}

/** A hash over what `changedSince` compares. Two effects with the same hash do the same to the same files. */
export function boundEffect(effect: Effect): Hash {
  const facts = (effect.facts ?? []).map(textOf).sort();
  return sha256(JSON.stringify([pathsOf(effect), classesOf(effect), facts]));
}

const OF_ANOTHER_CLASS = "it counts as another class of effect than when it was approved";

function classesOf(effect: Effect): string {
  return JSON.stringify(undeclared(effect).map((part) => part.class));
}

/** Declarations that were made or withdrawn in the meantime change neither the paths nor the classes that were approved. */
function undeclared(effect: Effect): Effect["parts"] {
  return (effect.declared?.without ?? effect).parts;
}

function pathsOf(effect: Effect): string {
  return JSON.stringify(
    undeclared(effect).flatMap(({ targets }) => targets.flatMap((one) => (one.kind === "path" ? one.path : []))),
  );
}

/**
 * An edited call runs where the original was made, so its variables count and not the reviewer's. If a file has changed
 * since the card was made, the reviewer did not see it.
 */
export function asShown(shown: Effect, edited: Effect): { ok: true; effect: Effect } | { ok: false; why: string } {
  const [before, after] = [shown.facts ?? [], edited.facts ?? []];
  const names = new Set(before.map(nameOf));
  const known = new Set(before.map(contentOf));
  const other = after.find((fact) => !isVariable(fact) && names.has(nameOf(fact)) && !known.has(contentOf(fact)));
  if (other !== undefined) return { ok: false, why: `${nameOf(other)} is not what it was when it was asked about` };
  if (!after.some(isVariable)) return { ok: true, effect: edited };
  const facts = [...after.filter((fact) => !isVariable(fact)), ...before.filter(isVariable)];
  return { ok: true, effect: { ...edited, facts } };
}

/** The file and its content, without its use. */
function contentOf(fact: Fact): string {
  return textOf({ ...fact, use: "script" } as Fact);
}

function isVariable(fact: Fact): boolean {
  return fact.of === "variable";
}

function onlyIn(one: Effect, other: Effect): Fact | undefined {
  const known = new Set(other.facts?.map(textOf));
  return one.facts?.find((fact) => !known.has(textOf(fact)));
}

function textOf(fact: Fact): string {
  return canonical(fact as Json);
}

function nameOf(fact: Fact): string {
  if (fact.of === "folder") return "the working folder";
  return fact.of === "variable" || fact.of === "found" ? fact.name : fact.path;
}

/** A file that a call would run or change, by its name in the call; a program without a folder is searched in PATH. */
export type FileUsed = {
  use: FileUse;
  name: string;
  cwd?: string;
  /** Counts only if the file itself is executable. */
  executable?: true;
};

/** The shell to which a runner gives a text: bash, with whose grammar it was parsed. */
export const BASH_USED: FileUsed = { use: "shell", name: "bash" };

/** At most this many files are looked at for one call. If there are more, the call says so. */
const FILES_MAX = 500;

/** The files whose content decides what the call does, by its words and variables; and how many more there are. */
export function filesUsed(effect: Effect, env: Environment): { files: readonly FileUsed[]; beyond: number } {
  const found = new Map<string, FileUsed>();
  let named: readonly string[] | undefined;
  for (const part of effect.parts) {
    for (const target of part.targets) {
      if (target.kind === "path" && CHANGES.has(part.class)) add(found, { use: "changed", name: target.path });
      if (target.kind !== "command") continue;
      named ??= Object.keys(env).length === 0 ? [] : namedIn(env);
      for (const used of runBy(target, part.class)) add(found, used);
      if (named.length > 0) for (const used of placedAt(named, target)) add(found, used);
    }
  }
  if (found.size === 0) return NO_FILES;
  return { files: [...found.values()].slice(0, FILES_MAX), beyond: Math.max(found.size - FILES_MAX, 0) };
}

const NO_FILES: { files: readonly FileUsed[]; beyond: number } = { files: [], beyond: 0 };

/** Classes that change, copy or send the files that they name. */
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

/** `NODE_OPTIONS=--require=./a.js` and similar variables name files that run before the program. One more than the limit is enough. */
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
  // Which word a wrapper runs depends on the wrapper. A word with a folder in it may be the program.
  const wraps = WRAPPERS.has(program) && row?.script !== true;
  const wrapped = wraps ? rest.filter((word) => /^\.{0,2}\//.test(word)) : [];
  return [
    { use: "program", name: first, ...at },
    ...wrapped.map((name): FileUsed => ({ use: "looked for", name, executable: true, ...at })),
    ...(program === "npx" ? [installedAt(rest[0] ?? "", at)] : []),
    ...(row === undefined ? [] : scriptsOf(row, rest, cwd).map((used) => (READS.has(kind) ? onlyRead(used) : used))),
  ];
}

/** Where npx finds a program before it loads one from elsewhere. */
function installedAt(name: string, at: { cwd?: string }): FileUsed {
  return { use: "looked for", name: /^[\w.-]+$/.test(name) ? `./node_modules/.bin/${name}` : "", ...at };
}

/** `bash -n a.sh`, `node --check a.js` and `docker compose -f a.yml logs` only read what other commands of the same program run. */
const READS: ReadonlySet<EffectClass> = new Set<EffectClass>(["none", "fs.read", "network.read"]);

function onlyRead(used: FileUsed): FileUsed {
  return used.use === "script" ? { ...used, use: "looked for" } : used;
}

const rows = new Map(SCRIPT_ROWS.flatMap((row) => row.programs.split(" ").map((program) => [program, row] as const)));

type Found = { use: FileUse; name: string };

/** Reads the words as the program would. An option that the table does not know may or may not take the next word. */
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

/** `--file=x` is an option and its value, and in `-euo` the last letter may take the next word. */
function optionOf(row: ScriptRow, word: string): { name: string; text?: string } {
  const sign = word.indexOf("=");
  if (word.startsWith("--") && sign > 0) return { name: word.slice(0, sign), text: word.slice(sign + 1) };
  if (word.startsWith("--") || takesValue(row, word)) return { name: word };
  const letters = [...word.slice(1)];
  const first = letters.findIndex((letter) => row.letters?.includes(letter) !== true);
  if (first === -1) return { name: word };
  const name = `${word[0]}${letters[first]}`;
  const rest = letters.slice(first + 1).join("");
  // `-ffile` contains its value, `-eu` its other letters.
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
  // `-` is the standard input, not a file.
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
