import type { Message } from "../messages/message.ts";

/**
 * One word of a command after the shell took its quotes away. `plain` is exactly this text, `glob` is any file name
 * that fits it, `open` is anything: the text then is what was written, and `start` what it surely begins with.
 */
export type Word =
  | {
      kind: "plain";
      text: string;
      /** A path from home or from where the script began: bash puts all of it there, so it can only begin a word. */
      placed?: true;
      /** It begins with the shell's folder, written as a dot, and this is that folder: from any other one it is another path. */
      from?: string;
      /** The name that the shell gives to a pipe of its own, and no file that somebody opened. */
      pipe?: true;
    }
  | {
      kind: "glob";
      text: string;
      /** One of the names that a program lists: a whole line, which the shell may still cut, or a word that it cut from one. */
      listed?: "line" | "word";
      /** Every file there, the hidden ones too. */
      all?: boolean;
      /** Or every one but the hidden ones. */
      open?: boolean;
      /** The shell's folder that it begins with, as in a plain word. */
      from?: string;
    }
  | {
      kind: "open";
      text: string;
      start: string;
      split: boolean;
      /** What it is known to be, where it is all that a substitution prints, or the program that prints it. */
      printed?: Printed | Simple | undefined;
    };

export type Redirect = {
  writes: boolean;
  to: Word;
  /** What the file held is gone as soon as it is opened. */
  empties?: boolean;
  /** Nothing is written there: no program knows the descriptor, or a later redirection takes its place. */
  unused?: boolean;
};

/** What a command reads: text that is known, text as it was written, what another command prints, or something else. */
export type Input = { text: string } | { written: string } | { from: Simple } | "unknown";

export type Assigned = {
  name: string;
  value: Word;
  /** It is taken away, and not set to an empty text. */
  unset?: true;
};

/** One simple command as the shell would start it. */
export type Simple = {
  words: readonly Word[];
  /** Variables set for this command alone. */
  sets: readonly Assigned[];
  redirects: readonly Redirect[];
  input?: Input | undefined;
  /** One of its first three descriptors is opened against its custom: the input for writing, or an output for reading. */
  crossed?: boolean | undefined;
  /** The folders it may run in, relative to where the script starts; undefined where nobody can say. */
  folders: readonly string[] | undefined;
  /** Further words that only the run knows: any at all, or paths at and below these; `bare`: names that may begin with a dash; `all`: hidden ones too. */
  more?: "any" | { under: readonly string[]; bare?: true; all?: boolean } | undefined;
  /** Where in the text it stands, for whoever shows the text. */
  span?: Span | undefined;
  /** Where it has no words of its own: the commands whose output its redirections take. */
  within?: readonly Simple[] | undefined;
};

/** From one letter of a text to before another. */
export type Span = { from: number; to: number };

/** Every simple command that a text holds. It errs towards seeing too many, never too few. */
export type Script = {
  simples: readonly Simple[];
  /** Variables that are set for the shell itself and everything it starts from then on. */
  sets: readonly Assigned[];
  /** Names that are functions or aliases here, and so no longer programs. */
  shadowed: ReadonlySet<string>;
  /** Variables of the shell's own that hold digits all through the text. */
  digits: ReadonlySet<string>;
  doubts: readonly Message[];
  /** False where the grammar, the length or hidden characters leave nothing to rely on. */
  readable: boolean;
};

/** What is longer holds more than anybody reads; it asks. */
export const TEXT_MAX = 16_384;
/** `bash -c "bash -c …"` is followed this far. */
export const DEPTH_MAX = 8;
/** As deep as substitutions within substitutions are followed. */
export const NESTED_MAX = 40;
/** More simple commands than this are not told apart any more; rules see all that were found. */
export const SIMPLES_MAX = 500;

export const plain = (text: string): Word => ({ kind: "plain", text });

/** The home folder of whoever runs the command, as `$HOME` or an unquoted `~` has it. */
export const HOME: Word = placedAt("~");

export function placedAt(text: string): Word {
  return { kind: "plain", text, placed: true };
}

/** A path as the command would find it from one of its folders. */
export function inFolder(folder: string, path: string): string {
  return folder === "" || /^[/~]|^[A-Za-z]:[\\/]/.test(path) ? path : `${folder}/${path}`;
}

/**
 * What a substitution prints, where its words alone say so: digits, several lines of digits, a name such as that of a
 * commit, which begins with no dash, or the name of a tag, which may. Whoever prints this may also fail and print nothing.
 */
export type Printed = "number" | "numbers" | "name" | "tag";

/** Digits and nothing else, in one word or in several. */
export function isDigits(word: Word): boolean {
  return word.kind === "open" && (word.printed === "number" || word.printed === "numbers");
}
