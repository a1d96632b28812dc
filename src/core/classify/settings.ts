import type { Fact } from "../effect.ts";
import type { Message } from "../messages/message.ts";
import { HARMLESS_GIT, HARMLESS_LOCALLY, HARMLESS_VALUES, OBEYS_TOO, type Obeying } from "../tables/obeyed.ts";
import { normalise, spellOut } from "./path.ts";

/** A question to the door: which settings would this program follow in `folder`, which is relative to `base`? */
export type SettingsAsked = { by: Obeying; folder: string; base: string };

/** What the door found in a folder. If it did not look there, it is unknown what the program starts. */
export type SettingsFound = {
  /** Settings, files and links that start or may start programs; empty if everything was read and is harmless. */
  starts: readonly (Message | string)[];
  /** Files and links that lead a program to other files, which no word of the command names. */
  leads: readonly string[];
  /** Hooks that git would run there. */
  hooks: readonly string[];
  /** Whether git would work in the repository of the project itself. */
  own: boolean;
  /** The files in which all this was found: a change of any of them voids an approval. */
  facts: readonly Fact[];
};

export function settingsKey(by: Obeying, folder: string): string {
  return `${by} ${folder}`;
}

/** What a door returns if it found only settings that start nothing. */
export function plainSettings(asked: readonly SettingsAsked[], home = "/home/ana"): { [key: string]: SettingsFound } {
  const found: { [key: string]: SettingsFound } = {};
  for (const { by, folder, base } of asked) {
    const spelled = spellOut(folder, { base, home });
    if (spelled.ok)
      found[settingsKey(by, normalise(spelled.raw))] = { starts: [], leads: [], hooks: [], own: true, facts: [] };
  }
  return found;
}

/** One program may use the settings of another as well. */
export function lookedForBy(by: Obeying): readonly Obeying[] {
  return [by, ...(OBEYS_TOO[by] ?? [])];
}

/** The text without spaces and tabs around it. A loop, because a regular expression is slow for a long row of spaces. */
function stripped(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isBlank(text[from])) from++;
  while (to > from && isBlank(text[to - 1])) to--;
  return text.slice(from, to);
}

function isBlank(sign: string | undefined): boolean {
  return sign === " " || sign === "\t";
}

/** The name of a section: `a`, or `a.b` of `[a "b"]`. */
function sectionOf(line: string): string | undefined {
  const text = stripped(line);
  if (!text.startsWith("[") || !text.endsWith("]")) return undefined;
  const inner = stripped(text.slice(1, -1));
  const quote = inner.indexOf('"');
  const name = quote === -1 ? inner : stripped(inner.slice(0, quote));
  if (!/^[^\]"[]+$/.test(name)) return undefined;
  if (quote === -1) return name;
  const below = /^"((?:[^"\\]|\\["\\])*)"$/.exec(inner.slice(quote))?.[1];
  return below === undefined || !isBlank(inner[quote - 1]) ? undefined : `${name}.${below}`;
}

/** A name and the value after the separator, if there is one. */
function settingOf(line: string, name: RegExp): { name: string; value: string | undefined } | undefined {
  const text = stripped(line);
  const at = text.indexOf("=");
  const found = {
    name: stripped(at === -1 ? text : text.slice(0, at)),
    value: at === -1 ? undefined : stripped(text.slice(at + 1)),
  };
  return name.test(found.name) && !/[\n\r\u2028\u2029]/.test(found.value ?? "") ? found : undefined;
}

const NAME = /^[\w@/]/;
const NOTHING = /^[ \t]*([#;].*)?$/;

/** A line that one program might read in another way than this code. */
const ODD = /"""|'''|\\$|[\0\r\ufeff]/;

/**
 * Files with sections, names and values as `section.name=value`, and other lines unchanged. Undefined if a line may mean
 * something else to the program.
 */
export function settingLines(text: string): readonly string[] | undefined {
  const found: string[] = [];
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    if (NOTHING.test(line)) continue;
    if (ODD.test(line)) return undefined;
    const header = sectionOf(line);
    if (header !== undefined) {
      section = `${header}.`;
      found.push(`[${header}]`);
      continue;
    }
    const setting = settingOf(line, NAME);
    if (setting === undefined) found.push(line.trim());
    else found.push(`${section}${setting.name}${setting.value === undefined ? "" : `=${setting.value}`}`);
  }
  return found;
}

export type GitSetting = { name: string; value: string };

const GIT_SECTION = /^\[([\w.-]+)(?:[ \t]+"((?:[^"\\]|\\["\\])*)")?\][ \t]*([#;].*)?$/;
const GIT_NAME = /^[A-Za-z][A-Za-z0-9-]*$/;

/** The settings of a repository; undefined if a line has another form than git itself writes. */
export function gitSettings(text: string): readonly GitSetting[] | undefined {
  const found: GitSetting[] = [];
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    if (NOTHING.test(line)) continue;
    if (ODD.test(line)) return undefined;
    const header = GIT_SECTION.exec(line.trimStart());
    const setting = settingOf(line, GIT_NAME);
    if (header !== null) section = `${header[1]}${header[2] === undefined ? "" : `.${header[2]}`}`;
    else if (setting === undefined || section === "") return undefined;
    else found.push({ name: `${section}.${setting.name}`, value: unquoted(setting.value ?? "true") });
  }
  return found;
}

/** Quotes around a whole value are removed; other quotes are kept, and match no harmless value. */
function unquoted(value: string): string {
  return /^"[^"\\]*"$/.test(value) ? value.slice(1, -1) : value;
}

/** Whether the setting makes git start nothing. Hooks and the working tree are paths, which the door checks. */
export function isMildGit({ name, value }: GitSetting): boolean {
  if (HARMLESS_GIT.test(name) || HARMLESS_LOCALLY.test(name)) return true;
  return HARMLESS_VALUES.some((one) => one.name.test(name) && one.value.test(value));
}

const WRITES_TO = ["tsBuildInfoFile", "outDir", "outFile", "declarationDir", "rootDir", "sourceRoot", "mapRoot"];

/** What a `tsconfig.json` names: where it writes outside its own folder, and what it extends. */
export function typescriptSettings(text: string): { starts: readonly string[]; extended: readonly string[] } {
  const starts = WRITES_TO.filter((name) => {
    const values = [...text.matchAll(new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`, "g"))].map((match) => match[1] ?? "");
    const named = text.split(new RegExp(name, "i")).length - 1;
    return values.length < named || values.some((value) => /^[/~]|^[A-Za-z]:|\.\.|\$|\\/.test(value));
  });
  const extended = [...text.matchAll(/"extends"\s*:\s*(?:"([^"]*)"|\[([^\]]*)\])/g)];
  const told = extended.length < text.split("extends").length - 1 || /\\u/.test(text);
  const names = extended.flatMap(([, one, many]) =>
    one === undefined ? ((many ?? "").match(/[^",\s]+/g) ?? []) : [one],
  );
  return { starts: told ? [...starts, "extends"] : starts, extended: names };
}
