import { APPLY_TOOL, type FileChange, type PackageKind, UNDO_TOOL } from "../box.ts";
import type { ToolCall } from "../call.ts";
import { HIDDEN_SIGNS, isUnder } from "../classify/path.ts";
import { protectionOf } from "../classify/protect.ts";
import { cacheOf, isPackageCache, remadeFolder } from "../tables/protected/caches.ts";
import { canonical } from "../values/canonical.ts";
import { type Hash, sha256 } from "../values/hash.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { linkTargets } from "./links.ts";

// What a rehearsed command changed is decided like any other call: the call of the tool `leeway.apply` names every file.

/**
 * What is known about the changes: removed files that no commit has, whether the command was everyday git, and if so, what
 * could take something from the history nevertheless. `installs`: the command installed packages of these kinds. `brought`:
 * protected files that are in a new commit, but not in the folder. `byWords`: the command was decided by its words, so what it
 * takes away was decided about.
 */
export type AtRisk = {
  uncommitted: readonly string[];
  changesHistory: boolean;
  taken: readonly string[];
  installs: readonly PackageKind[];
  brought: readonly string[];
  byWords?: boolean;
  /** Nothing but git ran: what git keeps while it joins commits is its own, too. */
  isGitAlone?: boolean;
};

/** More paths than this are named by their folder. */
const NAMED_MAX = 200;
/** More removed files than this are asked about, even if all of them could be put back. */
const REMOVED_MAX = 50;

/**
 * Where packages are installed. What a package manager puts there was decided about with its command, except what it puts into
 * a protected folder, such as an action of CI with packages of its own, and in the place of this program.
 */
const INSTALLED: { readonly [kind in PackageKind]?: RegExp } = {
  npm: /^(?<above>.*?)\/node_modules(\/(?!leeway\/|\.bin\/leeway$)|$)/,
  pypi: /^(?<above>.*?)\/\.?venv\/(bin|include|lib|lib64|share)(\/|$)/,
};

function isInstalled(project: string, path: string, kinds: readonly PackageKind[]): boolean {
  return kinds.some((kind) => {
    const above = INSTALLED[kind]?.exec(path.slice(project.length))?.groups?.["above"];
    if (above === undefined || /\/\./.test(above)) return false;
    return above === "" || protectionOf(`${project}${above}/x`, "write") === undefined;
  });
}

/** What git itself writes when it commits, in contrast to what it would run or obey. */
const GIT_DATA =
  /^\/\.git\/((objects|refs|logs)(\/|$)|(index|HEAD|ORIG_HEAD|packed-refs|COMMIT_EDITMSG|AUTO_MERGE|(MERGE|CHERRY_PICK|REVERT|SQUASH|BISECT)_[A-Z_]+)$)/;

/** What git keeps while it picks, reverts or moves several commits. A list of commits to move may start programs. */
const GIT_STEPS = /^\/\.git\/(sequencer|rebase-merge|rebase-apply)(\/|$)/;

function isGitData(project: string, path: string, isGitAlone = false): boolean {
  const within = path.slice(project.length);
  return GIT_DATA.test(within) || (isGitAlone && GIT_STEPS.test(within));
}

/** Whether `leeway undo` puts back all that git alone took from what it keeps there. */
export function isPutBackByUndo(project: string, path: string): boolean {
  return isGitData(project, path, true) && !isObject(project, path);
}

/** A commit, or what is in one. Something newer may lead to it, so a person is asked before an undo removes it. */
function isObject(project: string, path: string): boolean {
  return isUnder(path, `${project}/.git/objects`);
}

type OfCall = Pick<ToolCall, "workspace" | "agent" | "chain" | "session" | "run" | "traceId" | "callId"> & {
  id: string;
};
/** Changes with absolute paths, and the name under which their bytes are kept. */
type Kept = { name: string; project: string; changes: readonly FileChange[] };

/** The call that applies the changes of a rehearsal. Its digest is bound to every byte, by the hash over all changes. */
export function applyCall(of: OfCall, rehearsal: Kept, risk: AtRisk): ToolCall {
  return changingCall(of, rehearsal, risk, { tool: APPLY_TOOL, callId: applyCallId(of.callId) });
}

/** A rehearsed call has one call that applies its changes, which can be found by this id. */
export function applyCallId(callId: string): string {
  return `${callId}/apply`;
}

/** The call that puts back what an applied call changed. `changes`: from how the files are now to how they were. */
export function undoCall(of: OfCall, undone: Kept): ToolCall {
  const { callId } = of;
  const risk = { uncommitted: [], changesHistory: true, taken: [], installs: [], brought: [] };
  return changingCall(of, undone, risk, { tool: UNDO_TOOL, callId });
}

/** The changes that people count: folders come and go with their files. */
export function filesIn(changes: readonly FileChange[]): readonly FileChange[] {
  return changes.filter(({ was, now }) => (now ?? was)?.kind !== "folder" || (was !== null && was.kind !== "folder"));
}

/** Binds a call to every byte of the changes. */
export function contentOf(changes: readonly FileChange[]): Hash {
  return sha256(canonical(changes as unknown as Json));
}

function changingCall(
  of: OfCall,
  { name, project, changes }: Kept,
  risk: AtRisk,
  { tool, callId }: Pick<ToolCall, "tool" | "callId">,
): ToolCall {
  const { workspace, agent, chain, session, run, traceId, id } = of;
  const isAll = tool === UNDO_TOOL || risk.byWords === true;
  // What git by its words does to its history was decided about, too.
  const isSaid = (change: FileChange) =>
    !risk.changesHistory || !isGitData(project, change.path) || isLostByUndo(change);
  const isLostByUndo = ({ path, now }: FileChange) => tool === UNDO_TOOL && now === null && isObject(project, path);
  const { isLoss, lost, removed, written } = isAll
    ? putBack(project, changes.filter(isSaid))
    : namedPaths(project, changes, risk);
  const isPackage = (path: string) => isInstalled(project, path, risk.installs);
  const leads = tool === UNDO_TOOL ? [] : linkTargets(project, changes, isPackage);
  const files = filesIn(changes);
  const added = files.filter(({ was }) => was === null).length;
  const deleted = files.filter(({ now }) => now === null).length;
  // In the order in which arguments are stored: read again before the changes are applied, they must name the same paths in the same order.
  const args: JsonObject = {
    ...(added === 0 ? {} : { added }),
    call: id,
    changes: files.length,
    content: contentOf(changes),
    ...(deleted === 0 ? {} : { deleted }),
    ...(leads.length === 0 ? {} : { leads }),
    ...(isLoss ? { loss: true } : {}),
    ...(lost.length === 0 ? {} : { lost }),
    rehearsal: name,
    ...(removed.length === 0 ? {} : { removed }),
    ...(written.length === 0 ? {} : { written }),
  };
  return {
    workspace,
    agent,
    chain,
    ...(session === undefined ? {} : { session }),
    ...(run === undefined ? {} : { run }),
    tool,
    args,
    cwd: project,
    callId,
    traceId,
    claims: {},
  };
}

/** What an undo takes away was not there before, and what a command takes away by its words was decided about: nothing is lost. */
function putBack(project: string, changes: readonly FileChange[]) {
  // Something was changed, if only what git keeps.
  return {
    isLoss: false,
    lost: [],
    removed: [],
    written: changes.length === 0 ? [project] : shortened(project, changes),
  };
}

/**
 * A file that is gone is `removed`, so that rules about removing apply; so is everything that would be lost. `lost`: removed
 * files that no commit has. Protected files
 * are always named one by one, caches by their folder. What git adds to its history and what a package manager installs is
 * not named: their commands were decided about.
 */
function namedPaths(project: string, changes: readonly FileChange[], risk: AtRisk) {
  const lost = new Set([...risk.uncommitted, ...risk.taken]);
  const gone = new Set(changes.filter(isGone).map(({ path }) => path));
  const isPackage = (path: string) => isInstalled(project, path, risk.installs);
  const isRemade = (path: string) => cacheOf(path) !== undefined || remadeFolder(path, project) !== undefined;
  const isMany = [...gone].filter((path) => !isRemade(path) && !isPackage(path)).length > REMOVED_MAX;
  const isLost = ({ path }: FileChange) =>
    lost.has(path) ||
    (isMany && gone.has(path) && !isPackage(path) && !isRemade(path)) ||
    (!risk.changesHistory && isHistory(project, path));
  const isAdded = (path: string) => risk.changesHistory && isGitData(project, path, risk.isGitAlone);
  const isUnsaid = (path: string) => isAdded(path) || isPackage(path) || isPackageCache(path);
  const named = changes.filter(({ path }) => lost.has(path) || !isUnsaid(path));
  const isRemoved = (change: FileChange) => isLost(change) || (change.was !== null && change.now === null);
  // A commit, or the index, has it without its content; the file itself did not change.
  const emptied = risk.taken.filter((path) => !changes.some((change) => change.path === path));
  // A folder that tools make again is named once.
  const isWhole = ({ path, now }: FileChange) =>
    now === null && !lost.has(path) && remadeFolder(path, project) !== undefined;
  const whole = new Set(named.filter(isWhole).map(({ path }) => `${remadeFolder(path, project)}/**`));
  const apart = named.filter((change) => isRemoved(change) && !isWhole(change));
  const removed = [...emptied, ...whole, ...shortened(project, apart)];
  const kept = shortened(
    project,
    named.filter((change) => !isRemoved(change)),
  );
  const written = [...new Set([...risk.brought, ...kept])];
  // Rules look at everything that is gone; people also have to know what of it nothing else has.
  const uncommitted = new Set(risk.uncommitted);
  const unsaved = shortened(
    project,
    named.filter((change) => uncommitted.has(change.path) && isGone(change)),
  );
  // Something was changed, if only the history.
  const isUnnamed = removed.length === 0 && written.length === 0;
  const isLoss = emptied.length > 0 || named.some(isLost);
  return { isLoss, lost: unsaved, removed, written: isUnnamed ? [project] : written };
}

/** A file that is no longer there, or has nothing in it any more. */
export function isGone({ was, now }: FileChange): boolean {
  if (was?.kind !== "file" || was.bytes === 0) return was !== null && was.kind !== "folder" && now === null;
  return now?.kind !== "file" || now.bytes === 0;
}

/** Branches, tags and what they point to. */
function isHistory(project: string, path: string): boolean {
  const git = `${project}/.git`;
  return ["refs", "packed-refs", "HEAD", "logs"].some((name) => isUnder(path, `${git}/${name}`));
}

function shortened(project: string, changes: readonly FileChange[]): readonly string[] {
  const paths = [...new Set(changes.map(({ path }) => cacheOf(path) ?? path))];
  const isNamed = (path: string) => HIDDEN_SIGNS.test(path) || protectionOf(path, "write", { project }) !== undefined;
  const named = paths.filter(isNamed);
  const plain = paths.filter((path) => !isNamed(path));
  if (plain.length <= NAMED_MAX) return [...named, ...plain];
  const folders = new Set(changes.filter(({ was, now }) => (now ?? was)?.kind === "folder").map(({ path }) => path));
  const isBeside = (path: string) => !folders.has(path) && !path.slice(project.length + 1).includes("/");
  const beside = plain.filter(isBeside);
  if (beside.length > NAMED_MAX) return [...named, `${project}/**`];
  // What is directly in the project is named one by one: all of the project would be its protected places, too.
  const within = plain.filter((path) => !isBeside(path)).map((path) => `${folderIn(project, path)}/**`);
  return [...named, ...beside, ...new Set(within)];
}

/** The folder directly in the project that has the file, or is the path itself. */
function folderIn(project: string, path: string): string {
  const [first = ""] = path.slice(project.length + 1).split("/");
  return `${project}/${first}`;
}
