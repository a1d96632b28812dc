import { isUnder } from "../../classify/path.ts";
import type { Effect, Part } from "../../effect.ts";
import { SHOWS_SURROUNDINGS } from "../../tables/box-fit.ts";
import { isWildName } from "../../values/glob.ts";
import { once } from "../../values/once.ts";
import { commandMatches, commandPattern } from "../patterns.ts";
import { CHANGES_FILES, linesOf, pathsOf } from "./part-words.ts";

// A box has none of the credentials that the tables know, and only ordinary variables. So a command that would show them only
// because they are there, without naming one, shows nothing secret in it. Code that nobody reads could look at the same places.

const SHOWING = once(() => SHOWS_SURROUNDINGS.map(commandPattern));

/** Whether the part reads secrets only where a box has none: by a pattern in the project, or by showing what is around it. */
export function isHiddenInside(part: Part, project: string): boolean {
  if (part.class !== "secrets.read" || part.targets.some(({ kind }) => kind === "domain" || kind === "tool"))
    return false;
  const [paths, lines] = [pathsOf(part), linesOf(part)];
  const isInside = paths.every(({ path }) => path !== project && isUnder(path, project) && isWildName(path));
  return isInside && paths.length + lines.length > 0 && lines.every(showsSurroundings);
}

function showsSurroundings(words: readonly string[]): boolean {
  return SHOWING().some((pattern) => commandMatches(pattern, words)) || isWideSearch(words);
}

const SEARCHES = /^([ef]|z|bz|xz)?grep$|^rg$/;
const NAMES = /^(--include|--glob|--iglob|-g)(=|$)/;

/** A search in files by a pattern that begins with a star, as in `--include=*`. One that names a credential is asked about. */
function isWideSearch([program = "", ...rest]: readonly string[]): boolean {
  const patterns = rest.flatMap((word, i) => {
    if (!NAMES.test(word)) return [];
    return word.includes("=") ? [word.slice(word.indexOf("=") + 1)] : [rest[i + 1] ?? ""];
  });
  const isShort = rest.some((word) => /^-[a-zA-Z]*g/.test(word) && word !== "-g");
  return SEARCHES.test(program) && !isShort && patterns.length > 0 && patterns.every((one) => one.startsWith("*"));
}

/** What is hidden would be copied, moved or packed as an empty file, and whoever relies on the copy would not know. */
export function carriesHidden({ parts }: Effect, project: string): boolean {
  const isCarrying = (part: Part) =>
    CHANGES_FILES.has(part.class) &&
    part.class !== "fs.mkdir" &&
    part.class !== "fs.delete" &&
    linesOf(part).length > 0;
  const isPacking = (part: Part) => linesOf(part).some(([program = ""]) => PACKERS.test(program));
  return (
    parts.some((part) => isHiddenInside(part, project)) && parts.some((part) => isCarrying(part) || isPacking(part))
  );
}

const PACKERS = /^(g?tar|bsdtar|zip|7z[arz]?|cpio|pax|ar|gzip|pigz|bzip2|xz|zstd|lz4|rsync|scp|install|dd|ln)$/;
