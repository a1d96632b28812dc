import { say } from "../../messages/message.ts";
import type { Obeying } from "../../tables/obeyed.ts";
import { type Line, takeWord } from "../path-uses.ts";
import { plain, type Word } from "../script.ts";
import { checkMedia, checkXpath } from "./dev.ts";

/** Adds these files to those that the gate must read first; for a pattern or a listing, the folder in which the files are. */
export function obeyAt(line: Line, by: Obeying, words: readonly (Word | undefined)[]): void {
  for (const word of words) {
    if (word !== undefined && word.kind !== "open" && word.text !== "-") line.obeys.push({ by, at: folderOf(word) });
  }
  const { more } = line.simple;
  if (typeof more === "object") for (const root of more.under) line.obeys.push({ by, at: plain(root) });
}

/** For a pattern, the folder from which it starts. */
function folderOf(word: Word): Word {
  if (word.kind !== "glob") return word;
  const fixed = word.text.slice(0, Math.max(0, word.text.search(/[*?[{(]/)));
  return plain(fixed.slice(0, fixed.lastIndexOf("/") + 1) || ".");
}

const HANDED = say("note.shown_files_named_in_input");

/** A command that reads its input may be told there to read further files. */
function doubtInput(line: Line): void {
  const isHanded = line.operands.length === 0 && line.simple.more === undefined;
  if (isHanded || line.operands.some(({ text }) => text === "-")) line.doubts.add(HANDED);
}

/** With these options a document is read together with what it includes. */
const INCLUDING = ["-c14n", "-schema", "-relaxng", "-schematron"];

export function checkXmllint(line: Line, operands: () => void): void {
  checkMedia(line, operands);
  const given = INCLUDING.filter((name) => line.given.has(name));
  if (given.length === 0) return;
  doubtInput(line);
  obeyAt(line, "xml", [
    ...given.flatMap((name) => (name === "-c14n" ? [] : (line.given.get(name) ?? []))),
    ...line.operands,
  ]);
}

export function checkXmlstarlet(line: Line, operands: () => void): void {
  checkXpath(line, operands);
  doubtInput(line);
  obeyAt(line, "xml", line.operands);
}

/** With `-x` shellcheck reads the files that a script names, and may show lines of them. */
export function checkSourced(line: Line, operands: () => void): void {
  operands();
  if (!line.given.has("-x") && !line.given.has("-a")) return;
  doubtInput(line);
  obeyAt(line, "sourced", line.operands);
  const paths = line.given.get("-P") ?? [];
  if (paths.some((word) => word?.text !== "SCRIPTDIR")) line.doubts.add(say("note.shown_files_named_in_file"));
}

/** `rustfmt` follows the modules that a file names, and rewrites them too. */
export function checkModules(line: Line, operands: () => void): void {
  operands();
  if (line.class !== "none") obeyAt(line, "modules", line.operands);
}

/** `--manifest-path` names another package than that of the folder. */
export function checkManifest(line: Line, operands: () => void): void {
  operands();
  const given = line.given.get("--manifest-path") ?? [];
  obeyAt(line, "cargo", given);
  if (line.name !== "cargo fmt") return;
  line.obeys.push({ by: "modules" });
  obeyAt(line, "modules", given);
}

/** A thin archive contains the names of files instead of the files. */
export function checkArchive(line: Line, operands: () => void): void {
  checkMedia(line, operands);
  if (line.name === "ar p") obeyAt(line, "thin", line.operands.slice(0, 1));
}

/** A template includes others, and a document may name its style and its bibliography. */
export function checkPandoc(line: Line, operands: () => void): void {
  checkMedia(line, operands);
  obeyAt(line, "template", line.given.get("--template") ?? []);
  if (!line.given.has("-C")) return;
  doubtInput(line);
  obeyAt(line, "cited", [...line.operands, ...(line.given.get("--metadata-file") ?? [])]);
  if (line.given.get("-M")?.some((word) => word?.kind !== "plain" || /csl|citation|bibliography/i.test(word.text)))
    line.doubts.add(say("note.shown_files_named_in_file"));
}

/** With `-R` `tree` writes a page into every folder that it visits, and with `-l` it also follows links. */
export function checkTree(line: Line, operands: () => void): void {
  operands();
  if (line.given.has("-R") && line.given.has("-l")) line.doubts.add(say("note.written_files_not_examined"));
}

const STYLES = /^(bisect|changelog|compact|default|phases|show|status|xml)$/;

/** A form with a slash, and a style that is not part of the program, may be a file that names others to be shown. */
export function checkForm(line: Line, operands: () => void): void {
  operands();
  const forms = (line.given.get("-T") ?? []).filter((word) => word?.kind !== "plain" || word.text.includes("/"));
  const styles = (line.given.get("--style") ?? []).filter((word) => word?.kind !== "plain" || !STYLES.test(word.text));
  for (const word of forms) if (word !== undefined) takeWord(line, "read", word);
  if (forms.length + styles.length > 0) line.doubts.add(say("note.shown_files_named_in_file"));
}
