import { visibleOnScreen } from "../../core/values/text.ts";
import { Failure } from "../failure.ts";
import type { Io } from "./io.ts";

// Prompts go to stderr, so that stdout has only the output of the command. The prompt library is loaded only when
// somebody is asked.

export type AskHidden = (message: string) => Promise<string>;

/**
 * Asks for passphrases. The terminal shows nothing that is typed until `asking` is over, because a person may type
 * the next answer before its prompt appears.
 */
export async function hidden<T>(io: Io, asking: (ask: AskHidden) => Promise<T>): Promise<T> {
  const { password } = await import("@clack/prompts");
  const silent = (on: boolean) => io.stdin.isTTY === true && io.stdin.setRawMode(on);
  const ask: AskHidden = async (message) => {
    const answer = await given(io, (signal) =>
      password({ message: visibleOnScreen(message), mask: "•", input: io.stdin, output: io.stderr, signal }),
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

/** Enter alone means yes, but never where it would take something away or allow more than was asked for. */
export async function askYesNo(io: Io, message: string, initialValue = true): Promise<boolean> {
  const { confirm } = await import("@clack/prompts");
  return given(io, (signal) =>
    confirm({ message: visibleOnScreen(message), initialValue, input: io.stdin, output: io.stderr, signal }),
  );
}

/**
 * A line of text. `wrong` says what is wrong with an answer; what was typed is not repeated. `until` ends the question if
 * nobody needs the answer any more.
 */
export async function askText(
  io: Io,
  message: string,
  { example, wrong, until }: { example: string; wrong(answer: string): string | undefined; until?: AbortSignal },
): Promise<string> {
  const { text } = await import("@clack/prompts");
  const ask = (signal: AbortSignal) =>
    text({
      message: visibleOnScreen(message),
      placeholder: example,
      validate: (value) => wrong(value?.trim() ?? ""),
      input: io.stdin,
      output: io.stderr,
      signal,
    });
  return ((await given(io, ask, until)) ?? "").trim();
}

type Key = { name?: string; ctrl?: boolean } | undefined;

/**
 * Cancelling returns a symbol instead of an answer. At the end of input nothing is returned at all, so we have to
 * watch for it.
 */
async function given<T>(
  io: Io,
  ask: (signal: AbortSignal) => Promise<T>,
  until?: AbortSignal,
): Promise<Exclude<T, symbol>> {
  const over = new AbortController();
  const end = () => over.abort();
  until?.addEventListener("abort", end);
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
    until?.removeEventListener("abort", end);
    io.stdin.off("keypress", onKey).off("end", end).off("close", end);
  }
}
