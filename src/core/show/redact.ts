import { SECRET_NAMES, SECRET_ROWS } from "../tables/secrets.ts";
import { isObject, type Json, type JsonObject } from "../values/json.ts";

export const MASK = "[masked]";

/** The arguments as the ledger, notices and cards may keep them. */
export function redact(args: JsonObject): JsonObject {
  return redactObject(args);
}

/** A text without what looks like a secret. Each pattern passes over it once, where it has the sign it cannot do without. */
export function redactText(text: string): string {
  if (text.length < SHORTEST) return text;
  const masked = ASSIGNS.test(text)
    ? redactAssigned(
        text.replace(PEM, MASK).replace(IN_ADDRESS, `$1${MASK}@`).replace(COOKIE, `$1${MASK}`).replace(KNOWN, MASK),
      )
    : text.replace(KNOWN, MASK);
  if (!BLANK.test(masked)) return masked;
  return masked.replace(SCHEME, (whole, scheme: string, value: string) =>
    /\d/.test(value) || value.endsWith("=") ? `${scheme}${MASK}` : whole,
  );
}

/** In every private key, address with a password, cookie and assignment; the names of the known tokens need none. */
const ASSIGNS = /[=:]|--/;
/** Between a scheme and its token. */
const BLANK = /[ \t]/;

/** Nothing shorter than `pwd=x1` can hold a secret that a pattern knows. */
const SHORTEST = 6;

const KNOWN = new RegExp(`(?<![A-Za-z0-9_-])(?:${SECRET_ROWS.map((row) => row.pattern).join("|")})`, "g");
/** To its end, or to the end of the text: half a key is still a secret. */
const PEM = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,60}-----|$)/g;
const IN_ADDRESS = /(:\/\/[^\s/:@"'<>]{0,256}:)[^\s/@"'<>]{1,512}@/g;
const COOKIE =
  /(?<![\w-])((?:set-)?cookie\\?["']?[ \t]{0,2}[:=][ \t]{0,2}\\?["']?)(?:[\w!#$%&*+.^|~-]+=(?:\\?"[^"\r\n\\]*\\?"|[^\s;"',]*)(?:;[ \t]*)?)+/gi;
const SCHEME = /(?<![A-Za-z0-9])((?:bearer|basic|token|apikey)[ \t]{1,3})([A-Za-z0-9+/_=.~-]{16,})/gi;
/** A name and what separates it from its value: `name=`, `name: "`, `--name value`. */
const NAME =
  /(?<![\w.-])(-{0,2}[A-Za-z_][\w.-]{1,80})((?:\\{0,3}["'])?[ \t]{0,3}(?:=|:(?!\/\/)|=>)[ \t]{0,3}|[ \t]{1,3})/g;
const VALUE = /\\{1,3}["'][^"'\\\n]*(?:\\{1,3}["'])?|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[^\s"'`&,;<>(){}[\]|]+/y;

/** `password=…` in whatever dress: query, variable, flag, header, line of a file. */
function redactAssigned(text: string): string {
  NAME.lastIndex = 0;
  let kept = "";
  let from = 0;
  for (let found = NAME.exec(text); found !== null; found = NAME.exec(text)) {
    const [, name = "", separator = ""] = found;
    VALUE.lastIndex = NAME.lastIndex;
    if (!isSecretName(name) || !separates(name, separator)) continue;
    const value = VALUE.exec(text)?.[0];
    if (value === undefined || !mayBeSecret(value, separator)) continue;
    const end = NAME.lastIndex + value.length;
    const [quote] = /^\\*["']|^/.exec(value) ?? [""];
    kept += text.slice(from, NAME.lastIndex) + quote + MASK + quote;
    from = end;
    NAME.lastIndex = end;
  }
  return kept + text.slice(from);
}

/** A space separates only a flag from its value; in prose "the password was" says nothing. */
function separates(name: string, separator: string): boolean {
  return /[=:]/.test(separator) || name.startsWith("--");
}

/** After `=` anything is a value. After a colon or with space around, source code and prose are left as they are. */
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

/** End like a secret's name and are none. */
const HARMLESS = new Set(["pagetoken", "nextpagetoken", "nexttoken", "continuationtoken"]);

function redactValue(name: string, value: Json): Json {
  if (isSecretName(name) && value !== null && typeof value !== "boolean" && value !== "") return MASK;
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map((item: Json) => redactValue("", item));
  return isObject(value) ? redactObject(value) : value;
}

function redactObject(object: JsonObject): JsonObject {
  const masked: Record<string, Json> = Object.create(null);
  // A header or variable given as `{ name: "Authorization", value: "…" }`.
  const named = [object.name, object.key, object.header].find((name) => typeof name === "string" && isSecretName(name));
  for (const key of Object.keys(object)) {
    const value = object[key] as Json;
    masked[freeKey(masked, redactText(key))] =
      named !== undefined && /^(value|val|content|data)$/i.test(key)
        ? redactValue("secret", value)
        : redactValue(key, value);
  }
  return masked;
}

/** Two keys that are both secrets stay two. */
function freeKey(object: Record<string, Json>, key: string): string {
  let free = key;
  for (let n = 2; Object.hasOwn(object, free); n++) free = `${key} ${n}`;
  return free;
}
