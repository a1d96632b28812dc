import { Failure } from "./failure.ts";
import type { Io } from "./io.ts";

// Questions are shown on stderr, so that stdout stays free for the answer of the command. The prompts are loaded only
// when somebody is asked: most commands ask nobody.

export type AskHidden = (message: string) => Promise<string>;

/**
 * Asks for passphrases. The terminal shows nothing of what is typed until `asking` is over: whoever types the next answer
 * before its question is there must not find it on the screen.
 */
export async function hidden<T>(io: Io, asking: (ask: AskHidden) => Promise<T>): Promise<T> {
  const { password } = await import("@clack/prompts");
  const silent = (on: boolean) => io.stdin.isTTY === true && io.stdin.setRawMode(on);
  const ask: AskHidden = async (message) => {
    const answer = await given(io, (signal) =>
      password({ message, mask: "•", input: io.stdin, output: io.stderr, signal }),
    );
    silent(true);
    return answer;
  };
  try {
    return await asking(ask);
  } finally {
    silent(false);
  }
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
