/** A program with arguments, without a shell. */
export type HookCommand = {
  program: string;
  args: readonly string[];
  /** Variables that the program must have from its start, as they were when the hook was installed: `NAME=value`. */
  env?: readonly string[];
};

/** How long a host waits for the answer before a call, in seconds. The hook is told, so that it answers in time. */
export const WAIT_SECONDS = 600;
/** How long a host waits when there is nothing to answer. */
export const NOTE_SECONDS = 60;

/** The command before a call, told how long the host waits. */
export function asking({ args, ...command }: HookCommand): HookCommand {
  return { ...command, args: [...args, "--timeout", String(WAIT_SECONDS)] };
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
 * The same command, whose program gets none of the host's variables. Node, OpenSSL and shells run code that variables name before
 * they start a program (`NODE_OPTIONS`, `NODE_COMPILE_CACHE`, `OPENSSL_CONF`, `BASH_ENV` …), and some hosts let the files of a
 * project set variables for their hooks, so such code could answer in the hook's place. What the host has is handed over as the
 * text of one variable, because the gate has to judge commands by it. Windows has no such programs.
 */
export function withoutVariables(command: HookCommand, platform: string = process.platform): HookCommand {
  const { program, args, env = [] } = command;
  if (platform === "win32") return { program, args };
  const unset = HEARD_BY_SHELLS.flatMap((name) => ["-u", name]);
  return { program: "/usr/bin/env", args: [...unset, "/bin/sh", "-c", HAND_OVER, "leeway", ...env, program, ...args] };
}

/** The text of the host's variables: lines of `NAME=value`, or an object in JSON. `bin/leeway.cjs` reads it. */
export const HOST_VARIABLES = "LEEWAY_HOST_VARIABLES";

/** With these a shell would run code before, or while, it does what follows. */
const HEARD_BY_SHELLS = ["BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4"];

const HAND_OVER = `exec /usr/bin/env -i ${HOST_VARIABLES}="$(/usr/bin/env)" "$@"`;

/** Whether a hook is started so. */
export function isWithoutVariables(start: string): boolean {
  return process.platform === "win32" || start.includes(HOST_VARIABLES);
}

/** The command as a line for a shell. */
export function hookLine(command: HookCommand): string {
  return shellLine(withoutVariables(command));
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
