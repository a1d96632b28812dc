/** A path whose pieces are what they are: a name with a slash in it leads nowhere else. */
export function at(pieces: TemplateStringsArray, ...names: readonly string[]): string {
  return pieces.reduce((path, piece, n) => path + encodeURIComponent(names[n - 1] ?? "") + piece);
}
