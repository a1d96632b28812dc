import { closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { codeOf, unless } from "./tools.ts";

/** Whether a project is still where it was, and no part of its path was replaced by a link. */
export function isRealFolder(path: string): boolean {
  const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder && realpathSync.native(path) === path;
}

/** Opens a folder only to reach what is in it; Node does not name this flag. */
const O_PATH = 0o10000000;

/** The parent of a path inside a folder, and its name there. */
export function splitPath(path: string): { parent: string; name: string } {
  const at = path.lastIndexOf("/");
  return at === -1 ? { parent: "", name: path } : { parent: path.slice(0, at), name: path.slice(at + 1) };
}

/** Whether this is a path that stays inside a folder if no part of it is a link. */
export function isInner(path: string): boolean {
  return !path.includes("\0") && path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Whether one of these folders is above the path. */
export function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let { parent } = splitPath(path); parent !== ""; { parent } = splitPath(parent)) {
    if (folders.has(parent)) return true;
  }
  return false;
}

/** `at`: how files in the folder are named. `stopped`: the first part of the path that is not a real folder. */
export type Entered = { ok: true; at: string } | { ok: false; stopped: string };

/**
 * Reaches the folders below one folder, each opened from the one above it and never through a link. What is done through the
 * open folder happens there, whatever somebody puts at its name meanwhile.
 */
export class Folders {
  readonly root: string;
  /** The open folders from the root down to the last one that was entered. */
  readonly #open: { name: string; fd: number }[] = [];

  constructor(root: string) {
    this.root = root;
    const fd = openFolder(root);
    if (fd === undefined) throw new Error(`${root} is not a folder`);
    this.#open.push({ name: "", fd });
    if (pathOf(fd) === root) return;
    this.close();
    throw new Error(`${root} is not the real path of a folder: a part of it is a link`);
  }

  /** Paths in sorted order keep most folders open from one call to the next. */
  enter(path: string): Entered {
    const parts = path === "" ? [] : path.split("/");
    if (parts.length > 0 && !isInner(path)) throw new Error(`${JSON.stringify(path)} is not a path inside a folder`);
    let kept = 0;
    while (kept < parts.length && this.#open[kept + 1]?.name === parts[kept]) kept++;
    const entered = this.#descend(parts, kept);
    // A folder that was kept open may have been moved away since.
    return entered.ok || kept === 0 ? entered : this.#descend(parts, 0);
  }

  #descend(parts: readonly string[], kept: number): Entered {
    for (const { fd } of this.#open.splice(kept + 1)) closeSync(fd);
    for (const [i, name] of parts.entries()) {
      if (i < kept) continue;
      const fd = openFolder(`/proc/self/fd/${this.#last()}/${name}`);
      if (fd === undefined) return { ok: false, stopped: parts.slice(0, i + 1).join("/") };
      this.#open.push({ name, fd });
    }
    const stands = pathOf(this.#last()) === [this.root, ...parts].join("/");
    return stands ? { ok: true, at: `/proc/self/fd/${this.#last()}` } : { ok: false, stopped: parts.join("/") };
  }

  #last(): number {
    const last = this.#open.at(-1);
    if (last === undefined) throw new Error("the folders were closed (this is a bug)");
    return last.fd;
  }

  close(): void {
    for (const { fd } of this.#open.splice(0)) closeSync(fd);
  }
}

function openFolder(path: string): number | undefined {
  return unless(["ENOENT", "ENOTDIR", "ELOOP"], () =>
    openSync(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW),
  );
}

/** Where an open folder is now. */
function pathOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch (error) {
    if (codeOf(error) === "ENAMETOOLONG") return "";
    throw error;
  }
}
