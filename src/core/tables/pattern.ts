/** A pattern that is too long for one line: line breaks, and the spaces that a line begins with, are no part of it. */
export function patternOf(lines: string, flags = ""): RegExp {
  return new RegExp(lines.replace(/\n */g, ""), flags);
}
