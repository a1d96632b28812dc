import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import type { FileChange, WallRefusal } from "../../core/box.ts";

// Files with credentials are empty in a box, so an archive that is made there has them empty. Whoever unpacks it later must know.

const ARCHIVE = /\.(tar|tgz|tar\.gz|crate|zip|jar|war|whl|vsix)$/i;
/** Larger archives are not looked into. */
const READ_MAX = 64_000_000;
const UNPACKED_MAX = 512_000_000;

type Bytes = (path: string, max: number) => Promise<Uint8Array | undefined>;

/** Of the archives that a rehearsed program made, the empty files in them that have the name of one that was hidden. */
export async function emptiedInArchives(
  changes: readonly FileChange[],
  names: ReadonlySet<string>,
  bytes: Bytes,
): Promise<readonly WallRefusal[]> {
  if (names.size === 0) return [];
  const archives = changes.filter(
    ({ path, now }) => now?.kind === "file" && ARCHIVE.test(path) && now.bytes <= READ_MAX,
  );
  const found: WallRefusal[] = [];
  for (const { path } of archives) {
    const content = await bytes(path, READ_MAX);
    const empty = content === undefined ? [] : emptyEntries(Buffer.from(content));
    const hidden = empty.filter((name) => names.has(basename(name)));
    found.push(...hidden.map((name) => ({ of: "hidden", path: `${name} in ${path}` }) as const));
  }
  return found;
}

function emptyEntries(content: Buffer): readonly string[] {
  if (content.subarray(0, 2).toString("latin1") === "PK") return emptyInZip(content);
  const isPacked = content[0] === 0x1f && content[1] === 0x8b;
  const tar = isPacked ? unpacked(content) : content;
  return tar === undefined ? [] : emptyInTar(tar);
}

/** Undefined if it is damaged, or too large: then nobody can say what is in it. */
function unpacked(content: Buffer): Buffer | undefined {
  try {
    return gunzipSync(content, { maxOutputLength: UNPACKED_MAX });
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

const BLOCK = 512;

function emptyInTar(tar: Buffer): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const text = (from: number, to: number) => tar.toString("utf8", at + from, at + to).replace(/\0.*$/s, "");
    const name = text(0, 100);
    const bytes = Number.parseInt(text(124, 136), 8);
    if (text(257, 262) !== "ustar" || Number.isNaN(bytes)) break;
    // A plain file has the type `0`, or none.
    if (bytes === 0 && /^0?$/.test(text(156, 157))) found.push(name);
    at += BLOCK + Math.ceil(bytes / BLOCK) * BLOCK;
  }
  return found;
}

const ZIP_ENTRY = Buffer.from("PK\x01\x02", "latin1");

/** The list at the end of the archive names every file in it. */
function emptyInZip(zip: Buffer): readonly string[] {
  const found: string[] = [];
  for (let at = zip.indexOf(ZIP_ENTRY); at !== -1 && at + 46 <= zip.length; at = zip.indexOf(ZIP_ENTRY, at + 4)) {
    const name = zip.toString("utf8", at + 46, at + 46 + zip.readUInt16LE(at + 28));
    if (zip.readUInt32LE(at + 24) === 0 && !name.endsWith("/")) found.push(name);
  }
  return found;
}
