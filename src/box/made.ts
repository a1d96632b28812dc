import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

// Bubblewrap ends with 1 if it cannot make a box, and so do many programs. What it writes into a file of its own says which it was.

/** `saysEnd`: whether bubblewrap said how the program ended. To be called once. */
export type Status = { file: string; saysEnd(): boolean };

const NAME = "status-";
const KEPT_MS = 24 * 3_600_000;

/** The file of one box, in a folder that exists. It is removed when it was read; a later box removes those whose starter was killed. */
export function newStatus(folder: string): Status {
  const file = join(folder, `${NAME}${randomUUID()}`);
  return {
    file,
    saysEnd: () => {
      const said = isThere(file) ? readFileSync(file, "utf8") : "";
      rmSync(file, { force: true });
      const others = readdirSync(folder).filter((name) => name.startsWith(NAME));
      for (const name of others) removeOld(join(folder, name));
      return said.includes('"exit-code"');
    },
  };
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function removeOld(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && found.mtimeMs < Date.now() - KEPT_MS) rmSync(path, { force: true });
}
