import { NAMED_MAX } from "./arguments.ts";

type PatchedFile = { path: string; deleted: boolean };

/** A file that may be run, a link, or another repository: more than text is written. */
const SPECIAL = /^\s*(?:new file mode|new mode)\s+(?!0*100644\s*$)/m;

/** Whether a patch gives a file other rights, or makes something else than a plain file. */
export function changesMode(text: string): boolean {
  return SPECIAL.test(text);
}

const OWN = /^\s*\*\*\*\s*(?:(Add|Update|Delete)\s+File|Move\s+to)\s*:(.+)$/i;
const UNIFIED = /^\s*(?:---|\+\+\+)\s+([^\t]+)/;
const NOTHING_LEFT = /^\s*\+\+\+\s+\/dev\/null\s*$/;
const RENAMED = /^\s*(?:rename|copy)\s+(?:from|to)\s+(.+)$/;
const COMPARED = /^\s*diff --git\s+(.+)$/;

/** The files that a patch text names, and which of them it takes away. */
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

/** Two names in a row, either of which may be quoted; where spaces leave it open, every way to part them counts. */
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

/** Git puts a name with unusual letters in quotes and spells its bytes out. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  return name.slice(1, -1).replace(/\\([0-7]{1,3}|.)/g, (_, code: string) => {
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return ESCAPES[code] ?? code;
  });
}
