/** Options that only say how much is printed, or which branch is followed from now on. */
const HARMLESS: ReadonlySet<string> = new Set(
  "-u --set-upstream -q --quiet -v --verbose --progress --no-progress --porcelain -n --dry-run".split(" "),
);

/** A remote by its name. `..` and an address are places, and a name can be no option. */
const REMOTE = /^[A-Za-z0-9][\w-]*(\.[\w-]+)*$/;

/**
 * A branch or tag by its name. Git reads `+a` as forced, `:a` as deleted, `a:b` as another name there, `^a` as left out and `a*` as many.
 * Letters that no such meaning has are enough for the names that people give.
 */
const NAME = /^[\p{L}\p{N}_@][\p{L}\p{N}_.@#/-]*$/u;

/**
 * The remote of a `git push` that adds to branches or tags named one by one; undefined for every other push. Nothing of what it can do
 * takes away what is on the server: that needs an option or a letter that is not here.
 */
export function pushedTo(words: readonly string[]): string | undefined {
  const [git, push, ...rest] = words;
  if (git !== "git" || push !== "push") return undefined;
  const [remote = "", ...names] = rest.filter((word) => !HARMLESS.has(word));
  const isPlain = REMOTE.test(remote) && names.length > 0 && names.every((name) => NAME.test(name));
  return isPlain ? remote : undefined;
}
