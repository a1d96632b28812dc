import type { ToolCall } from "../../call.ts";
import { type Effect, levelSatisfies, type Part } from "../../effect.ts";
import type { Standing } from "../standing.ts";
import { givesCommands } from "../tool-view.ts";

/** Files whose former bytes a caller keeps while the call runs, under a name by which they can be put back. */
type KeptFiles = NonNullable<NonNullable<Standing["box"]>["kept"]>;

/** The paths that a call changes by their names. */
export function writtenPaths({ parts }: Pick<Effect, "parts">): readonly string[] {
  const written = parts.flatMap(({ targets }) =>
    targets.flatMap((target) => (target.kind === "path" && levelSatisfies(target.level, "write") ? [target.path] : [])),
  );
  return [...new Set(written)];
}

/** Kept files are a reason to let a call run only if all that it changes is among them. For any other call they are nothing. */
export function withoutUnusableKeep({ tool }: ToolCall, effect: Effect, standing: Standing): Standing {
  const kept = standing.box?.kept;
  if (kept === undefined) return standing;
  if (!givesCommands(tool) && effect.understood === "fully" && isAllKept(effect, kept)) return standing;
  const { box: _, ...rest } = standing;
  return rest;
}

/**
 * Whether everything that the call changes is among the kept files, so that all of it can be put back: a host's tool that writes
 * files by their names. Then it is judged as the change of a rehearsed command is.
 */
function isAllKept({ parts }: Effect, { paths }: KeptFiles): boolean {
  const kept = new Set(paths);
  const isKept = (target: Part["targets"][number]) => {
    if (target.kind !== "path") return false;
    return !levelSatisfies(target.level, "write") || (!target.recursive && kept.has(target.path));
  };
  return paths.length > 0 && parts.every(({ targets }) => targets.length > 0 && targets.every(isKept));
}
