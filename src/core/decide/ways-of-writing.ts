import { type EffectClass, levelSatisfies, type Part, type Target } from "../effect.ts";
import type { Rule } from "../policy.ts";
import { isStricter } from "../tier.ts";

/**
 * A file can be written, copied or moved to its place, or be a protected one, whose changes have a class of their own. A rule about
 * writing that makes calls stricter holds for all these ways; one that lets calls run is only about the classes that it names.
 */
const WAYS: readonly EffectClass[] = [
  "fs.write",
  "fs.copy",
  "fs.move",
  "deploy.write",
  "permissions.change",
  "schedule.write",
];

type About = Pick<Rule, "match" | "tier" | "human">;

/** The classes that a rule means besides those that it names. They count only for a path that is written. */
export function otherWaysOf({ match, tier, human }: About): readonly EffectClass[] {
  if (match.class?.includes("fs.write") !== true) return NONE;
  if (!human && isStricter("ask", tier)) return NONE;
  return WAYS.filter((way) => match.class?.includes(way) !== true);
}

const NONE: readonly EffectClass[] = [];

/** Whether a rule is about a class, if something is written. */
export function isAboutClass(rule: About, name: EffectClass): boolean {
  return rule.match.class === undefined || rule.match.class.includes(name) || otherWaysOf(rule).includes(name);
}

export function isWritten(target: Target | undefined): boolean {
  return target?.kind === "path" && levelSatisfies(target.level, "write");
}

/**
 * A folder that is copied or moved brings its files along, each under the name that it had. So a pattern for a name in any folder
 * says nothing about the folder as a whole, and a pattern for what is below a certain folder does.
 */
export function namesPlaceBelow(pattern: readonly string[], path: readonly string[]): boolean {
  return !pattern.slice(0, path.length + 1).includes("**");
}

/**
 * A rule about writing alone that does not deny. It is not about what is only read beside a file that is written; and it may be asked
 * about the files themselves, after a command wrote them in its copy of the project.
 */
export function isAboutWritingAlone({ match, tier, human }: About): boolean {
  if (human || tier === "deny" || match.class?.includes("fs.write") !== true) return false;
  return match.class.every((name) => WAYS.includes(name));
}

/** Whether the part reads the target, and writes no path that is the same: `zip a.zip src` leaves `src` as it is. */
export function isOnlyRead({ targets }: Part, target: Target | undefined): boolean {
  if (target?.kind !== "path" || isWritten(target)) return false;
  return !targets.some((other) => other.kind === "path" && other.path === target.path && isWritten(other));
}

/** A rule that asks or denies, and is about some ways of writing and not about `fs.write`, leaves the others open. */
export function waysLeftOpen({ match, tier, human }: About): readonly EffectClass[] {
  if (match.class === undefined || match.class.includes("fs.write")) return NONE;
  if (!human && isStricter("ask", tier)) return NONE;
  if (!match.class.some((name) => name === "fs.copy" || name === "fs.move")) return NONE;
  return WAYS.filter((way) => match.class?.includes(way) !== true);
}
