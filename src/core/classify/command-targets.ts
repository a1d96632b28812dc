import type { Target } from "../effect.ts";
import type { Line } from "../shell/path-uses.ts";
import { inFolder } from "../shell/script.ts";
import { isAbsolute, normalise } from "./path.ts";

/** Where a command runs, in its shortest spelling, and the names of the variables that the tool sets for it. */
export type Where = { cwd: string | undefined; env: readonly string[] };

/** The command itself, in every folder that it may run in. */
export function targetsOf(line: Line, where: Where, level: Target["level"]): readonly Target[] {
  const { words, sets } = line.simple;
  if (words.length === 0) return [];
  const env = sets.length === 0 ? where.env : [...new Set([...where.env, ...sets.map(({ name }) => name)])];
  const texts = words.map((word) => word.text);
  return foldersOf(line, where).map((cwd) =>
    cwd === undefined
      ? { kind: "command", words: texts, env, level }
      : { kind: "command", words: texts, cwd, env, level },
  );
}

function foldersOf({ folders }: Line, { cwd }: Where): readonly (string | undefined)[] {
  if (folders === undefined) return [undefined];
  return folders.map((folder) => {
    if (folder === "") return cwd;
    const placed = cwd === undefined && !isAbsolute(folder) ? undefined : inFolder(cwd ?? "", folder);
    return placed === undefined || placed.startsWith("~") ? placed : normalise(placed);
  });
}
