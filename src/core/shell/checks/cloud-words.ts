import { say } from "../../messages/message.ts";
import { type Line, takeWord } from "../path-uses.ts";
import { plain, type Word } from "../script.ts";

/**
 * The words that say what is done: all before the first unknown option. Whether an unknown option takes a value cannot
 * be known, so what follows it is not part of the command's name.
 */
export function pathOf(
  line: Line,
  globals: ReadonlyMap<string, boolean>,
): { path: readonly string[]; rest: readonly Word[] } {
  const words = line.simple.words.slice(1);
  if (line.simple.more !== undefined || words.some((word) => word.kind === "open")) {
    line.doubts.add(say("note.word_known_only_at_run"));
  }
  const path: string[] = [];
  const rest: Word[] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] as Word;
    if (word.kind !== "plain") break;
    if (!/^-./.test(word.text)) {
      path.push(word.text);
      continue;
    }
    const takesValue = globals.get(nameOf(word));
    if (takesValue === undefined) break;
    rest.push(word);
    if (takesValue && !word.text.includes("=")) {
      const value = words[++at];
      if (value !== undefined) rest.push(value);
    }
  }
  return { path, rest: [...rest, ...words.slice(at)] };
}

/** A help option at the end makes gcloud and az do nothing else; after `--` it belongs to another program. */
export function onlyHelps({ simple: { words, more } }: Line): boolean {
  return (
    more === undefined &&
    words.at(-1)?.text === "--help" &&
    words.every(({ kind, text }) => kind === "plain" && text !== "--")
  );
}

export function nameOf(word: Word): string {
  return word.text.split("=", 1)[0] ?? "";
}

/** `true` for options that take a value. */
export function globalsFrom(valued: string, alone: string): ReadonlyMap<string, boolean> {
  return new Map([
    ...valued.split(" ").map((name): [string, boolean] => [name, true]),
    ...alone.split(" ").map((name): [string, boolean] => [name, false]),
  ]);
}

/** Whether an option is given, in full or abbreviated: these programs accept every unique prefix. */
export function isGiven(words: readonly Word[], names: readonly string[]): boolean {
  return words.some((word) => {
    const given = nameOf(word);
    return given.length > 2 && given.startsWith("--") && names.some((name) => name.startsWith(given));
  });
}

/** The value of an option that is given once, in either spelling. */
export function valueGiven(words: readonly Word[], names: readonly string[]): string | undefined {
  const values = words.flatMap((word, i) => {
    if (!names.includes(nameOf(word))) return [];
    const equals = word.text.indexOf("=");
    return [equals > 0 ? word.text.slice(equals + 1) : (words[i + 1]?.text ?? "")];
  });
  return values.length === 1 ? values[0] : undefined;
}

/** Values such as `file://name` and `@name` stand for the content of a file, and aws fetches an address. */
export function takeFiles(line: Line, words: readonly Word[]): void {
  for (const word of words) {
    for (const [, file = ""] of word.text.matchAll(/fileb?:\/\/([^\s,}\]"']+)/g)) takeWord(line, "read", plain(file));
    const file = /^(?:--[\w-]+=)?@(.+)$/.exec(word.text)?.[1];
    if (file !== undefined && file !== "-") takeWord(line, "read", plain(file));
    const address = /^(?:--[\w-]+=)?(https?:\/\/.+)$/.exec(word.text)?.[1];
    if (address !== undefined) takeWord(line, "url", plain(address));
  }
}

/** Fields without secrets, alone or several; an expression that ends in anything else may show everything. */
const FIELD =
  "[\\w-]*(?:name|names|arn|id|ids|status|state|runtime|modified|timeout|size|handler|version|revision|cpu|memory|type|zone|region|time|date|url|uri|endpoint|image|project|location|phase|count|email|fqdn|created|updated|label|labels)";
const FIELDS = `(?:${FIELD}|\\[${FIELD}(?:, ?${FIELD})*\\]|\\{\\w+: ?${FIELD}(?:, ?\\w+: ?${FIELD})*\\})`;
export const NARROW_QUERY = new RegExp(`^(?:[\\w-]*(?:\\[[\\d*]*\\])?\\.)*${FIELDS}$`, "i");
export const NARROW_FORMAT = new RegExp(
  `^(?:value|table|csv|get)\\((?:[\\w-]+\\.)*${FIELD}(?:, ?(?:[\\w-]+\\.)*${FIELD})*\\)$`,
  "i",
);
