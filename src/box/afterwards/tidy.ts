import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BoxFolders } from "../rehearsal/journal.ts";
import { LIMITS } from "../rehearsal/limits.ts";
import { withFreeLock } from "../rehearsal/lock.ts";
import { type Manifest, readManifest, removeRehearsal } from "../rehearsal/manifest.ts";
import { unless } from "../rehearsal/tools.ts";

// What rehearsals keep is removed when nobody can use it any more. Whoever ends a command does it now and then, and so does a server.

const EVERY_MS = 3_600_000;
/** More are removed by the next one, so that no command waits long for it, nor for the lock. */
const AT_ONCE = 20;
/** A record with more than this is reason enough to look how much there is of all. */
const LARGE_BYTES = LIMITS.keptBytes / 20;

/** When this was done last, and what could not be removed then. */
type Stamp = { atMs: number; troubles: readonly string[] };

/** Returns what could not be removed, and why; also that of the last time if it is not due, or if another process changes files now. */
export async function tidyWhenDue(box: BoxFolders, nowMs: number): Promise<readonly string[]> {
  // Where nothing was ever rehearsed, there may be no program for the lock either.
  if (box.names("rehearsals").length + box.names("undo").length === 0) return [];
  const before = readStamp(box);
  if (before !== undefined && Math.abs(nowMs - before.atMs) < EVERY_MS) return before.troubles;
  return (await withFreeLock(box.box, () => tidy(box, nowMs))) ?? before?.troubles ?? [];
}

/** After a large record the next one looks, however long ago the last look was. */
export function tidySoon(box: BoxFolders, bytes: number): void {
  if (bytes > LARGE_BYTES) rmSync(stampOf(box), { force: true });
}

async function tidy(box: BoxFolders, nowMs: number): Promise<readonly string[]> {
  const old = [
    ...oldRehearsals(box, nowMs).map((name) => ({ name, remove: () => removeRehearsal(box.rehearsal(name)) })),
    ...oldRecords(box, nowMs).map((name) => ({ name, remove: async () => box.drop(name) })),
  ];
  const troubles: string[] = [];
  for (const { name, remove } of old.slice(0, AT_ONCE)) {
    await remove().catch((error: unknown) => troubles.push(`${name}: ${String(error)}`));
  }
  // What cannot be removed must not keep the rest from it for ever, nor every command busy.
  const isDone = old.length <= AT_ONCE || troubles.length === AT_ONCE;
  if (isDone) writeFileSync(stampOf(box), JSON.stringify({ atMs: nowMs, troubles } satisfies Stamp), { mode: 0o600 });
  return troubles;
}

/** Also what a process left that died before it wrote what it does. What still runs stays, however long ago it began. */
function oldRehearsals(box: BoxFolders, nowMs: number): readonly string[] {
  return box.names("rehearsals").filter((name) => {
    const folder = box.rehearsal(name);
    const manifest = unlessTorn(() => readManifest(folder));
    const beganMs = manifest?.beganMs ?? statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
    return nowMs - beganMs > LIMITS.keptMs && !mayStillRun(manifest);
  });
}

function mayStillRun(manifest: Manifest | undefined): boolean {
  if (manifest === undefined || manifest.differences !== undefined) return false;
  return manifest.by !== undefined && existsSync(`/proc/${manifest.by}`);
}

/** The newest fit into the space that is promised. What is half done is ended by the next command in its project, if there is one. */
function oldRecords(box: BoxFolders, nowMs: number): readonly string[] {
  const names = box.names("undo");
  const records = names
    .flatMap((name) => box.read(name) ?? [])
    .filter(({ state, project }) => ["applied", "reverted", "kept"].includes(state) || !existsSync(project))
    .sort((a, b) => b.atMs - a.atMs);
  let bytes = 0;
  const dropped = records.filter((record) => {
    bytes += record.bytes;
    return bytes > LIMITS.keptBytes || nowMs - record.atMs > LIMITS.keptMs;
  });
  // Records are made under the lock, so one without a text is what is left of a removed one.
  const empty = names.filter((name) => box.read(name) === undefined);
  return [...empty, ...dropped.toReversed().map(({ name }) => name)];
}

function stampOf(box: BoxFolders): string {
  return join(box.box, "tidied");
}

/** A stamp that was not written completely counts for nothing. */
function readStamp(box: BoxFolders): Stamp | undefined {
  return unlessTorn(() => {
    const text = unless(["ENOENT"], () => readFileSync(stampOf(box), "utf8"));
    return text === undefined ? undefined : (JSON.parse(text) as Stamp);
  });
}

function unlessTorn<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
