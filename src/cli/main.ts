import { report } from "./failure.ts";
import { runProgram } from "./program.ts";
import { processIo } from "./terminal/io.ts";

/** The command line. `input` is what was already read from standard input. Returns the exit code. */
export async function main(args: readonly string[], input?: Uint8Array): Promise<number> {
  const io = processIo(input);
  try {
    return await runProgram(io, args);
  } catch (error) {
    return report(io, error);
  }
}
