import { SECRET_NAMES, SECRET_ROWS } from "../tables/secrets.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { type Hiding, hideInText, hideInWords } from "./command-secrets.ts";
import { KEPT, MASK, type Masking, SHOWN } from "./masking.ts";

/** The arguments as the ledger and notices may keep them. */
export function redact(args: JsonObject): JsonObject {
  return redactObject(args, KEPT);
}

/** A text without what looks like a secret. */
export function redactText(text: string): string {
  return masked(text, KEPT);
}

/** A text about a call, without what looks like a secret and without the secrets in its arguments. */
export function redactTextOf(args: JsonObject, text: string): string {
  return redactText(secretsIn(args).reduce((left, secret) => left.replaceAll(secret, MASK), text));
}

/** Everything in the arguments that `redact` hides, the longest first. A shorter text says nothing. */
function secretsIn(args: JsonObject): readonly string[] {
  const found: string[] = [];
  const hide = (secret: string) => {
    found.push(secret);
    return MASK;
  };
  redactObject(args, { ...KEPT, token: hide, value: hide, cookies: hide });
  return found.filter((secret) => secret.length >= SECRET_LETTERS_MIN).sort((a, b) => b.length - a.length);
}

const SECRET_LETTERS_MIN = 4;

/** The arguments for a card: secrets are hidden, but never something that would run. */
export function maskArgs(args: JsonObject): JsonObject {
  return redactObject(args, SHOWN);
}

/** A text as a card shows it. */
export function maskText(text: string): string {
  return masked(text, SHOWN);
}

function masked(text: string, how: Masking): string {
  return text.length < SHORTEST ? text : maskedLikely(hideInText(text, hidingIn(how)), how);
}

/** A secret that a program is given by a known option, whatever it looks like. */
function hidingIn(how: Masking): Hiding {
  return { hide: (value) => how.value(value, "password"), isSecretName };
}

/** What looks like a secret. Each pattern is used only if the text contains a character that it needs. */
function maskedLikely(text: string, how: Masking): string {
  const { token } = how;
  const bare = ASSIGNS.test(text)
    ? redactAssigned(
        text
          .replace(how.privateKey, token)
          .replace(IN_ADDRESS, (_, lead: string, value: string) => `${lead}${how.value(value, "")}@`)
          .replace(COOKIE, (_, lead: string, pairs: string) => lead + how.cookies(pairs))
          .replace(KNOWN, token),
        how,
      )
    : text.replace(KNOWN, token);
  if (!BLANK.test(bare)) return bare;
  return bare.replace(SCHEME, (whole, scheme: string, value: string) =>
    /\d/.test(value) || value.endsWith("=") ? scheme + token(value) : whole,
  );
}

/**
 * Characters in every private key, address with a password, cookie and assignment; the names of known tokens need
 * none.
 */
const ASSIGNS = /[=:]|--/;
/** A space or tab, which separates the scheme of a header from its token. */
const BLANK = /[ \t]/;

/** A text shorter than `pwd=x1` cannot contain a secret that a pattern finds. */
const SHORTEST = 6;

const KNOWN = new RegExp(`(?<![A-Za-z0-9_-])(?:${SECRET_ROWS.map((row) => row.pattern).join("|")})`, "g");
const IN_ADDRESS = /(:\/\/[^\s/:@"'<>]{0,256}:)([^\s/@"'<>]{1,512})@/g;
const COOKIE =
  /(?<![\w-])((?:set-)?cookie\\?["']?[ \t]{0,2}[:=][ \t]{0,2}\\?["']?)((?:[\w!#$%&*+.^|~-]+=(?:\\?"[^"\r\n\\]*\\?"|[^\s;"',]*)(?:;[ \t]*)?)+)/gi;
const SCHEME = /(?<![A-Za-z0-9])((?:bearer|basic|token|apikey)[ \t]{1,3})([A-Za-z0-9+/_=.~-]{16,})/gi;
/** A name and its separator: `name=`, `name: "`, `--name value`. */
const NAME =
  /(?<![\w.-])(-{0,2}[A-Za-z_][\w.-]{1,80})((?:\\{0,3}["'])?[ \t]{0,3}(?:=|:(?!\/\/)|=>)[ \t]{0,3}|[ \t]{1,3})/g;
const VALUE = /\\{1,3}["'][^"'\\\n]*(?:\\{1,3}["'])?|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[^\s"'`&,;<>(){}[\]|]+/y;

/** Short words for secrets, as people use them in the names of variables. */
const VARIABLE = /^(?:(?:[A-Z0-9]+_)*(?:TOK|PW|PSW|PASS|CREDS)|(?:[A-Z0-9]+_)+PAT)$/;

/** `password=…` in every form: query, variable, option, header, line of a file. */
function redactAssigned(text: string, how: Masking): string {
  NAME.lastIndex = 0;
  let kept = "";
  let from = 0;
  for (let found = NAME.exec(text); found !== null; found = NAME.exec(text)) {
    const [, name = "", separator = ""] = found;
    VALUE.lastIndex = NAME.lastIndex;
    if (!(isSecretName(name) || (separator === "=" && VARIABLE.test(name))) || !separates(name, separator)) continue;
    const value = VALUE.exec(text)?.[0];
    if (value === undefined || !mayBeSecret(value, separator)) continue;
    const end = NAME.lastIndex + value.length;
    const [quote] = /^\\*["']|^/.exec(value) ?? [""];
    const bare = value.slice(quote.length, value.endsWith(quote) ? value.length - quote.length : undefined);
    // One more character is examined: `$` alone runs nothing, but `$(` does.
    const whole = bare + (/[(`]/.exec(text[end] ?? "") ?? "");
    // Only inside quotes can a value consist of several words.
    const under = quote === "" ? "" : name;
    if (how.value(whole, under) === whole) continue;
    kept += text.slice(from, NAME.lastIndex) + quote + how.value(bare, under) + quote;
    from = end;
    NAME.lastIndex = end;
  }
  return kept + text.slice(from);
}

/** A space separates only an option from its value; in prose, "the password was" is not an assignment. */
function separates(name: string, separator: string): boolean {
  return /[=:]/.test(separator) || name.startsWith("--");
}

/** After `=` everything is a value. After a colon or with spaces around, source code and prose are left unchanged. */
function mayBeSecret(value: string, separator: string): boolean {
  if (value === MASK || value.length < 2) return false;
  if (separator === "=") return true;
  if (/^\\*["']/.test(value)) return value.length > 4;
  return value.length >= 6 && /\d|[!@#$%^*?]/.test(value) && !/^[A-Za-z_$][\w$.]*[.][A-Za-z_]/.test(value);
}

export function isSecretName(name: string): boolean {
  const bare = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return (
    SECRET_NAMES.whole.includes(bare) ||
    SECRET_NAMES.atEnd.some((end) => bare.endsWith(end) && !HARMLESS.has(bare)) ||
    SECRET_NAMES.anywhere.some((part) => bare.includes(part))
  );
}

/** Names that end like the name of a secret, but are not. */
const HARMLESS = new Set(["pagetoken", "nextpagetoken", "nexttoken", "continuationtoken"]);

function redactValue(name: string, value: Json, how: Masking): Json {
  if (isSecretName(name) && value !== null && typeof value !== "boolean" && value !== "") return hide(name, value, how);
  if (typeof value === "string") return masked(value, how);
  if (Array.isArray(value))
    return wordsHidden(value, how).map((item: Json, at) => redactValue(flagBefore(value, at), item, how));
  return isObject(value) ? redactObject(value, how) : value;
}

/** A list of texts may be the words of a command. */
function wordsHidden(list: readonly Json[], how: Masking): readonly Json[] {
  const isWords = list.length > 1 && list.every((item) => typeof item === "string");
  return isWords ? hideInWords(list as readonly string[], hidingIn(how)) : list;
}

/** In a list of words, the word after `--password` is its value. */
function flagBefore(words: readonly Json[], at: number): string {
  const before = at === 0 ? undefined : words[at - 1];
  return typeof before === "string" && FLAG.test(before) ? before : "";
}

const FLAG = /^--?[A-Za-z][\w-]{1,80}$/;

/** A value under the name of a secret, whatever it looks like. */
function hide(name: string, value: Json, how: Masking): Json {
  if (typeof value === "string") {
    const hidden = how.value(value, name);
    return hidden === value ? masked(value, how) : hidden;
  }
  if (how.hides === "wholes" || typeof value !== "object") return how.token(JSON.stringify(value));
  // A list of texts is a list of secrets.
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
    return value.map((item: Json) => hide(name, item, how));
  }
  return within(name, value, how);
}

/**
 * Nested values under the name of a secret, on a card. There could be anything there, such as a recipient or an
 * amount, and hiding it would keep the reviewer from deciding. So only values with a secret's name of their own, or
 * that look like a secret, are hidden.
 */
function within(under: string, value: Json, how: Masking): Json {
  if (typeof value === "string") return LOOKS_SECRET.test(value) ? how.value(value, under) : masked(value, how);
  if (Array.isArray(value)) return value.map((item: Json) => within(under, item, how));
  return isObject(value) ? redactObject(value, how, under) : value;
}

/** One run of letters and digits, like keys and passwords, and unlike words, addresses, paths and numbers. */
const LOOKS_SECRET = /^(?![/~])(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9+/_=~!#%^*-]{6,}$/;

function redactObject(object: JsonObject, how: Masking, under?: string): JsonObject {
  const shown: Record<string, Json> = Object.create(null);
  // A header or variable given as `{ name: "Authorization", value: "…" }`.
  const named = [object.name, object.key, object.header].find((name) => typeof name === "string" && isSecretName(name));
  for (const key of Object.keys(object)) {
    const secret = named !== undefined && /^(value|val|content|data)$/i.test(key) ? "secret" : undefined;
    const value = object[key] as Json;
    const isDeep = under !== undefined && secret === undefined && !isSecretName(key);
    shown[freeKey(shown, masked(key, how))] = isDeep
      ? within(under, value, how)
      : redactValue(secret ?? key, value, how);
  }
  return shown;
}

/** Two different secret keys stay two keys. */
function freeKey(object: Record<string, Json>, key: string): string {
  let free = key;
  for (let n = 2; Object.hasOwn(object, free); n++) free = `${key} ${n}`;
  return free;
}
