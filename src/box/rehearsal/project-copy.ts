import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  type Stats,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import type { DifferenceList } from "./difference.ts";
import { copyFile, isText } from "./file-state.ts";
import { isBelow } from "./folders.ts";
import { countNames, type Entry, leftAt, leftEntries } from "./left-files.ts";
import { LIMITS } from "./limits.ts";
import { breathe } from "./tools.ts";

// Where there is no copy-on-write view, the program works on a copy. It shares its blocks with the original where the file
// system can do that.

/** A mark of each entry of a fresh copy: what still has its mark was not changed. */
export type Copied = Readonly<Record<string, string>>;

type Copying = { from: string; to: string; marks: Record<string, string>; files: number; bytes: number };

/** Copies a project. Throws if it is too large for that, or has something that cannot be copied. */
export async function copyProject(from: string, to: string): Promise<Copied> {
  const copying: Copying = { from, to, marks: {}, files: 0, bytes: 0 };
  await copyFolder(copying, "");
  return copying.marks;
}

async function copyFolder(copying: Copying, folder: string): Promise<void> {
  const { from, to, marks } = copying;
  for (const name of readdirSync(join(from, folder), { encoding: "buffer" })) {
    await breathe();
    const path = join(folder, name.toString("utf8"));
    if (!isText(name)) throw new Error(`the project cannot be copied: the name ${join(from, path)} is no UTF-8`);
    const stats = lstatSync(join(from, path));
    count(copying, stats);
    if (stats.isDirectory()) {
      mkdirSync(join(to, path), 0o700);
      await copyFolder(copying, path);
      chmodSync(join(to, path), stats.mode & 0o1777);
    } else await copyOne(join(from, path), join(to, path), stats);
    marks[path] = markOf(lstatSync(join(to, path)));
  }
}

function count(copying: Copying, stats: Stats): void {
  copying.files++;
  copying.bytes += stats.isFile() ? stats.size : 0;
  if (copying.files > LIMITS.copiedFiles || copying.bytes > LIMITS.copiedBytes)
    throw new Error(
      `the project cannot be copied: it has more than ${LIMITS.copiedFiles} files or ${LIMITS.copiedBytes} bytes`,
    );
}

async function copyOne(from: string, to: string, stats: Stats): Promise<void> {
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(from, "buffer"), to);
    lutimesSync(to, stats.atime, stats.mtime);
    return;
  }
  if (!stats.isFile()) throw new Error(`the project cannot be copied: ${from} is a device, a socket or a named pipe`);
  if (stats.blocks * 512 < stats.size) await copyFile(from, to);
  else copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(to, stats.mode & 0o1777);
  utimesSync(to, stats.atime, stats.mtime);
}

/** The times of a folder change with everything in it, which is compared by itself. */
function markOf(stats: Stats): string {
  return stats.isDirectory() ? `folder:${stats.mode & 0o1777}` : `${stats.ino}:${stats.ctimeMs}:${stats.size}`;
}

/** Puts everything that a program changed in its copy into the list. */
export async function scanCopy(list: DifferenceList, copy: string, copied: Copied): Promise<void> {
  const isChanged = ({ path, stats }: Entry) => markOf(stats) !== copied[path];
  const entries = await leftEntries(copy, list, () => {}, isChanged);
  const names = countNames(entries);
  // Everything in these folders was compared together with them, or is refused.
  const closed = new Set<string>();
  for (const entry of entries) {
    if (!isChanged(entry) || isBelow(entry.path, closed)) continue;
    const isFolder = entry.stats.isDirectory();
    if (!(await list.left(entry.path, await leftAt(copy, entry, names))) || !isFolder) closed.add(entry.path);
  }
  const seen = new Set(entries.map(({ path }) => path));
  for (const path of Object.keys(copied).sort()) {
    if (seen.has(path) || isBelow(path, closed)) continue;
    closed.add(path);
    await list.left(path, null);
  }
}
