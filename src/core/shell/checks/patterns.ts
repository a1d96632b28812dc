/** Whether a bracket in a pattern is not closed in it: then programs differ about where the pattern ends. */
export function hasOpenBracket(pattern: string): boolean {
  let open = -1;
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern[at];
    if (sign === "\\") at++;
    else if (sign === "[" && open === -1) open = at;
    else if (sign === "]" && open !== -1 && !isFirst(pattern, open, at)) open = -1;
  }
  return open !== -1;
}

/** Right behind the bracket that opens, the one that closes is an ordinary letter, unless nothing closes it later. */
function isFirst(pattern: string, open: number, at: number): boolean {
  const between = pattern.slice(open + 1, at);
  return (between === "" || between === "^") && pattern.indexOf("]", at + 1) !== -1;
}
