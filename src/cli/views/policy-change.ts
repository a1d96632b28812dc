import { diffLines } from "../../core/show/diff.ts";
import { visible } from "../../core/values/text.ts";

/** Unchanged lines that are shown before and after a change. */
const AROUND = 3;

/** What a person accepts: the whole file, or how it differs from the text that was accepted last. */
export function policyChangeLines(before: string | undefined, after: string): readonly string[] {
  const now = linesOf(after);
  if (before === undefined) return now.map((line) => `  ${visible(line)}`);
  const was = linesOf(before);
  const diff = diffLines(was, now);
  const changed = diff.flatMap((line, at) => (line.is === "same" ? [] : [at]));
  if (changed.length === 0) return ["  nothing has changed since it was accepted"];
  const isNear = (at: number) => changed.some((one) => Math.abs(one - at) <= AROUND);
  return diff.flatMap((line, at) => {
    if (!isNear(at)) return isNear(at - 1) || (at === 0 && changed.length > 0) ? ["  …"] : [];
    if (line.is === "removed") return [`- ${visible(was[line.before] ?? "")}`];
    return [`${line.is === "added" ? "+" : " "} ${visible(now[line.after] ?? "")}`];
  });
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}
