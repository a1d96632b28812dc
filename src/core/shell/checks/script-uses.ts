import type { Message } from "../../messages/message.ts";

/** What a script of a small language does besides reading its input. */
export type ScriptUses = {
  reads: readonly string[];
  writes: readonly string[];
  runs: boolean;
  secrets: boolean;
  doubts: readonly Message[];
};

/** Whether a bracket in a pattern is not closed: then programs differ about where the pattern ends. */
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

/** Directly after the opening bracket, a closing bracket is an ordinary letter, unless no other closing bracket follows. */
function isFirst(pattern: string, open: number, at: number): boolean {
  const between = pattern.slice(open + 1, at);
  return (between === "" || between === "^") && pattern.indexOf("]", at + 1) !== -1;
}
