import type { DeclarationId } from "./ids.ts";
import type { Message } from "./messages/message.ts";
import type { Sealed } from "./secret.ts";
import type { KeyedHash } from "./values/hash.ts";

/** All classes of effect. A policy with another class is refused; Leeway does not guess. */
export const EFFECT_CLASSES = [
  "none",
  "fs.read",
  "fs.write",
  "fs.mkdir",
  "fs.copy",
  "fs.move",
  "fs.delete",
  "process.exec",
  "host.call",
  "store.write",
  "metadata.write",
  "checkpoint.write",
  "agent_state.write",
  "mcp.release",
  "network.read",
  "network.write",
  "network.sse.write",
  "git.write",
  "message.send",
  "db.read",
  "db.write",
  "browser.read",
  "browser.act",
  "agent.spawn",
  "schedule.write",
  "deploy.write",
  "payments.move",
  "secrets.read",
  "permissions.change",
  "unknown",
] as const;

export type EffectClass = (typeof EFFECT_CLASSES)[number];

const READING: ReadonlySet<EffectClass> = new Set(["none", "fs.read", "network.read", "db.read", "browser.read"]);

export function onlyReads(kind: EffectClass): boolean {
  return READING.has(kind);
}

/** The order of danger: first the classes that only read, then the others in the order of this list. */
const GRAVITY = Object.fromEntries(
  EFFECT_CLASSES.map((kind, i) => [kind, i + (READING.has(kind) ? 0 : EFFECT_CLASSES.length)]),
) as Record<EffectClass, number>;

export function graver(a: EffectClass, b: EffectClass): EffectClass {
  return GRAVITY[a] >= GRAVITY[b] ? a : b;
}

/** The class of a call: that of its most dangerous part. */
export function classOf(effect: Effect): EffectClass {
  let gravest: EffectClass = "none";
  for (const part of effect.parts) gravest = graver(gravest, part.class);
  return gravest;
}

export const LEVELS = ["none", "read", "write", "execute", "admin"] as const;

export type Level = (typeof LEVELS)[number];

/** A level includes all levels below it. */
export function levelSatisfies(held: Level, wanted: Level): boolean {
  return LEVELS.indexOf(held) >= LEVELS.indexOf(wanted);
}

/** How far an effect reaches: nothing outside the agent, the project, this machine, or the outside world. */
export const REACHES = ["local", "project", "host", "outside"] as const;

export type Reach = (typeof REACHES)[number];

export const UNDERSTANDINGS = ["fully", "partly", "not"] as const;

export type Understood = (typeof UNDERSTANDINGS)[number];

/** `exact`: brackets in the path are letters of a name, as in `[id].tsx`. Elsewhere they may be a pattern. */
export type PathTarget = { kind: "path"; path: string; level: Level; recursive: boolean; exact?: true };

/** One simple command: its words after quoting, where it runs, and the names of variables it sets. */
export type CommandTarget = {
  kind: "command";
  words: readonly string[];
  cwd?: string;
  env: readonly string[];
  level: Level;
  /** One of several commands with `||` between them, of which one is enough: those have the same number. */
  either?: number;
};

export type DomainTarget = { kind: "domain"; domain: string; port?: number; level: Level };

type ToolTarget = { kind: "tool"; tool: string; level: Level };

export type Target = PathTarget | CommandTarget | DomainTarget | ToolTarget;

/** One thing the call would do: a simple command, a file operation, a request. */
export type Part = {
  class: EffectClass;
  capability: string;
  level: Level;
  targets: readonly Target[];
  reversible: boolean;
  reach: Reach;
  method?: string;
  /** The part runs only code from files of this project (its real folder): tests, builds, scripts, installed packages. */
  projectCode?: string;
  /** The part only uses containers of this project (its real folder): it builds, starts and stops them, or runs something in one. */
  projectContainers?: string;
};

/**
 * What a call does with a file: runs it, changes it, gives it a command as text, or starts a program that runs it,
 * because the program was told to or looks for it.
 */
export type FileUse = "program" | "script" | "looked for" | "changed" | "shell";

/** Something besides its words that a call depends on. An approval is valid only while all facts stay the same. */
export type Fact =
  | { of: "file"; use: FileUse; path: string; bytes: number; hash: KeyedHash }
  /** Too large to be read: identified by its size and its change time. */
  | { of: "large"; use: FileUse; path: string; bytes: number; touched: string }
  | { of: "missing"; use: FileUse; path: string }
  | { of: "unreadable"; use: FileUse; path: string }
  /** A program of the system, which only its administrator changes: identified by its path. */
  | { of: "installed"; path: string }
  /**
   * The file for which a program's name stands. `loose`: the working folder or the project is searched too. `installed`: a package
   * of the project brought it.
   */
  | { of: "found"; name: string; path: string; loose: boolean; installed?: true }
  /** The real folder in which the call runs, with links resolved. */
  | { of: "folder"; path: string }
  | { of: "variable"; name: string; hash: KeyedHash };

/** A word of a command that is known only at run time: any word with this beginning, or several. */
export type OpenWord = { at: number; start: string; split: boolean };

/**
 * Something that a word known only at run time may stand for. In a path, `**` stands for anything; of an open host
 * only the beginning is known. Without a class it may have any class.
 */
export type MaybeTarget = { class?: EffectClass } & (
  | { kind: "path"; path: string; recursive: boolean }
  /** Several of one command; those of a program that traverses folders are recursive. */
  | { kind: "paths"; paths: readonly string[]; recursive: boolean }
  | { kind: "command"; words: readonly string[]; open: readonly OpenWord[] }
  /** A command may begin with one of the first `begins` words. */
  | { kind: "commands"; words: readonly string[]; begins: number }
  | { kind: "domain"; domain: string; open: boolean }
  /** The content of the words of a program that runs commands: addresses, and everything that looks like a host. */
  | { kind: "mentioned"; addresses: readonly string[]; names: readonly string[] }
);

/**
 * What the call does if a program is what its name says (`parts`), or a word is what it could be (`targets`), and what a text among its
 * words would do if it were a command (`guesses`). This can only lead to a denial; `parts` can also mark the call as one that needs a person.
 */
export type Maybe = { parts: readonly Part[]; targets: readonly MaybeTarget[]; guesses?: readonly Part[] };

/** Notes are messages. Older entries have them as English text, and programs get text (`ToldEffect`). */
export type Effect<Note extends Message | string = Message | string> = {
  parts: readonly [Part, ...Part[]];
  understood: Understood;
  notes: readonly Note[];
  maybe?: Maybe;
  /** In the record only: what was guessed from the arguments, encrypted as they are. */
  guessed?: Sealed;
  /** Set if a person's declaration explains the tool, with the classification without it. */
  declared?: { id: DeclarationId; without: Pick<Effect<Note>, "parts" | "understood" | "notes"> };
  /**
   * Set if something outside the organisation's policy explains the tool: the classification by the organisation's own
   * declarations. Its policy is judged by both.
   */
  byOrganisation?: Pick<Effect<Note>, "parts" | "understood" | "notes" | "maybe">;
  /** Set if files were checked. */
  facts?: readonly Fact[];
  /** Set if no policy is consulted: a call that is too large, or one that targets the gate itself. */
  refused?: { code: "LEEWAY_TOO_LARGE" | "LEEWAY_DENIED"; because: Note };
};

/** An effect as programs get it, with notes in English. */
export type ToldEffect = Effect<string>;

export function lessUnderstood(a: Understood, b: Understood): Understood {
  return UNDERSTANDINGS.indexOf(a) >= UNDERSTANDINGS.indexOf(b) ? a : b;
}

/** All readings of a call: with a person's declaration of the tool, and without it. */
export function readingsOf(effect: Effect): readonly [Effect, ...Effect[]] {
  return effect.declared === undefined ? [effect] : [effect, effect.declared.without];
}

/** The readings that count for a layer: the organisation's also counts its own. */
export function readingsFor(effect: Effect, { organisation }: { organisation?: true }): readonly Effect[] {
  const readings = readingsOf(effect);
  return organisation === true && effect.byOrganisation !== undefined ? [...readings, effect.byOrganisation] : readings;
}

// The thirty classes fit into one number, so checking whether a rule is about a class is one `&`.

const INDEX = new Map<EffectClass, number>(EFFECT_CLASSES.map((name, i) => [name, i]));

export const ALL_CLASSES = (1 << EFFECT_CLASSES.length) - 1;

export function classIndex(name: EffectClass): number {
  return INDEX.get(name) ?? EFFECT_CLASSES.length - 1;
}

/** One slot for each class, all created at the start, so that the engine sees lists of one shape. */
export function forEachClass<T>(): (T | undefined)[] {
  return EFFECT_CLASSES.map(() => undefined);
}

export function classBit(name: EffectClass): number {
  return 1 << classIndex(name);
}

export function classBits(names: readonly EffectClass[]): number {
  return names.reduce((bits, name) => bits | classBit(name), 0);
}

export function classesOf(parts: readonly Part[]): number {
  let bits = 0;
  for (const part of parts) bits |= classBit(part.class);
  return bits;
}
