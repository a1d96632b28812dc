import { diffLines } from "../diff.ts";

/** Unchanged lines that are shown before and after a change. */
const AROUND = 3;

/** One shown line; `gap` stands for unchanged lines that are left out. */
export type ShownLine = { is: "same" | "added" | "removed"; text: string } | { is: "gap" };

/** What a person accepts: the whole file, or how it differs from the text that was accepted last. Empty if nothing differs. */
export function policyChange(before: string | undefined, after: string): readonly ShownLine[] {
  const now = linesOf(after);
  if (before === undefined) return now.map((text) => ({ is: "same", text }));
  const was = linesOf(before);
  const diff = diffLines(was, now);
  const changed = diff.flatMap((line, at) => (line.is === "same" ? [] : [at]));
  const isNear = (at: number) => changed.some((one) => Math.abs(one - at) <= AROUND);
  return diff.flatMap((line, at): readonly ShownLine[] => {
    if (!isNear(at)) return isNear(at - 1) || (at === 0 && changed.length > 0) ? [{ is: "gap" }] : [];
    if (line.is === "removed") return [{ is: line.is, text: was[line.before] ?? "" }];
    return [{ is: line.is, text: now[line.after] ?? "" }];
  });
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}
