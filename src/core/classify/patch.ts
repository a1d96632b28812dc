import type { Line } from "../shell/path-uses.ts";
import { NAMED_MAX } from "./arguments.ts";
import { handedTo } from "./commands/started-words.ts";

type PatchedFile = { path: string; deleted: boolean };

/** A line that gives a file another mode than that of plain text: executable, a link, or another repository. */
const SPECIAL = /^\s*(?:new file mode|new mode)\s+(?!0*100644\s*$)/m;

/** Whether a patch changes the mode of a file, or creates something else than a plain file. */
export function changesMode(text: string): boolean {
  return SPECIAL.test(text);
}

const OWN = /^\s*\*\*\*\s*(?:(Add|Update|Delete)\s+File|Move\s+to)\s*:(.+)$/i;

const UNIFIED = /^\s*(?:---|\+\+\+)\s+([^\t]+)/;

const NOTHING_LEFT = /^\s*\+\+\+\s+\/dev\/null\s*$/;

const RENAMED = /^\s*(?:rename|copy)\s+(?:from|to)\s+(.+)$/;

const COMPARED = /^\s*diff --git\s+(.+)$/;

/** The files that a patch names, and which of them it deletes. */
export function patchedFiles(text: string): PatchedFile[] {
  const found = new Map<string, PatchedFile>();
  const add = (name: string, deleted = false) => {
    const path = unquoted(name.trim());
    if (path !== "" && path !== "/dev/null") {
      found.set(path, { path, deleted: deleted || found.get(path)?.deleted === true });
    }
  };
  let before = "";
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (found.size > NAMED_MAX) break;
    const own = OWN.exec(line);
    if (own !== null) add(own[2] ?? "", own[1]?.toLowerCase() === "delete");
    const [, unified] = UNIFIED.exec(line) ?? [];
    if (unified !== undefined) add(withoutSide(unquoted(unified.trim())));
    const [, emptied] = NOTHING_LEFT.test(line) ? (UNIFIED.exec(before) ?? []) : [];
    if (emptied !== undefined) add(withoutSide(unquoted(emptied.trim())), true);
    before = line;
    const [, renamed] = RENAMED.exec(line) ?? [];
    if (renamed !== undefined) add(renamed);
    for (const name of comparedNames(COMPARED.exec(line)?.[1])) add(withoutSide(name));
  }
  return [...found.values()];
}

/** Two names in a row, each of which may be quoted; if spaces make it ambiguous, every way to split them counts. */
function comparedNames(both: string | undefined): string[] {
  if (both === undefined) return [];
  const quoted = [...both.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([name]) => unquoted(name));
  const sides = both.split(/\s+(?=[ab]\/)/, NAMED_MAX).map((name) => name.trim());
  return [...quoted, ...sides.filter((name) => !name.includes('"'))];
}

function withoutSide(name: string): string {
  return name.replace(/^[ab]\//, "");
}

const ESCAPES: { readonly [letter: string]: string } = { n: "\n", t: "\t", r: "\r" };

/** Git quotes a name with unusual letters and escapes its bytes. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  return name.slice(1, -1).replace(/\\([0-7]{1,3}|.)/g, (_, code: string) => {
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return ESCAPES[code] ?? code;
  });
}

/** Hosts use this name for their own tool, in every shell. */
export const OWN_PATCH = /^(apply_?patch|applypatch)$/;

/** The files that a patch in the text of a command names, without the leading folders that may be removed. */
export function patchedBy({ simple, name }: Line): readonly string[] {
  const [first, ...rest] = simple.words.map(({ text }) => text);
  const isOwn = OWN_PATCH.test(first ?? "");
  if (!isOwn && !/^(patch|gpatch|git apply|git am)$/.test(name)) return [];
  const texts = [...handedTo(simple.input), ...(isOwn ? rest : [])];
  const named = texts.flatMap((text) => [...patchedFiles(text).map(({ path }) => path), ...otherwiseNamed(text)]);
  const shorter = named.flatMap((path) => (isOwn ? [path] : withoutFolders(path)));
  return [...new Set(shorter)];
}

/** Other ways in which a patch names a file: an index line, the older patch format, a line before the searched text. */
function otherwiseNamed(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.flatMap((line, i) => {
    const [, named] = /^\s*(?:Index:|\*\*\*|---|\+\+\+)\s+"?([^\t"]+?)"?\s*(?:\t.*)?$/.exec(line) ?? [];
    const searched = /^<{5,}\s*SEARCH/.test(lines[i + 1] ?? "") ? [line.trim()] : [];
    return [...(named === undefined ? [] : [named, named.replace(/^[ab]\/"?/, "")]), ...searched];
  });
}

/** `-p2` removes two folders. */
function withoutFolders(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, i) => names.slice(i).join("/"));
}
