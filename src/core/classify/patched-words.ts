import type { Line } from "../shell/path-uses.ts";
import { patchedFiles } from "./patch.ts";
import { handedTo } from "./started-words.ts";

/** Hosts take this name for their own tool, whatever shell it stands in. */
export const OWN_PATCH = /^(apply_?patch|applypatch)$/;

/** The files that a patch in the text of a command names, without as many leading folders as may be taken away. */
export function patchedBy({ simple, name }: Line): readonly string[] {
  const [first, ...rest] = simple.words.map(({ text }) => text);
  const isOwn = OWN_PATCH.test(first ?? "");
  if (!isOwn && !/^(patch|gpatch|git apply|git am)$/.test(name)) return [];
  const texts = [...handedTo(simple.input), ...(isOwn ? rest : [])];
  const named = texts.flatMap((text) => [...patchedFiles(text).map(({ path }) => path), ...otherwiseNamed(text)]);
  const shorter = named.flatMap((path) => (isOwn ? [path] : withoutFolders(path)));
  return [...new Set(shorter)];
}

/** Other ways in which a patch names a file: an index line, the older kind of patch, a line before what is searched for. */
function otherwiseNamed(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.flatMap((line, i) => {
    const [, named] = /^\s*(?:Index:|\*\*\*|---|\+\+\+)\s+"?([^\t"]+?)"?\s*(?:\t.*)?$/.exec(line) ?? [];
    const searched = /^<{5,}\s*SEARCH/.test(lines[i + 1] ?? "") ? [line.trim()] : [];
    return [...(named === undefined ? [] : [named, named.replace(/^[ab]\/"?/, "")]), ...searched];
  });
}

/** `-p2` takes two folders away. */
function withoutFolders(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, i) => names.slice(i).join("/"));
}
