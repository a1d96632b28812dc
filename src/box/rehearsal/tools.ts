import { accessSync, constants } from "node:fs";

/** Only folders of the system are searched: whoever may change PATH must not choose what mounts the view. */
const FOLDERS = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** The file of a program that every Linux has (util-linux, coreutils, findutils); undefined if it is missing. */
export function systemTool(name: string): string | undefined {
  return FOLDERS.map((folder) => `${folder}/${name}`).find(isProgram);
}

export function neededTool(name: string): string {
  const found = systemTool(name);
  if (found === undefined) throw new Error(`the program \`${name}\` is missing in ${FOLDERS.join(", ")}; install it`);
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `work` or, if an error has this code, undefined. */
export function unless<T>(codes: readonly string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (codes.includes(codeOf(error))) return undefined;
    throw error;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

let breathedMs = 0;

/** Work on many files is done in small steps; between them, now and then, the process does what else it has to do. */
export async function breathe(): Promise<void> {
  const nowMs = performance.now();
  if (nowMs - breathedMs < 5) return;
  await new Promise((done) => setImmediate(done));
  breathedMs = performance.now();
}

/** A project that cannot be rehearsed, on a machine that can rehearse others. */
export class NotRehearsed extends Error {
  constructor(project: string, why: string) {
    super(`${project} cannot be rehearsed: ${why}`);
  }
}
