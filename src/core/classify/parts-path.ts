import { graver, REACHES } from "../effect.ts";
import { say } from "../messages/message.ts";
import { withoutBody } from "./addresses/sending.ts";
import { type Arguments, collect, hasUnnamedPath, NAMED_MAX, startFolders, tucked } from "./arguments.ts";
import { addGraver, doubt, type EffectDraft, levelOf, type Mentioned, TOO_LARGE } from "./effect-draft.ts";
import { expanded, gathered, globRoot, globsIn, isWild, leaves } from "./glob.ts";
import { addHidden, shownBelow, showsEverything } from "./hidden-files.ts";
import type { Knowledge } from "./knowledge.ts";
import { changesMode, patchedFiles } from "./patch.ts";
import { isUnder, normalise } from "./path.ts";
import { baseOf, folderFrom, type Located, linksMet, locate, mayBeMissing, type PathUse } from "./path-places.ts";
import { type Act, protectedNote } from "./protect.ts";
import type { CallReading } from "./reading.ts";

type Use = { text: string; use: PathUse };

const NO_USES: readonly Use[] = [];

/** The folders that the paths of a call may start from: the call's own folder, and those that the arguments name. */
type Ground = { base: string | undefined; inner: readonly string[]; knowledge: Knowledge };

const of = (texts: readonly string[], use: PathUse): Use[] => texts.map((text) => ({ text, use }));

/** Adds every path that the arguments name, with what happens to it. */
export function addPaths(draft: EffectDraft, reading: CallReading, mentioned: Mentioned, knowledge: Knowledge): void {
  const { row } = draft;
  const { call, args } = reading;
  const starts = row.command === undefined ? startFolders(args, [row.reads, row.writes, row.deletes]) : NO_FOLDERS;
  const namesPaths =
    mentioned.paths.length > 0 || starts.length > 0 || PATH_ROLES.some((role) => row[role] !== undefined);
  const from = (): Ground => groundOf(draft, call.cwd, starts, knowledge);
  const { named, ground } = namesPaths ? addNamed(draft, args, mentioned, from) : NOTHING_NAMED;
  const uses = tuckedAway(draft, args);
  if (uses.length > 0) addTucked(draft, uses, named, ground ?? from());
  if (collect(args, row.refs).some((word) => word.trimStart().startsWith("-"))) {
    doubt(draft, say("note.argument_may_be_option"));
  }
}

/** The keys of a row that name arguments for paths, or files that the tool uses anyway. */
const PATH_ROLES = ["reads", "writes", "deletes", "patch", "globs", "seeks", "saves", "leaves", "here"] as const;

const NO_FOLDERS: readonly string[] = [];

/** The paths that were named, and from where they start. */
type NamedPaths = { named: readonly Use[]; ground: Ground | undefined };

const NOTHING_NAMED: NamedPaths = { named: NO_USES, ground: undefined };

/** Adds the paths in the arguments that the table names, and those that are `mentioned` elsewhere. */
function addNamed(draft: EffectDraft, args: Arguments, mentioned: Mentioned, from: () => Ground): NamedPaths {
  const { row } = draft;
  const level = levelOf(draft);
  const deep = row.deep === true || args.json.recursive === true || args.json.recursive === "true";
  const swaps = row.class === "fs.move" || row.class === "fs.copy";
  // A tool that mostly writes may also remove files. Those are a part of their own.
  const isMixed = row.class === "fs.write";
  const { sources, written, removed } = usesOf(row, args, { level, deep, swaps, isMixed });
  const named = [...sources, ...written, ...patched(draft, args)];
  const missing = swaps ? sources.length === 0 || written.length === 0 : named.length + removed.length === 0;
  const wanted = row.reads ?? row.writes ?? row.deletes ?? row.patch;
  const ground = from();
  if (isMixed) removed.push(...emptied(args, written, ground));
  // A pattern says where to look, as a path does.
  const sought = row.here !== true && collect(args, row.globs).length > 0;
  if (wanted !== undefined && missing && !sought) {
    if (row.here === true && ground.base !== undefined) named.push({ text: ".", use: { act: "read", level, deep } });
    else doubt(draft, say("note.no_path_found"));
  }
  if (row.class.startsWith("fs.") && wanted !== undefined) {
    const spoken = [row.reads, row.writes, row.deletes, row.patch, row.globs];
    if (hasUnnamedPath(args, spoken)) doubt(draft, say("note.argument_may_be_path"));
  }
  const patterns = row.globs === undefined ? NO_PATTERNS : globbed(draft, args, named);
  // With more patterns than this the call is refused anyway.
  const wild = sources.filter(({ text }) => isWild(text)).slice(0, NAMED_MAX);
  for (const use of wild) named.push(...of([...new Set(expanded(use.text).map(globRoot))], { ...use.use, deep: true }));
  named.push(...patterns.starts, ...of(mentioned.paths, { act: mentioned.act, level, deep }));
  if (named.length > NAMED_MAX) {
    draft.refused = TOO_LARGE;
    named.length = NAMED_MAX;
  }
  for (const use of named) addUse(draft, use, ground);
  addRemoved(draft, removed, ground);
  if (row.class === "fs.move") addCarried(draft, sources, ground);
  if (swaps) doubtPoured(draft, written, ground);
  for (const use of patterns.letters.slice(0, NAMED_MAX)) addIfProtected(draft, use, ground);
  for (const { text, use } of wild)
    for (const letters of of(expanded(text), use)) addIfProtected(draft, letters, ground);
  const searched = row.globs === undefined ? [] : gathered(args, row);
  addMet(draft, [...wild.map(({ text }) => text), ...searched], ground);
  if (row.seeks !== undefined) addShown(draft, args, named, ground);
  addSaved(draft, args, ground);
  return { named, ground };
}

type How = { level: PathUse["level"]; deep: boolean; swaps: boolean; isMixed: boolean };

/** What happens to the paths that the table names. */
function usesOf(row: EffectDraft["row"], args: Arguments, { level, deep, swaps, isMixed }: How) {
  // What is copied or moved may be a folder. Then everything in it counts.
  const sources = of(collect(args, row.reads), { act: "read", level: "read", deep: deep || swaps });
  const deleted = collect(args, row.deletes);
  if (!isMixed) sources.push(...of(deleted, { act: "replace", level, deep: deep || swaps }));
  const removed = isMixed ? of(deleted, { act: "replace", level: "admin", deep: false, removes: true, ...EXACT }) : [];
  // What a tool writes it writes under exactly this name; what it reads may be a pattern, for some tools.
  const writing: PathUse = swaps ? { act: "replace", level, deep } : { act: "write", level, deep, ...EXACT };
  return { sources, removed, written: of(collect(args, row.writes), writing) };
}

const EXACT = { exact: true } as const;

const CONTENT = /^(new_?)?(content|contents|data|file_?text|text)$/i;

/** A file that is there and is written without any content loses what it had. */
function emptied({ json }: Arguments, written: readonly Use[], { base, knowledge }: Ground): readonly Use[] {
  const given = Object.keys(json).filter((key) => CONTENT.test(key));
  if (given.length === 0 || given.some((key) => json[key] !== "")) return NO_USES;
  const there = written.filter(({ text }) => !mayBeMissing(text, base, knowledge));
  return there.map(({ text, use }) => ({ text, use: { ...use, act: "replace" } }));
}

/** All removed files are one part, except those that are protected against more. */
function addRemoved(draft: EffectDraft, removed: readonly Use[], { base, knowledge }: Ground): void {
  if (removed.length > NAMED_MAX) draft.refused = TOO_LARGE;
  const found = removed.slice(0, NAMED_MAX).map(({ text, use }) => locate(text, use, base, knowledge));
  const plain: Located[] = [];
  for (const located of found) {
    for (const why of located.doubts) doubt(draft, why);
    if (!located.factual) doubt(draft, say("note.path_not_followed"));
    const { protection, targets, reach } = located;
    if (protection === undefined || graver(protection.class, "fs.delete") === "fs.delete") plain.push(located);
    if (protection === undefined) continue;
    draft.notes.add(protectedNote(protection));
    if (graver(protection.class, "fs.delete") !== "fs.delete") addGraver(draft, protection.class, targets, reach);
  }
  if (plain.length === 0) return;
  const reach = REACHES.findLast((one) => plain.some((located) => located.reach === one)) ?? "outside";
  addGraver(
    draft,
    "fs.delete",
    plain.flatMap(({ targets }) => targets),
    reach,
  );
}

/** Links below the named paths count if they lead to something protected. Secrets that a tool shows count too. */
function addMet(draft: EffectDraft, patterns: readonly string[], ground: Ground): void {
  const use: PathUse = { act: "read", level: "read", deep: true };
  for (const pattern of patterns) {
    const { places, files } = linksMet(pattern, ground.base, ground.knowledge);
    for (const text of places) addIfProtected(draft, { text, use }, ground);
    if (draft.row.here !== true) for (const text of files) addIfProtected(draft, { text, use }, ground);
  }
}

/** After a secret gets another name, it can be read by that name. */
function addCarried(draft: EffectDraft, sources: readonly Use[], ground: Ground): void {
  for (const { text } of sources)
    addIfProtected(draft, { text, use: { act: "read", level: "read", deep: true } }, ground);
}

/** A folder that is put in place of the project may replace any file of the project. */
function doubtPoured(draft: EffectDraft, written: readonly Use[], { base, knowledge }: Ground): void {
  const { project } = knowledge;
  if (project === undefined) return;
  for (const { text, use } of written)
    for (const { path } of locate(text, use, base, knowledge).targets)
      if (path === project || isUnder(project, path)) doubt(draft, say("note.folder_content_may_replace"));
}

/** `starts`: the folders that the arguments name to start from. */
function groundOf(
  draft: EffectDraft,
  cwd: string | undefined,
  starts: readonly string[],
  knowledge: Knowledge,
): Ground {
  const base = baseOf(cwd, knowledge);
  if (starts.length > FOLDERS_MAX) draft.refused = TOO_LARGE;
  if (starts.length === 0 || starts.length > FOLDERS_MAX) return { base, inner: NO_FOLDERS, knowledge };
  const inner = new Set<string>();
  for (const start of starts) {
    const folder = folderFrom(start, base, knowledge);
    if (folder === undefined) doubt(draft, say("note.start_folder_unknown"));
    else if (base === undefined || normalise(folder) !== normalise(base)) inner.add(folder);
  }
  return { base, inner: [...inner], knowledge };
}

/** Every path is tried from every start folder, so the number of folders is limited. */
const FOLDERS_MAX = 16;

/** Some tools that read files also fetch addresses. */
const ADDRESS = /^\s*(?!file:)[a-z][a-z0-9+.-]+:\/\//i;

/** It is unknown whether the tool uses the folder it was given, so the path is tried from both folders. */
function addUse(draft: EffectDraft, { text, use }: Use, { base, inner, knowledge }: Ground): void {
  if (ADDRESS.test(text)) doubt(draft, say("note.path_is_address"));
  const located = locate(text, use, base, knowledge);
  addPath(draft, located, use);
  for (const folder of inner) {
    // The start folder itself is not a path below it.
    if (located.targets.every(({ path }) => path === normalise(folder))) continue;
    const there = locate(text, use, folder, knowledge);
    if (there.targets.every(({ path }) => located.targets.some((seen) => seen.path === path))) continue;
    if (!there.factual) doubt(draft, say("note.path_not_followed"));
    addPath(draft, there, use);
  }
}

/** For texts that may be paths or something else. They count only if they are protected. */
function addIfProtected(draft: EffectDraft, { text, use }: Use, { base, inner, knowledge }: Ground): void {
  for (const folder of [base, ...inner]) {
    const located = locate(text, use, folder, knowledge);
    if (located.protection !== undefined && !isCovered(draft, located)) addPath(draft, located, use);
  }
}

/** With more parts than this, duplicates are not removed. */
const PARTS_COMPARED = 64;

function isCovered({ graver: parts }: EffectDraft, { targets, protection }: Located): boolean {
  if (parts.length > PARTS_COMPARED) return false;
  const held = parts.filter((part) => part.class === protection?.class).flatMap((part) => part.targets);
  return targets.every(({ path }) =>
    held.some((one) => one.kind === "path" && (one.path === path || (one.recursive && isUnder(path, one.path)))),
  );
}

type Patterns = { starts: readonly Use[]; letters: readonly Use[] };

const NO_PATTERNS: Patterns = { starts: [], letters: [] };

/** Patterns start at each folder that is searched. If the tool searches no folder, they are paths. */
function globbed(draft: EffectDraft, args: Arguments, named: readonly Use[]): Patterns {
  const { row } = draft;
  const use: PathUse = { act: "read", level: "read", deep: true };
  const given = globsIn(args, row.globs);
  if (given.length > NAMED_MAX) draft.refused = TOO_LARGE;
  const patterns = [...new Set(given.slice(0, NAMED_MAX))];
  const folders = row.here === true ? named.map(({ text }) => text) : [];
  const placed = (pattern: string) =>
    /^[/~\\$%]|^[A-Za-z]:|^file:/.test(pattern)
      ? [pattern]
      : [pattern, ...folders.map((folder) => `${folder}/${pattern}`)];
  const own = patterns.filter((pattern) => row.here !== true || leaves(pattern));
  return {
    starts: of([...new Set(own.flatMap(placed).map(globRoot))], use),
    letters: of(patterns.flatMap(placed), { ...use, deep: false }),
  };
}

/** A search with a pattern that matches nearly everything shows every file below its folders. */
function addShown(draft: EffectDraft, args: Arguments, named: readonly Use[], ground: Ground): void {
  const { base, knowledge } = ground;
  if (!showsEverything(draft.row, args)) return;
  const places = named.map(({ text }) => text);
  addHidden(draft, places, base, knowledge);
  const use: PathUse = { act: "read", level: "read", deep: false };
  for (const pattern of shownBelow(draft.row, args))
    for (const text of linksMet(pattern, base, knowledge).files) addIfProtected(draft, { text, use }, ground);
}

/** A file that the tool also writes, besides its main effect. */
function addSaved(draft: EffectDraft, args: Arguments, { base, knowledge }: Ground): void {
  const { saves, leaves: left } = draft.row;
  if (saves === undefined && left === undefined) return;
  const use: PathUse = { act: "write", level: "write", deep: false };
  for (const text of [...collect(args, saves), ...(left === undefined ? [] : [left])]) {
    const { targets, reach, protection, factual, doubts } = locate(text, use, base, knowledge);
    for (const why of doubts) doubt(draft, why);
    if (!factual) doubt(draft, say("note.path_not_followed"));
    addGraver(draft, protection?.class ?? "fs.write", targets, reach);
  }
}

/** Paths in arguments that the table does not name count if they are protected. */
function addTucked(draft: EffectDraft, uses: readonly Use[], named: readonly Use[], ground: Ground): void {
  const known = new Set(named.map(({ text }) => text));
  for (const use of uses) if (!known.has(use.text)) addIfProtected(draft, use, ground);
}

/** Paths and patched files in arguments that the table does not name. */
function tuckedAway({ row, class: kind }: EffectDraft, args: Arguments): readonly Use[] {
  const isFile = row.class.startsWith("fs.");
  const named = row.sends === true ? withoutBody(args) : args;
  const { paths, patches } = tucked(named, row.patch !== undefined ? "patch" : isFile ? "file" : "other");
  if (paths.length + patches.length === 0) return NO_USES;
  const act: Act = kind.endsWith(".read") ? "read" : isFile ? "write" : "any";
  const files = patches.flatMap(patchedFiles).map(({ path }) => path);
  return of([...new Set([...paths, ...files])], { act, level: "admin", deep: false });
}

function patched(draft: EffectDraft, args: Arguments): readonly Use[] {
  if (draft.row.patch === undefined) return NO_USES;
  const texts = collect(args, draft.row.patch);
  if (texts.some(changesMode)) doubt(draft, say("note.patch_makes_program_or_link"));
  const files = texts.flatMap(patchedFiles);
  const level = levelOf(draft);
  if (files.some((file) => file.deleted)) {
    draft.class = graver(draft.class, "fs.delete");
    draft.reversible = false;
  }
  return files.map(({ path, deleted }) => ({
    text: path,
    use: deleted ? { act: "replace", level: "admin", deep: false } : { act: "write", level, deep: false, ...EXACT },
  }));
}

/** A protected path becomes a separate part, if its class is more serious than the class of the tool. */
export function addPath(draft: EffectDraft, located: Located, use: PathUse): void {
  for (const why of located.doubts) doubt(draft, why);
  if (use.act !== "read" && !located.factual) doubt(draft, say("note.path_not_followed"));
  const { protection, targets, reach } = located;
  if (protection !== undefined) {
    draft.notes.add(protectedNote(protection));
    if (draft.class === "unknown" || graver(protection.class, draft.class) !== draft.class) {
      addGraver(draft, protection.class, targets, reach);
      return;
    }
  }
  // A tool that writes some files and removes others: rules about removing apply to these.
  if (use.act === "replace" && draft.row.class === "fs.write" && draft.row.deletes !== undefined) {
    addGraver(draft, "fs.delete", targets, reach);
    return;
  }
  draft.targets.push(...targets);
  draft.reaches.push(reach);
}
