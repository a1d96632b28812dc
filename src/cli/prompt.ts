import { Failure } from "./failure.ts";
import type { Io } from "./io.ts";

// Questions are shown on stderr, so that stdout stays free for the answer of the command. The prompts are loaded only
// when somebody is asked: most commands ask nobody.

export async function askHidden(io: Io, message: string): Promise<string> {
  const { password } = await import("@clack/prompts");
  return given(io, (signal) => password({ message, mask: "•", input: io.stdin, output: io.stderr, signal }));
}

export async function askYesNo(io: Io, message: string): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return given(io, (signal) => confirm({ message, input: io.stdin, output: io.stderr, signal }));
}

type Key = { name?: string; ctrl?: boolean } | undefined;

/** Whoever cancels gives a symbol instead of an answer. Input that ends gives nothing at all, and nobody would wake us. */
async function given<T>(io: Io, ask: (signal: AbortSignal) => Promise<T>): Promise<Exclude<T, symbol>> {
  const over = new AbortController();
  const end = () => over.abort();
  const onKey = (_text: string | undefined, key: Key) => {
    if (key?.ctrl === true && key.name === "d") end();
  };
  io.stdin.on("keypress", onKey).on("end", end).on("close", end);
  try {
    const answer = await ask(over.signal);
    if (over.signal.aborted)
      throw new Failure(5, "the input ended before there was an answer", "nothing was changed; answer in a terminal");
    if (typeof answer === "symbol") throw new Failure(1, "cancelled", "nothing was changed");
    return answer as Exclude<T, symbol>;
  } finally {
    io.stdin.off("keypress", onKey).off("end", end).off("close", end);
  }
}
