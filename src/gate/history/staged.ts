import type { Brought, Listing } from "./brought.ts";
import { isGuarded } from "./brought.ts";
import type { Reading, Rehearsal } from "./taken.ts";

// What is in the index is in the next commit, whoever makes it and whatever the folder looks like then.

const INDEX = "index";

/**
 * The guarded files that the index has, and that neither the commit before nor the former index had in this form. Undefined if the
 * index cannot be read.
 */
export async function broughtByIndex(
  read: Reading,
  { changes }: Rehearsal,
  { project, listing }: { project: string; listing: Listing },
): Promise<readonly Brought[] | undefined> {
  if (!changes.some(({ path, now }) => path === `.git/${INDEX}` && now !== null)) return [];
  const now = await read(INDEX, "now");
  const staged = now === undefined ? undefined : entriesOf(now);
  if (staged === undefined) return undefined;
  const was = await read(INDEX, "was");
  const former = new Set((was === undefined ? undefined : entriesOf(was))?.map(asText));
  const isNew = (one: Brought) => listing.get(one.path) !== one.id && !former.has(asText(one));
  return staged.filter((one) => isNew(one) && isGuarded(one.path, project));
}

function asText({ path, id }: Brought): string {
  return `${id} ${path}`;
}

/** The index says nowhere how long the names of its objects are; read with the wrong length, it does not end where it must. */
function entriesOf(bytes: Buffer): readonly Brought[] | undefined {
  return [20, 32].map((idBytes) => entriesWith(bytes, idBytes)).find((entries) => entries !== undefined);
}

const STAT_BYTES = 40;
const EXTENDED = 0x4000;
/** Parts of it that are in another file, or whole folders in the place of files. */
const ELSEWHERE = new Set(["link", "sdir"]);

/** As in git's `index-format`: a header, entries in the order of their paths, extensions, and a checksum. */
function entriesWith(bytes: Buffer, idBytes: number): readonly Brought[] | undefined {
  const version = bytes.length > 12 ? bytes.readUInt32BE(4) : 0;
  if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return undefined;
  const found: Brought[] = [];
  let path = "";
  let at = 12;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flags = at + STAT_BYTES + idBytes;
    if (flags + 4 > bytes.length) return undefined;
    const nameAt = flags + ((bytes.readUInt16BE(flags) & EXTENDED) === 0 ? 2 : 4);
    const name = version === 4 ? shortened(bytes, nameAt, path) : whole(bytes, nameAt, at);
    if (name === undefined) return undefined;
    path = name.path;
    found.push({ path: utf8(path), id: bytes.toString("hex", at + STAT_BYTES, flags) });
    at = name.end;
  }
  return endsWell(bytes, at, idBytes) ? found : undefined;
}

type Name = { path: string; end: number };

/** Filled up with zero bytes, so that an entry has a multiple of eight bytes. */
function whole(bytes: Buffer, from: number, entryAt: number): Name | undefined {
  const end = bytes.indexOf(0, from);
  if (end === -1) return undefined;
  return { path: bytes.toString("latin1", from, end), end: entryAt + (Math.floor((end - entryAt) / 8) + 1) * 8 };
}

/** How many signs of the path before are left out, and what comes instead. */
function shortened(bytes: Buffer, from: number, before: string): Name | undefined {
  let at = from;
  let byte = bytes[at++] ?? 0;
  let left = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at < bytes.length) {
    byte = bytes[at++] ?? 0;
    left = (left + 1) * 128 + (byte & 0x7f);
  }
  const end = bytes.indexOf(0, at);
  if (end === -1 || left > before.length) return undefined;
  return { path: before.slice(0, before.length - left) + bytes.toString("latin1", at, end), end: end + 1 };
}

/** Lengths count bytes, so a path is one letter for each byte until it is complete. */
function utf8(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

function endsWell(bytes: Buffer, from: number, idBytes: number): boolean {
  let at = from;
  for (const end = bytes.length - idBytes; at + 8 <= end; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (ELSEWHERE.has(bytes.toString("latin1", at, at + 4))) return false;
  }
  return at === bytes.length - idBytes;
}
