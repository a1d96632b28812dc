import { EFFECT_CLASSES, type EffectClass } from "../effect.ts";
import { PROTECTED_ROWS, type ProtectedRow } from "../tables/protected.ts";
import { isUnder } from "./path.ts";

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

const PLAIN = /^[a-z0-9._-]*[a-z0-9_-]$|^$/;

/** By the first name of their pattern, so that a path is walked through once; those that begin with a star apart. */
const byFirst = new Map<string, Compiled[]>();
const starred: Compiled[] = [];

for (const row of PROTECTED_ROWS) {
  const below = row.path.endsWith("/**");
  const names = (below ? row.path.slice(0, -3) : row.path).split("/").map(fold);
  const compiled = { row, names, below, not: new Set((row.not ?? "").split(" ").map(fold)) };
  const [first = ""] = names;
  if (first.includes("*")) starred.push(compiled);
  else byFirst.set(first, [...(byFirst.get(first) ?? []), compiled]);
}

/**
 * What doing this to a path would really be. `own` are the gate's files wherever they lie. Moving or deleting a folder
 * that leads to something protected counts as doing it to what is inside.
 */
export function protectionOf(path: string, act: Act, own: readonly string[] = []): Protection | undefined {
  if (act !== "read" && own.some((mine) => isUnder(path, mine) || (act === "replace" && isUnder(mine, path)))) {
    return { class: "permissions.change", what: "the gate's own files" };
  }
  const names = path.split("/").map(fold);
  let found: Protection | undefined;
  for (let start = 0; start < names.length; start++) {
    for (const candidates of [byFirst.get(names[start] ?? "") ?? NONE, starred]) {
      for (const compiled of candidates) {
        const kind = kindOf(compiled.row, act);
        if (kind === undefined || !holdsAt(compiled, names, start, act)) continue;
        if (found === undefined || graver(found.class, kind) !== found.class)
          found = { class: kind, what: compiled.row.what };
      }
    }
  }
  return found;
}

const NONE: readonly Compiled[] = [];

function kindOf(row: ProtectedRow, act: Act): EffectClass | undefined {
  if (act === "any") return row.write ?? row.read;
  return act === "read" ? row.read : row.write;
}

/** `.git` leads to `.git/hooks`: whoever replaces the one replaces the other, so that a beginning is enough. */
function holdsAt({ names, below, not }: Compiled, path: readonly string[], start: number, act: Act): boolean {
  const length = Math.min(names.length, path.length - start);
  const whole = length === names.length;
  if (!whole && act !== "replace") return false;
  if (whole && !below && start + length !== path.length) return false;
  if (not.has(path.at(-1) ?? "")) return false;
  for (let i = 0; i < length; i++) if (!nameFits(names[i] ?? "", path[start + i] ?? "")) return false;
  return true;
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
  if (PLAIN.test(name)) return name;
  return name
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Cc}]/gu, "")
    .toLowerCase()
    .replace(/(?<=.)::?\$?[a-z]*$/u, "")
    .replace(/(?<=[^. ])[. ]+$/u, "");
}
