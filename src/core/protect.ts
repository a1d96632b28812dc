import { EFFECT_CLASSES, type EffectClass } from "./effect.ts";
import { isUnder } from "./path.ts";
import { PROTECTED_ROWS, type ProtectedRow } from "./tables/protected.ts";

/**
 * `replace`: the path itself goes away or another takes its place, with all that is in it. `any`: nobody knows what the
 * tool does with it.
 */
export type Act = "read" | "write" | "replace" | "any";

export type Protection = { class: EffectClass; what: string };

/** From harmless to grave: the order in which classes are listed. */
export function graver(a: EffectClass, b: EffectClass): EffectClass {
  return EFFECT_CLASSES.indexOf(a) >= EFFECT_CLASSES.indexOf(b) ? a : b;
}

type Compiled = { row: ProtectedRow; names: readonly string[]; below: boolean; not: ReadonlySet<string> };

const COMPILED: readonly Compiled[] = PROTECTED_ROWS.map((row) => {
  const below = row.path.endsWith("/**");
  const names = (below ? row.path.slice(0, -3) : row.path).split("/").map(fold);
  return { row, names, below, not: new Set((row.not ?? "").split(" ").map(fold)) };
});

/**
 * What doing this to a path would really be. `own` are the gate's files wherever they lie. Moving or deleting a folder
 * that leads to something protected counts as doing it to what is inside.
 */
export function protectionOf(path: string, act: Act, own: readonly string[] = []): Protection | undefined {
  const folded = path
    .split("/")
    .filter((name) => name !== "")
    .map(fold);
  let found: Protection | undefined;
  for (const compiled of COMPILED) {
    const kind = kindOf(compiled.row, act);
    if (kind === undefined || (found !== undefined && graver(found.class, kind) === found.class)) continue;
    if (holds(compiled, folded) || (act === "replace" && leadsTo(compiled, folded))) {
      found = { class: kind, what: compiled.row.what };
    }
  }
  if (act !== "read" && own.some((mine) => isUnder(path, mine) || (act === "replace" && isUnder(mine, path)))) {
    return { class: "permissions.change", what: "the gate's own files" };
  }
  return found;
}

function kindOf(row: ProtectedRow, act: Act): EffectClass | undefined {
  if (act === "any") return row.write ?? row.read;
  return act === "read" ? row.read : row.write;
}

function holds({ names, below, not }: Compiled, path: readonly string[]): boolean {
  if (not.has(path.at(-1) ?? "")) return false;
  const first = below ? 0 : path.length - names.length;
  for (let start = Math.max(0, first); start + names.length <= path.length; start++) {
    if (names.every((name, i) => nameFits(name, path[start + i] ?? ""))) return true;
  }
  return false;
}

/** `.git` leads to `.git/hooks`: whoever replaces the one replaces the other. */
function leadsTo({ names }: Compiled, path: readonly string[]): boolean {
  for (let length = Math.min(names.length - 1, path.length); length > 0; length--) {
    if (names.slice(0, length).every((name, i) => nameFits(name, path[path.length - length + i] ?? ""))) return true;
  }
  return false;
}

/** One `*` at most, so that this is two comparisons. */
function nameFits(pattern: string, name: string): boolean {
  const star = pattern.indexOf("*");
  if (star === -1) return pattern === name;
  const head = pattern.slice(0, star);
  const tail = pattern.slice(star + 1);
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail);
}

/** Spellings that some file system takes for the same name: case, composed letters, invisible ones, trailing dots. */
function fold(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Cc}]/gu, "")
    .toLowerCase()
    .replace(/(?<=.)::?\$?[a-z]*$/u, "")
    .replace(/(?<=[^. ])[. ]+$/u, "");
}
