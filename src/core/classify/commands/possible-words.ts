import type { EffectClass, MaybeTarget, OpenWord, Target } from "../../effect.ts";
import type { Line } from "../../shell/path-uses.ts";
import type { Word } from "../../shell/script.ts";
import { classesBesides } from "../../tables/doing.ts";
import { INTERPRETERS, programOf } from "../../tables/launchers.ts";
import { CLASS_DEFAULTS } from "../../tables/tools.ts";
import { UNREAD } from "../../tables/unread.ts";
import { parseAddress } from "../addresses/url.ts";
import { doubt, type EffectDraft } from "../effect-draft.ts";
import { isAbsolute, normalise } from "../path.ts";
import { goalsOf, otherNames, SHOUTED, wordsApart } from "./other-spellings.ts";
import type { Startable } from "./started-words.ts";

// What words may stand for whose value is known only when the command runs. If a rule denies a possible value, the call
// is denied. Otherwise a variable could turn a denial into a question.

/** With more targets than this, the rest is noted as unread. */
const TARGETS_MAX = 64;

export function addMaybe(draft: EffectDraft, target: MaybeTarget): void {
  const { targets } = draft.maybe;
  if (targets.size < TARGETS_MAX) targets.set(JSON.stringify(target), target);
  else doubt(draft, UNREAD.open);
}

/** Adds the command without its options, because options can be at any position. */
export function addWordsApart(draft: EffectDraft, line: Line): void {
  const { maybe, class: kind } = draft;
  const { apart } = maybe;
  const isMake = /^g?make$/.test(line.simple.words[0]?.text ?? "");
  const goals = isMake ? goalsOf(line.simple.words.map(({ text }) => text)) : [];
  for (const words of [...goals, ...wordsApart(line).flatMap((reading) => [reading, ...otherNames(reading)])]) {
    if (apart.size < APART_MAX)
      apart.set([kind, ...words].join("\n"), { kind: "command", class: kind, words, open: [] });
    else doubt(draft, UNREAD.open);
  }
}

/** Only a script of thousands of commands reaches this. */
const APART_MAX = 1_000;

/** Adds a command that has words with unknown values. */
export function addOpenCommand(draft: EffectDraft, { simple, given }: Line): void {
  const { words, more } = simple;
  if (words[0]?.kind !== "plain") return;
  const values = new Set([...given.values()].flat());
  const open = words.flatMap((word, at) => (at > 0 && !(isOne(word) && values.has(word)) ? openAt(word, at) : []));
  if (more === "any") open.push({ at: words.length, start: "", split: true });
  if (open.length === 0) return;
  addMaybe(draft, { kind: "command", class: draft.class, words: words.map(({ text }) => text), open });
}

function openAt(word: Word, at: number): OpenWord[] {
  // A pattern stands for file names, and a file may have the name of a subcommand.
  if (word.kind === "glob") return [{ at, start: /^[^*?[]*/.exec(word.text)?.[0] ?? "", split: true }];
  // A number is neither an option nor a subcommand.
  if (word.kind !== "open" || word.printed === "number") return [];
  return [{ at, start: word.start, split: word.split || SEVERAL.test(word.text) }];
}

/** These expand to several words, even in quotes. */
const SEVERAL = /\$@|\$\{@|\[@\]/;

/** The value of an option stays one word, unless the shell splits it. */
function isOne(word: Word): boolean {
  return word.kind === "glob" || (word.kind === "open" && !word.split);
}

/** A started program may be missing in the tables. Then only its words are known. */
export function addStarted(draft: EffectDraft, { words, begins }: Startable): void {
  addMaybe(draft, { kind: "commands", class: draft.class, words: words.map(({ text }) => text), begins });
}

/** Adds a path of which only the beginning is known, or that is in an unknown folder. */
export function addOpenPath(
  draft: EffectDraft,
  kind: EffectClass,
  { word, base, deep }: { word: Word; base: string | undefined; deep: boolean },
): void {
  const path = word.kind === "open" ? startOf(word.start, base) : somewhere(word.text, base);
  if (path !== undefined) addMaybe(draft, { kind: "path", class: kind, path, recursive: deep });
}

function startOf(start: string, base: string | undefined): string {
  const folder = start.slice(0, start.lastIndexOf("/") + 1);
  if (folder === "" || folder.startsWith("~")) return "/**";
  if (isAbsolute(folder)) return below(folder);
  return base === undefined ? `/**/${folder}**` : below(`${base}/${folder}`);
}

function below(folder: string): string {
  const path = normalise(folder);
  return path === "/" ? "/**" : `${path}/**`;
}

/** If the folder is unknown, the path may be in any folder. */
function somewhere(text: string, base: string | undefined): string | undefined {
  // The home folder of another user is unknown.
  const [, behind] = /^~[^/]+\/(.+)$/s.exec(text) ?? [];
  if (behind !== undefined) return `/**/${behind}`;
  if (base !== undefined || isAbsolute(text) || text.startsWith("~")) return undefined;
  return `/**/${text
    .split("/")
    .filter((name) => name !== "." && name !== "..")
    .join("/")}`;
}

/** Adds an address of which only the beginning is known. Braces and brackets in it may stand for alternatives. */
export function addOpenAddress(draft: EffectDraft, word: Word): void {
  const start = word.kind === "open" ? word.start : /^[^[{*?]*(?=[[{*?])/.exec(word.text)?.[0];
  if (start === undefined) return;
  const host = start.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/^[^@/?#]*@/, "");
  if (!/[/?#]/.test(host))
    addMaybe(draft, { kind: "domain", domain: host.toLowerCase().replace(/:\d*$/, ""), open: true });
  else addHostOf(draft, start);
}

function addHostOf(draft: EffectDraft, text: string): void {
  const parsed = parseAddress(text);
  if (parsed.ok) addMaybe(draft, { kind: "domain", domain: parsed.address.host, open: false });
}

/** Adds what a program may do that runs code of the project, for rules that deny a class. */
export function addDoing(draft: EffectDraft, line: Line): void {
  const { simple, class: own, doubts } = line;
  const words = simple.words.map(({ text }) => text);
  const named = [programOf(words[0] ?? ""), ...words.slice(1)];
  // Such a program ignores case, so a rule may name its words in capitals.
  if (SHOUTED.test(named[0] ?? ""))
    for (const reading of [named, ...wordsApart(line)])
      addMaybe(draft, { kind: "command", class: own, words: reading.map(inCapitals), open: [] });
  if (doubts.size === 0 && LOOKS.test(own)) return;
  const targets: Target[] = [{ kind: "command", words: named, env: [], level: "execute" }];
  const kinds = new Set([...classesBesides(named), ...(deletesByCode(named) ? (["fs.delete"] as const) : [])]);
  for (const kind of kinds) {
    const { capability, level, reversible, reach } = CLASS_DEFAULTS[kind];
    if (kind !== own) draft.maybe.parts.push({ class: kind, capability, level, targets, reversible, reach });
  }
}

/** Whether the code for an interpreter or an editor deletes files. */
function deletesByCode([program = "", ...texts]: readonly string[]): boolean {
  if (!INTERPRETERS.has(program)) return false;
  const removing = /^(vi|vim|nvim|gvim|view|ex)$/.test(program) ? /\bdelete\s*\(/ : REMOVING;
  return texts.some((text) => removing.test(text));
}

const REMOVING = /\b(unlink|unlinkSync|rmtree|rmSync|rmdirSync|os\.remove|File\.delete|FileUtils\.rm\w*)\s*\(/;

function inCapitals(word: string, i: number): string {
  return i === 0 || word.startsWith("-") ? word : word.toUpperCase();
}

/** Classes that only read. */
const LOOKS = /^(none|.*\.read)$/;

/** Words that come from another program may be anything that the command accepts. */
export function addOpenRest(draft: EffectDraft, { simple, class: kind, program, name }: Line): void {
  if (simple.more === "any" && kind.startsWith("fs."))
    addMaybe(draft, { kind: "path", class: kind, path: "/**", recursive: true });
  if (simple.more === "any" && kind.startsWith("network.")) addMaybe(draft, { kind: "domain", domain: "", open: true });
  // If a program has subcommands, an unknown word may be any of them.
  const [second] = simple.words.slice(1).filter(({ text }) => !text.startsWith("-"));
  const told = second === undefined ? simple.more === "any" : second.kind === "open";
  if (!told || program === undefined || program.subs.size === 0 || name.includes(" ")) return;
  const targets: Target[] = [{ kind: "command", words: [name], env: [], level: "execute" }];
  for (const one of new Set([...program.subs.values()].map((sub) => sub().row.class))) {
    if (draft.maybe.parts.some((part) => part.class === one && isAlone(part.targets, name))) continue;
    const { capability, level, reversible, reach } = CLASS_DEFAULTS[one];
    draft.maybe.parts.push({ class: one, capability, level, targets, reversible, reach });
  }
}

/** Whether the target is the program alone, which stands for all its subcommands. */
function isAlone([only, ...others]: readonly Target[], name: string): boolean {
  return only?.kind === "command" && others.length === 0 && only.words.length === 1 && only.words[0] === name;
}

/** Adds the hosts of addresses that the arguments seem to name. */
export function addGuessedHosts(draft: EffectDraft, urls: readonly string[]): void {
  const hosts = urls.flatMap((text) => {
    const parsed = parseAddress(text);
    return parsed.ok ? [parsed.address.host] : [];
  });
  if (hosts.length > 0) addMaybe(draft, { kind: "mentioned", addresses: [...new Set(hosts)], names: [] });
}
