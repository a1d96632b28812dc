import {
  EFFECT_CLASSES,
  type Effect,
  type EffectClass,
  graver,
  lessUnderstood,
  type Part,
  type Target,
} from "../effect.ts";
import { followsLinks } from "../shell/link-options.ts";
import type { Line, PathWord } from "../shell/path-uses.ts";
import { inFolder, type Redirect, type Word } from "../shell/script.ts";
import { sqlEffect } from "../shell/sql.ts";
import { type Given, understand } from "../shell/understand.ts";
import { CLASS_DEFAULTS, type ToolRow } from "../tables/tools.ts";
import { addDatabases, addHost, addUrl } from "./address.ts";
import { isDevice } from "./devices.ts";
import { addGraver, doubt, type EffectDraft, levelOf, newDraft, partsFrom } from "./effect-draft.ts";
import { isWild } from "./glob.ts";
import { addHidden } from "./hidden-files.ts";
import type { Knowledge } from "./knowledge.ts";
import { type Places, placesIn, placesOf } from "./line-places.ts";
import { otherReadings, writtenReadings } from "./other-readings.ts";
import { runsLeeway } from "./own-program.ts";
import { addPath } from "./parts-path.ts";
import { addSettings, broughtBy, mayKeepProgram, settingsOfLines } from "./parts-settings.ts";
import { isAbsolute, isUnder, normalise } from "./path.ts";
import { linksMet, locate, type PathUse } from "./path-places.ts";
import {
  addDoing,
  addMentioned,
  addOpenAddress,
  addOpenCommand,
  addOpenPath,
  addOpenRest,
  addTexts,
  addWordsApart,
} from "./possible-words.ts";
import { mayLeadToProtected, mayMeanProtected } from "./protect.ts";
import type { SettingsAsked } from "./settings.ts";
import { isEmptied, printsNothing, readsWhatItEmpties } from "./truncation.ts";
import { parseAddress } from "./url.ts";
import { pouredInto, unpackedName } from "./written-places.ts";

/** Where a command runs, in its shortest spelling, and the names of the variables that the tool sets for it. */
export type Where = { cwd: string | undefined; env: readonly string[] };

/** What a command would do, one part or more for every program it starts; what is doubtful of it is noted in the draft. */
export function partsOfCommand(
  outer: EffectDraft,
  command: Given,
  where: Where,
  knowledge: Knowledge,
): readonly Part[] {
  const found = understand(command);
  const parts: Part[] = [];
  if (!found.readable) outer.understood = "not";
  for (const why of found.doubts) doubt(outer, why);
  let runsOwn = false;
  if (mayKeepProgram(found.lines)) doubt(outer, "what is fetched may be kept as a program");
  const brought = broughtBy(found.lines, where.cwd, knowledge);
  for (const line of found.lines) {
    const own = runsLeeway(line.simple.words);
    if (own) runsOwn = true;
    const draft = draftOf(own ? { ...line, class: "permissions.change" } : line, outer, where, knowledge);
    for (const other of otherReadings(line, outer.maybe.parts.length))
      outer.maybe.parts.push(
        ...partsFrom(draftOf(other, { notes: new Set(), maybe: outer.maybe }, where, knowledge), other.name),
      );
    addSettings(draft, line, where.cwd, knowledge, brought);
    parts.push(...partsFrom(draft, line.name));
    outer.understood = lessUnderstood(outer.understood, draft.understood);
  }
  for (const other of writtenReadings(found.lines)) {
    const draft = draftOf(other, { notes: new Set(), maybe: outer.maybe }, where, knowledge);
    outer.maybe.parts.push(...partsFrom(draft, other.name));
  }
  if (runsOwn) {
    outer.notes.add(REFUSED.because);
    outer.refused = REFUSED;
  }
  return parts;
}

const REFUSED: Effect["refused"] & object = {
  code: "LEEWAY_DENIED",
  because: "an agent does not run leeway itself; a person does",
};

/** The paths that a command names, relative to the folder it starts in, for whoever can look where they lead. */
export function commandPaths(command: Given): readonly string[] {
  const found: string[] = [];
  for (const line of understand(command).lines) {
    const { paths, searched, redirects, landings } = placesIn(line);
    for (const places of paths) found.push(...places);
    for (const places of searched) found.push(...places);
    for (const places of redirects) found.push(...places);
    for (const { places } of landings) found.push(...places);
  }
  return found;
}

/** The settings that programs of a command would obey, for whoever can look at them. */
export function commandSettings(command: Given, base: string): readonly SettingsAsked[] {
  return settingsOfLines(understand(command).lines, base);
}

const NONE: readonly string[] = [];

function draftOf(
  line: Line,
  { notes, maybe }: Pick<EffectDraft, "notes" | "maybe">,
  where: Where,
  knowledge: Knowledge,
): EffectDraft {
  const { folders } = line;
  const row = line.program?.row;
  const draft = newDraft(ROWS[line.class], "fully", notes, maybe);
  const places = placesIn(line);
  draft.reach = row?.reach;
  draft.reversible = reversibility(line) ?? draft.reversible;
  for (const why of line.doubts) doubt(draft, why);
  for (const word of line.statements) addStatement(draft, word);
  const commands = targetsOf(line, where, levelOf(draft));
  draft.targets.push(...commands);
  const base = folders === undefined ? undefined : where.cwd;
  line.paths.forEach((path, i) => {
    addPathWord(draft, path, places.paths[i] ?? NONE, base, knowledge);
    addMet(draft, line, path, [...(places.paths[i] ?? NONE), ...(places.searched[i] ?? NONE)], base, knowledge);
    if (isEmptied(line, path)) addPathWord(draft, { ...path, act: "delete" }, places.paths[i] ?? NONE, base, knowledge);
  });
  addRedirects(draft, line, places.redirects, where, knowledge);
  addLandings(draft, line, places.landings, base, knowledge);
  for (const word of line.urls) {
    if (word.kind !== "open") addUrl(draft, word.text);
    // Where it goes is not certain, as programs read such an address in more ways than one.
    if (!parseAddress(word.text).ok) addTexts(draft, { hosts: [word.text], paths: [] }, { base, home: undefined });
    addOpenAddress(draft, word);
  }
  for (const word of line.hosts) {
    if (word.kind === "plain") addHost(draft, word.text);
    addOpenAddress(draft, word);
  }
  addMentioned(draft, line, { base, home: knowledge.facts?.home });
  addOpenCommand(draft, line);
  addWordsApart(draft, line);
  addOpenRest(draft, line);
  addDoing(draft, line);
  if (line.class.startsWith("db.")) addDatabases(draft, line);
  if (row?.domain !== undefined) addHost(draft, row.domain);
  for (const kind of line.besides)
    if (kind !== draft.class) addGraver(draft, kind, commands, CLASS_DEFAULTS[kind].reach);
  // A program that names no path works on what it is handed.
  if (draft.class.startsWith("fs.") && draft.reaches.length === 0) draft.reaches.push("local");
  return draft;
}

/** What the shell opens is found before the program goes anywhere. */
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
    if (empties && !one.to.text.startsWith("/dev/"))
      addPathWord(draft, { act: "delete", deep: false, word: one.to }, places, start, knowledge);
  });
}

/** A command is no tool of the table: of a line there, its class alone is said. */
const ROWS = Object.fromEntries(
  EFFECT_CLASSES.map((kind): [EffectClass, ToolRow] => [kind, { tools: "", class: kind, example: {} }]),
) as Record<EffectClass, ToolRow>;

function opened({ writes, to }: Redirect): PathWord {
  return { act: writes ? "write" : "read", deep: false, word: to };
}

function reversibility({ lasting, class: kind, program }: Line): boolean | undefined {
  if (lasting) return false;
  return program?.row.class === kind ? program.row.reversible : undefined;
}

function addStatement(draft: EffectDraft, word: Word): void {
  if (word.kind !== "plain") return;
  const effect = sqlEffect(word.text);
  draft.class = graver(draft.class, effect.class);
  draft.reversible &&= effect.reversible;
}

function targetsOf(line: Line, where: Where, level: Target["level"]): readonly Target[] {
  const { words, sets } = line.simple;
  if (words.length === 0) return [];
  const env = sets.length === 0 ? where.env : [...new Set([...where.env, ...sets.map(({ name }) => name)])];
  const texts = words.map((word) => word.text);
  return foldersOf(line, where).map((cwd) =>
    cwd === undefined
      ? { kind: "command", words: texts, env, level }
      : { kind: "command", words: texts, cwd, env, level },
  );
}

function foldersOf({ folders }: Line, { cwd }: Where): readonly (string | undefined)[] {
  if (folders === undefined) return [undefined];
  return folders.map((folder) => {
    if (folder === "") return cwd;
    const placed = cwd === undefined && !isAbsolute(folder) ? undefined : inFolder(cwd ?? "", folder);
    return placed === undefined || placed.startsWith("~") ? placed : normalise(placed);
  });
}

const KINDS: Record<PathWord["act"], EffectClass> = {
  read: "fs.read",
  write: "fs.write",
  delete: "fs.delete",
  move: "fs.move",
};

function addPathWord(
  draft: EffectDraft,
  { act, deep, word, all, handed }: PathWord,
  places: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  if (word.text.startsWith("/dev/") && isDevice(draft, act, word.text)) return;
  if (word.kind === "open") doubt(draft, "which path is meant is known only when the command runs");
  const kind = KINDS[act];
  if (word.kind === "open" || base === undefined) addOpenPath(draft, kind, { word, base, deep });
  const use: PathUse = {
    act: act === "delete" || act === "move" ? "replace" : act,
    level: CLASS_DEFAULTS[kind].level,
    deep: deep || act === "move",
  };
  for (const text of places) {
    const wide = word.kind === "glob" && !use.deep && !isWild(text);
    addPlace(draft, kind, wide ? { ...use, deep: true } : use, locate(text, use, base, knowledge));
  }
  if (all === true) addHidden(draft, places, base, knowledge);
  if (act === "move") addCarried(draft, places, base, knowledge);
  if (act === "write" && word.kind === "glob") doubtPatterns(draft, places, base, knowledge);
  if (act === "write" && handed === true) doubtHanded(draft, places, base, knowledge);
}

/** Links that no word names count where they lead out of the project or to something protected. Deleting follows none. */
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
    // A program that lists files goes through far more than it names.
    if (unfinished && handed !== true && (!below || word.kind === "plain"))
      doubt(draft, "where all the links lead that may be met there is not looked at");
    const use: PathUse = { act, level: CLASS_DEFAULTS[KINDS[act]].level, deep: deep || below };
    for (const place of met) {
      const located = locate(place, use, base, knowledge);
      if (located.protection !== undefined || located.reach !== "project") addPlace(draft, KINDS[act], use, located);
    }
  }
}

function isOpen(path: string): boolean {
  return !path.includes("/.");
}

/** Files that no word names count where they hold secrets, or where what is written there, or copied from there, is obeyed. */
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
    else if (PLACING.has(draft.class)) doubt(draft, `${file} comes along, and programs obey it`);
  }
}

/** Among all files of a project are those that builds run and those that git obeys. */
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
    doubt(draft, "among the files that are handed over may be one that is protected");
}

/** A pattern may stand for a protected file; at the top of a project lie files that builds run. */
function doubtPatterns(
  draft: EffectDraft,
  places: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  const use: PathUse = { act: "write", level: CLASS_DEFAULTS["fs.write"].level, deep: false };
  for (const text of places.filter(isWild)) {
    for (const { path } of locate(text, use, base, knowledge).targets) {
      const at = path.lastIndexOf("/");
      if (path.slice(0, at) === knowledge.project && mayMeanProtected(path.slice(at + 1)))
        doubt(draft, "the pattern may stand for a file that a build runs");
      if (mayLeadToProtected(path, knowledge.project)) doubt(draft, "the pattern may stand for a protected file");
    }
  }
}

/** A secret that gets another name can be read by that name from then on. */
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
    draft.notes.add(`the path is ${protection.what}`);
    addGraver(draft, protection.class, targets, reach);
  }
}

/** Places that no word names count only where they matter: protected ones, and links that lead out of the project. */
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
  if (paths.some((path) => path === knowledge.project)) doubt(draft, "what a folder holds may replace any file here");
}

const PLACING: ReadonlySet<EffectClass> = new Set(["fs.copy", "fs.move", "fs.mkdir"]);

/** In the command's own part where that speaks of the same, else in one of its own. */
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
  if (use.act !== "read" && !located.factual) doubt(draft, "nobody looked where the path really leads");
  if (located.protection !== undefined) draft.notes.add(`the path is ${located.protection.what}`);
  addGraver(draft, located.protection?.class ?? kind, located.targets, located.reach);
}
