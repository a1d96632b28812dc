import type { StdioOptions } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isUnder, normalise } from "./core/classify/path.ts";
import { changesShell, type Environment } from "./core/tables/variables.ts";

// Finds the file for which a program's name stands, and the bash for running texts; used both for checking and for starting.

/** Where the system searches by default. */
export const PATH_WITHOUT = "/usr/bin:/bin";

/**
 * The file of a name. `loose`: it is searched where the call works, so whoever writes there decides what runs. `installed`: a package
 * of the project brought it, so it may be another program than the one that people know by this name.
 */
export type FoundProgram = { path: string; loose: boolean; installed?: true };

/** How many more disk accesses are allowed; negative means that nothing was read. */
type Looks = { looks: number };
type Search = {
  cwd: string;
  env: Environment;
  /** The project's folder: files there may be written without asking. */
  project?: string;
  looking?: Looks;
};

/** The file that would be started for a name without a folder, as the system searches it. */
export function findProgram(name: string, { cwd, env, project, looking }: Search): FoundProgram | undefined {
  if (name === "") return undefined;
  // Without PATH some shells search the working folder too.
  let loose = env["PATH"] === undefined;
  for (const { folder, isLoose, isInstalled } of foldersIn(env["PATH"] ?? PATH_WITHOUT, project)) {
    if (looking !== undefined && looking.looks < 0) return undefined;
    if (isLoose) loose = true;
    const path = folder.startsWith("/") ? `${folder}/${name}` : resolve(cwd, folder, name);
    if (isExecutable(path, looking)) return { path: resolve(path), loose, ...(isInstalled ? { installed: true } : {}) };
  }
  return loose ? { path: resolve(cwd, name), loose } : undefined;
}

/** Package managers write here, and a box lets them do so without a question. Any other folder of a project can be written by every call. */
const INSTALLED_THERE = /\/(node_modules\/\.bin|\.?venv\/bin|env\/bin)\/?$/;

/** A folder of PATH. `isLoose`: a call may write there without asking. `isInstalled`: packages of the project bring its programs. */
type SearchedFolder = { folder: string; isLoose: boolean; isInstalled: boolean };

let lastSearch: { path: string; project: string | undefined; folders: readonly SearchedFolder[] } | undefined;

/** All programs of a call are searched in the same folders, and an agent may name a hundred thousand of them. */
function foldersIn(path: string, project: string | undefined): readonly SearchedFolder[] {
  if (lastSearch?.path !== path || lastSearch.project !== project) {
    const isInside = (folder: string) => project !== undefined && isUnder(normalise(folder), project);
    // An empty entry is the working folder. A folder that is listed twice is searched once.
    const folders = [...new Set(path.split(":"))].map((folder) => {
      const isInstalled = isInside(folder) && INSTALLED_THERE.test(folder);
      return { folder, isLoose: !folder.startsWith("/") || (isInside(folder) && !isInstalled), isInstalled };
    });
    lastSearch = { path, project, folders };
  }
  return lastSearch.folders;
}

export function isExecutable(path: string, looking?: Looks): boolean {
  if (looking !== undefined && --looking.looks < 0) return false;
  try {
    // Most folders do not have it, and this check throws no error.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not accessible, or below something that is not a folder: the system would not run it either.
    return false;
  }
}

const BASH_PLACES = [
  "/bin/bash",
  "/usr/bin/bash",
  "/usr/local/bin/bash",
  "/opt/homebrew/bin/bash",
  "/run/current-system/sw/bin/bash",
];
/** Older versions read some texts as other words. */
const BASH_VERSION_MIN = 4;

/** The bash with which a text is run: texts are judged by its grammar, so no other shell can be used. */
export function findBash(places: readonly string[] = BASH_PLACES): string | undefined {
  return places
    .filter((path) => isExecutable(path))
    .map((path) => realpathSync(path))
    .find(isNewEnough);
}

const versions = new Map<string, boolean>();

function isNewEnough(path: string): boolean {
  const known = versions.get(path);
  if (known !== undefined) return known;
  const found = versionOf(path) >= BASH_VERSION_MIN;
  versions.set(path, found);
  return found;
}

const QUIETLY = ["ignore", "pipe", "ignore"] as const satisfies StdioOptions;

function versionOf(bash: string): number {
  // Loaded only now: most commands start nothing.
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  try {
    return Number(
      execFileSync(bash, [...BASH_OPTIONS, "echo $BASH_VERSINFO"], { env: {}, encoding: "utf8", stdio: QUIETLY }),
    );
  } catch {
    // A bash that cannot even print its version runs nothing.
    return 0;
  }
}

/** No start-up files, and nothing of the environment that would change how it parses; after the last option a dash is text. */
const BASH_OPTIONS = ["--norc", "--noprofile", "-p", "-c", "--"];

const NO_BASH =
  "bash is not installed here, or is older than version 4; the command was judged as bash reads it, and no other shell runs it: install bash";

type BashStart = { ok: true; program: string; args: readonly string[] } | { ok: false; why: string };

/** How a text is started with bash, exactly as it was judged; or why that is not possible. */
export function bashStart(text: string, env: Environment, bash: string | undefined = findBash()): BashStart {
  if (bash === undefined) return { ok: false, why: NO_BASH };
  const changing = Object.keys(env).find((name) => changesShell(name, env[name] ?? ""));
  if (changing !== undefined)
    return { ok: false, why: `the variable ${changing} changes how bash reads commands; leave it out` };
  return { ok: true, program: bash, args: [...BASH_OPTIONS, text] };
}
