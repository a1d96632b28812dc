import type { DeclaredTools } from "./declared.ts";
import type { SettingsFound } from "./settings.ts";

/**
 * What no word names and a pattern meets: where links lead, and files that are more than files, one of each kind.
 * `unfinished` where more lies there than is looked at.
 */
export type LinksMet = { places: readonly string[]; files: readonly string[]; unfinished: boolean };

/** Where paths really lead, told by the door on the agent's machine. Without an entry a path is lexical. */
export type PathFacts = {
  /** A path made absolute, as written and normalised, to where it really is: links followed, missing ends kept. */
  real: { readonly [path: string]: string };
  /** Where something really is to the other names under which programs find it there. */
  also?: { readonly [place: string]: readonly string[] };
  /** A pattern, or a file with several names, made absolute as written, to where the links lead that it meets. */
  met?: { readonly [path: string]: LinksMet };
  /** Places of `real` at which nothing is. Without it nobody looked. */
  missing?: readonly string[];
  home?: string;
  /** True where the file system ignores case. */
  foldsCase: boolean;
  /** What the settings start that programs of the call obey, by `settingsKey`. Without an entry nobody knows. */
  settings?: { readonly [key: string]: SettingsFound };
  /** The gate's own files and folders on that machine: database, key, state. */
  own?: readonly string[];
  /** The call names more than is looked at for one: nobody knows where the rest leads. */
  tooMany?: true;
};

/** What the classifier may know besides the call. */
export type Knowledge = {
  declared: DeclaredTools;
  project?: string;
  facts?: PathFacts;
  /** Files of policies, in force or where one would count. Writing there changes permissions. */
  own?: readonly string[];
};
