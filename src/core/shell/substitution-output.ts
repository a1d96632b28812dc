import type { Command, ParsedScript, Word as Written } from "unbash";
import { isDigits, type Printed, type Word } from "./script.ts";

/** What a substitution is known to print. Only one pipeline is examined, and its last program decides. */
export function printedBy(script: ParsedScript | undefined): Printed | undefined {
  const last = tellerOf(script);
  if (last === undefined || last.prefix.length > 0 || !last.redirects.every(isSilent)) return undefined;
  const words = [last.name, ...last.args].map(textOf);
  if (words.some((text) => text === undefined)) return undefined;
  const [name = "", ...rest] = words as string[];
  const fits = Object.hasOwn(PRINTING, name) ? PRINTING[name] : undefined;
  return fits?.find(({ words: pattern }) => pattern.test(rest.join(" ")))?.prints;
}

/** The command that produces the output of a pipeline: the commands after it only select lines. */
function tellerOf(script: ParsedScript | undefined): Command | undefined {
  const pipeline = lastOf(script) === undefined ? undefined : script?.commands[0]?.command;
  if (pipeline?.type !== "Pipeline") return lastOf(script);
  const teller = pipeline.commands.findLast((one) => one.type !== "Command" || !isChoosing(one));
  return teller?.type === "Command" ? teller : undefined;
}

function isChoosing({ name, args, redirects }: Command): boolean {
  return (
    /^(head|tail|sort|uniq)$/.test(name?.text ?? "") &&
    redirects.length === 0 &&
    args.every((arg) => /^(-[nru]?\d*|\d+)$/.test(textOf(arg) ?? ""))
  );
}

/** The last command of a script that is one command or one pipeline; undefined for any other script. */
export function lastOf(script: ParsedScript | undefined): Command | undefined {
  const [only, ...others] = script?.commands ?? [];
  if (only === undefined || others.length > 0 || only.background === true || (script?.errors?.length ?? 0) > 0)
    return undefined;
  const last = only.command.type === "Pipeline" ? only.command.commands.at(-1) : only.command;
  return last?.type === "Command" ? last : undefined;
}

/** A redirection that cannot add error messages to the output. */
function isSilent(node: Command["redirects"][number]): boolean {
  return node.type === "Redirect" && (node.operator === "<" || node.target?.text === "/dev/null");
}

function textOf(word: Written | Command["args"][number] | undefined): string | undefined {
  if (word?.type !== "Word" || /[\s*?[\]]/.test(word.value)) return undefined;
  const still = (word.parts ?? []).every((part) => part.type === "Literal" || part.type === "SingleQuoted");
  return still ? word.value : undefined;
}

const COMMIT = "(HEAD|@|main|master|develop|trunk|(origin|upstream)/[\\w./-]+|v\\d[\\w.]*|[0-9a-f]{7,40})([~^]\\d*)*";

/** Options that select commits or their order. */
const MANY =
  "( -\\d+| -n ?\\d+| --(max-count|max-parents|min-parents|skip)=\\d+| --(no-)?merges| --reverse| --first-parent| --all)*";

const PRINTING: Readonly<Record<string, readonly { words: RegExp; prints: Printed }[]>> = {
  wc: [{ words: /^-[lwcm]$/, prints: "number" }],
  nproc: [{ words: /^(--all)?$/, prints: "number" }],
  date: [{ words: /^(-u )?\+%(s|Y|m|d|H|M|S|j|N|Y%m%d|Y%m|Y%m%d%H%M%S)$/, prints: "number" }],
  id: [{ words: /^-[ug]$/, prints: "number" }],
  expr: [{ words: /^\d+( [-+/%] \d+)+$/, prints: "number" }],
  seq: [{ words: /^\d+( \d+){0,2}$/, prints: "numbers" }],
  pgrep: [{ words: /^(-[fxonci]+ )*[\w./-]+$/, prints: "numbers" }],
  lsof: [{ words: /^-ti ?(tcp)?:\d+$/, prints: "numbers" }],
  grep: [{ words: /^-[iEFvwxh]*c[iEFvwxh]* [^-\s]\S*( [^-\s]\S*)?$/, prints: "number" }],
  stat: [{ words: /^-c ?%[sYXZWugi] [^-\s]\S*$/, prints: "number" }],
  docker: [{ words: /^((container )?ls|ps)( -a)? -a?q$|^compose ps -q( \w[\w-]*)?$/, prints: "name" }],
  kubectl: [
    {
      words: /^get (pods?|po|deployments?|deploy|services?|svc|nodes?|ingress)( (-n|-l) ?[\w=./-]+| -A)* -o name$/,
      prints: "name",
    },
  ],
  tput: [{ words: /^(cols|lines|colors)$/, prints: "number" }],
  git: [
    { words: new RegExp(`^rev-list --count ${COMMIT}(\\.\\.${COMMIT})?$`), prints: "number" },
    { words: new RegExp(`^rev-parse (--short(=\\d+)? |--verify |-q )*${COMMIT}$`), prints: "name" },
    { words: new RegExp(`^merge-base ${COMMIT} ${COMMIT}$`), prints: "name" },
    {
      words: new RegExp(`^log${MANY} --(format|pretty)=(format:)?%[hH]${MANY}( ${COMMIT}(\\.\\.${COMMIT})?)?$`),
      prints: "name",
    },
    { words: new RegExp(`^rev-list${MANY} ${COMMIT}(\\.\\.${COMMIT})?$`), prints: "name" },
    { words: /^describe( --(tags|always|abbrev=\d+|long|exact-match|first-parent))*$/, prints: "tag" },
  ],
};

/** Digits and such names do not begin with a dash, and if nothing is printed there is no word at all. */
export function isNoOption(word: Word): boolean {
  return isDigits(word) || (word.kind === "open" && word.printed === "name");
}

/** `$(…)..HEAD` is a range of commits, whatever it begins with. */
export function ranged(a: Word, b: Word): Word | undefined {
  if (a.kind !== "open" || b.kind !== "plain" || !/^\.{2,3}[\w/]/.test(b.text)) return undefined;
  if (a.printed !== "name" && a.printed !== "tag") return undefined;
  return { kind: "open", text: a.text + b.text, start: "", split: false, printed: "name" };
}
