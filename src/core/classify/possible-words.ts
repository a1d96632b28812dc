import type { Effect, EffectClass, MaybeTarget, OpenWord, Target } from "../effect.ts";
import type { Line } from "../shell/path-uses.ts";
import type { Simple, Word } from "../shell/script.ts";
import { classesBesides } from "../tables/doing.ts";
import { programOf } from "../tables/launchers.ts";
import { CLASS_DEFAULTS } from "../tables/tools.ts";
import { UNREAD } from "../tables/unread.ts";
import { doubt, type EffectDraft, type MaybeDraft } from "./effect-draft.ts";
import { wordsApart } from "./option-readings.ts";
import { SHOUTED } from "./other-names.ts";
import { isAbsolute, normalise } from "./path.ts";
import { parseAddress } from "./url.ts";

// What words may stand for that only the run knows. A rule that denies such a thing denies the call: otherwise a
// variable in its place would turn a deny into a question.

/** More of them than this are not told apart. */
const TARGETS_MAX = 64;

function add(draft: EffectDraft, target: MaybeTarget): void {
  const { targets } = draft.maybe;
  if (targets.size < TARGETS_MAX) targets.set(JSON.stringify(target), target);
  else doubt(draft, UNREAD.open);
}

/** Nothing where there is nothing, so that most effects stay as they are. */
export function maybeOf({ parts, targets, apart }: MaybeDraft): Pick<Effect, "maybe"> {
  const all = [...targets.values(), ...apart.values()];
  return parts.length === 0 && all.length === 0 ? {} : { maybe: { parts, targets: all } };
}

/** A command by its words alone, wherever its options stand. */
export function addWordsApart(draft: EffectDraft, line: Line): void {
  const { maybe, class: kind } = draft;
  const { apart } = maybe;
  for (const words of wordsApart(line)) {
    if (apart.size < APART_MAX)
      apart.set([kind, ...words].join("\n"), { kind: "command", class: kind, words, open: [] });
    else doubt(draft, UNREAD.open);
  }
}

/** Commands with options before their subcommand are usual; only a script of thousands has more. */
const APART_MAX = 1_000;

/** A command of which some words may be any. */
export function addOpenCommand(draft: EffectDraft, { simple, given }: Line): void {
  const { words, more } = simple;
  if (words[0]?.kind !== "plain") return;
  const values = new Set([...given.values()].flat());
  const open = words.flatMap((word, at) => (at > 0 && !(isOne(word) && values.has(word)) ? openAt(word, at) : []));
  if (more === "any") open.push({ at: words.length, start: "", split: true });
  if (open.length === 0) return;
  add(draft, { kind: "command", class: draft.class, words: words.map(({ text }) => text), open });
}

function openAt(word: Word, at: number): OpenWord[] {
  // A pattern stands for names of files, and one of them may be called like a subcommand.
  if (word.kind === "glob") return [{ at, start: /^[^*?[]*/.exec(word.text)?.[0] ?? "", split: true }];
  // Digits are no option and no subcommand.
  if (word.kind !== "open" || word.printed === "number") return [];
  return [{ at, start: word.start, split: word.split || SEVERAL.test(word.text) }];
}

/** They become as many words as there are, quotes or not. */
const SEVERAL = /\$@|\$\{@|\[@\]/;

/** The value of an option stays its value, unless the shell cuts it up. */
function isOne(word: Word): boolean {
  return word.kind === "glob" || (word.kind === "open" && !word.split);
}

/** A path that begins as the word does, or as the folder does that is not known. */
export function addOpenPath(
  draft: EffectDraft,
  kind: EffectClass,
  { word, base, deep }: { word: Word; base: string | undefined; deep: boolean },
): void {
  const path = word.kind === "open" ? startOf(word.start, base) : somewhere(word.text, base);
  if (path !== undefined) add(draft, { kind: "path", class: kind, path, recursive: deep });
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

/** Where nobody knows the folder, the path may lie in any. */
function somewhere(text: string, base: string | undefined): string | undefined {
  if (base !== undefined || isAbsolute(text) || text.startsWith("~")) return undefined;
  return `/**/${text
    .split("/")
    .filter((name) => name !== "." && name !== "..")
    .join("/")}`;
}

/** An address of which only the beginning is known; all of its host may be. A program may take braces in it for a choice. */
export function addOpenAddress(draft: EffectDraft, word: Word): void {
  const start = word.kind === "open" ? word.start : /^[^[{*?]*(?=[[{*?])/.exec(word.text)?.[0];
  if (start === undefined) return;
  const host = start.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/^[^@/?#]*@/, "");
  if (!/[/?#]/.test(host)) add(draft, { kind: "domain", domain: host.toLowerCase().replace(/:\d*$/, ""), open: true });
  else addHostOf(draft, start);
}

function addHostOf(draft: EffectDraft, text: string): void {
  const parsed = parseAddress(text);
  if (parsed.ok) add(draft, { kind: "domain", domain: parsed.address.host, open: false });
}

/** What a program does that runs what the project says, for rules that deny a class. */
export function addDoing(draft: EffectDraft, line: Line): void {
  const { simple, class: own, doubts } = line;
  const words = simple.words.map(({ text }) => text);
  const named = [programOf(words[0] ?? ""), ...words.slice(1)];
  // A rule may spell in capitals what such a program takes in either case.
  if (SHOUTED.test(named[0] ?? ""))
    for (const reading of [named, ...wordsApart(line)])
      add(draft, { kind: "command", class: own, words: reading.map(inCapitals), open: [] });
  if (doubts.size === 0 && LOOKS.test(own)) return;
  const targets: Target[] = [{ kind: "command", words: named, env: [], level: "execute" }];
  for (const kind of classesBesides(named)) {
    const { capability, level, reversible, reach } = CLASS_DEFAULTS[kind];
    if (kind !== own) draft.maybe.parts.push({ class: kind, capability, level, targets, reversible, reach });
  }
}

function inCapitals(word: string, i: number): string {
  return i === 0 || word.startsWith("-") ? word : word.toUpperCase();
}

/** What the tables know only to look does nothing else. */
const LOOKS = /^(none|.*\.read)$/;

/** Further words that another program hands over are whatever the command takes. */
export function addOpenRest(draft: EffectDraft, { simple, class: kind, program, name }: Line): void {
  if (simple.more === "any" && kind.startsWith("fs."))
    add(draft, { kind: "path", class: kind, path: "/**", recursive: true });
  if (simple.more === "any" && kind.startsWith("network.")) add(draft, { kind: "domain", domain: "", open: true });
  // Of a program that has subcommands, a word that may be any may be any of them.
  const [second] = simple.words.slice(1).filter(({ text }) => !text.startsWith("-"));
  const told = second === undefined ? simple.more === "any" : second.kind === "open";
  if (!told || program === undefined || program.subs.size === 0 || name.includes(" ")) return;
  const targets: Target[] = [{ kind: "command", words: [name], env: [], level: "execute" }];
  for (const one of new Set([...program.subs.values()].map(({ row }) => row.class))) {
    if (draft.maybe.parts.some((part) => part.class === one && isAlone(part.targets, name))) continue;
    const { capability, level, reversible, reach } = CLASS_DEFAULTS[one];
    draft.maybe.parts.push({ class: one, capability, level, targets, reversible, reach });
  }
}

/** Rules that name words are asked about the words themselves; here a program stands for all that it may be told. */
function isAlone([only, ...others]: readonly Target[], name: string): boolean {
  return only?.kind === "command" && others.length === 0 && only.words.length === 1 && only.words[0] === name;
}

/** A program that runs what it is told may go wherever its words name a host, and open what they name. */
export function addMentioned(draft: EffectDraft, line: Line, from: From): void {
  const { simple, class: kind } = line;
  const doubtful = line.doubts.size > 0;
  const told = isToldWhere(line) || (doubtful && GOING.test(kind));
  const opened = doubtful || OPENING.test(kind) || isUnread(line) ? simple.words.slice(1) : pathspecsOf(line);
  const words = [
    ...(told || doubtful ? simple.words.slice(1) : []),
    ...(GOING.test(kind) || doubtful ? simple.sets.map(({ value }) => value) : []),
    ...(line.name === "export" ? simple.words.filter(({ text }) => LEADING.test(text)) : []),
  ].map(({ text }) => text);
  const handed = GOING.test(kind) ? handedText(simple) : [];
  const set = opened.length > 0 ? simple.sets.map(({ value }) => value.text) : [];
  if (words.length === 0 && handed.length === 0 && opened.length === 0) return;
  addTexts(
    draft,
    { hosts: [...words, ...handed], paths: [...opened.map(({ text }) => text), ...handed, ...set] },
    from,
  );
}

/** Where relative paths and those of the home folder start, as far as that is known. */
export type From = { base: string | undefined; home: string | undefined };

/** Hosts and paths that stand in texts, for rules that deny them. */
export function addTexts(
  draft: EffectDraft,
  texts: { hosts: readonly string[]; paths: readonly string[] },
  from: From,
): void {
  const addresses = new Set<string>();
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const text of texts.hosts) {
    for (const [address] of text.slice(0, TEXT_MAX).matchAll(ADDRESS)) {
      const parsed = parseAddress(address);
      if (parsed.ok) addresses.add(parsed.address.host);
    }
    for (const [name] of text.slice(0, TEXT_MAX).matchAll(NAME)) names.add(name.toLowerCase());
  }
  for (const path of texts.paths.flatMap((text) => [...pathsIn(text), ...pathsBehind(text)])) {
    const whole = placed(path, from);
    if (whole !== undefined) paths.add(normalise(whole));
  }
  if (addresses.size + names.size + paths.size > 0)
    add(draft, { kind: "mentioned", addresses: [...addresses], names: [...names], paths: [...paths] });
}

/** `$(pwd)/a` and `$X/a` may be `a` of this folder, whatever else they may be. */
function pathsBehind(text: string): readonly string[] {
  if (!/[$`]/.test(text) || text.length > TEXT_MAX) return [];
  const known = text.replace(/\$\([^()]*\)|`[^`]*`|\$\{?\w+\}?/g, "");
  const pieces = known.split(/[\s'"<>|;(),:@=]+/).map((piece) => piece.replace(/^\/+/, ""));
  return pieces.filter((piece) => piece !== "" && PATH.test(piece)).slice(0, PATHS_MAX);
}

function placed(path: string, { base, home }: From): string | undefined {
  if (isAbsolute(path)) return path;
  if (path.startsWith("~")) return home === undefined || !/^~(\/|$)/.test(path) ? undefined : home + path.slice(1);
  return base === undefined ? undefined : `${base}/${path}`;
}

/** What a here-document or a text before a pipe hands to a program. */
function handedText({ input }: Simple): readonly string[] {
  if (typeof input !== "object") return [];
  if ("text" in input) return [input.text];
  if (!("from" in input) || !/^(echo|printf)$/.test(input.from.words[0]?.text ?? "")) return [];
  return input.from.words.slice(1).map(({ text }) => text);
}

/** A word that may be a path, the value of an option or of a setting in it, or what looks like a path in a text. */
function pathsIn(text: string): readonly string[] {
  const word = text.replace(/^(--?[A-Za-z][\w-]*=|-[A-Za-z](?=[\w./~]))/, "");
  const inside = word.split(/[@=,]|^[A-Z-]+:/).filter((piece) => piece !== "" && piece !== word);
  if (PATH.test(word)) return [word, ...inside.filter((piece) => PATH.test(piece))];
  const pieces = [...inside, ...text.slice(0, TEXT_MAX).split(/[\s'"`<>|;(),]+/)];
  const seems = (piece: string) => (piece.includes("/") || /^\.\w/.test(piece)) && PATH.test(piece);
  return pieces.filter(seems).slice(0, PATHS_MAX);
}

/** So much of a text is looked through, and so many of its paths are taken. */
const TEXT_MAX = 10_000;
const PATHS_MAX = 32;

/** Programs that only look, of which the table does not name every word that is a file. */
function isUnread({ paths, name }: Line): boolean {
  return paths.length === 0 && /^openssl\b/.test(name);
}

/** Files that git is told of; the first word of some commands may be a branch as well. */
function pathspecsOf({ name, operands }: Line): readonly Word[] {
  if (/^git (add|stage|stash|submodule|am)\b/.test(name)) return operands;
  return /^git (checkout|reset)$/.test(name) ? operands.slice(1) : [];
}

const ADDRESS = /[a-z][a-z0-9+.-]{0,31}:\/\/[^\s'"`<>]+/gi;
const NAME = /(?<![a-z0-9-])[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi;
const PATH = /^[\w@+=,./~][\w@+=,./~-]*$/;
/** What it is told to send, to set up or to change it opens first. */
const OPENING =
  /^(process\.exec|network\.write|deploy\.write|permissions\.change|db\.write|message\.send|schedule\.write|secrets\.read)$/;
const GOING = /^(process\.exec|network\.|deploy\.write|db\.|message\.send|permissions\.change|secrets\.read)/;
/** Variables that say where programs go. */
const LEADING = /^\w*(proxy|host|addr|address|url|endpoint|registry|server)=/i;
/** Of these the table names one host among several, or none. */
const FETCHING = /^(getent|ssh|scp|sftp|git (pull|remote|submodule|lfs)|hg|svn)( |$)/;

/** Programs that go where their words say, of which the table names no word that is a host. */
function isToldWhere({ class: kind, urls, hosts, name }: Line): boolean {
  return FETCHING.test(name) || (GOING.test(kind) && urls.length === 0 && hosts.length === 0);
}

/** Addresses that the arguments of a tool seem to name. */
export function addGuessedHosts(draft: EffectDraft, urls: readonly string[]): void {
  const hosts = urls.flatMap((text) => {
    const parsed = parseAddress(text);
    return parsed.ok ? [parsed.address.host] : [];
  });
  if (hosts.length > 0) add(draft, { kind: "mentioned", addresses: [...new Set(hosts)], names: [], paths: [] });
}
