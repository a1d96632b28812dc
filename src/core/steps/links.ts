import type { FileChange } from "../box.ts";
import { isAbsolute, isUnder, normalise, parentOf } from "../classify/path.ts";
import { protectionOf } from "../classify/protect.ts";

// Whoever follows a link reads and writes where it leads. So where a new link leads is decided about like the link itself.

/** Programs and libraries of the system, which environments of Python and tools link to. The last folder says that it is one. */
const SYSTEM_PROGRAM = /^\/(usr|bin|sbin|lib|lib64|opt|nix\/store)\/(.+\/)?[^/]+$/;
const IN_PROGRAMS = /\/s?bin\/[^/]+$|\/[^/]+\.so(\.[\d.]+)?$/;
/** The Python of an environment may be one that the user installed at home. */
const PYTHON = /\/bin\/(python|pypy)[\d.]*$/;
/** `..` after a name: if that name is a link, the letters do not say where it leads. */
const BACK_AGAIN = /(^|\/)(?!\.\.?\/)[^/]+\/(.*\/)?\.\.(\/|$)/;
const STEPS_MAX = 40;
/** More than this are named by their folder. */
const NAMED_MAX = 200;

/**
 * Where the new and changed links lead, if that is out of the project or to something protected in it. `isUnsaid`: what a package
 * manager installs, which is not decided about again as long as it stays in the project.
 */
export function linkTargets(
  project: string,
  changes: readonly FileChange[],
  isUnsaid: (path: string) => boolean,
): readonly string[] {
  const links = new Map(changes.flatMap(({ path, now }) => (now?.kind === "link" ? [[path, now.to] as const] : [])));
  const named = [...links].flatMap(([path, to]) => {
    const target = followed(from(path, to), links);
    const place = normalise(target);
    if (!isUnder(place, project)) return isProgram(path, place) ? [] : [place];
    if (BACK_AGAIN.test(to)) return [target];
    return isUnsaid(path) || isAlike(path, place, project) ? [] : [place];
  });
  const all = [...new Set(named)];
  if (all.length <= NAMED_MAX) return all;
  return [...all.slice(0, NAMED_MAX), ...new Set(all.slice(NAMED_MAX).map((path) => `${parentOf(path)}/**`))];
}

function from(path: string, to: string): string {
  return isAbsolute(to) ? to : `${parentOf(path)}/${to}`;
}

/** The path after the new links on its way, with every `..` as it was written. */
function followed(start: string, links: ReadonlyMap<string, string>): string {
  let path = start;
  for (let step = 0; step < STEPS_MAX; step++) {
    const names = path.split("/");
    const at = names.findIndex((_, i) => i < names.length - 1 && links.has(normalise(names.slice(0, i + 1).join("/"))));
    if (at < 1) return path;
    const link = normalise(names.slice(0, at + 1).join("/"));
    path = [from(link, links.get(link) ?? ""), ...names.slice(at + 1)].join("/");
  }
  // It leads round in a circle, or nobody knows where.
  return "/";
}

function isProgram(path: string, place: string): boolean {
  const isOne = (SYSTEM_PROGRAM.test(place) && IN_PROGRAMS.test(place)) || (PYTHON.test(path) && PYTHON.test(place));
  return isOne && protectionOf(place, "read") === undefined;
}

/** Whoever may change the link may change what it leads to: it is not protected, or as the link itself is. */
function isAlike(path: string, place: string, project: string): boolean {
  if (protectionOf(place, "read", { project }) !== undefined) return false;
  const protection = protectionOf(place, "write", { project });
  return protection === undefined || protection.what === protectionOf(path, "write", { project })?.what;
}
