import type { EffectClass } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import type { Line, PathWord } from "../../shell/path-uses.ts";
import type { Redirect, Simple, Word } from "../../shell/script.ts";
import { CLASS_DEFAULTS } from "../../tables/tools.ts";
import { addGraver, doubt, type EffectDraft } from "../effect-draft.ts";
import { isWild } from "../glob.ts";
import { addHidden } from "../hidden-files.ts";
import type { Knowledge } from "../knowledge.ts";
import { addPath } from "../parts-path.ts";
import { patchedBy } from "../patch.ts";
import { isUnder } from "../path.ts";
import { linksMet, locate, mayBeMissing, type PathUse } from "../path-places.ts";
import { mayLeadToProtected, mayMeanProtected, protectedNote } from "../protect.ts";
import { followsLinks, type Places, placesOf, pouredInto, unpackedName, type Where } from "./command-places.ts";
import { isEmptied, printsNothing, readsWhatItEmpties } from "./emptied-files.ts";
import { addOpenPath } from "./possible-words.ts";

/** Adds the paths that a line of a command names, and the files that it reaches from there. */
export function addLinePaths(draft: EffectDraft, line: Line, places: Places, where: Where, knowledge: Knowledge): void {
  const base = line.folders === undefined ? undefined : where.cwd;
  for (const [i, path] of line.paths.entries()) {
    const [named, searched, linked] = [places.paths[i] ?? NONE, places.searched[i] ?? NONE, places.linked[i] ?? NONE];
    addPathWord(draft, path, named, base, knowledge);
    addMet(draft, line, path, [...named, ...searched], base, knowledge);
    addLinks(draft, path, linked, base, knowledge);
    if (isEmptied(line, path)) addPathWord(draft, { ...path, act: "delete" }, named, base, knowledge);
  }
  const isNamed = line.paths.length > 0;
  if (isNamed) addMaybeDeleted(draft, line, takenAway(line), base, knowledge);
  if (line.simple.redirects.length > 0) addRedirects(draft, line, places.redirects, where, knowledge);
  if (isNamed) addLandings(draft, line, places.landings, base, knowledge);
}

const NONE: readonly string[] = [];

const KINDS: Record<PathWord["act"], EffectClass> = {
  read: "fs.read",
  write: "fs.write",
  delete: "fs.delete",
  move: "fs.move",
};

/** Links below the named paths count if they lead out of the project or to something protected. Deleting does not follow links. */
function addMet(
  draft: EffectDraft,
  line: Line,
  path: PathWord,
  places: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  const { act, deep, word, handed, all } = path;
  const isLed = word.kind === "glob" || handed === true || followsLinks(line);
  for (const text of places.filter(isWild)) {
    const { places: met, files, unfinished } = linksMet(text, base, knowledge);
    const below = text.includes("**");
    if (!text.endsWith("**") || all === true) addFilesMet(draft, path, files, base, knowledge);
    else if (path.open === true) addFilesMet(draft, path, files.filter(isOpen), base, knowledge);
    if (act === "delete" || act === "move" || !isLed) continue;
    // A program that gets names of files from another one goes through more than it names.
    if (unfinished && handed !== true && (!below || word.kind === "plain"))
      doubt(draft, say("note.links_not_followed"));
    addLeading(draft, { act, deep: deep || below }, met, base, knowledge);
  }
}

/** Links that a program treats like files of its own kind. All other links do not count. */
function addLinks(
  draft: EffectDraft,
  { act }: PathWord,
  patterns: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  if (act === "delete" || act === "move") return;
  for (const text of patterns)
    addLeading(draft, { act, deep: false }, linksMet(text, base, knowledge).places, base, knowledge);
}

function addLeading(
  draft: EffectDraft,
  { act, deep }: { act: "read" | "write"; deep: boolean },
  met: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  const use: PathUse = { act, level: CLASS_DEFAULTS[KINDS[act]].level, deep };
  for (const place of met) {
    const located = locate(place, use, base, knowledge);
    if (located.protection !== undefined || located.reach !== "project") addPlace(draft, KINDS[act], use, located);
  }
}

function isOpen(path: string): boolean {
  return !path.includes("/.");
}

/** Files below the named paths count if they hold secrets, or if programs obey what is written there or copied from there. */
function addFilesMet(
  draft: EffectDraft,
  { act, silent }: PathWord,
  files: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  if (act === "delete") return;
  const reading: PathUse = { act: "read", level: CLASS_DEFAULTS["fs.read"].level, deep: false };
  const writing: PathUse = { act: "write", level: CLASS_DEFAULTS["fs.write"].level, deep: false };
  for (const file of files) {
    const read = locate(file, reading, base, knowledge);
    if (act !== "write" && silent !== true && read.protection !== undefined) addPlace(draft, "fs.read", reading, read);
    const written = [file, unpackedName(file)].map((name) => locate(name, writing, base, knowledge));
    const obeyed = written.find(({ protection }) => protection !== undefined);
    if (obeyed === undefined) continue;
    if (act === "write") addPlace(draft, "fs.write", writing, obeyed);
    else if (PLACING.has(draft.class)) doubt(draft, say("note.copied_file_is_obeyed", { file }));
  }
}

const PLACING: ReadonlySet<EffectClass> = new Set(["fs.copy", "fs.move", "fs.mkdir"]);

/** Adds a place to the command's own part if that is about the same class, else as a separate part. */
function addPlace(draft: EffectDraft, kind: EffectClass, use: PathUse, located: ReturnType<typeof locate>): void {
  const own =
    draft.class === kind ||
    ((kind === "fs.read" || kind === "fs.write") && PLACING.has(draft.class)) ||
    (kind === "fs.read" && draft.class === "fs.write");
  if (own) {
    addPath(draft, located, use);
    return;
  }
  for (const why of located.doubts) doubt(draft, why);
  if (use.act !== "read" && !located.factual) doubt(draft, say("note.path_not_followed"));
  if (located.protection !== undefined) draft.notes.add(protectedNote(located.protection));
  addGraver(draft, located.protection?.class ?? kind, located.targets, located.reach);
}

/** Files that a command may remove although its class is writing. They count only for rules that deny. */
function addMaybeDeleted(
  draft: EffectDraft,
  { folders }: Line,
  paths: readonly PathWord[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  const { capability, level, reversible } = CLASS_DEFAULTS["fs.delete"];
  const use: PathUse = { act: "read", level, deep: false };
  for (const { word } of paths) {
    const found = placesOf(word, folders).map((text) => locate(text, use, base, knowledge));
    const reach = found.every((one) => one.reach === "project") ? "project" : "host";
    const targets = found.flatMap((one) => one.targets);
    draft.maybe.parts.push({ class: "fs.delete", capability, level, targets, reversible, reach });
  }
}

/** Opening these devices changes nothing and reveals nothing. */
const FREE = /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d+)$/;

const SOCKET = /^\/dev\/(tcp|udp)\/([^/]+)\/([^/]+)$/;

/** Whether the path is a device and not a file on a disk. A network connection becomes a separate part. */
function isDevice(draft: EffectDraft, act: PathWord["act"], path: string): boolean {
  // A file that is moved onto such a device is lost.
  if (FREE.test(path) && act !== "delete" && act !== "move" && draft.class !== "fs.move") return true;
  const socket = SOCKET.exec(path);
  if (socket === null) return false;
  addGraver(draft, "network.write", [{ kind: "domain", domain: socket[2] ?? "", level: "write" }], "outside");
  doubt(draft, say("note.socket_data_unknown"));
  return true;
}

/** The shell opens redirections before the program starts, so they are relative to the shell's folder. */
function addRedirects(
  draft: EffectDraft,
  line: Line,
  redirects: Places["redirects"],
  where: Where,
  knowledge: Knowledge,
): void {
  const { simple } = line;
  const start = simple.folders === undefined ? undefined : where.cwd;
  simple.redirects.forEach((one, i) => {
    const places = redirects[i] ?? NONE;
    addPathWord(draft, opened(one), places, start, knowledge);
    addMet(draft, line, opened(one), places, start, knowledge);
    const empties = (one.empties === true && printsNothing(simple)) || readsWhatItEmpties(line, one);
    const lost: PathWord = { act: "delete", deep: false, word: one.to };
    if (one.to.text.startsWith("/dev/")) return;
    if (empties) addPathWord(draft, lost, places, start, knowledge);
    // `exec > file` opens a file for all later commands, and maybe nothing is written there.
    else if (one.unused === true || (one.empties === true && isExec(simple)))
      addMaybeDeleted(draft, line, [lost], start, knowledge);
  });
}

function isExec({ words }: Simple): boolean {
  return words.length === 1 && words[0]?.text === "exec";
}

function opened({ writes, to }: Redirect): PathWord {
  return { act: writes ? "write" : "read", deep: false, word: to };
}

function addPathWord(
  draft: EffectDraft,
  { act, deep, word, all, handed, made }: PathWord,
  places: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  if (word.text.startsWith("/dev/") && isDevice(draft, act, word.text)) return;
  if (word.kind === "open") doubt(draft, say("note.path_known_only_at_run"));
  const kind = KINDS[act];
  if (word.kind === "open" || base === undefined || /^~[^/]/.test(word.text))
    addOpenPath(draft, kind, { word, base, deep });
  const use: PathUse = {
    act: act === "delete" || act === "move" ? "replace" : act,
    level: CLASS_DEFAULTS[kind].level,
    deep: deep || act === "move",
    ...(act === "delete" ? { removes: true } : {}),
  };
  for (const text of places) {
    const wide = word.kind === "glob" && !use.deep && !isWild(text);
    addPlace(draft, kind, wide ? { ...use, deep: true } : use, locate(text, use, base, knowledge));
    if (made === true && mayBeMissing(text, base, knowledge))
      addPlace(draft, "fs.write", WRITING, locate(text, WRITING, base, knowledge));
  }
  if (all === true) addHidden(draft, places, base, knowledge);
  if (act === "move") addCarried(draft, places, base, knowledge);
  if (act === "write" && word.kind === "glob") doubtPatterns(draft, places, base, knowledge);
  if (act === "write" && handed === true) doubtHanded(draft, places, base, knowledge);
}

const WRITING: PathUse = { act: "write", level: CLASS_DEFAULTS["fs.write"].level, deep: false };

/** The files of a project include files that builds run and files that git obeys. */
function doubtHanded(
  draft: EffectDraft,
  places: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  const use: PathUse = { act: "write", level: CLASS_DEFAULTS["fs.write"].level, deep: true };
  const { project } = knowledge;
  const paths = places.flatMap((text) => locate(text, use, base, knowledge).targets.map(({ path }) => path));
  if (project === undefined || paths.some((path) => isUnder(project, path)))
    doubt(draft, say("note.input_may_name_protected"));
}

/** A pattern may match a protected file. At the top of a project there are files that builds run. */
function doubtPatterns(
  draft: EffectDraft,
  places: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  for (const text of places.filter(isWild)) {
    for (const { path } of locate(text, WRITING, base, knowledge).targets) {
      const at = path.lastIndexOf("/");
      if (path.slice(0, at) === knowledge.project && mayMeanProtected(path.slice(at + 1)))
        doubt(draft, say("note.pattern_may_match_build_file"));
      if (mayLeadToProtected(path, knowledge.project)) doubt(draft, say("note.pattern_may_match_protected"));
    }
  }
}

/** After a secret gets another name, it can be read by that name. */
function addCarried(
  draft: EffectDraft,
  places: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  const use: PathUse = { act: "read", level: CLASS_DEFAULTS["fs.read"].level, deep: false };
  for (const text of places) {
    const { protection, targets, reach } = locate(text, use, base, knowledge);
    if (protection === undefined) continue;
    draft.notes.add(protectedNote(protection));
    addGraver(draft, protection.class, targets, reach);
  }
}

/** Places that no word names count only if they are protected, or if they are links that lead out of the project. */
function addLandings(
  draft: EffectDraft,
  line: Line,
  landings: Places["landings"],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  for (const { word, act, linked, places } of landings) {
    const use: PathUse = { act, level: CLASS_DEFAULTS["fs.write"].level, deep: act === "replace" };
    for (const text of places) {
      const located = locate(text, use, base, knowledge);
      if (linked === true && located.targets.length < 2) continue;
      const strays = located.factual && located.reach !== "project" && draft.reaches.every((it) => it === "project");
      if (located.protection !== undefined || strays) addPlace(draft, "fs.write", use, located);
      if (word.kind === "glob") doubtPatterns(draft, [text], base, knowledge);
    }
  }
  const poured = pouredInto(line);
  if (poured.length === 0) return;
  const use: PathUse = { act: "write", level: CLASS_DEFAULTS["fs.write"].level, deep: true };
  const places = poured.flatMap(({ word }) => placesOf(word, line.folders));
  const paths = places.flatMap((text) => locate(text, use, base, knowledge).targets.map(({ path }) => path));
  if (paths.some((path) => path === knowledge.project)) doubt(draft, say("note.folder_content_may_replace"));
}

/** Files that a packer removes after packing or unpacking, although its class is writing. */
function takenAway({ name, given, paths, simple }: Line): readonly PathWord[] {
  const keeps = ["-k", "-c", "-t", "-l", "--keep", "--stdout"].some((option) => given.has(option));
  const removes = simple.words.some(({ kind, text }) => kind === "plain" && text === "--rm");
  if (PACKERS.test(name) ? keeps : !(LEAVING.test(name) && removes)) return [];
  return paths.filter(({ act }) => act !== "delete");
}

const PACKERS = /^(gzip|pigz|bzip2|xz|lzma|compress|gunzip|bunzip2|unxz)$/;

const LEAVING = /^(zstd|lz4)$/;

/** Some hosts run `apply_patch` themselves. Then the files count that the patch names. */
export function addPatched(draft: EffectDraft, line: Line, base: string | undefined, knowledge: Knowledge): void {
  for (const path of patchedBy(line)) {
    const word: Word = { kind: "plain", text: path };
    addPathWord(draft, { act: "write", deep: false, word }, placesOf(word, line.folders), base, knowledge);
  }
}
