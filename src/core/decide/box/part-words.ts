import type { EffectClass, Part, PathTarget } from "../../effect.ts";

/** Classes of changed files. */
export const CHANGES_FILES: ReadonlySet<EffectClass> = new Set([
  "fs.write",
  "fs.mkdir",
  "fs.copy",
  "fs.move",
  "fs.delete",
]);

export function pathsOf({ targets }: Part): readonly PathTarget[] {
  return targets.filter((target): target is PathTarget => target.kind === "path");
}

/** The commands of a part, word by word. */
export function linesOf({ targets }: Part): readonly (readonly string[])[] {
  return targets.flatMap((target) => (target.kind === "command" ? [target.words] : []));
}
