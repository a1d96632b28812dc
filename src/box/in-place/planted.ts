import { type Dirent, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { mayBeFollowed, protectionOf } from "../../core/classify/protect.ts";
import { NOT_THERE } from "../folder-names.ts";

// What a program that changes files where they are could leave for somebody else to run: a repository in a folder (git starts what its
// settings name), and files that editors, agents, shells and package managers follow, however deep. Names are enough for that, and a
// folder whose stamp is the same has the same names. So a look reads only folders that were changed.

/** With more than this, looking would take seconds before every call of an agent. */
const FOLDERS_MAX = 200_000;
/** Each place that was there before is a mount of its own, and the time that bubblewrap needs grows with the square of their number. */
const PLACES_MAX = 400;
/** The kernel's clock for stamps is coarse: a folder that was changed just now may be changed again under the same stamp. */
const SURE_AFTER_MS = 2_000;

export class Unfinished extends Error {}

/** Packages are what a registry gave, and may bring such files. A repository among them is looked for all the same. */
const PACKAGES: ReadonlySet<string> = new Set(["node_modules", "site-packages", "dist-packages"]);

type Folder = { stamp: string; sure: boolean; folders: readonly string[]; places: readonly string[] };

/** Looks through folders again and again. */
export class PlantedLook {
  readonly #roots: readonly string[];
  #known: ReadonlyMap<string, Folder> = new Map();
  /** Folders that could not be read at the beginning: what is in them is not the program's. */
  readonly #closed = new Set<string>();
  /** The places, and where those lead that are links: a link cannot be mounted over, so it can be replaced. */
  readonly #before = new Map<string, string | undefined>();
  #isFirst = true;

  /** `roots`: the folders that can be changed, without links in their paths. */
  constructor(roots: readonly string[]) {
    this.#roots = roots;
    const found = this.#look();
    if (found.length > PLACES_MAX)
      throw new Unfinished(
        `${roots[0]} has more than ${PLACES_MAX} files and folders that git, agents and editors follow, too many to protect in a box that changes files where they are`,
      );
    for (const path of found) this.#before.set(path, linkAt(path));
    this.#isFirst = false;
  }

  /** What was there at the beginning, without links. */
  before(): readonly string[] {
    return [...this.#before].flatMap(([path, link]) => (link === undefined ? [path] : []));
  }

  /** What was not. Throws `Unfinished` if not everything could be looked at. */
  appeared(): readonly string[] {
    const isKnown = (path: string) => this.#before.has(path) && this.#isSameLink(path);
    return this.#look().filter((path) => !isKnown(path));
  }

  #isSameLink(path: string): boolean {
    const link = this.#before.get(path);
    return link === undefined || link === linkAt(path);
  }

  #look(): readonly string[] {
    const next = new Map<string, Folder>();
    const found: string[] = [];
    const nowMs = Date.now();
    const waiting = this.#roots.map((path) => ({ path, rest: "", isPackage: false }));
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const { path, rest, isPackage } = one;
      const folder = this.#read(path, { rest, isPackage, nowMs });
      if (folder === undefined) continue;
      next.set(path, folder);
      if (next.size > FOLDERS_MAX) throw new Unfinished(`${this.#roots[0]} has more than ${FOLDERS_MAX} folders`);
      for (const name of folder.places) found.push(`${path}/${name}`);
      for (const name of folder.folders)
        waiting.push({ path: `${path}/${name}`, rest: `${rest}/${name}`, isPackage: isPackage || PACKAGES.has(name) });
    }
    this.#known = next;
    return found;
  }

  #read(path: string, at: { rest: string; isPackage: boolean; nowMs: number }): Folder | undefined {
    if (this.#closed.has(path)) return undefined;
    const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
    // It is gone, or something else is there, which the folder above names.
    if (stats?.isDirectory() !== true) return undefined;
    const stamp = `${stats.dev} ${stats.ino} ${stats.ctimeNs}`;
    const known = this.#known.get(path);
    if (known?.sure === true && known.stamp === stamp) return known;
    const sure = Number(stats.ctimeNs / 1_000_000n) < at.nowMs - SURE_AFTER_MS;
    const entries = this.#entries(path);
    return entries && { stamp, sure, ...sorted(entries, at) };
  }

  #entries(path: string): readonly Dirent[] | undefined {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (!NOT_THERE.has(code)) throw error;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      if (!this.#isFirst) throw new Unfinished(`${path} cannot be read`);
      this.#closed.add(path);
      return undefined;
    }
  }
}

function linkAt(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}

/** The names in a folder that are followed, and the folders to look into. */
function sorted(entries: readonly Dirent[], { rest, isPackage }: { rest: string; isPackage: boolean }) {
  const folders: string[] = [];
  const places: string[] = [];
  for (const entry of entries) {
    if (isFollowed(`${rest}/${entry.name}`, entry.name, isPackage)) places.push(entry.name);
    else if (entry.isDirectory()) folders.push(entry.name);
  }
  // Git takes a folder with these three for a repository, without `.git`.
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  const isBare = names.has("head") && ((names.has("objects") && names.has("refs")) || names.has("commondir"));
  if (isBare) places.push(...entries.flatMap(({ name }) => (BARE.has(name.toLowerCase()) ? [name] : [])));
  return { folders: isBare ? folders.filter((name) => !BARE.has(name.toLowerCase())) : folders, places };
}

const BARE: ReadonlySet<string> = new Set(["head", "config", "hooks"]);

function isFollowed(path: string, name: string, isPackage: boolean): boolean {
  // Nearly all names are names of nothing that is followed, and looking up each path would take most of the time.
  if (!mayBeFollowed(name)) return false;
  const found = protectionOf(isPackage ? `/${name}` : path, "write");
  // That a folder looks like a repository is seen by its names together.
  if (found?.class !== "permissions.change" || found.what === "git_repository") return false;
  return !isPackage || found.what === "git_hooks_and_settings";
}
