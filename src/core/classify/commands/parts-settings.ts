import { onlyReads } from "../../effect.ts";
import { type Named, say } from "../../messages/message.ts";
import type { Line } from "../../shell/path-uses.ts";
import { plain, type Word } from "../../shell/script.ts";
import type { Obeying } from "../../tables/obeyed.ts";
import { doubt, type EffectDraft } from "../effect-draft.ts";
import type { Knowledge } from "../knowledge.ts";
import { isUnder, normalise, spellOut } from "../path.ts";
import { placeOf, protectionOf } from "../protect.ts";
import { type SettingsAsked, type SettingsFound, settingsKey } from "../settings.ts";
import { placesOf } from "./command-places.ts";

/** Settings that the door must look at: a path from the folder in which the command starts. */
type Obeyed = { by: Obeying; text: string };

/** The settings that a line obeys, and the folders that it copies or moves. */
function obeyedBy(line: Line): readonly Obeyed[] {
  const found = line.obeys.flatMap(({ by, at = HERE }) =>
    line.folders === undefined ? [] : placesOf(at, line.folders).map((text) => ({ by, text })),
  );
  return [...found, ...carriedBy(line).map((text): Obeyed => ({ by: "content", text }))];
}

const HERE = plain(".");

/** What a line copies, moves or links, with everything in it. */
function carriedBy(line: Line): readonly string[] {
  const isLinking = /^(g?ln|link)$/.test(line.name);
  if (line.class !== "fs.copy" && line.class !== "fs.move" && !isLinking) return [];
  const sources = line.paths.filter(({ act, deep }) => act === "move" || (act === "read" && deep));
  const linked = isLinking ? line.operands.slice(0, -1) : [];
  return [...sources.map(({ word }) => word), ...linked].flatMap((word) => placesOf(word, line.folders));
}

/** What the door must look at before the decision. */
export function settingsOfLines(lines: readonly Line[], base: string): readonly SettingsAsked[] {
  return lines.flatMap((line) => obeyedBy(line).map(({ by, text }) => ({ by, folder: text, base })));
}

/** An absolute path whose content is unknown after a line of the command has run. */
export type Brought = { by: Line; place: string };

/** All such places of a command. `/` if a place is unknown. */
export function broughtBy(lines: readonly Line[], base: string | undefined, knowledge: Knowledge): readonly Brought[] {
  return lines.flatMap((line) => {
    const unseen = carriedBy(line).some((text) => lookUp("content", text, base, knowledge)?.starts.length !== 0);
    const words = unseen ? [...line.brings, ...landedOn(line)] : line.brings;
    const texts = words.flatMap((word) => placesOf(word, line.folders));
    return texts.map((text) => ({ by: line, place: folderOf(text, base, knowledge) ?? "/" }));
  });
}

/** Where copied files are put: in a folder under their own name, or at the named place. */
function landedOn({ paths, operands }: Line): readonly Word[] {
  const names = paths.filter(({ act }) => act !== "write").map(({ word }) => word);
  const last = [...names, ...operands.slice(0, -1)].map(({ text }) => text.replace(/\/+$/, "").split("/").at(-1) ?? "");
  const poured = last.some((name) => /^(\.{0,2}|.*[*?[].*)$/.test(name));
  return paths
    .filter(({ act }) => act === "write")
    .flatMap(({ word }) => [
      ...(poured || !/(^|\/)\.{0,2}$/.test(word.text) ? [word] : []),
      ...last.map((name) => plain(`${word.text.replace(/\/+$/, "")}/${name}`)),
    ]);
}

/** Adds doubts if a program obeys settings that are unknown, that start something, or that the same command creates. */
export function addSettings(
  draft: EffectDraft,
  line: Line,
  base: string | undefined,
  knowledge: Knowledge,
  brought: readonly Brought[],
): void {
  if (line.obeys.length > 0 && line.folders === undefined) doubt(draft, say("note.settings_folder_known_only_at_run"));
  for (const { by, text } of obeyedBy(line)) {
    const found = lookUp(by, text, base, knowledge);
    if (by === "content") {
      if (line.class === "fs.copy") addContent(draft, text, found, base, knowledge);
      continue;
    }
    if (found === undefined) doubt(draft, say("note.settings_not_examined", { folder: shown(text) }));
    for (const one of startedBy(line, found).slice(0, TOLD_MAX))
      doubt(draft, say("note.setting_may_start_program", { setting: one }));
    for (const one of found?.leads.slice(0, TOLD_MAX) ?? [])
      doubt(draft, say("note.setting_leads_to_other_files", { file: one }));
    const folder = folderOf(text, base, knowledge);
    if (folder === undefined || brought.some((one) => one.by !== line && isUnder(folder, one.place)))
      doubt(draft, say("note.brings_unseen_settings"));
  }
}

/** More notes than this would not be read. */
const TOLD_MAX = 3;

/** Hooks of the project's own repository are expected when it changes. Reading runs few of them. */
function startedBy({ class: kind }: Line, found: SettingsFound | undefined): SettingsFound["starts"] {
  if (found === undefined) return [];
  const hooks = found.hooks.filter((hook) => (onlyReads(kind) ? READING_HOOK.test(hook) : !found.own));
  return [...found.starts, ...hooks];
}

/** Hooks that git runs even when it only reads or fetches. */
const READING_HOOK = /\/(post-index-change|reference-transaction|pre-auto-gc|fsmonitor-watchman)$/;

/** Programs may run or obey files of a copied folder at the new place too. */
function addContent(
  draft: EffectDraft,
  text: string,
  found: SettingsFound | undefined,
  base: string | undefined,
  knowledge: Knowledge,
): void {
  const folder = folderOf(text, base, knowledge);
  const own = folder === undefined ? undefined : protectionOf(folder, "write");
  if (own !== undefined)
    doubt(draft, say("note.copied_folder_is_obeyed", { folder: shown(text), place: placeOf(own) }));
  if (found === undefined) doubt(draft, say("note.copied_folder_not_examined", { folder: shown(text) }));
  for (const one of found?.starts.slice(0, TOLD_MAX) ?? [])
    doubt(draft, say("note.copied_file_is_obeyed", { file: one }));
}

function shown(text: string): Named {
  const path = text.replace(/\/\.?$/, "");
  return path === "" || path === "." ? say("thing.this_folder") : path;
}

function folderOf(text: string, base: string | undefined, { facts }: Knowledge): string | undefined {
  const spelled = spellOut(text === "" ? "." : text, { base, home: facts?.home });
  return spelled.ok ? normalise(spelled.raw) : undefined;
}

function lookUp(by: Obeying, text: string, base: string | undefined, knowledge: Knowledge): SettingsFound | undefined {
  const folder = folderOf(text, base, knowledge);
  const { settings } = knowledge.facts ?? {};
  const key = folder === undefined ? "" : settingsKey(by, folder);
  return settings !== undefined && Object.hasOwn(settings, key) ? settings[key] : undefined;
}

/** Files with these names are programs or scripts. */
const PROGRAM_NAME =
  /\.([cm]?[jt]sx?|sh|bash|zsh|fish|ksh|csh|py|pyw|rb|pl|pm|php|lua|ps1|psm1|bat|cmd|awk|tcl|jl|exs?|groovy|gradle|kts|mk|jar|exe|appimage|run|so|dylib)$/i;

/** Whether one line of a command downloads something, and another one writes a program or makes a file executable. */
export function mayKeepProgram(lines: readonly Line[]): boolean {
  if (lines.length < 2 || !lines.some(fetches)) return false;
  return lines.some(({ name, operands, paths, simple }) => {
    const kept = paths.filter(({ act }) => act === "write").map(({ word }) => word);
    const sent = simple.redirects.filter(({ writes }) => writes).map(({ to }) => to);
    const lets = /^g?chmod$/.test(name) && /x|^0?[0-7]*[1357]/.test(operands[0]?.text ?? "");
    return lets || [...kept, ...sent].some(({ text }) => PROGRAM_NAME.test(text));
  });
}

function fetches({ class: kind, urls }: Line): boolean {
  return kind.startsWith("network.") && urls.length > 0;
}
