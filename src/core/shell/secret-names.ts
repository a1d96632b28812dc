import type { Assigned, Simple, Word } from "./script.ts";

/** Variables by these words in their name, cut at underscores and capitals, are taken to hold secrets. */
const TELLING = new Set(
  "KEY KEYS TOKEN TOKENS SECRET SECRETS PASS PASSWD PASSWORD PASSPHRASE PASSCODE CREDENTIAL CREDENTIALS CREDS AUTH COOKIE JWT PAT DSN".split(
    " ",
  ),
);
/** Words that run together with others, as in `PGPASSWORD`, and addresses that hold a password. */
const ANYWHERE =
  /PASSW(OR)?D|PASSPHRASE|APIKEY|ACCESSKEY|SECRET|CREDENTIAL|TOKEN$|_PWD$|CONNECTION_?STRING|^(\w*DATABASE|DB|MONGO\w*|POSTGRES\w*|PG|MYSQL|REDIS|AMQP|RABBITMQ)_UR[LI]$/;
/** They are called like secrets and say where something is, or how it is done. */
const PLACES = /_(FILE|PATH|DIR|NAME|ID|SOCK|TYPE|LENGTH|COUNT|LIMIT|URL|URI|ENDPOINT|ALGORITHM)$/;

export function isSecretVariable(name: string): boolean {
  // Scripts call what they go through `key` or `token`; what the surroundings hold is not called like that.
  if (/^[a-z]+$/.test(name)) return false;
  const spelled = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
  if (ANYWHERE.test(spelled)) return true;
  return !PLACES.test(spelled) && spelled.split("_").some((word) => TELLING.has(word));
}

/** What is handed from variable to variable against the order of the text is followed this far. */
const ROUNDS = 3;

/** Variables that were given what another variable holds that seems to be a secret. */
export function secretNames(sets: readonly Assigned[]): ReadonlySet<string> {
  if (sets.length === 0) return NONE;
  const found = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, value } of sets) if (holdsSecret(value, found)) found.add(name);
  }
  return found;
}

const NONE: ReadonlySet<string> = new Set();

/** Whether a command is handed such a variable, among its words or as its input. */
export function getsSecret({ words, input }: Simple, names: ReadonlySet<string>): boolean {
  if (words.some((word) => holdsSecret(word, names))) return true;
  return typeof input === "object" && "written" in input && namesSecret(input.written, names);
}

export function holdsSecret(word: Word, names: ReadonlySet<string>): boolean {
  return word.kind === "open" && namesSecret(word.text, names);
}

/** `${A+x}` says only whether A is set, and `${!A[@]}` which subscripts it has; `${!A}` may be any variable. */
const NAMED = /\$(?:\{(!?)(\w+)|(\w+))(?=([^}]{0,2}))/g;

function namesSecret(text: string, names: ReadonlySet<string>): boolean {
  if (!text.includes("$")) return false;
  for (const [, other, braced, bare, after = ""] of text.matchAll(NAMED)) {
    const name = braced ?? bare ?? "";
    if (braced !== undefined && /^:?\+/.test(after)) continue;
    if (other === "!" ? !/^[[*@]/.test(after) : names.has(name) || isSecretVariable(name)) return true;
  }
  return false;
}
