import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** One thing that a program does to files; paths are relative to its folder. */
export type Operation =
  | { do: "write"; path: string; text: string }
  | { do: "append"; path: string; text: string }
  | { do: "sparse"; path: string; at: number; text: string }
  | { do: "truncate"; path: string; to: number }
  | { do: "chmod"; path: string; mode: number }
  | { do: "link"; path: string; to: string }
  | { do: "rename"; path: string; to: string }
  | { do: "remove"; path: string }
  | { do: "unlink"; path: string }
  | { do: "rmdir"; path: string }
  | { do: "mkdir"; path: string }
  | { do: "touch"; path: string }
  | { do: "shut"; path: string }
  | { do: "open"; path: string }
  | { do: "replace"; path: string; by: "file" | "folder" };

/** Does the operations and says how each one ended, so that two runs can be compared. */
export function operate(folder: string, operations: readonly Operation[]): string {
  return operations.map((one) => `${one.do} ${endOf(folder, one)}`).join("\n");
}

function endOf(folder: string, operation: Operation): string {
  try {
    const perform = PERFORM[operation.do] as (at: string, one: Operation, folder: string) => unknown;
    perform(join(folder, operation.path), operation, folder);
    return "done";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

const PERFORM: { [D in Operation["do"]]: (at: string, one: Extract<Operation, { do: D }>, folder: string) => unknown } =
  {
    write: (at, { text }) => writeFileSync(at, text),
    append: (at, { text }) => appendFileSync(at, text),
    sparse: (at, one) => withFile(at, (fd) => writeSync(fd, one.text, one.at)),
    truncate: (at, { to }) => withFile(at, (fd) => ftruncateSync(fd, to)),
    chmod: (at, { mode }) => lstatSync(at).isSymbolicLink() || chmodSync(at, modeFor(at, mode)),
    link: (at, { to }) => symlinkSync(to, at),
    rename: (at, { to }, folder) => rename(at, join(folder, to)),
    remove: (at) => rmSync(at, { recursive: true }),
    unlink: (at) => unlinkSync(at),
    rmdir: (at) => rmdirSync(at),
    mkdir: (at) => mkdirSync(at, { recursive: true }),
    touch: (at) => utimesSync(at, 1_000_000, 1_000_000),
    shut: (at) => chmodSync(at, 0o555),
    open: (at) => chmodSync(at, 0o755),
    replace: (at, { by }) => {
      rmSync(at, { recursive: true });
      return by === "file" ? writeFileSync(at, "by a file") : mkdirSync(at);
    },
  };

/** A folder that its owner cannot write to can be renamed, but not copied and removed; a case of its own has such folders. */
function modeFor(at: string, mode: number): number {
  return lstatSync(at).isDirectory() ? mode | (process.getuid?.() === 0 ? 0o500 : 0o700) : mode;
}

function withFile(path: string, work: (fd: number) => unknown): void {
  const fd = openSync(path, "r+");
  try {
    work(fd);
  } finally {
    closeSync(fd);
  }
}

const ERRORS_OF_MV = [
  ["Directory not empty", "ENOTEMPTY"],
  ["cannot overwrite non-directory", "ENOTDIR"],
  ["to a subdirectory of itself", "EINVAL"],
] as const;

/** A copy-on-write view does not rename folders of the project; programs then copy, as `mv` does. */
function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error;
    const moved = spawnSync("mv", ["-T", "--", from, to], { encoding: "utf8" });
    const [, code] = ERRORS_OF_MV.find(([words]) => moved.stderr.includes(words)) ?? [];
    if (moved.status !== 0) throw Object.assign(new Error(moved.stderr), code === undefined ? {} : { code });
  }
}

/** Everything in a folder: kind, bytes, mode, target of each path; with `times` also the microsecond in which files were changed. */
export function treeOf(folder: string, times = false): Record<string, string> {
  const tree: Record<string, string> = {};
  const walk = (path: string) => {
    const at = join(folder, path);
    const stats = lstatSync(at);
    const mode = (stats.mode & 0o7777).toString(8);
    const time = times ? ` ${lstatSync(at, { bigint: true }).mtimeNs / 1_000n}` : "";
    if (stats.isSymbolicLink()) tree[path] = `link to ${readlinkSync(at)}`;
    else if (stats.isDirectory()) tree[path] = `folder ${mode}`;
    else tree[path] = `${stats.isFile() ? "file" : "other"} ${mode}${time} ${contentOf(at)}`;
    if (stats.isDirectory()) for (const name of readdirSync(at).sort()) walk(join(path, name));
  };
  walk(".");
  return tree;
}

/** Holes are not compared, because a file system may fill them; another test counts the blocks. */
function contentOf(path: string): string {
  const bytes = readFileSync(path);
  return bytes.length > 1_000
    ? `${bytes.length} bytes ${bytes.toString("latin1").replaceAll("\0", "")}`
    : bytes.toString("utf8");
}
