import { say } from "../messages/message.ts";
import { mayBeSecret } from "../shell/recursive-reads.ts";
import { isLoose } from "../shell/search-pattern.ts";
import { CLASS_DEFAULTS, type ToolRow } from "../tables/tools.ts";
import { type Arguments, collect, NAMED_MAX } from "./arguments.ts";
import { addGraver, type EffectDraft } from "./effect-draft.ts";
import { globRoot, globsIn } from "./glob.ts";
import type { Knowledge } from "./knowledge.ts";
import { isUnder, normalise } from "./path.ts";
import { locate, type PathUse } from "./path-places.ts";

/** Hidden files with secrets are usually at the top of the project and in the folder of the call. */
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

/** Whether a search shows nearly every line of every file, because its pattern matches nearly everything. */
export function showsEverything(row: ToolRow, args: Arguments): boolean {
  // In other modes the tool only lists files or counts matches.
  const mode = args.json.output_mode ?? (row.lines === true ? "content" : undefined);
  if (row.seeks === undefined || mode !== "content" || args.json.type !== undefined) return false;
  const names = globsIn(args, row.globs);
  if (names.length > 0 && !names.some(mayBeSecret)) return false;
  return collect(args, row.seeks).some((pattern) => isLoose(pattern, "extended"));
}

/** Patterns for all files that such a search goes through. */
export function shownBelow(row: ToolRow, args: Arguments): readonly string[] {
  if (!showsEverything(row, args)) return [];
  return collect(args, row.reads)
    .slice(0, NAMED_MAX)
    .map((folder) => `${folder}/**`);
}
