import { SECRET_OPTIONS } from "../tables/secret-options.ts";
import { once } from "../values/once.ts";

/** What is known about a program whose words a text contains. `below`: only behind this subcommand. */
type Row = {
  below: string | undefined;
  options: readonly Place[];
  words: ReadonlySet<string>;
  begins: readonly string[];
};

/** An option with a secret: where its value is, and what of the value is meant. */
type Place = { name: string; sign: "=" | "+" | "_" | "^" | "~"; behind: string };

/** How a secret is hidden (a value that is returned unchanged stays readable), and which names are those of secrets. */
export type Hiding = { hide: (value: string) => string; isSecretName: (name: string) => boolean };

const ROWS = once(() => {
  const rows = new Map<string, Row[]>();
  for (const line of SECRET_OPTIONS.trim().split("\n")) {
    const [programs = "", places = ""] = line.split(/: (.*)/s);
    const facts = places.split(" ");
    const options = facts.flatMap(placeFrom);
    const words = new Set(facts.filter((fact) => /^(last|named|pairs)$/.test(fact)));
    const begins = facts.filter((fact) => /^[a-z/]+:$/.test(fact));
    for (const one of programs.split(" ")) {
      const [program = "", below] = one.split(/\/(.*)/s);
      rows.set(program, [...(rows.get(program) ?? []), { below, options, words, begins }]);
    }
  }
  return rows;
});

function placeFrom(fact: string): Place[] {
  const [, name, sign, behind = ""] = /^(-[\w-]+)([=+_^~])(.?)$/.exec(fact) ?? [];
  return name === undefined ? [] : [{ name, sign: sign as Place["sign"], behind }];
}

const NAMED = once(() => {
  const names = [...ROWS().keys()].sort((a, b) => b.length - a.length);
  return new RegExp(`(?<![\\w.-])(?:${names.join("|")})(?![\\w.-])`);
});

/** Whether a text names a program that may be given a secret. */
function namesProgram(text: string): boolean {
  return NAMED().test(text);
}

/** A word as a shell would read it, or a sign between words. */
const TOKEN = /\\\r?\n|(?:\\[^\r\n]|'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[^\s'"\\;|&()<>`])+|[;|&\n()<>`'"]/g;
const QUOTED = /'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/g;
const DEPTH_MAX = 4;

type Token = { text: string; at: number };

/** A text without the secrets that its commands are given by a known option. */
export function hideInText(text: string, hiding: Hiding, depth = 0): string {
  if (depth > DEPTH_MAX || !namesProgram(text)) return text;
  let shown = "";
  let from = 0;
  for (const words of commandsIn(text)) {
    const secrets = secretsIn(
      words.map(({ text: word }) => bareText(word)),
      hiding,
    );
    for (const [i, { text: word, at }] of words.entries()) {
      const secret = secrets.get(i);
      const own = secret === undefined ? hideWithin(word, hiding, depth) : hideSecret(word, secret, hiding);
      shown += text.slice(from, at) + own;
      from = at + word.length;
    }
  }
  return shown + text.slice(from);
}

/** The words of each command of a text, without those that follow a redirection. */
function commandsIn(text: string): readonly (readonly Token[])[] {
  const commands: Token[][] = [[]];
  let before = "";
  for (const { 0: token, index: at } of text.matchAll(TOKEN)) {
    if (/^[;|&\n()`'"]$/.test(token)) commands.push([]);
    else if (!/^([<>]|\\\r?\n)$/.test(token) && !/^[<>]$/.test(before)) commands.at(-1)?.push({ text: token, at });
    before = token;
  }
  return commands;
}

function bareText(word: string): string {
  return word.replace(/['"]/g, "");
}

/** A quoted text may be a command of its own. */
function hideWithin(word: string, hiding: Hiding, depth: number): string {
  if (!/['"][\s\S]*\s/.test(word)) return word;
  return word.replace(
    QUOTED,
    (text) => text.slice(0, 1) + hideInText(text.slice(1, -1), hiding, depth + 1) + text.slice(-1),
  );
}

/** The same for a command that is a list of words. */
export function hideInWords(words: readonly string[], hiding: Hiding): readonly string[] {
  if (!words.some((word) => ROWS().has(programIn(word)))) return words;
  const secrets = secretsIn(words, hiding);
  return words.map((word, i) => {
    const secret = secrets.get(i);
    return secret === undefined ? word : hideSecret(word, secret, hiding);
  });
}

/** What stands where a secret is expected may be a variable, a file or a sign for the input: those are no secrets. */
const NO_SECRET = /^$|^\$(\{?\w+\}?)?$|^-$|^@|^\[masked/;

function hideSecret(word: string, secret: string, { hide }: Hiding): string {
  if (NO_SECRET.test(secret)) return word;
  const hidden = hide(secret);
  const at = word.lastIndexOf(secret);
  if (hidden === secret) return word;
  return at === -1 ? hidden : word.slice(0, at) + hidden + word.slice(at + secret.length);
}

function programIn(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** The secret in each word that has one. */
function secretsIn(words: readonly string[], { isSecretName }: Hiding): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  let rows: readonly Row[] = [];
  // The words behind the program, among which its subcommand is.
  let passed = new Set<string>();
  for (const [i, word] of words.entries()) {
    const own = ROWS().get(programIn(word));
    if (own !== undefined) {
      rows = own;
      passed = new Set();
      continue;
    }
    const before = passed.size === 0 || found.has(i - 1) ? "" : (words[i - 1] ?? "");
    const at = { word, before, isLast: i === words.length - 1 };
    for (const row of rows) {
      if (row.below !== undefined && !passed.has(row.below)) continue;
      const secret = secretAt(row, at, isSecretName);
      if (secret !== undefined) found.set(i, secret);
    }
    if (rows.length > 0) passed.add(word);
  }
  return found;
}

type At = { word: string; before: string; isLast: boolean };

function secretAt({ options, words, begins }: Row, at: At, isSecretName: Hiding["isSecretName"]): string | undefined {
  const { word, before, isLast } = at;
  for (const place of options) {
    const value = optionValue(place, word, before);
    if (value !== undefined) return partOf(place, value, isSecretName);
  }
  const begun = begins.find((start) => word.startsWith(start));
  if (begun !== undefined) return word.slice(begun.length);
  if (words.has("pairs")) return /^[\w.-]+=(.+)$/s.exec(word)?.[1];
  if (words.has("named") && /^[^-]/.test(before) && (isSecretName(before) || /(pass|auth)$/i.test(before))) return word;
  return words.has("last") && isLast && !word.startsWith("-") ? word : undefined;
}

/** The value of an option: behind it in its word, or the next word. */
function optionValue({ name, sign }: Place, word: string, before: string): string | undefined {
  const isShort = /^-[A-Za-z]$/.test(name);
  const isCluster = isShort && sign !== "_" && before.endsWith(name.slice(1)) && CLUSTER.test(before);
  if (sign !== "+" && (before === name || isCluster)) return word;
  if (sign === "_" || word === name || !word.startsWith(name)) return undefined;
  const rest = word.slice(name.length);
  if (isShort || sign === "+") return rest;
  return rest.startsWith("=") ? rest.slice(1) : undefined;
}

/** `-sSu` is `-s -S -u`. */
const CLUSTER = /^-[A-Za-z]{2,5}$/;

const HEADER = /^(?:[\w.-]+=)?([\w-]+):\s*(.+)$/s;

/** What of an option's value is the secret. */
function partOf({ sign, behind }: Place, value: string, isSecretName: Hiding["isSecretName"]): string | undefined {
  if (sign === "^") {
    const [, header = "", content] = HEADER.exec(value) ?? [];
    return isSecretName(header) ? content : undefined;
  }
  if (sign !== "~") return value;
  const at = value.indexOf(behind);
  return at === -1 || value.includes("://") ? undefined : value.slice(at + 1);
}
