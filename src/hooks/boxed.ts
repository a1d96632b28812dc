import { canonical } from "../core/values/canonical.ts";
import type { JsonObject } from "../core/values/json.ts";
import type { Host, HostCall, ShellTool } from "./host.ts";
import { type HookCommand, shellLine } from "./install/command.ts";

// A host that takes a changed command can be made to run calls in boxes: the hook answers with another command, which starts
// `leeway box`. That program claims the call, runs it in its box and records how it ended.

/** How this machine starts calls in boxes. */
export type HookBoxes = {
  rehearses: boolean;
  ownRepository: boolean;
  tools: boolean;
  /** The program that starts the call with this id in its box. */
  start(call: string): HookCommand;
};

/** The host's shell tool, if this call can run in a box. */
export function boxable({ shell }: Host, { tool, args }: Pick<HostCall, "tool" | "args">): ShellTool | undefined {
  if (shell === undefined || !shell.tools.includes(tool)) return undefined;
  const text = args[shell.text];
  if (typeof text !== "string" || (shell.anyShell === true && MOVES.test(text))) return undefined;
  // A command in another shell or with more rights is not what would run in the box.
  const known = [shell.text, ...shell.others, ...(isInBackground(shell, args) ? [shell.background] : [])];
  const isPlain = (name: string) => known.includes(name) || isUnset(args[name]);
  return Object.keys(args).every(isPlain) ? shell : undefined;
}

/** The host lets it run on and reports its output; the box ends with it. */
export function isInBackground({ background }: ShellTool, args: JsonObject): boolean {
  return background !== undefined && args[background] === true;
}

/** After these the next command may start in another folder. */
const MOVES = /(^|[^\w.-])(cd|chdir|pushd|popd|source|eval|builtin|command|\.)(?=\s|$)/;

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === false;
}

/** The same arguments with the command that starts the call in its box. */
export function boxedArgs(shell: ShellTool, args: JsonObject, start: HookCommand): JsonObject {
  const isFollowed = shell.keepsFolder && shell.anyShell !== true && !isInBackground(shell, args);
  return { ...args, [shell.text]: isFollowed ? following(start) : shellLine(start) };
}

/**
 * The host's shell goes to the folder in which the command ended, as it would have by itself. The program writes that folder to
 * descriptor 3; its output stays what it is, and its exit code is that of the whole text. For bash and zsh.
 */
function following({ program, args }: HookCommand): string {
  const line = shellLine({ program, args: [...args, "--tell-folder"] });
  return (
    `{ leeway_folder=$(${line} 3>&1 1>&4 4>&-); } 4>&1; leeway_code=$?; ` +
    `[ -z "$leeway_folder" ] || cd -- "$leeway_folder"; (exit $leeway_code)`
  );
}

/** The call that a command starts in its box, if it looks like one that a hook has made. */
export function startedCall(shell: ShellTool, args: JsonObject): string | undefined {
  return / box --call (call_\w+) /.exec(`${args[shell.text]} `)?.[1];
}

export function isSame(one: JsonObject, other: JsonObject): boolean {
  return canonical(one) === canonical(other);
}
