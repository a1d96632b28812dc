import { spawnSync } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `write`: the end for the program; whoever starts it closes it afterwards. `heard` resolves when nobody can write any more. */
export type HeardPipe = { write: number; heard(take: (chunk: Buffer) => void): Promise<void> };

const MKFIFO = ["/usr/bin/mkfifo", "/bin/mkfifo"];

/**
 * A real pipe. What Node calls a pipe is a socket, and a socket cannot be opened by its name, so that `echo failed > /dev/stderr` would
 * fail. Undefined where no pipe can be made.
 */
export function openPipe(): HeardPipe | undefined {
  const program = MKFIFO.find((path) => existsSync(path));
  if (program === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "leeway-pipe-"));
  try {
    const path = join(folder, "pipe");
    if (spawnSync(program, ["-m", "600", path], { env: {} }).status !== 0) return undefined;
    const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const write = openSync(path, constants.O_WRONLY);
    return { write, heard: (take) => hear(read, take) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Closes the end of this process, so that the pipe ends with the program. */
export function letGo(pipe: HeardPipe | undefined): void {
  if (pipe !== undefined) closeSync(pipe.write);
}

function hear(fd: number, take: (chunk: Buffer) => void): Promise<void> {
  const stream = new Socket({ fd, readable: true, writable: false });
  stream.on("data", take);
  return new Promise((resolve, reject) => {
    stream.on("error", reject).on("close", () => resolve());
  });
}
