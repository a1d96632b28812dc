import type { DeclarationId } from "./ids.ts";
import type { KeyedHash } from "./values/hash.ts";

/** Every class of effect there is. A policy that names another is refused, never guessed at. */
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

/** The one order of gravity: what only reads, then the rest, each in the order in which classes are listed. */
const GRAVITY = Object.fromEntries(
  EFFECT_CLASSES.map((kind, i) => [kind, i + (READING.has(kind) ? 0 : EFFECT_CLASSES.length)]),
) as Record<EffectClass, number>;

export function graver(a: EffectClass, b: EffectClass): EffectClass {
  return GRAVITY[a] >= GRAVITY[b] ? a : b;
}

/** The class to name a call by: that of its gravest part. */
export function classOf(effect: Effect): EffectClass {
  let gravest: EffectClass = "none";
  for (const part of effect.parts) gravest = graver(gravest, part.class);
  return gravest;
}

export const LEVELS = ["none", "read", "write", "execute", "admin"] as const;
export type Level = (typeof LEVELS)[number];

/** A level satisfies itself and everything below it. */
export function levelSatisfies(held: Level, wanted: Level): boolean {
  return LEVELS.indexOf(held) >= LEVELS.indexOf(wanted);
}

/** How far an effect goes: nothing outside the agent, the project, this machine, or the world. */
export const REACHES = ["local", "project", "host", "outside"] as const;
export type Reach = (typeof REACHES)[number];

export const UNDERSTANDINGS = ["fully", "partly", "not"] as const;
export type Understood = (typeof UNDERSTANDINGS)[number];

export type PathTarget = { kind: "path"; path: string; level: Level; recursive: boolean };
/** One simple command: its words after quoting, where it runs, and the names of variables it sets. */
export type CommandTarget = {
  kind: "command";
  words: readonly string[];
  cwd?: string;
  env: readonly string[];
  level: Level;
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
};

/** What a call does with a file: runs it, hands it the text of a command, or has it run by a program that was told to, or that looks for it by itself. */
export type FileUse = "program" | "script" | "looked for" | "changed" | "shell";

/** Something besides its words that a call depends on. An approval holds only while every fact is the same. */
export type Fact =
  | { of: "file"; use: FileUse; path: string; bytes: number; hash: KeyedHash }
  /** Too large to be read: known by its size and by when it was last touched. */
  | { of: "large"; use: FileUse; path: string; bytes: number; touched: string }
  | { of: "missing"; use: FileUse; path: string }
  | { of: "unreadable"; use: FileUse; path: string }
  /** A program of the system, which only its administrator changes: known by its place. */
  | { of: "installed"; path: string }
  /** The file that a program's name stands for. `loose`: the working folder or the project is looked in too. */
  | { of: "found"; name: string; path: string; loose: boolean }
  /** Where the call really runs, whatever links lead there. */
  | { of: "folder"; path: string }
  | { of: "variable"; name: string; hash: KeyedHash };

/** A word of a command that may be any which begins so, or several such. */
export type OpenWord = { at: number; start: string; split: boolean };

/**
 * Something that words may stand for which only the run knows. Of a path anything may stand where it has `**`, and of an
 * open host only the beginning is known. Without a class it may be of any.
 */
export type MaybeTarget = { class?: EffectClass } & (
  | { kind: "path"; path: string; recursive: boolean }
  /** Several of one command; those of a program that goes through folders are recursive. */
  | { kind: "paths"; paths: readonly string[]; recursive: boolean }
  | { kind: "command"; words: readonly string[]; open: readonly OpenWord[] }
  /** A command may begin with any of these words. */
  | { kind: "commands"; words: readonly string[] }
  | { kind: "domain"; domain: string; open: boolean }
  /** What the words of a program that runs what it is told hold: addresses, and whatever is written like a host. */
  | { kind: "mentioned"; addresses: readonly string[]; names: readonly string[] }
);

/** What the call does if a program is what its name says, or a word what it may stand for. It only ever denies. */
export type Maybe = { parts: readonly Part[]; targets: readonly MaybeTarget[] };

export type Effect = {
  parts: readonly [Part, ...Part[]];
  understood: Understood;
  notes: readonly string[];
  maybe?: Maybe;
  /** Set where a person's declaration explains the tool, with how the call reads without it. */
  declared?: { id: DeclarationId; without: Pick<Effect, "parts" | "understood" | "notes"> };
  /** Set where somebody looked. */
  facts?: readonly Fact[];
  /** Set where no policy is asked: a call larger than the gate examines, or one that turns on the gate itself. */
  refused?: { code: "LEEWAY_TOO_LARGE" | "LEEWAY_DENIED"; because: string };
};

export function lessUnderstood(a: Understood, b: Understood): Understood {
  return UNDERSTANDINGS.indexOf(a) >= UNDERSTANDINGS.indexOf(b) ? a : b;
}

/** Every way that a call reads: as the tool was declared by a person, and as it would read without that. */
export function readingsOf(effect: Effect): readonly [Effect, ...Effect[]] {
  return effect.declared === undefined ? [effect] : [effect, effect.declared.without];
}
