import type { Line } from "./path-uses.ts";

/** Options with which programs that go through folders also go through the links that they come upon there. */
const FOLLOWING: readonly (readonly [programs: RegExp, option: RegExp])[] = [
  [/^([efz]|bz|xz)?grep$/, /^(-[a-zA-Z\d]*R|--deref)/],
  [/^(rg|ripgrep|fd|fdfind)$/, /^(-[a-zA-Z\d.]*L|--follow)/],
  [/^(ag|ack)$/, /^(-[a-zA-Z\d]*f|--follow)/],
  [/^(ug|ugrep)$/, /^(-[a-zA-Z\d]*[RS]|--deref)/],
  [/^(g?tar|bsdtar|pax|cpio)\b/, /^(-?[a-zA-Z\d]*[hHL]|--deref)/],
  [/^g?cp$/, /^(-[a-zA-Z]*[HL]|--deref)/],
  [/^rsync$/, /^(-[a-zA-Z\d]*[Lk]|--copy-(links|unsafe-links|dirlinks))/],
  [/^zip$/, /^(-[a-zA-Z\d]*[rR]|--recurse)/],
  [/^7z[arz]?\b/, /^[au]$/],
  [/^(g?diff|colordiff|sdiff)$/, /^(-[a-zA-Z\d]*r|--rec)/],
];

/** Programs that show or rewrite files of these names in the folders that they are given, and follow links under such names. */
const FORMATTED: readonly (readonly [programs: RegExp, names: string])[] = [
  [/^(gofmt|goimports|gofumpt)$/, "*.go"],
  [/^(terraform|tofu) fmt$/, "*.tf*"],
  [/^(ruff (check|format)|black|isort|bandit|pyflakes3?|pycodestyle|pydocstyle|vulture)$/, "*.py*"],
  [/^shfmt$/, "*sh"],
  [/^(biome \w+|deno fmt)$/, "*.*s*"],
  [/^yamllint$/, "*.y*ml"],
];

/** A pattern for the names that a program goes through folders for. */
export function formattedNames({ name }: Line): string | undefined {
  return FORMATTED.find(([programs]) => programs.test(name))?.[1];
}

/** With these a link is taken for what it is. */
const KEEPING = /^(--no-dereference|--symlinks|-snl|-[a-zA-Z\d]*y)$/;

export function followsLinks({ name, simple }: Line): boolean {
  const option = FOLLOWING.find(([programs]) => programs.test(name))?.[1];
  if (option === undefined) return false;
  const words = simple.words.slice(1).map(({ text }) => text);
  return words.some((text) => option.test(text)) && !words.some((text) => KEEPING.test(text));
}
