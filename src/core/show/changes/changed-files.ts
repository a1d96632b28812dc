import type { FileChange, FileState } from "../../box.ts";
import { type Protection, protectedNote, protectionOf } from "../../classify/protect.ts";
import type { ChangeCounts, Say } from "../../say/say.ts";
import { filesIn, isGone } from "../../steps/applying.ts";
import { sizeText } from "../../values/size.ts";
import { type FileDiff, type FileTexts, fileDiff } from "./file-diff.ts";

/** One change of a file, with its bytes as far as people can read them. */
export type SeenChange = FileChange & { bytes?: ({ are: "text" } & FileTexts) | { are: "binary" | "large" } };

/** One changed file, or the changes of one folder. `path`: relative to the project. */
export type CardFile = { path: string; does: string; grave: boolean };

/** A change in words, with its lines. */
export type ToldChange = CardFile & { rank: number; counts: ChangeCounts; diff?: FileDiff };

type Telling = { project: string; lost: ReadonlySet<string>; say: Say };

/** All changes, the gravest first: protected files (what Leeway, git and agents obey before the rest), lost work, removed files, links, modes, what cannot be shown, the rest. */
export function toldChanges(changes: readonly SeenChange[], telling: Telling): readonly ToldChange[] {
  return changes
    .map((change) => told(change, telling))
    .sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

const RANK = {
  obeyed: -2,
  rights: -1,
  protected: 0,
  lost: 1,
  removed: 2,
  link: 3,
  mode: 4,
  unseen: 5,
  changed: 6,
  added: 7,
  folder: 8,
} as const;

function told(change: SeenChange, { project, lost, say }: Telling): ToldChange {
  const { path, was, now } = change;
  const words = say.changed;
  const { bytes } = change;
  const diff = bytes?.are === "text" && bytes.was !== bytes.now ? fileDiff(bytes, say) : undefined;
  const protection = protectionOf(path, "write", { project });
  const isLost = isGone(change) && isNamed(lost, path);
  const does = [
    doneTo(change, diff, say),
    ...(was?.kind === "file" && now?.kind === "file" && was.mode !== now.mode
      ? [words.mode(modeText(was.mode), modeText(now.mode))]
      : []),
    ...(isLost ? [words.unsaved] : []),
    ...(protection === undefined ? [] : [say.note(protectedNote(protection))]),
  ];
  const rank = protection === undefined ? (isLost ? RANK.lost : rankOf(change)) : rankOfProtected(protection);
  return {
    path: path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path,
    does: does.filter((text) => text !== "").join("; "),
    grave: rank <= RANK.removed,
    rank,
    counts: countsOf(change),
    ...(diff === undefined ? {} : { diff }),
  };
}

/** Very many files are named by their folder. */
function isNamed(lost: ReadonlySet<string>, path: string): boolean {
  if (lost.has(path)) return true;
  return [...lost].some((name) => name.endsWith("/**") && path.startsWith(name.slice(0, -2)));
}

/** Not every protected file is listed. So those come first that Leeway, git or the agent itself would follow. */
function rankOfProtected({ class: kind, what }: Protection): number {
  if (/^(own|git|repository|agent)_/.test(what)) return RANK.obeyed;
  return kind === "permissions.change" ? RANK.rights : RANK.protected;
}

function countsOf(change: FileChange): ChangeCounts {
  const isFile = filesIn([change]).length === 1;
  const { was, now } = change;
  const one = (is: boolean) => (isFile && is ? 1 : 0);
  return { changed: one(was !== null && now !== null), added: one(was === null), removed: one(now === null) };
}

function rankOf(change: SeenChange): number {
  const { was, now, bytes } = change;
  if (was?.kind === "folder" || now?.kind === "folder") return now === null || was === null ? RANK.folder : RANK.mode;
  if (isGone(change)) return RANK.removed;
  if (was?.kind === "link" || now?.kind === "link") return RANK.link;
  if (was?.kind === "file" && now?.kind === "file" && was.mode !== now.mode) return RANK.mode;
  if (bytes?.are !== "text") return RANK.unseen;
  return was === null ? RANK.added : RANK.changed;
}

function doneTo(change: SeenChange, diff: FileDiff | undefined, say: Say): string {
  const { was, now } = change;
  const { changed: words } = say;
  if (was === null) return words.added(kindText(change, now, say));
  if (now === null) return words.removed(kindText(change, was, say));
  if (now.kind === "link") return words.changed(words.link(now.to) + before(was, say));
  if (was.kind === "link") return words.changed(`${words.wasLink(was.to)}; ${kindText(change, now, say)}`);
  if (now.kind === "folder" || was.kind === "folder") {
    return was.kind === now.kind
      ? words.mode(modeText(was.mode), modeText(now.mode))
      : words.changed(kindText(change, now, say));
  }
  if (was.hash === now.hash) return "";
  if (now.bytes === 0) return words.emptied(sizeText(was.bytes));
  if (diff !== undefined) return words.changed(words.lines(diff));
  return change.bytes === undefined ? words.changed(kindText(change, now, say)) : kindText(change, now, say);
}

function before(was: FileState, { changed: words }: Say): string {
  return was.kind === "link" ? `; ${words.wasLink(was.to)}` : was.kind === "file" ? `; ${sizeText(was.bytes)}` : "";
}

function kindText({ bytes, was, now }: SeenChange, state: FileState | null, { changed: words }: Say): string {
  if (state === null || state.kind === "folder") return words.folder;
  if (state.kind === "link") return words.link(state.to);
  const sizes = [was, now].flatMap((one) => (one?.kind === "file" ? [sizeText(one.bytes)] : [])).join(" → ");
  if (bytes?.are === "binary") return words.binary(sizes);
  return bytes?.are === "large" ? words.tooLarge(sizes) : sizes;
}

function modeText(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}

/** More files than this are not listed one by one, unless they are grave. */
const LISTED_MAX = 30;
const FOLDERS_MAX = 20;

/** The list for the first screen: files one by one, or many files of one folder together. */
export function listedFiles(all: readonly ToldChange[], say: Say): readonly CardFile[] {
  if (all.length <= LISTED_MAX) return all.map(bare);
  const alone = all.filter(({ rank }) => rank <= RANK.link).slice(0, LISTED_MAX);
  const rest = all.filter((one) => !alone.includes(one));
  const deep = groupedBy(rest, (path) => path.slice(0, path.lastIndexOf("/") + 1));
  const groups = deep.size <= FOLDERS_MAX ? deep : groupedBy(rest, (path) => path.slice(0, path.indexOf("/") + 1));
  return [
    ...alone.map(bare),
    ...[...groups]
      .filter(([, files]) => files.some(({ counts }) => isSome(counts)))
      .map(([folder, files]) => ({
        path: folder === "" ? "./" : folder,
        does: say.changed.inFolder(summed(files)),
        grave: files.some(({ grave }) => grave),
      })),
  ];
}

function isSome({ changed, added, removed }: ChangeCounts): boolean {
  return changed + added + removed > 0;
}

function bare({ path, does, grave }: ToldChange): CardFile {
  return { path, does, grave };
}

function groupedBy(
  files: readonly ToldChange[],
  folderOf: (path: string) => string,
): ReadonlyMap<string, readonly ToldChange[]> {
  const groups = new Map<string, ToldChange[]>();
  for (const file of files) {
    const folder = folderOf(file.path);
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [file]);
    else group.push(file);
  }
  return groups;
}

function summed(files: readonly ToldChange[]): ChangeCounts {
  const total = { changed: 0, added: 0, removed: 0 };
  for (const { counts } of files) for (const of of ["changed", "added", "removed"] as const) total[of] += counts[of];
  return total;
}
