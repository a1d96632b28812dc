import { spawn } from "node:child_process";
import { closeSync, constants, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { neededTool } from "./tools.ts";

/** More files than this are written together with everything else of their file system: waiting for each takes longer. */
const ONE_BY_ONE = 8;

/** Returns when these files and folders, all in one file system, are on the disk. */
export async function makeDurable(paths: readonly string[]): Promise<void> {
  const [first] = paths;
  if (first === undefined) return;
  if (paths.length > ONE_BY_ONE) return run(neededTool("sync"), ["-f", "--", first]);
  for (const path of paths) syncOne(path);
}

function syncOne(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Replaces a file completely: after a crash there is the former text or the new one. */
export function writeDurably(path: string, text: string): void {
  const next = `${path}.next`;
  writeFileSync(next, text, { mode: 0o600 });
  syncOne(next);
  renameSync(next, path);
  syncOne(dirname(path));
}

/** Makes a folder that only the user can enter, with the folders above it. */
export function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

export function run(program: string, args: readonly string[], passed: readonly number[] = []): Promise<void> {
  const child = spawn(program, args, { env: {}, stdio: ["ignore", "ignore", "pipe", ...passed] });
  let errors = "";
  child.stderr?.on("data", (data: Buffer) => {
    errors += data.toString("utf8");
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      if (code === 0) done();
      else fail(new Error(`${program} ${args.join(" ")} ended with ${code}: ${errors.trim()}`));
    });
  });
}
