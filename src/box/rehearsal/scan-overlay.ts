import { spawn } from "node:child_process";
import { readdirSync, type Stats } from "node:fs";
import type { DifferenceList } from "./difference.ts";
import { isText, UNREADABLE } from "./file-state.ts";
import { isBelow } from "./folders.ts";
import { countNames, leftAt, leftEntries } from "./left-files.ts";
import { type OverlayView, probeStart } from "./overlay.ts";
import { unless } from "./tools.ts";

// Reads the upper layer of a view. Node cannot read extended attributes, by which the kernel marks a folder that hides what is
// below it. So the question is put to the kernel itself: the view is mounted once more, and shows a file or does not.

/**
 * A folder in both layers, and a name that only the lower one has. If the view does not show this name, the folder hides it;
 * `stands` for all such names of the folder, because a folder hides all of them or none.
 */
type BothLayers = { folder: string; name: string; stands: boolean };

/** Puts everything that a program changed into the list. It takes time for each change, not for each file of the project. */
export async function scanOverlay(list: DifferenceList, folder: string, view: OverlayView): Promise<void> {
  const upper = `${folder}/${view.layer}/upper`;
  const both: BothLayers[] = [];
  const seen = (path: string, names: readonly Buffer[]) => void both.push(...bothLayers(list, path, names));
  const entries = await leftEntries(upper, list, seen, () => true);
  const empty = entries.filter(({ stats }) => stats.isFile() && stats.size === 0);
  const shown = await shownPaths(folder, view, [...empty.map(({ path }) => path), ...both.map(pathOf)]);
  const names = countNames(entries);
  const refused = new Set<string>();
  for (const entry of entries) {
    const { path, stats } = entry;
    if (isBelow(path, refused)) continue;
    const isGone = isWhiteout(stats) || (stats.isFile() && stats.size === 0 && !shown.has(path));
    if (!(await list.left(path, isGone ? null : await leftAt(upper, entry, names)))) refused.add(path);
  }
  for (const one of both.filter((hidden) => !shown.has(pathOf(hidden)) && !isBelow(pathOf(hidden), refused))) {
    if (one.stands) await list.removedIn(one.folder, new Set(readdirSync(`${upper}/${one.folder}`)));
    else await list.left(pathOf(one), null);
  }
}

/** A mark of the overlay in the project itself also hides a name: only an empty file or a device can be one, so others stand. */
function bothLayers(list: DifferenceList, folder: string, names: readonly Buffer[]): readonly BothLayers[] {
  if (folder === "") return [];
  const have = new Set(names.map((name) => name.toString("latin1")));
  const below = unless(UNREADABLE, () => list.namesBelow(folder));
  if (below === undefined) list.refuse(folder, "the folder cannot be read");
  const missing = (below ?? []).filter((name) => isText(name) && !have.has(name.toString("latin1")));
  const asked = missing.map((name) => ({ folder, name: name.toString("utf8") }));
  const sure = asked.find((one) => {
    const stats = list.statsBelow(pathOf(one));
    return stats?.isDirectory() || stats?.isSymbolicLink() || (stats?.isFile() && stats.size > 0);
  });
  return sure === undefined ? asked.map((one) => ({ ...one, stands: false })) : [{ ...sure, stands: true }];
}

function pathOf({ folder, name }: { folder: string; name: string }): string {
  return `${folder}/${name}`;
}

function isWhiteout(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0;
}

/** Which of these paths the view shows. */
async function shownPaths(folder: string, view: OverlayView, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const input = paths.map((path) => `${view.layer}/merged/${path}\0`).join("");
  const answers = await outputOf(probeStart(folder, view), input);
  if (answers.length !== paths.length)
    throw new Error(`the view of ${view.lower} could not be read again: ${answers.length} answers for ${paths.length}`);
  return new Set(paths.filter((_, i) => answers[i] === "1"));
}

function outputOf(start: ReturnType<typeof probeStart>, input: string): Promise<string> {
  const { program, args, cwd, env } = start;
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on("data", (data: Buffer) => out.push(data));
  child.stderr.on("data", (data: Buffer) => errors.push(data));
  // If the program ends early, its exit code says so; the broken pipe adds nothing.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      if (code === 0) done(Buffer.concat(out).toString("latin1"));
      else fail(new Error(`the view could not be mounted again: ${Buffer.concat(errors).toString("utf8").trim()}`));
    });
  });
}
