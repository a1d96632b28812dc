import type { ToolRow } from "../tables/tools.ts";
import { type Arguments, collect, NAMED_MAX } from "./arguments.ts";

const WILD = /[*?[{]|[!@+]\(/;
const LEAVING = /^[/~\\]|^[A-Za-z]:|^file:|^\$|^%|(^|[/\\])\.\.([/\\]|$)/;
const EXPANDED_MAX = 256;
/** Paths are not longer than this. */
const LETTERS_MAX = 4_096;

/** The file name patterns in the arguments, each alternative separately. It stops when there are too many. */
export function globsIn(args: Arguments, names: string | undefined): string[] {
  const found: string[] = [];
  for (const text of collect(args, names)) {
    if (found.length > NAMED_MAX) break;
    for (const pattern of expanded(text)) for (const one of pattern.split(",")) found.push(one);
  }
  return found;
}

/** The folders from which the patterns start. */
export function globRoots(args: Arguments, names: string | undefined): string[] {
  return [...new Set(globsIn(args, names).map(globRoot))];
}

/** Patterns for everything that a tool shows, if it takes folders and patterns together and shows every file in them. */
export function gathered(args: Arguments, { reads, globs, here }: Pick<ToolRow, "reads" | "globs" | "here">): string[] {
  if (globs === undefined || here === true) return [];
  const folders = collect(args, reads)
    .slice(0, NAMED_MAX)
    .filter((text) => !isWild(text));
  return [...globsIn(args, globs).slice(0, NAMED_MAX), ...folders.map((folder) => `${folder}/**`)];
}

export function isWild(text: string): boolean {
  return WILD.test(text);
}

/** Whether a pattern leads out of the folder that is searched. */
export function leaves(pattern: string): boolean {
  return LEAVING.test(pattern);
}

/** The part before the first wildcard. After a wildcard, `..` can lead anywhere, so the result is `/`. */
export function globRoot(pattern: string): string {
  const at = pattern.search(WILD);
  if (at === -1) return pattern;
  if (/(^|[/\\])\.\.([/\\]|$)/.test(pattern.slice(at))) return "/";
  const plain = pattern.slice(0, at);
  const end = Math.max(plain.lastIndexOf("/"), plain.lastIndexOf("\\"));
  return plain.slice(0, end + 1) || ".";
}

/** `{a,b}/c` becomes `a/c` and `b/c`. With too many alternatives the pattern counts as everything. */
export function expanded(pattern: string): string[] {
  if (pattern.length > LETTERS_MAX) return ["/**"];
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    const next: string[] = [];
    for (const text of open) {
      const braces = /\{([^{}]*)\}/.exec(text);
      if (braces === null) done.push(text);
      else {
        const [before, after] = [text.slice(0, braces.index), text.slice(braces.index + braces[0].length)];
        const choices = (braces[1] ?? "").split(",", EXPANDED_MAX + 1);
        for (const choice of choices) next.push(before + choice + after);
      }
      if (done.length + next.length > EXPANDED_MAX) return ["/**"];
    }
    open = next;
  }
  return done;
}
