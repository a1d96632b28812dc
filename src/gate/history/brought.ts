import { protectionOf } from "../../core/classify/protect.ts";
import { headOf, newObject, type Reading, type Rehearsal } from "./taken.ts";

// A commit can have a file that the folder does not have: code can make one by git's own tools. Whoever checks the commit out,
// or pushes it, then has a protected file that nobody was asked about.

/** A file or folder of a commit or of the index, by its path in the repository. */
export type Brought = { path: string; id: string };

/** What a repository had: every file and folder of the commit that HEAD led to, by its path. */
export type Listing = ReadonlyMap<string, string>;

const COMMITS_MAX = 1000;
const ENTRIES_MAX = 200_000;

/**
 * The protected files that new commits have and that the commit before had not, or not in this form. Undefined if there is too
 * much to look at.
 */
export async function broughtByCommits(
  read: Reading,
  { changes }: Rehearsal,
  { project, listing }: { project: string; listing: Listing },
): Promise<readonly Brought[] | undefined> {
  const waiting: string[] = [];
  for (const { path, now } of changes) {
    if (now?.kind !== "file" || !/^\.git\/(HEAD$|refs\/)/.test(path)) continue;
    const to = (await read(path.slice(".git/".length), "now"))?.toString("latin1").trim();
    if (to !== undefined) waiting.push(to);
  }
  const found: Brought[] = [];
  const seen = new Set<string>();
  const room = { entries: ENTRIES_MAX };
  const added = new Set(changes.map(({ path }) => path));
  for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
    if (seen.has(commit)) continue;
    seen.add(commit);
    if (seen.size > COMMITS_MAX) return undefined;
    const object = await newObject(commit, read);
    // An object that is too large to be read could have anything in it.
    if (object === undefined && added.has(fileOf(commit))) return undefined;
    const head = headOf(object);
    if (head === undefined) {
      const [, tagged] = /^tag \d+\0object ([0-9a-f]+)$/m.exec(object?.toString("latin1") ?? "") ?? [];
      if (tagged !== undefined) waiting.push(tagged);
      continue;
    }
    waiting.push(...[...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id = ""]) => id));
    const [, tree = ""] = /^commit \d+\0tree ([0-9a-f]+)$/m.exec(head) ?? [];
    await walk({ path: "", id: tree }, { read, project, listing, found, room, added });
    if (room.entries < 0) return undefined;
  }
  return found;
}

type Walking = {
  read: Reading;
  project: string;
  listing: Listing;
  found: Brought[];
  room: { entries: number };
  added: ReadonlySet<string>;
};

function fileOf(id: string): string {
  return `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`;
}

/** Only what is new is looked into: everything else was in a commit before. */
async function walk(folder: Brought, walking: Walking): Promise<void> {
  const object = await newObject(folder.id, walking.read);
  if (object === undefined && walking.added.has(fileOf(folder.id))) walking.room.entries = -1;
  if (object === undefined) return noteOldFolder(folder, walking);
  for (const { name, id, isFolder } of entriesOf(object, folder.id.length / 2)) {
    walking.room.entries--;
    if (walking.room.entries < 0) return;
    const path = folder.path === "" ? name : `${folder.path}/${name}`;
    if (walking.listing.get(path) === id) continue;
    if (isFolder) await walk({ path, id }, walking);
    else if (isGuarded(path, walking.project)) walking.found.push({ path, id });
  }
}

/** A folder that an earlier commit had at another place, or in another form, under a name that can be protected. */
function noteOldFolder(folder: Brought, walking: Walking): void {
  const isDotted = /(^|\/)\./.test(folder.path);
  if (folder.path !== "" && (isDotted || isGuarded(`${folder.path}/x`, walking.project))) walking.found.push(folder);
}

/** A protected file, or one with credentials: a box shows it empty, so a command would put an empty one in its place. */
export function isGuarded(path: string, project: string): boolean {
  return protectionOf(`${project}/${path}`, "write", { project }) !== undefined || isHidden(path, project);
}

export function isHidden(path: string, project: string): boolean {
  return protectionOf(`${project}/${path}`, "read", { project }) !== undefined;
}

function* entriesOf(object: Buffer, idBytes: number) {
  let at = object.indexOf(0) + 1;
  if (!object.subarray(0, at).toString("latin1").startsWith("tree ")) return;
  while (at < object.length) {
    const end = object.indexOf(0, at);
    if (end === -1) return;
    const [mode = "", ...rest] = object.subarray(at, end).toString("utf8").split(" ");
    const id = object.subarray(end + 1, end + 1 + idBytes).toString("hex");
    yield { name: rest.join(" "), id, isFolder: mode === "40000" };
    at = end + 1 + idBytes;
  }
}
