/**
 * Characters that are invisible, change the layout, or look like others: controls, format characters, private and
 * unassigned ones, line and paragraph separators, fillers, variation selectors, unusual spaces.
 */
const HIDDEN = /\p{DI}|[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?! )\p{Zs}/gu;
/** More combining marks on one letter than any script needs; they would cover the lines around. */
const SMEARED = /(\p{M}{4})(\p{M}+)/gu;

/** Text on one line with everything visible: invisible characters are written out. */
export function visible(text: string): string {
  return text
    .replaceAll(HIDDEN, named)
    .replaceAll(SMEARED, (_, kept: string, rest: string) => kept + [...rest].map(named).join(""));
}

/** As `visible`, but lines stay lines and tabs become spaces. */
export function visibleLines(text: string): readonly string[] {
  return text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").split("\n").map(visible);
}

/** As `visibleLines`, in one text. */
export function visibleText(text: string): string {
  return visibleLines(text).join("\n");
}

/** The same on one line, where a break of lines is seen as one. */
export function visibleOnOneLine(text: string): string {
  return visible(text.trim().replaceAll(/\s*\n\s*/g, " ⏎ "));
}

/** As `visible`, but line ends and tabs stay: for whole answers, whose values were put on one line before. */
export function visibleOnScreen(text: string): string {
  return text.replaceAll(/[^\n\t]+/g, visible);
}

/** JSON in which invisible characters are escapes: a terminal shows them, and a program reads the same value. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(HIDDEN, (char) =>
    char
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** A character by its number, as it is written out. */
export function named(char: string): string {
  return `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}

export function hasHidden(text: string): boolean {
  return text.search(HIDDEN) !== -1;
}
