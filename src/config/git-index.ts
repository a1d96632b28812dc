const GITLINK = 0o160000;
/** The fixed fields before the hash of an index entry: times, device, inode, mode, owner, size. */
const STAT_BYTES = 40;
const MODE_AT = 24;
const EXTENDED = 0x4000;

/**
 * The paths in a git index that are repositories of their own (submodules). Undefined if the index cannot be read to
 * the end, or is split over several files. `wide`: hashes are SHA-256.
 */
export function gitlinksIn(index: Buffer, wide: boolean): readonly string[] | undefined {
  if (index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const hash = wide ? 32 : 20;
  const found: string[] = [];
  let at = 12;
  let name = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + STAT_BYTES + hash;
    if (flagsAt + 4 > index.length) return undefined;
    const mode = index.readUInt32BE(at + MODE_AT);
    const extended = version > 2 && (index.readUInt16BE(flagsAt) & EXTENDED) !== 0;
    let nameAt = flagsAt + (extended ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      const cut = readCut(index, nameAt);
      if (cut === undefined || cut.value > name.length) return undefined;
      nameAt = cut.next;
      kept = name.length - cut.value;
    }
    const end = index.indexOf(0, nameAt);
    if (end === -1) return undefined;
    name = Buffer.concat([name.subarray(0, kept), index.subarray(nameAt, end)]);
    if ((mode & 0o170000) === GITLINK) found.push(name.toString("utf8"));
    // Older formats pad each entry to eight bytes, and end every name with at least one zero.
    at = version === 4 ? end + 1 : at + Math.ceil((end - at + 1) / 8) * 8;
  }
  return index.indexOf("link", at, "latin1") === at ? undefined : found;
}

/** How many letters of the previous name are dropped, in git's number format. */
function readCut(index: Buffer, start: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let at = start; at < index.length && at < start + 5; at++) {
    const byte = index[at] ?? 0;
    value = value * 128 + (byte & 127);
    if ((byte & 128) === 0) return { value, next: at + 1 };
    value += 1;
  }
  return undefined;
}
