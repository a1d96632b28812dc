import { say } from "../../messages/message.ts";
import { UNREAD } from "../../tables/unread.ts";
import { declared, unset } from "../builtins.ts";
import { SAME_SHELL, SYSTEM_SHELL } from "../other-shells.ts";
import { type Line, startInner, takeWord } from "../path-uses.ts";
import type { Word } from "../script.ts";
import { type Handed, handedOver } from "./handed-words.ts";

/** `bash -c 'text'` runs the text, `bash file` the file, and `bash` alone its input. */
export function checkShell(line: Line): void {
  const { simple } = line;
  if (isLookedOver(simple.words)) {
    line.class = "fs.read";
    for (const word of simple.words.slice(2, 3)) line.paths.push({ act: "read", deep: false, word });
    if (simple.more !== undefined) line.doubts.add(say("note.more_words_known_only_at_run"));
    return;
  }
  let text: "-c" | undefined;
  let isHanded = false;
  let at = 1;
  for (; at < simple.words.length; at++) {
    const word = simple.words[at] as Word;
    if (word.kind !== "plain" || !/^[-+]./.test(word.text)) break;
    if (word.text === "--") {
      at++;
      break;
    }
    if (word.text === "--version" && simple.words.length === 2) {
      line.class = "none";
      return;
    }
    if (/^-[abefhilmnuvxCET]*s[abefhilmnuvxCET]*$/.test(word.text)) isHanded = true;
    if (/^-[abefhilmnuvxCET]*c[abefhilmnuvxCET]*$/.test(word.text)) text = "-c";
    else if (/^[-+][abefhilmnuvxCET]*[oO]$/.test(word.text) && isMild(simple.words[at + 1])) at++;
    else if (!/^-[abefhilmnsuvxCET]+$|^--(login|norc|noprofile|verbose)$/.test(word.text)) {
      line.doubts.add(say("note.option_unknown", { option: word.text, program: line.name }));
    }
  }
  const next = simple.words[at];
  if (text === "-c") startText(line, next);
  // With -s the input is run, and the words are its arguments.
  else if (next === undefined || isHanded) startInput(line);
  else runFile(line, next);
  if (simple.more !== undefined) line.doubts.add(say("note.more_words_known_only_at_run"));
}

/** `bash -n file` checks the syntax of the file and runs nothing. */
function isLookedOver([, option, ...files]: readonly Word[]): boolean {
  return option?.kind === "plain" && option.text === "-n" && files.every((word) => /^[^-+]/.test(sure(word)));
}

function sure(word: Word): string {
  return word.kind === "open" ? word.start : word.text;
}

/** Settings that do not change how a command is split into words. */
function isMild(word: Word | undefined): boolean {
  return word?.kind === "plain" && /^(pipefail|errexit|nounset|xtrace|verbose|globstar|extglob)$/.test(word.text);
}

/** A process substitution contains what another command prints. */
function runFile(line: Line, word: Word): void {
  line.paths.push({ act: "read", deep: false, word });
  if (word.kind !== "plain" || /^\/(dev|proc)\/|^-$/.test(word.text)) line.doubts.add(UNREAD.input);
}

/** `source file` runs the file in the shell itself. */
export function checkSource(line: Line): void {
  const [first] = line.operands;
  if (first !== undefined) runFile(line, first);
}

function startText(line: Line, word: Word | undefined): void {
  if (word?.kind === "plain") {
    startRead(line, word.text);
  } else line.doubts.add(UNREAD.text);
}

function startInput(line: Line): void {
  const { input } = line.simple;
  if (typeof input === "object" && "text" in input) {
    startRead(line, input.text);
  } else line.doubts.add(UNREAD.input);
}

function startRead(line: Line, text: string): void {
  line.inner.push({ text, shell: line.name });
  line.class = "none";
}

/** Without a command `env` prints every variable, including secrets. */
export function checkEnv(line: Line, operands: () => void): void {
  operands();
  startWithoutDash(line);
  if (line.inner.length === 0) line.class = "secrets.read";
  if (line.given.has("-i")) line.sets.push(unset("PATH"));
  for (const word of line.given.get("-u") ?? []) {
    if (word?.kind === "plain") line.sets.push(unset(word.text));
    else line.doubts.add(say("note.variable_known_only_at_run"));
  }
  // The beginning of the text may be options of env itself.
  line.inner = line.inner.map((inner) =>
    "text" in inner && /^\s*-/.test(inner.text) ? { ...inner, text: `env ${inner.text}` } : inner,
  );
  // `env -S` splits the text by its own rules, and the words after the text belong to the same command.
  const [split] = line.given.get("-S") ?? [];
  if (split !== undefined && (line.inner.length > 1 || /[\\$#'"]/.test(split.text)))
    line.doubts.add(say("note.env_split_not_examined"));
}

/** A single dash is `-i`: the command follows it and its assignments. */
function startWithoutDash(line: Line): void {
  const [inner] = line.inner;
  if (inner === undefined || !("words" in inner) || inner.words[0]?.text !== "-") return;
  const rest = inner.words.slice(1);
  const from = rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word.text));
  const given = from === -1 ? rest : rest.slice(0, from);
  line.sets.push(unset("PATH"), ...given.flatMap(declared));
  line.inner.length = 0;
  startInner(line, from === -1 ? [] : rest.slice(from));
}

/** The words are joined to one text, which a shell parses again. */
export function checkJoined(line: Line): void {
  const [inner] = line.inner;
  if (inner === undefined || !("words" in inner) || line.given.has("-x")) return;
  line.inner.length = 0;
  if (inner.words.every((word) => word.kind === "plain") && line.simple.more === undefined) {
    const text = inner.words.map((word) => word.text).join(" ");
    line.inner.push({ text, shell: line.name === "eval" ? SAME_SHELL : SYSTEM_SHELL });
  } else line.doubts.add(UNREAD.text);
}

/** `command -v x` only says where x is, and `command -p x` searches other folders than PATH. */
export function checkCommand(line: Line): void {
  if (line.given.has("-v") || line.given.has("-V")) line.inner.length = 0;
  else if (line.given.has("-p")) line.sets.push(unset("PATH"));
}

/** With `-c` the program gets no variables, and under another name several programs behave differently. */
export function checkExec(line: Line): void {
  if (line.given.has("-c")) line.sets.push(unset("PATH"));
  if (line.given.has("-a") || line.given.has("-l")) line.doubts.add(say("note.program_renamed"));
}

/** The words before `:::` are a text for a shell, which gets a further word from elsewhere. */
export function checkParallel(line: Line): void {
  const [inner] = line.inner;
  if (inner === undefined || !("words" in inner)) {
    if (line.class !== "none") line.doubts.add(UNREAD.runs);
    return;
  }
  line.inner.length = 0;
  const end = inner.words.findIndex((word) => /^:{3,4}\+?$/.test(word.text));
  const words = end === -1 ? inner.words : inner.words.slice(0, end);
  const text = words.map((word) => word.text).join(" ");
  if (words.some((word) => word.kind !== "plain") || words.length === 0) line.doubts.add(UNREAD.runs);
  const filled = text.replace(/\{[^{}\s]*\}/g, '"$word"');
  line.inner.push({ text: filled === text ? `${text} "$word"` : filled, shell: SYSTEM_SHELL });
}

/** The command gets further words from the input: paths, if a program that lists files provides them. */
export function checkXargs(line: Line): void {
  const [inner] = line.inner;
  const more = handedOver(line.simple);
  if (line.given.has("--process-slot-var")) line.doubts.add(say("note.xargs_sets_variable"));
  if (inner === undefined || !("words" in inner)) return;
  line.inner.length = 0;
  const marks = [...(line.given.get("-I") ?? []), ...(line.given.get("-J") ?? []), ...(line.given.get("-i") ?? [])].map(
    (word) => word?.text ?? "{}",
  );
  if (marks.length > 1 || inner.words.length > COMMAND_MAX) line.doubts.add(UNREAD.handed);
  const words = (inner.words.length > COMMAND_MAX ? [] : marks.slice(0, 2)).reduce<readonly Word[]>(
    (held, mark) => held.flatMap((word) => filled(word, mark, more)),
    inner.words,
  );
  startInner(line, words, marks.length === 0 ? more : undefined);
}

/** In a longer command the input is not inserted word by word. */
const COMMAND_MAX = 32;

function filled(word: Word, mark: string, more: Handed): readonly Word[] {
  if (word.kind !== "plain" || !word.text.includes(mark)) return [word];
  if (more === "any" || word.text !== mark || more.under.length === 0)
    return [{ kind: "open", text: word.text, start: word.text.slice(0, word.text.indexOf(mark)), split: false }];
  const all = more.all === true;
  return more.under.map((root) =>
    more.bare === true && root === "."
      ? { kind: "glob", text: "**", listed: "line", all }
      : { kind: "glob", text: `${root}/**`, all },
  );
}

/** Everything typed and shown is saved in a file, which has a default name. */
export function checkRecorded(line: Line, operands: () => void): void {
  operands();
  const isTold = ["-O", "-I", "-B"].some((option) => line.given.has(option));
  if (!isTold && !line.given.has("-V") && line.operands.length === 0)
    takeWord(line, "write", { kind: "plain", text: "typescript" });
}
