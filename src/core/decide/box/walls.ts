import type { Box, BoxLimits, Walls } from "../../box.ts";
import type { ToolCall } from "../../call.ts";
import { isAbsolute, isUnder, normalise, parentOf } from "../../classify/path.ts";
import { protectionOf } from "../../classify/protect.ts";
import type { Decision } from "../../decision.ts";
import { type Effect, levelSatisfies, type Part, type PathTarget } from "../../effect.ts";
import { programOf } from "../../tables/launchers.ts";
import { isWildName } from "../../values/glob.ts";
import type { Standing } from "../standing.ts";
import { givesCommands } from "../tool-view.ts";
import {
  type BoxOffer,
  isAllProtected,
  isAmongTemporary,
  isBeyondWalls,
  isFileDatabase,
  isTemporaryPattern,
  isUnnamedCode,
  worksOffline,
} from "./fits.ts";
import { boundedParts, wantsNoBox } from "./lift.ts";
import { offerIn, openerOf } from "./offer.ts";
import { readableFor, toolsFor } from "./packages.ts";
import { CHANGES_FILES, linesOf, pathsOf } from "./part-words.ts";

/** The box that a decided call must run in; undefined if walls could not be as wide as what was decided. */
export function boxFor(
  call: ToolCall,
  effect: Effect,
  standing: Standing,
  { outcome }: Pick<Decision, "outcome">,
  lifted: "box" | "grant" | undefined,
): Box | undefined {
  const box = offerIn(standing);
  if (box === undefined || !givesCommands(call.tool) || (outcome !== "run" && outcome !== "pending")) return undefined;
  const settings = settingsOf(standing, box);
  if (lifted === "box") return { because: "enough", ...aroundCode(effect, standing, box) };
  if (lifted === "grant") return grantedBox(call, effect, standing);
  if (!settings.enforces || wantsNoBox(effect)) return undefined;
  const walls = enforcedWalls(effect, box);
  if (walls === undefined) return undefined;
  const rehearsed = box.rehearses && outcome === "run" && mayOverwrite(effect, box);
  // Otherwise nothing would keep what was in the file, and nobody would have been asked.
  const isSafe = rehearsed || outcome === "pending" || standing.permit !== undefined;
  const shown = isSafe ? { ...walls, reveal: [...walls.reveal, ...replacedSecrets(effect, box)] } : walls;
  return { because: "enforced", walls: limited(withTools(shown, effect, box), settings), rehearsed };
}

/** Programs that write a file without a look at what was in it, with options that keep no copy of that. */
const REPLACERS: ReadonlySet<string> = new Set("cp install tee cat echo printf".split(" "));
const PLAIN_OPTION = /^-[afinpv]+$/;

/**
 * Files with credentials in the project that the command replaces by its words: `cp .env.example .env`. A box hides them, and what is
 * hidden cannot be written. They are shown only if nothing in the command can read them.
 */
function replacedSecrets({ parts }: Effect, { project }: BoxOffer): readonly string[] {
  const isNamed = ({ path, recursive }: PathTarget) => !recursive && !isWildName(path);
  const isReplacer = ([program = "", ...words]: readonly string[]) =>
    REPLACERS.has(program) && words.every((word) => !word.startsWith("-") || PLAIN_OPTION.test(word));
  const isBlind = (part: Part) =>
    part.class === "none" ||
    (["fs.read", "fs.write", "fs.copy"].includes(part.class) &&
      pathsOf(part).every(isNamed) &&
      linesOf(part).every(isReplacer));
  if (!parts.every(isBlind)) return [];
  const written = parts.flatMap(pathsOf).filter(({ level }) => levelSatisfies(level, "write"));
  const isSecret = (path: string) => isUnder(path, project) && protectionOf(path, "read", { project }) !== undefined;
  return [...new Set(written.map(({ path }) => path))].filter(isSecret);
}

/**
 * Walls are around all of a command or around none of it. If one part needs more than walls can hold, the others would run without a copy
 * of the project and with credentials in sight, so the standing is marked, and presets ask about parts that need walls.
 */
export function markBareCall(call: ToolCall, effect: Effect, standing: Standing): Standing {
  const { box } = standing;
  // What is not fully understood asks anyway.
  if (box === undefined || !givesCommands(call.tool) || effect.understood !== "fully") return standing;
  const isBare = wantsNoBox(effect) || enforcedWalls(effect, box) === undefined;
  return isBare && settingsOf(standing, box).enforces ? { ...standing, box: { ...box, bare: true } } : standing;
}

const IN_PLACE: ReadonlySet<string> = new Set(["fs.write", "fs.copy", "fs.move", "fs.delete"]);
const BESIDE: ReadonlySet<string> = new Set(["none", "fs.read", "fs.mkdir"]);

/**
 * Whether a command that nobody is asked about may overwrite or remove files of the project. Then it is rehearsed, so that the
 * former files are kept for an undo. Not if it reads from the network.
 */
function mayOverwrite({ parts }: Effect, { ownRepository }: BoxOffer): boolean {
  // A repository outside of the project has no view.
  const isGit = (part: Part) => ownRepository === true && throwsAway(part);
  const isInPlace = (part: Part) => IN_PLACE.has(part.class) || isGit(part);
  return (
    parts.every((part) => isInPlace(part) || BESIDE.has(part.class)) &&
    parts.some((part) => isInPlace(part) && part.reach === "project")
  );
}

const THROW_AWAY: ReadonlySet<string> = new Set("checkout clean reset restore rm switch".split(" "));

/** Whether git may throw work away that no commit has. */
function throwsAway({ class: kind, targets }: Part): boolean {
  const lines = targets.flatMap((target) => (target.kind === "command" ? [target.words] : []));
  return kind === "git.write" && lines.length > 0 && lines.every((words) => words.some((word) => THROW_AWAY.has(word)));
}

/** The box in which a grant that holds only in a box lets a call run; undefined if walls cannot bound the call. */
export function grantedBox(call: ToolCall, effect: Effect, standing: Standing): Box | undefined {
  const box = offerIn(standing);
  if (box === undefined || !givesCommands(call.tool) || effect.understood !== "fully" || wantsNoBox(effect))
    return undefined;
  const walls = enforcedWalls(effect, box);
  const settings = settingsOf(standing, box);
  if (walls !== undefined) return { because: "granted", walls: limited(walls, settings), rehearsed: false };
  const isBounded = boundedParts(effect, { ...box, packages: readableFor(effect, standing) }) !== undefined;
  return isBounded ? { because: "granted", ...aroundCode(effect, standing, box) } : undefined;
}

/** Walls around code, and whether what it changes is looked at before it is applied. */
function aroundCode(effect: Effect, standing: Standing, box: BoxOffer): Omit<Box, "because"> {
  const settings = settingsOf(standing, box);
  const isUnread = effect.understood !== "fully" || effect.parts.some((part) => isRehearsed(part, box));
  const packages = readableFor(effect, standing);
  const tools = toolsFor(effect, standing);
  const walls = {
    ...limited(unreadWalls(effect, box, settings), settings),
    ...(packages.length === 0 ? {} : { packages }),
    ...(tools.length > 0 || box.tools === true ? { tools } : {}),
  };
  return {
    walls,
    rehearsed: box.rehearses && isUnread,
  };
}

/**
 * What code changes, and what is removed, is looked at before it is applied. Git starts hooks, and these are code too. In a
 * command that is understood only partly, a variable or a word may start code that no part names.
 */
function isRehearsed(part: Part, box: BoxOffer): boolean {
  const { ownRepository, project } = box;
  const { class: kind, reach } = part;
  if (kind === "git.write") return ownRepository === true;
  // A file that is moved out of the project is gone from it.
  if (kind === "fs.move") return pathsOf(part).some(({ path }) => isAmongTemporary(path, project));
  if (isUnnamedCode(part, box)) return true;
  // Build files are protected: where files are changed in place, no word of a command could change them.
  if (kind === "deploy.write") return pathsOf(part).some(({ path }) => isUnder(path, project));
  if (kind !== "fs.delete") return kind === "process.exec";
  return reach === "project" || isAllProtected(part) || pathsOf(part).some(({ path }) => isUnder(path, project));
}

type Settings = {
  write: readonly string[];
  network: readonly string[];
  enforces: boolean;
  limits: BoxLimits;
};

function limited(walls: Walls, { limits }: Settings): Walls {
  return Object.keys(limits).length === 0 ? walls : { ...walls, limits };
}

/** Every layer can lower a limit, and none can raise one. */
function lowestOf(all: readonly BoxLimits[]): BoxLimits {
  const lowest = (of: keyof BoxLimits) => {
    const given = all.flatMap((limits) => limits[of] ?? []);
    return given.length === 0 ? {} : { [of]: Math.min(...given) };
  };
  return { ...lowest("memoryBytes"), ...lowest("processes"), ...lowest("timeMs") };
}

/** The outermost accepted file that has the key opens walls; every other layer can only close them. */
function settingsOf({ layers, scopes }: Standing, { project }: BoxOffer): Settings {
  const opener = openerOf(layers);
  const opening = opener?.box;
  const given = [...layers, ...scopes].flatMap(({ policy }) => policy.box ?? []);
  const others = given.filter((box) => box !== opening);
  const kept = (of: "write" | "network") =>
    (opening?.[of] ?? []).filter((one) => others.every((box) => box[of].length === 0 || box[of].includes(one)));
  return {
    write: kept("write").flatMap((folder) => folderAt(folder, opener?.root ?? project, opener?.home)),
    network: kept("network"),
    enforces: opening?.enforce !== false || others.some(({ enforce }) => enforce === true),
    limits: lowestOf(given.flatMap(({ limits }) => limits ?? [])),
  };
}

/** Nobody knows what the code does: it may change the project, and nothing else. */
function unreadWalls(effect: Effect, box: BoxOffer, { write, network }: Settings): Walls {
  const { project } = box;
  // Git starts hooks, and these are code.
  const isCode = (part: Part) =>
    part.class === "process.exec" || part.class === "git.write" || isUnnamedCode(part, box);
  const isRead = effect.understood === "fully" && !effect.parts.some(isCode);
  const files = effect.parts.flatMap(pathsOf).filter(({ path }) => isAmongTemporary(path, project));
  const changed = files.filter(({ level }) => levelSatisfies(level, "write")).map(({ path }) => path);
  // A program that is known to remove a file needs the folder; code that nobody reads gets the file alone.
  const begun = effect.parts.map(pathsOf).filter((paths) => isTemporaryPattern(paths, box));
  const patterns = begun.flat().flatMap(({ path }) => (path.includes("*") ? [path] : []));
  const open = isRead ? [...changed, ...patterns].map(parentOf) : changed;
  const shown = files.map(({ path }) => path).filter((path) => !changed.includes(path));
  const git = effect.parts.some(({ class: kind }) => kind === "git.write") ? [`${project}/.git`] : [];
  return { write: [...new Set([project, ...git, ...write, ...open])], network, reveal: [...new Set(shown)] };
}

/** A folder below the home folder is left out if nobody knows where that is. */
function folderAt(folder: string, root: string, home: string | undefined): readonly string[] {
  const isAtHome = folder === "~" || folder.startsWith("~/");
  if (isAtHome) return home === undefined ? [] : [normalise(home + folder.slice(1))];
  return [normalise(isAbsolute(folder) ? folder : `${root}/${folder}`)];
}

/**
 * The tools of a project are code that nobody read. So a command that was decided by its words sees them only where code can do
 * nothing: without a network, without files to change, and without credentials.
 */
function withTools(walls: Walls, { parts }: Effect, { tools }: BoxOffer): Walls {
  const isOpen = walls.network === "any" || walls.network.length > 0 || walls.write.length > 0;
  const isHarmless = !isOpen && parts.every(({ class: kind }) => kind !== "secrets.read");
  return tools === true && isHarmless ? { ...walls, tools: [] } : walls;
}

/** A box has a folder for temporary files of its own, so files of earlier calls that the command names are shown in it. */
function temporary(effect: Effect, project: string): readonly string[] {
  const named = effect.parts.flatMap(pathsOf).map(({ path }) => path);
  return [...new Set(named.filter((path) => isAmongTemporary(path, project)))];
}

/** Walls exactly as wide as what was decided; undefined if a part needs something that walls cannot describe. */
function enforcedWalls(effect: Effect, { project }: BoxOffer): Walls | undefined {
  if (effect.understood !== "fully") return undefined;
  const write = new Set<string>();
  const reveal = new Set(temporary(effect, project));
  const domains = new Set<string>();
  let isAny = false;
  for (const part of effect.parts) {
    if (isBeyondWalls(part)) return undefined;
    const paths = pathsOf(part);
    if (part.class === "secrets.read") for (const { path } of paths) reveal.add(path);
    else if (part.class === "network.read") {
      const named = worksOffline(part) ? [] : domainsOf(part);
      if (named === undefined) isAny = true;
      else for (const domain of named) domains.add(domain);
    } else if (CHANGES_FILES.has(part.class) || (part.class === "git.write" && part.reach === "project")) {
      for (const place of placesOf(paths, project)) write.add(place);
      // A repository is protected as a whole: only git itself changes it.
      if (part.class === "git.write") write.add(`${project}/.git`);
    } else if (part.class !== "none" && part.class !== "fs.read" && !isFileDatabase(part)) return undefined;
  }
  return { write: [...write], network: isAny ? "any" : [...domains], reveal: [...reveal] };
}

/** Files are replaced by renaming, so the folder of a changed file must be open too. */
function placesOf(paths: readonly PathTarget[], project: string): readonly string[] {
  if (paths.length === 0) return [project];
  return paths.map(({ path }) => (isUnder(path, project) ? project : folderOf(path)));
}

/** The folder of a file; for a pattern the folder in which it begins. */
function folderOf(path: string): string {
  const at = path.search(/[*?[]/);
  return at === -1 ? parentOf(path) : path.slice(0, path.lastIndexOf("/", at)) || "/";
}

/** These honour the variables that name a proxy, so walls by domain leave them what they need. */
const USES_PROXY: ReadonlySet<string> = new Set(["curl", "wget", "http", "https", "xh"]);

function domainsOf({ targets }: Part): readonly string[] | undefined {
  const program = targets.find((target) => target.kind === "command")?.words[0] ?? "";
  const domains = targets.flatMap((target) => (target.kind === "domain" ? [target.domain] : []));
  return domains.length > 0 && USES_PROXY.has(programOf(program)) ? domains : undefined;
}
