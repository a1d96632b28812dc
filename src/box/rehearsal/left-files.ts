import { chmodSync, lstatSync, readdirSync, type Stats } from "node:fs";
import { type DifferenceList, type Left, TOO_LONG } from "./difference.ts";
import { isText, lookAt } from "./file-state.ts";
import { LIMITS } from "./limits.ts";
import { breathe } from "./tools.ts";

/** Something that a program left, with the mode that it gave it. */
export type Entry = { path: string; stats: Stats };

/**
 * Lists what is in the folder that a program worked in, parents first, and tells `seen` about each folder. The folder is ours:
 * what its owner may not read is made readable after its mode is known. What has no readable name is refused.
 */
export async function leftEntries(
  root: string,
  list: DifferenceList,
  seen: (folder: string, names: readonly Buffer[]) => void,
  isChanged: (entry: Entry) => boolean,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  let files = 0;
  const walk = async (folder: string): Promise<void> => {
    const names = readdirSync(folder === "" ? root : `${root}/${folder}`, { encoding: "buffer" });
    seen(folder, names);
    for (const name of names) {
      await breathe();
      const path = folder === "" ? name.toString("utf8") : `${folder}/${name.toString("utf8")}`;
      if (!isText(name)) {
        list.refuse(path, "its name is no UTF-8");
        continue;
      }
      if (Buffer.byteLength(root) + Buffer.byteLength(path) > LIMITS.pathBytes) {
        list.refuse(path, TOO_LONG);
        continue;
      }
      const stats = openUp(`${root}/${path}`);
      entries.push({ path, stats });
      if (stats.isDirectory()) await walk(path);
      else if (isChanged({ path, stats }) && ++files > LIMITS.changes) list.tooMany();
    }
  };
  await walk("");
  return entries;
}

function openUp(path: string): Stats {
  const stats = lstatSync(path);
  const needed = stats.isDirectory() ? 0o700 : 0o400;
  const isOpen = (stats.mode & needed) === needed;
  if (!isOpen && (stats.isDirectory() || stats.isFile())) chmodSync(path, (stats.mode & 0o7777) | needed);
  return stats;
}

/** How many names each file has among the entries. */
export function countNames(entries: readonly Entry[]): ReadonlyMap<number, number> {
  const names = new Map<number, number>();
  for (const { stats } of entries) if (stats.isFile()) names.set(stats.ino, (names.get(stats.ino) ?? 0) + 1);
  return names;
}

/** The state of an entry. Its mode is what it was before the entry was made readable. */
export async function leftAt(root: string, { path, stats }: Entry, names: ReadonlyMap<number, number>): Promise<Left> {
  if (stats.isFile() && stats.nlink !== names.get(stats.ino))
    return { state: undefined, why: "the file has another name (hard link) that is not in the project" };
  const found = await lookAt(`${root}/${path}`);
  if (found === null) throw new Error(`${root}/${path} disappeared while it was read`);
  if (found.state === undefined || found.state.kind === "link") return found;
  const mode = stats.mode & (found.state.kind === "folder" ? 0o1777 : 0o7777);
  return { ...found, state: { ...found.state, mode } };
}
