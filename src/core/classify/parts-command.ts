import { EFFECT_CLASSES, type Effect, type EffectClass, graver, lessUnderstood, type Part } from "../effect.ts";
import { type Message, say } from "../messages/message.ts";
import { Notes } from "../messages/notes.ts";
import type { Line, PathWord } from "../shell/path-uses.ts";
import { type Redirect, type Simple, TEXT_MAX, type Word } from "../shell/script.ts";
import { sqlEffect } from "../shell/sql.ts";
import { type GivenCommand, understand } from "../shell/understand.ts";
import { CLASS_DEFAULTS, type ToolRow } from "../tables/tools.ts";
import { UNREAD } from "../tables/unread.ts";
import { addDatabases, addHost, addUrl } from "./address.ts";
import { methodOf } from "./command-method.ts";
import { targetsOf, type Where } from "./command-targets.ts";
import { isDevice } from "./devices.ts";
import { addGraver, doubt, type EffectDraft, levelOf, newDraft, partsFrom } from "./effect-draft.ts";
import { isWild } from "./glob.ts";
import { addHidden } from "./hidden-files.ts";
import type { Knowledge } from "./knowledge.ts";
import { type Places, placesIn, placesOf } from "./line-places.ts";
import { addMaybeDeleted } from "./maybe-deleted.ts";
import { addMentioned, addTexts, mentionedPaths } from "./mentioned.ts";
import { isOverspent, otherReadings, startableBy, togetherReadings } from "./other-readings.ts";
import { runsLeeway } from "./own-program.ts";
import { addLinks, addMet, addPlace, KINDS } from "./parts-links.ts";
import { addSettings, broughtBy, mayKeepProgram, settingsOfLines } from "./parts-settings.ts";
import { OWN_PATCH, patchedBy } from "./patched-words.ts";
import { isUnder } from "./path.ts";
import { locate, mayBeMissing, type PathUse } from "./path-places.ts";
import {
  addDoing,
  addOpenAddress,
  addOpenCommand,
  addOpenPath,
  addOpenRest,
  addStarted,
  addWordsApart,
} from "./possible-words.ts";
import { mayLeadToProtected, mayMeanProtected, protectedNote } from "./protect.ts";
import type { SettingsAsked } from "./settings.ts";
import { isEmptied, printsNothing, readsWhatItEmpties, takenAway } from "./truncation.ts";
import { parseAddress } from "./url.ts";
import { pouredInto } from "./written-places.ts";

/** What a command would do, one part or more for every program it starts; what is doubtful of it is noted in the draft. */
export function partsOfCommand(
  outer: EffectDraft,
  command: GivenCommand,
  where: Where,
  knowledge: Knowledge,
): readonly Part[] {
  const found = understand(command);
  const parts: Part[] = [];
  if (!found.readable) outer.understood = "not";
  for (const why of found.doubts) doubt(outer, why);
  let runsOwn = false;
  if (mayKeepProgram(found.lines)) doubt(outer, say("note.download_may_become_program"));
  const brought = broughtBy(found.lines, where.cwd, knowledge);
  for (const line of found.lines) {
    const own = runsLeeway(line.simple.words);
    if (own) runsOwn = true;
    const draft = draftOf(own ? { ...line, class: "permissions.change" } : line, outer, where, knowledge);
    for (const other of otherReadings(line, outer.maybe.work))
      outer.maybe.parts.push(
        ...partsFrom(draftOf(other, { notes: new Notes(), maybe: outer.maybe }, where, knowledge), other.name),
      );
    addSettings(draft, line, where.cwd, knowledge, brought);
    const done = partsFrom(draft, line.name);
    parts.push(...done);
    const method = methodOf(line);
    if (method !== undefined) outer.maybe.parts.push(...done.map((part) => ({ ...part, method })));
    outer.understood = lessUnderstood(outer.understood, draft.understood);
  }
  const again = found.doubts.length > 0 || found.lines.some(({ doubts }) => doubts.size > 0);
  const text = again && "line" in command ? command.line : undefined;
  for (const other of togetherReadings(found.lines, text, outer.maybe.work)) {
    const draft = draftOf(other, { notes: new Notes(), maybe: outer.maybe }, where, knowledge);
    outer.maybe.parts.push(...partsFrom(draft, other.name));
  }
  if (isOverspent(outer.maybe.work)) doubt(outer, UNREAD.open);
  if (runsOwn) {
    outer.notes.add(REFUSED.because);
    outer.refused = REFUSED;
  }
  return parts;
}

const REFUSED: Effect<Message>["refused"] & object = {
  code: "LEEWAY_DENIED",
  because: say("note.agent_runs_leeway"),
};

/** The paths that a command names, relative to the folder it starts in, for whoever can look where they lead. */
export function commandPaths(command: GivenCommand): readonly string[] {
  const found: string[] = [];
  const mentioned = new Set<string>();
  for (const line of understand(command).lines) {
    const { paths, searched, linked, redirects, landings } = placesIn(line);
    for (const places of paths) found.push(...places);
    for (const places of [...searched, ...linked]) found.push(...places);
    for (const places of redirects) found.push(...places);
    for (const { places } of landings) found.push(...places);
    for (const path of mentionedPaths(line)) mentioned.add(path);
  }
  return [...found, ...mentioned];
}

/** The settings that programs of a command would obey, for whoever can look at them. */
export function commandSettings(command: GivenCommand, base: string): readonly SettingsAsked[] {
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
  if (line.simple.words.some(({ text }) => text.length > TEXT_MAX)) doubt(draft, UNREAD.long);
  for (const word of line.statements) addStatement(draft, word);
  const commands = targetsOf(line, where, levelOf(draft));
  draft.targets.push(...commands);
  const base = folders === undefined ? undefined : where.cwd;
  line.paths.forEach((path, i) => {
    addPathWord(draft, path, places.paths[i] ?? NONE, base, knowledge);
    addMet(draft, line, path, [...(places.paths[i] ?? NONE), ...(places.searched[i] ?? NONE)], base, knowledge);
    addLinks(draft, path, places.linked[i] ?? NONE, base, knowledge);
    if (isEmptied(line, path)) addPathWord(draft, { ...path, act: "delete" }, places.paths[i] ?? NONE, base, knowledge);
  });
  addMaybeDeleted(draft, line, takenAway(line), base, knowledge);
  addRedirects(draft, line, places.redirects, where, knowledge);
  addLandings(draft, line, places.landings, base, knowledge);
  addRequests(draft, line, base);
  addMentioned(draft, line, { base, home: knowledge.facts?.home, knowledge });
  addPatched(draft, line, base, knowledge);
  addOpenCommand(draft, line);
  addStarted(draft, startableBy(line));
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

/** The addresses and hosts that the words name. */
function addRequests(draft: EffectDraft, line: Line, base: string | undefined): void {
  for (const word of line.urls) {
    if (word.kind !== "open") addUrl(draft, word.text);
    // Where it goes is not certain, as programs read such an address in more ways than one.
    if (!parseAddress(word.text).ok || NUMBERED.test(word.text))
      addTexts(draft, { hosts: [word.text], paths: [] }, { base, home: undefined });
    addOpenAddress(draft, word);
  }
  for (const word of line.hosts) {
    if (word.kind === "plain") addHost(draft, word.text);
    addOpenAddress(draft, word);
  }
}

/** A host that begins like a number may be one. */
const NUMBERED = /:\/\/\d/;

/** A patch that a host takes for its own tool, as that tool would read it. */
function addPatched(draft: EffectDraft, line: Line, base: string | undefined, knowledge: Knowledge): void {
  if (!OWN_PATCH.test(line.simple.words[0]?.text ?? "")) return;
  for (const path of patchedBy(line)) {
    const word: Word = { kind: "plain", text: path };
    addPathWord(draft, { act: "write", deep: false, word }, placesOf(word, line.folders), base, knowledge);
  }
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
    const lost: PathWord = { act: "delete", deep: false, word: one.to };
    if (one.to.text.startsWith("/dev/")) return;
    if (empties) addPathWord(draft, lost, places, start, knowledge);
    // A shell that opens a file for all that follows may write nothing there.
    else if (one.unused === true || (one.empties === true && isExec(simple)))
      addMaybeDeleted(draft, line, [lost], start, knowledge);
  });
}

function isExec({ words }: Simple): boolean {
  return words.length === 1 && words[0]?.text === "exec";
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
    doubt(draft, say("note.input_may_name_protected"));
}

/** A pattern may stand for a protected file; at the top of a project lie files that builds run. */
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
    draft.notes.add(protectedNote(protection));
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
  if (paths.some((path) => path === knowledge.project)) doubt(draft, say("note.folder_content_may_replace"));
}
