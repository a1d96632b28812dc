import { PROGRAM_FOLDERS } from "../tables/options.ts";

/** `/usr/bin/git` is git and `python3.11` is python; a program in any other folder is only what its path says. */
export function nameOf(word: string): string {
  const folder = PROGRAM_FOLDERS.find((start) => word.startsWith(start));
  const name = folder === undefined || word.includes("/", folder.length) ? word : word.slice(folder.length);
  return VERSIONED.test(name) ? name.replace(/[\d.]+$/, "") : name;
}

const VERSIONED = /^(python|pip|perl|ruby|node|nodejs|php|lua|pypy|gcc|clang)[\d.]+$/;
