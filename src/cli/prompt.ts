import { confirm, isCancel, password, text } from "@clack/prompts";
import { Failure } from "./failure.ts";
import type { Io } from "./io.ts";

// Questions are shown on stderr, so that stdout stays free for the answer of the command.

export async function askHidden(io: Io, message: string): Promise<string> {
  return given(await password({ message, mask: "•", input: io.stdin, output: io.stderr }));
}

export async function askText(io: Io, message: string, initial: string): Promise<string> {
  return given(await text({ message, initialValue: initial, input: io.stdin, output: io.stderr }));
}

export async function askYesNo(io: Io, message: string): Promise<boolean> {
  return given(await confirm({ message, input: io.stdin, output: io.stderr }));
}

function given<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new Failure(1, "cancelled", "nothing was changed");
  return answer as Exclude<T, symbol>;
}
