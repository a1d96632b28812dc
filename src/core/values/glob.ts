/**
 * `*` is any run of characters, `?` any one. Only the last star is ever tried again, so the work is at most
 * pattern times text: an agent that chooses the text cannot make it slow.
 */
export function globMatches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let from = 0;
  while (t < text.length) {
    const c = pattern.charCodeAt(p);
    if (c === STAR) {
      star = p++;
      from = t;
    } else if (p < pattern.length && (c === QUESTION || c === text.charCodeAt(t))) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++from;
    } else return false;
  }
  while (pattern.charCodeAt(p) === STAR) p++;
  return p === pattern.length;
}

/** Paths by segments: a segment's `*` and `?` stay inside it, `**` is any number of segments, also none. */
export function segmentsMatch(pattern: readonly string[], path: readonly string[]): boolean {
  let p = 0;
  let s = 0;
  let star = -1;
  let from = 0;
  while (s < path.length) {
    const segment = pattern[p];
    if (segment === "**") {
      star = p++;
      from = s;
    } else if (segment !== undefined && globMatches(segment, path[s] ?? "")) {
      p++;
      s++;
    } else if (star >= 0) {
      p = star + 1;
      s = ++from;
    } else return false;
  }
  while (pattern[p] === "**") p++;
  return p === pattern.length;
}

/** Could anything below `path` match? True once the whole of it can be the beginning of a match. */
export function mayMatchBelow(pattern: readonly string[], path: readonly string[]): boolean {
  for (let i = 0; i < path.length; i++) {
    const segment = pattern[i];
    if (segment === undefined) return false;
    if (segment === "**") return true;
    if (!globMatches(segment, path[i] ?? "")) return false;
  }
  return true;
}

export function isGlob(text: string): boolean {
  return text.includes("*") || text.includes("?");
}

/** What stands before the first wildcard: the longer it is, the more a glob says. */
export function literalPrefixLength(glob: string): number {
  const wild = glob.search(/[*?]/);
  return wild < 0 ? glob.length : wild;
}

const STAR = 42;
const QUESTION = 63;
