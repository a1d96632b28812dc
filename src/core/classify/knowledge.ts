import type { DeclaredTools } from "./known-tool.ts";
import type { SettingsFound } from "./settings.ts";

/**
 * What a pattern matches on the disk: where links lead, and protected files, one of each kind.
 * `unfinished`: there is more than was looked at.
 */
export type LinksMet = { places: readonly string[]; files: readonly string[]; unfinished: boolean };

/** Where paths really lead on the agent's machine. A path without an entry is taken as it is written. */
export type PathFacts = {
  /** From an absolute path, as written and normalised, to its real place: links are followed, missing ends are kept. */
  real: { readonly [path: string]: string };
  /** From a real place to the other names under which programs find the same file. */
  also?: { readonly [place: string]: readonly string[] };
  /** From an absolute pattern, or a file with several names, to where its links lead. */
  met?: { readonly [path: string]: LinksMet };
  /** Places of `real` where there is no file. If absent, nobody looked. */
  missing?: readonly string[];
  home?: string;
  /** True if the file system ignores case. */
  foldsCase: boolean;
  /** What the settings start that programs of the call obey, by `settingsKey`. Without an entry it is unknown. */
  settings?: { readonly [key: string]: SettingsFound };
  /** The gate's own files and folders on that machine: database, key, state. */
  own?: readonly string[];
  /** The call names more paths than are looked up: it is unknown where the rest leads. */
  tooMany?: true;
};

/** What the classifier knows besides the call. */
export type Knowledge = {
  declared: DeclaredTools;
  project?: string;
  facts?: PathFacts;
  /** Policy files, existing or possible. Writing there changes permissions. */
  own?: readonly string[];
};
