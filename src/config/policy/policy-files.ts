import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { say } from "../../core/messages/message.ts";
import { POLICY_OBJECT } from "../../core/policy.ts";
import type { AcceptedText, Clock, FoundPolicies, FoundPolicy, LoadedPolicy, PolicyFiles } from "../../ports.ts";
import { readText, stampOf } from "../file.ts";
import { type ManagedPlace, managedIn } from "./managed-policy.ts";
import { parsePolicyText, policyFromObject } from "./policy-text.ts";

const POLICY_FILE = "leeway.yaml";

/** Files are checked at most this often, so a change takes effect within a second. */
const LOOK_AGAIN_MS = 1000;

type PolicyFilesOptions = {
  /** The folder the agent works in. */
  cwd: string;
  /** A file named explicitly: it is the only one, and needs no acceptance. */
  named?: string;
  /** The path of the user's own file, whether or not it exists. */
  userPolicy: string;
  home: string;
  clock: Pick<Clock, "nowMs">;
  /** Where the organisation's file is, if one can apply. */
  managed?: ManagedPlace;
};

/** The policy files for one working folder. A file is read again only if it changed. */
export function policyFiles(options: PolicyFilesOptions): PolicyFiles {
  const cwd = existsSync(options.cwd) ? realpathSync(options.cwd) : resolve(options.cwd);
  const discovered = [options.userPolicy, ...placesAbove(cwd)];
  const places = options.named === undefined ? [...new Set(discovered)] : [resolve(options.named)];
  const watched = [...(options.managed === undefined ? [] : [options.managed.path]), ...places];
  let known: { stamp: string; found: FoundPolicies; checkedMs: number } | undefined;
  let accepted: string | undefined;
  const current = (): FoundPolicies => {
    const nowMs = options.clock.nowMs();
    if (known !== undefined && nowMs >= known.checkedMs && nowMs - known.checkedMs < LOOK_AGAIN_MS) return known.found;
    const stamp = watched.map((path) => stampOf(path)).join("\n");
    const found = known?.stamp === stamp ? known.found : look(places, accepted ?? workedIn(cwd), options);
    known = { stamp, found, checkedMs: nowMs };
    return found;
  };
  return {
    current,
    parse: (text, path) => parsedAt(text, path, current().project, options),
    accepted: (texts) => {
      const project = acceptedProject(texts, placesAbove(cwd), options);
      if (project !== accepted) known = undefined;
      accepted = project;
    },
  };
}

/** A policy given by the program as a value: named explicitly. Only the organisation's file applies beside it. */
export function inlinePolicyFiles(
  value: unknown,
  o: { cwd: string; home: string; managed?: ManagedPlace },
): PolicyFiles {
  const source = POLICY_OBJECT;
  const ground = { root: o.cwd, home: o.home };
  const loaded = policyFromObject(value, source, ground);
  const text = loaded.ok ? JSON.stringify(value, undefined, 2) : "";
  const found: FoundPolicies = {
    named: true,
    files: [{ path: source, text, loaded }],
    places: [source],
    project: o.cwd,
    ...managedIn(o.managed, workedIn(o.cwd)),
  };
  return { current: () => found, parse: (given, path) => parsePolicyText(given, path, ground) };
}

/** Every folder from the root to the working folder may have a file; the outermost comes first. */
function placesAbove(cwd: string): string[] {
  return foldersAbove(cwd).map((folder) => join(folder, POLICY_FILE));
}

function foldersAbove(cwd: string): string[] {
  const folders = [cwd];
  for (let here = cwd; dirname(here) !== here; here = dirname(here)) folders.unshift(dirname(here));
  return folders;
}

/**
 * The folder of the innermost file that a person accepted, or the folder inside it that the file names as its root. A
 * file further out that nobody accepted must not make everything below it count as inside the project.
 */
function acceptedProject(
  texts: readonly AcceptedText[],
  places: readonly string[],
  { named, userPolicy, home }: PolicyFilesOptions,
): string | undefined {
  const path = places.findLast((place) => place !== userPolicy && texts.some((text) => text.path === place));
  const text = texts.find((one) => one.path === path)?.text;
  if (path === undefined || text === undefined || named !== undefined) return undefined;
  const folder = dirname(path);
  const loaded = parsePolicyText(text, path, { root: folder, home });
  const root = loaded.ok ? loaded.policy.root : undefined;
  return root !== undefined && isWithin(root, folder) ? root : folder;
}

function look(places: readonly string[], folder: string, options: PolicyFilesOptions): FoundPolicies {
  const named = options.named !== undefined;
  const files = places.flatMap((path): FoundPolicy[] => {
    const read = readText(path, { followLinks: named });
    if (read === undefined) return [];
    if (read.ok) return [{ path, text: read.text, loaded: parsedAt(read.text, path, folder, options) }];
    const fault = { file: path, line: 1, column: 1, message: read.why, hint: read.hint };
    return [{ path, text: "", loaded: { ok: false, faults: [fault] } }];
  });
  const only = named ? files[0]?.loaded : undefined;
  const project = (only?.ok === true ? only.policy.root : undefined) ?? folder;
  const managed = managedIn(options.managed, workedIn(options.cwd));
  return { named, ...managed, files: named && files.length === 0 ? [missing(places)] : files, places, project };
}

/** A named file that is missing is an error; ignoring it would use a looser policy instead. */
function missing(places: readonly string[]): FoundPolicy {
  const [path = ""] = places;
  const fault = { file: path, line: 1, column: 1, message: say("file.not_found"), hint: say("file.check_path") };
  return { path, text: "", loaded: { ok: false, faults: [fault] } };
}

/**
 * The repository in which the agent works, or else its folder. The place of a named file does not decide what the project
 * is.
 */
export function workedIn(cwd: string): string {
  return foldersAbove(cwd).findLast((folder) => existsSync(join(folder, ".git"))) ?? cwd;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Patterns of a project's file are relative to its folder; those of the user's file, a named file and code are
 * relative to the project.
 */
function parsedAt(text: string, path: string, project: string, options: PolicyFilesOptions): LoadedPolicy {
  const { named, userPolicy, home } = options;
  if (named !== undefined && path === resolve(named)) {
    return parsePolicyText(text, path, { root: project, writtenFrom: dirname(path), home });
  }
  const ofFolder = named === undefined && path !== userPolicy && basename(path) === POLICY_FILE;
  return parsePolicyText(text, path, { root: ofFolder ? dirname(path) : project, home });
}
