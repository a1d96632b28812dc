import { lstatSync, readdirSync, type Stats } from "node:fs";
import { EVERYTHING, type FileChange, type FileState, type WallRefusal } from "../../core/box.ts";
import { isCodeCache } from "../../core/tables/protected/caches.ts";
import { type Found, isText, lookIn, type NoState, sameState, UNREADABLE } from "./file-state.ts";
import { Folders, splitPath } from "./folders.ts";
import { LIMITS } from "./limits.ts";
import { breathe, unless } from "./tools.ts";

/** A change with the times of its files, which are applied and undone with them. */
export type Move = FileChange & { wasMs: number | null; nowMs: number | null };

export type ChangeRefusal = Extract<WallRefusal, { of: "change" }>;

/** `stale`: paths that somebody else changed while the program ran, so that it worked on other bytes. */
export type Differences = { moves: readonly Move[]; refused: readonly ChangeRefusal[]; stale: readonly string[] };

/** What a program left at a path: something, or nothing. */
export type Left = Found | NoState | null;

class TooMuch extends Error {}

/** Why a path is left out. */
export const TOO_LONG = "its path is too long";

/** Calls `compare` with an empty list. More changes than the bounds allow are refused together: part of them is of no use. */
export async function differences(
  project: string,
  beganMs: number,
  compare: (list: DifferenceList) => Promise<void>,
): Promise<Differences> {
  const list = new DifferenceList(project, beganMs);
  try {
    await compare(list);
    return list.sorted();
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return { moves: [], refused: [{ of: "change", path: EVERYTHING, why: error.message }], stale: [] };
  } finally {
    list.close();
  }
}

/** Compares what a program left with what is in the project. */
export class DifferenceList {
  readonly #below: Folders;
  readonly #beganMs: number;
  readonly #moves: Move[] = [];
  readonly #refused: ChangeRefusal[] = [];
  readonly #stale: string[] = [];
  #bytesBefore = 0;
  #bytesAfter = 0;

  constructor(project: string, beganMs: number) {
    this.#below = new Folders(project);
    this.#beganMs = beganMs;
  }

  /** What is in the project at this path. */
  below(path: string): Promise<Found | NoState | null> {
    return lookIn(this.#below, path);
  }

  /** The names in a folder of the project, as bytes. */
  namesBelow(path: string): readonly Buffer[] {
    const entered = this.#below.enter(path);
    return entered.ok ? readdirSync(`${entered.at}/.`, { encoding: "buffer" }) : [];
  }

  /** The kind and size of what is in a folder of the project. */
  statsBelow(path: string): Stats | undefined {
    const { parent, name } = splitPath(path);
    const entered = this.#below.enter(parent);
    return entered.ok ? lstatSync(`${entered.at}/${name}`, { throwIfNoEntry: false }) : undefined;
  }

  /** What the program left at a path. False if this cannot be applied; then nothing below the path can be, either. */
  async left(path: string, now: Left): Promise<boolean> {
    await breathe();
    if (Buffer.byteLength(this.#below.root) + Buffer.byteLength(path) > LIMITS.pathBytes)
      return this.refuse(path, TOO_LONG);
    if (now !== null && now.state === undefined) return this.refuse(path, now.why);
    const was = await this.below(path);
    if (was !== null && was.state === undefined) return this.refuse(path, `before, ${was.why}`);
    if (now !== null && shutsOut(now.state) && !sameState(was?.state ?? null, now.state))
      return this.refuse(path, "its mode would shut out its owner");
    const mark = this.#moves.length;
    if (was?.state.kind === "folder" && now?.state.kind !== "folder" && !(await this.removedIn(path, new Set()))) {
      this.#moves.length = mark;
      return this.refuse(path, "something in the folder cannot be removed");
    }
    if (was?.state.kind === "file" && now?.state.kind === "file" && was.links > 1 && !sameState(was.state, now.state))
      return this.refuse(path, "the file has several names (hard links), and the change would apply to one of them");
    this.#add(path, was, now);
    return true;
  }

  refuse(path: string, why: string): false {
    this.#refused.push({ of: "change", path, why });
    this.#count();
    return false;
  }

  /** Everything in a folder of the project is gone, except what has one of these names. False if not all of it can be removed. */
  async removedIn(folder: string, except: ReadonlySet<string>): Promise<boolean> {
    const names = unless(UNREADABLE, () => this.namesBelow(folder));
    if (names === undefined) return this.refuse(folder, "the folder cannot be read");
    let all = true;
    for (const name of names) {
      const path = folder === "" ? name.toString("utf8") : `${folder}/${name.toString("utf8")}`;
      if (!isText(name)) all = this.refuse(path, "its name is no UTF-8");
      else if (!except.has(name.toString("utf8")) && !(await this.left(path, null))) all = false;
    }
    return all;
  }

  #add(path: string, was: Found | null, now: Found | null): void {
    const before = was?.state ?? null;
    const after = now?.state ?? null;
    if (sameState(before, after)) return;
    // Nobody would see that it differs from its sources. It is made again where it is needed; its removal is a change.
    if (after !== null && isCodeCache(path)) return;
    // The time of a folder changes with everything in it, which is compared by itself.
    if (was !== null && was.state.kind !== "folder" && was.ctimeMs > this.#beganMs) this.#stale.push(path);
    this.#moves.push({ path, was: before, now: after, wasMs: was?.mtimeMs ?? null, nowMs: now?.mtimeMs ?? null });
    this.#bytesBefore += bytesOf(before);
    this.#bytesAfter += bytesOf(after);
    this.#count();
  }

  #count(): void {
    if (this.#moves.length + this.#refused.length > LIMITS.changes) this.tooMany();
    if (Math.max(this.#bytesBefore, this.#bytesAfter) > LIMITS.bytes)
      throw new TooMuch(`the changed files have more than ${LIMITS.bytes} bytes`);
  }

  tooMany(): never {
    throw new TooMuch(`more than ${LIMITS.changes} files were changed`);
  }

  sorted(): Differences {
    const moves = this.#moves.sort(byPath);
    const paths = new Set(moves.map(({ path }) => path));
    const stale = this.#stale.filter((path) => paths.has(path)).sort();
    return { moves, refused: this.#refused.sort(byPath), stale };
  }

  close(): void {
    this.#below.close();
  }
}

/**
 * A file that its owner cannot read, or a folder that they cannot look into. Once it is applied, it could not be compared any more, so
 * neither an interrupted application nor an undo could go on.
 */
function shutsOut(state: FileState): boolean {
  if (state.kind === "link") return false;
  const needed = state.kind === "folder" ? 0o500 : 0o400;
  return (state.mode & needed) !== needed;
}

function bytesOf(state: FileState | null): number {
  return state?.kind === "file" ? state.bytes : 0;
}

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
