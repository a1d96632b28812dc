import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Applied, Rehearsals, Repositories } from "../../box-port.ts";
import type { FileChange } from "../../core/box.ts";
import { canonical } from "../../core/values/canonical.ts";
import { tidySoon, tidyWhenDue } from "../afterwards/tidy.ts";
import { canKeep, keepFormer, noteWritten } from "../keeping/former.ts";
import { canRehearse, type RehearsalAbility } from "./ability.ts";
import { beginRehearsal, changeOf, type Rehearsal, type RehearsalOf } from "./begin.ts";
import { isRealFolder } from "./folders.ts";
import { BoxFolders, type Journal } from "./journal.ts";
import { withLock } from "./lock.ts";
import { bytesReader, movedSince } from "./look.ts";
import { changedFolder, readManifest, removeRehearsal } from "./manifest.ts";
import { unless } from "./tools.ts";
import { bytesBefore, finish, inverse, transact, whereFormer } from "./transact.ts";

/** Rehearsals of this machine, kept in the state folder. */
export type LocalRehearsals = Rehearsals & {
  /** Tries it for real. */
  ability(): Promise<RehearsalAbility>;
  begin(of: RehearsalOf): Promise<Rehearsal>;
};

export function openRehearsals(stateFolder: string, now: () => number): LocalRehearsals {
  const box = new BoxFolders(stateFolder);
  const bytesOf = bytesReader(box);
  return {
    ability: () => canRehearse(box),
    begin: async (of) => {
      // Code must not work on files that another command left half changed.
      if (mayBeHalfDone(box, of.project)) await withLock(box.box, () => recover(box, of.project));
      return beginRehearsal(box, of);
    },
    read: async (name) => readManifest(box.rehearsal(name))?.differences?.moves.map(changeOf),
    bytes: (name, path, which, max) => bytesOf({ name, path, which, max }),
    moved: (name) => movedSince(box, name),
    applied: async (name) => applied(box, name),
    made: async (project, changes) => made(box, project, changes),
    repositories: async (project, changes) => repositories(project, changes),
    apply: (name) => withLock(box.box, () => apply(box, name, now())),
    undo: (name) => withLock(box.box, () => undo(box, name, now())),
    drop: (name) => removeRehearsal(box.rehearsal(name)),
    keep: (name, project, paths) => withLock(box.box, () => keepFormer(box, { name, project, paths, nowMs: now() })),
    canKeep,
    noteWritten: (name) => withLock(box.box, () => noteWritten(box, name, now())),
    forget: (name) => withLock(box.box, async () => box.drop(name)),
    recover: (project) => withLock(box.box, () => recover(box, project)),
    interrupted: async () => unfinished(box).map(({ project }) => project),
    tidy: () => tidyWhenDue(box, now()),
  };
}

async function apply(box: BoxFolders, name: string, nowMs: number): Promise<Applied> {
  const folder = box.rehearsal(name);
  const manifest = readManifest(folder);
  if (manifest?.differences === undefined)
    throw new Error(`there are no changes of a rehearsal ${name}: it was applied, dropped, or has not ended`);
  const { moves, stale } = manifest.differences;
  if (stale.length > 0) return { ok: false, moved: stale };
  if (!isRealFolder(manifest.project)) return { ok: false, moved: moves.map(({ path }) => path) };
  const root = changedFolder(folder, manifest.way);
  const source = { root, path: (index: number) => moves[index]?.path ?? "" };
  const moved = await transact(box, { name, project: manifest.project, moves, source, nowMs });
  if (moved.length > 0) return { ok: false, moved };
  await removeRehearsal(folder);
  tidySoon(box, bytesBefore(moves));
  return { ok: true, undo: name };
}

async function undo(box: BoxFolders, name: string, nowMs: number): Promise<Applied> {
  const record = box.read(name);
  if (record?.state !== "applied") throw new Error(`there is nothing to undo under the name ${name}`);
  const back = nextName(name);
  const moved = await transact(box, {
    name: back,
    project: record.project,
    moves: record.moves.map(inverse),
    source: { root: join(box.undo(name), "was"), path: String },
    undoes: name,
    nowMs,
  });
  if (moved.length > 0) return { ok: false, moved };
  box.drop(name);
  return { ok: true, undo: back };
}

function applied(box: BoxFolders, name: string): readonly FileChange[] | "undone" | undefined {
  const record = box.read(name);
  if (record?.state === "applied") return record.moves.map(changeOf);
  return box.read(nextName(name)) === undefined ? undefined : "undone";
}

/**
 * Back from how a file is, by what was applied: if that leads to where the file was not there, or to how it becomes now, then
 * everything that is lost was made by commands in boxes. A state in between that nobody applied ends the search.
 */
function made(box: BoxFolders, project: string, changes: readonly FileChange[]): ReadonlySet<string> {
  if (changes.length === 0) return new Set();
  const records = box.names("undo").flatMap((name) => box.read(name) ?? []);
  const moves = records
    .filter((record) => record.state === "applied" && record.project === project)
    .flatMap((record) => record.moves);
  const key = (path: string, state: FileChange["was"]) => canonical([path, state]);
  const before = new Map<string, FileChange["was"][]>();
  for (const { path, was, now } of moves) {
    const state = key(`${project}/${path}`, now);
    before.set(state, [...(before.get(state) ?? []), was]);
  }
  const isMade = ({ path, was, now }: FileChange) => {
    const seen = new Set<string>();
    const isOurs = (state: FileChange["was"]): boolean => {
      if (state === null || (seen.size > 0 && key(path, state) === key(path, now))) return true;
      if (seen.has(key(path, state))) return false;
      seen.add(key(path, state));
      return before.get(key(path, state))?.some(isOurs) === true;
    };
    return isOurs(was);
  };
  return new Set(changes.filter(isMade).map(({ path }) => path));
}

/** A folder inside of the project that has a `.git`: a submodule, a worktree, or a repository of its own. */
function repositories(project: string, changes: readonly FileChange[]): Repositories {
  const roots = new Map<string, string>([[project, project]]);
  const rootOf = (folder: string): string => {
    const known = roots.get(folder);
    if (known !== undefined) return known;
    const isRoot = lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined;
    const root = isRoot ? folder : rootOf(dirname(folder));
    roots.set(folder, root);
    return root;
  };
  const inside = new Map<string, FileChange[]>();
  const others: FileChange[] = [];
  for (const change of changes) {
    const root = rootOf(dirname(change.path));
    const of = root === project ? others : (inside.get(root) ?? []);
    of.push(change);
    if (root !== project) inside.set(root, of);
  }
  return { inside: [...inside].map(([root, of]) => ({ root, changes: of })), others };
}

/** The record of an undone rehearsal, by which it can be applied again. No name is used twice, so a record names one thing. */
function nextName(name: string): string {
  const [, base = name, count = "0"] = /^(.*)-undo(\d+)$/.exec(name) ?? [];
  return `${base}-undo${Number(count) + 1}`;
}

/** Ends what processes left half done in a project when they died. Trouble in one project is no trouble of the others. */
async function recover(box: BoxFolders, project: string): Promise<void> {
  for (const name of box.names("undo")) if (box.read(name) === undefined) box.drop(name);
  const troubles: string[] = [];
  for (const journal of unfinished(box)) {
    if (journal.project === project) troubles.push(...(await finishOne(box, journal)));
  }
  if (troubles.length > 0) throw new Error(troubles.join("\n"));
}

/** What waits to be moved into place is there as long as changes are being applied: a look that costs nothing. */
function mayBeHalfDone(box: BoxFolders, project: string): boolean {
  const staged = unless(["ENOENT"], () => readdirSync(join(box.box, "staging"))) ?? [];
  return staged.length > 0 || readdirSync(project).some((name) => name.startsWith(".leeway-"));
}

function unfinished(box: BoxFolders): readonly Journal[] {
  const journals = box.names("undo").flatMap((name) => box.read(name) ?? []);
  return journals.filter((journal) => !isEnded(box, journal));
}

/** An applied one has not ended either, as long as something that it needed is still there. */
function isEnded(box: BoxFolders, { state, name, undoes, staging }: Journal): boolean {
  if (state === "reverted" || state === "kept") return true;
  if (state !== "applied" || existsSync(staging)) return false;
  return undoes === undefined ? !existsSync(box.rehearsal(name)) : box.read(undoes) === undefined;
}

async function finishOne(box: BoxFolders, journal: Journal): Promise<readonly string[]> {
  try {
    const left = await finish(box, journal);
    const ended = box.read(journal.name);
    if (ended?.state === "applied") {
      if (ended.undoes === undefined) await removeRehearsal(box.rehearsal(journal.name));
      else box.drop(ended.undoes);
    }
    if (left.length === 0) return [];
    return [
      `Changes in ${journal.project} were interrupted and have been put back, except files that somebody changed since: ` +
        `${left.join(", ")}. Their former bytes are in ${box.undo(journal.name)}.`,
    ];
  } catch (error) {
    const what = `Changes in ${journal.project} were interrupted and can be neither completed nor put back: ${String(error)}.`;
    return [`${what} ${whereFormer(box, journal)}`];
  }
}
