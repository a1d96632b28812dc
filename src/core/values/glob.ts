/**
 * `*` matches any characters, `?` matches one. Only the last star is tried again, so the work is at most pattern
 * times text: an agent that chooses the text cannot make it slow.
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

/** Matches paths by segments: `*` and `?` stay inside a segment, `**` is any number of segments, also none. */
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

/** Whether anything below `path` could match: true if the path can be the beginning of a match. */
export function mayMatchBelow(pattern: readonly string[], path: readonly string[]): boolean {
  for (let i = 0; i < path.length; i++) {
    const segment = pattern[i];
    if (segment === undefined) return false;
    if (segment === "**") return true;
    if (!globMatches(segment, path[i] ?? "")) return false;
  }
  return true;
}

/**
 * Whether a path with its own wildcards could stand for a path that the pattern matches, or, if `deep`, contain one.
 */
export function mayMeet(pattern: readonly string[], path: readonly string[], deep: boolean): boolean {
  // For each number of used path segments: whether the pattern so far may match them.
  let met = path.map(() => false);
  met.unshift(true);
  met = skipStars(met, path);
  for (const segment of pattern) {
    if (deep && met[path.length] === true) return true;
    const next: boolean[] = [segment === "**" && met[0] === true];
    for (let i = 1; i <= path.length; i++) {
      const name = path[i - 1] ?? "";
      if (segment === "**") next.push(met[i] === true || next[i - 1] === true);
      else next.push((met[i - 1] === true || (name === "**" && met[i] === true)) && namesMeet(segment, name));
    }
    met = skipStars(next, path);
  }
  return met[path.length] === true;
}

/** Two stars in the path may stand for no folder at all. */
function skipStars(met: readonly boolean[], path: readonly string[]): boolean[] {
  const found = [...met];
  for (let i = 1; i < found.length; i++) if (path[i - 1] === "**" && found[i - 1] === true) found[i] = true;
  return found;
}

/** Of two names with wildcards, only the parts before the first and after the last wildcard are compared. */
function namesMeet(a: string, b: string): boolean {
  if (!isWildName(b)) return globMatches(a, b);
  // In the shell, a star does not match a name that begins with a dot.
  if (a.startsWith(".") && /^[*?]/.test(b)) return false;
  if (!isGlob(a) && !/[[(]/.test(b)) return globMatches(b, a);
  const [headA, tailA] = [/^[^*?[(]*/.exec(a)?.[0] ?? "", /[^*?\])]*$/.exec(a)?.[0] ?? ""];
  const [headB, tailB] = [/^[^*?[(]*/.exec(b)?.[0].replace(/[!@+]$/, "") ?? "", /[^*?\])]*$/.exec(b)?.[0] ?? ""];
  return (
    (headA.startsWith(headB) || (isGlob(a) && headB.startsWith(headA))) &&
    (tailA.endsWith(tailB) || (isGlob(a) && tailB.endsWith(tailA)))
  );
}

/** Whether the shell may expand this name to others. */
export function isWildName(text: string): boolean {
  return wildAt(text) !== -1;
}

/** Whether the name or path has brackets, which a shell reads as a pattern, and no star or question mark. */
export function isBracketed(text: string): boolean {
  return isWildName(text) && !isGlob(text);
}

/** The position of the first shell wildcard, or -1. */
export function wildAt(text: string): number {
  return text.search(/[*?[]|[!@+]\(/);
}

export function isGlob(text: string): boolean {
  return text.includes("*") || text.includes("?");
}

/** The text before the first wildcard: the longer it is, the more specific the pattern. */
export function literalPrefixLength(glob: string): number {
  const wild = glob.search(/[*?]/);
  return wild < 0 ? glob.length : wild;
}

const STAR = 42;
const QUESTION = 63;
