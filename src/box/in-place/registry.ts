import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unless } from "../rehearsal/tools.ts";

// The boxes that change files where they are, in the state folder: a folder for each, with the process that made it, and a socket at
// which that process is asked to freeze it.

/** `lost`: its maker ended without a last look, and the box with it. */
export type InPlaceBox = { folder: string; lost: boolean };

const root = (stateFolder: string) => join(stateFolder, "box", "in-place");
const SOCKET = "door";

export function enterBox(stateFolder: string, name: string): string {
  const folder = join(root(stateFolder), name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Written last: a box in this list has a socket. */
export function listBox(folder: string): void {
  const maker = { pid: process.pid, started: startedAt(process.pid) ?? "" };
  writeFileSync(join(folder, "box.json"), JSON.stringify(maker), { mode: 0o600 });
}

export function boxesInPlace(stateFolder: string, of: "all" | "others" = "all"): readonly InPlaceBox[] {
  const names = unless(["ENOENT"], () => readdirSync(root(stateFolder))) ?? [];
  return names.flatMap((name) => {
    const folder = join(root(stateFolder), name);
    const text = unless(["ENOENT"], () => readFileSync(join(folder, "box.json"), "utf8"));
    if (text === undefined) return [];
    const { pid, started } = JSON.parse(text) as { pid: number; started: string };
    if (of === "others" && pid === process.pid) return [];
    return [{ folder, lost: startedAt(pid) !== started }];
  });
}

/** Somebody was told that nobody looked at what the program left. */
export function forgetBox({ folder }: InPlaceBox): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The name of a socket has at most 107 bytes, so it is named by the folder's descriptor. */
export function atSocket<T>(folder: string, act: (path: string) => Promise<T>): Promise<T> {
  const fd = openSync(folder, "r");
  return act(`/proc/self/fd/${fd}/${SOCKET}`).finally(() => closeSync(fd));
}

/** When a process was started, in the kernel's own count; undefined if it does not run. */
export function startedAt(pid: number): string | undefined {
  const file = `/proc/${pid}/stat`;
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  // The name of the program comes before, and may have spaces and brackets in it.
  const fields = (unless(["ENOENT", "ESRCH"], () => readFileSync(file, "utf8")) ?? "")
    .replace(/^.*\) /s, "")
    .split(" ");
  return fields[0] === "Z" ? undefined : fields[19];
}
