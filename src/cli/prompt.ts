import { Failure } from "./failure.ts";
import type { Io } from "./io.ts";

// Questions are shown on stderr, so that stdout stays free for the answer of the command. The prompts are loaded only
// when somebody is asked: most commands ask nobody.

export async function askHidden(io: Io, message: string): Promise<string> {
  const { password } = await import("@clack/prompts");
  return given(await password({ message, mask: "•", input: io.stdin, output: io.stderr }));
}

export async function askYesNo(io: Io, message: string): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return given(await confirm({ message, input: io.stdin, output: io.stderr }));
}

/** Whoever cancels gets a symbol instead of an answer. */
function given<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer === "symbol") throw new Failure(1, "cancelled", "nothing was changed");
  return answer as Exclude<T, symbol>;
}
