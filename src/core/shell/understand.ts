import { readForeign } from "./foreign.ts";
import { readLine } from "./line.ts";
import { readScript } from "./read.ts";
import { DEPTH_MAX, inFolder, plain, type Script, type Simple } from "./script.ts";
import { getsSecret, holdsSecret, secretNames } from "./secret-names.ts";
import type { Line } from "./uses.ts";
import { doubtsOfGiven, doubtsOfSets } from "./variables.ts";

/** A command as a tool hands it over: a text for bash or for another shell, or words that no shell sees. */
export type Given = { line: string } | { words: readonly string[] } | { foreign: string };

/** Everything that a command would start, down to what wrappers and nested shells start. */
export type Understanding = { lines: readonly Line[]; doubts: readonly string[]; readable: boolean };

type Draft = { lines: Line[]; doubts: Set<string>; readable: boolean };

export function understand(given: Given): Understanding {
  const text = "line" in given ? given.line : undefined;
  if (text !== undefined && last?.text === text) return last.found;
  const draft: Draft = { lines: [], doubts: new Set(), readable: true };
  if ("line" in given) addScript(draft, readScript(given.line), NOTHING, 0);
  else if ("foreign" in given) addScript(draft, readForeign(given.foreign), NOTHING, 0);
  else addSimple(draft, { words: given.words.map(plain), sets: [], redirects: [], folders: [""] }, NOTHING, 0);
  const found = { lines: draft.lines, doubts: [...draft.doubts], readable: draft.readable };
  if (text !== undefined) last = { text, found };
  return found;
}

const NOTHING: Around = { shadowed: new Set(), secrets: new Set(), traced: false };

/** A call is looked at twice, once for the paths it names and once for what it does to them. */
let last: { text: string; found: Understanding } | undefined;

function addScript(draft: Draft, script: Script, outer: Around, depth: number): void {
  for (const why of script.doubts) draft.doubts.add(why);
  if (!script.readable) draft.readable = false;
  for (const why of doubtsOfSets(script.sets)) draft.doubts.add(why);
  const shadowed = outer.shadowed.size === 0 ? script.shadowed : new Set([...outer.shadowed, ...script.shadowed]);
  const around = {
    shadowed,
    secrets: secretNames(script.sets),
    traced: outer.traced || script.simples.some(isTracing),
  };
  if (around.traced && script.sets.some(({ value }) => holdsSecret(value, around.secrets)))
    draft.doubts.add("what a variable is set to is shown");
  for (const simple of script.simples) addSimple(draft, simple, around, depth);
}

/** Names that mean something else in the script around a command. */
type Around = {
  shadowed: ReadonlySet<string>;
  secrets: ReadonlySet<string>;
  /** Every command is shown with its words before it runs. */
  traced: boolean;
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
  if ((line.program?.row.keeps !== true || around.traced) && getsSecret(simple, around.secrets))
    line.besides.add("secrets.read");
  for (const why of doubtsOfGiven(simple)) line.doubts.add(why);
  for (const why of doubtsOfSets(line.sets)) line.doubts.add(why);
  draft.lines.push(line);
  if (line.inner.length === 0) return;
  if (depth >= DEPTH_MAX) {
    draft.doubts.add("the command is nested too deep");
    draft.readable = false;
    return;
  }
  for (const inner of line.inner) {
    if ("text" in inner) addScript(draft, startedIn(readScript(inner.text), line), around, depth + 1);
    else addSimple(draft, inner, around, depth + 1);
  }
}

/** A nested text starts where the command that runs it is, and stands there for whoever shows the text. */
function startedIn(script: Script, { folders: outer, simple }: Line): Script {
  const placed = (folders: Simple["folders"]) =>
    outer === undefined || folders === undefined
      ? undefined
      : [...new Set(outer.flatMap((start) => folders.map((folder) => inFolder(start, folder))))];
  const { span } = simple;
  const simples = script.simples.map(
    ({ words, sets, redirects, folders, input }): Simple => ({
      words,
      sets,
      redirects,
      folders: placed(folders),
      span,
      input,
    }),
  );
  return { ...script, simples };
}
