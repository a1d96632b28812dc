import { say } from "../messages/message.ts";
import { mayBeSecret } from "../shell/recursive-reads.ts";
import { isLoose } from "../shell/search-pattern.ts";
import { CLASS_DEFAULTS, type ToolRow } from "../tables/tools.ts";
import type { JsonObject } from "../values/json.ts";
import { collect, NAMED_MAX } from "./arguments.ts";
import { addGraver, type EffectDraft } from "./effect-draft.ts";
import { globRoot, globsIn } from "./glob.ts";
import type { Knowledge } from "./knowledge.ts";
import { isUnder, normalise } from "./path.ts";
import { locate, type PathUse } from "./path-places.ts";

/** Secrets lie hidden where people work: at the top of the project and in the folder that the call is made from. */
export function addHidden(
  draft: EffectDraft,
  places: readonly string[],
  base: string | undefined,
  knowledge: Knowledge,
): void {
  const { project } = knowledge;
  const use: PathUse = { act: "read", level: CLASS_DEFAULTS["fs.read"].level, deep: true };
  for (const text of new Set(places.map(globRoot))) {
    const located = locate(text, use, base, knowledge);
    const holds = ({ path }: { path: string }) =>
      base === undefined || isUnder(normalise(base), path) || (project !== undefined && isUnder(project, path));
    if (!located.targets.some(holds)) continue;
    draft.notes.add(say("note.hidden_files_shown"));
    addGraver(draft, "secrets.read", located.targets, located.reach);
    return;
  }
}

/** Whether a tool that searches shows nearly every line of every file: it looks for nothing in particular. */
export function showsEverything(row: ToolRow, args: JsonObject): boolean {
  // In any other mode it lists the files, or counts.
  const mode = args.output_mode ?? (row.lines === true ? "content" : undefined);
  if (row.seeks === undefined || mode !== "content" || args.type !== undefined) return false;
  const names = globsIn(args, row.globs);
  if (names.length > 0 && !names.some(mayBeSecret)) return false;
  return collect(args, row.seeks).some((pattern) => isLoose(pattern, "extended"));
}

/** Patterns for all that such a search goes through. */
export function shownBelow(row: ToolRow, args: JsonObject): readonly string[] {
  if (!showsEverything(row, args)) return [];
  return collect(args, row.reads)
    .slice(0, NAMED_MAX)
    .map((folder) => `${folder}/**`);
}
