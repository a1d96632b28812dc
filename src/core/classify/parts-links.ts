import type { EffectClass } from "../effect.ts";
import { say } from "../messages/message.ts";
import { followsLinks } from "../shell/link-options.ts";
import type { Line, PathWord } from "../shell/path-uses.ts";
import { CLASS_DEFAULTS } from "../tables/tools.ts";
import { addGraver, doubt, type EffectDraft } from "./effect-draft.ts";
import { isWild } from "./glob.ts";
import type { Knowledge } from "./knowledge.ts";
import { addPath } from "./parts-path.ts";
import { linksMet, locate, type PathUse } from "./path-places.ts";
import { protectedNote } from "./protect.ts";
import { unpackedName } from "./written-places.ts";

export const KINDS: Record<PathWord["act"], EffectClass> = {
  read: "fs.read",
  write: "fs.write",
  delete: "fs.delete",
  move: "fs.move",
};

/** Links that no word names count where they lead out of the project or to something protected. Deleting follows none. */
export function addMet(
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
      doubt(draft, say("note.links_not_followed"));
    addLeading(draft, { act, deep: deep || below }, met, base, knowledge);
  }
}

/** Links that a program takes for files of its own kind; however many it goes by, all others count for nothing. */
export function addLinks(
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
    else if (PLACING.has(draft.class)) doubt(draft, say("note.copied_file_is_obeyed", { file }));
  }
}

const PLACING: ReadonlySet<EffectClass> = new Set(["fs.copy", "fs.move", "fs.mkdir"]);

/** In the command's own part where that speaks of the same, else in one of its own. */
export function addPlace(
  draft: EffectDraft,
  kind: EffectClass,
  use: PathUse,
  located: ReturnType<typeof locate>,
): void {
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
