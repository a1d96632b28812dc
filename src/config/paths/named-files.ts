import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isUnder } from "../../core/classify/path.ts";
import { protectionOf } from "../../core/classify/protect.ts";
import type { NamingRow } from "../../core/tables/naming.ts";
import { plainHead } from "../plain-file.ts";
import { isStrayLink, kindOf, readSettings, type SettingsSearch, strays, upwards } from "./disk.ts";

/** The limit for all texts read for one answer: a tenth of a second. */
const BYTES_MAX = 32 * 1024 * 1024;
const DEEP_MAX = 8;
const HEAD_BYTES = 64;

type Reading = { row: NamingRow; look: SettingsSearch; seen: Set<string>; bytes: number };

/** Whether a file, or files in a folder, name other files that a program would then show or rewrite. */
export function lookAtNaming(row: NamingRow, here: string, look: SettingsSearch): void {
  const reading: Reading = { row, look, seen: new Set(), bytes: BYTES_MAX };
  const isFolder = kindOf(here, look) === "folder";
  if (!isFolder) readFile(here, reading, 0);
  if (isFolder || row.around === true) readFolder(topOf(isFolder ? here : dirname(here), row, look), reading);
  if (isFolder && row.above === true)
    for (const folder of upwards(here).filter((one) => one !== here && isUnder(one, look.project)))
      readFolder(folder, reading);
  if (reading.bytes < 0) look.leads.add(here);
}

function topOf(folder: string, { top }: NamingRow, look: SettingsSearch): string {
  if (top === undefined) return folder;
  const inside = upwards(folder).filter((one) => isUnder(one, look.project));
  return inside.findLast((one) => kindOf(join(one, top), look) === "file") ?? folder;
}

function readFolder(top: string, reading: Reading): void {
  const { row, look } = reading;
  const waiting = [top];
  for (let folder = waiting.pop(); folder !== undefined && look.left.looks > 0; folder = waiting.pop()) {
    look.left.looks--;
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (row.deep?.test(entry.name) === false) waiting.push(path);
      } else if (row.files.test(entry.name)) readFile(path, reading, 0);
      else if (entry.isSymbolicLink() && row.deep !== undefined && leadsToFolder(path)) addStray(path, look);
    }
  }
}

function leadsToFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    // Not an error: a link that leads to no folder gives programs nothing to read.
    return false;
  }
}

function addStray(path: string, look: SettingsSearch): boolean {
  const isStray = isStrayLink(path, look);
  if (isStray) look.leads.add(path);
  return isStray;
}

function readFile(path: string, reading: Reading, deep: number): void {
  const { row, look, seen } = reading;
  if (seen.has(path) || reading.bytes < 0 || addStray(path, look)) return;
  seen.add(path);
  if (deep > DEEP_MAX) {
    look.leads.add(path);
    return;
  }
  const text = row.head === true ? headOf(path) : (readSettings(path, look, false) ?? "");
  reading.bytes -= text.length;
  for (const next of lookForNames(path, text, row.names, look)) readFile(next, reading, deep + 1);
}

function headOf(path: string): string {
  return plainHead(path, HEAD_BYTES).toString("latin1");
}

/** The files that a text names, if they are in the project; others, and unreadable ones, are reported. */
export function lookForNames(file: string, text: string, names: RegExp, look: SettingsSearch): readonly string[] {
  const found: string[] = [];
  for (const [, ...caught] of text.matchAll(names)) {
    const raw = caught.find((one) => one !== undefined);
    const name = raw === undefined ? undefined : nameIn(raw);
    if (name === undefined) look.leads.add(file);
    else found.push(...filesCalled(name, file, look));
    if (look.leads.has(file) || look.left.looks <= 0) break;
  }
  return found;
}

/** Relative to the folder of the file, and to the top of the project, where programs are started. */
function filesCalled(name: string, file: string, look: SettingsSearch): readonly string[] {
  if (name === "" || name === "/dev/null") return [];
  const paths = [dirname(file), look.project].map((folder) => resolve(folder, name));
  const there = [...new Set(paths)].filter((path) => kindOf(path, look) !== "missing");
  // A secret is recognised by its name, whichever folder the name is relative to.
  const isSecret = paths.some((path) => protectionOf(path, "read", { project: look.project }) !== undefined);
  if (isSecret || there.some((path) => strays(path, "read", look))) look.leads.add(file);
  return there.filter((path) => kindOf(path, look) === "file");
}

/** The fixed part of a name in a script: empty if it has none, undefined if it cannot be read. */
function nameIn(raw: string): string | undefined {
  if (/^\$['"]/.test(raw)) return undefined;
  const bare = raw.replace(/[;)&|`]+$/, "").replace(/^(["'])(.*)\1$/s, "$2");
  const fixed = bare.replace(/^"?\$(\w+|\{[^}]*\}|\([^)]*\))"?\//, "");
  if (/^\$(\w+|\{[^}]*\}|@|\d)$/.test(fixed)) return "";
  return /^[\w./+@%:,=-]+$/.test(fixed) ? fixed : undefined;
}
