import type { Line, PathWord } from "../shell/path-uses.ts";
import { CLASS_DEFAULTS } from "../tables/tools.ts";
import type { EffectDraft } from "./effect-draft.ts";
import type { Knowledge } from "./knowledge.ts";
import { placesOf } from "./line-places.ts";
import { locate, type PathUse } from "./path-places.ts";

/** Files that are gone afterwards although the command is said to write: that counts only for rules that deny. */
export function addMaybeDeleted(
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
