import type { FileChange, WallRefusal, Walls } from "./core/box.ts";

// The interface to what makes boxes. It belongs to the others in `ports.ts`, which has no room left.

/** A program to start: a file by its absolute path, under its usual name, in a folder without links. */
export type ProgramStart = {
  program: string;
  name: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
};

/**
 * Whether boxes can be made on this machine. `why` and `hint` are for people: what is missing, and what to do. `passing`: it may be
 * otherwise in a moment, because the machine was too busy for an answer. `isNew`: nobody was told yet. `keeps`: false if no program can be kept in the background.
 * `note`: what people must know about boxes here.
 */
export type BoxAbility =
  | { ok: true; rehearses: boolean; keeps?: false; note?: string }
  | { ok: false; why: string; hint: string; passing?: true; isNew?: true };

/** What is known after a program in a box has ended. */
export type BoxReport = {
  refused: readonly WallRefusal[];
  /** The differences that a rehearsed program made, kept under this name until they are applied or dropped. */
  rehearsal?: { name: string; changes: readonly FileChange[] };
  /** Nobody said how the program ended: it was killed, or there was no box at all. */
  noEnd?: boolean;
  /** The names of programs that still ran when the program ended, where the box knows them. It ended them. */
  left?: readonly string[];
};

/** What bubblewrap, and the shell that starts it, end with if they cannot make the box. */
const FAILED: ReadonlySet<number | null> = new Set([1, 125]);

/** Whether nothing was run, because the box could not be made. A program that was killed has another exit code. */
export function isUnmade({ noEnd }: BoxReport, code: number | null): boolean {
  return noEnd === true && FAILED.has(code);
}

/** A box that is ready for one program. */
export type PreparedBox = {
  /** What to start instead of the program: the same program, inside the box. */
  start: ProgramStart;
  /** To be called once, after the program has ended or could not be started. `errors`: the end of what it wrote to stderr. */
  ended(errors: string): Promise<BoxReport>;
};

/** Makes boxes: walls around a program that the operating system enforces. */
export interface BoxMaker {
  /** The walls are tried before the answer is yes; the answer is remembered until something about the machine changes. */
  ability(): Promise<BoxAbility>;
  /** Throws if the box cannot be made: then nothing may be started. */
  prepare(start: ProgramStart, walls: Walls, how: { rehearse: boolean; project: string }): Promise<PreparedBox>;
}

/** What happened to the changes of a rehearsal. `moved`: files that are no longer as they were; then nothing was applied. */
export type Applied = { ok: true; undo: string } | { ok: false; moved: readonly string[] };

/** The changes of rehearsals, kept until a person or a policy has decided about them; and what is needed to undo them. */
export interface Rehearsals {
  /** All of the changes of a rehearsal, still as they were made; undefined if they are gone. */
  read(name: string): Promise<readonly FileChange[] | undefined>;
  /** The bytes of one file, before or after; undefined if there is no such file, or if it is not the same any more. */
  bytes(name: string, path: string, which: "was" | "now", max: number): Promise<Uint8Array | undefined>;
  /** The paths that are no longer as they were, so that nothing can be applied; undefined if the changes are gone. */
  moved(name: string): Promise<readonly string[] | undefined>;
  /** What was applied under this name, as long as it can be undone. */
  applied(name: string): Promise<readonly FileChange[] | "undone" | undefined>;
  /**
   * In which of these files everything was made by applied rehearsals and by nobody else, since they were not there or were as they
   * become now. `changes`: by absolute paths, `was` as they are.
   */
  made(project: string, changes: readonly FileChange[]): Promise<ReadonlySet<string>>;
  /** Which of these files belong to a repository inside of the project, and the files of each. `changes`: by absolute paths. */
  repositories(project: string, changes: readonly FileChange[]): Promise<Repositories>;
  /** Applies all changes of a rehearsal or none; after a crash, `recover` completes or reverts what was begun. */
  apply(name: string): Promise<Applied>;
  /** Puts the former bytes back, unless somebody changed a file since. */
  undo(name: string): Promise<Applied>;
  drop(name: string): Promise<void>;
  /** Keeps the former bytes of files that the caller will write, by their paths in the project. False if that is not possible. */
  keep(name: string, project: string, paths: readonly string[]): Promise<boolean>;
  /** Whether that is possible now. */
  canKeep(project: string, paths: readonly string[]): Promise<boolean>;
  /** The caller has written the kept files, or not: what changed can be undone now. */
  noteWritten(name: string): Promise<void>;
  /** Nobody will write the kept files. */
  forget(name: string): Promise<void>;
  /** Ends what processes left half done in this project when they died. Throws if that cannot be done, or not completely. */
  recover(project: string): Promise<void>;
  /** The projects in which something is half done: a process does it now, or died. */
  interrupted(): Promise<readonly string[]>;
  /** Removes what is older than promised, or beyond the promised space, if that is due. Returns what could not be removed, and why. */
  tidy(): Promise<readonly string[]>;
}

/** Files by the repository inside of a project that they belong to; `others`: those of the project itself. */
export type Repositories = {
  inside: readonly { root: string; changes: readonly FileChange[] }[];
  others: readonly FileChange[];
};

/** Everything that a door needs to run calls in boxes. */
export type Boxing = {
  maker: BoxMaker;
  rehearsals: Rehearsals;
  /** Runs a program that only reads, and returns what it wrote; undefined if it failed. */
  readText(start: ProgramStart, input: string): Promise<string | undefined>;
};

/** All boxes of this user that change files where they are, frozen while a call is decided. */
export type StillBoxes = {
  /** What their programs left for others to run, and was put aside. */
  aside: readonly string[];
  /** Why one of them may run, or was not looked through. Then nothing that is decided about files holds. */
  unsure?: string;
  /**
   * The call is run now by whoever asked, and may write `expected`. `until`: whether the boxes stay frozen until it is said that the call
   * has ended. False if one of them did not hear it.
   */
  run(expected: readonly string[], until: "end" | "now"): Promise<boolean>;
  /** The boxes go on. */
  release(): void;
};

/** Freezes the boxes of this machine that change files where they are. `call`: a name of the call, by which it is ended. */
export type Stillness = {
  /** Undefined if there is no such box. */
  hold(call: string): Promise<StillBoxes | undefined>;
  /** `expected`: what the call may have written. */
  end(call: string, expected: () => Promise<readonly string[]>): Promise<void>;
};
