import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

/** Everything by which the code under test changes a disk. */
const CHANGING = [
  "chmodSync",
  "fsyncSync",
  "ftruncateSync",
  "lutimesSync",
  "mkdirSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "symlinkSync",
  "unlinkSync",
  "utimesSync",
  "writeFileSync",
  "writeSync",
] as const;

/**
 * From the given change of a disk on, none happens any more: `die` is called instead, which throws or ends the process.
 * `failsAt`: this one change fails, as it does on a disk with an error, and the process goes on. Returns how the disk works again, with
 * the number of changes that happened.
 */
export function dieAt(point: number, die: () => never, failsAt = -1): () => number {
  let count = 0;
  const real = CHANGING.map((name) => [name, fs[name]] as const);
  for (const [name, change] of real) {
    const counted = (...args: unknown[]) => {
      if (count >= point) die();
      if (count++ === failsAt) throw new Error("EIO: the disk failed once");
      return Reflect.apply(change, fs, args);
    };
    Object.assign(fs, { [name]: counted });
  }
  syncBuiltinESMExports();
  return () => {
    for (const [name, change] of real) Object.assign(fs, { [name]: change });
    syncBuiltinESMExports();
    return count;
  };
}
