import type { ToolCall } from "../call.ts";
import { collect, globRoots, unnamedPaths } from "./arguments.ts";
import type { Knowledge } from "./classify.ts";
import { addGraver, doubt, type EffectDraft, levelOf, type Mentioned } from "./effect-draft.ts";
import { baseOf, type Located, locate, type PathUse } from "./located.ts";
import { patchedFiles } from "./patch.ts";
import { graver } from "./protect.ts";

type Use = { text: string; use: PathUse };

/** Every path that the arguments name, with what happens to it. */
export function addPaths(draft: EffectDraft, call: ToolCall, mentioned: Mentioned, knowledge: Knowledge): void {
  const { row } = draft;
  const { args } = call;
  const base = baseOf(call.cwd, knowledge);
  const level = levelOf(draft);
  const deep = row.deep === true || args.recursive === true || args.recursive === "true";
  const swaps = row.class === "fs.move" || row.class === "fs.copy";
  const of = (texts: readonly string[], use: PathUse): Use[] => texts.map((text) => ({ text, use }));
  const sources = [
    ...of(collect(args, row.reads), { act: "read", level: "read", deep }),
    ...of(collect(args, row.deletes), { act: "replace", level, deep }),
  ];
  const written = of(collect(args, row.writes), { act: swaps ? "replace" : "write", level, deep });
  const named = [...sources, ...written, ...patched(draft, call)];
  const missing = swaps ? sources.length === 0 || written.length === 0 : named.length === 0;
  const wanted = row.reads ?? row.writes ?? row.deletes ?? row.patch;
  if (wanted !== undefined && missing) {
    if (row.here === true && base !== undefined) named.push({ text: base, use: { act: "read", level, deep } });
    else doubt(draft, "no path was found in the arguments");
  }
  if (row.class.startsWith("fs.") && wanted !== undefined) {
    const extra = unnamedPaths(args, [row.reads, row.writes, row.deletes, row.patch, row.globs]);
    if (extra.length > 0) doubt(draft, "an argument that is not known seems to hold a path");
  }
  named.push(...of(globRoots(args, row.globs), { act: "read", level: "read", deep: true }));
  named.push(...of(mentioned.paths, { act: mentioned.act, level, deep }));
  for (const { text, use } of named) addPath(draft, locate(text, use, base, knowledge), use);
}

function patched(draft: EffectDraft, call: ToolCall): Use[] {
  const files = collect(call.args, draft.row.patch).flatMap(patchedFiles);
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
  if (use.act !== "read" && !located.factual) doubt(draft, "nobody looked where the path really leads");
  const { protection, targets, reach } = located;
  if (protection !== undefined) {
    draft.notes.add(`the path is ${protection.what}`);
    if (draft.class === "unknown" || graver(protection.class, draft.class) !== draft.class) {
      addGraver(draft, protection.class, targets, reach);
      return;
    }
  }
  draft.targets.push(...targets);
  draft.reaches.push(reach);
}
