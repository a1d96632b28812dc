import type { Applied, Boxing, BoxReport, ProgramStart, Rehearsals } from "../../box-port.ts";
import { APPLY_TOOL, type Box, type FileChange, NO_WALLS_OPEN, UNDO_TOOL } from "../../core/box.ts";
import type { ToolCall } from "../../core/call.ts";
import { isUndoableGit } from "../../core/decide/box/fits.ts";
import type { Effect } from "../../core/effect.ts";
import type { Receipt } from "../../core/receipt.ts";
import type { CallRow } from "../../core/rows/rows.ts";
import { applyCall, contentOf, isGone, isPutBackByUndo } from "../../core/steps/applying.ts";
import { isDerived } from "../../core/tables/protected/caches.ts";
import type { Runner } from "../../ports.ts";
import { callAt } from "../calls/call-at.ts";
import { submit } from "../calls/submit.ts";
import type { Deps } from "../deps.ts";
import { type Brought, broughtByCommits, isHidden } from "../history/brought.ts";
import { STASHED, takesStash, withoutPopped } from "../history/popped.ts";
import { broughtByIndex } from "../history/staged.ts";
import { type Former, readingOf, takenFromHistory } from "../history/taken.ts";
import { LOST_CONTENT, lostIn, mayBePutBack } from "../history/thrown-away.ts";
import { reversed } from "./seen-changes.ts";

/** The call whose command was rehearsed, and the project that it worked on. */
export type Rehearsed = {
  call: Pick<ToolCall, "workspace" | "agent" | "chain" | "session" | "run" | "traceId" | "callId"> & { id: string };
  /** The walls in which it ran, and why, say what was decided about it. */
  box: Pick<Box, "walls" | "because">;
  project: string;
  rehearsal: NonNullable<BoxReport["rehearsal"]>;
};

/**
 * Decides about what a rehearsed command changed. What may be changed anyway is ready to be applied; otherwise people are
 * asked, and exactly these bytes are applied when they approve. Undefined if nothing was changed.
 */
export async function submitChanges(deps: Deps, boxing: Boxing, of: Rehearsed): Promise<Receipt | undefined> {
  const { name } = of.rehearsal;
  const changes = of.rehearsal.changes.map((change) => ({ ...change, path: `${of.project}/${change.path}` }));
  if (changes.length === 0) {
    await boxing.rehearsals.drop(name);
    return undefined;
  }
  const { project } = of;
  const { walls, because } = of.box;
  const byWords = because === "enforced";
  const command = await callAt(deps, of.call.id);
  // The walls leave the repository open, because the command itself is git.
  const changesHistory = walls.write.some((path) => path.endsWith("/.git")) || isAmongLines(command, MAKES_COMMIT);
  const { taken, brought } = changesHistory ? await inHistory(boxing, of) : { taken: [], brought: [] };
  const inProject = (path: string) => `${project}/${path}`;
  const isGitAlone = command !== undefined && isOnlyUndoable(command.effect);
  const lost = changesHistory ? await thrownAway(boxing, of, changes) : [];
  const risk = {
    changesHistory,
    taken: taken.map(inProject).filter((path) => !(isGitAlone && isPutBackByUndo(project, path))),
    brought: brought.map(inProject),
    uncommitted: byWords ? [] : [...(await uncommitted(boxing, project, changes)), ...lost],
    installs: [
      ...(walls.packages ?? []).map(({ kind }) => kind),
      ...(isAmongLines(command, MAKES_ENVIRONMENT) ? (["pypi"] as const) : []),
    ],
    byWords,
    ...(isGitAlone ? { isGitAlone } : {}),
  };
  const call = applyCall(of.call, { name, project: of.project, changes }, risk);
  // A call that may run is then ready for the gate: this process, or a server of this machine.
  return submit(deps, call, {
    scopes: [],
    runBy: "leeway",
    isTold: command?.decision.tier === "notify",
    // Nothing is rehearsed any more: what would be lost now is lost.
    door: { waits: true, hands: false, delegates: false, edits: false, boxes: { rehearses: false } },
  });
}

/** `python3 -m venv .venv` puts the programs of Python there, as installing a package does. */
const MAKES_ENVIRONMENT = /^(python[\d.]* -m venv|virtualenv|uv venv)( |$)/;
/** It adds a commit and a tag with the new version. What its scripts do beside that is looked at like what the hooks of git do. */
const MAKES_COMMIT = /^npm version( |$)/;

function isAmongLines(command: CallRow | undefined, pattern: RegExp): boolean {
  const lines = command?.effect.parts.flatMap(({ targets }) =>
    targets.flatMap((target) => (target.kind === "command" ? [target.words] : [])),
  );
  return lines?.some((words) => pattern.test(words.join(" "))) === true;
}

/**
 * No other code ran beside git, and each of its commands only moves or removes names of commits: what is gone is what its words say, and
 * can be put back. A commit that is made again is not among them, because others may have the former one.
 */
function isOnlyUndoable({ parts, understood }: Effect): boolean {
  return (
    understood === "fully" &&
    parts.every(({ class: kind, targets }) => {
      const lines = targets.flatMap((target) => (target.kind === "command" ? [target.words] : []));
      return kind === "none" || kind === "fs.read" || (kind === "git.write" && lines.every(isUndoableGit));
    })
  );
}

/** Files whose work git threw away: it put back what it had of them, and nothing has what was in them. */
async function thrownAway(boxing: Boxing, { project, rehearsal }: Rehearsed, changes: readonly FileChange[]) {
  const found = await mayBePutBack(boxing.rehearsals, rehearsal);
  if (found.length === 0) return [];
  const asked = found.flatMap(({ path, ids }) => ids.flatMap((id) => [id, path])).join("\0");
  const answer = await readByGit(boxing, { project, root: project }, `${TRUSTED_FOLDER}\n${LOST_CONTENT}`, asked);
  const paths = answer === undefined ? found.map(({ path }) => path) : lostIn(answer, rehearsal);
  const lost = paths.map((path) => `${project}/${path}`);
  const made = await boxing.rehearsals.made(
    project,
    changes.filter(({ path }) => lost.includes(path)),
  );
  return lost.filter((path) => !made.has(path));
}

type InHistory = { taken: readonly string[]; brought: readonly string[] };

/**
 * What is taken from the history of the repository, and protected files that a new commit or the index has and the folder has not.
 */
async function inHistory(boxing: Boxing, { project, rehearsal }: Rehearsed): Promise<InHistory> {
  const read = readingOf(boxing.rehearsals, rehearsal);
  const said = await readByGit(boxing, { project, root: project }, HISTORY, "");
  const changed = rehearsal.changes.map(({ path }) => path);
  const [refs = "", head = "", files = ""] = said?.split("\0\0") ?? [];
  const known = said === undefined ? undefined : new Map(refs.split("\n").map(refIn));
  const found = await takenFromHistory(read, rehearsal, known, formerIn(head));
  const taken = takesStash(found) ? await withoutStash(boxing, { project, rehearsal }, found) : found;
  const listing = new Map(files.split("\0").map(listed));
  const committed = await broughtByCommits(read, rehearsal, { project, listing });
  if (committed === undefined) return { taken: changed.filter((path) => path.startsWith(".git/refs/")), brought: [] };
  const staged = await broughtByIndex(read, rehearsal, { project, listing });
  if (staged === undefined) return { taken: [...new Set([...taken, ".git/index"])], brought: [] };
  // What this command changed in the folder is named by itself.
  const others = [...committed, ...staged].filter(({ path }) => !changed.includes(path));
  if (others.length === 0) return { taken, brought: [] };
  const ids = await readByGit(boxing, { project, root: project }, PRESENT, others.map(({ path }) => path).join("\0"));
  const present = ids?.split("\n") ?? [];
  // A box shows files with credentials empty, to the command and to this git.
  const isEmptied = ({ path, id }: Brought) => EMPTY_FILES.has(id) && isHidden(path, project);
  const pathsOf = (some: readonly Brought[]) => [...new Set(some.map(({ path }) => path))];
  const isNew = (one: Brought, i: number) => present[i] !== one.id && !isEmptied(one);
  return { taken: [...taken, ...pathsOf(others.filter(isEmptied))], brought: pathsOf(others.filter(isNew)) };
}

/** A stash that was put back is not lost. */
async function withoutStash(
  boxing: Boxing,
  { project, rehearsal }: Pick<Rehearsed, "project" | "rehearsal">,
  taken: readonly string[],
) {
  const said = await readByGit(boxing, { project, root: project }, `${TRUSTED_FOLDER}\n${STASHED}`, "");
  const { rehearsals } = boxing;
  const bytes = (path: string) => rehearsals.bytes(rehearsal.name, path, "now", STASHED_BYTES_MAX);
  return withoutPopped(taken, said, { read: readingOf(rehearsals, rehearsal), bytes }, rehearsal);
}

/** A stash with larger files is asked about. */
const STASHED_BYTES_MAX = 16 * 1024 * 1024;

/** The names that git has for a file without any bytes, in both kinds of repositories. */
const EMPTY_FILES = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]);

function refIn(line: string): [name: string, id: string] {
  const [id = "", name = ""] = line.split(" ");
  return [name, id];
}

/** A line with the commit and those before it; then the branches and tags that have it. */
function formerIn(text: string): Former | undefined {
  const [first = "", ...refs] = text.split("\n");
  const [id = "", ...parents] = first.split(" ");
  const isShared = refs.some((ref) => ref !== "" && !/^refs\/(heads\/|stash$)/.test(ref));
  return id === "" ? undefined : { id, parents, isShared };
}

/** `100644 blob ID<tab>PATH` */
function listed(line: string): [path: string, id: string] {
  const tab = line.indexOf("\t");
  return [line.slice(tab + 1), line.slice(0, Math.max(tab, 0)).split(" ").at(-1) ?? ""];
}

/** Applies changes that were decided about. It runs in the process of the command, or later in a server of this machine. */
export function applyRunner(rehearsals: Rehearsals): Runner {
  return changing(APPLY_TOOL, rehearsals, {
    kept: (name) => rehearsals.read(name),
    act: (name) => rehearsals.apply(name),
    not: "nothing was applied",
  });
}

/** Puts back what was applied. */
export function undoRunner(rehearsals: Rehearsals): Runner {
  return changing(UNDO_TOOL, rehearsals, {
    kept: async (name) => {
      const applied = await rehearsals.applied(name);
      return applied === "undone" ? undefined : applied?.map(reversed);
    },
    act: (name) => rehearsals.undo(name),
    not: "nothing was undone",
  });
}

type Changing = {
  kept(name: string): Promise<readonly FileChange[] | undefined>;
  act(name: string): Promise<Applied>;
  not: string;
};

function changing(tool: string, rehearsals: Rehearsals, { kept, act, not }: Changing): Runner {
  return {
    name: tool,
    idempotent: false,
    run: async ({ args, call: { cwd } }) => {
      const { rehearsal, content } = args;
      if (typeof rehearsal !== "string") return { ok: false, error: "the call names no rehearsal", started: true };
      // Ends what a process that died has left.
      await rehearsals.recover(cwd ?? "");
      const changes = (await kept(rehearsal))?.map((change) => ({ ...change, path: `${cwd}/${change.path}` }));
      if (changes === undefined || contentOf(changes) !== content)
        return { ok: false, error: `${not}, because the changed files are no longer kept`, started: true };
      const done = await act(rehearsal);
      if (done.ok) return { ok: true, result: { undo: done.undo } };
      const paths = done.moved.slice(0, 5).join(", ");
      return { ok: false, error: `${not}, because files changed meanwhile: ${paths}`, started: true };
    },
  };
}

/**
 * What git says about the repository. It runs in a box where it can change nothing: settings in the repository can make it start
 * programs. Undefined if it fails.
 */
async function readByGit({ maker, readText }: Boxing, { project, root }: Place, script: string, input: string) {
  const start: ProgramStart = {
    program: "/bin/sh",
    name: "sh",
    args: ["-c", script],
    cwd: root,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/", GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
  };
  const box = await maker.prepare(start, NO_WALLS_OPEN, { rehearse: false, project });
  const text = await readText(box.start, input);
  await box.ended("");
  return text;
}

/** The removed files that no commit has: each is looked for in the repository that it belongs to. */
async function uncommitted(
  boxing: Boxing,
  project: string,
  changes: readonly FileChange[],
): Promise<readonly string[]> {
  const gone = changes.filter(isGone).filter(({ path }) => !path.startsWith(`${project}/.git/`));
  const { inside, others } = await boxing.rehearsals.repositories(project, gone);
  // What belongs to an inner repository itself, as its objects do, is in no commit.
  const isOfGit = ({ path }: FileChange) => inside.some(({ root }) => path.startsWith(`${root}/.git`));
  const found = [...inside, { root: project, changes: others }].map(({ root, changes: of }) => {
    const files = of.filter((change) => !isOfGit(change));
    return uncommittedIn(boxing, { project, root }, files);
  });
  const ofGit = await unknownWork(boxing, project, gone.filter(isOfGit));
  return [...(await Promise.all(found)).flat(), ...ofGit];
}

type Place = { project: string; root: string };

/** Without an answer of git, everything that was removed counts as lost. */
async function uncommittedIn(
  boxing: Boxing,
  { project, root }: Place,
  gone: readonly FileChange[],
): Promise<readonly string[]> {
  if (gone.length === 0) return [];
  const paths = gone.map(({ path }) => path.slice(root.length + 1)).join("\0");
  const text = await readByGit(boxing, { project, root }, CHANGED_SINCE_COMMIT, paths);
  if (text === undefined) return gone.map(({ path }) => path);
  const [known = "", others] = text.split("\0\0");
  const within = (list: string) => new Set(list.split("\0").map((path) => `${root}/${path}`));
  const changed = within(known);
  // Without a repository no commit has anything.
  const unknown = others === undefined ? undefined : within(others);
  const isUnknown = ({ path }: FileChange) => unknown === undefined || unknown.has(path);
  const work = new Set(await unknownWork(boxing, project, gone.filter(isUnknown)));
  return gone.map(({ path }) => path).filter((path) => changed.has(path) || work.has(path));
}

/** Of files that git does not know, those that no tool makes again and no earlier command in a box has made. */
async function unknownWork(
  { rehearsals }: Boxing,
  project: string,
  gone: readonly FileChange[],
): Promise<readonly string[]> {
  const made = await rehearsals.made(project, gone);
  const paths = gone.map(({ path }) => path);
  return paths.filter((path) => !made.has(path) && !isDerived(path.slice(project.length)));
}

/** A folder of another user is read as well. */
const TRUSTED_FOLDER = "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'";

/**
 * What branches and tags lead to; after an empty name, the newest commit with those before it, and the branches and tags that
 * have it; after another, every file and folder of it.
 */
const HISTORY = `
${TRUSTED_FOLDER}
git --no-replace-objects for-each-ref --format='%(objectname) %(refname)' || exit 1
printf '\\0\\0'
git rev-parse -q --verify HEAD >/dev/null || exit 0
git --no-replace-objects rev-list --parents -1 HEAD || exit 1
git --no-replace-objects for-each-ref --contains HEAD --format='%(refname)' || exit 1
printf '\\0\\0'
git --no-replace-objects ls-tree -r -t -z --full-tree HEAD
`;

/** The names that git has for the content of files in the folder, in their order; a file that is not there has none. */
const PRESENT = `
${TRUSTED_FOLDER}
xargs -0 sh -c 'for file; do if [ -f "$file" ]; then git hash-object --no-filters -- "$file"; else echo none; fi; done' sh
`;

/**
 * Files under version control whose content no commit has, relative to the project; after an empty name, those that git does
 * not know and is not told to ignore. The index is not believed about what is unchanged, because a program may have written
 * it. Without a repository the second list is missing.
 */
const CHANGED_SINCE_COMMIT = `
cat >/tmp/paths
${TRUSTED_FOLDER}
said=$(git rev-parse --show-toplevel 2>&1) || case $said in
  *'not a git repository (or any'*) exit 0 ;;
  *) exit 1 ;;
esac
if git rev-parse -q --verify HEAD >/dev/null; then
  git diff --cached --name-only --diff-filter=A --no-renames -z --relative HEAD || exit 1
  export GIT_INDEX_FILE=/tmp/index
  git read-tree HEAD && xargs -0 git --literal-pathspecs diff --name-only --no-renames -z --relative HEAD -- </tmp/paths || exit 1
else
  git ls-files -z || exit 1
fi
printf '\\0\\0'
xargs -0 git --literal-pathspecs ls-files -z --others --exclude-standard -- </tmp/paths
`;
