import type { PackageSource } from "../../box.ts";
import { isOfSystem, isUnder, parentOf } from "../../classify/path.ts";
import { protectionOf } from "../../classify/protect.ts";
import { classBit, type DomainTarget, type Effect, type Part, type PathTarget } from "../../effect.ts";
import type { BoxedClass } from "../../policy.ts";
import {
  ABOUT_PROCESSES,
  DEPLOYS_HERE,
  EVERYDAY_GIT,
  FILE_DATABASES,
  GRAVER_OPTIONS,
  INSIDE_PURPOSE,
  NOT_EVERYDAY,
  OUTSIDE_PURPOSE,
  REHEARSED_GIT,
  REMOVERS,
  UNDOABLE_GIT,
  WORKS_OFFLINE,
} from "../../tables/box-fit.ts";
import { runnerWords } from "../../tables/project/runners.ts";
import { isWildName } from "../../values/glob.ts";
import { once } from "../../values/once.ts";
import type { CompiledPolicy } from "../compile.ts";
import { type CommandPattern, commandMatches, commandPattern } from "../patterns.ts";
import type { Standing } from "../standing.ts";
import { isInstalling, isSpare } from "./packages.ts";
import { CHANGES_FILES, linesOf, pathsOf } from "./part-words.ts";

/**
 * What the walls stand around: the project, whether its files can be changed in a copy first, and whether the command starts
 * code in the box, whose processes and servers are then part of it. `applies`: the call applies what was changed in a copy, and nothing is lost; `loses`: and something is.
 * `packages`: the registries that can be read in the box; `spare`: alternatives of what installs from them. `understood`: no word of the command is known only when it runs.
 */
export type BoxOffer = NonNullable<Standing["box"]> & {
  startsCode?: boolean;
  applies?: boolean;
  loses?: boolean;
  understood?: boolean;
  packages?: readonly PackageSource[];
  spare?: ReadonlySet<number>;
};

const compiled = (patterns: readonly string[]) => once(() => patterns.map(commandPattern));
const OUTSIDE = compiled(OUTSIDE_PURPOSE);
const INSIDE = compiled(INSIDE_PURPOSE);
const OFFLINE = compiled(WORKS_OFFLINE);
const EVERYDAY = compiled(EVERYDAY_GIT);
const GRAVER_GIT = compiled(NOT_EVERYDAY);
const REHEARSED = compiled(REHEARSED_GIT);
const UNDOABLE = once(() => UNDOABLE_GIT.map(({ line, options }) => ({ pattern: commandPattern(line), options })));
const REMOVING = compiled(REMOVERS);
const PROCESSES = compiled(ABOUT_PROCESSES);
const HERE = compiled(DEPLOYS_HERE);
const IN_FILES = compiled(FILE_DATABASES);

/** Whether a layer finds a box enough for this part. */
export function isWalled({ box }: CompiledPolicy, part: Part, offer: BoxOffer): boolean {
  const kind = walledAs(part, offer);
  return kind !== undefined && (box.classes & classBit(kind)) !== 0;
}

const NO_SPARE: ReadonlySet<number> = new Set();

/** The class under which a policy lists what walls bound in this part; undefined if they do not bound it. */
export function walledAs(part: Part, offer: BoxOffer): BoxedClass | undefined {
  const { class: kind } = part;
  const paths = pathsOf(part);
  // Walls around the system would be no walls.
  if (isOfSystem(offer.project)) return undefined;
  if (offer.startsCode === true && isAboutItself(part)) return "process.exec";
  if (kind === "process.exec") {
    const installs = isInstalling(part, offer.packages ?? []) || isSpare(part, offer.spare ?? NO_SPARE);
    const isOutside = isForOutside(part) && !installs;
    return isOutside || isAboutProcesses(part) ? undefined : kind;
  }
  if (isUnnamedCode(part, offer)) return isForOutside(part) ? undefined : "process.exec";
  if (kind === "git.write") return isEverydayGit(part, offer) ? kind : undefined;
  // What is applied is in the project: a temporary place in it is where a link leads, which is asked about.
  const isApplied = offer.applies === true || offer.loses === true;
  if (CHANGES_FILES.has(kind) && !isApplied && isWithTemporary(paths, kind === "fs.delete", offer)) return "fs.write";
  if (kind === "fs.delete" && offer.startsCode !== true && isTemporaryPattern(paths, offer)) return "fs.write";
  if (kind === "fs.delete") return isRemoval(part, offer) ? kind : undefined;
  // Which of its files are lost is not in this part.
  return kind === "deploy.write" && offer.loses !== true && isBuildFile(part, offer) ? kind : undefined;
}

function isAmong(patterns: readonly CommandPattern[], words: readonly string[]): boolean {
  return patterns.some((pattern) => commandMatches(pattern, words));
}

/** Whether the program is for something outside of any box, whatever its class. */
export function isForOutside(part: Part): boolean {
  return linesOf(part).some(
    (words) => (isAmong(OUTSIDE(), words) && !isAmong(INSIDE(), words)) || isNamedForOutside(words),
  );
}

const SENDS = /(^|[/:._-])(deploy|publish|upload)([:._-]|$)/i;
const NAMING_WORDS = 3;

/** A script or target whose name says that it sends something away would only fail in a box. */
function isNamedForOutside(words: readonly string[]): boolean {
  if (runnerWords(words) !== undefined || isOnlyPrinted(words)) return false;
  const named = words.filter((word) => !word.startsWith("-")).slice(0, NAMING_WORDS);
  return named.some((word) => SENDS.test(word));
}

/** `make -n` prints what it would run. What it runs nevertheless is code in a box. */
function isOnlyPrinted([program, ...rest]: readonly string[]): boolean {
  return program === "make" && rest.some((word) => word === "-n" || word === "--dry-run");
}

/** Whether the program looks at processes or ends them: those of this machine, unless it runs in a box. */
export function isAboutProcesses(part: Part): boolean {
  return linesOf(part).some((words) => isAmong(PROCESSES(), words) && !endsOwnJobs(words));
}

/** `kill %1`: a shell knows only the jobs that the same command has started. */
function endsOwnJobs([program, ...rest]: readonly string[]): boolean {
  const jobs = rest.filter((word) => !/^-[A-Z0-9]+$/.test(word));
  return program === "kill" && jobs.length > 0 && jobs.every((word) => /^%(\d+|[%+-])?$/.test(word));
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|::1|\[::1\])$/;

/** A box has processes and a loopback of its own: a command may start a server in it, ask it something, and end it. */
function isAboutItself(part: Part): boolean {
  if (isAboutProcesses(part)) return true;
  const domains = part.targets.filter((target): target is DomainTarget => target.kind === "domain");
  const isRequest = part.class === "network.read" || part.class === "network.write";
  return isRequest && domains.length > 0 && domains.every(({ domain }) => LOOPBACK.test(domain));
}

/** Whether the part reads from elsewhere only if it has to: in a box it works with what is there. */
export function worksOffline(part: Part): boolean {
  const lines = linesOf(part);
  return part.class === "network.read" && lines.length > 0 && lines.every((words) => isAmong(OFFLINE(), words));
}

/** Git that reads from elsewhere signs in there, with keys and helpers that no box has, and keeps what it got in the repository. */
function isFetching(part: Part): boolean {
  return (
    part.class === "network.read" && linesOf(part).some(([program, verb]) => program === "git" && verb !== "clone")
  );
}

/** Whether no walls can be around the part at all: it is for something outside, or for processes of this machine. */
export function isBeyondWalls(part: Part): boolean {
  return isForOutside(part) || isAboutProcesses(part) || isFetching(part);
}

/** A database that is a file: a view in it may start programs, so what reads it is code, wherever it is. */
export function isFileDatabase(part: Part): boolean {
  const lines = linesOf(part);
  return part.class === "db.read" && lines.length > 0 && lines.every((words) => isAmong(IN_FILES(), words));
}

/**
 * Whether the part may do harm without walls although its words show none: it changes files, of which no copy would be kept, or it
 * reads files that nobody named while credentials are in sight, or a database, which may start programs.
 */
export function needsWalls(part: Part): boolean {
  const { class: kind, reach } = part;
  if (CHANGES_FILES.has(kind) || isFileDatabase(part)) return true;
  if (kind === "git.write") return reach === "project";
  // A folder that a program of another class reads is a part without a command: kubectl reads the files that it sends.
  const isRead = kind === "fs.read" && linesOf(part).length > 0 && !isBeyondWalls(part);
  return isRead && pathsOf(part).some(({ recursive }) => recursive);
}

function isEverydayGit(part: Part, { rehearses, ownRepository }: BoxOffer): boolean {
  const lines = linesOf(part);
  const isGraver = (words: readonly string[]) => isAmong(GRAVER_GIT(), words) || words.some(isBegunOption);
  const isSeen = (words: readonly string[]) => rehearses && ownRepository === true && isRehearsedGit(words);
  return lines.length > 0 && lines.every((words) => isSeen(words) || (isAmong(EVERYDAY(), words) && !isGraver(words)));
}

/** Its option or subcommand is what the table says, and there is no other option that could be graver; or it puts files back. */
function isRehearsedGit(words: readonly string[]): boolean {
  const [, , ...rest] = words;
  const isPlain = rest.slice(1).every((word) => !word.startsWith("-") || HARMLESS_OPTIONS.has(word));
  return (isAmong(REHEARSED(), words) && isPlain) || putsBackFiles(words) || switches(words) || isUndoableGit(words);
}

/** Only exact options count, because git understands every beginning of one. */
export function isUndoableGit(words: readonly string[]): boolean {
  return UNDOABLE().some(
    ({ pattern, options }) =>
      commandMatches(pattern, words) && words.every((word) => !word.startsWith("-") || options.has(word)),
  );
}

/**
 * `git switch BRANCH` and `git checkout BRANCH`, which may also be a file: what git puts into the folder is in a commit. Whether anything
 * has what was there is known only afterwards.
 */
function switches([program, subcommand, ...rest]: readonly string[]): boolean {
  const names = rest.filter((word) => word !== "-q" && word !== "--quiet");
  const isOne = subcommand === "switch" || subcommand === "checkout";
  return program === "git" && isOne && names.length === 1 && /^(-|\w[\w./-]*)$/.test(names[0] ?? "");
}

/**
 * `git checkout -- FILE` and `git restore FILE`: whether anything has what was in the files is known only afterwards. All files at
 * once, and files of another commit, are asked about before.
 */
function putsBackFiles([program, subcommand, ...rest]: readonly string[]): boolean {
  const isMarked = rest[0] === "--";
  const files = isMarked ? rest.slice(1) : rest;
  const isFile = (word: string) => !/^[./]*$|^[-:]|[*?[]/.test(word);
  const isOne = subcommand === "restore" || (subcommand === "checkout" && isMarked);
  return program === "git" && isOne && files.length > 0 && files.every(isFile);
}

const HARMLESS_OPTIONS: ReadonlySet<string> = new Set(
  "-q --quiet -- --index --amend --no-edit -m -a -am --all".split(" "),
);

/** `--forc` is `--force`. */
function isBegunOption(word: string): boolean {
  return /^--[a-z]/.test(word) && GRAVER_OPTIONS.some((option) => option !== word && option.startsWith(word));
}

const TEMPORARY = ["/tmp", "/var/tmp"];

/** A named place outside the project in a folder for temporary files; a pattern could be the files of others. */
export function isAmongTemporary(path: string, project: string): boolean {
  if (isWildName(path) || isUnder(path, project)) return false;
  return TEMPORARY.some((folder) => path !== folder && isUnder(path, folder));
}

/** The named places of a call in folders for temporary files. The door then looks which of them are somebody's. */
export function temporaryPaths({ parts }: Effect, project: string): readonly string[] {
  const isOne = (path: string) => isAmongTemporary(path.replaceAll("*", ""), project);
  return [...new Set(parts.flatMap(pathsOf).map(({ path }) => path))].filter(isOne);
}

/** A temporary file: nobody's home, no repository, and nothing that the session did not make. */
function isTemporary(path: string, { project, taken = [] }: BoxOffer): boolean {
  return isAmongTemporary(path, project) && !taken.includes(path);
}

/** Some letters and then a star, directly in a folder for temporary files. */
const BEGUN = /\/[\w.-]{3,}\*[\w.*-]*$/;

/**
 * Temporary files by the beginning of their names. Whoever may remove each of them by its name may remove them together, but
 * no folders. Where the pattern begins is among the paths, and is not removed.
 */
export function isTemporaryPattern(paths: readonly PathTarget[], offer: BoxOffer): boolean {
  const wild = paths.filter(({ path }) => isWildName(path));
  const isBegun = ({ path }: PathTarget) =>
    BEGUN.test(path) &&
    isAmongTemporary(path.replaceAll("*", ""), offer.project) &&
    offer.taken?.includes(path) !== true;
  const folders = new Set(wild.map(({ path }) => parentOf(path)));
  const isFine = (one: PathTarget) => isBegun(one) || folders.has(one.path) || isTemporary(one.path, offer);
  return wild.length > 0 && paths.every((one) => !one.recursive && isFine(one));
}

/** What counts as code in a box, although it has another class. */
export function isUnnamedCode(part: Part, offer: BoxOffer): boolean {
  if (part.class === "deploy.write") {
    const lines = linesOf(part);
    return lines.length > 0 && pathsOf(part).length === 0 && lines.every((words) => isAmong(HERE(), words));
  }
  return isFileDatabase(part) || isTemporaryDatabase(part, offer);
}

/** A database in a temporary file that is changed. Its statements can start programs, so it is code. */
function isTemporaryDatabase(part: Part, { project, taken = [] }: BoxOffer): boolean {
  const lines = linesOf(part);
  // A word can be spelled in other ways than the path.
  const isOne = (words: readonly string[]) =>
    isAmong(IN_FILES(), words) &&
    taken.length === 0 &&
    isAmongTemporary(words.slice(1).find((word) => !word.startsWith("-")) ?? "", project);
  return part.class === "db.write" && lines.length > 0 && lines.every(isOne);
}

/** Temporary files, and files of the project that are moved or copied from or to them. What is protected is a part of its own. */
function isWithTemporary(paths: readonly PathTarget[], isOnly: boolean, offer: BoxOffer): boolean {
  const { project } = offer;
  const own = paths.filter(({ path }) => isTemporary(path, offer));
  const isInProject = ({ path }: PathTarget) => path !== project && isUnder(path, project) && !isWildName(path);
  return own.length > 0 && paths.every((one) => own.includes(one) || (!isOnly && isInProject(one)));
}

/** Files of the project, or temporary ones, that are removed in a copy first, or that are known to be in a commit. */
function isRemoval(part: Part, offer: BoxOffer): boolean {
  const { project, rehearses, applies, understood } = offer;
  const paths = pathsOf(part).map(({ path }) => path);
  const lines = linesOf(part);
  const isOwn = (path: string) => isTemporary(path, offer) || (path !== project && isUnder(path, project));
  // Git that throws work away is asked about: what it takes may be a change in a file that it leaves.
  const isKnown = (words: readonly string[]) =>
    isAmong(REMOVING(), words) || (words[0] !== "git" && !isForOutside(part));
  return (
    ((rehearses && lines.every(isKnown)) || applies === true) &&
    (paths.length > 0 || (understood === true && isAllProtected(part))) &&
    paths.every(isOwn)
  );
}

/** Nothing but protected files is removed: those are in parts of their own. */
export function isAllProtected(part: Part): boolean {
  return (
    part.class === "fs.delete" &&
    pathsOf(part).length === 0 &&
    linesOf(part).some((words) => isAmong(REMOVING(), words))
  );
}

const BUILD_PLACES: ReadonlySet<string> = new Set(["build_or_test", "next_build"]);

function isOwn(path: string, offer: BoxOffer): boolean {
  return isUnder(path, offer.project) || isTemporary(path, offer);
}

/**
 * Files of the project that say what its builds and tests start: what they start runs in a box too. So does what a copy of such a
 * file among temporary files starts.
 */
function isBuildFile(part: Part, offer: BoxOffer): boolean {
  const paths = pathsOf(part).map(({ path }) => path);
  const isOne = (path: string) => {
    const place = protectionOf(path, "write")?.what;
    return isOwn(path, offer) && (place === undefined || BUILD_PLACES.has(place));
  };
  return paths.length > 0 && paths.every(isOne);
}
