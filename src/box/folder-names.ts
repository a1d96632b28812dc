import { type Dirent, opendirSync } from "node:fs";

// A box must be ready in milliseconds, so only so much of the disk is looked at.

const NAMES_MAX = 4000;

/** The names in a folder, up to a limit; none if it cannot be read, because then the program in the box cannot read it either. */
export function namesIn(folder: string): Dirent[] {
  const found: Dirent[] = [];
  const open = opened(folder);
  if (open === undefined) return found;
  try {
    for (let one = open.readSync(); one !== null && found.length < NAMES_MAX; one = open.readSync()) found.push(one);
  } finally {
    open.closeSync();
  }
  return found;
}

function opened(folder: string) {
  try {
    return opendirSync(folder, { bufferSize: 256 });
  } catch (error) {
    if (NOT_THERE.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** Nothing can be read there. */
export const NOT_THERE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP"]);
