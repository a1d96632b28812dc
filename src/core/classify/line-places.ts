import { followsLinks, formattedNames } from "../shell/link-options.ts";
import type { Line, PathWord } from "../shell/path-uses.ts";
import { inFolder, type Word } from "../shell/script.ts";
import { expanded, globRoot, isWild } from "./glob.ts";
import { type Landing, landingsOf } from "./written-places.ts";

/** Where the words of a line lead to, in the order of its paths, its redirections and its landings. */
export type Places = {
  paths: readonly (readonly string[])[];
  /** Patterns for what else a program comes to from those paths. */
  searched: readonly (readonly string[])[];
  /** Patterns for the links below those paths that a program takes for files of its own kind. */
  linked: readonly (readonly string[])[];
  redirects: readonly (readonly string[])[];
  landings: readonly (Landing & { places: readonly string[] })[];
};

/** They are asked for twice: once for the door to look at, and once for what the command does to them. */
const known = new WeakMap<Line, Places>();

export function placesIn(line: Line): Places {
  const before = known.get(line);
  if (before !== undefined) return before;
  const { simple, folders } = line;
  const found: Places = {
    paths: pathsOf(line),
    searched: line.paths.map((path) => searchedFrom(path, line)),
    linked: line.paths.map((path) => linkedFrom(path, line)),
    redirects: simple.redirects.map(({ to }) => placesOf(to, simple.folders)),
    landings: landingsOf(line).map((one) => ({ ...one, places: placesOf(one.word, folders) })),
  };
  known.set(line, found);
  return found;
}

/**
 * Where a program follows the links that it comes upon, and where another names the files, every link below counts; where
 * everything is shown, every secret.
 */
function searchedFrom({ word, deep, handed, all, open }: PathWord, line: Line): readonly string[] {
  const shown = all === true || open === true;
  if (word.kind === "open" || !deep || (handed !== true && !shown && !followsLinks(line))) return NONE;
  return placesOf(word, line.folders).map((place) => `${place}/**`);
}

function linkedFrom({ word, act }: PathWord, line: Line): readonly string[] {
  const names = act === "delete" || word.kind === "open" ? undefined : formattedNames(line);
  return names === undefined ? NONE : placesOf(word, line.folders).map((place) => `${place}/**/${names}`);
}

const NONE: readonly string[] = [];

/** What several words of a line stand for is looked at once for each thing that is done to it. */
function pathsOf({ paths, folders }: Line): readonly (readonly string[])[] {
  if (paths.length < SEVERAL) return paths.map(({ word }) => placesOf(word, folders));
  const seen = new Set<string>();
  return paths.map(({ word, act, deep, all }) =>
    placesOf(word, folders).filter((place) => {
      const key = `${act} ${deep} ${all} ${word.kind} ${place}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    }),
  );
}

/** Fewer are not worth comparing. */
const SEVERAL = 4;

/** A word as a path from every folder it may be meant from; without a folder only what its letters say. */
export function placesOf(word: Word, folders: Line["folders"] = ANYWHERE): readonly string[] {
  if (word.kind !== "glob" || !isWild(word.text)) return folders.map((folder) => inFolder(folder, word.text));
  const texts = expanded(word.text);
  texts.push(...texts.map(globRoot));
  return folders.flatMap((folder) => texts.map((text) => inFolder(folder, text)));
}

const ANYWHERE: readonly string[] = [""];
