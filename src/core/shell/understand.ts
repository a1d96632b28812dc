import { type Message, Notes, say } from "../messages/message.ts";
import { UNREAD } from "../tables/unread.ts";
import { doubtSentWords } from "./checks/network.ts";
import { dialectDoubt, readForeign, SAME_SHELL } from "./other-shells.ts";
import { type Line, newLine, type PathWord } from "./path-uses.ts";
import { readScript, unread } from "./read.ts";
import { markWhole } from "./recursive-reads.ts";
import {
  type Assigned,
  allBelow,
  DEPTH_MAX,
  isSpent,
  plain,
  type Redirect,
  type Script,
  SIMPLES_MAX,
  type Simple,
  spend,
  TEXT_MAX,
  type Word,
  type Work,
} from "./script.ts";
import { readLine } from "./table-line.ts";
import { doubtExported, doubtsOfGiven, doubtsOfSets, getsSecret, holdsSecret, secretNames } from "./variables.ts";

/** A command as a tool gets it: a text for bash or for another shell, or words without a shell. */
export type GivenCommand =
  | { line: string; shell?: string }
  /** `more`: unknown further words follow. */
  | { words: readonly string[]; more?: "any" }
  | { foreign: string };

/** Everything that a command would start, including what wrappers and nested shells start. */
export type Understanding = {
  lines: readonly Line[];
  doubts: readonly Message[];
  readable: boolean;
  /** How many steps of parsing that took. */
  steps: number;
};

type Draft = {
  lines: Line[];
  /** Variables that the shells of all its texts set. */
  sets: Assigned[];
  doubts: Notes;
  readable: boolean;
  work: Work;
  /** Nested texts that were already parsed, and how many letters of them after the steps were used up. */
  texts: Set<string>;
  letters: number;
};

export function understand(given: GivenCommand): Understanding {
  const text = "line" in given ? given.line : undefined;
  const shell = ("line" in given ? given.shell : undefined) ?? "bash";
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
  if (text !== undefined && draft.lines.length === 0) addNothing(draft, text);
  const spent = isSpent(draft.work);
  if (spent) draft.doubts.add(UNREAD.steps);
  const { lines, doubts, readable, work } = draft;
  return { lines, doubts: [...doubts], readable: readable && !spent, steps: Math.ceil(work.steps) };
}

/** A text that was parsed and starts no program, such as `[[ a = b ]]`, does nothing. In a small shell these characters would start one. */
function addNothing({ lines, doubts, readable }: Draft, text: string): void {
  if (readable && doubts.size === 0 && !SIGNS.test(text) && !text.split("\n").every(isRemark))
    lines.push(newLine({ words: [], sets: [], redirects: [], folders: [""] }));
}

const SIGNS = /[|&<>]/;

function isRemark(line: string): boolean {
  return /^\s*(#|$)/.test(line);
}

/** Words without a shell, up to the length of a text. */
function addWords(draft: Draft, { words, more }: { words: readonly string[]; more?: "any" }): void {
  let letters = words.length;
  for (const word of words) letters += word.length;
  if (letters > TEXT_MAX) addScript(draft, unread(UNREAD.long), NOTHING, 0);
  else addSimple(draft, { words: words.map(plain), sets: [], redirects: [], folders: [""], more }, NOTHING, 0);
}

const NOTHING: Around = { shadowed: new Set(), secrets: new Set(), traced: false, digits: undefined, shell: "bash" };

/** A text for a shell, inside a command or as one. */
function addText(draft: Draft, text: string, { around, depth, line }: Placed): void {
  const script = readScript(text, draft.work, around.digits);
  const other = around.shell === "bash" ? undefined : dialectDoubt(around.shell, text, script);
  if (other !== undefined) draft.doubts.add(other);
  addScript(draft, line === undefined ? script : startedIn(script, line), around, depth);
}

/** The context of a text: which shell, how deep, and in which command. */
type Placed = { around: Around; depth: number; line?: Line };

function addScript(draft: Draft, script: Script, outer: Around, depth: number): void {
  for (const why of script.doubts) draft.doubts.add(why);
  if (!script.readable) draft.readable = false;
  if (script.sets.length > 0) for (const why of doubtsOfSets(script.sets)) draft.doubts.add(why);
  draft.sets.push(...script.sets);
  const shadowed = outer.shadowed.size === 0 ? script.shadowed : new Set([...outer.shadowed, ...script.shadowed]);
  const around = {
    shadowed,
    secrets: script.sets.length === 0 ? NOTHING.secrets : secretNames(script.sets),
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

/** If there are too many commands, or no steps are left, every different one is checked once. */
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

/** The input of a command depends on the few before it in its pipeline; further ones are not compared. */
const HANDED_ON = 3;

/** The same text for commands that do the same; undefined if it depends on the run. */
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
  /** Special variables of the shell that contain digits. */
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
  doubtSentWords(line);
  if ((line.program?.row.keeps !== true || around.traced) && getsSecret(simple, around.secrets))
    line.besides.add("secrets.read");
  if (simple.sets.length > 0) for (const why of doubtsOfGiven(simple)) line.doubts.add(why);
  if (line.sets.length > 0) for (const why of doubtsOfSets(line.sets)) line.doubts.add(why);
  if (line.paths.length > PATHS_TOLD) line.paths = differing(line.paths);
  draft.lines.push(line);
  if (line.inner.length === 0) return;
  // What it starts are words that were already counted, unless it adds further ones.
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

/** Paths are compared with each other only if there are more of them than this. */
const PATHS_TOLD = 64;

/** The same use of the same path twice counts once. */
function differing(paths: readonly PathWord[]): PathWord[] {
  const found = new Map<string, PathWord>();
  for (const path of paths) found.set(`${path.act} ${path.deep} ${path.word.kind} ${path.word.text}`, path);
  return [...found.values()];
}

/** If no steps are left, no text is parsed twice, and new texts only up to the length that one call may have. */
function mayRead(draft: Draft, text: string): boolean {
  const { texts, work } = draft;
  if (isSpent(work)) {
    if (texts.has(text)) return false;
    draft.letters += text.length;
    // The call already counts as too complex, so the skipped text needs no note of its own.
    if (draft.letters > TEXT_MAX) return false;
  }
  texts.add(text);
  return true;
}

/** A started command costs as many steps as a few of its words. */
const STARTED = 4;

/** A nested text starts in the folder of the command that runs it, and is shown there. */
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

/** The input and the outputs of a command by their names, and any other open file by its number. */
const DESCRIPTOR = /^\/(dev|proc\/[^/]+)\/(stdin|stdout|stderr|fd\/\d+)$/;

/** The folders in which the system provides names of descriptors. */
const KEPT = /^\/+(\.?\/)*(dev|proc)\//;

const INPUT = /\/(stdin|fd\/0+)$/;

const OUTPUT = /\/(stdout|stderr|fd\/0*[12])$/;

/**
 * Opening a descriptor by its name opens the file behind it again, and may write what was opened only for reading.
 * Which file that is may be defined far away, for example after the loop around the command. So if this happens, all
 * files that the shell opens count as read and written, unless it is the normal use of the name.
 */
function openAgain(lines: readonly Line[]): void {
  const named = lines.some(
    ({ simple, paths }) =>
      simple.redirects.some(({ to }) => KEPT.test(to.text)) || paths.some(({ word }) => KEPT.test(word.text)),
  );
  if (!named) return;
  const crossed = lines.some(({ simple }) => simple.crossed === true);
  const written = lines.filter((line) => writtenBy(line).some((one) => !(isUsualOutput(one) && !crossed)));
  const opens = lines.some(({ simple }) => simple.redirects.some((one) => one.writes && !isDevice(one.to)));
  const read = lines.filter((line) =>
    readBy(line).some((word) => (INPUT.test(word.text) ? crossed : opens || crossed)),
  );
  for (const line of [...written, ...read]) line.doubts.add(OPENED);
  if (written.length > 0) for (const line of lines) line.simple = openedFor(line.simple, true);
  if (read.length > 0) for (const line of lines) line.simple = openedFor(line.simple, false);
}

const OPENED = say("note.descriptor_not_followed");

type Written = { word: Word; name: string };

/** Programs that open the file they write, and do not replace it by a new one. */
const OPENING: ReadonlySet<string> = new Set(["", "tee", "gtee", "dd", "curl", "wget", "sort"]);

function isUsualOutput({ word, name }: Written): boolean {
  return OUTPUT.test(word.text) && OPENING.has(name);
}

function writtenBy({ simple, paths, name }: Line): readonly Written[] {
  return [
    ...simple.redirects.filter(({ writes }) => writes).map(({ to }) => ({ word: to, name: "" })),
    ...paths.filter(({ act }) => act !== "read").map(({ word }) => ({ word, name })),
  ].filter(({ word }) => isDescriptor(word));
}

function readBy({ simple, paths }: Line): readonly Word[] {
  return [
    ...simple.redirects.filter(({ writes }) => !writes).map(({ to }) => to),
    ...paths.filter(({ act }) => act === "read").map(({ word }) => word),
  ].filter(isDescriptor);
}

function isDescriptor(word: Word): boolean {
  if (word.kind !== "plain" || word.pipe === true || !KEPT.test(word.text)) return false;
  return DESCRIPTOR.test(word.text.replace(/\/(\.?\/)+/g, "/")) || word.text.includes("/../");
}

function isDevice({ text }: Word): boolean {
  return text.startsWith("/dev/");
}

function openedFor(simple: Simple, writes: boolean): Simple {
  const more = simple.redirects.filter((one) => one.writes !== writes && !isDevice(one.to));
  if (more.length === 0) return simple;
  return { ...simple, redirects: [...simple.redirects, ...more.map(({ to }): Redirect => ({ writes, to }))] };
}
