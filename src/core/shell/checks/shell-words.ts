import { graver } from "../../effect.ts";
import { say } from "../../messages/message.ts";
import { UNREAD } from "../../tables/unread.ts";
import { ARITHMETIC, isCounting } from "../arithmetic.ts";
import { unsetBy } from "../builtins.ts";
import { SAME_SHELL } from "../other-shells.ts";
import type { Line } from "../path-uses.ts";
import { LIST_AGAIN } from "../scope.ts";
import { isDigits, plain, type Word } from "../script.ts";
import { isSecretVariable } from "../variables.ts";

const SUBSCRIPT = say("note.shell_runs_subscript");
/** Builtins whose operands are names of variables. */
const NAMING = /^(unset|read|mapfile|readarray|getopts|wait)$/;

function doubtSubscripts(line: Line, words: readonly (Word | undefined)[]): void {
  if (words.some((word) => word?.text.includes("[") === true)) line.doubts.add(SUBSCRIPT);
}

/** Builtins that set the variables that they name. */
export function checkNames(line: Line, operands: () => void): void {
  operands();
  if (line.name === "printf") doubtPrintOptions(line);
  if (NAMING.test(line.name)) doubtSubscripts(line, line.operands);
  if (NAMING.test(line.name) && line.name !== "unset") setUnknown(line, line.operands);
  if (line.name === "unset") checkUnset(line);
  if (line.name === "alias" && line.operands.some((word) => word.kind !== "plain" || word.text.includes("=")))
    line.doubts.add(say("note.alias_changes_command"));
  if (line.name === "umask" && line.operands.length > 0) line.doubts.add(say("note.later_files_open"));
  setUnknown(line, line.name === "printf" ? (line.given.get("-v") ?? []) : (line.given.get("-a") ?? []));
  const values = ["-v", "-a", "-p"].flatMap((option) => line.given.get(option) ?? []);
  doubtSubscripts(line, line.name === "read" ? (line.given.get("-a") ?? []) : values);
}

function checkUnset({ operands, doubts, given, sets }: Line): void {
  if (operands.some(({ text }) => text.startsWith("HIST"))) doubts.add(say("note.history_off"));
  if (operands.some(({ kind }) => kind !== "plain")) doubts.add(WHICH);
  if (!given.has("-f")) sets.push(...unsetBy(operands));
}

const WHICH = say("note.variable_known_only_at_run");

/** Marks variables whose value is known only when the command runs. */
function setUnknown(line: Line, names: readonly (Word | undefined)[]): void {
  for (const word of names) {
    const value: Word = { kind: "open", text: "", start: "", split: false };
    if (word?.kind === "plain") line.sets.push({ name: word.text, value });
    else if (word !== undefined) line.doubts.add(WHICH);
  }
}

/** `-v` tests whether a variable is set, and runs its subscript. An expansion may become both words. */
export function checkTest(line: Line): void {
  const words = line.simple.words.slice(1);
  words.forEach((word, i) => {
    if (!mayAskForName(word)) return;
    const name = words[i + 1];
    const isName = name !== undefined && (name.kind !== "plain" || name.text.includes("["));
    if (isName || isSeveral(word)) line.doubts.add(SUBSCRIPT);
  });
}

function mayAskForName(word: Word): boolean {
  if (word.kind === "plain") return /^-[vR]$/.test(word.text);
  if (word.kind === "glob") return /^[-vR]*$/.test(word.text.replace(/\[[^\]]*\]|[*?]/g, ""));
  return !isDigits(word) && (isSeveral(word) || /^(-[vR]?)?$/.test(word.start));
}

/** One written word that may become several; `"$@"` does even in quotes. */
function isSeveral(word: Word): boolean {
  return word.kind === "glob" || (word.kind === "open" && (word.split || LISTED.test(word.text)));
}

const LISTED = /\$\{?@|\[@\]/;

/** `printf -v NAME` sets a variable, and an expansion before the format may become that option. */
function doubtPrintOptions({ simple: { words }, doubts }: Line): void {
  let at = 1;
  for (; words[at]?.kind === "plain" && words[at]?.text.startsWith("-v"); at++) if (words[at]?.text === "-v") at++;
  const first = words[at];
  if (first === undefined || first.kind === "plain") return;
  const start = first.kind === "open" ? first.start : first.text.replace(/^[*?[].*$/s, "");
  // A single word that is an option leaves no format, and then nothing is set.
  const isAlone = words.length === at + 1 && !isSeveral(first);
  if (/^(-|$)/.test(start) && !isAlone && !isDigits(first)) doubts.add(SUBSCRIPT);
}

/**
 * Variables that every shell exports anyway. Of the declaring builtins only `export` and `readonly` keep the value of an
 * existing variable: in a function, every other one creates a new, empty variable.
 */
const HANDED_ON = /^(PATH|HOME|PWD|OLDPWD|SHELL|TMPDIR)$/;
const NAMING_AGAIN = /^(export|readonly)$/;

/** Without names, declaring builtins print every variable and its value. */
export function checkDeclaring(line: Line): void {
  const { operands, given, name } = line;
  doubtSubscripts(
    line,
    operands.map((word) => ({ ...word, text: word.text.split("=")[0] ?? "" })),
  );
  if (operands.some((word) => word.kind === "open" && !word.start.includes("="))) line.doubts.add(WHICH);
  // `'a=(b)'` in quotes looks like text, but it is a list that the shell parses again.
  if (operands.some((word) => word.kind === "plain" && /=\(/.test(word.text))) line.doubts.add(LIST_AGAIN);
  // A variable that is set elsewhere counts for other programs from here on.
  const again = NAMING_AGAIN.test(name) && !given.has("-n");
  if (!given.has("-p"))
    setUnknown(
      line,
      operands.filter((word) => !word.text.includes("=") && !(again && HANDED_ON.test(word.text))),
    );
  if (given.has("-i") || (given.has("-n") && name !== "export")) line.doubts.add(say("note.variable_has_attributes"));
  if (operands.length === 0 && !given.has("-F") && !given.has("-f") && !/^(local|readonly)$/.test(name)) {
    line.class = graver(line.class, "secrets.read");
  }
  if (given.has("-p")) printNamed(line);
}

/** `printenv` prints the variables that it names; all of them if it names none. */
export function checkVariables(line: Line): void {
  if (line.operands.length === 0) line.class = "secrets.read";
  printNamed(line);
}

function printNamed(line: Line): void {
  if (line.operands.some((word) => word.kind !== "plain" || isSecretVariable(word.text))) line.class = "secrets.read";
}

/** `set` alone prints every variable. */
export function checkSetting(line: Line): void {
  if (line.simple.words.length === 1) line.class = "secrets.read";
}

export function checkCounting(line: Line): void {
  const unclear = line.operands.some((word) => word.kind !== "plain" || !isCounting(word.text.replace(/^\w+=/, "")));
  if (unclear) line.doubts.add(ARITHMETIC);
  for (const { text } of line.operands) {
    const [, name] = /^(\w+)=/.exec(text) ?? [];
    if (name !== undefined) line.sets.push({ name, value: plain("0") });
  }
}

/** `trap 'rm x' EXIT` runs its text at some later point, in the folder at that time. */
export function checkTrap(line: Line): void {
  const [text, ...signals] = line.operands;
  if (text === undefined || line.given.has("-p") || line.given.has("-l")) return;
  if (text.kind === "open") line.doubts.add(UNREAD.text);
  else if (text.text !== "-" && text.text !== "" && (signals.length > 0 || !SIGNAL.test(text.text))) {
    line.folders = undefined;
    line.inner.push({ text: text.text, shell: SAME_SHELL });
  }
}

const SIGNAL = /^(\d+|(SIG)?[A-Z][A-Z0-9]*)$/;
