import { SECRET_NAMES } from "../tables/secrets.ts";

/** What stands in for a secret where nobody decides by what he reads. */
export const MASK = "[masked]";

/** Two ways to hide a secret: for what is kept, where too much is the lesser harm, and for cards, where it is the greater. */
export type Masking = {
  readonly privateKey: RegExp;
  /** Something that can be nothing but a secret. */
  token(text: string): string;
  /** Something that stands where secrets stand, under this name. What comes back as it was stays to be read. */
  value(text: string, name: string): string;
  cookies(pairs: string): string;
  /** Is a list or an object under a telling name hidden whole, or only those of its values that are secrets? */
  readonly hides: "wholes" | "values";
};

const LABEL = "-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----";
const END = "-----END [A-Z0-9 ]{0,60}-----";
const GAP = "(?:\\s|\\\\+[nr])+";
const LINE = "(?:\\r?\\n|\\\\n)[ \\t]{0,40}";
const BASE64 = "[A-Za-z0-9+/=]";

export const KEPT: Masking = {
  // Half a key is still a secret, but what follows it is not.
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
  // Only a whole key: behind a first line alone anything could stand that runs.
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

/** What holds one of these is no password but something that a shell, a database or an interpreter reads. */
const RUNS = /[\s`;|&<>]|\$\(/;
/** A password may be made of words with blanks between them; no command that does harm is called one. */
const RUNS_IN_PHRASE = /[^\S ]|[`;|&<>]|\$\(/;
/** Nobody remembers a longer one: it is a text, and a text is read. */
const PHRASE_MAX = 100;

function unlessItRuns(text: string, name: string): string {
  const runs = isPhraseName(name) && text.length <= PHRASE_MAX ? RUNS_IN_PHRASE : RUNS;
  return runs.test(text) ? text : measured(text);
}

function isPhraseName(name: string): boolean {
  const bare = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return bare === "pass" || bare.endsWith("pwd") || SECRET_NAMES.phrases.some((part) => bare.includes(part));
}

/** The length tells a password from a page. */
function measured(text: string): string {
  const length = [...text].length;
  return `[masked, ${length} ${length === 1 ? "character" : "characters"}]`;
}
