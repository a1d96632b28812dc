import { PROGRAM_FOLDERS } from "../tables/options.ts";

/** Words that bash carries out itself, so that no file of that name is started. */
export const BUILTINS: ReadonlySet<string> = new Set(
  (
    ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable " +
    "eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd " +
    "read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias " +
    "unset wait [[ time"
  ).split(" "),
);

/** `/usr/bin/git` is git and `python3.11` is python; a program in any other folder is only what its path says. */
export function nameOf(word: string): string {
  const name = word.startsWith("/") ? withoutFolder(word) : word;
  return name.charCodeAt(name.length - 1) <= NINE && VERSIONED.test(name) ? name.replace(/[\d.]+$/, "") : name;
}

function withoutFolder(path: string): string {
  const folder = PROGRAM_FOLDERS.find((start) => path.startsWith(start));
  return folder === undefined || path.includes("/", folder.length) ? path : path.slice(folder.length);
}

/** Digits, and the dot before them, come before every letter. */
const NINE = "9".charCodeAt(0);

const VERSIONED = /^(python|pip|perl|ruby|node|nodejs|php|lua|pypy|gcc|clang)[\d.]+$/;

/**
 * The name that a program in some other folder goes by, and git's for one of its own subcommands. Nothing where the name
 * is the program's already.
 */
export function namesakesOf(word: string): readonly string[] | undefined {
  const name = word.slice(word.lastIndexOf("/") + 1);
  const [, own] = /^git-(.+)$/.exec(name) ?? [];
  if (own !== undefined) return ["git", own];
  return name === "" || name === word || nameOf(word) !== word ? undefined : [name];
}
