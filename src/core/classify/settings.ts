import type { Fact } from "../effect.ts";
import { HARMLESS_GIT, HARMLESS_LOCALLY, HARMLESS_VALUES, OBEYS_TOO, type Obeying } from "../tables/obeyed.ts";
import { normalise, spellOut } from "./path.ts";

/** Settings that a program would obey in a folder, which is named from another one. */
export type SettingsAsked = { by: Obeying; folder: string; base: string };

/** What the door found of them. Without it nobody knows what such a program starts. */
export type SettingsFound = {
  /** Settings, files and links that start programs or may do so; none where everything was read and is harmless. */
  starts: readonly string[];
  /** Hooks that git would run there. */
  hooks: readonly string[];
  /** Whether git would work in the repository that the project itself lies in. */
  own: boolean;
  /** The files that say so: a change of any of them voids an approval. */
  facts: readonly Fact[];
};

export function settingsKey(by: Obeying, folder: string): string {
  return `${by} ${folder}`;
}

/** What a door would answer that found nothing but settings which start nothing. */
export function plainSettings(asked: readonly SettingsAsked[], home = "/home/ana"): { [key: string]: SettingsFound } {
  const found: { [key: string]: SettingsFound } = {};
  for (const { by, folder, base } of asked) {
    const spelled = spellOut(folder, { base, home });
    if (spelled.ok) found[settingsKey(by, normalise(spelled.raw))] = { starts: [], hooks: [], own: true, facts: [] };
  }
  return found;
}

/** One program may look for the settings of another as well. */
export function lookedForBy(by: Obeying): readonly Obeying[] {
  return [by, ...(OBEYS_TOO[by] ?? [])];
}

const SECTION = /^[ \t]*\[[ \t]*([^\]"[\]]+?)(?:[ \t]+"((?:[^"\\]|\\["\\])*)")?[ \t]*\][ \t]*$/;
const SETTING = /^[ \t]*([\w@/][^=]*?)[ \t]*(?:=[ \t]*(.*?))?[ \t]*$/;
const NOTHING = /^[ \t]*([#;].*)?$/;

/** A line that one program might read in another way than this does. */
const ODD = /"""|'''|\\$|[\0\r\ufeff]/;

/**
 * Files of sections, names and values as `section.name=value`, and as they are whatever is not of that kind. Undefined
 * where a line may mean something else to the program.
 */
export function settingLines(text: string): readonly string[] | undefined {
  const found: string[] = [];
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    if (NOTHING.test(line)) continue;
    if (ODD.test(line)) return undefined;
    const header = SECTION.exec(line);
    if (header !== null) {
      section = `${header[1] ?? ""}${header[2] === undefined ? "" : `.${header[2]}`}.`;
      found.push(`[${section.slice(0, -1)}]`);
      continue;
    }
    const setting = SETTING.exec(line);
    if (setting === null) found.push(line.trim());
    else found.push(`${section}${setting[1]}${setting[2] === undefined ? "" : `=${setting[2]}`}`);
  }
  return found;
}

export type GitSetting = { name: string; value: string };

const GIT_SECTION = /^\[([\w.-]+)(?:[ \t]+"((?:[^"\\]|\\["\\])*)")?\][ \t]*([#;].*)?$/;
const GIT_NAME = /^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[ \t]*(.*?))?[ \t]*$/;

/** The settings of a repository; undefined where a line is of another form than git itself writes. */
export function gitSettings(text: string): readonly GitSetting[] | undefined {
  const found: GitSetting[] = [];
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    if (NOTHING.test(line)) continue;
    if (ODD.test(line)) return undefined;
    const header = GIT_SECTION.exec(line.trimStart());
    const setting = GIT_NAME.exec(line);
    if (header !== null) section = `${header[1]}${header[2] === undefined ? "" : `.${header[2]}`}`;
    else if (setting === null || section === "") return undefined;
    else found.push({ name: `${section}.${setting[1]}`, value: unquoted(setting[2] ?? "true") });
  }
  return found;
}

/** Quotes around all of a value are not part of it; quotes elsewhere are left, and fit no harmless value. */
function unquoted(value: string): string {
  return /^"[^"\\]*"$/.test(value) ? value.slice(1, -1) : value;
}

/** Whether git starts nothing by it. Hooks and the working tree are places, which the door looks at. */
export function isMildGit({ name, value }: GitSetting): boolean {
  if (HARMLESS_GIT.test(name) || HARMLESS_LOCALLY.test(name)) return true;
  return HARMLESS_VALUES.some((one) => one.name.test(name) && one.value.test(value));
}

const WRITES_TO = ["tsBuildInfoFile", "outDir", "outFile", "declarationDir", "rootDir", "sourceRoot", "mapRoot"];

/** What a `tsconfig.json` names: where it writes outside its own folder, and what it builds on. */
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
