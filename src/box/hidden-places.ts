import { type Dirent, existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { isUnder } from "../core/classify/path.ts";
import { protectionOf } from "../core/classify/protect.ts";
import { readRows } from "../core/tables/protected.ts";
import { once } from "../core/values/once.ts";
import type { HiddenPlace } from "./bwrap-args.ts";
import { namesIn } from "./folder-names.ts";
import { projectSecrets } from "./project-secrets.ts";
import { unless } from "./rehearsal/tools.ts";

type Looking = { home: string; project: string; reveal: readonly string[] };

/** The places with credentials that exist: in the homes that can be read, in the system's settings, and in the project. */
export function credentialPlaces({ home, project, reveal }: Looking): HiddenPlace[] {
  const found = new Map<string, HiddenPlace>();
  const look = (folder: string, deep: number, how: How): void => {
    for (const entry of namesIn(folder)) {
      const path = `${folder === "/" ? "" : folder}/${entry.name}`;
      if (reveal.some((one) => isUnder(path, one))) continue;
      if (protectionOf(path, "read", how) !== undefined) add(found, path, entry);
      else if (entry.isDirectory() && mayLead(path, deep, how)) look(path, deep + 1, how);
    }
  };
  const { looked, closed } = homesHere([home, project]);
  for (const folder of new Set([home, ...looked])) look(folder, 0, { home: folder, project });
  for (const at of closed) found.set(at, { at, is: "folder" });
  look("/etc", 0, {});
  for (const row of systemRows()) {
    for (const place of placesAt("", row))
      if (!reveal.some((one) => isUnder(place.at, one))) found.set(place.at, place);
  }
  for (const folder of SYSTEM_FOLDERS) if (existsSync(folder)) found.set(folder, { at: folder, is: "folder" });
  const isWide = project === home || project === "/";
  for (const place of projectSecrets(project, reveal, isWide)) found.set(place.at, place);
  return [...found.values()];
}

type How = { home?: string; project?: string };

/** What the table lists below these is found by its name, without looking at every folder of the system. */
const systemRows = once(() =>
  readRows()
    .map(({ path }) => path.split("/"))
    .filter(([top]) => top === "etc" || top === "var"),
);

/** The files and folders that a row of the table stands for. A last `**` is the folder itself. */
function placesAt(folder: string, [name, ...rest]: readonly string[]): readonly HiddenPlace[] {
  if (name === undefined || name === "**") return [];
  const [before = "", after] = name.split("*");
  const names = after === undefined ? [name] : namesIn(folder).map((entry) => entry.name);
  const fitting = names.filter((one) => after === undefined || (one.startsWith(before) && one.endsWith(after)));
  const isLast = rest.length === 0 || rest[0] === "**";
  return fitting.flatMap((one) => {
    const at = `${folder}/${one}`;
    const found = lstatSync(at, { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink()) return [];
    if (!isLast) return found.isDirectory() ? placesAt(at, rest) : [];
    return [{ at, is: found.isDirectory() ? "folder" : "file" } as const];
  });
}

const DEEP_MAX = 3;
/** Programs keep their settings in folders of these, whose names the table cannot know. */
const SETTINGS_FOLDERS = /\/\.(config|local|local\/share|local\/state)$|\/\.(config|local\/share)\/[^/]+$/;
const SYSTEM_FOLDERS = ["/var/lib/cloud", "/var/lib/docker", "/var/lib/kubelet", "/etc/ssl/private"];

function mayLead(path: string, deep: number, how: How): boolean {
  if (deep >= DEEP_MAX) return false;
  const isOfHome = how.home !== undefined && SETTINGS_FOLDERS.test(path.slice(how.home.length));
  return isOfHome || protectionOf(path, "read", { ...how, deep: true }) !== undefined;
}

/** A link is not followed by a mount; where it leads to is looked at under its own path. */
function add(found: Map<string, HiddenPlace>, path: string, entry: Dirent): void {
  if (entry.isDirectory()) found.set(path, { at: path, is: "folder" });
  else if (!entry.isSymbolicLink()) found.set(path, { at: path, is: "file" });
}

/** Looking into a home takes time, and so does each mount. */
const HOMES_MAX = 16;

/**
 * Whoever runs as root can read the homes of everybody. In a few homes only the credentials are hidden. Many homes are hidden as a
 * whole, except what the box is for, in which credentials are looked for as always.
 */
function homesHere(needed: readonly string[]): { looked: readonly string[]; closed: readonly string[] } {
  const homes = namesIn("/home").flatMap((entry) => (entry.isDirectory() ? [`/home/${entry.name}`] : []));
  if (homes.length <= HOMES_MAX) return { looked: ["/root", ...homes], closed: [] };
  const isNeeded = (one: string) => needed.some((path) => isUnder(path, one));
  return { looked: ["/root", ...homes.filter(isNeeded)], closed: ["/home"] };
}

/**
 * Sockets of programs outside: a read-only mount does not keep a program from connecting to one. Linux lists all that are
 * open.
 */
export function socketPlaces(reveal: readonly string[]): HiddenPlace[] {
  const paths = new Set<string>();
  for (const line of readFileSync("/proc/net/unix", "utf8").split("\n")) {
    const path = line.slice(line.indexOf("/"));
    if (line.includes(" /")) paths.add(path);
  }
  // Many programs name their sockets by `/var/run`, which is a link. Nothing can be mounted on a path with links.
  const places = [...paths].flatMap((at) => (reveal.includes(at) ? [] : (realPlace(at) ?? [])));
  return [...new Set(places)].filter((at) => !reveal.includes(at)).map((at) => ({ at, is: "file" as const }));
}

/** Undefined if nothing is there any more, or if nobody in the box could get there either. */
function realPlace(at: string): string | undefined {
  return existsSync(at) ? unless(["ENOENT", "ENOTDIR", "EACCES"], () => realpathSync.native(at)) : undefined;
}
