/** What stands in for a secret where nobody decides by what he reads. */
export const MASK = "[masked]";

/** Two ways to hide a secret: for what is kept, where too much is the lesser harm, and for cards, where it is the greater. */
export type Masking = {
  readonly privateKey: RegExp;
  /** Something that can be nothing but a secret. */
  token(text: string): string;
  /** Something that stands where secrets stand. What comes back as it was stays to be read. */
  value(text: string): string;
  cookies(pairs: string): string;
  /** Is a list or an object under a telling name hidden whole, or value by value? */
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
  cookies: (pairs) => pairs.replace(PAIR, (_, lead: string, value: string) => lead + unlessItRuns(value)),
  hides: "values",
};

const PAIR = /(=\\?"?)([^"\\;]+)/g;

/** What holds one of these is no password but something that a shell, a database or an interpreter reads. */
const RUNS = /[\s`;|&<>]|\$\(/;

function unlessItRuns(text: string): string {
  return RUNS.test(text) ? text : measured(text);
}

/** The length tells a password from a page. */
function measured(text: string): string {
  const length = [...text].length;
  return `[masked, ${length} ${length === 1 ? "character" : "characters"}]`;
}
