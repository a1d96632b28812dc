import type { EffectClass } from "../../effect.ts";
import type { Line } from "../../shell/path-uses.ts";
import { inFolder, TEXT_MAX, type Word } from "../../shell/script.ts";
import { parseAddress } from "../addresses/url.ts";
import type { EffectDraft } from "../effect-draft.ts";
import { isWild } from "../glob.ts";
import type { Knowledge } from "../knowledge.ts";
import { NOTHING_DECLARED } from "../known-tool.ts";
import { patchedBy } from "../patch.ts";
import { isAbsolute } from "../path.ts";
import { locate, type PathUse } from "../path-places.ts";
import { deeperPlaces } from "./deeper-places.ts";
import { addMaybe } from "./possible-words.ts";
import { handedTo } from "./started-words.ts";

// Hosts and paths among the words of a program, if it is unknown what the program does with them. They are used only by
// rules that deny.

/** Where relative paths and `~` start, if that is known, and where links lead. */
export type From = { base: string | undefined; home: string | undefined; knowledge?: Knowledge };

/** Paths among the words of a line, from the folder of the call and from every folder that the program may work in. */
export type MentionedPaths = {
  /** They may be written, deleted or moved. */
  changed: readonly string[];
  /** They may be opened for reading. */
  opened: readonly string[];
  /** They are named in a patch. */
  patched: readonly string[];
};

/** Undefined if the tables say what the program does with its words. This is so for most commands. */
export function mentionedBy(line: Line): MentionedPaths | undefined {
  const { name, simple, class: kind, doubts, folders = [] } = line;
  const mentions = doubts.size > 0 || MENTIONING.test(kind) || MENTIONED_BY.test(name);
  if (!mentions && !MENTIONED_AFTER.test(simple.words[0]?.text ?? "")) return undefined;
  const placed = (texts: readonly string[]) =>
    texts.flatMap((text) => [...new Set([text, ...folders.map((folder) => inFolder(folder, text))])]);
  return {
    changed: placed(changedBy(line).flatMap(candidates)),
    opened: placed(openedBy(line).flatMap(candidates)),
    patched: placed(patchedBy(line)),
  };
}

/** Classes of programs that may contact hosts, or open files, that the tables do not name. */
const MENTIONING =
  /^(process\.exec|network\.|deploy\.write|db\.|message\.send|permissions\.change|secrets\.read|schedule\.write)/;

/** Commands of other classes that do so. */
const MENTIONED_BY =
  /^(git (stash|checkout|apply|am|worktree|submodule|read-tree|reset|restore|clean|mv|pull|remote|lfs|add|stage)|export|openssl|getent|ssh|scp|sftp|dig|nslookup|logger|hg|svn|g?patch)\b/;

/** The same, by the first word as it is written. */
const MENTIONED_AFTER =
  /^(gsutil|gcloud|rclone|s3cmd|s5cmd|mc|aws|az|sftp|lftp|kubectl|docker|apply_?patch|applypatch)( |$)/;

/** A program that runs other commands may contact every host and open every file that its words name. */
export function addMentioned(draft: EffectDraft, line: Line, mentioned: MentionedPaths | undefined, from: From): void {
  if (mentioned !== undefined) {
    addHosts(draft, hostTexts(line));
    addPlaces(draft, [...mentioned.changed, ...mentioned.patched], from);
    addPlaces(draft, mentioned.opened, from, "fs.read");
  }
  for (const { class: done, texts, deep } of deeperPlaces(line, from.knowledge?.project))
    addPlaces(draft, texts, from, done, deep);
}

/** The texts of a line that may name hosts. */
function hostTexts(line: Line): readonly string[] {
  const { simple, class: kind } = line;
  const doubtful = line.doubts.size > 0;
  const isGoing = GOING.test(kind);
  const words = [
    ...(doubtful || isToldWhere(line) ? simple.words.slice(1) : []),
    ...(isGoing || doubtful ? simple.sets.map(({ value }) => value) : []),
    ...(line.name === "export" ? simple.words.filter(({ text }) => LEADING.test(text)) : []),
  ].map(({ text }) => text);
  return isGoing ? [...words, ...handedTo(simple.input)] : words;
}

/** All these paths, for the door, which looks up where they lead. */
export function mentionedPaths(line: Line, mentioned: MentionedPaths | undefined): readonly string[] {
  const deeper = deeperPlaces(line, undefined).flatMap((one) => one.texts);
  if (mentioned === undefined) return deeper;
  const { changed, opened, patched } = mentioned;
  return [...changed, ...opened, ...patched, ...deeper];
}

/** A pattern of the shell stands for files, even without a folder. */
function asPath({ kind, text }: Word): string {
  return kind === "glob" && !text.includes("/") ? `./${text}` : text;
}

/** Words that may be opened for reading. */
function openedBy(line: Line): readonly string[] {
  const { simple, class: kind } = line;
  const opens = line.doubts.size > 0 || OPENING.test(kind) || isUnread(line);
  const words = opens ? simple.words.slice(1) : kind === "network.read" ? optionValues(line) : pathspecsOf(line);
  const texts = words.map(asPath);
  const set = texts.length > 0 ? simple.sets.map(({ value }) => value.text) : [];
  return [...texts, ...(GOING.test(kind) ? handedTo(simple.input) : []), ...set];
}

/** Texts of words that may be written, deleted or moved. Rules about any of these apply. */
function changedBy(line: Line): readonly string[] {
  const { simple, class: kind, name, doubts, paths, inner } = line;
  const [, ...rest] = simple.words;
  const changes =
    CHANGING.test(kind) ||
    COPYING.test(simple.words.map(({ text }) => text).join(" ")) ||
    (doubts.size > 0 && UNSURE.test(kind));
  if (/^git( |$)/.test(name)) return changes || GIT_CHANGING.test(name) ? changedByGit(line) : [];
  if (!changes) return [];
  const known = new Set<Word>([
    ...paths.map(({ word }) => word),
    ...inner.flatMap((one) => ("words" in one ? one.words : [])),
  ]);
  const texts = rest.filter((word) => !known.has(word)).map(asPath);
  return [...texts, ...simple.sets.map(({ value }) => value.text), ...handedTo(simple.input)];
}

/** Without the first word, which may be a branch, and with the options that name a folder. */
function changedByGit({ name, operands, simple }: Line): readonly string[] {
  const texts = simple.words.map(({ text }) => text);
  const folders = texts.flatMap((text, i) => {
    const [, inline] = /^--(?:work-tree|prefix|directory)=(.+)$/.exec(text) ?? [];
    return inline !== undefined ? [inline] : /^--(work-tree|prefix|directory)$/.test(text) ? [texts[i + 1] ?? ""] : [];
  });
  const tree = simple.sets.filter((one) => one.name === "GIT_WORK_TREE").map(({ value }) => value.text);
  const files = GIT_CHANGING.test(name) ? operands.map(asPath) : [];
  return [...folders, ...tree, ...(/^git (checkout|reset)$/.test(name) ? files.slice(1) : files)];
}

const GIT_CHANGING =
  /^git (stash|stash push|checkout-index|apply|am|worktree add|submodule|read-tree|checkout|reset|restore|clean|mv)$/;
const CHANGING = /^(process\.exec|permissions\.change|db\.write|secrets\.read)$/;
const UNSURE = /^(fs\.write|fs\.delete|fs\.copy|fs\.move|network\.(read|write)|db\.read)$/;
/** Programs that copy files from another place to the place that a word names. */
const COPYING = /^(gsutil|gcloud storage|rclone|s3cmd|s5cmd|mc|aws s3|az storage|sftp|lftp|kubectl cp|docker cp)( |$)/;

/** Words after an option that the tables do not know. */
function optionValues({ simple, given }: Line): readonly Word[] {
  const known = new Set([...given.values()].flat());
  return simple.words.filter((word, i) => {
    const before = simple.words[i - 1]?.text ?? "";
    const inline = /^--[\w-]+=./.test(word.text);
    return i > 0 && !known.has(word) && (inline || (/^--[\w-]+$/.test(before) && !word.text.startsWith("-")));
  });
}

/** Adds hosts and paths in texts, for rules that deny them. */
export function addTexts(
  draft: EffectDraft,
  texts: { hosts: readonly string[]; paths: readonly string[] },
  from: From,
): void {
  addHosts(draft, texts.hosts);
  addPlaces(draft, texts.paths.flatMap(candidates), from, "fs.read");
}

function addHosts(draft: EffectDraft, texts: readonly string[]): void {
  const addresses = new Set<string>();
  const names = new Set<string>();
  for (const text of texts.map((one) => one.slice(0, TEXT_MAX))) {
    for (const [address] of text.matchAll(ADDRESS)) addHost(addresses, address);
    for (const [name] of text.matchAll(NAME)) names.add(name.toLowerCase());
    // A number, or two numbers with a dot, can be an IP address.
    for (const [, number] of text.matchAll(NUMBER)) addHost(names, `http://${number}/`);
  }
  if (addresses.size + names.size > 0)
    addMaybe(draft, { kind: "mentioned", addresses: [...addresses], names: [...names] });
}

function addHost(hosts: Set<string>, address: string): void {
  const parsed = parseAddress(address);
  if (parsed.ok) hosts.add(parsed.address.host);
}

const LOOKING: PathUse = { act: "read", level: "read", deep: false };

function addPlaces(draft: EffectDraft, texts: readonly string[], from: From, kind?: EffectClass, deep = false): void {
  const paths = new Set<string>();
  for (const text of texts) {
    const whole = placed(text, from);
    if (whole === undefined) continue;
    const { targets } = locate(whole, LOOKING, from.base, from.knowledge ?? NOTHING_KNOWN);
    for (const { path } of targets) paths.add(path);
  }
  if (paths.size === 0) return;
  const target = { kind: "paths", paths: [...paths], recursive: deep } as const;
  addMaybe(draft, kind === undefined ? target : { ...target, class: kind });
}

const NOTHING_KNOWN: Knowledge = { declared: NOTHING_DECLARED };

/** The parts of a text that may be paths. */
function candidates(text: string): readonly string[] {
  return [...pathsIn(text), ...pathsBehind(text)];
}

/** `$(pwd)/a` and `$X/a` may be `a` in this folder. */
function pathsBehind(text: string): readonly string[] {
  if (!/[$`]/.test(text)) return [];
  const known = text.slice(0, TEXT_MAX).replace(/\$\([^()]*\)|`[^`]*`|\$\{?\w+\}?/g, "");
  const pieces = known.split(/[\s'"<>|;(),:@=]+/).map((piece) => piece.replace(/^\/+/, ""));
  return pieces.filter((piece) => piece !== "" && PATH.test(piece));
}

function placed(path: string, { base, home }: From): string | undefined {
  if (isAbsolute(path)) return path;
  if (path.startsWith("~")) return home === undefined || !/^~(\/|$)/.test(path) ? undefined : home + path.slice(1);
  return base === undefined ? undefined : `${base}/${path}`;
}

/** The word itself, the value of an option or setting in it, or the parts of a text that look like paths. */
function pathsIn(text: string): readonly string[] {
  const word = text.replace(/^(--?[A-Za-z][\w-]*=|-[A-Za-z](?=[\w./~]))/, "");
  const inside = word.split(/[@=,]|^[A-Za-z-]+:/).filter((piece) => piece !== "" && piece !== word);
  // A quoted star without a folder hardly stands for files.
  if (PATH.test(word) && (!isWild(word) || word.includes("/")))
    return [word, ...inside.filter((piece) => PATH.test(piece) && !isWild(piece))];
  const pieces = [...inside, ...text.slice(0, TEXT_MAX).split(/[\s'"`<>|;(),{}]+/)];
  const seems = (piece: string) => (/\w\/|\/\w/.test(piece) || /^\.\w/.test(piece)) && PATH.test(piece);
  return pieces.filter(seems);
}

/** Programs that only read. The table does not name all their file words. */
function isUnread({ paths, name }: Line): boolean {
  return paths.length === 0 && /^openssl\b/.test(name);
}

/** The files that a git command names. For some commands the first word may be a branch. */
function pathspecsOf({ name, operands }: Line): readonly Word[] {
  if (/^git (add|stage|stash|submodule|am)\b/.test(name)) return operands;
  return /^git (checkout|reset)$/.test(name) ? operands.slice(1) : [];
}

const ADDRESS = /[a-z][a-z0-9+.-]{0,31}:\/\/[^\s'"`<>]+/gi;
const NAME = /(?<![a-z0-9-])(?<!(?:^|[\s/=])\.)[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi;
const NUMBER = /(?:^|[@/=:,[])(0x[0-9a-f]{7,8}|\d{8,10}|\d{1,3}\.\d{1,8}(?:\.\d{1,5})?)(?=$|[:/,\]])/gi;
const PATH = /^[\w@+=,./~*?[\]][\w@+=,./~*?[\]-]*$/;
/** Classes of programs that open the files that they send, set up or change. */
const OPENING =
  /^(process\.exec|network\.write|deploy\.write|permissions\.change|db\.write|message\.send|schedule\.write|secrets\.read)$/;
const GOING = /^(process\.exec|network\.|deploy\.write|db\.|message\.send|permissions\.change|secrets\.read)/;
/** Variables that set the host that a program contacts. */
const LEADING = /^\w*(proxy|host|addr|address|url|endpoint|registry|server)=/i;
/** Programs for which the table does not name all hosts. */
const FETCHING = /^(getent|ssh|scp|sftp|dig|nslookup|logger|git (pull|remote|submodule|lfs)|hg|svn)( |$)/;

/** Whether the program contacts hosts that its words name, and the table does not name these words. */
function isToldWhere({ class: kind, urls, hosts, name }: Line): boolean {
  return FETCHING.test(name) || (GOING.test(kind) && urls.length === 0 && hosts.length === 0);
}
