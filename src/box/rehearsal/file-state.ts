import { createHash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  writeSync,
} from "node:fs";
import type { FileState } from "../../core/box.ts";
import type { Hash } from "../../core/values/hash.ts";
import { type Folders, splitPath } from "./folders.ts";
import { breathe, unless } from "./tools.ts";

/** What was found at a path. `stamp` differs whenever somebody changed it since. */
export type Found = { state: FileState; stamp: string; mtimeMs: number; ctimeMs: number; links: number };
/** What cannot be expressed as a FileState, and why. */
export type NoState = { state: undefined; why: string };

const GONE = ["ENOENT", "ENOTDIR"];
export const UNREADABLE = ["EACCES", "EPERM"];
const CHUNK = 256 * 1024;
const BLOCK = 4096;
const EMPTY_BLOCK = Buffer.alloc(BLOCK);

/** What is at a path below a folder, without following any link; null if there is nothing. */
export async function lookIn(folders: Folders, path: string): Promise<Found | NoState | null> {
  const { parent, name } = splitPath(path);
  const entered = unless(UNREADABLE, () => folders.enter(parent));
  if (entered === undefined) return { state: undefined, why: "its folder cannot be read" };
  return entered.ok ? lookAt(`${entered.at}/${name}`) : null;
}

/** What is at a path whose folders are known to be real. */
export async function lookAt(path: string): Promise<Found | NoState | null> {
  const looked = unless(UNREADABLE, () => ({ stats: unless(GONE, () => lstatSync(path, { bigint: true })) }));
  if (looked === undefined) return { state: undefined, why: "its folder cannot be read" };
  const { stats } = looked;
  if (stats === undefined) return null;
  if (stats.isDirectory()) return found({ kind: "folder", mode: Number(stats.mode) & 0o1777 }, stats);
  if (stats.isSymbolicLink()) return linkAt(path, stats);
  if (!stats.isFile()) return { state: undefined, why: otherKind(stats) };
  if ((stats.mode & 0o6000n) !== 0n) return { state: undefined, why: "it has a setuid or setgid bit" };
  return fileAt(path, stats);
}

function otherKind(stats: BigIntStats): string {
  if (stats.isFIFO()) return "it is a named pipe";
  if (stats.isSocket()) return "it is a socket";
  return "it is a device";
}

function linkAt(path: string, stats: BigIntStats): Found | NoState {
  const target = readlinkSync(path, "buffer");
  if (!isText(target)) return { state: undefined, why: "the target of the link is no UTF-8" };
  return found({ kind: "link", to: target.toString("utf8") }, stats);
}

async function fileAt(path: string, stats: BigIntStats): Promise<Found | NoState> {
  const fd = unless(UNREADABLE, () => openToRead(path));
  if (fd === undefined) return { state: undefined, why: "it cannot be read" };
  try {
    const opened = fstatSync(fd, { bigint: true });
    if (stampOf(opened) !== stampOf(stats)) return { state: undefined, why: "it is being changed" };
    const { hash, bytes } = await readAll(fd);
    return found({ kind: "file", bytes, hash, mode: Number(stats.mode) & 0o7777 }, stats);
  } finally {
    closeSync(fd);
  }
}

function found(state: FileState, stats: BigIntStats): Found {
  const { mtimeNs, ctimeNs, nlink } = stats;
  return {
    state,
    stamp: stampOf(stats),
    mtimeMs: Number(mtimeNs / 1_000n) / 1_000,
    ctimeMs: Number(ctimeNs) / 1e6,
    links: Number(nlink),
  };
}

/**
 * The `mtimeMs` of a Found in seconds, as Node sets times. Node cuts off what is less than a microsecond, and most fractions are
 * slightly too small as numbers; half a microsecond more gives the same microsecond again.
 */
export function secondsOf(mtimeMs: number): number {
  return (mtimeMs + 0.000_5) / 1_000;
}

export function stampOf({ ino, ctimeNs, size }: BigIntStats): string {
  return `${ino}:${ctimeNs}:${size}`;
}

/** The stamp of what is at a path now; undefined if there is nothing. */
export function stampAt(path: string): string | undefined {
  const stats = unless(GONE, () => lstatSync(path, { bigint: true }));
  return stats === undefined ? undefined : stampOf(stats);
}

export function isText(name: Buffer): boolean {
  return Buffer.from(name.toString("utf8"), "utf8").equals(name);
}

export function sameState(a: FileState | null, b: FileState | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === "link") return b.kind === "link" && a.to === b.to;
  if (a.kind === "folder") return b.kind === "folder" && a.mode === b.mode;
  return b.kind === "file" && a.hash === b.hash && a.bytes === b.bytes && a.mode === b.mode;
}

/** Never through a link, and without waiting for the other end of a named pipe. */
export function openToRead(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

/** Copies the bytes of a file to a new one, holes as holes, and returns the hash of what was copied. */
export async function copyFile(from: string, to: string): Promise<{ hash: Hash; bytes: number }> {
  const source = openToRead(from);
  try {
    const target = openSync(to, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      const { blocks, size } = fstatSync(source);
      const copied = await readAll(source, { target, sparse: blocks * 512 < size });
      ftruncateSync(target, copied.bytes);
      return copied;
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

type CopyTo = { target: number; sparse: boolean };

/** Reads a file once from its start: hashes it and, if wanted, copies it. */
async function readAll(fd: number, to?: CopyTo): Promise<{ hash: Hash; bytes: number }> {
  const hasher = createHash("sha256");
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(BLOCK, fstatSync(fd).size + 1)));
  let bytes = 0;
  for (;;) {
    const count = readSync(fd, chunk, 0, chunk.length, bytes);
    if (count === 0) return { hash: `sha256:${hasher.digest("hex")}`, bytes };
    const read = chunk.subarray(0, count);
    hasher.update(read);
    if (to !== undefined) writeChunk(to, read, bytes);
    bytes += count;
    await breathe();
  }
}

function writeChunk({ target, sparse }: CopyTo, chunk: Buffer, at: number): void {
  const step = sparse ? BLOCK : chunk.length;
  for (let start = 0; start < chunk.length; start += step) {
    const block = chunk.subarray(start, start + step);
    if (!sparse || !block.equals(EMPTY_BLOCK.subarray(0, block.length))) writeAll(target, block, at + start);
  }
}

function writeAll(fd: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}
