import type { ToolCall } from "../call.ts";
import { graver } from "../effect.ts";
import { say } from "../messages/message.ts";
import { collect, hasUnnamedPath, NAMED_MAX, startFolders, tucked } from "./arguments.ts";
import { addGraver, doubt, type EffectDraft, levelOf, type Mentioned, TOO_LARGE } from "./effect-draft.ts";
import { expanded, gathered, globRoot, globsIn, isWild, leaves } from "./glob.ts";
import { addHidden, shownBelow, showsEverything } from "./hidden-files.ts";
import type { Knowledge } from "./knowledge.ts";
import { changesMode, patchedFiles } from "./patch.ts";
import { isUnder, normalise } from "./path.ts";
import { baseOf, folderFrom, type Located, linksMet, locate, type PathUse } from "./path-places.ts";
import { type Act, protectedNote } from "./protect.ts";
import { withoutBody } from "./sending.ts";

type Use = { text: string; use: PathUse };

const NO_USES: readonly Use[] = [];

/** Where the paths of a call may start: its own folder and, where the arguments name one, that of the tool. */
type Ground = { base: string | undefined; inner: readonly string[]; knowledge: Knowledge };

const of = (texts: readonly string[], use: PathUse): Use[] => texts.map((text) => ({ text, use }));

/** Every path that the arguments name, with what happens to it. */
export function addPaths(draft: EffectDraft, call: ToolCall, mentioned: Mentioned, knowledge: Knowledge): void {
  const { row } = draft;
  const { args } = call;
  const level = levelOf(draft);
  const deep = row.deep === true || args.recursive === true || args.recursive === "true";
  const swaps = row.class === "fs.move" || row.class === "fs.copy";
  // What is copied or moved may be a folder, and then it is all that is in it.
  const sources = of(collect(args, row.reads), { act: "read", level: "read", deep: deep || swaps });
  if (row.deletes !== undefined)
    for (const use of of(collect(args, row.deletes), { act: "replace", level, deep: deep || swaps })) sources.push(use);
  const written = of(collect(args, row.writes), { act: swaps ? "replace" : "write", level, deep });
  const named = [...sources, ...written, ...patched(draft, call)];
  const missing = swaps ? sources.length === 0 || written.length === 0 : named.length === 0;
  const wanted = row.reads ?? row.writes ?? row.deletes ?? row.patch;
  const ground = groundOf(draft, call, knowledge);
  // Patterns say where to look as well as paths do.
  const sought = row.here !== true && collect(args, row.globs).length > 0;
  if (wanted !== undefined && missing && !sought) {
    if (row.here === true && ground.base !== undefined) named.push({ text: ".", use: { act: "read", level, deep } });
    else doubt(draft, say("note.no_path_found"));
  }
  if (row.class.startsWith("fs.") && wanted !== undefined) {
    const spoken = [row.reads, row.writes, row.deletes, row.patch, row.globs];
    if (hasUnnamedPath(args, spoken)) doubt(draft, say("note.argument_may_be_path"));
  }
  const patterns = row.globs === undefined ? NO_PATTERNS : globbed(draft, call, named);
  // With more of them than this the call is refused anyway.
  const wild = sources.filter(({ text }) => isWild(text)).slice(0, NAMED_MAX);
  for (const use of wild) named.push(...wildStarts(use));
  for (const use of patterns.starts) named.push(use);
  for (const use of of(mentioned.paths, { act: mentioned.act, level, deep })) named.push(use);
  if (named.length > NAMED_MAX) {
    draft.refused = TOO_LARGE;
    named.length = NAMED_MAX;
  }
  for (const use of named) addUse(draft, use, ground);
  if (row.class === "fs.move") addCarried(draft, sources, ground);
  if (swaps) doubtPoured(draft, written, ground);
  for (const use of patterns.letters.slice(0, NAMED_MAX)) addIfProtected(draft, use, ground);
  for (const use of wild) for (const letters of wildLetters(use)) addIfProtected(draft, letters, ground);
  addMet(draft, [...wild.map(({ text }) => text), ...gathered(args, row)], ground);
  addShown(draft, call, named, ground);
  addSaved(draft, call, ground);
  addTucked(draft, call, named, ground);
  if (collect(args, row.refs).some((word) => word.trimStart().startsWith("-"))) {
    doubt(draft, say("note.argument_may_be_option"));
  }
}

/** Links that no argument names count where they lead to something protected, and so do secrets that a tool shows. */
function addMet(draft: EffectDraft, patterns: readonly string[], ground: Ground): void {
  const use: PathUse = { act: "read", level: "read", deep: true };
  for (const pattern of patterns) {
    const { places, files } = linksMet(pattern, ground.base, ground.knowledge);
    for (const text of places) addIfProtected(draft, { text, use }, ground);
    if (draft.row.here !== true) for (const text of files) addIfProtected(draft, { text, use }, ground);
  }
}

/** A secret that gets another name can be read by that name from then on. */
function addCarried(draft: EffectDraft, sources: readonly Use[], ground: Ground): void {
  for (const { text } of sources)
    addIfProtected(draft, { text, use: { act: "read", level: "read", deep: true } }, ground);
}

/** A folder that is put in the place of the project replaces any file of it. */
function doubtPoured(draft: EffectDraft, written: readonly Use[], { base, knowledge }: Ground): void {
  const { project } = knowledge;
  if (project === undefined) return;
  for (const { text, use } of written)
    for (const { path } of locate(text, use, base, knowledge).targets)
      if (path === project || isUnder(project, path)) doubt(draft, say("note.folder_content_may_replace"));
}

function groundOf(draft: EffectDraft, call: ToolCall, knowledge: Knowledge): Ground {
  const { row } = draft;
  const base = baseOf(call.cwd, knowledge);
  const given = row.command === undefined ? startFolders(call.args, [row.reads, row.writes, row.deletes]) : [];
  if (given.length === 0) return { base, inner: [], knowledge };
  if (given.length > FOLDERS_MAX) {
    draft.refused = TOO_LARGE;
    return { base, inner: [], knowledge };
  }
  const inner = new Set<string>();
  for (const start of given) {
    const folder = folderFrom(start, base, knowledge);
    if (folder === undefined) doubt(draft, say("note.start_folder_unknown"));
    else if (base === undefined || normalise(folder) !== normalise(base)) inner.add(folder);
  }
  return { base, inner: [...inner], knowledge };
}

/** Every path counts from every folder that a tool may start from; no tool is given as many. */
const FOLDERS_MAX = 16;

/** Some tools that read files fetch what is called so. */
const ADDRESS = /^\s*(?!file:)[a-z][a-z0-9+.-]+:\/\//i;

/** Nobody knows whether the tool minds the folder it was given, so that the path counts from both. */
function addUse(draft: EffectDraft, { text, use }: Use, { base, inner, knowledge }: Ground): void {
  if (ADDRESS.test(text)) doubt(draft, say("note.path_is_address"));
  const located = locate(text, use, base, knowledge);
  addPath(draft, located, use);
  for (const folder of inner) {
    // A folder to start from does not lie below itself.
    if (located.targets.every(({ path }) => path === normalise(folder))) continue;
    const there = locate(text, use, folder, knowledge);
    if (there.targets.every(({ path }) => located.targets.some((seen) => seen.path === path))) continue;
    if (!there.factual) doubt(draft, say("note.path_not_followed"));
    addPath(draft, there, use);
  }
}

/** For what may be a path and may be something else: it raises caution and no more. */
function addIfProtected(draft: EffectDraft, { text, use }: Use, { base, inner, knowledge }: Ground): void {
  for (const folder of [base, ...inner]) {
    const located = locate(text, use, folder, knowledge);
    if (located.protection !== undefined && !isCovered(draft, located)) addPath(draft, located, use);
  }
}

/** Among more parts than this nobody looks for one that says the same. */
const PARTS_COMPARED = 64;

function isCovered({ graver: parts }: EffectDraft, { targets, protection }: Located): boolean {
  if (parts.length > PARTS_COMPARED) return false;
  const held = parts.filter((part) => part.class === protection?.class).flatMap((part) => part.targets);
  return targets.every(({ path }) =>
    held.some((one) => one.kind === "path" && (one.path === path || (one.recursive && isUnder(path, one.path)))),
  );
}

/** Where a path with wildcards starts: everything below may be meant. */
function wildStarts({ text, use }: Use): Use[] {
  return of([...new Set(expanded(text).map(globRoot))], { ...use, deep: true });
}

function wildLetters({ text, use }: Use): Use[] {
  return of(expanded(text), use);
}

type Patterns = { starts: readonly Use[]; letters: readonly Use[] };

const NO_PATTERNS: Patterns = { starts: [], letters: [] };

/** Patterns lie below each folder that is searched, or are paths of their own where the tool searches none. */
function globbed(draft: EffectDraft, { args }: ToolCall, named: readonly Use[]): Patterns {
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

/** A search for nothing in particular shows every file below the folders that it goes through. */
function addShown(draft: EffectDraft, { args }: ToolCall, named: readonly Use[], ground: Ground): void {
  const { base, knowledge } = ground;
  if (!showsEverything(draft.row, args)) return;
  const places = named.map(({ text }) => text);
  addHidden(draft, places, base, knowledge);
  const use: PathUse = { act: "read", level: "read", deep: false };
  for (const pattern of shownBelow(draft.row, args))
    for (const text of linksMet(pattern, base, knowledge).files) addIfProtected(draft, { text, use }, ground);
}

/** A file that the tool writes beside what it is for. */
function addSaved(draft: EffectDraft, { args }: ToolCall, { base, knowledge }: Ground): void {
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

/** What no line of the table speaks of counts where it is protected, and is not named besides. */
function addTucked(draft: EffectDraft, call: ToolCall, named: readonly Use[], ground: Ground): void {
  const uses = tuckedAway(draft, call);
  if (uses.length === 0) return;
  const known = new Set(named.map(({ text }) => text));
  for (const use of uses) if (!known.has(use.text)) addIfProtected(draft, use, ground);
}

/** What the arguments hold under names that no line of the table speaks of. */
function tuckedAway({ row, class: kind }: EffectDraft, { args }: ToolCall): readonly Use[] {
  const isFile = row.class.startsWith("fs.");
  const named = row.sends === true ? withoutBody(args) : args;
  const { paths, patches } = tucked(named, row.patch !== undefined ? "patch" : isFile ? "file" : "other");
  if (paths.length + patches.length === 0) return NO_USES;
  const act: Act = kind.endsWith(".read") ? "read" : isFile ? "write" : "any";
  const files = patches.flatMap(patchedFiles).map(({ path }) => path);
  return of([...new Set([...paths, ...files])], { act, level: "admin", deep: false });
}

function patched(draft: EffectDraft, call: ToolCall): readonly Use[] {
  if (draft.row.patch === undefined) return NO_USES;
  const texts = collect(call.args, draft.row.patch);
  if (texts.some(changesMode)) doubt(draft, say("note.patch_makes_program_or_link"));
  const files = texts.flatMap(patchedFiles);
  const level = levelOf(draft);
  if (files.some((file) => file.deleted)) {
    draft.class = graver(draft.class, "fs.delete");
    draft.reversible = false;
  }
  return files.map(({ path, deleted }) => ({
    text: path,
    use: deleted ? { act: "replace", level: "admin", deep: false } : { act: "write", level, deep: false },
  }));
}

/** A path that is more than a file makes a part of its own, where that is graver than what the tool is for. */
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
  draft.targets.push(...targets);
  draft.reaches.push(reach);
}
