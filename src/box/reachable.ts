import { type Stats, statSync } from "node:fs";
import { parentOf } from "../core/classify/path.ts";

/**
 * Root may look into every folder, but a program in a box has no such right, and bubblewrap has none over folders of other users.
 * What is behind a folder that is closed for both cannot be read in a box, and bubblewrap would fail if it had to cover it.
 */
export function reachableInBox(): (path: string) => boolean {
  const user = process.getuid?.();
  if (user !== 0) return () => true;
  const groups = new Set([process.getegid?.(), ...(process.getgroups?.() ?? [])]);
  const known = new Map<string, boolean>([["/", true]]);
  const isOpen = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const found = statSync(folder, { throwIfNoEntry: false });
    const answer = found !== undefined && lets(found, user, groups) && isOpen(parentOf(folder));
    known.set(folder, answer);
    return answer;
  };
  return (path) => isOpen(parentOf(path));
}

/** Whether a user without further rights may go through this folder. */
function lets({ uid, gid, mode }: Stats, user: number, groups: ReadonlySet<number | undefined>): boolean {
  if (uid === user) return (mode & 0o100) !== 0;
  return (mode & (groups.has(gid) ? 0o010 : 0o001)) !== 0;
}
