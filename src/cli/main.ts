import { report } from "./failure.ts";
import { outOf } from "./spec.ts";
import { type Io, processIo } from "./terminal/io.ts";

/**
 * The command line. `input` is what was already read from standard input; `env` are the variables, which a hook gets as a text.
 * Returns the exit code.
 */
export async function main(args: readonly string[], input?: Uint8Array, env?: NodeJS.ProcessEnv): Promise<number> {
  const io = processIo(input, env);
  try {
    return isPlainHook(args)
      ? await runHook(io, args.slice(1))
      : await (await import("./program.ts")).runProgram(io, args);
  } catch (error) {
    return report(io, error);
  }
}

/** As hosts start it: `hook HOST`, `hook HOST --timeout SECONDS`. */
function isPlainHook([command, host = "-", option, , ...more]: readonly string[]): boolean {
  return (
    command === "hook" &&
    !host.startsWith("-") &&
    (option === undefined || (option === "--timeout" && more.length === 0))
  );
}

/** Hooks start hundreds of times a day; the parser of command lines is not loaded for them. */
async function runHook(io: Io, [host = "", , timeout]: readonly string[]): Promise<number> {
  const { hook } = await import("./commands/calls/hook.ts");
  return hook.act({ io, args: [host], options: { timeout }, out: outOf(io, false) });
}
