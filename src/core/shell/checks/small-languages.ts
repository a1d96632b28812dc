import { graver } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { type Line, takeWord } from "../path-uses.ts";
import type { Word } from "../script.ts";
import { awkUses } from "./awk.ts";
import type { ScriptUses } from "./script-uses.ts";
import { sedUses } from "./sed.ts";

const SCRIPT = say("note.script_known_only_at_run");
const ELSEWHERE = say("note.script_in_file");

/** An unknown script is a doubt; a known one says what it does. */
function takeScript(line: Line, words: readonly (Word | undefined)[], uses: (text: string) => ScriptUses): void {
  const texts = words.flatMap((word) => (word?.kind === "plain" || isField(word) ? [word?.text ?? ""] : []));
  if (texts.length < words.length) line.doubts.add(SCRIPT);
  const found = uses(texts.join("\n"));
  for (const text of found.reads) takeWord(line, "read", { kind: "plain", text });
  for (const text of found.writes) takeWord(line, "write", { kind: "plain", text });
  for (const why of found.doubts) line.doubts.add(why);
  if (found.secrets) line.class = graver(line.class, "secrets.read");
  if (!found.runs) return;
  line.class = graver(line.class, "process.exec");
  line.doubts.add(say("note.script_runs_programs"));
}

/** The shell may read `.items[0]` as a pattern, but hardly ever a file matches it, and then its name is a field too. */
function isField(word: Word | undefined): boolean {
  return word?.kind === "glob" && /^\.[\w.[\]-]*$/.test(word.text);
}

export function checkSed(line: Line, operands: () => void): void {
  const apart = line.given.has("-e") || line.given.has("-f");
  // Where the suffix of `-i` is a separate word, an empty word means no suffix.
  const suffixed = (line.given.has("-i") || line.given.has("-I")) && line.operands[0]?.text === "";
  if (suffixed) line.operands = line.operands.slice(1);
  if (line.given.has("-f")) line.doubts.add(ELSEWHERE);
  const kept = [...(line.given.get("-i") ?? []), ...(line.given.get("-I") ?? [])];
  if (kept.some((word) => word?.text.includes("/"))) line.doubts.add(say("note.copies_in_other_folder"));
  operands();
  const before = line.paths.length;
  takeScript(line, apart ? (line.given.get("-e") ?? []) : line.operands.slice(0, 1), sedUses);
  // A copy that sed keeps or writes elsewhere contains the content of the file, and so does the output of `--debug`.
  const copies = line.given.has("--debug") || kept.some((word) => word !== undefined && word.text !== "");
  if (line.class !== "fs.write" || (!copies && line.paths.slice(before).every(({ act }) => act !== "write"))) return;
  for (const word of line.operands.slice(apart ? 0 : 1)) takeWord(line, "read", word);
}

export function checkAwk(line: Line, operands: () => void): void {
  const apart = line.given.has("-e") || line.given.has("-f");
  if (line.given.has("-f")) line.doubts.add(ELSEWHERE);
  takeScript(line, apart ? (line.given.get("-e") ?? []) : line.operands.slice(0, 1), awkUses);
  operands();
}

/** A filter reads only its input, unless it names the environment or other files. */
function filterUses(text: string): ScriptUses {
  // Bracketed text in a string is run, and a quote in a comment begins no string: in these cases nothing is removed as a string.
  const strings = /\\\(|#/.test(text) ? text : text.replace(/"(?:[^"\\]|\\[\s\S])*"/g, '""');
  const bare = strings.replace(/\.[A-Za-z_]\w*/g, ".");
  const loads = /(?<![\w$])(import|include|load\w*|system|eval|get_search_list|splitDoc|modulemeta)(?!\w)/.test(bare);
  return {
    reads: [],
    writes: [],
    runs: false,
    secrets: /\$ENV\b|\$__prog_args|(?<![\w$])(env|strenv|envsubst)(?!\w)/.test(bare),
    doubts: loads ? [say("note.filter_loads_files")] : [],
  };
}

const JQ_FLAGS = new Set(
  "--raw-output --raw-output0 --join-output --ascii-output --slurp --raw-input --null-input --compact-output --color-output --monochrome-output --tab --sort-keys --exit-status --seq --stream --stream-errors --unbuffered --help --version --build-configuration --yaml-input --yaml-output --binary".split(
    " ",
  ),
);

/** Options of jq take one word or two, so its words are read here. */
export function checkJq(line: Line): void {
  const words = line.simple.words.slice(1);
  const operands: Word[] = [];
  let texts = false;
  let filter = true;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    const text = word.kind === "open" ? word.start : word.text;
    const option = text.startsWith("-") && text.length > 1;
    if (!option) operands.push(word);
    else if (text === "--args" || text === "--jsonargs") texts = true;
    else if (text === "--arg" || text === "--argjson") at += 2;
    else if (text === "--slurpfile" || text === "--rawfile" || text === "--argfile") {
      takeWord(line, "read", words[at + 2] ?? OPEN);
      at += 2;
    } else if (text === "--indent") at++;
    else if (text === "--from-file" || /^-[a-zA-Z]*f$/.test(text)) {
      takeWord(line, "read", words[++at] ?? OPEN);
      line.doubts.add(ELSEWHERE);
      filter = false;
    } else if (!JQ_FLAGS.has(text) && !/^-[rjasRncCMSehV]+$/.test(text)) {
      line.doubts.add(say("note.option_unknown", { option: text, program: line.name }));
    }
  }
  if (filter) takeScript(line, operands.splice(0, 1), filterUses);
  for (const word of operands) if (!texts) takeWord(line, "read", word);
  if (line.simple.more !== undefined) line.doubts.add(say("note.more_words_known_only_at_run"));
}

const OPEN: Word = { kind: "open", text: "", start: "", split: false };

/** The verb before the filter has no effect, and without a filter the first word is a file. */
export function checkYq(line: Line, operands: () => void): void {
  if (/^(e|eval|ea|eval-all)$/.test(line.operands[0]?.text ?? "")) line.operands = line.operands.slice(1);
  const [first, ...others] = line.operands;
  if (first !== undefined && others.length === 0 && line.simple.input === undefined && !line.given.has("-n")) {
    takeWord(line, "file", first);
  }
  operands();
  if (first !== undefined) takeScript(line, [first], filterUses);
}
