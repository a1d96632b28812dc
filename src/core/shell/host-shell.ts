import { say } from "../messages/message.ts";
import type { Assigned, Script, Simple } from "./script.ts";

/**
 * A host that runs commands itself chooses the shell, and on many machines that is zsh. What both shells know they mostly
 * read alike. Here are texts that mean little to bash and make zsh run, write or find something else.
 */
export const ZSH_DOUBT = say("note.shell_reads_differently", { shell: "zsh" });

export function isOtherInZsh(text: string, { simples, sets }: Pick<Script, "simples" | "sets">): boolean {
  return simples.some(isCountedOrNamed) || sets.some(isTied) || changesValue(text, sets);
}

/** zsh finds programs, functions and folders by these, and starts what the last ones name. */
const TIED = /^(fpath|cdpath|mailpath|module_path|TMPPREFIX|READNULLCMD|NULLCMD)$/;

/** `path=a` is everyday work in bash, `path=(a b)` and `path[1]=a` are not. */
function isTied({ name, value }: Assigned): boolean {
  const listed = name === "path" && value.kind === "open" && /^path(\[|\+?=\()/.test(value.text);
  return listed || TIED.test(name) || holdsCommand(value.text);
}

function isCountedOrNamed({ words, sets }: Simple): boolean {
  const [first, ...others] = words;
  if (sets.some(isTied) || others.some(({ text }) => SUBSCRIPTED.test(text))) return true;
  if (first?.text === "hash") return others.some(({ text }) => text.includes("="));
  return COUNTING.test(first?.text ?? "") && others.some(({ kind, text }) => kind === "plain" && holdsCommand(text));
}

/** `$a[…]` is one element in zsh, and what stands in the brackets is counted out. */
const SUBSCRIPTED = /\$\w+\[[\s\S]*(\$\(|`)/;

/** Words of the shell that take numbers or names, for which zsh runs what stands in the subscripts within them. */
const COUNTING =
  /^(exit|return|break|continue|shift|logout|printf|read|test|\[|unset|export|declare|typeset|local|readonly|getopts|let|ulimit|kill|wait|umask|sleep)$/;

/** A text with a command in the subscript of a variable: whoever counts with it runs that command. */
function holdsCommand(text: string): boolean {
  return /\w\[[^\]]*(\$\(|`)/.test(text);
}

/** `$a:r` is a without what comes after its last dot, where a is a variable of the text itself. */
function changesValue(text: string, sets: readonly Assigned[]): boolean {
  if (sets.length === 0 || !text.includes(":")) return false;
  return [...text.matchAll(CHANGED)].some(([, name]) => sets.some((one) => one.name === name));
}

const CHANGED = /\$(\w+):(?:[hrtaAcelPqQux](?![\w.])|g?s[^\w\s])/g;
