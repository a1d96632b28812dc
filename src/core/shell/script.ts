import type { Message } from "../messages/message.ts";

/**
 * One word of a command after quote removal. `plain` is exactly this text, `glob` is any matching file name, `open` is
 * anything: the text is then what was written, and `start` is its certain beginning.
 */
export type Word =
  | {
      kind: "plain";
      text: string;
      /** A path from home or from where the script began: bash inserts all of it, so it can only be at the start of a word. */
      placed?: true;
      /** Set if the path starts with the shell's folder, written as a dot: this is that folder. From another folder it would be another path. */
      from?: string;
      /** The name that the shell gives to its own pipe, not a file that somebody opened. */
      pipe?: true;
    }
  | {
      kind: "glob";
      text: string;
      /** One of the names that a program lists: a whole line, which the shell may still split, or a word split from one. */
      listed?: "line" | "word";
      /** Every file there, including hidden ones. */
      all?: boolean;
      /** Every file there, except hidden ones. */
      open?: boolean;
      /** Only what has the last name of the pattern: nothing above it is meant. */
      named?: true;
      /** The shell's folder with which it begins, as in a plain word. */
      from?: string;
    }
  | {
      kind: "open";
      text: string;
      start: string;
      split: boolean;
      /** The kind of its text, if the word is exactly one substitution with known output; or the program that prints it. */
      printed?: Printed | Simple | undefined;
    };

export type Redirect = {
  writes: boolean;
  to: Word;
  /** The content of the file is lost as soon as it is opened. */
  empties?: boolean;
  /** Nothing is written there: no program uses the descriptor, or a later redirection replaces it. */
  unused?: boolean;
};

/** The input of a command: a known text, a text as written, the output of another command, or something else. */
export type Input = { text: string } | { written: string } | { from: Simple } | "unknown";

export type Assigned = {
  name: string;
  value: Word;
  /** It is unset, and not set to an empty text. */
  unset?: true;
};

/** One simple command as the shell would start it. */
export type Simple = {
  words: readonly Word[];
  /** Variables set only for this command. */
  sets: readonly Assigned[];
  redirects: readonly Redirect[];
  input?: Input | undefined;
  /** One of its first three descriptors is opened in an unusual way: the input for writing, or an output for reading. */
  crossed?: boolean | undefined;
  /** The folders in which it may run, relative to where the script starts; undefined if unknown. */
  folders: readonly string[] | undefined;
  /** Further words known only at run time: any, or paths at and below these; `bare`: names that may begin with a dash; `all`: hidden ones too. */
  more?: "any" | { under: readonly string[]; bare?: true; all?: boolean } | undefined;
  /** Its position in the text, for display. */
  span?: Span | undefined;
  /** It is one of several commands with `||` between them, of which one is enough: those have the same number. */
  either?: number | undefined;
  /** If it has no words of its own: the commands whose output its redirections take. */
  within?: readonly Simple[] | undefined;
};

/** A range of a text: `from` is the first letter, `to` the first letter after it. */
export type Span = { from: number; to: number };

/** Every simple command of a text. If in doubt it contains too many, never too few. */
export type Script = {
  simples: readonly Simple[];
  /** Variables that are set for the shell itself and everything it starts from then on. */
  sets: readonly Assigned[];
  /** Names that are functions or aliases here, and so no longer programs. */
  shadowed: ReadonlySet<string>;
  /** Special variables of the shell that contain digits throughout the text. */
  digits: ReadonlySet<string>;
  doubts: readonly Message[];
  /** False if the grammar, the length or hidden characters make it unreliable. */
  readable: boolean;
};

/** A longer text is not parsed; it asks. */
export const TEXT_MAX = 16_384;

/** `bash -c "bash -c …"` is followed this deep. */
export const DEPTH_MAX = 8;

/** Nested substitutions are followed this deep. */
export const NESTED_MAX = 40;

/** Above this number, simple commands are not distinguished; rules see all that were found. */
export const SIMPLES_MAX = 500;

export const plain = (text: string): Word => ({ kind: "plain", text });

/** The home folder of the user who runs the command, as in `$HOME` or an unquoted `~`. */
export const HOME: Word = placedAt("~");

export function placedAt(text: string): Word {
  return { kind: "plain", text, placed: true };
}

/** A path as the command would find it from one of its folders. */
export function inFolder(folder: string, path: string): string {
  return folder === "" || /^[/~]|^[A-Za-z]:[\\/]/.test(path) ? path : `${folder}/${path}`;
}

/**
 * What a substitution prints, if only its words determine it: digits, several lines of digits, a name such as a commit
 * id, which cannot begin with a dash, or the name of a tag, which may. The program may also fail and print nothing.
 */
export type Printed = "number" | "numbers" | "name" | "tag";

/** Only digits, in one word or in several. */
export function isDigits(word: Word): boolean {
  return word.kind === "open" && (word.printed === "number" || word.printed === "numbers");
}

/** How much parsing one call needs: counted in steps and not by a clock, so that the result is the same on every machine. */
export type Work = { steps: number };

/**
 * Scripts of a few hundred commands need fewer. A call that needs more is not understood: from there on loops are read
 * once, variables may contain anything, and a text is not parsed twice. Every command is still found.
 */
export const STEPS_MAX = 8_000;

export function spend(work: Work, steps: number): void {
  work.steps += steps;
}

export function isSpent(work: Work): boolean {
  return work.steps > STEPS_MAX;
}

/** With more folders than this, the folder counts as unknown. */
const FOLDERS_MAX = 4;

/** A folder with a longer path than this counts as unknown too. */
const LETTERS_MAX = 512;

type Folders = Simple["folders"];

/** The folders of both, if they are still few. */
export function either(a: Folders, b: Folders): Folders {
  if (a === b) return a;
  return a === undefined || b === undefined ? undefined : few([...a, ...b]);
}

/** The folders in which a shell may be, and where `popd` leads back to. */
export type Place = { folders: Folders; pushed: readonly Folders[] | undefined };

/** The state of a shell that is in one of two places. `popd` is known only as far as both can go back. */
export function eitherPlace(a: Place, b: Place): Place {
  if (a === b) return a;
  const back = b.pushed;
  const pushed =
    a.pushed === back || back === undefined
      ? back
      : a.pushed?.slice(0, back.length).map((folders, i) => either(folders, back[i]));
  return { folders: either(a.folders, b.folders), pushed };
}

/** One folder relative to each of several others. */
export function below(outer: Folders, folder: string): Folders {
  return outer === undefined ? undefined : few(outer.map((start) => inFolder(start, folder)));
}

/** Folders relative to each of several others. */
export function allBelow(outer: Folders, folders: Folders): Folders {
  if (outer === undefined || folders === undefined) return undefined;
  return few(outer.flatMap((start) => folders.map((folder) => inFolder(start, folder))));
}

function few(folders: readonly string[]): Folders {
  const found = [...new Set(folders.map(withoutDots))];
  return found.length > FOLDERS_MAX || found.some((folder) => folder.length > LETTERS_MAX) ? undefined : found;
}

/** Changing to the current folder changes nothing, however often it is done. */
function withoutDots(folder: string): string {
  return folder === "." ? "" : folder.replace(/(?<=^|\/)(\.\/+)+(?=.)/g, "").replace(/(?<=[^/])\/+\.?$/, "");
}
