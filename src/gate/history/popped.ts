import { createHash } from "node:crypto";
import type { FileChange } from "../../core/box.ts";
import type { Reading, Rehearsal } from "./taken.ts";

// `git stash pop` takes a stash away after it has put the stashed work back. If all of that work is in the folder then, nothing is lost.

const REF = ".git/refs/stash";
const LOG = ".git/logs/refs/stash";

/** What git says about the newest stash: what differs from the commit it was made on, what differs from the index, and its new files. */
export const STASHED = `
export GIT_GRAFT_FILE=/dev/null
git rev-parse -q --verify refs/stash^2 >/dev/null || exit 0
git --no-replace-objects diff-tree -r -z --no-renames refs/stash^1 refs/stash || exit 1
printf '=\\0'
git --no-replace-objects diff-tree -r -z --no-renames refs/stash^2 refs/stash || exit 1
printf '=\\0'
git rev-parse -q --verify refs/stash^3 >/dev/null || exit 0
git --no-replace-objects ls-tree -r -z refs/stash^3 || exit 1
`;

/** Whether the changes take a stash away, so that git has to be asked about it. */
export function takesStash(taken: readonly string[]): boolean {
  return taken.includes(LOG);
}

/** What is taken from the history without a stash whose work is all in the folder now. */
export async function withoutPopped(
  taken: readonly string[],
  said: string | undefined,
  { read, bytes }: { read: Reading; bytes: (path: string) => Promise<Uint8Array | undefined> },
  { changes }: Rehearsal,
): Promise<readonly string[]> {
  const stashed = said === undefined ? undefined : stashedIn(said);
  if (stashed === undefined || !(await isOneDropped(changes, read))) return taken;
  const byPath = new Map(changes.map((change) => [change.path, change]));
  for (const [path, file] of stashed) if (!(await isThere(file, byPath.get(path), bytes))) return taken;
  return taken.filter((path) => path !== REF && path !== LOG);
}

/** The newest stash alone is gone: the log has one line less, and the stash is the one of the line before. */
async function isOneDropped(changes: readonly FileChange[], read: Reading): Promise<boolean> {
  const [ref, log] = [REF, LOG].map((path) => changes.find((change) => change.path === path));
  const before = await linesOf("logs/refs/stash", "was", read);
  if (log === undefined || ref === undefined || before === undefined) return false;
  if (before.length === 1) return log.now === null && ref.now === null;
  const after = await linesOf("logs/refs/stash", "now", read);
  const now = (await read("refs/stash", "now"))?.toString("latin1").trim();
  const isShorter = after?.join("\n") === before.slice(0, -1).join("\n");
  return isShorter && now !== undefined && before.at(-2)?.split(" ")[1] === now;
}

async function linesOf(at: string, which: "was" | "now", read: Reading): Promise<readonly string[] | undefined> {
  return (await read(at, which))?.toString("latin1").trimEnd().split("\n");
}

/** A file of a stash: its mode and the name that git has for its content; null if the stash removes it. */
type StashedFile = { mode: string; id: string } | null;

/** Undefined if something was only in the index: `git stash pop` does not put that back. */
function stashedIn(said: string): ReadonlyMap<string, StashedFile> | undefined {
  const words = said.split("\0");
  const [differs, afterFirst] = pairsIn(words, 0);
  const [staged, afterSecond] = pairsIn(words, afterFirst);
  if (afterSecond > words.length) return undefined;
  const known = new Set(differs.map((pair) => pair.join("\0")));
  if (staged.some((pair) => !known.has(pair.join("\0")))) return undefined;
  const files = new Map<string, StashedFile>();
  for (const [about, path] of differs) {
    const [, mode = "", , id = ""] = about.split(" ");
    files.set(path, /^0+$/.test(id) ? null : { mode, id });
  }
  for (const line of words.slice(afterSecond).filter((one) => one !== "")) {
    const tab = line.indexOf("\t");
    const [mode = "", , id = ""] = line.slice(0, tab).split(" ");
    files.set(line.slice(tab + 1), { mode, id });
  }
  return files;
}

type Pair = readonly [about: string, path: string];

/** `:100644 100644 ID ID M` and the path, until the sign that ends the list; and where the next list begins. */
function pairsIn(words: readonly string[], from: number): [pairs: readonly Pair[], next: number] {
  const found: Pair[] = [];
  let at = from;
  for (; at < words.length && words[at] !== "="; at += 2) found.push([words[at] ?? "", words[at + 1] ?? ""]);
  return [found, at + 1];
}

async function isThere(
  file: StashedFile,
  change: FileChange | undefined,
  bytes: (path: string) => Promise<Uint8Array | undefined>,
): Promise<boolean> {
  if (change === undefined) return false;
  const { now, path } = change;
  if (file === null) return now === null;
  if (now?.kind !== "file" || file.mode !== ((now.mode & 0o100) === 0 ? "100644" : "100755")) return false;
  const content = await bytes(path);
  if (content === undefined || content.length !== now.bytes) return false;
  const hash = createHash(file.id.length === 40 ? "sha1" : "sha256");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex") === file.id;
}
