import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import type { Rehearsals } from "../../box-port.ts";
import type { FileChange } from "../../core/box.ts";

// Code that runs together with git can write in the repository too. Git itself only adds: objects, commits on top of those
// that were there, and lines of its logs. Whatever is not such an addition may take something from the history.

export type Rehearsal = { name: string; changes: readonly FileChange[] };
type Bytes = Pick<Rehearsals, "bytes">;
export type Reading = (path: string, which: "was" | "now") => Promise<Buffer | undefined>;

/** What the branches and tags of a repository led to, by their names. Those that are packed have no file of their own. */
export type Refs = ReadonlyMap<string, string>;

/** The commit that HEAD was, with those before it, and whether a remote or a tag has it too. */
export type Former = { id: string; parents: readonly string[]; isShared: boolean };

/** Reads what a rehearsal changed in the repository. */
export function readingOf(rehearsals: Bytes, { name }: Rehearsal): Reading {
  return async (path, which) => {
    const max = path === "index" ? INDEX_BYTES_MAX : BYTES_MAX;
    const bytes = await rehearsals.bytes(name, `.git/${path}`, which, max);
    // What was cut off could be anything.
    return bytes === undefined || bytes.length >= max ? undefined : Buffer.from(bytes);
  };
}

/**
 * The changes of a repository that could take something away, by their paths in the project. Without the branches and tags
 * that there were, every new one could take the place of another.
 */
export async function takenFromHistory(
  read: Reading,
  { changes }: Rehearsal,
  refs: Refs | undefined,
  former: Former | undefined,
): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const change of changes) {
    if (!change.path.startsWith(".git/") || (await isAddition(change, read, refs))) continue;
    if (await isElsewhere(change, changes, read)) continue;
    if (await isFinished(change, changes, read)) continue;
    if (!(await isAmended(change, changes, { read, refs, former }))) taken.push(change.path);
  }
  return taken;
}

/** Git kept it under another name: a renamed branch, or what HEAD was, which the log of HEAD still has. */
async function isElsewhere(
  { path, was, now }: FileChange,
  all: readonly FileChange[],
  read: Reading,
): Promise<boolean> {
  const at = path.slice(".git/".length);
  if (BISECTING.test(at)) return true;
  if (at === "HEAD")
    return now?.kind === "file" && all.some((one) => one.path === ".git/logs/HEAD" && one.now !== null);
  if (now !== null || was === null || !/^(logs\/)?refs\/heads\//.test(at)) return false;
  // A folder goes with what was in it.
  if (was.kind === "folder") return true;
  const former = await read(at, "was");
  const kind = at.slice(0, at.indexOf("refs/heads/"));
  for (const one of all) {
    if (one.was !== null || !one.path.startsWith(`.git/${kind}refs/heads/`) || former === undefined) continue;
    const added = await read(one.path.slice(".git/".length), "now");
    if (added?.subarray(0, former.length).equals(former) === true) return true;
  }
  return false;
}

/** What git keeps while it merges, picks or reverts a commit. It removes that when the commit is made, and a merge is in the commit. */
async function isFinished({ path, was, now }: FileChange, all: readonly FileChange[], read: Reading): Promise<boolean> {
  const at = path.slice(".git/".length);
  if (was?.kind !== "file" || now !== null) return false;
  // Only what git shows of a merge is found by it.
  if (at === "AUTO_MERGE") return true;
  if (!MERGING.test(at)) return false;
  const merged = at === "MERGE_HEAD" ? ((await read(at, "was"))?.toString("latin1").trim().split("\n") ?? [""]) : [];
  for (const one of all) {
    if (!/^\.git\/(HEAD$|refs\/heads\/)/.test(one.path) || one.now?.kind !== "file") continue;
    const id = (await read(one.path.slice(".git/".length), "now"))?.toString("latin1").trim() ?? "";
    const made = headOf(await newObject(id, read));
    if (made !== undefined && merged.every((parent) => parentsIn(made).includes(parent))) return true;
  }
  return false;
}

const MERGING = /^(MERGE_(HEAD|MSG|MODE)|SQUASH_MSG|CHERRY_PICK_HEAD|REVERT_HEAD)$/;

type Before = { read: Reading; refs: Refs | undefined; former: Former | undefined };

/** The last commit of a branch was made again, nobody else has the former one, and the log of HEAD still has it. */
async function isAmended({ path, now }: FileChange, all: readonly FileChange[], { read, refs, former }: Before) {
  const at = path.slice(".git/".length);
  if (!at.startsWith("refs/heads/") || now?.kind !== "file" || former === undefined || former.isShared) return false;
  if (refs?.get(at) !== former.id || !all.some((one) => one.path === ".git/logs/HEAD" && one.now !== null))
    return false;
  const to = (await read(at, "now"))?.toString("latin1").trim() ?? "";
  const log = (await read("logs/HEAD", "now"))?.toString("latin1") ?? "";
  const made = headOf(await newObject(to, read));
  const isKept = log.split("\n").some((line) => line.startsWith(`${former.id} ${to} `));
  return made !== undefined && isKept && parentsIn(made).join() === former.parents.join();
}

/** What git keeps while it looks for a commit. The commits themselves stay where they are. */
const BISECTING = /^(BISECT_[A-Z_]+|refs\/bisect(\/.*)?|logs\/refs\/bisect(\/.*)?)$/;

const BYTES_MAX = 4 * 1024 * 1024;
/** A hundred bytes for each file of the repository. */
const INDEX_BYTES_MAX = 64 * 1024 * 1024;
const OBJECT = /^objects\/[0-9a-f]{2}(\/[0-9a-f]{38,62})?$/;
const REPLACED_EACH_TIME = new Set(["index", "ORIG_HEAD", "COMMIT_EDITMSG", "AUTO_MERGE"]);

async function isAddition({ path, was, now }: FileChange, read: Reading, refs: Refs | undefined): Promise<boolean> {
  const at = path.slice(".git/".length);
  if (now === null || now.kind === "link") return false;
  if (at.startsWith("objects/")) return was === null && OBJECT.test(at);
  if (REPLACED_EACH_TIME.has(at)) return now.kind === "file" && now.bytes > 0;
  // Git shows such a commit in place of another one.
  if (at.startsWith("refs/replace")) return false;
  if (was === null && now.kind === "folder" && (at === "refs" || at === "logs")) return true;
  if (was === null && at.startsWith("refs/") && now.kind === "file") return isNewRef(at, read, refs);
  if (was === null) return at.startsWith("refs/") || at.startsWith("logs/");
  if (was.kind !== "file" || now.kind !== "file") return false;
  const [before, after] = [await read(at, "was"), await read(at, "now")];
  if (before === undefined || after === undefined) return false;
  if (at.startsWith("logs/")) return after.subarray(0, before.length).equals(before);
  // Earlier stashes are only in its log.
  if (at === "refs/stash") return true;
  const [from, to] = [before.toString("latin1").trim(), after.toString("latin1").trim()];
  if (at === "HEAD" && BRANCH.test(from)) return BRANCH.test(to);
  return (at === "HEAD" || at.startsWith("refs/")) && leadsBack(to, from, read);
}

async function isNewRef(at: string, read: Reading, refs: Refs | undefined): Promise<boolean> {
  const former = refs?.get(at);
  if (refs === undefined || former === undefined) return refs !== undefined;
  // Earlier stashes are only in its log.
  if (at === "refs/stash") return true;
  const to = (await read(at, "now"))?.toString("latin1").trim();
  return to !== undefined && leadsBack(to, former, read);
}

const BRANCH = /^ref: refs\/heads\/\S+$/;
const COMMITS_MAX = 1000;

/** Whether a new commit has the former one among those before it. All between them must be new, too. */
async function leadsBack(to: string, from: string, read: Reading): Promise<boolean> {
  const waiting = [to];
  const seen = new Set(waiting);
  for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
    if (commit === from) return true;
    if (seen.size > COMMITS_MAX) return false;
    for (const parent of await parentsOf(commit, read)) {
      if (!seen.has(parent)) waiting.push(parent);
      seen.add(parent);
    }
  }
  return false;
}

async function parentsOf(commit: string, read: Reading): Promise<readonly string[]> {
  const head = headOf(await newObject(commit, read));
  return head === undefined ? [] : parentsIn(head);
}

function parentsIn(head: string): readonly string[] {
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id = ""]) => id);
}

/** The lines before the message of a commit; undefined if it is none. */
export function headOf(object: Buffer | undefined): string | undefined {
  const [head = ""] = object?.toString("latin1").split("\n\n", 1) ?? [];
  return head.startsWith("commit ") ? head : undefined;
}

/** An object that the rehearsed command added, with its header; undefined if there is none, or if it is not what its name says. */
export async function newObject(id: string, read: Reading): Promise<Buffer | undefined> {
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return undefined;
  const packed = await read(`objects/${id.slice(0, 2)}/${id.slice(2)}`, "now");
  const object = packed === undefined ? undefined : inflated(packed);
  const hash = createHash(id.length === 40 ? "sha1" : "sha256");
  return object !== undefined && hash.update(object).digest("hex") === id ? object : undefined;
}

function inflated(bytes: Buffer): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: BYTES_MAX });
  } catch (error) {
    // No object of git: it leads nowhere.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
