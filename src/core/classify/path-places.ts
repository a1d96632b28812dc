import type { Level, PathTarget, Reach } from "../effect.ts";
import type { Message } from "../messages/message.ts";
import { remadeFolder } from "../tables/protected/caches.ts";
import { isBracketed } from "../values/glob.ts";
import type { Knowledge, LinksMet } from "./knowledge.ts";
import { isAbsolute, isOfSystem, isUnder, normalise, PATH_MAX, spellOut } from "./path.ts";
import { type Act, type Protection, protectionOf } from "./protect.ts";

/** One path of a call: every place that it may lead to, and how certain that is. */
export type Located = {
  targets: readonly PathTarget[];
  reach: Extract<Reach, "project" | "host">;
  protection: Protection | undefined;
  /** The disk was looked at to find where the path really leads. */
  factual: boolean;
  doubts: readonly Message[];
};

/** `exact`: the path is used as it is written, so brackets are letters of it. Stars and question marks still count as a pattern. */
export type PathUse = {
  act: Act;
  level: Level;
  deep: boolean;
  exact?: true;
  /** What is there is gone afterwards, and nothing takes its place. */
  removes?: true;
};

/** The folder from which relative paths of a call start. */
export function baseOf(cwd: string | undefined, knowledge: Knowledge): string | undefined {
  return cwd === undefined ? knowledge.project : folderFrom(cwd, knowledge.project, knowledge);
}

/** A folder that is relative to another one. */
export function folderFrom(text: string, base: string | undefined, knowledge: Knowledge): string | undefined {
  const spelled = spellOut(text, from(base, knowledge));
  return spelled.ok ? spelled.raw : undefined;
}

export function locate(text: string, use: PathUse, base: string | undefined, knowledge: Knowledge): Located {
  const spelled = spellOut(text, from(base, knowledge));
  if (!spelled.ok) return unresolved(text, use, spelled.why, knowledge);
  const lexical = seenByOthers(normalise(spelled.raw));
  const real = [...realPlaces(lexical, spelled.raw, knowledge), ...ofProcess(lexical, from(base, knowledge).base)];
  const leads = real.length === 0 ? linksMet(text, base, knowledge).places : real;
  const stays = leads.every((path) => path === lexical) && linkedProject(knowledge) === undefined;
  const places = stays ? [lexical] : [...new Set([lexical, ...leads].map((path) => asInProject(path, knowledge)))];
  const also = leads.flatMap((path) => knowledge.facts?.also?.[path] ?? NOWHERE);
  const known = stays && also.length === 0 ? places : new Set([...places, ...leads, ...also]);
  const { project } = knowledge;
  const protection = isRemade(known, use, knowledge) ? undefined : protectionAmong(known, use, knowledge);
  const level = protection === undefined ? use.level : "admin";
  return {
    targets: places.map((path) => ({
      kind: "path",
      path,
      level,
      recursive: use.deep,
      ...(use.exact === true && isBracketed(path) ? { exact: true } : {}),
    })),
    reach: project !== undefined && places.every((path) => isPartOf(project, path)) ? "project" : "host",
    protection,
    factual: real.length > 0,
    doubts: spelled.doubts,
  };
}

/** Only folders are removed that tools make again. Nothing of the gate is in them. */
function isRemade(places: Iterable<string>, use: PathUse, { own: policies, project, facts }: Knowledge): boolean {
  if (use.removes !== true || project === undefined) return false;
  const around = { policies, state: facts?.own };
  return [...places].every(
    (path) => remadeFolder(path, project) !== undefined && protectionOf(path, use.act, around)?.what !== "own_files",
  );
}

function isPartOf(project: string, path: string): boolean {
  return isUnder(path, project) && !isOfSystem(path) && !isOfSystem(project);
}

/** Whether there is no file at a path, or nobody looked. */
export function mayBeMissing(text: string, base: string | undefined, knowledge: Knowledge): boolean {
  const spelled = spellOut(text, from(base, knowledge));
  const missing = knowledge.facts?.missing;
  if (!spelled.ok || missing === undefined) return true;
  const places = realPlaces(normalise(spelled.raw), spelled.raw, knowledge);
  return places.length === 0 || places.some((place) => missing.includes(place));
}

/** Where the links lead that match a pattern, if the disk was looked at. */
export function linksMet(text: string, base: string | undefined, knowledge: Knowledge): LinksMet {
  const spelled = spellOut(text, from(base, knowledge));
  const met = knowledge.facts?.met;
  return (
    (spelled.ok && met !== undefined && Object.hasOwn(met, spelled.raw) ? met[spelled.raw] : undefined) ?? NONE_MET
  );
}

const NONE_MET: LinksMet = { places: [], files: [], unfinished: false };

/** `/proc/<pid>/root` is the same disk. */
function seenByOthers(path: string): string {
  return path.startsWith("/proc/")
    ? path.replace(/^(\/proc\/(\d+|self|thread-self)(\/task\/\d+)?\/root)+(?=\/|$)/, "") || "/"
    : path;
}

/** `/proc/<pid>/cwd` is the folder of the call, if it is a process of the call. */
function ofProcess(path: string, base: string | undefined): readonly string[] {
  const [start] = path.startsWith("/proc/") && base !== undefined ? (WORKING.exec(path) ?? []) : [];
  return start === undefined ? NOWHERE : [normalise(`${base}/${path.slice(start.length)}`)];
}

const WORKING = /^\/proc\/[^/]+(\/task\/[^/]+)?\/cwd(?=\/|$)/;

/** Where a path really leads, by its normalised and by its written spelling. */
function realPlaces(lexical: string, raw: string, knowledge: Knowledge): readonly string[] {
  if (knowledge.facts === undefined) return NOWHERE;
  const real = realOf(lexical, knowledge);
  const other = raw === lexical ? undefined : realOf(raw, knowledge);
  if (real === undefined) return other === undefined ? NOWHERE : [other];
  return other === undefined ? [real] : [real, other];
}

const NOWHERE: readonly string[] = [];

/** It is unknown where the path leads, but its text may still name something protected. */
function unresolved(text: string, use: PathUse, why: Message, knowledge: Knowledge): Located {
  const path = (text.length > PATH_MAX ? text.slice(-PATH_MAX) : text).trim().replaceAll("\\", "/");
  const letters = path.startsWith("~") ? path.replace(/^~[^/]*/, UNKNOWN_HOME) : "/" + path;
  const protection = protectionAmong([normalise(letters)], use, knowledge);
  return {
    targets: [{ kind: "path", path: text, level: protection === undefined ? use.level : "admin", recursive: use.deep }],
    reach: "host",
    protection,
    factual: false,
    doubts: [why],
  };
}

/** Stands for the unknown home folder of some user. */
const UNKNOWN_HOME = "/home/somebody";

function protectionAmong(paths: Iterable<string>, use: PathUse, knowledge: Knowledge): Protection | undefined {
  const { own: policies, project, facts } = knowledge;
  const around = { policies, state: facts?.own, home: facts?.home, project, deep: use.deep, exact: use.exact };
  let found: Protection | undefined;
  for (const path of paths) {
    const protection = protectionOf(path, use.act, around);
    if (found === undefined || protection?.class === "permissions.change") found = protection ?? found;
  }
  return found;
}

function realOf(path: string, { facts }: Knowledge): string | undefined {
  return facts !== undefined && Object.hasOwn(facts.real, path) ? facts.real[path] : undefined;
}

/** If the project itself is reached by a link, its paths keep the written name, so that patterns relative to it match. */
function asInProject(path: string, knowledge: Knowledge): string {
  const real = linkedProject(knowledge);
  if (real === undefined || !isUnder(path, real)) return path;
  return normalise(knowledge.project + "/" + path.slice(real.length));
}

/** Where the project really is, if its path is a link. */
function linkedProject(knowledge: Knowledge): string | undefined {
  const { project } = knowledge;
  const real = project === undefined ? undefined : realOf(project, knowledge);
  return real === project ? undefined : real;
}

function from(base: string | undefined, { facts }: Knowledge): { base: string | undefined; home: string | undefined } {
  return { base: base === undefined || !isAbsolute(base) ? undefined : base, home: facts?.home };
}
