/** How the host starts the hook: a program with arguments, without a shell. */
export type HookCommand = { program: string; args: readonly string[] };

/** How long a host waits for the answer before a call, in seconds. The hook is told, so that it answers in time. */
export const WAIT_SECONDS = 600;
/** How long a host waits when there is nothing to answer. */
export const NOTE_SECONDS = 60;

/** The command before a call, told how long the host waits. */
export function asking({ program, args }: HookCommand): HookCommand {
  return { program, args: [...args, "--timeout", String(WAIT_SECONDS)] };
}

const NOT_STARTED = "Leeway could not answer, so the call was not run. Do not retry it; tell the user.";

/**
 * The command as a line for a shell, which ends with exit code 2 whatever happens to the program: hosts that read the exit
 * code run the call after every other failure, also if the program was removed or killed. A program that ends with 2 has
 * said why itself.
 */
export function guardedLine(command: HookCommand): string {
  return `${hookLine(command)} || { [ $? = 2 ] || echo ${quoted(NOT_STARTED)} >&2; exit 2; }`;
}

/**
 * Node runs code that `NODE_OPTIONS` names before it starts a program. Some hosts let the files of a project set variables for
 * their hooks, and such code could answer in the hook's place.
 */
export function hookLine(command: HookCommand): string {
  return `NODE_OPTIONS= ${shellLine(command)}`;
}

/** The same for a host that starts a program without a shell. Windows has no such program. */
export function hookWords({ program, args }: HookCommand, platform: string = process.platform): HookCommand {
  if (platform === "win32") return { program, args };
  return { program: "/usr/bin/env", args: ["-u", "NODE_OPTIONS", program, ...args] };
}

export function shellLine({ program, args }: HookCommand): string {
  return [program, ...args].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Whether these words start `leeway hook HOST`, with or without options and a guard after it. */
export function startsHook(words: string, host: string): boolean {
  return words.includes("leeway") && new RegExp(`(^|\\s)hook ${host}(\\s|$)`).test(words);
}
