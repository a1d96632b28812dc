import { type Message, say } from "../messages/message.ts";
import { Notes } from "../messages/notes.ts";
import { UNREAD } from "../tables/unread.ts";
import { openAgain } from "./descriptors.ts";
import { dialectDoubt, SAME_SHELL } from "./dialects.ts";
import { readForeign } from "./other-shells.ts";
import { type Line, newLine, type PathWord } from "./path-uses.ts";
import { readScript, unread } from "./read.ts";
import { markWhole } from "./recursive-reads.ts";
import { type Assigned, DEPTH_MAX, plain, type Script, SIMPLES_MAX, type Simple, TEXT_MAX } from "./script.ts";
import { getsSecret, holdsSecret, secretNames } from "./secret-names.ts";
import { isSpent, spend, type Work } from "./step-budget.ts";
import { readLine } from "./table-line.ts";
import { doubtExported, doubtsOfGiven, doubtsOfSets } from "./variables.ts";
import { allBelow } from "./working-folders.ts";

/** A command as a tool hands it over: a text for bash or for another shell, or words that no shell sees. */
export type GivenCommand =
  | { line: string; shell?: string }
  /** `more`: further words follow of which nobody knows anything. */
  | { words: readonly string[]; more?: "any" }
  | { foreign: string };

/** Everything that a command would start, down to what wrappers and nested shells start. */
type Understanding = {
  lines: readonly Line[];
  doubts: readonly Message[];
  readable: boolean;
  /** How much reading that took. */
  steps: number;
};

type Draft = {
  lines: Line[];
  /** Variables that the shells of all its texts set. */
  sets: Assigned[];
  doubts: Notes;
  readable: boolean;
  work: Work;
  /** Texts within texts that were read already, and how many letters of them once no steps were left. */
  texts: Set<string>;
  letters: number;
};

export function understand(given: GivenCommand): Understanding {
  const text = "line" in given ? given.line : undefined;
  const shell = ("line" in given ? given.shell : undefined) ?? "bash";
  if (text !== undefined && last?.text === text && last.shell === shell) return last.found;
  const draft: Draft = {
    lines: [],
    sets: [],
    doubts: new Notes(),
    readable: true,
    work: { steps: 0 },
    texts: new Set(),
    letters: 0,
  };
  if ("line" in given) addText(draft, given.line, { around: { ...NOTHING, shell }, depth: 0 });
  else if ("foreign" in given) addScript(draft, readForeign(given.foreign), NOTHING, 0);
  else addWords(draft, given);
  doubtExported(draft.lines, draft.sets);
  openAgain(draft.lines);
  if (text !== undefined) addNothing(draft, text);
  const spent = isSpent(draft.work);
  if (spent) draft.doubts.add(UNREAD.steps);
  const { lines, doubts, readable, work } = draft;
  const found = { lines, doubts: [...doubts], readable: readable && !spent, steps: Math.ceil(work.steps) };
  if (text !== undefined) last = { text, shell, found };
  return found;
}

/** A text that was read and starts no program, such as `[[ a = b ]]`, does nothing. To a small shell these signs would start one. */
function addNothing({ lines, doubts, readable }: Draft, text: string): void {
  if (lines.length === 0 && readable && doubts.size === 0 && !SIGNS.test(text) && !text.split("\n").every(isRemark))
    lines.push(newLine({ words: [], sets: [], redirects: [], folders: [""] }));
}

const SIGNS = /[|&<>]/;

function isRemark(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}

/** Words that no shell sees, as many of them as a text may have letters. */
function addWords(draft: Draft, { words, more }: { words: readonly string[]; more?: "any" }): void {
  let letters = words.length;
  for (const word of words) letters += word.length;
  if (letters > TEXT_MAX) addScript(draft, unread(UNREAD.long), NOTHING, 0);
  else addSimple(draft, { words: words.map(plain), sets: [], redirects: [], folders: [""], more }, NOTHING, 0);
}

const NOTHING: Around = { shadowed: new Set(), secrets: new Set(), traced: false, digits: undefined, shell: "bash" };

/** A call is looked at twice, once for the paths it names and once for what it does to them. */
let last: { text: string; shell: string; found: Understanding } | undefined;

/** A text for a shell, within a command or as one. */
function addText(draft: Draft, text: string, { around, depth, line }: Placed): void {
  const script = readScript(text, draft.work, around.digits);
  const other = dialectDoubt(around.shell, text, script);
  if (other !== undefined) draft.doubts.add(other);
  addScript(draft, line === undefined ? script : startedIn(script, line), around, depth);
}

/** Where a text stands: in which shell, how deep, and in which command. */
type Placed = { around: Around; depth: number; line?: Line };

function addScript(draft: Draft, script: Script, outer: Around, depth: number): void {
  for (const why of script.doubts) draft.doubts.add(why);
  if (!script.readable) draft.readable = false;
  for (const why of doubtsOfSets(script.sets)) draft.doubts.add(why);
  draft.sets.push(...script.sets);
  const shadowed = outer.shadowed.size === 0 ? script.shadowed : new Set([...outer.shadowed, ...script.shadowed]);
  const around = {
    shadowed,
    secrets: secretNames(script.sets),
    traced: outer.traced || script.simples.some(isTracing),
    digits: script.digits,
    shell: outer.shell,
  };
  if (around.traced && script.sets.some(({ value }) => holdsSecret(value, around.secrets)))
    draft.doubts.add(say("note.variable_value_shown"));
  const { simples } = script;
  const many = simples.length > SIMPLES_MAX || isSpent(draft.work);
  for (const simple of many ? differingOf(simples) : simples) addSimple(draft, simple, around, depth);
}

/** Of more commands than are told apart, and where no steps are left, every different one is looked at once. */
function differingOf(simples: readonly Simple[]): readonly Simple[] {
  const seen = new Set<string>();
  return simples.filter((simple) => {
    const key = keyOf(simple, HANDED_ON);
    if (key === undefined) return true;
    const before = seen.size;
    seen.add(key);
    return seen.size > before;
  });
}

/** What a command is handed depends on the few before it in its pipeline; further ones are not compared. */
const HANDED_ON = 3;

/** The same text for commands that do the same; none where only the run says what they do. */
function keyOf({ words, sets, redirects, folders, input, more }: Simple, depth: number): string | undefined {
  if (sets.length > 0 || more !== undefined) return undefined;
  let key = `${folders?.join(":") ?? "?"} ${redirects.map(({ writes }) => writes)}`;
  for (const word of [...words, ...redirects.map(({ to }) => to)]) {
    if (word.kind !== "plain" || word.placed === true) return undefined;
    key += `\n${word.text}`;
  }
  if (input === undefined || depth === 0) return key;
  if (typeof input === "string") return `${key}\n<${input}`;
  if (!("from" in input)) return undefined;
  const from = keyOf(input.from, depth - 1);
  return from === undefined ? undefined : `${key}\n|\n${from}`;
}

/** Names that mean something else in the script around a command. */
type Around = {
  shadowed: ReadonlySet<string>;
  secrets: ReadonlySet<string>;
  /** Every command is shown with its words before it runs. */
  traced: boolean;
  /** Variables of the shell's own that hold digits. */
  digits: ReadonlySet<string> | undefined;
  /** The shell that runs it. */
  shell: string;
};

/** `set -x`, or a shell that is started with it. */
function isTracing({ words }: Simple): boolean {
  const [first] = words;
  return first !== undefined && TRACING.test(first.text) && words.some(({ text }) => TRACED.test(text));
}

const TRACING = /^(set|(ba|z|da|k)?sh)$/;
const TRACED = /^(-[a-zA-Z]*x[a-zA-Z]*|xtrace)$/;

function addSimple(draft: Draft, simple: Simple, around: Around, depth: number): void {
  const line = readLine(simple, around.shadowed);
  markWhole(line);
  if ((line.program?.row.keeps !== true || around.traced) && getsSecret(simple, around.secrets))
    line.besides.add("secrets.read");
  for (const why of doubtsOfGiven(simple)) line.doubts.add(why);
  for (const why of doubtsOfSets(line.sets)) line.doubts.add(why);
  if (line.paths.length > PATHS_TOLD) line.paths = differing(line.paths);
  draft.lines.push(line);
  if (line.inner.length === 0) return;
  // What it starts are words that were counted before, unless it puts further ones in.
  for (const inner of line.inner) if ("words" in inner) spend(draft.work, STARTED + inner.words.length);
  if (depth >= DEPTH_MAX) {
    draft.doubts.add(UNREAD.deep);
    draft.readable = false;
    return;
  }
  for (const inner of line.inner) {
    if (!("text" in inner)) addSimple(draft, inner, around, depth + 1);
    else if (mayRead(draft, inner.text))
      addText(draft, inner.text, { around: inShell(around, inner.shell), depth: depth + 1, line });
  }
}

function inShell(around: Around, shell: string): Around {
  return shell === SAME_SHELL ? around : { ...around, shell };
}

/** Fewer are not worth comparing. */
const PATHS_TOLD = 64;

/** What is done twice to the same path is done to it. */
function differing(paths: readonly PathWord[]): PathWord[] {
  const found = new Map<string, PathWord>();
  for (const path of paths) found.set(`${path.act} ${path.deep} ${path.word.kind} ${path.word.text}`, path);
  return [...found.values()];
}

/** With no steps left, a text that was read before is not read again, and of others as much as one call may hold. */
function mayRead(draft: Draft, text: string): boolean {
  const { texts, work } = draft;
  if (isSpent(work)) {
    if (texts.has(text)) return false;
    draft.letters += text.length;
    // What is left out is a part of what takes too many steps.
    if (draft.letters > TEXT_MAX) return false;
  }
  texts.add(text);
  return true;
}

/** A command that is started takes as many steps as a few of its words. */
const STARTED = 4;

/** A nested text starts where the command that runs it is, and stands there for whoever shows the text. */
function startedIn(script: Script, { folders: outer, simple }: Line): Script {
  const { span } = simple;
  const simples = script.simples.map(
    ({ words, sets, redirects, folders, input, crossed }): Simple => ({
      words,
      sets,
      redirects,
      crossed,
      folders: allBelow(outer, folders),
      span,
      input,
    }),
  );
  return { ...script, simples };
}
