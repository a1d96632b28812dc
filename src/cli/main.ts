import { report } from "./failure.ts";
import { runProgram } from "./program.ts";
import { processIo } from "./terminal/io.ts";

/** The command line. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const io = processIo();
  try {
    return await runProgram(io, args);
  } catch (error) {
    return report(io, error);
  }
}
