import { createHash } from "node:crypto";
import type { BoxReport, Rehearsals } from "../../box-port.ts";

// Git can put a file back to what it has of it, and then the work that was in the file is gone.

type Rehearsal = NonNullable<BoxReport["rehearsal"]>;

/** A file that may have been put back: its path, and the names that git has for its new content, as it is and with the line ends of git. */
export type PutBack = { path: string; ids: readonly string[] };

/** Larger files are not read: they count as put back under a name that git does not know. */
const BYTES_MAX = 16 * 1024 * 1024;

/** The changed files outside of the repository. Whether git had their new content before, only git can say. */
export async function mayBePutBack(rehearsals: Pick<Rehearsals, "bytes">, of: Rehearsal): Promise<readonly PutBack[]> {
  const found: PutBack[] = [];
  for (const { path, was, now } of of.changes) {
    const isChanged = was?.kind === "file" && now?.kind === "file" && was.hash !== now.hash;
    if (!isChanged || was.bytes === 0 || path.startsWith(".git/")) continue;
    const bytes = await rehearsals.bytes(of.name, path, "now", BYTES_MAX);
    if (bytes === undefined || bytes.length >= BYTES_MAX) continue;
    const text = Buffer.from(bytes).toString("latin1").replaceAll("\r\n", "\n");
    found.push({ path, ids: [...new Set([bytes, Buffer.from(text, "latin1")].map(blobName))] });
  }
  return found;
}

function blobName(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/**
 * For each name of a new content and the path: the name of the content before, and the path, if git had the new content and has not
 * the one before.
 */
export const LOST_CONTENT = `
xargs -0 -n2 sh -c '
git cat-file -e "$1" 2>/dev/null || exit 0
id=$(git hash-object -- "$2") && git cat-file -e "$id" 2>/dev/null && exit 0
printf "%s %s\\0" "$id" "$2"' sh
`;

/** The paths in such an answer whose former content the command did not put into the repository either, as a stash does. */
export function lostIn(answer: string, { changes }: Rehearsal): readonly string[] {
  const added = new Set(changes.flatMap(({ path, now }) => (now === null ? [] : objectAt(path))));
  const lines = answer.split("\0").filter((line) => line !== "");
  const lost = lines.map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)] as const);
  return [...new Set(lost.filter(([id]) => !added.has(id)).map(([, path]) => path))];
}

/** `.git/objects/ab/cdef…` is the object with the name `abcdef…`. */
function objectAt(path: string): readonly string[] {
  const [, start, rest] = /^\.git\/objects\/([0-9a-f]{2})\/([0-9a-f]{38,62})$/.exec(path) ?? [];
  return start === undefined || rest === undefined ? [] : [start + rest];
}
