import { inFolder, type Simple } from "./script.ts";

/** Many places are as good as none. */
const FOLDERS_MAX = 4;
/** And so is one that is further down than anybody goes. */
const LETTERS_MAX = 512;

type Folders = Simple["folders"];

/** The folders of both, where that is still a few. */
export function either(a: Folders, b: Folders): Folders {
  if (a === b) return a;
  return a === undefined || b === undefined ? undefined : few([...a, ...b]);
}

/** Where a shell may be, and where `popd` leads back to. */
export type Place = { folders: Folders; pushed: readonly Folders[] | undefined };

/** Where a shell may be that is in one of two places. Only as far as both can go back, somebody can say where to. */
export function eitherPlace(a: Place, b: Place): Place {
  if (a === b) return a;
  const back = b.pushed;
  const pushed =
    a.pushed === back || back === undefined
      ? back
      : a.pushed?.slice(0, back.length).map((folders, i) => either(folders, back[i]));
  return { folders: either(a.folders, b.folders), pushed };
}

/** One folder as it is found from every one of others. */
export function below(outer: Folders, folder: string): Folders {
  return outer === undefined ? undefined : few(outer.map((start) => inFolder(start, folder)));
}

/** Folders as they are found from every one of others. */
export function allBelow(outer: Folders, folders: Folders): Folders {
  if (outer === undefined || folders === undefined) return undefined;
  return few(outer.flatMap((start) => folders.map((folder) => inFolder(start, folder))));
}

function few(folders: readonly string[]): Folders {
  const found = [...new Set(folders.map(withoutDots))];
  return found.length > FOLDERS_MAX || found.some((folder) => folder.length > LETTERS_MAX) ? undefined : found;
}

/** Going to where one is already leads no further, however often it is said. */
function withoutDots(folder: string): string {
  return folder === "." ? "" : folder.replace(/(?<=^|\/)(\.\/+)+(?=.)/g, "").replace(/(?<=[^/])\/+\.?$/, "");
}
