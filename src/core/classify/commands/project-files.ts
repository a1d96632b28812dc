import { type Effect, type Fact, levelSatisfies, type Target } from "../../effect.ts";
import { isUnder, normalise } from "../path.ts";
import { protectionOf } from "../protect.ts";

// What trust in a project asks of files: that they are in it now, and that the same command does not change them.

/** The real folders of the project and of the call, what is known of files, and what the whole call would do. */
export type ProjectSeen = { project: string; cwd: string; facts: readonly Fact[]; effect: Effect };

/** Places of the project that say what its builds and tests start: to name one is to name its code. */
const OWN_PLACES: ReadonlySet<string> = new Set(["build_or_test", "next_build"]);

/** An address, a home folder, or a protected place: such an argument is asked about, whoever reads it. */
export function leadsAway(word: string, folder: string): boolean {
  const value = word.startsWith("-") ? word.slice(word.indexOf("=") + 1) : word;
  if (value.includes("://") || /^~/.test(value)) return true;
  const place = protectionOf(atFolder(value, folder), "any")?.what;
  return place !== undefined && !OWN_PLACES.has(place);
}

export function atFolder(path: string, folder: string): string {
  return normalise(path.startsWith("/") ? path : `${folder}/${path}`);
}

/** Whether the path is a file of the project, in one of these uses, and no link to something else. */
export function isOwnFile(path: string, uses: readonly string[], seen: ProjectSeen): boolean {
  if (!isUnder(path, seen.project) || isChanged(path, seen.effect)) return false;
  const isFound = (fact: Fact) =>
    (fact.of === "file" || fact.of === "large") && uses.includes(fact.use) && fact.path === path;
  return seen.facts.some(isFound) || isPackageFile(path, seen);
}

/** A file that the same command changes is not what it is now when it runs. */
function isChanged(path: string, { parts }: Effect): boolean {
  const changes = (target: Target) =>
    target.kind === "path" && levelSatisfies(target.level, "write") && isUnder(path, target.path);
  return parts.some(({ targets }) => targets.some(changes));
}

/** What a package manager installs in a project is there as a link to a file of the package. */
const PACKAGE_BIN = /\/node_modules\/\.bin\/[\w.-]+$/;

/** Whether exactly this program was found there, and leads to a file of a package in the project. */
export function isPackageFile(place: string, { project, facts, effect }: ProjectSeen): boolean {
  const isOne = (path: string) => isUnder(path, project) && path.includes("/node_modules/") && !isChanged(path, effect);
  return (
    PACKAGE_BIN.test(place) && facts.some((fact) => fact.of === "found" && fact.name === place && isOne(fact.path))
  );
}
