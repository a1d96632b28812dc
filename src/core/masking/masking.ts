import { SECRET_NAMES } from "../tables/secrets.ts";

/** The replacement for a secret where no decision depends on reading it. */
export const MASK = "[masked]";

/** How secrets are hidden. In stored text it is better to hide too much, on cards it is better to hide too little. */
export type Masking = {
  readonly privateKey: RegExp;
  /** A text that is certainly a secret. */
  token(text: string): string;
  /** A value under the name of a secret. If it is returned unchanged, it stays readable. */
  value(text: string, name: string): string;
  cookies(pairs: string): string;
  /** Whether a list or object under a secret's name is hidden completely, or only the secret values in it. */
  readonly hides: "wholes" | "values";
};

const LABEL = "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
const END = "-----END [A-Z0-9 ]{0,60}-----";
const GAP = "(?:\\s|\\\\+[nr])+";
const LINE = "(?:\\r?\\n|\\\\n)[ \\t]{0,40}";
const BASE64 = "[A-Za-z0-9+/=]";

export const KEPT: Masking = {
  // A part of a key is still a secret, but what follows it is not.
  privateKey: new RegExp(
    `${LABEL}(?:${GAP}[A-Za-z-]{1,30}: [^\\n\\\\]{0,120})*(?:${GAP}${BASE64}{20,})*(?:(?:${GAP}${BASE64}{1,80}){0,2}${GAP}${END})?`,
    "g",
  ),
  token: () => MASK,
  value: () => MASK,
  cookies: () => MASK,
  hides: "wholes",
};

export const SHOWN: Masking = {
  // Only a complete key: after the first line alone there could be anything, even something that runs.
  privateKey: new RegExp(
    `${LABEL}(?:${LINE}[A-Za-z-]{1,30}: [A-Za-z0-9,. -]{0,100}){0,5}(?:${LINE})?(?:${LINE}${BASE64}{40,80})+(?:${LINE}${BASE64}{1,79})?(?:${LINE}=${BASE64}{4})?${LINE}${END}`,
    "g",
  ),
  token: measured,
  value: unlessItRuns,
  cookies: (pairs) => pairs.replace(PAIR, (_, lead: string, value: string) => lead + unlessItRuns(value, "cookie")),
  hides: "values",
};

const PAIR = /(=\\?"?)([^"\\;]+)/g;

/** A text with one of these is not a password, but something that a shell, a database or an interpreter reads. */
const RUNS = /[\s`;|&<>]|\$\(/;
/** A password may consist of words with spaces; no harmful command looks like that. */
const RUNS_IN_PHRASE = /[^\S ]|[`;|&<>]|\$\(/;
/** A longer text is not a password but a text that a reviewer must read. */
const PHRASE_MAX = 100;

function unlessItRuns(text: string, name: string): string {
  const runs = isPhraseName(name) && text.length <= PHRASE_MAX ? RUNS_IN_PHRASE : RUNS;
  return runs.test(text) ? text : measured(text);
}

function isPhraseName(name: string): boolean {
  const bare = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return bare === "pass" || bare.endsWith("pwd") || SECRET_NAMES.phrases.some((part) => bare.includes(part));
}

/** The length shows whether it is a password or a page of text. */
function measured(text: string): string {
  const length = [...text].length;
  return `[masked, ${length} ${length === 1 ? "character" : "characters"}]`;
}
