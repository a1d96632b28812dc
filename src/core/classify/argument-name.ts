import { flat } from "../tool-name.ts";

/** What an argument is called, and what arguments of that name usually hold. */
export type ArgumentName = {
  /** Lower case, without separators: every spelling of a name is this one. */
  flat: string;
  holds: ReadonlySet<Holding>;
};

type Holding = keyof typeof NAMES;

const NAMES = {
  command: /^(command|commands|cmd|commandline|shell|script|exec|argv|code|program|bash|powershell)$/,
  folder: /^(cwd|workdir|workingdirectory|workingdir|directory|dir|folder|root|basepath|basedir|rootpath)$/,
  patch: /(diff|patch|patches|diffs|patchtext)$/,
  path: /(path|paths|file|files|dir|directory|folder|filename)$/,
  place: /(path|paths|file|files|dir|directory|folder|filename|location|cwd|root)$/,
  shell: /^(shell|shellpath|shellprogram|executable|interpreter|stdin|stdininput|standardinput)$/,
  start: /^(cwd|workdir|workingdirectory|workingdir)$/,
  target:
    /(path|paths|file|files|dir|directory|folder|filename|location|uri|uris|name|target|to|from|dest|destination|source|src|output|out|outfile)$/,
  url: /(url|urls|uri|href|endpoint|host|hostname|domain|webhook|link)$/,
} as const satisfies Record<string, RegExp>;

/** Tools call their arguments by few names, so what is kept of them is worth it; agents may invent others, so it is bounded. */
const KEPT_MAX = 4096;
const LENGTH_MAX = 64;
const kept = new Map<string, ArgumentName>();

const NOTHING: ReadonlySet<Holding> = new Set();

/** How any name ends that says what it holds: most names say nothing. */
const MAY_HOLD = new RegExp(
  Object.values(NAMES)
    .map(({ source }) => source)
    .join("|"),
);

export function argumentName(key: string): ArgumentName {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const name = flat(key);
  const found = { flat: name, holds: MAY_HOLD.test(name) ? holdsOf(name) : NOTHING };
  if (kept.size >= KEPT_MAX) kept.clear();
  if (key.length <= LENGTH_MAX) kept.set(key, found);
  return found;
}

function holdsOf(name: string): ReadonlySet<Holding> {
  return new Set((Object.keys(NAMES) as Holding[]).filter((holding) => NAMES[holding].test(name)));
}
