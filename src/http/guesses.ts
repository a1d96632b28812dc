import { say } from "../core/messages/message.ts";
import { LeewayRefusal } from "../service/refusal.ts";

const WINDOW_MS = 60_000;
const GUESSES_MAX = 60;
const ADDRESSES_MAX = 10_000;

/**
 * Tokens that nobody has, by the address they came from: who shows many is told to wait. Who shows a good one is let in
 * all the same, because one address may be a whole machine, or a proxy with everybody behind it.
 */
export type Guesses = { refusal(address: string): LeewayRefusal | undefined; count(address: string): void };

export function guessesOf(nowMs: () => number): Guesses {
  let counted = new Map<string, number>();
  let window = 0;
  const current = () => {
    const now = Math.floor(nowMs() / WINDOW_MS);
    if (now !== window || counted.size > ADDRESSES_MAX) counted = new Map();
    window = now;
    return counted;
  };
  return {
    count: (address) => void current().set(address, (current().get(address) ?? 0) + 1),
    refusal: (address) =>
      (current().get(address) ?? 0) < GUESSES_MAX
        ? undefined
        : new LeewayRefusal({
            code: "LEEWAY_LOCKED",
            reason: say("refusal.too_many_tokens"),
            hint: say("hint.wait_a_minute"),
          }),
  };
}
